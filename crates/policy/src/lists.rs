//! Lists of names as this crate writes them: one text, the names parted by blanks.

/// Is this name on the list?
pub(crate) fn listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == name)
}
