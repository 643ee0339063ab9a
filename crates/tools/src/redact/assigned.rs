//! What is assigned to a name that says it is secret, where it looks like chance and not like something that somebody
//! wrote: `password = "x7…"`, `"clientSecret": "…"`, `Authorization: Bearer …`.

use super::Span;
use regex::Regex;
use std::sync::LazyLock;

/// What is in every name that says it is secret.
static TELLING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        "(?i-u)secret|token|passw(?:or)?d|passphrase|(?:api|access|auth|private|signing|encryption)[_-]?key|credential",
    )
    .expect("it is tested")
});

/// From the beginning of such a name.
static ASSIGNED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"^(?i)(?<name>[a-z0-9_.$-]*(?:secret|token|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|credential)[a-z0-9_-]*)["'`]?\]?\s{0,4}(?::=|=>|==?|:)\s{0,4}[bru]?["'`]?(?<key>[a-z0-9+/=_.~!@#%^*-]{16,512})"#,
    )
    .expect("it is tested")
});

/// Bytes in which a name and what is assigned to it are looked for.
const WITHIN: usize = 4_096;

static BEARER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)\b(?:bearer|basic|authorization:\s*token)\s{1,2}(?<key>[a-z0-9._~+/-]{16,}=*)"#)
        .expect("it is tested")
});

/// Names that speak of a secret and hold none.
const HARMLESS: [&str; 36] = [
    "address",
    "contract",
    "hash",
    "digest",
    "checksum",
    "sha1",
    "sha256",
    "sha512",
    "md5",
    "fingerprint",
    "public",
    "type",
    "kind",
    "name",
    "file",
    "path",
    "url",
    "uri",
    "endpoint",
    "count",
    "length",
    "size",
    "limit",
    "expir",
    "regex",
    "pattern",
    "field",
    "header",
    "label",
    "next",
    "page",
    "cursor",
    "continuation",
    "cancel",
    "tokenizer",
    "_id",
];

/// Values that only stand for one.
const PLACEHOLDERS: [&str; 9] =
    ["example", "placeholder", "changeme", "change-me", "change_me", "xxxx", "your", "dummy", "redacted"];

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut from = 0;
    for told in TELLING.find_iter(text) {
        if told.start() < from {
            continue;
        }
        let start = name_of(text, from, told.start());
        let near = text.floor_char_boundary(told.start() + WITHIN);
        let Some(found) = ASSIGNED.captures(&text[start..near]) else {
            from = told.end();
            continue;
        };
        from = start + found.get_match().end();
        if let (Some(name), Some(key)) = (found.name("name"), found.name("key"))
            && !is_harmless(name.as_str())
            && !continues(text, start + key.end())
            && looks_random(key.as_str())
        {
            spans.push(Span { range: start + key.start()..start + key.end(), what: "secret" });
        }
    }
    let bearers = BEARER.captures_iter(text).filter_map(|found| found.name("key"));
    let bearers = bearers.filter(|key| looks_random(key.as_str()));
    spans.extend(bearers.map(|key| Span { range: key.range(), what: "secret" }));
}

/// Where the name begins that byte `at` is in, not before `from`.
fn name_of(text: &str, from: usize, at: usize) -> usize {
    let named = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.$-".contains(byte);
    at - text.as_bytes()[from..at].iter().rev().take(WITHIN).take_while(|byte| named(byte)).count()
}

fn is_harmless(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    HARMLESS.iter().any(|word| name.contains(word)) || name.ends_with("tokens") || name.ends_with("id")
}

/// Code goes on where a value would end: a call, an index, a path.
fn continues(text: &str, end: usize) -> bool {
    // Behind a type comes the value that the name is given.
    text[end..].starts_with(['(', '[', '{', '<', ':', '$']) || text[end..].starts_with(" = ")
}

/// Does it look like chance? Words, dotted names, versions, dates and UUIDs do not.
pub(super) fn looks_random(value: &str) -> bool {
    let core = value.trim_end_matches('=');
    let lower = core.to_ascii_lowercase();
    let digits = core.bytes().filter(u8::is_ascii_digit).count();
    let letters = core.bytes().filter(u8::is_ascii_alphabetic).count();
    core.len() >= 16
        && digits >= 1
        && letters >= 3
        && !PLACEHOLDERS.iter().any(|word| lower.contains(word))
        && !is_uuid(core)
        && !is_account(core)
        && different(core) >= 8
        && switches(core) * 5 >= core.len()
}

/// The public address of an account in a chain of blocks: its key is half as long again.
fn is_account(text: &str) -> bool {
    text.strip_prefix("0x").is_some_and(|hex| hex.len() == 40 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn is_uuid(text: &str) -> bool {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

fn different(text: &str) -> usize {
    let mut bytes = text.as_bytes().to_vec();
    bytes.sort_unstable();
    bytes.dedup();
    bytes.len()
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Class {
    Lower,
    Upper,
    Digit,
    Other,
}

fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' => Class::Lower,
        b'A'..=b'Z' => Class::Upper,
        b'0'..=b'9' => Class::Digit,
        _ => Class::Other,
    }
}

/// How often small letters, capitals and digits take turns. A word with a capital in front counts as one run, and marks
/// between words as no turn.
fn switches(text: &str) -> usize {
    let classes: Vec<Class> = text.bytes().map(class).collect();
    let turn = |index: usize| {
        let (one, other) = (classes[index], classes[index + 1]);
        let word_begins =
            one == Class::Upper && other == Class::Lower && (index == 0 || classes[index - 1] != Class::Upper);
        one != other && one != Class::Other && other != Class::Other && !word_begins
    };
    (0..classes.len().saturating_sub(1)).filter(|index| turn(*index)).count()
}
