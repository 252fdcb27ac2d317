//! What a node is, as the window tells it: nine kinds, each a glyph and a hue.
//!
//! Invariant: a kind the window has not heard of is shown as `custom`; its own word is kept by the model, not here.

use egui::Color32;

use super::{KindColors, Theme};
use crate::glyph::Glyph;

/// A kind of node with a glyph and a hue of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NodeKind {
    /// An agent or sub-agent.
    Agent,
    /// A model call.
    Llm,
    /// A tool call.
    Tool,
    /// A chain, step or graph node.
    Chain,
    /// A retriever.
    Retriever,
    /// A server, such as one of the Model Context Protocol.
    Server,
    /// A resource that is read.
    Resource,
    /// A prompt template.
    Prompt,
    /// Everything else.
    Custom,
}

impl NodeKind {
    /// All kinds, in the order of the legend.
    pub const ALL: [Self; 9] = [
        Self::Agent,
        Self::Llm,
        Self::Tool,
        Self::Chain,
        Self::Retriever,
        Self::Server,
        Self::Resource,
        Self::Prompt,
        Self::Custom,
    ];

    /// The kind a wire word stands for; unknown words are custom.
    pub fn from_word(word: &str) -> Self {
        Self::ALL.into_iter().find(|kind| kind.word() == word).unwrap_or(Self::Custom)
    }

    /// The wire's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Llm => "llm",
            Self::Tool => "tool",
            Self::Chain => "chain",
            Self::Retriever => "retriever",
            Self::Server => "server",
            Self::Resource => "resource",
            Self::Prompt => "prompt",
            Self::Custom => "custom",
        }
    }

    /// The word shown to a person, as a sentence begins.
    pub fn label(self) -> &'static str {
        match self {
            Self::Agent => "Agent",
            Self::Llm => "Model call",
            Self::Tool => "Tool",
            Self::Chain => "Chain",
            Self::Retriever => "Retriever",
            Self::Server => "Server",
            Self::Resource => "Resource",
            Self::Prompt => "Prompt",
            Self::Custom => "Custom",
        }
    }

    /// Its glyph.
    pub fn glyph(self) -> Glyph {
        match self {
            Self::Agent => Glyph::Agent,
            Self::Llm => Glyph::Llm,
            Self::Tool => Glyph::Tool,
            Self::Chain => Glyph::Chain,
            Self::Retriever => Glyph::Retriever,
            Self::Server => Glyph::Server,
            Self::Resource => Glyph::Resource,
            Self::Prompt => Glyph::Prompt,
            Self::Custom => Glyph::Custom,
        }
    }

    /// Its hue.
    pub fn hue(self, theme: &Theme) -> Color32 {
        let KindColors { agent, llm, tool, chain, retriever, server, resource, prompt, custom } =
            theme.colors.kinds;
        match self {
            Self::Agent => agent,
            Self::Llm => llm,
            Self::Tool => tool,
            Self::Chain => chain,
            Self::Retriever => retriever,
            Self::Server => server,
            Self::Resource => resource,
            Self::Prompt => prompt,
            Self::Custom => custom,
        }
    }

    /// The tile behind its glyph: 17 % of the hue over a card.
    pub fn tile(self, theme: &Theme) -> Color32 {
        theme.colors.surface_card.lerp_to_gamma(self.hue(theme), 0.17)
    }

    /// Its bar in the timeline: 62 % of the hue over the chrome.
    pub fn bar(self, theme: &Theme) -> Color32 {
        theme.colors.surface_chrome.lerp_to_gamma(self.hue(theme), 0.62)
    }

    /// Its block at low detail: 45 % of the hue over a card.
    pub fn block(self, theme: &Theme) -> Color32 {
        theme.colors.surface_card.lerp_to_gamma(self.hue(theme), 0.45)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wire_word_comes_back_as_its_kind_and_others_are_custom() {
        for kind in NodeKind::ALL {
            assert_eq!(NodeKind::from_word(kind.word()), kind);
        }
        assert_eq!(NodeKind::from_word("quantum"), NodeKind::Custom);
    }

    #[test]
    fn tiles_bars_and_blocks_mix_to_the_listed_colours() {
        let rgb = |r, g, b| Color32::from_rgb(r, g, b);
        assert_eq!(NodeKind::Agent.tile(&Theme::DARK), rgb(0x39, 0x3F, 0x56));
        assert_eq!(NodeKind::Tool.tile(&Theme::LIGHT), rgb(0xD7, 0xE7, 0xE3));
        assert_eq!(NodeKind::Llm.bar(&Theme::DARK), rgb(0x7C, 0x6E, 0xA9));
    }
}
