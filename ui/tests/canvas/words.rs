//! Text of every script on a card: it may be cut, never wider than the card.

use egui::{Rect, Shape};
use egui_kittest::kittest::Queryable;
use ui::scene::CardModel;
use ui::theme::{Appearance, NodeKind, Status};

use crate::stage::{Stage, card, model, window};

const SCRIPTS: [(&str, &str); 6] = [
    (
        "Chinese",
        "\u{53D1}\u{7968}\u{6838}\u{5BF9}\u{4EE3}\u{7406}\u{6B63}\u{5728}\u{5904}\u{7406}\u{7B2C}\u{4E09}\u{884C}\u{7684}\u{91D1}\u{989D}",
    ),
    (
        "Arabic",
        "\u{645}\u{637}\u{627}\u{628}\u{642}\u{629} \u{627}\u{644}\u{641}\u{648}\u{627}\u{62A}\u{64A}\u{631} \u{645}\u{639} \u{643}\u{634}\u{641} \u{627}\u{644}\u{62D}\u{633}\u{627}\u{628}",
    ),
    (
        "emoji",
        "\u{1F469}\u{200D}\u{1F4BB}\u{1F9FE}\u{2705}\u{1F469}\u{200D}\u{1F4BB}\u{1F9FE}\u{2705}\u{1F469}\u{200D}\u{1F4BB}",
    ),
    ("an address", "https://example.com/a/very/long/path/without/any/space/in/it/at/all.json"),
    ("control characters", "line\r\n\tline\u{0}\u{202E}line\u{7}line line line line line"),
    ("one letter", "a"),
];

fn texts(shape: &Shape, out: &mut Vec<(String, Rect)>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts(shape, out)),
        Shape::Text(text) => out.push((text.galley.text().to_owned(), text.visual_bounding_rect())),
        _ => {}
    }
}

#[test]
fn no_script_is_wider_than_its_card_and_a_stream_without_spaces_shows_its_end() {
    for (script, words) in SCRIPTS {
        for repeat in [1, 40, 4_000] {
            let mut card: CardModel = card("x", NodeKind::Llm, Status::Running, 0.0, 0.0);
            let long = words.repeat(repeat);
            (card.name, card.detail, card.count) = (long.as_str().into(), long.as_str().into(), 12);
            // A tail is 512 bytes at most.
            let tail: String = long.chars().take(120).collect();
            card.stream = Some(tail.as_str().into());
            let rect = card.rect;
            let mut stage = Stage::new(model(vec![], vec![card], vec![]), Appearance::Dark);
            stage.any_script = true;
            stage.scratch.ask(ui::views::canvas::CameraMove::Actual);
            let harness = window(stage, 500.0, 300.0);
            let left = harness.state().scratch.camera.zoom();
            assert_eq!(left, 1.0);
            let mut found = Vec::new();
            harness.output().shapes.iter().for_each(|clipped| texts(&clipped.shape, &mut found));
            let gutter = harness.query_all_by_label_contains("Set breakpoint on").next().unwrap().rect();
            let right = gutter.left() + rect.width();
            let on_card = |text: &&(String, Rect)| text.1.top() > gutter.top() - 4.0;
            let card_texts: Vec<_> = found.iter().filter(on_card).collect();
            assert!(card_texts.len() >= 3, "{script}: {card_texts:?}");
            for (text, at) in card_texts {
                assert!(
                    at.right() <= right + 1.0,
                    "{script}, {repeat} times: {text} ends at {} of {right}",
                    at.right()
                );
            }
        }
    }
}
