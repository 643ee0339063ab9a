//! Keys and passwords in a text: by the shapes that are kept out of every result, by those of more services, and by how
//! much chance there is in what is assigned to a name that says it is secret.
//!
//! Never says more of one than its first characters and its length.

use crate::blocking::Stop;
use crate::redact::Secrets;
use agent_code::security::{
    Confidence, Finding, Severity, entropy, keys, stands_for_nothing, stands_in_tests, tests_begin,
};
use regex::bytes::Regex;
use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

/// The characters of a secret that are told, of one that is at least so long.
const TOLD: usize = 4;
const LONG: usize = 16;
/// Bits a character from which a value is more likely chance than words.
const CHANCE: f64 = 3.5;
/// Lines that are longer are cut out around what may be a secret.
const LONG_LINE: usize = 2_000;
const AROUND: usize = 400;
/// Findings in one file.
pub(super) const MOST: usize = 50;
/// What may hold a place begins at most so many findings before it.
const NEAR: usize = 8;

/// What all secrets have: a long word, the heading of a key, an address with a password. Finds far too much, quickly.
static HINT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?-u)[A-Za-z0-9+/=_.~!@#%^*-]{16,}|://[^\s/@'"<>`]*:[^\s/@'"<>`]+@|-----BEGIN [A-Z0-9 ]*PRIVATE KEY|(?i:password|pwd)="#)
        .expect("it is tested")
});

/// A name with its type: `TOKEN: &str = "…"`, `token string = "…"`.
static TYPED: LazyLock<regex::Regex> = LazyLock::new(|| {
    regex::Regex::new(
        r#"(?<name>[A-Za-z0-9_]+)\s*:?\s*&?(?:'static\s+)?(?:str|String|string)\s*=\s*["'](?<key>[^\s"']{16,512})["']"#,
    )
    .expect("it is tested")
});

/// A password in plain words, as it is assigned: `password = "…"`, `"db_password": "…"`.
static PLAIN: LazyLock<regex::Regex> = LazyLock::new(|| {
    regex::Regex::new(
        r#"(?i)\b[a-z0-9_.-]*(?:password|passwd|passphrase)["']?\s*(?::=|=|:)\s*["'](?<key>[^\s"'`]{8,64})["']"#,
    )
    .expect("it is tested")
});

/// What came of one text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) findings: Vec<Finding>,
    /// There are more than are told of one file.
    pub(super) cut: bool,
}

/// Findings with their places in the text.
#[derive(Default)]
struct Kept {
    places: Vec<(Range<usize>, Finding)>,
    cut: bool,
}

impl Kept {
    /// Keeps it, unless the same was found here before or there are too many: then no more are wanted.
    fn keep(&mut self, range: Range<usize>, finding: Finding, apart: fn(&Finding, &Finding) -> bool) -> bool {
        let touches = |known: &Range<usize>| known.start < range.end && range.start < known.end;
        if self.places.iter().any(|(known, other)| touches(known) && !apart(other, &finding)) {
            return true;
        }
        self.cut = self.places.len() >= MOST;
        if !self.cut {
            self.places.push((range, finding));
        }
        !self.cut
    }
}

/// The secrets in `text`, which is at `path` relative to the project; `None` where nobody waited for all of it to be read.
pub(super) fn findings(path: &Path, text: &str, stop: &Stop) -> Option<Told> {
    let mut kept = Kept::default();
    shaped(text, &mut kept, stop)?;
    plain(text, &mut kept, stop)?;
    kept.places.sort_by_key(|(range, finding)| (finding.line, range.start));
    let mut findings: Vec<Finding> = kept.places.into_iter().map(|(_, finding)| finding).collect();
    let made_up = if stands_in_tests(path) { Some(0) } else { rust_tests(path, text) };
    for finding in findings.iter_mut().filter(|finding| made_up.is_some_and(|from| finding.line >= from)) {
        finding.confidence = Confidence::Maybe;
    }
    Some(Told { findings, cut: kept.cut })
}

