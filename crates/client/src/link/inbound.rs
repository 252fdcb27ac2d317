//! What a debugger asks for, applied to what is armed and to the open holds.
//!
//! Invariant: an answer is only handed to the one who waits; nothing here runs code of the host or waits. Messages that
//! are unknown or broken are skipped: a debugger cannot harm its program.

use crate::{hold::Answer, shared::Shared};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, frame::coding::CloseCode};
use wire::{Decoded, ExecResume, Message, PauseId};

/// Applies one frame.
pub(crate) fn handle(shared: &Shared, text: &str) {
    let Decoded::Ok(envelope) = wire::decode(text) else { return };
    match envelope.message {
        Message::ExecResume(resume) => resume_hold(shared, resume),
        Message::BreakpointSet(set) => shared.armed.set(set.matcher.to_matcher()),
        Message::BreakpointClear(clear) => shared.armed.clear(&clear.matcher.to_matcher()),
        Message::ModeSet(set) => shared.armed.mode(set.mode),
        _ => {}
    }
}

fn resume_hold(shared: &Shared, resume: ExecResume<'_>) {
    let pause_id = PauseId::from(&resume.pause_id);
    let answer = Answer {
        action: resume.action,
        output: resume.output.map(wire::Raw::to_raw_value),
        input: resume.input.map(wire::Raw::to_raw_value),
        request_id: resume.request_id.map(std::borrow::Cow::into_owned),
    };
    // A second answer while the first is being looked at: the first one decides, and its outcome is on the wire.
    let _second = shared.holds.answer(&pause_id, answer);
}

/// The debugger closed the connection; why, in words.
pub(crate) fn closed(shared: &Shared, close: Option<CloseFrame>) -> String {
    let Some(close) = close else { return "the debugger closed the connection".to_owned() };
    if close.code == CloseCode::Size {
        // Replaying the frame it refused would end every further connection in the same way.
        shared.ring().drop_largest_unconfirmed();
    }
    format!("the debugger closed the connection: {} {}", close.code, close.reason)
}
