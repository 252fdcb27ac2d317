//! The look: every colour, size and text style of the window, once.
//!
//! Invariant: nothing else in this crate spells a colour or a font size. Widgets read the theme of the `Ui` they are
//! in with [`Theme::of`], so a view never passes it along. Deliberately unknown here: what is drawn where.

mod colors;
mod kind;
mod size;
mod status;
mod style;

pub use colors::{Colors, KindColors};
pub use kind::NodeKind;
pub use size::{Radius, Size};
pub use status::Status;

use egui::{Color32, FontFamily, FontId, Shadow};

/// One of the two looks. There are exactly two values, [`Theme::DARK`] and [`Theme::LIGHT`].
#[derive(Debug, PartialEq)]
pub struct Theme {
    /// Whether this is the dark look.
    pub dark: bool,
    /// Every colour.
    pub colors: Colors,
    /// Colour of a card's shadow; larger shadows use it too.
    pub shadow: Color32,
}

/// What the person chose: a look, or the look of the system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Appearance {
    /// Follow the system.
    #[default]
    System,
    /// Always dark.
    Dark,
    /// Always light.
    Light,
}

impl Theme {
    /// The dark look.
    pub const DARK: Self =
        Self { dark: true, colors: colors::DARK, shadow: Color32::from_rgba_premultiplied(0, 0, 0, 92) };
    /// The light look.
    pub const LIGHT: Self =
        Self { dark: false, colors: colors::LIGHT, shadow: Color32::from_rgba_premultiplied(3, 4, 7, 36) };

    /// The look a `Ui` is painted in.
    pub fn of(ui: &egui::Ui) -> &'static Self {
        Self::by(ui.visuals().dark_mode)
    }

    /// The dark look, or the light one.
    pub fn by(dark: bool) -> &'static Self {
        const DARK: &Theme = &Theme::DARK;
        const LIGHT: &Theme = &Theme::LIGHT;
        if dark { DARK } else { LIGHT }
    }

    /// Installs both looks, the fonts and the chosen appearance; call it once, and again when the choice changes.
    pub fn install(ctx: &egui::Context, appearance: Appearance) {
        crate::fonts::install(ctx);
        Self::apply(ctx, appearance);
    }

    /// Sets both egui styles and which of them is used, without touching the fonts.
    pub fn apply(ctx: &egui::Context, appearance: Appearance) {
        ctx.set_style_of(egui::Theme::Dark, style::style(&Self::DARK));
        ctx.set_style_of(egui::Theme::Light, style::style(&Self::LIGHT));
        ctx.set_theme(match appearance {
            Appearance::System => egui::ThemePreference::System,
            Appearance::Dark => egui::ThemePreference::Dark,
            Appearance::Light => egui::ThemePreference::Light,
        });
    }

    /// Title, 16 on 24: the name in the inspector, one heading in the empty window.
    pub fn title() -> FontId {
        FontId::new(16.0, strong_family())
    }

    /// Body, 13 on 16: everything.
    pub fn body() -> FontId {
        FontId::new(13.0, FontFamily::Proportional)
    }

    /// Strong, 13 on 16: card names, the run's name, the active tab, sums.
    pub fn strong() -> FontId {
        FontId::new(13.0, strong_family())
    }

    /// Small, 12 on 16: second card line, captions, chips, status bar, timeline.
    pub fn small() -> FontId {
        FontId::new(12.0, FontFamily::Proportional)
    }

    /// Small and strong: heads of sections.
    pub fn small_strong() -> FontId {
        FontId::new(12.0, strong_family())
    }

    /// Value, 12 on 20 in code, on 18 elsewhere: values, paths, conditions, keys, event numbers and times.
    pub fn mono() -> FontId {
        FontId::new(12.0, FontFamily::Monospace)
    }

    /// The shadow under a card.
    pub fn card_shadow(&self) -> Shadow {
        Shadow { offset: [0, 1], blur: 3, spread: 0, color: self.shadow }
    }

    /// The shadow under the minimap.
    pub fn minimap_shadow(&self) -> Shadow {
        Shadow { offset: [0, 2], blur: 8, spread: 0, color: self.shadow }
    }

    /// The shadow under toasts, menus and dialogs.
    pub fn popup_shadow(&self) -> Shadow {
        Shadow { offset: [0, 8], blur: 24, spread: 0, color: self.shadow }
    }
}

/// The family of Inter SemiBold.
pub fn strong_family() -> FontFamily {
    FontFamily::Name("strong".into())
}
