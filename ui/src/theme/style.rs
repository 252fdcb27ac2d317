//! egui's own style, filled from the theme, so that its stock widgets look like ours.
//!
//! Invariant: no default grey of egui is left visible.

use std::collections::BTreeMap;

use egui::style::{Selection, WidgetVisuals, Widgets};
use egui::{CornerRadius, FontId, Margin, Stroke, Style, TextStyle, Visuals, vec2};

use super::{Radius, Size, Theme};

pub(super) fn style(theme: &Theme) -> Style {
    let mut style = Style { text_styles: text_styles(), visuals: visuals(theme), ..Style::default() };
    style.animation_time = 0.08;
    style.url_in_tooltip = true;
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(8.0, 4.0);
    spacing.button_padding = vec2(10.0, 4.0);
    spacing.interact_size = vec2(24.0, 24.0);
    spacing.indent = Size::INDENT;
    spacing.window_margin = Margin::same(16);
    spacing.menu_margin = Margin::same(6);
    spacing.icon_width = 16.0;
    spacing.icon_width_inner = 10.0;
    spacing.icon_spacing = 6.0;
    spacing.scroll = egui::style::ScrollStyle::thin();
    style.interaction.tooltip_delay = 0.4;
    style.interaction.selectable_labels = true;
    style
}

fn text_styles() -> BTreeMap<TextStyle, FontId> {
    [
        (TextStyle::Small, Theme::small()),
        (TextStyle::Body, Theme::body()),
        (TextStyle::Button, Theme::body()),
        (TextStyle::Heading, Theme::title()),
        (TextStyle::Monospace, Theme::mono()),
    ]
    .into()
}

fn visuals(theme: &Theme) -> Visuals {
    let c = &theme.colors;
    let mut visuals = if theme.dark { Visuals::dark() } else { Visuals::light() };
    visuals.widgets = widgets(theme);
    visuals.weak_text_color = Some(c.text_tertiary);
    visuals.selection = Selection { bg_fill: c.surface_selected, stroke: Stroke::new(1.0, c.text_primary) };
    visuals.hyperlink_color = c.accent;
    visuals.faint_bg_color = c.surface_box_2;
    visuals.extreme_bg_color = c.surface_field;
    visuals.text_edit_bg_color = Some(c.surface_field);
    visuals.code_bg_color = c.surface_field;
    visuals.warn_fg_color = c.status_failed;
    visuals.error_fg_color = c.status_failed;
    visuals.window_corner_radius = CornerRadius::same(Radius::CARD);
    visuals.window_shadow = theme.popup_shadow();
    visuals.window_fill = c.surface_raised;
    visuals.window_stroke = Stroke::new(1.0, c.line);
    visuals.menu_corner_radius = CornerRadius::same(Radius::CARD);
    visuals.panel_fill = c.surface_chrome;
    visuals.popup_shadow = theme.popup_shadow();
    visuals.text_cursor.stroke = Stroke::new(1.0, c.accent);
    visuals.text_cursor.blink = false;
    visuals.striped = false;
    visuals.slider_trailing_fill = true;
    visuals.indent_has_left_vline = false;
    visuals.disabled_alpha = 0.6;
    visuals
}

fn widgets(theme: &Theme) -> Widgets {
    let c = &theme.colors;
    let of = |bg_fill, weak_bg_fill, bg_stroke, text| WidgetVisuals {
        bg_fill,
        weak_bg_fill,
        bg_stroke,
        corner_radius: CornerRadius::same(Radius::BUTTON),
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    let focus = Stroke::new(1.5, c.accent);
    Widgets {
        noninteractive: of(
            c.surface_chrome,
            c.surface_chrome,
            Stroke::new(1.0, c.line_subtle),
            c.text_primary,
        ),
        inactive: of(c.surface_hover, c.surface_hover, Stroke::NONE, c.text_primary),
        hovered: of(c.surface_hover, c.surface_hover, Stroke::new(1.0, c.line), c.text_primary),
        active: of(c.surface_selected, c.surface_selected, focus, c.text_primary),
        open: of(c.surface_selected, c.surface_selected, Stroke::new(1.0, c.line), c.text_primary),
    }
}
