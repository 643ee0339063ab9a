//! Whether what went to a terminal is only what our own drawing uses.
//!
//! Reads the bytes by itself and knows nothing of how they were made.

/// Complains of the first byte in `sent` that has no business on a terminal of ours.
pub(crate) fn check(sent: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(sent).map_err(|error| format!("not UTF-8 at byte {}", error.valid_up_to()))?;
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let length = match next {
            '\u{1b}' => sequence(rest)?,
            '\r' | '\n' => 1,
            bad if is_forbidden(bad) => return Err(format!("U+{:04X} before {:?}", bad as u32, beginning(rest))),
            fine => fine.len_utf8(),
        };
        rest = &rest[length..];
    }
    if text.contains("panicked at") { Err("the program panicked".to_owned()) } else { Ok(()) }
}

/// Controls, and what is not seen or turns around what is.
fn is_forbidden(character: char) -> bool {
    let invisible = matches!(character as u32,
        0x61C | 0x200B | 0x200E..=0x200F | 0x2028..=0x202E | 0x2060..=0x2069 | 0xFEFF | 0xE0000..=0xE01EF);
    character.is_control() || invisible
}

/// What our title begins with, and what ends it.
const TITLE: &str = "\u{1b}]2;agent";
const TITLE_ENDS: &str = "\u{1b}\\";
/// The title is put aside, and comes back.
const ASIDE: [&str; 2] = ["\u{1b}[22;2t", "\u{1b}[23;2t"];

/// The length of the escape sequence at the start of `rest`, if it is one of ours.
fn sequence(rest: &str) -> Result<usize, String> {
    let complain = || format!("the sequence {:?}", beginning(rest));
    if let Some(words) = rest.strip_prefix(TITLE) {
        let end = words.find(|c: char| c.is_control()).filter(|end| words[*end..].starts_with(TITLE_ENDS));
        return end.map(|end| TITLE.len() + end + TITLE_ENDS.len()).ok_or_else(complain);
    }
    if let Some(title) = ASIDE.iter().find(|title| rest.starts_with(**title)) {
        return Ok(title.len());
    }
    let Some(body) = rest.strip_prefix("\u{1b}[") else { return Err(complain()) };
    let end = body.find(|c: char| matches!(c, '@'..='~')).ok_or_else(complain)?;
    let (parameters, command) = (&body[..end], body.as_bytes()[end]);
    let numbers = parameters.chars().all(|c| c.is_ascii_digit() || c == ';' || c == ':');
    let ours = match command {
        // Colours, places, and what is cleared.
        b'm' | b'H' | b'J' | b'K' | b'A' | b'B' | b'C' | b'D' | b'G' | b'X' => numbers,
        // What scrolls, and by how much.
        b'r' | b'S' | b'T' => numbers,
        b'h' | b'l' => parameters.strip_prefix('?').is_some_and(|modes| modes.split(';').all(is_our_mode)),
        // The keyboard's way of telling keys; the shape of the cursor.
        b'u' => parameters.starts_with(['>', '<', '?']),
        b'q' => parameters.ends_with(' '),
        // What the terminal is: asked once, at the start.
        b'c' => parameters.is_empty(),
        _ => false,
    };
    if ours { Ok(2 + end + 1) } else { Err(complain()) }
}

/// Cursor, alternate screen, mouse, focus, pastes, synchronised drawing, and wrapping at the edge.
fn is_our_mode(mode: &str) -> bool {
    ["7", "25", "1000", "1002", "1003", "1004", "1006", "1015", "1049", "2004", "2026"].contains(&mode)
}

/// Whether what `sent` switched on is switched off again, and the cursor shown.
pub(crate) fn check_restored(sent: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(sent);
    for mode in ["1049", "2004", "1000", "1002", "1003", "1004", "1006", "2026"] {
        let (on, off) = (text.rfind(&format!("\u{1b}[?{mode}h")), text.rfind(&format!("\u{1b}[?{mode}l")));
        if on > off {
            return Err(format!("mode {mode} was left on"));
        }
    }
    if text.rfind("\u{1b}[?25l") > text.rfind("\u{1b}[?25h") {
        return Err("the cursor was left hidden".to_owned());
    }
    Ok(())
}

fn beginning(rest: &str) -> String {
    rest.chars().take(24).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_found() {
        for evil in [
            "\u{1b}]0;x\u{7}",
            "\u{7}",
            "\u{9b}5n",
            "\u{202e}",
            "\u{1b}[5n",
            "\u{1b}c",
            "\u{1b}P",
            "\u{8}",
            "\u{e0041}",
            "\u{1b}[?47h",
            "\u{1b}[?1h",
            "\u{1b}[8;1;1t",
            "\u{1b}[21t",
            "\u{1b}]2;x\u{1b}\\",
            "\u{1b}]2;agent\u{7}",
            "\u{1b}[1;2",
            "\u{1b}[6n",
            "\u{200b}",
            "\u{2028}",
            "\u{feff}",
            "panicked at",
        ] {
            assert!(check(format!("fine {evil}").as_bytes()).is_err(), "{evil:?}");
        }
        assert!(check(b"\xff").is_err());
    }

    #[test]
    fn what_drawing_uses_is_not() {
        let drawn = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[38;5;1m\u{1b}[1;2Hé ›\u{1b}[0m\r\n\u{1b}[2J\u{1b}[>1u\u{1b}[?2004h";
        assert_eq!(check(drawn.as_bytes()), Ok(()));
        let title = "\u{1b}[22;2t\u{1b}]2;agent · p · ready\u{1b}\\fine\u{1b}[23;2t";
        assert_eq!(check(title.as_bytes()), Ok(()));
    }

    #[test]
    fn a_terminal_that_is_left_as_it_was_is_told_from_one_that_is_not() {
        assert!(check_restored(b"\x1b[?1049h\x1b[?25l\x1b[?25h\x1b[?1049l").is_ok());
        assert!(check_restored(b"\x1b[?1049h").is_err());
        assert!(check_restored(b"\x1b[?25l").is_err());
    }
}
