//! `sed` with a script that only prints: `p`, `d`, `q`, `=`, what moves text between its two spaces, blocks of these, and `s`
//! without its flags that write or run.

use super::Uses;
use super::options::ParsedArgs;
use std::iter::Peekable;
use std::str::Chars;

/// Which files a script is run over.
pub(super) fn uses(given: &ParsedArgs<'_>) -> Result<Uses, String> {
    let mut scripts: Vec<&str> = given.values(&["-e", "--expression"]).collect();
    let inline = scripts.is_empty();
    if inline {
        if given.operands.is_empty() {
            return Err("`sed` lacks its script".into());
        }
        scripts.push(given.text(0));
    }
    let mut holds = String::new();
    for script in scripts {
        check(script, &mut holds).map_err(|why| format!("the `sed` script `{script}` {why}"))?;
    }
    // The lines in reverse: what is kept grows by the line that is read, and is shown once.
    let reversed = holds == "Gh" && given.words.iter().any(|word| word.text.ends_with("$!d"));
    if grows(&holds) && !reversed {
        return Err("the `sed` script may fill the memory with what it keeps".into());
    }
    given.files(usize::from(inline))
}

/// Commands that keep text, in their order, with `&` for a substitution that doubles some: could text grow with every
/// line by as much as there is?
fn grows(holds: &str) -> bool {
    let count = |kind: char| holds.matches(kind).count();
    let keeps = holds.contains(['h', 'H', 'G', 'x']);
    // What is kept only grows by the line that is read: gathered once, before it is taken back.
    let gathers = match (count('H'), count('G')) {
        (0, 0) => true,
        (0, _) => !holds.contains(['h', 'x']),
        (1, 0) => {
            let before = holds.split('H').next().unwrap_or_default();
            !(before.contains('g') || holds.contains('x') && holds.contains(['g', 'h']))
        }
        _ => false,
    };
    !gathers || count('&') > if keeps { 0 } else { 4 }
}

/// One script, whole.
fn check(script: &str, holds: &mut String) -> Result<(), String> {
    let mut chars = script.chars().peekable();
    let mut blocks = 0_usize;
    loop {
        while chars.next_if(|c| matches!(c, ' ' | '\t' | '\n' | ';')).is_some() {}
        match chars.peek().copied() {
            None if blocks == 0 => return Ok(()),
            None => return Err("has a block without an end".into()),
            Some('}') => {
                chars.next();
                blocks = blocks.checked_sub(1).ok_or("closes a block that is not open")?;
            }
            Some(_) if command(&mut chars, holds)? == Done::Block => {
                blocks += 1;
                continue;
            }
            Some(_) => {}
        }
        while chars.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
        match chars.peek() {
            None | Some(';' | '\n') => {}
            Some('}') if blocks > 0 => {}
            Some(c) => return Err(format!("goes on with `{c}` after a command")),
        }
    }
}

#[derive(PartialEq, Eq)]
enum Done {
    Command,
    /// The beginning of a block.
    Block,
}

fn command(chars: &mut Peekable<Chars<'_>>, holds: &mut String) -> Result<Done, String> {
    if address(chars)? && chars.next_if_eq(&',').is_some() {
        let _relative = chars.next_if(|c| matches!(c, '+' | '~'));
        if !address(chars)? {
            return Err("has an address that is not plain".into());
        }
    }
    while chars.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
    let _negated = chars.next_if_eq(&'!');
    match chars.next() {
        Some('{') => Ok(Done::Block),
        Some('p' | 'd' | '=' | 'n' | 'N' | 'P' | 'l') => Ok(Done::Command),
        Some(hold @ ('h' | 'H' | 'g' | 'G' | 'x')) => {
            holds.push(hold);
            Ok(Done::Command)
        }
        Some('q') => {
            number(chars);
            Ok(Done::Command)
        }
        Some('s') => {
            if substitution(chars)? > 1 {
                holds.push('&');
            }
            Ok(Done::Command)
        }
        Some('y') => exchange(chars).map(|()| Done::Command),
        Some('w' | 'W') => Err("writes a file".into()),
        Some('e') => Err("runs another program".into()),
        Some('r' | 'R') => Err("reads a further file".into()),
        Some(c) => Err(format!("uses `{c}`, which is not among its commands that are known to only read")),
        None => Err("ends too early".into()),
    }
}

/// A number, `$`, `1~2`, `/…/` or `\|…|`; is there one?
fn address(chars: &mut Peekable<Chars<'_>>) -> Result<bool, String> {
    match chars.peek() {
        Some('$') => {
            chars.next();
        }
        Some(c) if c.is_ascii_digit() => {
            number(chars);
            if chars.next_if_eq(&'~').is_some() {
                number(chars);
            }
        }
        Some('/') => {
            chars.next();
            delimited(chars, '/')?;
            let _folded = chars.next_if_eq(&'I');
        }
        Some('\\') => {
            chars.next();
            let delimiter = chars.next().filter(|c| DELIMITERS.contains(*c));
            delimited(chars, delimiter.ok_or("has an address that is not plain")?)?;
            let _folded = chars.next_if_eq(&'I');
        }
        Some(_) | None => return Ok(false),
    }
    Ok(true)
}

fn number(chars: &mut Peekable<Chars<'_>>) {
    while chars.next_if(char::is_ascii_digit).is_some() {}
}

/// Characters that may part an expression from what is put in its place.
const DELIMITERS: &str = "/|#,:!@%_~+=";

