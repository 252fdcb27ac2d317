//! HTTP on the one port: accept, guard, route.
//!
//! Invariant: every request passes Host and Origin before its path is looked at, and the token before its content.

mod accept;
mod api;
mod assets;
mod export;
mod guard;
mod records;
mod reply;
mod route;
mod upgrade;

use std::path::PathBuf;
use std::sync::Arc;

pub(crate) use accept::serve;

use tokio::sync::watch;

use crate::config::{ExportAsk, Exported, ServerConfig};
use crate::journal::Journal;
use crate::rim::{self, HubHandle};

/// What every connection shares.
#[derive(Clone)]
pub(crate) struct Site(Arc<SiteInner>);

pub(crate) struct SiteInner {
    pub(crate) config: ServerConfig,
    pub(crate) token: String,
    pub(crate) port: u16,
    pub(crate) hub: HubHandle,
    pub(crate) journal: Arc<Journal>,
    pub(crate) stopped: watch::Receiver<bool>,
    guard: guard::Guard,
    half_open: accept::HalfOpen,
}

impl Site {
    pub(crate) fn new(
        config: ServerConfig,
        token: String,
        port: u16,
        hub: HubHandle,
        journal: Arc<Journal>,
        stopped: watch::Receiver<bool>,
    ) -> Self {
        let guard = guard::Guard::new(port, &config.extra_origins);
        let half_open = accept::HalfOpen::default();
        Self(Arc::new(SiteInner { config, token, port, hub, journal, stopped, guard, half_open }))
    }

    /// The name to offer for the file of a run.
    pub(crate) fn export_name(&self, run: &str, to: &str) -> Option<String> {
        Some(export::file_name(run, &self.config.exporter.as_ref()?.form(to)?))
    }

    /// Writes a run to a file.
    pub(crate) async fn export_to(
        &self,
        run: &str,
        to: &str,
        redact: bool,
        path: PathBuf,
    ) -> Result<Exported, String> {
        let exporter = self.config.exporter.clone().ok_or("this server was started without an exporter")?;
        exporter.form(to).ok_or_else(|| format!("{to:?} is no form of a run that can be written"))?;
        let name = run.to_owned();
        let found = self.hub.ask(move |hub, _| hub.find(&name)).await.ok_or("the server is stopping")?;
        let (key, _) = found.ok_or_else(|| format!("there is no run {run:?}"))?;
        let file = self.journal.find(key.as_str()).ok_or_else(|| format!("run {key} has no journal"))?;
        let ask = ExportAsk { to: to.to_owned(), redact, title: key.to_string() };
        let work = tokio::task::spawn_blocking(move || rim::export_to(&*exporter, &file, &ask, &path));
        work.await.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
    }
}

impl std::fmt::Debug for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Site").field("port", &self.0.port).finish_non_exhaustive()
    }
}

impl std::ops::Deref for Site {
    type Target = SiteInner;
    fn deref(&self) -> &SiteInner {
        &self.0
    }
}

/// What the laws ask of this module.
#[cfg(any(test, feature = "laws"))]
pub(crate) mod laws {
    use hyper::header::HOST;
    use hyper::{Request, Uri};

    use super::{assets, guard, route};

    /// The Host of a request that is let in, and whether it has the token.
    pub(crate) fn guarded<B>(request: &Request<B>, token: &str) -> Option<(String, bool)> {
        guard::Guard::new(4747, &[]).check(request).ok()?;
        let host = request.headers().get(HOST)?.to_str().ok()?.to_owned();
        Some((host, guard::has_token(request, token)))
    }

    /// A value without its percent escapes.
    pub(crate) fn decoded(text: &str) -> Option<String> {
        route::decode(text, true)
    }

    /// A member of a query.
    pub(crate) fn named(uri: &Uri, name: &str) -> Option<String> {
        route::query(uri, name)
    }

    /// Whether a path may reach the page's files.
    pub(crate) fn plain(name: &str) -> bool {
        assets::is_plain(name)
    }
}
