//! The state of a card or row, as shape, word and colour together.
//!
//! Invariant: no state is told by colour alone; each has its own glyph and word. Amber is the colour of holds alone.

use egui::Color32;

use super::Theme;
use crate::glyph::Glyph;

/// A state that a card, a row or a badge can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// Named by the graph's hint, never started.
    NotReached,
    /// Spoken of by others, not seen itself.
    Ghost,
    /// Started, not ended.
    Running,
    /// Waiting for a person.
    Held,
    /// Ended well.
    Ok,
    /// Ended with an error.
    Failed,
    /// Ended by a person.
    Aborted,
    /// Never ended, and its run is over.
    Abandoned,
    /// Nobody knows whether it happened.
    Uncertain,
    /// Answered from a cache.
    Cached,
    /// Ended with a value set by hand.
    Injected,
    /// Tried again after an error.
    Retried,
    /// Reached after the shown moment of a recording.
    Later,
}

impl Status {
    /// All states, in the order of the legend.
    pub const ALL: [Self; 13] = [
        Self::NotReached,
        Self::Ghost,
        Self::Running,
        Self::Held,
        Self::Ok,
        Self::Failed,
        Self::Aborted,
        Self::Abandoned,
        Self::Uncertain,
        Self::Cached,
        Self::Injected,
        Self::Retried,
        Self::Later,
    ];

    /// The word shown.
    pub fn word(self) -> &'static str {
        match self {
            Self::NotReached => "not reached",
            Self::Ghost => "ghost",
            Self::Running => "running",
            Self::Held => "held",
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::Aborted => "aborted",
            Self::Abandoned => "abandoned",
            Self::Uncertain => "uncertain",
            Self::Cached => "cached",
            Self::Injected => "injected",
            Self::Retried => "retried",
            Self::Later => "later",
        }
    }

    /// The shape shown.
    pub fn glyph(self) -> Glyph {
        match self {
            Self::NotReached | Self::Later => Glyph::NotReached,
            Self::Ghost => Glyph::Ghost,
            Self::Running => Glyph::Running,
            Self::Held => Glyph::Held,
            Self::Ok => Glyph::Ok,
            Self::Failed => Glyph::Failed,
            Self::Aborted => Glyph::Aborted,
            Self::Abandoned => Glyph::Abandoned,
            Self::Uncertain => Glyph::Uncertain,
            Self::Cached => Glyph::Cached,
            Self::Injected => Glyph::Injected,
            Self::Retried => Glyph::Retried,
        }
    }

    /// The colour of shape and word.
    pub fn color(self, theme: &Theme) -> Color32 {
        let c = &theme.colors;
        match self {
            Self::Running | Self::Retried => c.status_running,
            Self::Held => c.status_held,
            Self::Ok => c.status_ok,
            Self::Failed => c.status_failed,
            Self::Injected => c.status_injected,
            _ => c.status_muted,
        }
    }

    /// The soft surface that may stand behind it.
    pub fn soft(self, theme: &Theme) -> Color32 {
        let c = &theme.colors;
        match self {
            Self::Running | Self::Retried => c.running_soft,
            Self::Held => c.held_soft,
            Self::Ok => c.ok_soft,
            Self::Failed => c.failed_soft,
            Self::Injected => c.injected_soft,
            _ => c.surface_hover,
        }
    }

    /// Whether the card has a body: it was seen to run.
    pub fn reached(self) -> bool {
        !matches!(self, Self::NotReached | Self::Ghost | Self::Later)
    }
}
