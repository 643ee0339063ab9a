//! Words of a command on one line, quoted so that each can be told from the next, and read back.
//!
//! Knows single quotes, double quotes and backslashes, and no more of the shell: what is written here is never run.

/// `words` on one line.
pub(crate) fn join(words: &[String]) -> String {
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

/// One word, in quotes where it could be taken for another, for several or for none. A pattern stays bare: that it may
/// match many names is the more careful reading of it.
pub(crate) fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:=@%+,-*?[]".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The words on a line; `None` where a quote or a backslash is left open.
pub(crate) fn split(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' => word.get_or_insert_default().push_str(&quoted(&mut chars)?),
            '"' => double_quoted(&mut chars, word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().push(chars.next()?),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}

fn quoted(chars: &mut std::str::Chars<'_>) -> Option<String> {
    let rest = chars.as_str();
    let end = rest.find('\'')?;
    *chars = rest[end + 1..].chars();
    Some(rest[..end].to_owned())
}

fn double_quoted(chars: &mut std::str::Chars<'_>, word: &mut String) -> Option<()> {
    loop {
        match chars.next()? {
            '"' => return Some(()),
            '\\' => match chars.next()? {
                c @ ('"' | '\\' | '$' | '`') => word.push(c),
                c => word.extend(['\\', c]),
            },
            c => word.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_word_can_be_told_from_the_next() {
        let words = ["ls", "--color=auto", "my dir", "", "it's", "a\"b", "$HOME", "#x", "*.rs"].map(String::from);
        assert_eq!(join(&words), r#"ls --color=auto 'my dir' '' 'it'\''s' 'a"b' '$HOME' '#x' *.rs"#);
    }

    #[test]
    fn what_a_person_writes_is_read_as_the_shell_would() {
        let split = |line| split(line).map(|words| words.join("|"));
        assert_eq!(split(r#" cargo  test "my test" it\'s x'y'"z" "#).as_deref(), Some("cargo|test|my test|it's|xyz"));
        assert_eq!((split("'open"), split("\"open"), split("open\\")), (None, None, None));
        assert_eq!(split("").as_deref(), Some(""));
    }

    proptest! {
        #[test]
        fn words_read_back_as_themselves(words in prop::collection::vec("[ -~\n\té漢\u{202e}]{0,8}", 0..6)) {
            prop_assert_eq!(split(&join(&words)), Some(words));
        }
    }
}
