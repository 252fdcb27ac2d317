//! How to attach a program, in three languages, with the live address in each. Every line is the real interface of the
//! client it names; TypeScript speaks the wire itself, which needs no package.

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// The PyPI package of the contract.
    #[default]
    Python,
    /// The contract over the WebSocket that Node and browsers have.
    TypeScript,
    /// The crate `client` of this project.
    Rust,
}

impl Language {
    /// In the order of the tabs.
    pub const ALL: [Self; 3] = [Self::Python, Self::TypeScript, Self::Rust];

    /// The word on the tab.
    pub fn word(self) -> &'static str {
        match self {
            Self::Python => "Python",
            Self::TypeScript => "TypeScript",
            Self::Rust => "Rust",
        }
    }

    /// How to get the client; empty where nothing is needed.
    pub fn install(self) -> &'static str {
        match self {
            Self::Python => "pip install graphmind-ai",
            Self::TypeScript => "",
            Self::Rust => "cargo add client --path holdpoint/crates/client",
        }
    }

    /// The program, attaching to `url`.
    pub fn code(self, url: &str) -> String {
        let text = match self {
            Self::Python => PYTHON,
            Self::TypeScript => TYPESCRIPT,
            Self::Rust => RUST,
        };
        text.replace("URL", url)
    }

    /// Words that begin a statement, for their colour.
    pub fn keywords(self) -> &'static [&'static str] {
        match self {
            Self::Python => &["import", "as", "def", "return", "with", "from"],
            Self::TypeScript => &["const", "let", "if", "return", "async", "await"],
            Self::Rust => &["let", "async", "await", "move", "fn", "use"],
        }
    }

    /// What begins a comment.
    pub fn comment(self) -> &'static str {
        if self == Self::Python { "#" } else { "//" }
    }
}

const PYTHON: &str = "import graphmind as gm

gm.configure(app=\"my-agent\", url=\"URL\")
gm.ready(timeout=2.0)  # breakpoints hold from the first call on

@gm.tool
def parse_amount(text: str) -> float:
    return float(text)

with gm.run(\"reconcile\"):
    parse_amount(\"1.284,50\")  # fails, and waits here for you
gm.dispose()
";

const TYPESCRIPT: &str = "const ws = new WebSocket(\"URL\");
let seq = 0;
const send = (type: string, payload: object, runId = \"run-1\") =>
  ws.send(JSON.stringify({ gm: 1, seq: seq++, ts: Date.now(), runId, type, payload }));
const node = { nodeId: \"tool:search\", instanceId: \"1\" };

ws.onopen = () => send(\"hello\", { versions: { protocol: 1, client: \"0.1.0\" }, capabilities: [] }, \"*\");
ws.onmessage = ({ data }) => {
  if (JSON.parse(data).type !== \"hello.ack\") return;
  send(\"run.started\", { app: \"my-agent\", sdk: { name: \"own\", version: \"0.1.0\" } });
  send(\"node.started\", { ...node, kind: \"tool\", name: \"search\", input: { q: \"rain\" } });
  send(\"node.finished\", { ...node, output: [\"wet\"], durationMs: 12, status: \"ok\" });
  send(\"run.finished\", { status: \"ok\" });
};
";

const RUST: &str = "let session = client::Session::builder(\"my-agent\").url(\"URL\").start();
let run = session.run(\"reconcile\").start();

// Fails, and waits here for you.
let amount = run
    .tool(\"parse_amount\", \"1.284,50\".to_owned(), async |text: String| text.parse::<f64>())
    .await;

run.finish(amount)?;
";

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn every_snippet_has_the_live_address_and_no_placeholder() {
        for language in Language::ALL {
            let code = language.code("ws://127.0.0.1:4848/ingest");
            assert!(code.contains("ws://127.0.0.1:4848/ingest"), "{language:?}");
            assert!(!code.contains("\"URL\""), "{language:?}");
        }
    }
}
