//! The two palettes, as data.
//!
//! Invariant: every pair of text and surface that is used keeps AA contrast in both; the test below measures it.

use egui::Color32;

/// Every colour of one look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colors {
    /// Canvas behind everything.
    pub surface_canvas: Color32,
    /// Control bar, rail, inspector, dock, status bar.
    pub surface_chrome: Color32,
    /// Namespace box, level 1.
    pub surface_box_1: Color32,
    /// Level 2, also even levels deeper.
    pub surface_box_2: Color32,
    /// Level 3, also odd levels deeper; folded box.
    pub surface_box_3: Color32,
    /// Card.
    pub surface_card: Color32,
    /// Toast, menu, tooltip, minimap.
    pub surface_raised: Color32,
    /// Text field, code, JSON editor.
    pub surface_field: Color32,
    /// Quiet button, chip, row under the pointer.
    pub surface_hover: Color32,
    /// Selected row, pressed toggle.
    pub surface_selected: Color32,
    /// Division between panels, lanes, rows.
    pub line_subtle: Color32,
    /// Card outline, field outline, count pill.
    pub line: Color32,
    /// Ghost dashes, drop zone, empty diff slot.
    pub line_strong: Color32,
    /// Outline of box levels 2 and 3 (level 1 uses line_subtle).
    pub line_box: Color32,
    /// Names, values.
    pub text_primary: Color32,
    /// Durations, secondary words.
    pub text_secondary: Color32,
    /// Captions, counts, not reached.
    pub text_tertiary: Color32,
    /// Running, retried, on its way, bytes arriving.
    pub status_running: Color32,
    /// Held.
    pub status_held: Color32,
    /// Ok, live, connected, added.
    pub status_ok: Color32,
    /// Failed, refused, removed.
    pub status_failed: Color32,
    /// Injected, edited: a value set by hand.
    pub status_injected: Color32,
    /// Not reached, ghost, aborted, abandoned, cached, later.
    pub status_muted: Color32,
    /// Continue, and the inner ring of a held card.
    pub held_fill: Color32,
    /// Text on `held_fill`.
    pub on_held: Color32,
    /// Primary button.
    pub accent_fill: Color32,
    /// Text on `accent_fill`.
    pub on_accent: Color32,
    /// Destructive button on its second press.
    pub failed_fill: Color32,
    /// Text on `failed_fill`.
    pub on_failed: Color32,
    /// Surface behind holds.
    pub held_soft: Color32,
    /// Surface behind failures and removed lines.
    pub failed_soft: Color32,
    /// Surface behind what is well and added lines.
    pub ok_soft: Color32,
    /// Surface behind what is on its way.
    pub running_soft: Color32,
    /// Surface behind values set by hand.
    pub injected_soft: Color32,
    /// Surface behind what changed.
    pub accent_soft: Color32,
    /// Selection ring, focus ring, link, active tab, time position, changed (≠).
    pub accent: Color32,
    /// Breakpoint dot (graphic, 3:1).
    pub breakpoint: Color32,
    /// Log point (graphic, 3:1).
    pub log_point: Color32,
    /// Route taken, loop, hand-off (graphic, 3:1).
    pub edge: Color32,
    /// Route possible (decoration: faint on purpose; the cards at both ends say the same).
    pub edge_faint: Color32,
    /// Key in JSON.
    pub json_key: Color32,
    /// String in JSON.
    pub json_string: Color32,
    /// Number in JSON.
    pub json_number: Color32,
    /// True, false and null in JSON.
    pub json_literal: Color32,
    /// The outer pixel of the held ring, hatching and held bars.
    pub held_ring: Color32,
    /// One hue a kind.
    pub kinds: KindColors,
}

