//! Tags with so many attributes that they are not to be read: the parser compares each attribute with all before it.
//!
//! Knows no more of HTML than where a tag may begin and how its attributes are told apart. Whether a tag does begin there
//! depends on all that stands before it, and is for the parser to say.
//!
//! **Invariant.** No tag of more than [`MOST`] attributes is left out, whatever the parser takes the text around it for.

/// Attributes of one tag; pages made by people have dozens.
const MOST: usize = 1_000;
/// Ends of raw text between one `>` and the next, each of which is looked at by itself.
const ENDS: usize = 100;
/// What holds text that is no HTML until it is closed.
const RAW: [&[u8]; 8] = [b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes"];

/// Where something begins that, if it is a tag, has too many attributes. `None`: there is no end of such places.
///
/// Whatever the parser is within (a tag, a comment, raw text), it leaves at a `>`. So between one `>` and the next a tag
/// begins at the first place that looks like it or nowhere, but for the end of raw text, which may come later.
pub(super) fn suspects(html: &str) -> Option<Vec<usize>> {
    let bytes = html.as_bytes();
    let mut suspects = Vec::new();
    let (mut is_first, mut ends) = (true, 0);
    for (place, byte) in bytes.iter().enumerate() {
        if *byte == b'>' {
            (is_first, ends) = (true, 0);
        } else if *byte == b'<' && begins(&bytes[place..]) {
            let ends_raw = closes_raw(&bytes[place..]);
            ends += usize::from(ends_raw);
            if ends > ENDS {
                return None;
            }
            if (is_first || ends_raw) && has_too_many(&bytes[place..]) {
                suspects.push(place);
            }
            is_first = false;
        }
    }
    Some(suspects)
}

/// The beginning of a tag, up to where its attributes stand.
pub(super) fn name(tag: &str) -> &str {
    let after = tag.len().min(2);
    let end = tag.as_bytes()[after..].iter().position(|byte| is_blank(*byte) || matches!(byte, b'/' | b'>'));
    end.map_or(tag, |end| &tag[..after + end])
}

fn begins(bytes: &[u8]) -> bool {
    match bytes {
        [b'<', b'/', letter, ..] | [b'<', letter, ..] => letter.is_ascii_alphabetic(),
        _ => false,
    }
}

fn closes_raw(bytes: &[u8]) -> bool {
    let Some(name) = bytes.strip_prefix(b"</") else { return false };
    RAW.iter().any(|raw| name.get(..raw.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(raw)))
}

/// What stands within a tag, behind its name.
enum Within {
    Between,
    Name,
    /// A name and blanks, or a value may follow.
    Named,
    /// A `=`, or blanks after it.
    Equals,
    Bare,
    Quoted(u8),
}

fn has_too_many(tag: &[u8]) -> bool {
    let name =
        2 + tag[2..].iter().position(|byte| is_blank(*byte) || matches!(byte, b'/' | b'>')).unwrap_or(tag.len() - 2);
    let (mut within, mut count) = (Within::Between, 0);
    for byte in tag[name..].iter().copied() {
        within = match (within, byte) {
            (Within::Quoted(quote), byte) if byte == quote => Within::Between,
            (Within::Quoted(quote), _) => Within::Quoted(quote),
            (_, b'>') => return false,
            (Within::Equals, b'"' | b'\'') => Within::Quoted(byte),
            (Within::Equals, byte) if is_blank(byte) => Within::Equals,
            (Within::Equals, _) => Within::Bare,
            (Within::Bare, byte) if !is_blank(byte) => Within::Bare,
            (Within::Bare, _) => Within::Between,
            (Within::Name | Within::Named, b'=') => Within::Equals,
            (Within::Name | Within::Named, byte) if is_blank(byte) => Within::Named,
            (Within::Between | Within::Name | Within::Named, b'/') => Within::Between,
            (Within::Between, byte) if is_blank(byte) => Within::Between,
            (Within::Name, _) => Within::Name,
            (Within::Between | Within::Named, _) => {
                count += 1;
                if count > MOST {
                    return true;
                }
                Within::Name
            }
        };
    }
    false
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_told_apart_as_in_html() {
        let many = |one: &str| suspects(&format!("x<p{}>", one.repeat(1_001))).unwrap();
        for one in [" a", " a=b", " a = 'b>'", "/a", " a=\"<\"", "\n'", "\ta=''"] {
            assert_eq!(many(one), [1], "{one}");
        }
        for one in ["a", "=a", " ", "/"] {
            assert_eq!(many(one), [] as [usize; 0], "{one}");
        }
        assert_eq!(suspects(&format!("<p a='{}'>", " a".repeat(2_000))), Some(Vec::new()));
        assert_eq!(suspects(&format!("<p a=b{}", " a".repeat(999))), Some(Vec::new()));
    }

    #[test]
    fn each_place_is_looked_at_where_a_tag_may_begin() {
        let many = " a".repeat(1_001);
        assert_eq!(suspects(&format!("<i <b{many}>")), Some(vec![0]));
        assert_eq!(suspects(&format!("1 <2 </b{many}>")), Some(vec![5]));
        assert_eq!(suspects(&format!("<b>x</b><script>a<b</script{many}>")), Some(vec![17, 19]));
        assert_eq!(suspects(&"</script ".repeat(101)), None);
    }

    #[test]
    fn a_name_ends_where_attributes_begin() {
        assert_eq!(name("<p a>"), "<p");
        assert_eq!(name("</p/a>"), "</p");
        assert_eq!(name("<p"), "<p");
    }
}
