//! Values that are bytes in the dress of text: data URLs and base64. Recognised by a look at their beginning, decoded
//! only when somebody wants to see them, within bounds.

use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::engine::{DecodePaddingMode, Engine};

/// Shortest text that is taken for base64 without saying so.
const BARE_MIN: usize = 512;
/// Characters looked at to tell.
const LOOK: usize = 256;
/// Bytes decoded at most.
pub const BYTES_MAX: usize = 48 << 20;
/// Longest side of a picture that is decoded, in pixels.
pub const SIDE_MAX: u32 = 16_384;
/// Longest side that is shown; a larger one is made smaller.
pub const SHOWN_MAX: u32 = 2_048;

/// What an encoded text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded {
    /// Its media type, or `base64` where only that is known.
    pub kind: String,
    /// Bytes it stands for, about.
    pub bytes: u64,
    /// Where the encoded part begins in the text.
    pub begins: usize,
}

impl Encoded {
    /// Whether it can be shown as a picture here.
    pub fn is_picture(&self) -> bool {
        matches!(self.kind.as_str(), "image/png" | "image/jpeg" | "image/jpg")
    }

    /// `image/png, 3.7 MB`.
    pub fn words(&self) -> String {
        format!("{}, {}", self.kind, super::format::bytes(self.bytes))
    }
}

/// A decoded picture.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across and down, as shown.
    pub size: [usize; 2],
    /// Pixels across and down, as sent.
    pub whole: [u32; 2],
    /// Red, green, blue and opacity of each pixel, row by row.
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Picture")
            .field("size", &self.size)
            .field("whole", &self.whole)
            .finish_non_exhaustive()
    }
}

/// What this text is, if it is encoded bytes. Looks at its beginning only.
pub fn of_text(text: &str) -> Option<Encoded> {
    if let Some(rest) = text.strip_prefix("data:") {
        let comma = rest.as_bytes().iter().take(LOOK).position(|byte| *byte == b',')?;
        let kind = rest[..comma].strip_suffix(";base64")?.split(';').next()?;
        let kind = if kind.is_empty() { "base64" } else { kind };
        return Some(of_length(kind, text.len(), 5 + comma + 1));
    }
    let bytes = text.as_bytes();
    let known = [
        ("iVBORw0KGgo", "image/png"),
        ("/9j/", "image/jpeg"),
        ("R0lGOD", "image/gif"),
        ("JVBERi0", "application/pdf"),
    ];
    let kind = known.iter().find(|(magic, _)| text.starts_with(magic)).map_or("base64", |(_, kind)| kind);
    let digits = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_');
    let seen = &bytes[..bytes.len().min(LOOK)];
    // A long run of one letter, or of letters alone, is a word and no code.
    let mixed = seen.iter().any(u8::is_ascii_digit) && seen.iter().any(u8::is_ascii_uppercase);
    let fits = seen.iter().all(digits) && (kind != "base64" || mixed);
    (bytes.len() >= BARE_MIN && fits).then(|| of_length(kind, bytes.len(), 0))
}

fn of_length(kind: &str, length: usize, begins: usize) -> Encoded {
    Encoded { kind: kind.to_owned(), bytes: (length.saturating_sub(begins)) as u64 * 3 / 4, begins }
}

/// Decodes a picture; the error is a sentence for a person.
pub fn picture(text: &str, encoded: &Encoded) -> Result<Picture, String> {
    if !encoded.is_picture() {
        return Err(format!("{} cannot be shown here; it can be copied whole.", encoded.kind));
    }
    let code = text.get(encoded.begins..).unwrap_or("");
    if code.len() / 4 * 3 > BYTES_MAX {
        return Err("It is too large to be shown here; it can be copied whole.".to_owned());
    }
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let engine = GeneralPurpose::new(&base64::alphabet::STANDARD, config);
    let bytes = Engine::decode(&engine, code.trim_end())
        .map_err(|error| format!("It is not whole base64: {error}."))?;
    decode(bytes)
}

fn decode(bytes: Vec<u8>) -> Result<Picture, String> {
    let refused = |error: image::ImageError| format!("The picture could not be read: {error}.");
    let mut reader = image::ImageReader::new(std::io::Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|error| format!("The picture could not be read: {error}."))?;
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(SIDE_MAX);
    limits.max_image_height = Some(SIDE_MAX);
    limits.max_alloc = Some(256 << 20);
    reader.limits(limits);
    let read = reader.decode().map_err(refused)?;
    let whole = [read.width(), read.height()];
    let shown =
        if whole.iter().any(|side| *side > SHOWN_MAX) { read.thumbnail(SHOWN_MAX, SHOWN_MAX) } else { read };
    let shown = shown.into_rgba8();
    Ok(Picture { size: [shown.width() as usize, shown.height() as usize], whole, rgba: shown.into_raw() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A red pixel as PNG.
    const PIXEL: &str =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

    #[test]
    fn bytes_are_told_from_words() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(of_text(text).map(|found| found.kind), expect.map(str::to_owned), "{:.40}", text);
        };
        check("data:image/png;base64,iVBO", Some("image/png"));
        check("data:;base64,AAAA", Some("base64"));
        check("data:text/plain,hello", None);
        check("hello world", None);
        check(&"x".repeat(400_000), None);
        check(&"a word and another ".repeat(100), None);
        check(&"QUJD0123".repeat(100), Some("base64"));
        check(&format!("/9j/{}", "A".repeat(600)), Some("image/jpeg"));
        check(PIXEL, None);
    }

    #[test]
    fn a_picture_is_decoded_and_what_is_none_says_so() {
        let url = format!("data:image/png;base64,{PIXEL}");
        let found = of_text(&url).expect("a data URL");
        assert_eq!(picture(&url, &found).map(|p| (p.size, p.rgba.len())), Ok(([1, 1], 4)));
        let broken = "data:image/png;base64,iVBORw0KGgoAAAA";
        let found = of_text(broken).expect("a data URL");
        assert!(picture(broken, &found).is_err());
        let pdf = "data:application/pdf;base64,JVBERi0";
        assert!(
            picture(pdf, &of_text(pdf).expect("a data URL"))
                .is_err_and(|why| why.contains("cannot be shown"))
        );
    }
}
