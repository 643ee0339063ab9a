//! Foreign text made plain: nothing in it that moves a cursor, hides, or turns the order of letters around.

/// What a server says, in one line of at most so many characters.
pub(crate) fn line(text: &str, longest: usize) -> String {
    let visible: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let words: Vec<&str> = visible.split_whitespace().collect();
    shortened(&seen(&words.join(" ")), longest)
}

/// The same with its lines left as they are, however long.
pub(crate) fn lines(text: &str) -> String {
    let kept = |letter: char| !letter.is_control() || matches!(letter, '\n' | '\t');
    seen(&text.replace("\r\n", "\n").chars().filter(|letter| kept(*letter)).collect::<String>())
}

fn seen(text: &str) -> String {
    text.chars().filter(|letter| !is_unseen(*letter)).collect()
}

/// Letters that take no room: marks of direction, joiners, tags.
fn is_unseen(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

fn shortened(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    text.chars().take(longest.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_holds_nothing_but_what_is_seen() {
        assert_eq!(line("a\u{1b}[2Jb\r\nc\u{202e}d\u{200b}", 80), "a [2Jb cd");
        assert_eq!(line("abcdef", 4), "abc…");
        assert_eq!(lines("a\r\nb\u{7}\tc\u{e0041}"), "a\nb\tc");
    }
}