/// What has the shape of a secret, or is assigned to the name of one.
fn shaped(text: &str, kept: &mut Kept, stop: &Stop) -> Option<()> {
    let secrets = Secrets::default();
    let (mut line, mut counted) = (1, 0);
    for part in parts(text, stop)? {
        stop.check().ok()?;
        let inside = &text[part.clone()];
        for (range, what) in all_in(&secrets, inside) {
            let (start, end) = (part.start + range.start, part.start + range.end);
            line += text.as_bytes()[counted..start].iter().filter(|byte| **byte == b'\n').count();
            counted = start;
            let Some(mut found) = finding(&inside[range.clone()], what, line) else { continue };
            if what == "password" && is_made_up(&inside[range.end..]) {
                found.confidence = Confidence::Maybe;
            }
            if !kept.keep(start..end, found, |one, other| one.rule != other.rule) {
                return Some(());
            }
        }
    }
    Some(())
}

/// Where there is what in a part of a text, in order.
fn all_in(secrets: &Secrets, inside: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut found: Vec<(Range<usize>, &str)> =
        secrets.spans(inside).into_iter().map(|span| (span.range, span.what)).collect();
    found.extend(keys(inside).into_iter().map(|key| (key.range, key.what)));
    found.sort_by_key(|(range, _)| range.start);
    let known = |at: usize| {
        let before = found.partition_point(|(range, _)| range.start <= at);
        found[..before].iter().rev().take(NEAR).any(|(range, _)| range.contains(&at))
    };
    let typed: Vec<_> =
        typed(secrets, inside).filter(|range| !known(range.start)).map(|range| (range, "secret")).collect();
    found.extend(typed);
    found.sort_by_key(|(range, _)| range.start);
    found
}

/// Passwords in plain words: short ones too, of which nobody can be sure.
fn plain(text: &str, kept: &mut Kept, stop: &Stop) -> Option<()> {
    let (mut line, mut counted) = (1, 0);
    for found in PLAIN.captures_iter(text) {
        stop.check().ok()?;
        let Some(key) = found.name("key") else { continue };
        line += text[counted..key.start()].matches('\n').count();
        counted = key.start();
        let Some(found) = finding(key.as_str(), "password", line).filter(|_| !is_looked_up(key.as_str())) else {
            continue;
        };
        // What has a name of its own needs no second one.
        if !kept.keep(key.range(), Finding { confidence: Confidence::Maybe, ..found }, |_, _| false) {
            return Some(());
        }
    }
    Some(())
}

/// Is it the name of a field or of a variable, or is something put in its place?
fn is_looked_up(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let says_so = ["password", "passwd", "passphrase", "secret", "env"].iter().any(|word| lower.contains(word));
    says_so || value.contains(['$', '{', '<', '%', '(']) || value.contains("://")
}

/// What is assigned to a name with its type, where it would be a secret without one.
fn typed(secrets: &Secrets, text: &str) -> impl Iterator<Item = Range<usize>> {
    let found = TYPED.captures_iter(text).filter_map(|found| Some((found.name("name")?, found.name("key")?)));
    let found =
        found.filter(|(name, key)| !secrets.spans(&format!("{} = \"{}\"", name.as_str(), key.as_str())).is_empty());
    found.map(|(_, key)| key.range())
}

/// The line from which on there are only tests, in Rust.
fn rust_tests(path: &Path, text: &str) -> Option<usize> {
    tests_begin(text).filter(|_| path.extension().is_some_and(|kind| kind == "rs"))
}

/// Does an address lead nowhere real, by what follows its password?
fn is_made_up(after: &str) -> bool {
    const NOWHERE: [&str; 8] = ["localhost", "127.", "0.0.0.0", "[::1]", "host", "server", "hostname", "domain"];
    let host = after.trim_start_matches('@');
    let host = &host[..host.find(|c: char| !c.is_ascii_alphanumeric() && !".-[:]".contains(c)).unwrap_or(host.len())];
    NOWHERE.iter().any(|name| host.starts_with(name)) || host.contains("example")
}

/// The parts of `text` in which there may be a secret, in order, none touching another; `None` where nobody waits for them.
fn parts(text: &str, stop: &Stop) -> Option<Vec<Range<usize>>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for hint in HINT.find_iter(text.as_bytes()).filter(|hint| is_worth_a_look(hint.as_bytes())) {
        stop.check().ok()?;
        let part = around(text, hint.range());
        match parts.last_mut() {
            Some(last) if part.start <= last.end => last.end = last.end.max(part.end),
            _ => parts.push(part),
        }
    }
    Some(parts)
}

