//! Where the server is and how to be let in: the data directory's `server.json` and `token`, or what the person said.
//!
//! Invariant: a token is only ever sent to a loopback address.

use crate::{
    args::PlaceArgs,
    fail::{Context, Done, Fail},
};
use serde::Deserialize;
use std::fs;
use std::path::PathBuf;
use tokio_tungstenite::tungstenite::http::Uri;

/// What `server.json` tells.
#[derive(Deserialize)]
struct About {
    port: u16,
}

/// A server's address and data.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) data_dir: PathBuf,
    /// `host:port`, where one is known.
    host: Option<String>,
    /// The person named the server, so a recording on disk is not what they mean.
    pub(crate) named: bool,
}

impl Place {
    pub(crate) fn new(args: &PlaceArgs) -> Done<Self> {
        let data_dir = args.data_dir.clone().unwrap_or_else(ingest::default_data_dir);
        let said = match (&args.url, args.port) {
            (Some(url), _) => Some(host_of(url)?),
            (None, Some(port)) => Some(format!("127.0.0.1:{port}")),
            (None, None) => None,
        };
        let named = said.is_some();
        let host = said.or_else(|| published(&data_dir).map(|port| format!("127.0.0.1:{port}")));
        Ok(Self { data_dir, host, named })
    }

    /// `host:port` of the server, which may or may not run.
    pub(crate) fn host(&self) -> Done<&str> {
        self.host.as_deref().ok_or_else(|| self.nobody("none has been started with this data directory"))
    }

    /// The token of the server's launch.
    pub(crate) fn token(&self) -> Done<String> {
        let path = self.data_dir.join("token");
        let token = fs::read_to_string(&path)
            .context(format!("cannot read the server's token {} (give its --data-dir)", path.display()))?;
        Ok(token.trim().to_owned())
    }

    /// Where agents dial.
    pub(crate) fn ingest_url(&self) -> Done<String> {
        Ok(format!("ws://{}/ingest", self.host()?))
    }

    pub(crate) fn nobody(&self, why: impl std::fmt::Display) -> Fail {
        Fail::new(format!(
            "no server is running for {}: {why}. Start one with `holdpoint serve`, or open the window",
            self.data_dir.display()
        ))
    }
}

fn published(data_dir: &std::path::Path) -> Option<u16> {
    let text = fs::read_to_string(data_dir.join("server.json")).ok()?;
    serde_json::from_str::<About>(&text).ok().map(|about| about.port)
}

fn host_of(url: &str) -> Done<String> {
    let wrong = |why: &str| Fail::new(format!("--url {url:?} {why}; expected http://127.0.0.1:PORT"));
    let uri: Uri = url.parse().map_err(|_| wrong("is no address"))?;
    let host = uri.host().ok_or_else(|| wrong("names no host"))?;
    if !matches!(host, "127.0.0.1" | "localhost" | "[::1]") {
        return Err(wrong("is not this machine"));
    }
    Ok(format!("{host}:{}", uri.port_u16().unwrap_or(wire::DEFAULT_PORT)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_this_machines_or_refused() {
        assert_eq!(host_of("ws://127.0.0.1:9/ingest").as_deref(), Ok("127.0.0.1:9"));
        assert_eq!(host_of("http://[::1]:9").as_deref(), Ok("[::1]:9"));
        assert_eq!(host_of("http://localhost").as_deref(), Ok("localhost:4747"));
        for (url, why) in [("http://example.org:9", "not this machine"), ("nonsense here", "no address")] {
            assert!(host_of(url).expect_err(url).message.contains(why));
        }
    }

    #[test]
    fn what_a_person_says_wins_over_what_the_data_directory_says() {
        let dir = std::env::temp_dir().join(format!("holdpoint-place-{}", std::process::id()));
        fs::create_dir_all(&dir).expect("a folder");
        fs::write(dir.join("server.json"), r#"{"port":9,"pid":1}"#).expect("written");
        let place = |port, url: Option<&str>| {
            let url = url.map(str::to_owned);
            let place = Place::new(&PlaceArgs { port, url, data_dir: Some(dir.clone()) }).expect("fine");
            (place.host().expect("known").to_owned(), place.named)
        };
        assert_eq!(place(None, None), ("127.0.0.1:9".to_owned(), false));
        assert_eq!(place(Some(7), None), ("127.0.0.1:7".to_owned(), true));
        assert_eq!(place(Some(7), Some("http://[::1]:8")), ("[::1]:8".to_owned(), true));
        fs::remove_dir_all(&dir).expect("removed");
    }
}
