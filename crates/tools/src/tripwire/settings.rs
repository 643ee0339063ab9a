//! Reads git's settings just far enough to leave out what git writes there by itself.

use crate::facts::git::is_kept;

/// The settings in `text` that matter, one line each; `None` where it is not written as git writes it, so that all of it
/// matters.
pub(super) fn that_matter(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let (mut prefix, mut matter) = (None, String::new());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with(['#', ';']) {
            continue;
        }
        if line.starts_with('[') {
            prefix = Some(section(line)?);
            continue;
        }
        // A line that goes on in the next could hide anything.
        if line.ends_with('\\') {
            return None;
        }
        let (name, value) = line.split_once('=').unwrap_or((line, ""));
        let key = format!("{}{}", prefix.as_deref()?, name.trim().to_lowercase());
        let value = value.trim();
        if !is_kept(&key) || is_place(&key, value) {
            matter.push_str(&format!("{key}={value}\n"));
        }
    }
    Some(matter)
}

/// Does a branch name a place instead of a remote? `.` is the repository itself.
fn is_place(key: &str, value: &str) -> bool {
    let by_name = key.starts_with("branch.") && key.ends_with(".remote");
    by_name
        && (value.contains([':', '\\', '"'])
            || value.starts_with(['/', '~'])
            || value.starts_with("./")
            || value.starts_with(".."))
}

/// `core.` of `[core]`, `branch.Main.` of `[branch "Main"]`.
fn section(line: &str) -> Option<String> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let plain = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    match inner.split_once(' ') {
        None => plain(inner).then(|| format!("{}.", inner.to_lowercase())),
        Some((name, middle)) => {
            let middle = middle.trim().strip_prefix('"')?.strip_suffix('"')?;
            let fits = plain(name) && !middle.contains(['"', '\\', ']']);
            fits.then(|| format!("{}.{middle}.", name.to_lowercase()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_matters_is_left() {
        let text = "[core]\n\tbare = false\n\tfsmonitor = /bin/x\n[branch \"Main\"]\n\tremote = o\n; a word\n\
            [remote \"o\"]\n\turl = https://example.org\n\tfetch = +refs/heads/*:refs/remotes/o/*\n\
            [branch \"b\"]\n\tremote = https://example.org\n[branch \"c\"]\n\tremote = .\n[FILTER \"x\"] \n\tClean = y";
        assert_eq!(
            that_matter(text.as_bytes()).as_deref(),
            Some(
                "core.fsmonitor=/bin/x\nremote.o.url=https://example.org\nbranch.b.remote=https://example.org\n\
                 filter.x.clean=y\n"
            )
        );
    }

    #[test]
    fn what_git_would_not_write_matters_whole() {
        for text in
            ["[core] bare = x", "[core]\nbare = a\\\nb", "bare = x", "[a \"b\\\"c\"]\nx = y", "[core", "\u{fffd}[x"]
        {
            assert_eq!(that_matter(text.as_bytes()), None, "{text}");
        }
        assert_eq!(that_matter(b"\xff"), None);
    }
}
