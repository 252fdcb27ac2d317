//! What must hold of any text. Shared by the tests and the fuzz targets.
use serde_json::value::RawValue;
use wire::{Body, Decoded, Raw, decode, slim};

/// The text as a frame: nothing panics, what is good is kept, slimming is idempotent and leaves bad text alone.
#[track_caller]
pub(crate) fn frame(text: &str) {
    let good = json(text);
    match decode(text) {
        Decoded::Ok(envelope) => {
            assert_eq!(envelope.raw, text);
            let again = envelope.to_frame();
            let Decoded::Ok(second) = decode(&again) else { panic!("{text}\n{again}") };
            assert_eq!((&second.header, &second.message), (&envelope.header, &envelope.message), "{text}");
            assert_eq!(second.to_frame(), again, "{text}");
        }
        Decoded::UnknownType(opaque) => assert!(opaque.raw == text && text.contains(opaque.payload.get())),
        Decoded::VersionMismatch { received } => assert!(text.contains(received)),
        Decoded::Invalid(invalid) => assert!(!invalid.reason.is_empty()),
    }
    let once = slim(text);
    assert_eq!(slim(&once), once, "{text}");
    assert!(good || once == text, "{text}");
}

/// The text as a value: own code accepts exactly what the general parser accepts, and a stub is the body it stands for.
#[track_caller]
pub(crate) fn json(text: &str) -> bool {
    let general = serde_json::from_str::<&RawValue>(text).is_ok();
    let own = Raw::parse(text);
    assert_eq!(own.is_ok(), general, "{text}");
    if let Ok(raw) = own {
        let body = Body::from(raw);
        assert_eq!(Body::from(Raw::parse(&body.to_stub()).unwrap()), body, "{text}");
        assert_eq!(raw.depth() > 0, matches!(raw.kind(), wire::JsonKind::Array | wire::JsonKind::Object));
        let members = raw.members().count() + raw.items().count();
        assert!(members <= text.len(), "{text}");
    }
    general
}
