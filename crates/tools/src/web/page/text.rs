//! Text of a page as Markdown that says the same: what would be markup there is escaped.

/// `text` with what would be markup escaped, and each run of blanks and line breaks as one blank.
pub(super) fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 8);
    if begins_block(text) {
        written.push('\\');
    }
    let dot = number_dot(text);
    for (at, letter) in text.char_indices() {
        if letter.is_ascii_whitespace() {
            if !written.ends_with(' ') {
                written.push(' ');
            }
            continue;
        }
        if is_markup(letter, &text[at..]) || dot == Some(at) {
            written.push('\\');
        }
        written.push(letter);
    }
    written
}

/// The blanks and line breaks that mean nothing at either end of a text.
pub(super) fn is_blank(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' ')
}

/// Each line of `text` with `indent` blanks before it, but for the first and for empty ones.
pub(super) fn indented(text: &str, indent: usize) -> String {
    let mut written = String::with_capacity(text.len() + 8);
    for (nth, line) in text.lines().map(|line| line.trim_end_matches(is_blank)).enumerate() {
        if nth > 0 {
            written.push('\n');
            written.extend(std::iter::repeat_n(' ', if line.is_empty() { 0 } else { indent }));
        }
        written.push_str(line);
    }
    written
}

/// The longest run of backticks in `text`, which marks around it must be longer than.
pub(super) fn longest_ticks(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default()
}

/// Would a line that begins so be a heading, a quote, an item, the underline of a heading, or a fence?
fn begins_block(text: &str) -> bool {
    match text.as_bytes() {
        [b'=' | b'~' | b'>', ..] | [b'-' | b'+', b' ', ..] => true,
        [b'#', ..] => text.trim_start_matches('#').starts_with(' '),
        _ => false,
    }
}

/// The dot of a number that would begin an item of a list.
fn number_dot(text: &str) -> Option<usize> {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let dot = text.len() - rest.len();
    (dot > 0 && rest.starts_with(". ")).then_some(dot)
}

fn is_markup(letter: char, rest: &str) -> bool {
    match letter {
        '\\' | '*' | '_' | '`' | '[' | ']' => true,
        '<' => begins_tag(&rest.as_bytes()[1..]) && !rest.starts_with("<![CDATA["),
        _ => false,
    }
}

fn begins_tag(after: &[u8]) -> bool {
    match after {
        [b'!' | b'?', ..] => true,
        [b'/', letter, ..] | [letter, ..] => letter.is_ascii_alphabetic(),
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_markup_is_escaped_and_nothing_else() {
        for (text, written) in [
            ("plain, with a_name and 2 * 3", "plain, with a\\_name and 2 \\* 3"),
            ("a \n\t b", "a b"),
            ("# no heading", "\\# no heading"),
            ("#hash", "#hash"),
            ("- no item", "\\- no item"),
            ("-x", "-x"),
            ("12. no item", "12\\. no item"),
            ("1.5 and 12.", "1.5 and 12."),
            ("> no quote", "\\> no quote"),
            ("a <b> </b> <!-- <? < 3 <- <![CDATA[", "a \\<b> \\</b> \\<!-- \\<? < 3 <- <!\\[CDATA\\["),
            ("", ""),
        ] {
            assert_eq!(escaped(text), written);
        }
    }
}
