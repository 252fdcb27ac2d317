//! What must hold of any text that a peer or a person sends. Shared by the tests and the fuzz targets; in no build of the
//! server itself.

use std::convert::Infallible;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use wire::Raw;

use crate::condition::{Condition, Hit, Scope, Template};
use crate::http::laws::{decoded, guarded, named, plain};
use crate::limits::{HEAD_BYTES_MAX, HEADERS_MAX};
use crate::records;

/// The text as the head of a request: the guard lets in loopback names alone, a token only where it stands in the text.
pub fn request(text: &str) {
    const TOKEN: &str = "0123456789abcdef";
    let service = service_fn(|request: Request<hyper::body::Incoming>| {
        if let Some((host, has_token)) = guarded(&request, TOKEN) {
            let name = host
                .rsplit_once(':')
                .filter(|(_, port)| !port.ends_with(']'))
                .map_or(&*host, |(name, _)| name);
            let name = name.to_ascii_lowercase();
            assert!(["localhost", "127.0.0.1", "[::1]"].contains(&name.as_str()), "{host:?} was let in");
            let spelt = text.contains(TOKEN) || text.contains('%');
            assert!(!has_token || spelt, "a token was found that is not there");
        }
        let mut answer = Response::new(http_body_util::Empty::<hyper::body::Bytes>::new());
        *answer.status_mut() = StatusCode::NO_CONTENT;
        async { Ok::<_, Infallible>(answer) }
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        let (near, mut far) = tokio::io::duplex(text.len() + 64);
        far.write_all(text.as_bytes()).await.expect("written");
        let _ = far.shutdown().await;
        let serving = http1::Builder::new()
            .max_buf_size(HEAD_BYTES_MAX)
            .max_headers(HEADERS_MAX)
            .serve_connection(TokioIo::new(near), service);
        let mut answer = Vec::new();
        let both = async { tokio::join!(serving, far.read_to_end(&mut answer)) };
        let _ = tokio::time::timeout(Duration::from_secs(10), both).await.expect("an end");
        assert!(answer.is_empty() || answer.starts_with(b"HTTP/1."), "{answer:?}");
    });
}

/// The text as a query, as a value in it, and as the path of a page.
pub fn query(text: &str) {
    let escaped: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
    assert_eq!(decoded(&escaped).as_deref(), Some(text), "what is escaped comes back");
    let uri: Uri = format!("/stream?run={escaped}&from=3").parse().expect("a plain URI");
    assert_eq!(named(&uri, "run").as_deref(), Some(text));
    assert_eq!(named(&uri, "from").as_deref(), Some("3"));
    if let Some(plain) = decoded(text) {
        assert!(plain.len() <= text.len());
    }
    if let Err(error) = stream::StreamFilter::from_query(text) {
        assert!(!error.to_string().is_empty());
    }
    if plain(text) {
        assert!(
            !text.starts_with('/') && text.split('/').all(|segment| segment != ".." && !segment.is_empty())
        );
    }
}

/// The text as a body of KXM records: every line is accounted for, and what is accepted is an envelope.
pub fn lines(text: &str) {
    let batch = records::read(text.as_bytes());
    let filled = text.split('\n').filter(|line| !line.trim_ascii().is_empty()).count();
    assert!(
        batch.lines.len() <= filled.max(1) && batch.lines.windows(2).all(|two| two[0].number < two[1].number)
    );
    for line in batch.lines {
        match line.read {
            Ok(record) => {
                assert!(!record.envelope.contains('\n'), "one line in the journal");
                let decoded = wire::decode(&record.envelope);
                assert_eq!(decoded.header().map(|header| header.seq), Some(record.sequence));
            }
            Err(faults) => assert!(!faults.is_empty(), "line {} is bad without a reason", line.number),
        }
    }
}

/// The text as a condition, a hit count and a log text; asked about values of every kind.
pub fn expression(text: &str) {
    let values =
        ["null", "true", "-1.5e1", r#""x""#, "[1,[2]]", r#"{"city":"Ulm","list":[1,"two",{"x":null}]}"#];
    let scopes = values.map(|value| Scope {
        run: "r1",
        node: "tool:a",
        kind: "tool",
        name: "a",
        point: "before",
        instance: Some("i"),
        bodies: Some([("input", Raw::parse(value).ok()), ("error", None), ("output", None)]),
        why_no_bodies: "",
    });
    match Condition::parse(text) {
        Ok(condition) => {
            for scope in &scopes {
                let (once, again) = (condition.holds(scope), condition.holds(scope));
                assert_eq!(once, again);
                assert!(once.is_ok() || once.is_err_and(|why| !why.is_empty()));
            }
        }
        Err(why) => assert!(!why.is_empty()),
    }
    if let Ok(hit) = Hit::parse(text) {
        assert_eq!(Hit::parse(&format!(" {text} ")), Ok(hit), "blanks around it change nothing");
    }
    if let Ok(template) = Template::parse(text) {
        scopes.iter().for_each(|scope| drop(template.render(scope)));
    }
}

#[cfg(test)]
mod tests {
    use testkit::{Chance, any_json, corrupt};

    use super::*;

    type Law = fn(&str);

    const TARGETS: [(&str, Law); 4] = [
        ("ingest_request", request),
        ("ingest_query", query),
        ("ingest_lines", lines),
        ("ingest_expression", expression),
    ];

    /// Every input of a target's corpus.
    fn corpus(name: &str) -> Vec<String> {
        let folder = format!("{}/../../fuzz/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
        let mut paths: Vec<_> =
            std::fs::read_dir(folder).expect("a corpus").flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let text = |path| String::from_utf8_lossy(&std::fs::read(path).expect("an input")).into_owned();
        paths.into_iter().map(text).collect()
    }

    #[test]
    fn the_fuzz_corpora_and_their_neighbours_hold_every_law() {
        for (name, law) in TARGETS {
            let inputs = corpus(name);
            assert!(inputs.len() >= 8, "{name} has {} inputs", inputs.len());
            let mut chance = Chance::new(7);
            for input in &inputs {
                law(input);
                (0..40).for_each(|_| law(&corrupt(&mut chance, input)));
            }
        }
    }

    #[test]
    fn any_json_is_no_danger_to_any_decoder() {
        let mut chance = Chance::new(9);
        for _ in 0..300 {
            let text = any_json(&mut chance, 4);
            TARGETS.iter().for_each(|(_, law)| law(&text));
        }
    }
}
