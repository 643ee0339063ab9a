//! Keys and passwords in a text: what is kept out of every result, and what is assigned to a name that says it is secret;
//! how sure that is says how much chance there is in it.
//!
//! Never says more of one than its first characters and its length.

use crate::blocking::Stop;
use crate::redact::{Secrets, entropy, stands_for_nothing};
use agent_syntax::security::{Confidence, Finding, Severity, stands_in_tests, tests_begin};
use regex::Regex;
use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

/// The characters of a secret that are told, of one that is at least so long.
const TOLD: usize = 4;
const LONG: usize = 16;
/// Bits a character from which a value is more likely chance than words.
const CHANCE: f64 = 3.5;
pub(super) const MOST: usize = 50;

/// A name with its type: `TOKEN: &str = "…"`, `token string = "…"`.
static TYPED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?<name>[A-Za-z0-9_]+)\s*:?\s*&?(?:'static\s+)?(?:str|String|string)\s*=\s*["'](?<key>[^\s"']{16,512})["']"#,
    )
    .expect("it is tested")
});

/// A password among the settings of a connection: `Server=db;Password=…;`.
static SETTING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)(?:^|[^a-z0-9_])(?:password|pwd)=(?<key>[^;"'\s{}$<>%*]{6,});"#).expect("it is tested")
});
/// It counts only beside where the database is.
static CONNECTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:server|data source|host|user id|uid|initial catalog)\s*=").expect("it is tested")
});

/// A password in plain words, as it is assigned: `password = "…"`, `"db_password": "…"`.
static PLAIN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)\b[a-z0-9_.-]*(?:password|passwd|passphrase)["']?\s*(?::=|=|:)\s*["'](?<key>[^\s"'`]{8,64})["']"#)
        .expect("it is tested")
});

/// What came of one text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SecretFindings {
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
    /// Keeps what is found at `range`, unless something was that `counts` as the same, or there are too many.
    fn keep(&mut self, range: Range<usize>, finding: Finding, counts: impl Fn(&Finding) -> bool) {
        let touches = |known: &Range<usize>| known.start < range.end && range.start < known.end;
        if self.places.iter().any(|(known, other)| touches(known) && counts(other)) {
            return;
        }
        self.cut = self.places.len() >= MOST;
        if !self.cut {
            self.places.push((range, finding));
        }
    }
}

/// The secrets in `text`, which is at `path` relative to the project; `None` where nobody waited for all of it to be read.
pub(super) fn findings(path: &Path, text: &str, stop: &Stop) -> Option<SecretFindings> {
    let mut kept = Kept::default();
    for look in [shaped, typed, settings, plain] {
        stop.check().ok()?;
        look(text, &mut kept);
    }
    kept.places.sort_by_key(|(range, _)| range.start);
    let mut findings: Vec<Finding> = kept.places.into_iter().map(|(_, finding)| finding).collect();
    let made_up = if stands_in_tests(path) { Some(0) } else { rust_tests(path, text) };
    for finding in findings.iter_mut().filter(|finding| made_up.is_some_and(|from| finding.line >= from)) {
        finding.confidence = Confidence::Maybe;
    }
    Some(SecretFindings { findings, cut: kept.cut })
}

/// What is kept out of every result.
fn shaped(text: &str, kept: &mut Kept) {
    for span in Secrets::default().spans(text) {
        let Some(mut found) = finding(text, &span.range, span.what) else { continue };
        if span.what == "password" && is_made_up(&text[span.range.end..]) {
            found.confidence = Confidence::Maybe;
        }
        let rule = found.rule;
        kept.keep(span.range, found, |other| other.rule == rule);
        if kept.cut {
            return;
        }
    }
}

/// What is assigned to a name with its type, where it would be a secret without one.
fn typed(text: &str, kept: &mut Kept) {
    let secrets = Secrets::default();
    let is_secret = |name: &str, key: &str| !secrets.spans(&format!("{name} = \"{key}\"")).is_empty();
    for found in TYPED.captures_iter(text) {
        let (Some(name), Some(key)) = (found.name("name"), found.name("key")) else { continue };
        if is_secret(name.as_str(), key.as_str()) {
            keep_new(text, key.range(), "secret", kept);
        }
    }
}

fn settings(text: &str, kept: &mut Kept) {
    for key in SETTING.captures_iter(text).filter_map(|found| found.name("key")) {
        let (before, after) = (&text[..key.start()], &text[key.end()..]);
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let end = key.end() + after.find('\n').unwrap_or(after.len());
        if CONNECTION.is_match(&text[start..end]) {
            keep_new(text, key.range(), "password", kept);
        }
    }
}

/// Passwords in plain words: short ones too, of which nobody can be sure.
fn plain(text: &str, kept: &mut Kept) {
    for key in PLAIN.captures_iter(text).filter_map(|found| found.name("key")) {
        let found = finding(text, &key.range(), "password").filter(|_| !is_looked_up(key.as_str()));
        if let Some(found) = found {
            kept.keep(key.range(), Finding { confidence: Confidence::Maybe, ..found }, |_| true);
        }
    }
}

/// Keeps `what` at `range` where nothing else is known there: what has a name of its own needs no second one.
fn keep_new(text: &str, range: Range<usize>, what: &str, kept: &mut Kept) {
    if let Some(found) = finding(text, &range, what) {
        kept.keep(range, found, |_| true);
    }
}

/// Is it the name of a field or of a variable, or is something put in its place?
fn is_looked_up(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let says_so = ["password", "passwd", "passphrase", "secret", "env"].iter().any(|word| lower.contains(word));
    says_so || value.contains(['$', '{', '<', '%', '(']) || value.contains("://")
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

/// What is told of the secret at `range`; nothing where it only stands for one.
fn finding(text: &str, range: &Range<usize>, what: &str) -> Option<Finding> {
    let secret = &text[range.clone()];
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
    let line = text[..range.start].matches('\n').count() + 1;
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

    fn all(path: &str, text: &str) -> SecretFindings {
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
        let setting = format!("Server=db;User Id=app;Pass{}=q7Rk2ZxW9;\n", "word");
        assert_eq!(found("src/a.config", &setting), [(1, "secret-password", Likely)]);
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

    #[test]
    fn a_file_is_left_when_nobody_waits_for_it() {
        let stop = Stop::default();
        stop.ask();
        assert_eq!(findings(Path::new("a"), &format!("token = \"{}\"", chance(32)), &stop), None);
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
            "key-0123456789abcdef0123456789abcdef",
            "sha256-9f3c1ab27d40e58b6c9f3c1ab27d40e58b6c9f3c1ab27d40e58b6c9f3c1ab27d",
            "Server=db;User Id=app;Password=${DB_PASSWORD};",
            "Password=whatever; is how it begins",
            "monkey-business",
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