/// Words have no digits, and paths and names few kinds of letters.
fn is_worth_a_look(hint: &[u8]) -> bool {
    let marked = hint.starts_with(b"://") || hint.starts_with(b"-----") || hint.len() < 16;
    let capitals = hint.iter().filter(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()).count();
    marked || hint.iter().any(u8::is_ascii_digit) || capitals >= 16
}

/// The line of `hint` and the one before, which may hold the name; all of a private key. Looks no further than it cuts: a
/// line that is full of hints would be read once for each of them.
fn around(text: &str, hint: Range<usize>) -> Range<usize> {
    const KEY: usize = 16 * 1024;
    let bytes = text.as_bytes();
    let before = &bytes[hint.start.saturating_sub(LONG_LINE)..hint.start];
    let first = hint.start - before.len();
    let line_start = |bytes: &[u8]| bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let own = line_start(before);
    let start = first + line_start(&before[..own.saturating_sub(1)]);
    let after = &bytes[hint.end..bytes.len().min(hint.end + LONG_LINE + 1)];
    let end = match after.iter().position(|byte| *byte == b'\n') {
        _ if bytes[hint.clone()].starts_with(b"-----") => hint.end + KEY,
        Some(length) => hint.end + length,
        None if after.len() > LONG_LINE => hint.end + AROUND,
        None => bytes.len(),
    };
    text.floor_char_boundary(start)..text.ceil_char_boundary(end.min(bytes.len()))
}

/// What is told of `secret`; nothing where it only stands for one.
fn finding(secret: &str, what: &str, line: usize) -> Option<Finding> {
    let (rule, severity, confidence) = match what {
        "private key" => ("secret-private-key", Severity::Critical, Confidence::Sure),
        "secret" if stands_for_nothing(secret) => return None,
        "secret" if entropy(secret) >= CHANCE => ("secret-assigned", Severity::High, Confidence::Likely),
        "secret" => ("secret-assigned", Severity::High, Confidence::Maybe),
        "password" if stands_for_nothing(secret) => return None,
        "password" => ("secret-password", Severity::High, Confidence::Likely),
        "web token" => ("secret-token", Severity::High, Confidence::Likely),
        _ if stands_for_nothing(secret) => ("secret-key", Severity::Critical, Confidence::Maybe),
        _ => ("secret-key", Severity::Critical, Confidence::Sure),
    };
    let fix = "replace it where it was issued, then read it from the environment";
    let why = "whoever gets the file can use it";
    Some(Finding { rule, severity, confidence, line, what: format!("{what} {}", told(secret, what)), why, fix })
}