/// One hue a kind of node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindColors {
    /// Hue of kind `agent`.
    pub agent: Color32,
    /// Hue of kind `llm`.
    pub llm: Color32,
    /// Hue of kind `tool`.
    pub tool: Color32,
    /// Hue of kind `chain`.
    pub chain: Color32,
    /// Hue of kind `retriever`.
    pub retriever: Color32,
    /// Hue of kind `server`.
    pub server: Color32,
    /// Hue of kind `resource`.
    pub resource: Color32,
    /// Hue of kind `prompt`.
    pub prompt: Color32,
    /// Hue of kind `custom`.
    pub custom: Color32,
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

pub(super) const DARK: Colors = Colors {
    surface_canvas: rgb(0x0D0F13),
    surface_chrome: rgb(0x14171C),
    surface_box_1: rgb(0x13161B),
    surface_box_2: rgb(0x181B21),
    surface_box_3: rgb(0x1D2128),
    surface_card: rgb(0x252A33),
    surface_raised: rgb(0x262C36),
    surface_field: rgb(0x0F1216),
    surface_hover: rgb(0x2E343F),
    surface_selected: rgb(0x1D2B45),
    line_subtle: rgb(0x242932),
    line: rgb(0x363D49),
    line_strong: rgb(0x56606F),
    line_box: rgb(0x2B313B),
    text_primary: rgb(0xECEFF4),
    text_secondary: rgb(0xB1BAC7),
    text_tertiary: rgb(0x969FAD),
    status_running: rgb(0x3FC9DC),
    status_held: rgb(0xFFBB3D),
    status_ok: rgb(0x5BCB90),
    status_failed: rgb(0xFF807A),
    status_injected: rgb(0xF48FD3),
    status_muted: rgb(0x969FAD),
    held_fill: rgb(0xFFBB3D),
    on_held: rgb(0x261A00),
    accent_fill: rgb(0x2A63C7),
    on_accent: rgb(0xFFFFFF),
    failed_fill: rgb(0xB83A36),
    on_failed: rgb(0xFFFFFF),
    held_soft: rgb(0x33291A),
    failed_soft: rgb(0x33211F),
    ok_soft: rgb(0x182A22),
    running_soft: rgb(0x15292F),
    injected_soft: rgb(0x33202D),
    accent_soft: rgb(0x1D2B45),
    accent: rgb(0x6FA8FF),
    breakpoint: rgb(0xF0616D),
    log_point: rgb(0x6FA8FF),
    edge: rgb(0x7B8697),
    edge_faint: rgb(0x3C4451),
    json_key: rgb(0x9CC4FF),
    json_string: rgb(0x9ED8A6),
    json_number: rgb(0xF2C078),
    json_literal: rgb(0xD6A8FF),
    held_ring: rgb(0xFFBB3D),
    kinds: KindColors {
        agent: rgb(0x9DA8FF),
        llm: rgb(0xBCA4FF),
        tool: rgb(0x6FD0B0),
        chain: rgb(0xA3B5CA),
        retriever: rgb(0x68C3EF),
        server: rgb(0xD9B67E),
        resource: rgb(0xABCE6E),
        prompt: rgb(0xF0A58C),
        custom: rgb(0xBFBBC9),
    },
};

