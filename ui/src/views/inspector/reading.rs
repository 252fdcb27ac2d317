//! A body read as a conversation: who speaks, prose set as prose, calls and results apart. Messages out of view cost
//! nothing once their height is known.

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Label, RichText, ScrollArea, Stroke, Ui, vec2};

use crate::glyph::Glyph;
use crate::model::json;
use crate::model::markdown::{Block, Kind, Span};
use crate::model::reading::{Message, Part, Reading};
use crate::theme::{Radius, Theme};
use crate::views::lay;
use crate::widgets::{Chip, ChipTone};

/// Characters of code, arguments or a result set at once; the tree and the text have all of it.
const CODE_MAX: usize = 6_000;

/// Heights of messages at a width.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    width: f32,
    heights: Vec<f32>,
}

impl Scratch {
    /// Another body is shown.
    pub(super) fn reset(&mut self) {
        self.heights.clear();
    }
}

/// Shows it with its own scroll bar; returns the encoded text that was asked for.
pub(super) fn show(
    ui: &mut Ui,
    id: &str,
    reading: &Reading,
    height: f32,
    scratch: &mut Scratch,
) -> Option<String> {
    let mut wanted = None;
    let area = ScrollArea::vertical().id_salt(("reading", id)).auto_shrink([false, true]).max_height(height);
    area.show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 6.0);
        let width = ui.available_width();
        if (scratch.width - width).abs() > 0.5 || scratch.heights.len() != reading.messages.len() {
            scratch.width = width;
            scratch.heights = vec![0.0; reading.messages.len()];
        }
        for (message, known) in reading.messages.iter().zip(&mut scratch.heights) {
            let top = ui.cursor().top();
            let clip = ui.clip_rect();
            if *known > 0.0 && (top + *known < clip.top() || top > clip.bottom()) {
                ui.allocate_space(vec2(width, *known));
                continue;
            }
            let shown = ui.vertical(|ui| said(ui, message, &mut wanted));
            *known = shown.response.rect.height();
        }
        if reading.more > 0 {
            let text = format!("{} more messages are in the tree and the text.", reading.more);
            lay::prose(ui, &text, Theme::of(ui).colors.text_tertiary, Theme::small());
        }
    });
    wanted
}

fn said(ui: &mut Ui, message: &Message, wanted: &mut Option<String>) {
    let c = &Theme::of(ui).colors;
    if !message.role.is_empty() {
        let color = match message.role.as_str() {
            "user" | "human" => c.accent,
            "assistant" | "ai" | "model" => c.status_running,
            _ => c.text_secondary,
        };
        lay::prose(ui, &message.role, color, Theme::small_strong());
    }
    for part in &message.parts {
        match part {
            Part::Prose(blocks, cut) => prose(ui, blocks, *cut, c.text_primary),
            Part::Reasoning(blocks, cut) => {
                lay::prose(ui, "Reasoning", c.text_tertiary, Theme::small_strong());
                prose(ui, blocks, *cut, c.text_secondary);
            }
            Part::Call(name, arguments) => labelled(ui, Glyph::Right, &format!("Calls {name}"), arguments),
            Part::Result(name, text) => {
                let title = if name.is_empty() { "Result".to_owned() } else { format!("Result of {name}") };
                labelled(ui, Glyph::Left, &title, text);
            }
            Part::Other(json) => code(ui, json),
            Part::Encoded(found, text) => {
                let words = found.words();
                let chip = Chip::new(&words).glyph(Glyph::File).tone(ChipTone::Accent).clickable();
                if ui.add(chip.tooltip("Show it")).clicked() {
                    *wanted = Some(text.clone());
                }
            }
        }
    }
    ui.add_space(6.0);
}

fn labelled(ui: &mut Ui, glyph: Glyph, title: &str, text: &str) {
    let c = &Theme::of(ui).colors;
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(12.0, 16.0), egui::Sense::hover());
        glyph.paint(ui.painter(), rect.center(), 12.0, c.text_secondary);
        lay::prose(ui, title, c.text_secondary, Theme::small_strong());
    });
    if !text.is_empty() {
        code(ui, text);
    }
}

fn code(ui: &mut Ui, text: &str) {
    let c = &Theme::of(ui).colors;
    let frame = egui::Frame::NONE.fill(c.surface_field).corner_radius(Radius::BUTTON).inner_margin(8);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        let mut shown: String = text.chars().take(CODE_MAX).collect();
        if shown.len() < text.len() {
            shown.push('\u{2026}');
        }
        let lines = shown.trim_end().lines().map(json::visible).collect::<Vec<_>>().join("\n");
        ui.add(
            Label::new(RichText::new(lines).font(Theme::mono()).color(c.text_primary))
                .wrap()
                .selectable(true),
        );
    });
}

fn prose(ui: &mut Ui, blocks: &[Block], cut: bool, color: Color32) {
    for block in blocks {
        show_block(ui, block, color);
    }
    if cut {
        let text = "The rest is in the tree and the text.";
        lay::prose(ui, text, Theme::of(ui).colors.text_tertiary, Theme::small());
    }
}

fn show_block(ui: &mut Ui, block: &Block, color: Color32) {
    let c = &Theme::of(ui).colors;
    match &block.kind {
        Kind::Code(_) => code(ui, &block.spans.iter().map(|span| span.text.as_str()).collect::<String>()),
        Kind::Rule => {
            let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 9.0), egui::Sense::hover());
            ui.painter().hline(rect.x_range(), rect.center().y, Stroke::new(1.0, c.line));
        }
        Kind::Item(depth, mark) => {
            ui.horizontal_top(|ui| {
                ui.add_space(8.0 + 16.0 * f32::from(*depth));
                lay::prose(ui, mark, c.text_secondary, Theme::body());
                words(ui, &block.spans, Theme::body(), color);
            });
        }
        Kind::Quote => {
            ui.horizontal_top(|ui| {
                ui.add_space(12.0);
                let shown = words(ui, &block.spans, Theme::body(), c.text_secondary);
                let x = shown.rect.left() - 8.0;
                ui.painter().vline(x, shown.rect.y_range(), Stroke::new(2.0, c.line_strong));
            });
        }
        Kind::Heading(1 | 2) => drop(words(ui, &block.spans, Theme::title(), color)),
        Kind::Heading(_) => drop(words(ui, &block.spans, Theme::strong(), color)),
        Kind::Row => drop(words(ui, &block.spans, Theme::mono(), color)),
        Kind::Paragraph => drop(words(ui, &block.spans, Theme::body(), color)),
    }
}

fn words(ui: &mut Ui, spans: &[Span], font: FontId, color: Color32) -> egui::Response {
    let c = &Theme::of(ui).colors;
    let mut job = LayoutJob::default();
    job.wrap.max_width = ui.available_width();
    for span in spans {
        let mut format = TextFormat::simple(font.clone(), color);
        format.italics = span.emphasis;
        if span.strong {
            format.font_id = FontId::new(font.size, crate::theme::strong_family());
        }
        if span.code {
            format.font_id = Theme::mono();
            format.background = c.surface_field;
        }
        if span.link.is_some() {
            format.color = c.accent;
        }
        format.line_height = Some(font.size + 7.0);
        let text: String = span.text.split('\n').map(json::visible).collect::<Vec<_>>().join("\n");
        job.append(&text, 0.0, format);
    }
    let response = ui.add(Label::new(job).wrap().selectable(true));
    let links: Vec<&str> = spans.iter().filter_map(|span| span.link.as_deref()).collect();
    if links.is_empty() { response } else { response.on_hover_text(links.join("\n")) }
}
