//! Inject and edit: JSON checked as typed, what it changes, and what became of the last attempt. A refusal keeps the
//! text and says why.

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, Color32, Frame, Key, Layout, Modifiers, Rect, Role, ScrollArea, Sense, TextEdit, Ui, UiBuilder,
    WidgetInfo,
};
use egui::{pos2, vec2};

use super::lay;
use crate::action::{Action, Actions, EditorKind};
use crate::glyph::Glyph;
use crate::model::Model;
use crate::model::diff::{self, Line, Sign};
use crate::model::editor::{Editor, Fault};
use crate::model::pending::Stage;
use crate::theme::{Radius, Status, Theme};
use crate::widgets::{Button, Chip, ChipTone, IconButton, Tone};

/// Height of a line of code.
const LINE: f32 = 20.0;
/// Lines of the text seen at once.
const LINES_SEEN: f32 = 6.0;
/// Lines of the difference shown.
const DIFF_MAX: usize = 400;
/// Characters that are coloured; beyond them the text stays plain so that typing stays quick.
const COLOURED: usize = 60_000;

/// Shows it in the lower part of the inspector.
pub(super) fn show(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let Some(editor) = &model.state.editor else { return };
    let mut editor = editor.clone();
    ui.painter().rect_filled(ui.max_rect(), 0, Theme::of(ui).colors.surface_chrome);
    ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
    let inner = ui.max_rect().shrink2(vec2(16.0, 0.0));
    let mut child = ui.new_child(UiBuilder::new().max_rect(inner).layout(Layout::top_down(Align::Min)));
    let ui = &mut child;
    head(ui, &editor, actions);
    if editor.source.is_some() {
        lay::prose(
            ui,
            "Reading the value that was there\u{2026}",
            Theme::of(ui).colors.text_tertiary,
            Theme::small(),
        );
    }
    text(ui, &editor, actions);
    let checked = editor.check().map(<[Line]>::to_vec).map_err(Fault::clone);
    verdict(ui, &editor, &checked);
    let ask = model.state.pending.get(&editor.run, &editor.pause);
    let busy = ask.is_some_and(|ask| !matches!(ask.stage, Stage::Refused(_)));
    let foot = 84.0 + if editor.refused.is_some() { 40.0 } else { 0.0 };
    let room = (ui.available_height() - foot).max(0.0);
    if let Ok(lines) = &checked {
        changes(ui, lines, room);
    }
    if let Some(why) = &editor.refused {
        refusal(ui, why);
    }
    ui.add_space(10.0);
    buttons(ui, model, &editor, checked.is_ok() && !busy, actions);
    ui.add_space(6.0);
    let note = "Ctrl+Enter sends it. The card says injected only when the program has said so.";
    lay::prose(ui, note, Theme::of(ui).colors.text_tertiary, Theme::small());
}

fn head(ui: &mut Ui, editor: &Editor, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 40.0), Sense::hover());
    let mid = rect.center().y;
    let (glyph, title, color) = match editor.kind {
        EditorKind::Inject => (Glyph::Injected, "Inject a result", c.status_injected),
        EditorKind::Edit => (Glyph::Edit, "Edit the arguments", c.status_injected),
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, title));
    glyph.paint(ui.painter(), pos2(rect.left() + 7.0, mid), 16.0, color);
    let x = lay::at_left(
        ui.painter(),
        rect.left() + 24.0,
        mid,
        lay::line(ui, title, Theme::strong(), c.text_primary, 200.0),
    );
    let place = match (editor.kind, &editor.before_error) {
        (EditorKind::Inject, Some(_)) => "in place of the error",
        (EditorKind::Inject, None) => "in place of the call",
        (EditorKind::Edit, _) => "before it runs again",
    };
    lay::at_left(ui.painter(), x + 8.0, mid, lay::line(ui, place, Theme::small(), c.text_tertiary, 160.0));
    let close = Rect::from_center_size(pos2(rect.right() - 12.0, mid), egui::Vec2::splat(24.0));
    if ui.put(close, IconButton::new(Glyph::Close, "Close the editor").key("Esc")).clicked() {
        actions.push(Action::CloseEditor);
    }
}

