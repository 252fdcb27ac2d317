//! What a model call has cost.

/// Tokens of one model call, as its provider reports them.
///
/// `input_tokens` counts the cached ones too unless [`cache_exclusive`](Self::cache_exclusive) says otherwise.
///
/// ```
/// let usage = client::Usage::tokens(17_903, 120).cache_read(17_817).reasoning(40);
/// assert_eq!(usage.input_tokens, 17_903);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// Prompt tokens.
    pub input_tokens: u64,
    /// Answer tokens, reasoning included.
    pub output_tokens: u64,
    /// Prompt tokens served from a cache.
    pub cache_read_tokens: Option<u64>,
    /// Prompt tokens written to a cache.
    pub cache_write_tokens: Option<u64>,
    /// Answer tokens spent on reasoning.
    pub reasoning_tokens: Option<u64>,
    /// `input_tokens` leaves the cached ones out.
    pub excludes_cache: bool,
}

impl Usage {
    /// Prompt and answer tokens.
    pub fn tokens(input: u64, output: u64) -> Self {
        Self { input_tokens: input, output_tokens: output, ..Self::default() }
    }

    /// Prompt tokens that came from a cache.
    pub fn cache_read(self, tokens: u64) -> Self {
        Self { cache_read_tokens: Some(tokens), ..self }
    }

    /// Prompt tokens written to a cache.
    pub fn cache_write(self, tokens: u64) -> Self {
        Self { cache_write_tokens: Some(tokens), ..self }
    }

    /// Answer tokens that were reasoning.
    pub fn reasoning(self, tokens: u64) -> Self {
        Self { reasoning_tokens: Some(tokens), ..self }
    }

    /// The provider counts cached prompt tokens apart from `input_tokens`.
    pub fn cache_exclusive(self) -> Self {
        Self { excludes_cache: true, ..self }
    }

    pub(crate) fn on_wire(&self) -> wire::Usage<'static> {
        wire::Usage {
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            inclusive: Some(!self.excludes_cache),
            cache_read_tokens: self.cache_read_tokens,
            cache_write_tokens: self.cache_write_tokens,
            reasoning_tokens: self.reasoning_tokens,
            extra: wire::Extra::default(),
        }
    }
}
