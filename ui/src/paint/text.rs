//! Lines of text for the canvas: laid out once, kept while they are on screen, elided to the width they have.
//!
//! Invariant: a kept line belongs to one font texture; when egui starts a new one, all are dropped. Sizes are rounded
//! to half points, so that zooming does not fill the texture with glyphs of every size.

use std::collections::HashMap;
use std::sync::Arc;

use egui::epaint::util::hash;
use egui::{Color32, Context, FontFamily, FontId, Galley};

/// Which face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Face {
    /// Inter Regular.
    Regular,
    /// Inter SemiBold.
    Strong,
}

/// Where the ellipsis goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Elide {
    /// In the middle: names, whose ends tell them apart.
    Middle,
    /// At the end.
    End,
}

/// What is laid out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'a> {
    pub(crate) text: &'a str,
    pub(crate) face: Face,
    /// Points on screen.
    pub(crate) size: f32,
    /// Points on screen.
    pub(crate) width_max: f32,
    pub(crate) elide: Elide,
}

struct Kept {
    galley: Arc<Galley>,
    used: u64,
}

/// No card shows more letters on a line than this; laying out a line of a megabyte to cut it would cost a frame.
pub(crate) const LINE_CHARS_MAX: usize = 400;

/// Lines that were laid out.
#[derive(Default)]
pub struct TextCache {
    kept: HashMap<u64, Kept>,
    frame: u64,
    atlas_fill: f32,
    pixels_per_point: f32,
}

impl std::fmt::Debug for TextCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TextCache").field("len", &self.kept.len()).finish()
    }
}

/// Rounds to half points, never below 12.
pub(crate) fn readable(size: f32) -> f32 {
    ((size * 2.0).round() / 2.0).max(12.0)
}

impl TextCache {
    const KEPT_MAX: usize = 20_000;

    /// To be called once a frame, before any line is asked for.
    pub fn begin(&mut self, ctx: &Context) {
        self.frame += 1;
        let fill = ctx.fonts(|fonts| fonts.font_atlas_fill_ratio());
        let ppp = ctx.pixels_per_point();
        // The texture only ever fills up; less of it means egui threw it away, and with it every place in it.
        if fill < self.atlas_fill || ppp != self.pixels_per_point || self.kept.len() > Self::KEPT_MAX {
            self.kept.clear();
        }
        (self.atlas_fill, self.pixels_per_point) = (fill, ppp);
        if self.frame.is_multiple_of(64) {
            let old = self.frame.saturating_sub(64);
            self.kept.retain(|_, kept| kept.used >= old);
        }
    }

    /// The line, laid out; `None` when not even an ellipsis has room.
    pub(crate) fn line(&mut self, ctx: &Context, ask: Ask<'_>) -> Option<Arc<Galley>> {
        if ask.text.is_empty() || ask.width_max < 6.0 {
            return None;
        }
        let width = ask.width_max.floor();
        let key = hash((ask.text, ask.face, ask.size.to_bits(), width.to_bits(), ask.elide));
        let frame = self.frame;
        let kept = self.kept.entry(key).or_insert_with(|| Kept { galley: fit(ctx, ask, width), used: frame });
        kept.used = frame;
        (kept.galley.size().x <= width + 1.0).then(|| Arc::clone(&kept.galley))
    }
}

fn fit(ctx: &Context, ask: Ask<'_>, width: f32) -> Arc<Galley> {
    let family = match ask.face {
        Face::Regular => FontFamily::Proportional,
        Face::Strong => crate::theme::strong_family(),
    };
    let font = FontId::new(ask.size, family);
    let lay =
        |text: String| ctx.fonts_mut(|fonts| fonts.layout_no_wrap(text, font.clone(), Color32::PLACEHOLDER));
    let text: String =
        ask.text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LINE_CHARS_MAX).collect();
    let whole = lay(text.clone());
    if whole.size().x <= width {
        return whole;
    }
    let chars: Vec<char> = text.chars().collect();
    let cut = |keep: usize| -> String {
        let (head, tail) = match ask.elide {
            Elide::End => (keep, 0),
            Elide::Middle => (keep - keep / 2, keep / 2),
        };
        let head: String = chars[..head].iter().collect();
        let tail: String = chars[chars.len() - tail..].iter().collect();
        format!("{}…{}", head.trim_end(), tail.trim_start())
    };
    let (mut low, mut high) = (0, chars.len().saturating_sub(1));
    while low < high {
        let middle = (low + high).div_ceil(2);
        if lay(cut(middle)).size().x <= width { low = middle } else { high = middle - 1 }
    }
    lay(cut(low))
}
