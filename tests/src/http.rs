//! One HTTP request a connection, JSON both ways: all that WebDriver needs.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// A driver that has not answered by then has hung.
const READ_MAX: Duration = Duration::from_secs(180);

/// Sends a request to a loopback port and gives the status and the JSON body.
///
/// # Errors
/// No connection, or an answer that is not HTTP with JSON.
pub(crate) fn request(
    port: u16,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> Result<(u16, Value), String> {
    let text = body.map(Value::to_string).unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        text.len()
    );
    let answer = exchange(port, &head, &text).map_err(|error| format!("{method} {path}: {error}"))?;
    parse(&answer).ok_or_else(|| format!("{method} {path}: not an HTTP answer with JSON"))
}

fn exchange(port: u16, head: &str, body: &str) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(READ_MAX))?;
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    let mut answer = Vec::new();
    let mut part = [0; 16 * 1024];
    // A driver may keep the connection open in spite of our wish: the length says where the answer ends.
    while !is_whole(&answer) {
        match stream.read(&mut part)? {
            0 => break,
            read => answer.extend_from_slice(&part[..read]),
        }
    }
    Ok(answer)
}

fn split(answer: &[u8]) -> Option<(&str, &[u8])> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some((std::str::from_utf8(&answer[..end]).ok()?, &answer[end + 4..]))
}

fn length(head: &str) -> Option<usize> {
    let mut fields = head.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(name, _)| name.eq_ignore_ascii_case("content-length"))?.1.trim().parse().ok()
}

fn is_whole(answer: &[u8]) -> bool {
    split(answer).is_some_and(|(head, body)| length(head).is_some_and(|length| body.len() >= length))
}

fn parse(answer: &[u8]) -> Option<(u16, Value)> {
    let (head, body) = split(answer)?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, serde_json::from_slice(body).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_to_its_length_and_not_further() {
        let whole = b"HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{\"value\":1}";
        assert!(is_whole(whole));
        assert!(!is_whole(&whole[..whole.len() - 1]));
        assert_eq!(parse(whole), Some((200, serde_json::json!({ "value": 1 }))));
        assert_eq!(parse(b"hello"), None);
    }
}
