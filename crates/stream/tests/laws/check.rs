//! What must hold of any text. Shared by the tests and the fuzz targets.
use stream::{Body, GraphEvent, RunFold, StreamFilter, StreamItem, StreamLine, lines};
use wire::{Raw, decode, encode_raw, slim};

/// The text as the payload of each graph message, and of a harness message.
#[track_caller]
pub(crate) fn item(text: &str) {
    let Ok(payload) = Raw::parse(text) else { return };
    for kind in ["graph.event", "graph.part", "node.token", "node.finished"] {
        let frame = encode_raw(1, 2.0, "r1", kind, payload);
        let Ok(Some(item)) = StreamItem::decode(&decode(&frame)) else { continue };
        assert_eq!(item.payload.raw(), payload);
        seen(&item);
        let slim = slim(&frame);
        assert!(matches!(StreamItem::decode(&decode(&slim)), Ok(Some(_))), "{slim}");
    }
}

fn seen(item: &StreamItem) {
    let (mut fold, mut again) = (RunFold::default(), RunFold::default());
    fold.apply(item);
    again.apply(item);
    assert_eq!(fold.outcome(), again.outcome());
    for line in lines(item, &StreamFilter::default()) {
        let StreamLine::Item(read) = StreamLine::parse(&line).unwrap() else { panic!("{line}") };
        assert_eq!((read.seq, &read.context), (item.seq, &item.context), "{line}");
    }
    if let Body::Event(event) = &item.body {
        let written = event.to_json();
        assert_eq!(&GraphEvent::parse(Raw::parse(&written).unwrap()).unwrap(), event, "{written}");
    }
}

/// The text as a line, and as a filter's query.
pub(crate) fn line(text: &str) {
    if let Ok(StreamLine::Outcome(outcome)) = StreamLine::parse(text) {
        let written = StreamLine::encode_outcome(&outcome);
        assert_eq!(StreamLine::parse(&written).unwrap(), StreamLine::Outcome(outcome), "{written}");
    }
    if let Err(error) = StreamFilter::from_query(text) {
        assert!(!error.to_string().is_empty());
    }
}
