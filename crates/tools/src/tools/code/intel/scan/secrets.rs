//! Keys and passwords in a text: by the shapes that are kept out of every result, by those of more services, and by how
//! much chance there is in what is assigned to a name that says it is secret.
//!
//! Never says more of one than its first characters and its length.

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
const MOST: usize = 50;

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

/// The secrets in `text`, which is at `path` relative to the project.
pub(super) fn findings(path: &Path, text: &str) -> Vec<Finding> {
    let secrets = Secrets::default();
    let mut findings = Vec::new();
    let (mut line, mut counted) = (1, 0);
    for part in parts(text) {
        let inside = &text[part.clone()];
        let mut found: Vec<(Range<usize>, &str)> =
            secrets.spans(inside).into_iter().map(|span| (span.range, span.what)).collect();
        found.extend(keys(inside).into_iter().map(|key| (key.range, key.what)));
        found.extend(
            typed(&secrets, inside)
                .filter(|range| !found.iter().any(|(known, _)| known.contains(&range.start)))
                .map(|range| (range, "secret"))
                .collect::<Vec<_>>(),
        );
        found.sort_by_key(|(range, _)| range.start);
        for (range, what) in found {
            let at = part.start + range.start;
            line += text.as_bytes()[counted..at].iter().filter(|byte| **byte == b'\n').count();
            counted = at;
            let mut found = finding(&inside[range.clone()], what, line);
            if let Some(found) = found.as_mut().filter(|_| what == "password" && is_made_up(&inside[range.end..])) {
                found.confidence = Confidence::Maybe;
            }
            findings.extend(found);
        }
        if findings.len() >= MOST {
            break;
        }
    }
    let known: Vec<usize> = findings.iter().map(|finding| finding.line).collect();
    findings.extend(plain(text).filter(|finding| !known.contains(&finding.line)).take(MOST));
    findings.sort_by_key(|finding| finding.line);
    findings.dedup_by_key(|finding| (finding.line, finding.rule));
    let made_up = if stands_in_tests(path) { Some(0) } else { rust_tests(path, text) };
    for finding in findings.iter_mut().filter(|finding| made_up.is_some_and(|from| finding.line >= from)) {
        finding.confidence = Confidence::Maybe;
    }
    findings
}

/// Passwords in plain words: short ones too, of which nobody can be sure.
fn plain(text: &str) -> impl Iterator<Item = Finding> {
    let (mut line, mut counted) = (1, 0);
    PLAIN.captures_iter(text).filter_map(move |found| {
        let key = found.name("key")?;
        line += text[counted..key.start()].matches('\n').count();
        counted = key.start();
        let finding = finding(key.as_str(), "password", line).filter(|_| !is_looked_up(key.as_str()))?;
        Some(Finding { confidence: Confidence::Maybe, ..finding })
    })
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

/// The parts of `text` in which there may be a secret, in order, none touching another.
fn parts(text: &str) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for hint in HINT.find_iter(text.as_bytes()).filter(|hint| is_worth_a_look(hint.as_bytes())) {
        let part = around(text, hint.range());
        match parts.last_mut() {
            Some(last) if part.start <= last.end => last.end = last.end.max(part.end),
            _ => parts.push(part),
        }
    }
    parts
}

/// Words have no digits, and paths and names few kinds of letters.
fn is_worth_a_look(hint: &[u8]) -> bool {
    let marked = hint.starts_with(b"://") || hint.starts_with(b"-----") || hint.len() < 16;
    let capitals = hint.iter().filter(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()).count();
    marked || hint.iter().any(u8::is_ascii_digit) || capitals >= 16
}

/// The line of `hint` and the one before, which may hold the name; all of a private key.
fn around(text: &str, hint: Range<usize>) -> Range<usize> {
    const KEY: usize = 16 * 1024;
    let bytes = text.as_bytes();
    let line_start = |at: usize| bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let start = line_start(hint.start);
    let start = line_start(start.saturating_sub(1)).max(hint.start.saturating_sub(LONG_LINE));
    let after = if bytes[hint.clone()].starts_with(b"-----") { KEY } else { AROUND };
    let end = bytes[hint.end..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| hint.end + length);
    let end = match after {
        KEY => hint.end + KEY,
        _ if end - hint.end > LONG_LINE => hint.end + AROUND,
        _ => end,
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
        let findings = findings(Path::new(path), text).into_iter();
        findings.map(|finding| (finding.line, finding.rule, finding.confidence)).collect()
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
            assert!(findings(Path::new("a.py"), &text).iter().all(|finding| !finding.what.contains("correct")));
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
        let told_of: Vec<String> =
            findings(Path::new("a"), &format!("x = {key}")).into_iter().map(|it| it.what).collect();
        assert_eq!(told_of, ["AWS access key AKIA… (20 characters)"]);
        assert_eq!(
            Secrets::default().outcome(crate::words::done(told_of[0].clone(), String::new(), String::new())).told,
            told_of[0]
        );
        assert_eq!(told("hunter22", "password"), "(8 characters)");
    }
}
