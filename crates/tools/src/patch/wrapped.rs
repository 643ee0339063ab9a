//! What models put around a patch: a fence, or the command line of a shell that would hand it to a program.

use std::borrow::Cow;

/// The patch without what stands around it, with LF line ends.
pub(crate) fn bare(text: &str) -> Cow<'_, str> {
    let text: Cow<'_, str> = if text.contains('\r') { text.replace("\r\n", "\n").into() } else { text.into() };
    match here_document(&text).map(str::to_owned).or_else(|| inside_fence(&text).map(str::to_owned)) {
        Some(inner) => Cow::Owned(inner),
        None => text,
    }
}

/// The text that a line like `apply_patch <<'EOF'` hands over, if nothing else stands in `text`.
fn here_document(text: &str) -> Option<&str> {
    let text = text.trim();
    let (first, rest) = text.split_once('\n')?;
    let (program, word) = first.split_once("<<")?;
    if program.trim() != "apply_patch" {
        return None;
    }
    let word = word.trim_start_matches('-').trim().trim_matches(['\'', '"', '\\']);
    let end = rest.rfind('\n')?;
    (rest[end + 1..].trim() == word).then(|| &rest[..=end])
}

/// The lines inside a fence that is all of `text`.
fn inside_fence(text: &str) -> Option<&str> {
    let text = text.trim();
    let (first, rest) = text.strip_prefix("```")?.split_once('\n')?;
    let inner = rest.strip_suffix("```")?;
    let is_one = !first.contains('`') && !inner.lines().any(|line| line.starts_with("```"));
    (is_one && inner.ends_with('\n')).then_some(inner)
}
