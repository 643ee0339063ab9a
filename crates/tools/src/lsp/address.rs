//! Files as servers name them: `file:///a/b%20c`.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The address of the file at `path`, which is absolute.
pub(crate) fn of(path: &Path) -> String {
    let mut address = "file://".to_owned();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => address.push(*byte as char),
            byte => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

/// The file at `address`; `None` where that is no file of this machine.
pub(crate) fn path(address: &str) -> Option<PathBuf> {
    let rest = address.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest).as_bytes();
    if rest.first() != Some(&b'/') {
        return None;
    }
    let mut bytes = Vec::new();
    let mut at = 0;
    while let Some(byte) = rest.get(at) {
        let coded = rest.get(at + 1..at + 3).filter(|_| *byte == b'%');
        match coded.and_then(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                at += 3;
            }
            None => {
                bytes.push(*byte);
                at += 1;
            }
        }
    }
    (!bytes.contains(&0)).then(|| PathBuf::from(OsString::from_vec(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_back_to_its_file() {
        for name in ["/a/b.rs", "/with blank/é#?.c", "/100%/x", "/\u{1f980}"] {
            assert_eq!(path(&of(Path::new(name))).as_deref(), Some(Path::new(name)));
        }
        assert_eq!(of(Path::new("/a b")), "file:///a%20b");
    }

    #[test]
    fn other_addresses_are_no_files() {
        for none in ["https://a/b", "jdt://contents/x", "file://server/share", "file:///a%00b", ""] {
            assert_eq!(path(none), None, "{none}");
        }
        assert_eq!(path("file:///a%3ab%zz").as_deref(), Some(Path::new("/a:b%zz")));
    }
}
