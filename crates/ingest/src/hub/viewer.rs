//! Viewers: what they ask for, and what they are told about it.
//!
//! Invariant: every request with a number gets an answer with that number, now or when the disk or the app has spoken.

use tokio_tungstenite::tungstenite::Utf8Bytes;
use wire::viewer::{ControlStage, NoticeLevel, ServerFrame, ViewerFrame};

use super::fanout::{Watches, send};
use super::{Hub, Output, ReadWhat, ViewerId};
use crate::limits::{CREDITS_MAX, CREDITS_START, NOTICES_PER_SECOND};

/// One viewer.
pub(super) struct Viewer {
    /// Batches it can take.
    pub(super) credits: u32,
    /// What it looks at.
    pub(super) watches: Watches,
}

impl Hub {
    pub(super) fn viewer_opened(&mut self, id: ViewerId, out: &mut Vec<Output>) {
        self.viewers.insert(id, Viewer { credits: CREDITS_START, watches: Watches::new() });
        let welcome = ServerFrame::Welcome {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol: wire::viewer::VERSION,
            ingest_url: self.settings.ingest_url.clone(),
            viewer_url: self.settings.viewer_url.clone(),
            data_dir: self.settings.data_dir.clone(),
            debug: self.debug.state(),
            runs: self.summaries(),
            demo: self.settings.demo,
            import: self.settings.import,
            export: self.settings.export,
        };
        send(id, &welcome, out);
        send(id, &self.stats.frame(), out);
        for frame in self.imports_under_way() {
            send(id, &frame, out);
        }
        for (level, text) in &self.lasting {
            send(id, &ServerFrame::Notice { level: *level, text: text.clone() }, out);
        }
    }

    pub(super) fn viewer_closed(&mut self, id: ViewerId) {
        let watches = self.viewers.remove(&id).map(|viewer| viewer.watches).unwrap_or_default();
        for key in watches.keys() {
            self.unwatch(id, key);
        }
    }

    pub(super) fn viewer_frame(&mut self, id: ViewerId, text: &Utf8Bytes, out: &mut Vec<Output>) {
        let frame = match ViewerFrame::decode(text) {
            Ok(frame) => frame,
            Err(error) => {
                let req = wire::Raw::parse(text).ok().and_then(|raw| raw.member("req")?.as_u64());
                return send(
                    id,
                    &ServerFrame::Failed { req: req.unwrap_or(0), reason: error.to_string() },
                    out,
                );
            }
        };
        match frame {
            ViewerFrame::Watch { run } => match self.resolve(&run) {
                Some(key) => self.watch(id, &key, out),
                None => {
                    let text = format!("there is no run {run:?}");
                    send(id, &ServerFrame::Notice { level: NoticeLevel::Warning, text }, out);
                }
            },
            ViewerFrame::Unwatch { run } => self.unwatch(id, &run.as_str().into()),
            ViewerFrame::Credit { frames } => {
                if let Some(viewer) = self.viewers.get_mut(&id) {
                    viewer.credits = viewer.credits.saturating_add(frames).min(CREDITS_MAX);
                }
            }
            ViewerFrame::BodyGet { req, run, seq, pointer, offset, limit } => {
                self.read(id, req, &run, ReadWhat::Body { seq, pointer, offset, limit }, out);
            }
            ViewerFrame::EventsGet { req, run, after_seq, limit } => {
                self.read(id, req, &run, ReadWhat::Page { after: after_seq, limit }, out);
            }
            ViewerFrame::StreamGet { req, run, node_id, instance_id } => {
                self.read(id, req, &run, ReadWhat::Stream { node_id, instance_id }, out);
            }
            ViewerFrame::RunDelete { req, run } => self.delete(id, req, &run, out),
            ViewerFrame::DemoStart { req } if self.settings.demo => {
                out.push(Output::Demo);
                self.done(id, req, Ok(()), out);
            }
            ViewerFrame::DemoStart { req } => {
                self.done(id, req, Err("this server has no demo to start".to_owned()), out);
            }
            ViewerFrame::ImportCancel { req, id: import } => self.cancel_import(id, req, import, out),
            ViewerFrame::Open { req, path } if self.settings.import => {
                out.push(Output::Import { viewer: id, req, path });
            }
            ViewerFrame::Open { req, .. } => {
                self.done(id, req, Err("this server was started without an importer".to_owned()), out);
            }
            control => self.control(id, control, out),
        }
    }

    fn read(&self, viewer: ViewerId, req: u64, run: &str, what: ReadWhat, out: &mut Vec<Output>) {
        match self.resolve(run) {
            Some(key) => out.push(Output::Read { viewer, req, key, what }),
            None => {
                send(viewer, &ServerFrame::Failed { req, reason: format!("there is no run {run:?}") }, out)
            }
        }
    }

    /// Answers a request that changes something.
    pub(super) fn done(
        &self,
        viewer: ViewerId,
        req: u64,
        outcome: Result<(), String>,
        out: &mut Vec<Output>,
    ) {
        let (stage, reason) = match outcome {
            Ok(()) => (ControlStage::Delivered, None),
            Err(reason) => (ControlStage::Refused, Some(reason)),
        };
        send(viewer, &ServerFrame::Control { req, stage, reason }, out);
    }

    /// A control is on its app's socket.
    pub(super) fn delivered(&self, viewer: ViewerId, req: u64, out: &mut Vec<Output>) {
        if self.viewers.contains_key(&viewer) {
            self.done(viewer, req, Ok(()), out);
        }
    }

    /// Tells all viewers something; a flood of it is counted and said together at the next tick.
    pub(super) fn say(&mut self, level: NoticeLevel, text: &str, out: &mut Vec<Output>) {
        if self.stats.notices >= NOTICES_PER_SECOND {
            self.stats.unsaid += 1;
            return;
        }
        self.stats.notices += 1;
        self.show_all(&ServerFrame::Notice { level, text: text.to_owned() }, out);
    }
}
