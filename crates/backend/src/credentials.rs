//! What a server wants to be shown: its key.

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};

/// What a server wants to be shown in every request. Nothing writes it down.
#[derive(Clone, Default)]
pub struct Credentials {
    pub(crate) headers: HeaderMap,
}

/// A key that cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the key has characters that no header may have")]
pub struct BadKey;

impl Credentials {
    /// The same with a key as `Authorization: Bearer KEY`.
    ///
    /// # Errors
    /// It has characters that no header may have.
    pub fn with_key(mut self, key: &str) -> Result<Credentials, BadKey> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", key.trim())).map_err(|_| BadKey)?;
        value.set_sensitive(true);
        self.headers.insert(AUTHORIZATION, value);
        Ok(self)
    }
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.headers.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_never_written_down() {
        let keys = Credentials::default().with_key("sk-very-secret").unwrap();
        let written = format!("{keys:?} {:?}", keys.headers);
        assert!(!written.contains("secret"), "{written}");
        assert_eq!(keys.with_key("a\nb").unwrap_err(), BadKey);
    }
}
