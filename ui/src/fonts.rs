//! The two families of the window: Inter for words, JetBrains Mono for values.
//!
//! Invariant: digits of both families are tabular and neither has ligatures; the files are baked so (see
//! `assets/README.md`). Deliberately unknown here: scripts that these two lack. In the page the browser draws them, in the
//! native program a font of the system does; `eframe` sees to both.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily};

use crate::theme::strong_family;

const REGULAR: &str = "inter";
const SEMIBOLD: &str = "inter-semibold";
const MONO: &str = "jetbrains-mono";

/// The fonts this crate carries.
pub fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    for (name, bytes) in [
        (REGULAR, &include_bytes!("../assets/fonts/Inter-Regular.ttf")[..]),
        (SEMIBOLD, &include_bytes!("../assets/fonts/Inter-SemiBold.ttf")[..]),
        (MONO, &include_bytes!("../assets/fonts/JetBrainsMono-Regular.ttf")[..]),
    ] {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    for (family, chain) in [
        (FontFamily::Proportional, [REGULAR, MONO]),
        (strong_family(), [SEMIBOLD, MONO]),
        (FontFamily::Monospace, [MONO, REGULAR]),
    ] {
        fonts.families.insert(family, chain.map(str::to_owned).to_vec());
    }
    fonts
}

pub(crate) fn install(ctx: &egui::Context) {
    ctx.set_fonts(definitions());
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::epaint::text::{Fonts, TextOptions};

    #[test]
    fn digits_of_the_word_family_are_tabular() {
        let mut fonts = Fonts::new(TextOptions::default(), definitions());
        let mut view = fonts.with_pixels_per_point(1.0);
        for family in [FontFamily::Proportional, strong_family(), FontFamily::Monospace] {
            let id = egui::FontId::new(13.0, family);
            let widths: Vec<_> = ('0'..='9').map(|digit| view.glyph_width(&id, digit)).collect();
            assert!(widths.iter().all(|width| *width == widths[0]), "{id:?} {widths:?}");
        }
    }

    #[test]
    fn both_families_have_the_signs_the_window_writes() {
        let mut fonts = Fonts::new(TextOptions::default(), definitions());
        let mut view = fonts.with_pixels_per_point(1.0);
        for family in [FontFamily::Proportional, strong_family(), FontFamily::Monospace] {
            assert!(view.has_glyphs(&egui::FontId::new(12.0, family), "Äßçřω Ж ×−…·≠→←↑↓≤≥“”€"));
        }
    }
}
