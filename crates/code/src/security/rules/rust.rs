//! Rust.

use crate::security::Severity::{High, Low, Medium};
use crate::security::rule::{Rule, rule};

pub(in crate::security) const RULES: &[Rule] = &[
    rule(
        "rust-unsafe",
        Low,
        r"\bunsafe\s*\{|\bunsafe\s+impl\b",
        "unsafe block: the compiler does not check it",
        "check it by hand and say in a SAFETY comment why it holds",
    )
    .sure(),
    rule(
        "rust-transmute",
        Low,
        r"\btransmute(?:_copy)?\s*(?:::\s*<|\()",
        "transmute reads bytes as another type without any check",
        "use a cast, from_ne_bytes or bytemuck",
    )
    .sure(),
    rule(
        "rust-shell",
        High,
        r#"\bCommand::new\s*\(\s*"(?:/bin/|/usr/bin/)?(?:sh|bash|zsh|dash|cmd|powershell)(?:\.exe)?"\s*\)"#,
        "a built string is run by a shell: whoever writes part of it runs commands",
        "start the program itself and give each argument apart",
    )
    .with(r#"(?s)"(?:-\w*c|/[cC]|-[cC]ommand)".*\bformat!\s*\("#),
    rule(
        "rust-unchecked",
        Low,
        r"\b(?:from_utf8_unchecked|get_unchecked(?:_mut)?|unwrap_unchecked|unreachable_unchecked)\s*\(",
        "unchecked: wrong input is undefined behaviour",
        "use the checked call unless it is measured to matter",
    ),
    rule(
        "rust-uninit",
        Medium,
        r"\bmem::(?:uninitialized|zeroed)\s*(?:::\s*<|\()",
        "memory of a type may be made that no value of it is",
        "use MaybeUninit",
    ),
    rule("rust-static-mut", Low, r"\bstatic\s+mut\s+[A-Z_a-z]", "static mut is a data race waiting", "use an atomic, Mutex or OnceLock")
        .sure(),
    rule(
        "rust-tls",
        High,
        r"\bdanger_accept_invalid_(?:certs|hostnames)\s*\(\s*true",
        "TLS certificates are not checked: anybody between can read and change it",
        "trust the one certificate with add_root_certificate",
    )
    .sure(),
    rule(
        "rust-sql",
        High,
        r#"\b(?:query\w*|execute\w*|prepare\w*|raw_sql|sql_query)\s*(?:::<[^>\n]*>)?\s*\(\s*&?\s*format!\s*\(\s*r?#*"\s*(?i:select|insert|update|delete|replace|drop)\b"#,
        "SQL is put together from values: injection",
        "use placeholders and bind",
    )
    .with(r"\{"),
    rule(
        "rust-weak-hash",
        Low,
        r"\b(?:md5::compute|Md5::new|Md5::digest|Sha1::new|Sha1::digest)\s*\(",
        "MD5 and SHA-1 do not hold against forging",
        "use SHA-256; for passwords argon2",
    )
    .maybe(),
    rule(
        "rust-rights",
        Medium,
        r"\b(?:set_mode|from_mode|mode)\s*\(\s*0o[0-7]?[0-7]?[0-7][2367]\s*\)",
        "everybody on the machine may write it",
        "use 0o600 or 0o644",
    ),
];
