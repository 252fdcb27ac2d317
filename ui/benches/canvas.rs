//! A frame of the canvas against the same number of plain rectangles with a label: `cargo bench -p ui`.
//!
//! Prints milliseconds a frame (passes and tessellation, no GPU) and their ratio; 5 is the most that is allowed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use egui::{Align2, Color32, FontId, Rect, pos2, vec2};
use ui::scene::{CanvasModel, CardModel};
use ui::theme::{Appearance, NodeKind, Status, Theme};
use ui::views::canvas::{CanvasScratch, CanvasView, canvas_ui};

const CARDS: usize = 500;
const COLUMNS: usize = 20;
const SCREEN: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(4_200.0, 2_500.0) };

fn main() {
    let model = model();
    let canvas = {
        let mut scratch = CanvasScratch::default();
        scratch.follow = false;
        let mut actions = Vec::new();
        frames(move |ui| {
            let view =
                CanvasView { time_s: 1.0, now_ms: 9_000.0, reduced_motion: true, ..CanvasView::default() };
            canvas_ui(ui, &model, &view, &mut scratch, &mut actions);
        })
    };
    let plain = frames(|ui| {
        for index in 0..CARDS {
            let rect = place(index).translate(vec2(24.0, 60.0));
            ui.painter().rect_filled(rect, 0, Color32::DARK_GRAY);
            let label = format!("card number {index}");
            ui.painter().text(
                rect.center(),
                Align2::CENTER_CENTER,
                label,
                FontId::proportional(13.0),
                Color32::WHITE,
            );
        }
    });
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    println!("canvas, {CARDS} cards: {:.2} ms a frame", ms(canvas));
    println!("{CARDS} rectangles with a label: {:.2} ms a frame", ms(plain));
    println!("ratio: {:.2} (at most 5)", canvas.as_secs_f64() / plain.as_secs_f64());
}

/// The median time of a frame.
fn frames(mut show: impl FnMut(&mut egui::Ui)) -> Duration {
    let ctx = egui::Context::default();
    Theme::install(&ctx, Appearance::Dark);
    let mut times: Vec<Duration> = (0..60)
        .map(|frame| {
            let input = egui::RawInput {
                screen_rect: Some(SCREEN),
                time: Some(f64::from(frame) / 60.0),
                ..Default::default()
            };
            let start = Instant::now();
            let mut output = ctx.run_ui(input, &mut show);
            let shapes = std::mem::take(&mut output.shapes);
            black_box(ctx.tessellate(shapes, output.pixels_per_point));
            let time = start.elapsed();
            output.textures_delta.clear();
            time
        })
        .skip(20)
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

fn place(index: usize) -> Rect {
    let (column, row) = (index % COLUMNS, index / COLUMNS);
    Rect::from_min_size(
        pos2(column as f32 * 200.0, row as f32 * 92.0),
        vec2(CardModel::WIDTH, CardModel::HEIGHT),
    )
}

fn model() -> CanvasModel {
    let statuses =
        [Status::Ok, Status::Ok, Status::Failed, Status::Cached, Status::Running, Status::NotReached];
    let cards: Vec<CardModel> = (0..CARDS)
        .map(|index| CardModel {
            key: index as u64,
            target: format!("n{index}").into(),
            rect: place(index),
            kind: NodeKind::ALL[index % NodeKind::ALL.len()],
            name: format!("card number {index}").into(),
            count: index as u64,
            status: statuses[index % statuses.len()],
            word: None,
            detail: format!("{index} ms · 2,318 tok").into(),
            failed: None,
            since_ms: Some(0.0),
            stream: None,
            model_call: false,
            hold: None,
            breakpoint: None,
            stack: false,
            dim: false,
            diff: None,
            depth: 0,
            parent: None,
        })
        .collect();
    let bounds = cards.iter().map(|card| card.rect).reduce(|a, b| a.union(b));
    CanvasModel { run: Some("bench".into()), cards, bounds, revision: 1, ..CanvasModel::default() }
}
