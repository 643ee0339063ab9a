//! Text as Markdown that means just that text.

/// Text whose control characters are signs that can be seen; line breaks and tabs stay.
pub(super) fn visible(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' if rest.peek() == Some(&'\n') => {}
            '\n' | '\t' => seen.push(c),
            '\0'..='\u{1f}' => seen.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}')),
            '\u{7f}' => seen.push('␡'),
            c if c.is_control() || reorders(c) => seen.push_str(&format!("⟨U+{:04X}⟩", u32::from(c))),
            c => seen.push(c),
        }
    }
    seen
}

/// Does it make text look like other text than it is?
fn reorders(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// One line in which nothing is a mark.
pub(super) fn plain(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in visible(text.trim()).chars() {
        match c {
            '\n' | '\t' => line.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '&' => line.extend(['\\', c]),
            c => line.push(c),
        }
    }
    line
}

/// A few words as code, on one line.
pub(super) fn code(text: &str) -> String {
    let text = visible(text).replace(['\n', '\t'], " ");
    let fence = "`".repeat(longest_run(&text) + 1);
    // What begins or ends with a backtick, or is blank, would be read otherwise.
    let pad = if text.starts_with('`') || text.ends_with('`') || text.trim().is_empty() { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Many lines as code.
pub(super) fn fenced(language: &str, text: &str) -> String {
    let text = visible(text);
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{text}{end}{fence}\n")
}

/// Something that can be unfolded.
pub(super) fn folded(summary: &str, inside: &str) -> String {
    format!("<details><summary>{summary}</summary>\n\n{inside}\n</details>\n")
}

/// Text that is Markdown already. A fence that it leaves open is closed, for it would take in all that follows.
pub(super) fn block(text: &str) -> String {
    let mut text = visible(text.trim_matches('\n')).trim_end().to_owned();
    if let Some(fence) = open_fence(&text) {
        text.push('\n');
        text.push_str(&fence);
    }
    text
}

/// The fence that closes the one left open, if one is.
fn open_fence(text: &str) -> Option<String> {
    let mut open: Option<(char, usize)> = None;
    for line in text.lines() {
        let inner = line.trim_start_matches(' ');
        let Some(mark) = inner.chars().next().filter(|c| matches!(c, '`' | '~')) else { continue };
        let length = inner.chars().take_while(|c| *c == mark).count();
        let rest = &inner[length..];
        open = match open {
            Some((of, least)) if of == mark && length >= least && rest.trim().is_empty() => None,
            None if length >= 3 && !(mark == '`' && rest.contains('`')) => Some((mark, length)),
            same => same,
        };
    }
    open.map(|(mark, length)| mark.to_string().repeat(length))
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_seen_and_line_breaks_stay() {
        assert_eq!(visible("a\r\nb\tc\u{1b}[31m\r\u{7f}\u{85}\u{202e}"), "a\nb\tc␛[31m␍␡⟨U+0085⟩⟨U+202E⟩");
    }

    #[test]
    fn nothing_in_a_plain_line_is_a_mark() {
        assert_eq!(plain("a_b *c* <d>\n# [e](f) | `g`"), "a\\_b \\*c\\* \\<d\\> \\# \\[e\\](f) \\| \\`g\\`");
    }

    #[test]
    fn fences_are_longer_than_any_run_inside() {
        assert_eq!(code("ls"), "`ls`");
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`x`"), "`` `x` ``");
        assert_eq!(fenced("sh", "a"), "```sh\na\n```\n");
        assert_eq!(fenced("", "````\n"), "`````\n````\n`````\n");
    }

    #[test]
    fn a_fence_left_open_is_closed() {
        for (text, closed) in [
            ("a\n```rust\nfn", "a\n```rust\nfn\n```"),
            ("````\n```\n", "````\n```\n````"),
            ("~~~\n```", "~~~\n```\n~~~"),
            ("```\na\n```", "```\na\n```"),
            ("```inline``` words", "```inline``` words"),
            ("1. x\n   ```\n   y", "1. x\n   ```\n   y\n```"),
        ] {
            assert_eq!(block(text), closed);
        }
    }
}