/// `AKIA… (20 characters)`.
fn told(secret: &str, what: &str) -> String {
    let length = secret.chars().count();
    let begins = length >= LONG && !matches!(what, "private key" | "password");
    let start: String = if begins { secret.chars().take(TOLD).chain(['…', ' ']).collect() } else { String::new() };
    format!("{start}({length} characters)")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(length: usize) -> String {
        "q7Rk2ZxW9mTb4VnL8sHd3YcJ6pGf1XaKq5Ue0".chars().cycle().take(length).collect()
    }

    fn found(path: &str, text: &str) -> Vec<(usize, &'static str, Confidence)> {
        let findings = all(path, text).findings.into_iter();
        findings.map(|finding| (finding.line, finding.rule, finding.confidence)).collect()
    }

    fn all(path: &str, text: &str) -> Told {
        findings(Path::new(path), text, &Stop::default()).unwrap()
    }

    /// Put together, so that nobody's scanner takes this file for a leak.
    #[test]
    fn secrets_are_found_with_their_lines() {
        use Confidence::{Likely, Sure};
        let key = format!("AKIA{}", "Q7RKZXWMTBVNL2SH");
        let text = format!("a\nb = \"{key}\"\n\nc\npassword: {}\n", chance(20));
        assert_eq!(found("src/a.yml", &text), [(2, "secret-key", Sure), (5, "secret-assigned", Likely)]);
        let text = format!("x\nurl = post{}://app:{}@db/x\n", "gres", "Zx9kQw72");
        assert_eq!(found("src/a.py", &text), [(2, "secret-password", Likely)]);
        let block = format!("\n-----BEGIN {0} KEY-----\n{1}\n{1}\n-----END {0} KEY-----\n", "PRIVATE", chance(64));
        assert_eq!(found("src/a.txt", &block), [(2, "secret-private-key", Sure)]);
        let text = format!("hook = \"{}{}\"\n", "dop_v1_", "9f3c1ab27d40e58b".repeat(4));
        assert_eq!(found("src/a.js", &text), [(1, "secret-key", Sure)]);
        let typed = format!("const API_TOKEN: &str = \"{0}\";\nvar apiKey string = \"{0}\"\n", chance(24));
        assert_eq!(found("src/a.rs", &typed), [(1, "secret-assigned", Likely), (2, "secret-assigned", Likely)]);
        let long = format!("{}token = \"{}\"{}", "x ".repeat(4_000), chance(32), " y".repeat(4_000));
        assert_eq!(found("src/a.json", &long), [(1, "secret-assigned", Likely)]);
    }

    #[test]
    fn a_password_in_plain_words_is_told_and_what_stands_for_one_is_not() {
        let value = format!("{}{}", "correct", "horse");
        for text in [
            format!("x = 1\npassword = \"{value}\"\n"),
            format!("a:\n  \"db_password\": '{value}',\n"),
            format!("var x\nadminPassword := \"{value}\""),
        ] {
            assert_eq!(found("src/a.py", &text), [(2, "secret-password", Confidence::Maybe)], "{text}");
            assert!(all("a.py", &text).findings.iter().all(|finding| !finding.what.contains("correct")));
        }
        for text in [
            "password = \"short\"",
            "password = \"${DB_PASS}\"",
            "password = os.environ[\"DB_LOGIN_WORD\"]",
            "password = \"user_password\"",
            "password: \"<your-own>\"",
            "password = \"changeme\"",
            "password = \"********\"",
            "password = \"Enter it here, please\"",
            "password = read_line(\"anything\")",
        ] {
            assert_eq!(found("src/a.py", text), [], "{text}");
        }
    }

    #[test]
    fn each_secret_of_a_line_is_told() {
        use Confidence::{Maybe, Sure};
        let key = |end: &str| format!("AKIA{end}");
        let text = format!("a = \"{}\"; b = \"{}\"\n", key("Q7RKZXWMTBVNL2SH"), key("B4VNL6SHD3YC5PGF"));
        assert_eq!(found("src/a.yml", &text), [(1, "secret-key", Sure), (1, "secret-key", Sure)]);
        let text = format!("a = \"{}\"; password = \"{}{}\"\n", key("Q7RKZXWMTBVNL2SH"), "correct", "horse");
        assert_eq!(found("src/a.yml", &text), [(1, "secret-key", Sure), (1, "secret-password", Maybe)]);
    }

    #[test]
    fn more_than_are_told_are_not_left_out_without_a_word() {
        let keys = |many: usize| -> String {
            let end = |n: usize| [n / 36, n / 6 % 6, n % 6].map(|digit| char::from(b'2' + digit as u8));
            let key = |n: usize| format!("k = \"AKIA{}{}\"\n", "Q7RKZXWMTBVNA", end(n).iter().collect::<String>());
            (0..many).map(key).collect()
        };
        let told = all("src/a.yml", &keys(MOST));
        assert_eq!((told.findings.len(), told.cut), (MOST, false));
        let told = all("src/a.yml", &keys(MOST + 1).replace('\n', " "));
        assert_eq!((told.findings.len(), told.cut), (MOST, true));
    }

    /// Each hint was once looked around for up to both ends of the line, which took half a minute.
    #[test]
    fn a_long_line_full_of_hints_is_read_once() {
        let text = "aaaaaaaaaaaaaaa1 ".repeat(61_000);
        let all = 0..text.len();
        assert_eq!(parts(&text, &Stop::default()), Some(vec![all]));
        assert_eq!(found("src/a.json", &text), []);
    }

    #[test]
    fn a_file_is_left_when_nobody_waits_for_it() {
        let stop = Stop::default();
        stop.ask();
        assert_eq!(findings(Path::new("a"), &format!("token = \"{}\"", chance(32)), &stop), None);
    }

    #[test]
    fn what_stands_around_a_hint_is_its_line_and_the_one_before() {
        let hint = |text: &str, at: usize| around(text, at..at + 16);
        let line = "y".repeat(16);
        assert_eq!(hint(&format!("one\ntwo\n{line} end\nmore"), 8), 4..28);
        assert_eq!(hint(&line, 0), 0..16);
        assert_eq!(hint(&format!("\n{line}"), 1), 0..17);
        let long = "x".repeat(3 * LONG_LINE);
        assert_eq!(hint(&format!("{long}{line}{long}"), long.len()), 4_000..6_000 + 16 + AROUND);
    }

    #[test]
    fn tests_and_examples_are_less_sure() {
        let text = format!("url = post{}://app:{}@db.example.com/x\n", "gres", "Zx9kQw72");
        assert_eq!(found("src/a.py", &text), [(1, "secret-password", Confidence::Maybe)]);
        let text = format!("#[cfg(test)]\nmod tests {{ const TOKEN: &str = \"{}\"; }}\n", chance(32));
        assert_eq!(found("src/a.rs", &text), [(2, "secret-assigned", Confidence::Maybe)]);
        let text = format!("token = \"{}\"\n", chance(32));
        assert_eq!(found("tests/a.py", &text), [(1, "secret-assigned", Confidence::Maybe)]);
    }

    #[test]
    fn what_only_looks_like_a_secret_is_none() {
        for text in [
            "password = \"changeme-changeme-1\"",
            "API_KEY=your-api-key-goes-here-1234",
            "token = os.environ[\"SERVICE_TOKEN_2\"]",
            "password: ${DB_PASSWORD_2024_PRODUCTION}",
            "secret: {{ vault_secret_value_2 }}",
            "const passwordMinimumLength2 = computePasswordLength2(16);",
            "sha256 = \"9f3c1ab27d40e58b6c9f3c1ab27d40e58b6c9f3c1ab27d40e58b6c9f3c1ab27d\"",
            "commit 9f3c1ab27d40e58b6c9f3c1ab27d40e58b6c9f3c",
            "id: 9f3c1ab2-7d40-e58b-6c9f-3c1ab27d40e5",
            "token_id = \"9f3c1ab2-7d40-e58b-6c9f-3c1ab27d40e5\"",
            "\"integrity\": \"sha512-q7Rk2ZxW9mTb4VnL8sHd3YcJ6pGf1XaKq5Ue0q7Rk2ZxW9mTb4VnL8sHd==\"",
            "<img src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4\">",
            "AKIAIOSFODNN7EXAMPLE",
            "postgres://postgres:postgres@localhost/x",
            "postgres://user:password@localhost/x",
            "https://example.com:8080/a@b",
            "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
            "max_tokens: 1200000000000000000",
            "tokenizer = \"cl100k_base_v2_2023\"",
            "const PASSWORD_HINT: &str = \"the-name-of-your-first-pet-2\";",
            "const TOKEN_HEADER: &str = \"X-Very-Long-Header-2\";",
            "import { useAuthTokenRefresh2 } from \"./useAuthTokenRefresh2\";",
            "key = \"a1a1a1a1a1a1a1a1a1a1a1\"",
            "password_hash: $2b$12$q7Rk2ZxW9mTb4VnL8sHd3YcJ6pGf1XaKq5Ue0",
            "public_key = \"q7Rk2ZxW9mTb4VnL8sHd3YcJ6pGf1XaKq5Ue0\"",
            "csrf_token_header = \"X-CSRF-Token-2-Header\"",
        ] {
            assert_eq!(found("src/a.txt", text), [], "{text}");
        }
    }

    #[test]
    fn no_more_is_told_than_the_beginning_and_the_length() {
        let key = format!("AKIA{}", "Q7RKZXWMTBVNL2SH");
        let told_of: Vec<String> = all("a", &format!("x = {key}")).findings.into_iter().map(|it| it.what).collect();
        assert_eq!(told_of, ["AWS access key AKIA… (20 characters)"]);
        assert_eq!(
            Secrets::default().outcome(crate::words::done(told_of[0].clone(), String::new(), String::new())).told,
            told_of[0]
        );
        assert_eq!(told("hunter22", "password"), "(8 characters)");
    }
}