fn text(ui: &mut Ui, editor: &Editor, actions: &mut Actions) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let id = egui::Id::unique("json to inject");
    let focused = ui.memory(|memory| memory.has_focus(id));
    let send = focused && ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Enter));
    let stroke = if focused { egui::Stroke::new(1.5, c.accent) } else { egui::Stroke::new(1.0, c.line) };
    let mut typed = editor.text.clone();
    let lines = typed.lines().count().max(1) + usize::from(typed.ends_with('\n'));
    let frame =
        Frame::NONE.fill(c.surface_field).stroke(stroke).corner_radius(Radius::BUTTON).inner_margin(8);
    frame.show(ui, |ui| {
        let area = ScrollArea::both()
            .id_salt("editor")
            .max_height(LINE * LINES_SEEN)
            .min_scrolled_height(LINE * 3.0);
        area.auto_shrink([false, true]).show(ui, |ui| {
            ui.horizontal_top(|ui| {
                numbers(ui, lines);
                let mut layouter = |ui: &Ui, buffer: &dyn egui::TextBuffer, _wrap: f32| {
                    ui.fonts_mut(|fonts| fonts.layout_job(coloured(buffer.as_str(), theme)))
                };
                let edit = TextEdit::multiline(&mut typed)
                    .id(id)
                    .frame(Frame::NONE)
                    .margin(egui::Margin::ZERO)
                    .desired_rows(3)
                    .desired_width(f32::INFINITY)
                    .lock_focus(true)
                    .layouter(&mut layouter);
                let response = ui.add(edit);
                let name =
                    if editor.kind == EditorKind::Inject { "JSON to inject" } else { "JSON arguments" };
                response.widget_info(|| WidgetInfo::labeled(Role::MultilineTextInput, true, name));
                if editor.focus && !editor.touched {
                    response.request_focus();
                    actions.push(Action::EditorFocused);
                }
                if response.changed() {
                    actions.push(Action::EditorText(typed.clone()));
                }
            });
        });
    });
    if send {
        actions.push(Action::SendEditor);
    }
}

fn numbers(ui: &mut Ui, lines: usize) {
    let c = &Theme::of(ui).colors;
    let (rect, _) = ui.allocate_exact_size(vec2(24.0, LINE * lines as f32), Sense::hover());
    let clip = ui.clip_rect();
    for at in 0..lines {
        let mid = rect.top() + LINE * (at as f32 + 0.5);
        if mid > clip.top() - LINE && mid < clip.bottom() + LINE {
            let number = lay::line(ui, &(at + 1).to_string(), Theme::mono(), c.text_tertiary, 40.0);
            lay::at_right(ui.painter(), rect.left() + 14.0, mid, number);
        }
    }
}

/// JSON in its colours; what is not JSON stays plain.
fn coloured(text: &str, theme: &Theme) -> LayoutJob {
    let c = &theme.colors;
    let mut job = LayoutJob::default();
    let cut = text.char_indices().nth(COLOURED).map_or(text.len(), |(at, _)| at);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < cut {
        let (end, color) = token(text, bytes, at, c);
        append(&mut job, &text[at..end], color);
        at = end;
    }
    append(&mut job, &text[at..], c.text_primary);
    job
}

fn append(job: &mut LayoutJob, text: &str, color: Color32) {
    let mut format = TextFormat::simple(Theme::mono(), color);
    format.line_height = Some(LINE);
    job.append(text, 0.0, format);
}