/// A substitution; how often what is found is put in its place.
fn substitution(chars: &mut Peekable<Chars<'_>>) -> Result<usize, String> {
    let delimiter = chars.next().filter(|c| DELIMITERS.contains(*c));
    let delimiter = delimiter.ok_or("parts a substitution with an unusual character")?;
    delimited(chars, delimiter)?;
    let found = replacement(chars, delimiter)?;
    while let Some(flag) = chars.next_if(|c| c.is_alphanumeric()) {
        match flag {
            'g' | 'p' | 'i' | 'I' => {}
            _ if flag.is_ascii_digit() => {}
            'w' => return Err("writes a file".into()),
            'e' => return Err("runs another program".into()),
            _ => return Err(format!("uses the flag `{flag}`")),
        }
    }
    Ok(found)
}

/// An expression up to its delimiter. Where one stands in brackets, the versions of `sed` do not agree that it ends there.
fn delimited(chars: &mut Peekable<Chars<'_>>, delimiter: char) -> Result<(), String> {
    while let Some(c) = chars.next() {
        match c {
            _ if c == delimiter => return Ok(()),
            '\n' => return Err("has a new line in an expression".into()),
            '\\' if matches!(chars.next(), None | Some('\n')) => return Err("has a new line in an expression".into()),
            '[' => brackets(chars, delimiter)?,
            _ => {}
        }
    }
    Err("has no end of its expression".into())
}

/// What stands between brackets; one that closes is a letter where it comes first.
fn brackets(chars: &mut Peekable<Chars<'_>>, delimiter: char) -> Result<(), String> {
    let _negated = chars.next_if_eq(&'^');
    let _literal = chars.next_if_eq(&']');
    while let Some(c) = chars.next() {
        match c {
            _ if c == delimiter => return Err("has its delimiter between brackets".into()),
            '\n' => return Err("has a new line in an expression".into()),
            ']' => return Ok(()),
            // Whether a backslash guards what follows it between brackets is another thing they do not agree on.
            '\\' if matches!(chars.next(), None | Some('\n' | '[' | ']')) => {
                return Err("has a backslash between brackets".into());
            }
            '[' if delimiter == ':' || !class(chars) => return Err("has a bracket between brackets".into()),
            _ => {}
        }
    }
    Err("has no end of its brackets".into())
}

/// The rest of `[:name:]`.
fn class(chars: &mut Peekable<Chars<'_>>) -> bool {
    let begins = chars.next_if_eq(&':').is_some();
    while chars.next_if(char::is_ascii_lowercase).is_some() {}
    begins && chars.next_if_eq(&':').is_some() && chars.next_if_eq(&']').is_some()
}

/// `y/abc/xyz/`, without anything that is guarded.
fn exchange(chars: &mut Peekable<Chars<'_>>) -> Result<(), String> {
    let delimiter = chars.next().filter(|c| DELIMITERS.contains(*c));
    let delimiter = delimiter.ok_or("parts its letters with an unusual character")?;
    for _ in 0..2 {
        while let Some(c) = chars.next_if(|c| *c != delimiter) {
            if matches!(c, '\\' | '\n') {
                return Err("has a guarded letter in a `y`".into());
            }
        }
        chars.next().ok_or("has no end of its letters")?;
    }
    Ok(())
}

fn replacement(chars: &mut Peekable<Chars<'_>>, delimiter: char) -> Result<usize, String> {
    let mut found = 0;
    while let Some(c) = chars.next() {
        match c {
            _ if c == delimiter => return Ok(found),
            '\n' => return Err("has a new line in a replacement".into()),
            '&' => found += 1,
            '\\' => match chars.next() {
                None | Some('\n') => return Err("has a new line in a replacement".into()),
                Some(c) => found += usize::from(c.is_ascii_digit()),
            },
            _ => {}
        }
    }
    Err("has no end of its replacement".into())
}

#[cfg(test)]
mod tests {
    use super::grows;

    fn check(script: &str) -> Result<(), String> {
        let mut holds = String::new();
        super::check(script, &mut holds)?;
        if grows(&holds) { Err("grows".into()) } else { Ok(()) }
    }

    #[test]
    fn scripts_that_print_are_proved() {
        let fine = "p|1,20p|5p|$p|$=|/a/p|/a/,/b/p|1~2p|1,+3p|/x/Id|1!d|10q|10q5|1p;2p|s/a/b/|s/a/b/gI|s/a/b/2p|s,/usr,/opt,g\
                    |s/[0-9]*/x/|s/a\\/b/c/|/a/ p|1,3 d; p|s/[^\"]*/&/|/a/{p;q}|/a/{p;q;}|2{p}|/a/{n;p;}|1{h;d};x|/a/,/b/{/b/!{p;d};=}|G|H;$!d;x;s/\\n/,/g|1h;1!H;${g;p}\
                    |s/[[:space:]]*$//|s/[]x]/y/|s/[^]x]/y/|y/abc/xyz/|l";
        for script in fine.split('|') {
            assert_eq!(check(script), Ok(()), "{script}");
        }
    }

    #[test]
    fn scripts_that_do_more_are_not() {
        let wrong = "w out|1w out|s/a/b/w out|s/a/b/gw out|s/a/b/e|{w x}|{p;w x}|{p|p}|{p}}|{p}w x|{}w x|1e ls|e|r /etc/passwd|R x|W x|s/[/]/w x/|s/a/b|y/a/b|y/\\/w x/|a text\
                     |i\\|c x|p w out|s/a/b/;w out|s/a\\\n/b/|sxaxbx|s\na\nb\n|#n|p}|1,p|s/[\\]/]/w x/|n;e|F|z|1,2,3p|b;w x|:a|t|D|G;h|H;H|g;H|x;G|x;s/.*/&&/;x|s/[[:digit:]/x]*/g;/e;s/p;/x/p|s/[]/]x/w y/|s/[[.a.]]/x/|s/[[=a=]]/x/|s/[a[]/x/|s:[[:space:]]:x:";
        for script in wrong.split('|') {
            assert!(check(script).is_err(), "{script}");
        }
    }
}
