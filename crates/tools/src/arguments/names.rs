//! Names of arguments: what spellings of one have in common, and how one is quoted.

/// Characters of a model's own words that are quoted.
const QUOTED: usize = 40;

/// A name without what spellings differ in: `filePath`, `file-path` and `File_Path` are one.
pub(crate) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The model's own words, short enough to be quoted.
pub(super) fn quoted(words: &str) -> String {
    let short: String = words.chars().take(QUOTED).collect();
    let more = if short.len() < words.len() { "…" } else { "" };
    format!("`{short}{more}`")
}