fn token(text: &str, bytes: &[u8], at: usize, c: &crate::theme::Colors) -> (usize, Color32) {
    let run =
        |keep: fn(u8) -> bool| bytes[at..].iter().position(|b| !keep(*b)).map_or(bytes.len(), |n| at + n);
    match bytes[at] {
        b'"' => {
            let mut end = at + 1;
            while end < bytes.len() && bytes[end] != b'"' && bytes[end] != b'\n' {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            let mut end = (end + 1).min(bytes.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            let key = text[end..].trim_start().starts_with(':');
            (end, if key { c.json_key } else { c.json_string })
        }
        b'-' | b'0'..=b'9' => (run(|b| b.is_ascii_digit() || b"+-.eE".contains(&b)), c.json_number),
        b'a'..=b'z' => (run(|b| b.is_ascii_lowercase()), c.json_literal),
        _ => {
            let end = run(|b| !(b == b'"' || b == b'-' || b.is_ascii_digit() || b.is_ascii_lowercase()));
            (end.max(at + 1), c.text_primary)
        }
    }
}

fn verdict(ui: &mut Ui, editor: &Editor, checked: &Result<Vec<Line>, Fault>) {
    let c = &Theme::of(ui).colors;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 28.0), Sense::hover());
    let mid = rect.center().y;
    let (glyph, color, text) = match checked {
        Ok(_) => (Glyph::Ok, c.status_ok, "Valid JSON".to_owned()),
        Err(fault) => (
            Glyph::Failed,
            c.status_failed,
            format!("Line {}, column {}: {}", fault.line, fault.column, fault.what),
        ),
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
    glyph.paint(ui.painter(), pos2(rect.left() + 6.0, mid), 12.0, color);
    let x = lay::at_left(
        ui.painter(),
        rect.left() + 18.0,
        mid,
        lay::line(ui, &text, Theme::small(), color, rect.width() - 20.0),
    );
    if checked.is_ok() && editor.before_error.is_some() && !editor.touched && editor.text != "null" {
        let note =
            lay::line(ui, "\u{B7} begins as the last good result", Theme::small(), c.text_tertiary, 240.0);
        lay::at_left(ui.painter(), x + 6.0, mid, note);
    }
}

fn changes(ui: &mut Ui, lines: &[Line], room: f32) {
    let c = &Theme::of(ui).colors;
    let (added, removed) = diff::counts(lines);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let name = format!("What changes: {added} added, {removed} removed");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
    let mid = rect.center().y;
    lay::at_left(
        ui.painter(),
        rect.left(),
        mid,
        lay::line(ui, "What changes", Theme::small_strong(), c.text_secondary, 160.0),
    );
    if added + removed == 0 {
        lay::at_right(
            ui.painter(),
            rect.right(),
            mid,
            lay::line(ui, "nothing", Theme::small(), c.text_tertiary, 80.0),
        );
        return;
    }
    let minus = lay::line(ui, &format!("{removed} removed"), Theme::small(), c.status_failed, 100.0);
    let left = lay::at_right(ui.painter(), rect.right(), mid, minus);
    lay::at_right(
        ui.painter(),
        left - 10.0,
        mid,
        lay::line(ui, &format!("{added} added"), Theme::small(), c.status_ok, 100.0),
    );
    let changed: Vec<&Line> = lines.iter().filter(|line| line.sign != Sign::Same).take(DIFF_MAX).collect();
    let height = (room - 24.0).max(LINE * 2.0).min(LINE * changed.len() as f32);
    ui.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().id_salt("changes").max_height(height).auto_shrink([false, true]);
    area.show_rows(ui, LINE, changed.len(), |ui, range| {
        for line in &changed[range] {
            difference(ui, line);
        }
    });
}

fn difference(ui: &mut Ui, line: &Line) {
    let c = &Theme::of(ui).colors;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
    let (sign, color, fill) = match line.sign {
        Sign::Added => ("+", c.status_ok, c.ok_soft),
        _ => ("\u{2212}", c.status_failed, c.failed_soft),
    };
    ui.painter().rect_filled(rect, 0, fill);
    let mid = rect.center().y;
    lay::at_left(ui.painter(), rect.left() + 12.0, mid, lay::line(ui, sign, Theme::mono(), color, 20.0));
    let words = lay::line(
        ui,
        &crate::model::json::visible(&line.text),
        Theme::mono(),
        c.text_primary,
        rect.width() - 36.0,
    );
    lay::at_left(ui.painter(), rect.left() + 28.0, mid, words);
}

fn refusal(ui: &mut Ui, why: &str) {
    let c = &Theme::of(ui).colors;
    ui.add_space(8.0);
    let frame = Frame::NONE.fill(c.failed_soft).corner_radius(Radius::BUTTON).inner_margin(8);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        lay::prose(ui, &format!("Refused: {why}"), c.status_failed, Theme::small());
    });
}

fn buttons(ui: &mut Ui, model: &Model<'_>, editor: &Editor, enabled: bool, actions: &mut Actions) {
    let ask = model.state.pending.get(&editor.run, &editor.pause);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let words = match editor.kind {
            EditorKind::Inject => "Inject and continue",
            EditorKind::Edit => "Run with these",
        };
        let why =
            if enabled { "Ctrl+Enter" } else { "It must be JSON, and no other answer may be on its way" };
        if ui.add(Button::new(words).tone(Tone::Primary).enabled(enabled).tooltip(why)).clicked() {
            actions.push(Action::SendEditor);
        }
        if ui.add(Button::new("Cancel").tone(Tone::Bare)).clicked() {
            actions.push(Action::CloseEditor);
        }
        match ask.map(|ask| (&ask.stage, ask.verb.word())) {
            Some((Stage::Asked, verb)) => {
                ui.add(Chip::new(&format!("{verb} asked")).tone(ChipTone::Outline));
            }
            Some((Stage::OnItsWay, _)) => {
                ui.add(Chip::status(Status::Running, "On its way"));
            }
            _ => {}
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colouring_keeps_every_byte_of_any_text() {
        for text in [
            "{\"a\": 1.5, \"b\": [true, null]}",
            "\"open",
            "\"\\",
            "ünïcode \"é\" -",
            "\u{1F600}\"\u{1F600}",
            "",
        ] {
            assert_eq!(coloured(text, &Theme::DARK).text, text);
        }
    }
}
