//! What starts itself, or others, again and again until the machine stands still.
//!
//! Looks for the shape and not for a name. Where a condition may end it, it is left to the user.

use super::known::{name, unversioned};
use super::programs;
use super::script::{Item, ShellStart};

/// Functions and loops that are looked at.
const MOST: usize = 64;

/// What ends or slows a function or loop, as far as words tell.
const CONDITIONS: &[&str] =
    &["if", "[", "[[", "test", "case", "return", "exit", "break", "until", "wait", "sleep", "read"];

/// Beginnings of loops that never end.
const ENDLESS: &[&str] =
    &["while true", "while :", "while 1", "while [ 1 ]", "while ((1))", "until false", "for ((;;))"];

/// Programs that run code in which `fork` stands for itself.
const LANGUAGES: &[&str] = &["perl", "ruby", "php", "python", "pypy"];

/// Loops of other languages that do nothing but start copies, blanks left out.
const FORKS: &[&str] = &[
    "forkwhilefork",
    "forkwhile1",
    "forkwhiletrue",
    "fork()while",
    "forkuntil0",
    "while(1){fork",
    "while(true){fork",
    "while1{fork",
    "for(;;){fork",
    "loop{fork",
    "loopdofork",
    "whiletruedofork",
    "while1dofork",
];

/// Does `command` hold such a thing?
pub(super) fn is_bomb(command: &str) -> bool {
    forks(command)
        || functions(command).any(|(name, body)| starts_twice(&name, body))
        || loops(command).any(starts_in_the_background)
}

/// Is there code of another language that does nothing but start copies of itself? In other words it is only a text.
fn forks(command: &str) -> bool {
    programs::pieces(command, ShellStart::default()).iter().any(|piece| match piece {
        Item::Part(part) => {
            let runs = part.words.first().is_some_and(|program| LANGUAGES.contains(&unversioned(name(program))));
            let texts = part.words.iter().map(|word| word.text.as_str()).chain([part.document.as_str()]);
            let tight: String = texts.flat_map(str::chars).filter(|character| !character.is_whitespace()).collect();
            runs && (FORKS.iter().any(|fork| tight.contains(fork)) || forks_in_a_loop(&tight))
        }
        Item::Open | Item::Close => false,
    })
}

/// Does Python start copies in a loop that nothing ends or slows?
fn forks_in_a_loop(tight: &str) -> bool {
    let ends = ["wait", "_exit", "sys.exit", "break", "sleep"];
    tight.contains("while") && tight.contains("os.fork()") && !ends.iter().any(|end| tight.contains(end))
}

/// The functions that a script makes: name and body, which may reach too far.
fn functions(script: &str) -> impl Iterator<Item = (String, &str)> {
    let with_brackets = script.match_indices('(').filter_map(|(at, _)| {
        let after = script[at + 1..].trim_start().strip_prefix(')')?.trim_start();
        let (open, close) = if after.starts_with('{') { ('{', '}') } else { ('(', ')') };
        let body = after.strip_prefix(open)?;
        Some((last_word(&script[..at]), upto(body, open, close)))
    });
    let by_word = script.match_indices("function ").filter_map(|(at, word)| {
        let (name, after) = script[at + word.len()..].split_once('{')?;
        let name = name.trim().trim_end_matches(['(', ')']).trim();
        (!name.contains(char::is_whitespace)).then(|| (name.to_owned(), upto(after, '{', '}')))
    });
    with_brackets.chain(by_word).filter(|(name, _)| !name.is_empty()).take(MOST)
}

/// The last word before a function's brackets.
fn last_word(text: &str) -> String {
    let ends = |character: char| character.is_whitespace() || ";&|{}()'\"`".contains(character);
    text.trim_end().rsplit(ends).next().unwrap_or_default().to_owned()
}

/// `text` up to the bracket that closes it.
fn upto(text: &str, open: char, close: char) -> &str {
    let mut deep = 1usize;
    for (at, character) in text.char_indices() {
        if character == open {
            deep += 1;
        } else if character == close {
            deep -= 1;
            if deep == 0 {
                return &text[..at];
            }
        }
    }
    text
}

/// Does a function start itself twice, and at once?
fn starts_twice(name: &str, body: &str) -> bool {
    let parts = parts(body);
    let itself = |part: &&BodyPart<'_>| [name, "$0", "$FUNCNAME", "${FUNCNAME}"].contains(&part.program());
    let (copies, at_once) = (parts.iter().filter(itself).count(), parts.iter().filter(itself).any(BodyPart::runs_on));
    // Whatever stands before: copy beside copy, and nobody waits for them.
    let beside = parts.windows(2).any(|pair| pair.iter().filter(itself).count() == 2 && pair[0].runs_on());
    let in_the_background = parts.iter().any(|part| part.end == End::Background);
    beside && in_the_background || copies >= 2 && at_once && !may_end(body, &parts)
}

/// The bodies of loops that never end.
fn loops(script: &str) -> impl Iterator<Item = &str> {
    let begins = ENDLESS.iter().flat_map(|begin| script.match_indices(begin).map(|(at, _)| at + begin.len()));
    begins.take(MOST).filter_map(|at| {
        let after = script[at..].trim_start_matches([';', ' ', '\t', '\n']);
        let body = after.strip_prefix("do").filter(|body| body.starts_with(char::is_whitespace))?;
        Some(body.split("done").next().unwrap_or(body))
    })
}

fn starts_in_the_background(body: &str) -> bool {
    let parts = parts(body);
    parts.iter().any(|part| part.end == End::Background) && !may_end(body, &parts)
}

/// Is there a word that ends or slows it?
fn may_end(body: &str, parts: &[BodyPart<'_>]) -> bool {
    let conditional = body.contains("&&") || body.contains("||");
    conditional || parts.iter().any(|part| CONDITIONS.contains(&part.program()))
}

/// One program of a body, with what stands behind it.
struct BodyPart<'a> {
    text: &'a str,
    end: End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Background,
    Pipe,
    Other,
}

impl<'a> BodyPart<'a> {
    fn program(&self) -> &'a str {
        let before = ["then", "else", "do", "{", "!", "nohup", "setsid", "exec", "sh", "bash", "source", "."];
        self.text.split_whitespace().find(|word| !before.contains(word)).unwrap_or_default()
    }

    /// It goes on beside what comes next.
    fn runs_on(&self) -> bool {
        match self.end {
            End::Background | End::Pipe => true,
            End::Other => false,
        }
    }
}

fn parts(body: &str) -> Vec<BodyPart<'_>> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, separator) in body.match_indices([';', '&', '|', '\n', '(', ')', '{', '}']) {
        // `>&2` and `&>file` are no ends.
        if separator == "&" && (body[..at].ends_with('>') || body[at + 1..].starts_with('>')) {
            continue;
        }
        let end = match separator {
            "&" => End::Background,
            "|" => End::Pipe,
            _ => End::Other,
        };
        let text = body[from..at].trim();
        from = at + 1;
        match parts.last_mut() {
            // What stands behind a group stands behind its last program.
            Some(BodyPart { end: last, .. }) if text.is_empty() && *last == End::Other => *last = end,
            _ if text.is_empty() => {}
            _ => parts.push(BodyPart { text, end }),
        }
    }
    let text = body[from..].trim();
    if !text.is_empty() {
        parts.push(BodyPart { text, end: End::Other });
    }
    parts
}