pub(super) const LIGHT: Colors = Colors {
    surface_canvas: rgb(0xECEFF3),
    surface_chrome: rgb(0xFFFFFF),
    surface_box_1: rgb(0xF6F7F9),
    surface_box_2: rgb(0xEEF0F4),
    surface_box_3: rgb(0xE5E9EE),
    surface_card: rgb(0xFFFFFF),
    surface_raised: rgb(0xFFFFFF),
    surface_field: rgb(0xF5F6F8),
    surface_hover: rgb(0xEEF1F5),
    surface_selected: rgb(0xE3EDFD),
    line_subtle: rgb(0xE3E6EB),
    line: rgb(0xCBD1DA),
    line_strong: rgb(0x98A2B0),
    line_box: rgb(0xD8DDE4),
    text_primary: rgb(0x14171C),
    text_secondary: rgb(0x414A57),
    text_tertiary: rgb(0x566070),
    status_running: rgb(0x076B7C),
    status_held: rgb(0x855000),
    status_ok: rgb(0x166A3E),
    status_failed: rgb(0xB82525),
    status_injected: rgb(0xA11C7E),
    status_muted: rgb(0x566070),
    held_fill: rgb(0xF5A81C),
    on_held: rgb(0x261A00),
    accent_fill: rgb(0x1C5BCB),
    on_accent: rgb(0xFFFFFF),
    failed_fill: rgb(0xB82525),
    on_failed: rgb(0xFFFFFF),
    held_soft: rgb(0xFFF4DC),
    failed_soft: rgb(0xFDECEB),
    ok_soft: rgb(0xE6F5EC),
    running_soft: rgb(0xE0F3F6),
    injected_soft: rgb(0xFBE9F6),
    accent_soft: rgb(0xE3EDFD),
    accent: rgb(0x1C5BCB),
    breakpoint: rgb(0xD5303E),
    log_point: rgb(0x1C5BCB),
    edge: rgb(0x77828F),
    edge_faint: rgb(0xC3CAD3),
    json_key: rgb(0x1A56B8),
    json_string: rgb(0x17693A),
    json_number: rgb(0x8A4B00),
    json_literal: rgb(0x7A35B8),
    held_ring: rgb(0xB87000),
    kinds: KindColors {
        agent: rgb(0x4650C8),
        llm: rgb(0x6A45CF),
        tool: rgb(0x11705A),
        chain: rgb(0x4A617E),
        retriever: rgb(0x0D6796),
        server: rgb(0x7C560E),
        resource: rgb(0x4E6D0E),
        prompt: rgb(0xA04624),
        custom: rgb(0x5D586C),
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(color: Color32) -> f32 {
        let linear = |v: u8| {
            let v = f32::from(v) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
    }

    fn contrast(a: Color32, b: Color32) -> f32 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn surfaces(c: &Colors) -> [Color32; 11] {
        [
            c.surface_canvas,
            c.surface_chrome,
            c.surface_box_1,
            c.surface_box_2,
            c.surface_box_3,
            c.surface_card,
            c.surface_raised,
            c.surface_field,
            c.surface_hover,
            c.surface_selected,
            c.held_soft,
        ]
    }

    #[test]
    fn text_keeps_aa_contrast_on_every_surface() {
        for c in [DARK, LIGHT] {
            for surface in surfaces(&c) {
                for text in [c.text_primary, c.text_secondary, c.text_tertiary] {
                    let seen = contrast(text, surface);
                    assert!(seen >= 4.5, "{text:?} on {surface:?} has {seen}");
                }
            }
        }
    }

    #[test]
    fn words_on_fills_and_soft_surfaces_keep_aa_contrast() {
        for c in [DARK, LIGHT] {
            for (text, surface) in [
                (c.on_held, c.held_fill),
                (c.on_accent, c.accent_fill),
                (c.on_failed, c.failed_fill),
                (c.status_held, c.held_soft),
                (c.status_failed, c.failed_soft),
                (c.status_ok, c.ok_soft),
                (c.status_running, c.running_soft),
                (c.status_injected, c.injected_soft),
                (c.accent, c.accent_soft),
                (c.json_key, c.surface_field),
                (c.json_string, c.surface_field),
                (c.json_number, c.surface_field),
                (c.json_literal, c.surface_field),
            ] {
                assert!(contrast(text, surface) >= 4.5, "{text:?} on {surface:?}");
            }
        }
    }

    #[test]
    fn graphics_keep_three_to_one_on_the_surface_they_stand_on() {
        for c in [DARK, LIGHT] {
            for (mark, surface) in [
                (c.breakpoint, c.surface_card),
                (c.log_point, c.surface_card),
                (c.edge, c.surface_box_3),
                (c.held_ring, c.surface_box_3),
                (c.accent, c.surface_box_3),
            ] {
                assert!(contrast(mark, surface) >= 3.0, "{mark:?} on {surface:?}");
            }
        }
    }
}
