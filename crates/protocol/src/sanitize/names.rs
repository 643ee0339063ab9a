//! What characters that draw nothing are called, so that a warning can name them.
//!
//! Names from Unicode 17 (`NameAliases` for controls); of those, only the ones that turn up.

/// The name of a character that is shown as a mark; `None` for one that nobody has heard of.
pub fn name(c: char) -> Option<&'static str> {
    match c {
        '\0'..='\u{9f}' => control(c),
        '\u{ad}' => Some("soft hyphen"),
        '\u{34f}' => Some("combining grapheme joiner"),
        '\u{61c}' => Some("Arabic letter mark"),
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => Some("Hangul filler"),
        '\u{180e}' => Some("Mongolian vowel separator"),
        '\u{200b}' => Some("zero width space"),
        '\u{200c}' => Some("zero width non-joiner"),
        '\u{200d}' => Some("zero width joiner"),
        '\u{200e}' => Some("left-to-right mark"),
        '\u{200f}' => Some("right-to-left mark"),
        '\u{2028}' => Some("line separator"),
        '\u{2029}' => Some("paragraph separator"),
        '\u{202a}' => Some("left-to-right embedding"),
        '\u{202b}' => Some("right-to-left embedding"),
        '\u{202c}' => Some("pop directional formatting"),
        '\u{202d}' => Some("left-to-right override"),
        '\u{202e}' => Some("right-to-left override"),
        '\u{2060}' => Some("word joiner"),
        '\u{2061}'..='\u{2064}' => Some("invisible operator"),
        '\u{2066}' => Some("left-to-right isolate"),
        '\u{2067}' => Some("right-to-left isolate"),
        '\u{2068}' => Some("first strong isolate"),
        '\u{2069}' => Some("pop directional isolate"),
        '\u{feff}' => Some("byte order mark"),
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => Some("variation selector"),
        '\u{e0000}'..='\u{e007f}' => Some("tag"),
        _ => None,
    }
}

fn control(c: char) -> Option<&'static str> {
    match c {
        '\0' => Some("null"),
        '\x07' => Some("bell"),
        '\x08' => Some("backspace"),
        '\x0b' => Some("vertical tab"),
        '\x0c' => Some("form feed"),
        '\r' => Some("carriage return"),
        '\x1b' => Some("escape"),
        '\x7f' => Some("delete"),
        '\u{85}' => Some("next line"),
        '\u{90}' => Some("device control string"),
        '\u{98}' => Some("start of string"),
        '\u{9b}' => Some("control sequence introducer"),
        '\u{9c}' => Some("string terminator"),
        '\u{9d}' => Some("operating system command"),
        '\u{9e}' => Some("privacy message"),
        '\u{9f}' => Some("application program command"),
        _ => None,
    }
}
