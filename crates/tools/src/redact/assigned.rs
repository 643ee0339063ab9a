//! What is assigned to a name that says it is secret, where it looks like chance and not like something that somebody
//! wrote: `password = "x7…"`, `"clientSecret": "…"`, `Authorization: Bearer …`.

use super::Span;
use super::chance::looks_random;
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
const HARMLESS: &str = "address contract hash digest checksum sha1 sha256 sha512 md5 fingerprint public type kind name file \
    path url uri endpoint count length size limit expir regex pattern field header label next page \
    cursor continuation cancel tokenizer _id";

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
    HARMLESS.split(' ').any(|word| name.contains(word)) || name.ends_with("tokens") || name.ends_with("id")
}

/// Code goes on where a value would end: a call, an index, a path.
fn continues(text: &str, end: usize) -> bool {
    // Behind a type comes the value that the name is given.
    text[end..].starts_with(['(', '[', '{', '<', ':', '$']) || text[end..].starts_with(" = ")
}
