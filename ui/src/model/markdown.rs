//! Markdown as a flat list of blocks: no recursion, nothing fetched, nothing executed. Raw HTML stays text, an image is
//! its words and address. The parser is pulldown-cmark; what stands beyond [`BLOCKS_MAX`] blocks is counted, not read.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// Blocks read of one text at most.
pub const BLOCKS_MAX: usize = 400;
/// Bytes read of one text at most.
pub const BYTES_MAX: usize = 256 << 10;

/// A run of words that look alike.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The words.
    pub text: String,
    /// Stressed strongly.
    pub strong: bool,
    /// Stressed.
    pub emphasis: bool,
    /// In the face of values.
    pub code: bool,
    /// Where a link leads; it is shown, never opened by itself.
    pub link: Option<String>,
}

/// What a block is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Prose.
    Paragraph,
    /// A heading with its level, 1 to 6.
    Heading(u8),
    /// Code, with the language it names.
    Code(String),
    /// An item of a list: its depth from 0, and its number or a bullet.
    Item(u8, String),
    /// Something quoted.
    Quote,
    /// A line across.
    Rule,
    /// A row of a table, its cells parted by tabs.
    Row,
}

/// One block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: Kind,
    /// Its words.
    pub spans: Vec<Span>,
}

#[derive(Default)]
struct Builder {
    blocks: Vec<Block>,
    spans: Vec<Span>,
    kind: Option<Kind>,
    lists: Vec<Option<u64>>,
    quotes: u32,
    style: Span,
}

/// The blocks of a text, and whether more was left out.
pub fn blocks(text: &str) -> (Vec<Block>, bool) {
    let cut = text.len().min(BYTES_MAX);
    let cut = (0..=cut).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let mut builder = Builder::default();
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    for event in Parser::new_ext(&text[..cut], options) {
        if builder.blocks.len() >= BLOCKS_MAX {
            return (builder.blocks, true);
        }
        builder.event(event);
    }
    builder.close();
    (builder.blocks, cut < text.len())
}

impl Builder {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.word(&text, false),
            Event::Code(text) => self.word(&text, true),
            Event::SoftBreak => self.word(" ", false),
            Event::HardBreak => self.word("\n", false),
            Event::TaskListMarker(done) => self.word(if done { "[x] " } else { "[ ] " }, false),
            Event::Rule => {
                self.close();
                self.blocks.push(Block { kind: Kind::Rule, spans: Vec::new() });
            }
            Event::FootnoteReference(name) => self.word(&format!("[{name}]"), false),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.word(&text, true),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => self.open(Kind::Heading(level as u8)),
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.open(Kind::Code(language));
            }
            Tag::List(first) => {
                self.close();
                self.lists.push(first);
            }
            Tag::Item => self.item(),
            Tag::BlockQuote(_) => {
                self.close();
                self.quotes += 1;
            }
            Tag::Paragraph if self.kind.is_none() => self.open(self.prose()),
            Tag::TableHead | Tag::TableRow => self.open(Kind::Row),
            Tag::TableCell if !self.spans.is_empty() => self.word("\t", false),
            Tag::Strong => self.style.strong = true,
            Tag::Emphasis => self.style.emphasis = true,
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.style.link = Some(dest_url.to_string())
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong => self.style.strong = false,
            TagEnd::Emphasis => self.style.emphasis = false,
            TagEnd::Link | TagEnd::Image => self.style.link = None,
            TagEnd::List(_) => {
                self.close();
                self.lists.pop();
            }
            TagEnd::BlockQuote(_) => {
                self.close();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::Item => self.close(),
            TagEnd::TableHead | TagEnd::TableRow => self.close(),
            _ => {}
        }
    }

    fn prose(&self) -> Kind {
        if self.quotes > 0 { Kind::Quote } else { Kind::Paragraph }
    }

    fn item(&mut self) {
        let depth = self.lists.len().saturating_sub(1).min(8) as u8;
        let mark = match self.lists.last_mut() {
            Some(Some(next)) => {
                *next += 1;
                format!("{}.", *next - 1)
            }
            _ => "\u{2022}".to_owned(),
        };
        self.open(Kind::Item(depth, mark));
    }

    fn open(&mut self, kind: Kind) {
        self.close();
        self.kind = Some(kind);
    }

    fn close(&mut self) {
        let kind = self.kind.take();
        let spans = std::mem::take(&mut self.spans);
        if !spans.is_empty() {
            self.blocks.push(Block { kind: kind.unwrap_or(self.prose()), spans });
        }
    }

    fn word(&mut self, text: &str, code: bool) {
        let span = Span { text: text.to_owned(), code, ..self.style.clone() };
        match self.spans.last_mut() {
            Some(last)
                if Span { text: String::new(), ..last.clone() }
                    == Span { text: String::new(), ..span.clone() } =>
            {
                last.text.push_str(text);
            }
            _ => self.spans.push(span),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Vec<(Kind, String)> {
        let words = |block: &Block| block.spans.iter().map(|span| span.text.as_str()).collect::<String>();
        blocks(text).0.iter().map(|block| (block.kind.clone(), words(block))).collect()
    }

    #[test]
    fn each_kind_of_block_is_one_block() {
        let text = "# Plan\nRead **all** of `a.rs`.\n\n1. one\n2. two\n   - deep\n\n> quoted\n\n```rust\nfn f() {}\n```\n---\n|a|b|\n|-|-|\n|1|2|\n";
        let item = |depth, mark: &str| Kind::Item(depth, mark.to_owned());
        let expect = [
            (Kind::Heading(1), "Plan"),
            (Kind::Paragraph, "Read all of a.rs."),
            (item(0, "1."), "one"),
            (item(0, "2."), "two"),
            (item(1, "\u{2022}"), "deep"),
            (Kind::Quote, "quoted"),
            (Kind::Code("rust".to_owned()), "fn f() {}\n"),
            (Kind::Rule, ""),
            (Kind::Row, "a\tb"),
            (Kind::Row, "1\t2"),
        ];
        assert_eq!(shape(text), expect.map(|(kind, text)| (kind, text.to_owned())));
    }

    #[test]
    fn html_stays_text_and_an_image_is_its_words() {
        assert_eq!(shape("a <b>x</b>")[0].1, "a <b>x</b>");
        let (read, _) = blocks("![cat](http://example.com/c.png)");
        assert_eq!(read[0].spans[0].link.as_deref(), Some("http://example.com/c.png"));
    }

    #[test]
    fn depth_and_length_have_bounds() {
        let (read, cut) = blocks(&"x\n\n".repeat(10_000));
        assert_eq!((read.len(), cut), (BLOCKS_MAX, true));
        assert!(blocks(&">".repeat(50_000)).0.len() <= BLOCKS_MAX);
        assert!(blocks(&"\u{e9}".repeat(BYTES_MAX)).1);
    }
}
