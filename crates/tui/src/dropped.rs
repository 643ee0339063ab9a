//! A picture that is dropped on the terminal, or whose path is pasted: terminals hand a file over as its path, with quotes,
//! backslashes or as an address. What is pasted otherwise is text.

use agent_protocol::Mention;
use std::path::{Path, PathBuf};

/// How the names of pictures end.
const PICTURES: [&str; 5] = ["png", "jpg", "jpeg", "webp", "gif"];

/// How a message names the picture whose path `paste` is, and nothing else; `None`: it is something else.
pub(crate) fn picture(paste: &str, project: &Path) -> Option<String> {
    let path = path(paste.trim())?;
    let shown = path.strip_prefix(project).unwrap_or(&path);
    // What cannot be written as a name stays text.
    let shown = shown.to_str().filter(|shown| !shown.contains('"') && !shown.is_empty())?;
    Some(Mention::written(shown))
}

/// Is it, by its name, a picture?
pub(crate) fn is_picture(path: &Path) -> bool {
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    PICTURES.iter().any(|known| end.eq_ignore_ascii_case(known))
}

/// The path of one file from the root, if that is all it is.
fn path(text: &str) -> Option<PathBuf> {
    if text.contains(['\n', '\r', '\t', '\0']) {
        return None;
    }
    let plain = if let Some(address) = text.strip_prefix("file://") {
        decoded(address.strip_prefix("localhost").unwrap_or(address))?
    } else if let Some(quoted) = quoted(text) {
        quoted.to_owned()
    } else if text.contains(" /") {
        // Several files.
        return None;
    } else {
        unescaped(text)
    };
    let path = PathBuf::from(plain);
    (path.is_absolute() && is_picture(&path)).then_some(path)
}

/// What stands between quotes, where that is all.
fn quoted(text: &str) -> Option<&str> {
    ['\'', '"'].into_iter().find_map(|quote| {
        let inside = text.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inside.contains(quote)).then_some(inside)
    })
}

/// Without the backslashes by which a shell would read it.
fn unescaped(text: &str) -> String {
    let (mut plain, mut escaped) = (String::new(), false);
    for letter in text.chars() {
        if letter == '\\' && !escaped {
            escaped = true;
        } else {
            plain.push(letter);
            escaped = false;
        }
    }
    plain
}

/// An address without its percent signs; `None` where it is no text.
fn decoded(text: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, behind @ ..] = rest {
        let hex = |digit: u8| char::from(digit).to_digit(16);
        match (*first, behind) {
            (b'%', [high, low, behind @ ..]) => {
                bytes.push(u8::try_from(hex(*high)? * 16 + hex(*low)?).ok()?);
                rest = behind;
            }
            (byte, behind) => {
                bytes.push(byte);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains(char::is_control))
}

#[cfg(test)]
mod tests {
    use super::picture;
    use std::path::Path;

    #[test]
    fn a_path_to_a_picture_is_named_however_a_terminal_writes_it() {
        for (paste, named) in [
            ("/tmp/shot.png", "@/tmp/shot.png"),
            ("/tmp/shot.PNG \n", "@/tmp/shot.PNG"),
            ("'/tmp/my shot.jpg'", "@\"/tmp/my shot.jpg\""),
            ("\"/tmp/my shot.jpeg\"", "@\"/tmp/my shot.jpeg\""),
            ("/tmp/my\\ shot.webp", "@\"/tmp/my shot.webp\""),
            ("file:///tmp/my%20shot.gif", "@\"/tmp/my shot.gif\""),
            ("/p/docs/a.png", "@docs/a.png"),
        ] {
            assert_eq!(picture(paste, Path::new("/p")).as_deref(), Some(named), "{paste}");
        }
    }

    #[test]
    fn what_is_anything_else_stays_text() {
        for paste in [
            "shot.png",
            "/tmp/notes.txt",
            "see /tmp/shot.png",
            "/tmp/a.png /tmp/b.png",
            "/tmp/a.png\n/tmp/b.png",
            "https://example.org/a.png",
            "file:///tmp/%zz.png",
            "'/tmp/it\"s.png'",
            "",
        ] {
            assert_eq!(picture(paste, Path::new("/p")), None, "{paste}");
        }
    }
}
