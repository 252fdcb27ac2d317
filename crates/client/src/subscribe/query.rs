//! A filter as the query of `/stream`: what `StreamFilter::from_query` reads.

use stream::{Family, StreamFilter, StreamMode};

/// `modes=…&run=…`, lists with commas, words escaped; empty for a filter that takes everything.
pub(super) fn query(filter: &StreamFilter) -> String {
    let StreamFilter { modes, families, runs, threads, namespace, nodes, tasks, kinds } = filter;
    let mut pairs = vec![
        list("modes", ",", modes.iter().map(|mode: &StreamMode| mode.as_str())),
        list("families", ",", families.iter().map(|family: &Family| family.as_str())),
        list("run", ",", runs.iter().map(|run| run.as_str())),
        list("threads", ",", threads.iter().map(|thread| thread.as_str())),
        list("nodes", ",", nodes.iter().map(|node| node.as_str())),
        list("tasks", ",", tasks.iter().map(|task| task.as_str())),
        list("kinds", ",", kinds.iter().map(String::as_str)),
    ];
    let segments = namespace.iter().flatten().map(String::as_str);
    pairs.push(list("namespace", "/", segments));
    pairs.retain(|pair| !pair.is_empty());
    pairs.join("&")
}

fn list<'a>(name: &str, between: &str, words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.map(escaped).collect();
    if words.is_empty() { String::new() } else { format!("{name}={}", words.join(between)) }
}

fn escaped(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    word.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_comes_back_from_its_query() {
        let full = StreamFilter {
            modes: vec![StreamMode::Updates, StreamMode::Custom],
            families: vec![Family::Messages],
            runs: vec!["r 1".into(), "r,2".into()],
            threads: vec!["t&t".into()],
            namespace: Some(vec!["a:1".to_owned(), "b/ä".to_owned()]),
            nodes: vec!["n=1".into()],
            tasks: vec!["100%".into()],
            kinds: vec!["node.token".to_owned()],
        };
        for filter in [full, StreamFilter::default()] {
            assert_eq!(StreamFilter::from_query(&query(&filter)), Ok(filter));
        }
    }
}
