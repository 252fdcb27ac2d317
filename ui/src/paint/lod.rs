//! How much of a card is drawn, by the height of a 56-card on screen.
//!
//! Invariant: going nearer only ever adds; a held card keeps a ring at every level.

/// How much of a card is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lod {
    /// One count per box.
    Count,
    /// A block of hue.
    Block,
    /// Glyph, name and status glyph.
    Name,
    /// All of it.
    Full,
}

impl Lod {
    /// The level at a zoom; a 56-card is `56 × zoom` points high.
    pub fn at(zoom: f32) -> Self {
        match 56.0 * zoom {
            height if height >= 47.9 => Self::Full,
            height if height >= 24.0 => Self::Name,
            height if height >= 8.0 => Self::Block,
            _ => Self::Count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_change_at_the_listed_heights() {
        for (height, level) in [
            (56.0, Lod::Full),
            (48.0, Lod::Full),
            (47.0, Lod::Name),
            (24.0, Lod::Name),
            (23.0, Lod::Block),
            (8.0, Lod::Block),
            (7.9, Lod::Count),
        ] {
            assert_eq!(Lod::at(height / 56.0), level, "{height}");
        }
    }
}
