//! What a server wants to be shown: its key.

use reqwest::header::{
    AUTHORIZATION, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue,
    TRANSFER_ENCODING,
};

/// What a server wants to be shown in every request. Nothing writes it down.
#[derive(Clone, Default)]
pub struct Credentials {
    pub(crate) headers: HeaderMap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadKey {
    /// The value has characters that no header may have.
    #[error("its value has characters that no header may have")]
    Value,
    /// The name is none of a header, or of one that is ours to set.
    #[error("its name is none that a header of yours may have")]
    Name,
}

/// Headers that say how the body is to be read, and are set with it.
const OURS: [HeaderName; 5] = [CONTENT_TYPE, CONTENT_LENGTH, HOST, TRANSFER_ENCODING, CONNECTION];

impl Credentials {
    /// The same with a key as `Authorization: Bearer KEY`.
    ///
    /// # Errors
    /// It has characters that no header may have.
    pub fn with_key(self, key: &str) -> Result<Credentials, BadKey> {
        self.with(AUTHORIZATION, &format!("Bearer {}", key.trim()))
    }

    /// The same with another header.
    ///
    /// # Errors
    /// Its name or its value is none that a header may have.
    pub fn with_header(self, name: &str, value: &str) -> Result<Credentials, BadKey> {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| BadKey::Name)?;
        if OURS.contains(&name) { Err(BadKey::Name) } else { self.with(name, value.trim()) }
    }

    fn with(mut self, name: HeaderName, value: &str) -> Result<Credentials, BadKey> {
        let mut value = HeaderValue::from_str(value).map_err(|_| BadKey::Value)?;
        value.set_sensitive(true);
        self.headers.insert(name, value);
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
        assert_eq!(keys.clone().with_key("a\nb").unwrap_err(), BadKey::Value);
        let bad = |name: &str| keys.clone().with_header(name, "x").is_err();
        assert!(bad("a b") && bad("Content-Length") && !bad("X-Team"));
    }
}
