//! HTTP on the one port: accept, guard, route.
//!
//! Invariant: every request passes Host and Origin before its path is looked at, and the token before its content.

mod accept;
mod assets;
mod guard;
mod reply;
mod route;

use std::sync::Arc;

pub(crate) use accept::serve;

use crate::config::ServerConfig;

/// What every connection shares.
#[derive(Clone)]
pub(crate) struct Site(Arc<SiteInner>);

pub(crate) struct SiteInner {
    pub(crate) config: ServerConfig,
    pub(crate) token: String,
    pub(crate) port: u16,
    guard: guard::Guard,
    half_open: accept::HalfOpen,
}

impl Site {
    pub(crate) fn new(config: ServerConfig, token: String, port: u16) -> Self {
        let guard = guard::Guard::new(port, &config.extra_origins);
        Self(Arc::new(SiteInner { config, token, port, guard, half_open: accept::HalfOpen::default() }))
    }
}

impl std::ops::Deref for Site {
    type Target = SiteInner;
    fn deref(&self) -> &SiteInner {
        &self.0
    }
}
