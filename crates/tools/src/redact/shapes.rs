//! Keys that are known by their shape.

mod discord;
mod prefixed;

use super::Span;
use aho_corasick::AhoCorasick;
use prefixed::TABLE;
use regex::Regex;
use std::sync::LazyLock;

/// A kind of key: what it is, and how it looks. The group `key` is what is hidden.
struct Shape {
    what: &'static str,
    /// One of these is in it: where none is in a text, nothing else is looked for.
    holds: &'static [&'static str],
    looks: LazyLock<Regex>,
}

/// Where a key may begin: not in the middle of a word, but behind the colour that a program gave it.
macro_rules! shape {
    ($what:literal, $holds:expr, $looks:literal) => {
        Shape {
            what: $what,
            holds: &$holds,
            looks: LazyLock::new(|| {
                Regex::new(concat!(r"(?:^|[^A-Za-z0-9_]|\x1b\[[0-9;]*m|\\[nrt])(?<key>", $looks, ")"))
                    .expect("the shapes are tested")
            }),
        }
    };
}

static SHAPES: [Shape; 27] = [
    shape!("AWS access key", ["AKIA", "ASIA", "ABIA", "ACCA"], r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    shape!("GitHub token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    shape!("GitHub token", ["github_pat_"], r"github_pat_[A-Za-z0-9_]{40,255}"),
    shape!(
        "GitLab token",
        ["glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glsoat-", "glft-", "gloas-", "glagent-"],
        r"gl(?:pat|ptt|dt|rt|cbt|soat|ft|oas|agent)-[A-Za-z0-9_-]{20,}"
    ),
    shape!("Slack token", ["xox"], r"xox[abeoprs]-[0-9][A-Za-z0-9-]{10,}"),
    shape!("Slack token", ["xapp-"], r"xapp-[0-9]-[A-Za-z0-9-]{20,}"),
    shape!(
        "Slack webhook",
        ["https://hooks"],
        r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}"
    ),
    shape!("Google key", ["AIza"], r"AIza[A-Za-z0-9_-]{35}"),
    shape!("Google token", ["ya29."], r"ya29\.[A-Za-z0-9_-]{30,}"),
    shape!("Google secret", ["GOCSPX-"], r"GOCSPX-[A-Za-z0-9_-]{28}"),
    shape!("Stripe key", ["k_live_", "k_test_"], r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    shape!("Stripe secret", ["whsec_"], r"whsec_[A-Za-z0-9+/]{24,}={0,2}"),
    shape!("API key", ["sk-"], r"sk-(?:[a-z]+[0-9]*-)*[A-Za-z0-9_]{20,}[A-Za-z0-9_-]*"),
    shape!("access token", ["hf_"], r"hf_[A-Za-z0-9]{30,}"),
    shape!("npm token", ["npm_"], r"npm_[A-Za-z0-9]{36}\b"),
    shape!("package token", ["pypi-AgE"], r"pypi-AgE[A-Za-z0-9_-]{50,}"),
    shape!("package token", ["cio"], r"cio[A-Za-z0-9]{32}\b"),
    shape!("SendGrid key", ["SG."], r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    shape!("web token", ["eyJ"], r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    shape!("age key", ["AGE-SECRET-KEY-1"], r"AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    shape!("GitLab token", ["glpat-", "glrt-t"], r"gl(?:pat|rt)-[A-Za-z0-9_-]{27,300}\.[0-9a-z]{9}\b"),
    shape!("Azure secret", ["Q~"], r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}\b"),
    shape!("mail key", ["-us"], r"[0-9a-f]{32}-us[0-9]{1,2}\b"),
    shape!("license key", ["_mmk"], r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b"),
    shape!("Terraform token", [".atlasv1."], r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}"),
    shape!("Telegram token", [":AA"], r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    shape!(
        "webhook",
        ["/api/webhooks/", "/webhookb2/"],
        r"https://(?:(?:[a-z]+\.)?discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,}|[a-z0-9-]+\.webhook\.office\.com/webhookb2/[0-9a-f@-]{73}/IncomingWebhook/[0-9a-f]{32}/[0-9a-f-]{36})"
    ),
];

/// What every shape begins with or holds, of the expressions first. One look at a text tells which can be in it.
static HOLDS: LazyLock<(AhoCorasick, Vec<usize>)> = LazyLock::new(|| {
    let parts = SHAPES.iter().map(|shape| shape.holds).chain(TABLE.iter().map(|key| key.begins)).enumerate();
    let (owners, parts): (Vec<usize>, Vec<&str>) =
        parts.flat_map(|(owner, parts)| parts.iter().map(move |part| (owner, *part))).unzip();
    (AhoCorasick::new(parts).expect("the shapes are tested"), owners)
});

/// Shorter passwords are found in examples only.
const SHORTEST: usize = 4;

/// `scheme://user:password@host`.
static IN_ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"[A-Za-z][A-Za-z0-9+.-]{1,20}://(?<user>[^\s/:@'"<>`]*):(?<key>[^\s/@'"<>`]+)@[^\s/@'"<>`]"#)
        .expect("the shapes are tested")
});

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let (parts, owners) = &*HOLDS;
    let mut held = [false; SHAPES.len()];
    // Behind this a kind of key may begin again.
    let mut from = vec![0; TABLE.len()];
    for part in parts.find_overlapping_iter(text) {
        let owner = owners[part.pattern().as_usize()];
        let Some(kind) = owner.checked_sub(SHAPES.len()) else {
            held[owner] = true;
            continue;
        };
        if part.start() < from[kind] {
            continue;
        }
        if let Some(end) = TABLE[kind].end(text, part.start(), part.end()) {
            from[kind] = end;
            let (range, what) = (part.start()..end, TABLE[kind].what);
            spans.extend(is_no_filler(&text[range.clone()]).then_some(Span { range, what }));
        }
    }
    discord::find(text, spans);
    for (shape, _) in SHAPES.iter().zip(held).filter(|(_, held)| *held) {
        let found = shape.looks.captures_iter(text).filter_map(|found| found.name("key"));
        let found = found.filter(|key| is_real(shape.what, key.as_str()));
        spans.extend(found.map(|key| Span { range: key.range(), what: shape.what }));
    }
    if !text.contains("://") || !text.contains('@') {
        return;
    }
    for found in IN_ADDRESS.captures_iter(text) {
        if let (Some(user), Some(key)) = (found.name("user"), found.name("key"))
            && is_password(user.as_str(), key.as_str())
        {
            spans.push(Span { range: key.range(), what: "password" });
        }
    }
}

/// Documentation shows the shape without a key in it.
fn is_real(what: &str, key: &str) -> bool {
    let has = |kind: fn(&char) -> bool| key.chars().any(|c| kind(&c));
    let random = || has(char::is_ascii_digit) && has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase);
    is_no_filler(key) && (what != "API key" || random())
}

fn is_no_filler(key: &str) -> bool {
    !["EXAMPLE", "XXXXXXXX", "xxxxxxxx", "00000000"].iter().any(|filler| key.contains(filler))
}

/// May a key begin behind `before`: not in the middle of a word, but behind the colour or the line that a program began?
fn may_begin(before: &[u8]) -> bool {
    let Some(last) = before.last() else { return true };
    if !last.is_ascii_alphanumeric() && *last != b'_' {
        return true;
    }
    match before {
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [colour @ .., b'm'] => {
            let codes = colour.iter().rev().take(16).take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
            colour[..colour.len() - codes].ends_with(b"\x1b[")
        }
        _ => false,
    }
}

/// Placeholders, and the usual `postgres:postgres@` of a machine of one's own, are no secrets.
fn is_password(user: &str, key: &str) -> bool {
    const PLACEHOLDERS: [&str; 9] =
        ["password", "pass", "passwd", "pwd", "secret", "token", "user", "hunter2", "example"];
    let lower = key.to_ascii_lowercase();
    let variable = key.contains(['$', '{', '}', '%', '*', '[', '(']) && !key.contains("%4") && !key.contains("%2");
    let dots = key.chars().all(|c| c == '.' || c == 'x' || c == '…');
    // A port and a path with an `@` further on look the same.
    let port = key.chars().all(|c| c.is_ascii_digit()) && key.len() <= 5;
    !(key.len() < SHORTEST || variable || dots || port || user == key || PLACEHOLDERS.contains(&lower.as_str()))
}
