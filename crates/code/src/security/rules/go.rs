//! Go.

use crate::security::Severity::{Critical, High, Low, Medium};
use crate::security::rule::{Rule, rule};

pub(in crate::security) const RULES: &[Rule] = &[
    rule(
        "go-shell",
        High,
        r#"\bexec\.Command(?:Context)?\s*\((?:\s*\w+\s*,)?\s*"(?:/bin/|/usr/bin/)?(?:sh|bash|zsh|cmd|powershell)(?:\.exe)?"\s*,\s*"(?:-\w*c|/[cC])"\s*,"#,
        "a shell runs the line: whoever writes part of it runs commands",
        "start the program itself and give each argument apart",
    )
    .unless(r#""(?:-\w*c|/[cC])"\s*,\s*(?:"[^"\n]*"|`[^`]*`)\s*\)"#),
    rule(
        "go-tls",
        High,
        r"\bInsecureSkipVerify\s*[:=]\s*true\b",
        "TLS certificates are not checked: anybody between can read and change it",
        "leave it out; put the CA into RootCAs",
    )
    .sure(),
    rule(
        "go-tls-old",
        Medium,
        r"\b(?:Min|Max)Version\s*[:=]\s*tls\.Version(?:SSL30|TLS10|TLS11)\b",
        "this version of TLS is broken",
        "use tls.VersionTLS12 or later",
    )
    .sure(),
    rule(
        "go-host-key",
        High,
        r"\bssh\.InsecureIgnoreHostKey\s*\(",
        "any server is taken for the right one",
        "use knownhosts.New",
    )
    .sure(),
    rule(
        "go-random",
        High,
        r"(?i)\b\w*(?:token|secret|passw|password|nonce|otp|salt|apikey|sessionid|csrf)\w*\s*(?::=|=|\+=)[^=\n][^\n]*\brand\.(?:Int\w*|Uint\w*|Read|Perm|Float\w*|N)\s*\(",
        "math/rand can be foretold",
        "use crypto/rand",
    )
    .where_file(r#""math/rand(?:/v2)?""#),
    rule(
        "go-sql",
        High,
        r#"\.(?:Query|QueryRow|Exec|Prepare|Raw|Queryx|Get|Select)(?:Context)?\s*\((?:\s*\w+\s*,)?(?:\s*&\w+\s*,)?\s*(?:fmt\.Sprintf\s*\(\s*["`]\s*(?i:select|insert|update|delete|drop|replace)\b|["`]\s*(?i:select|insert|update|delete|drop|replace)\b[^"`]*["`]\s*\+)"#,
        "SQL is put together from values: injection",
        "use placeholders: Query(sql, a, b)",
    ),
    rule(
        "go-sql-built",
        Medium,
        r#"(?i)\b\w*(?:sql|query|stmt)\w*\s*(?::=|=)\s*fmt\.Sprintf\s*\(\s*["`]\s*(?:select|insert\s+into|update|delete\s+from|drop)\b"#,
        "SQL is put together from values: injection",
        "use placeholders: Query(sql, a, b)",
    )
    .with(r"%[svq]"),
    rule(
        "go-jwt",
        Critical,
        r"\bUnsafeAllowNoneSignatureType\b|\bParseUnverified\s*\(",
        "tokens are taken without a look at their signature",
        "use Parse with the key and WithValidMethods",
    ),
    rule(
        "go-template",
        Medium,
        r"\btemplate\.(?:HTML|JS|URL|CSS|HTMLAttr)\s*\(",
        "text becomes part of the page as it is: script injection",
        "let the template escape it",
    )
    .unless(r#"template\.\w+\s*\(\s*(?:"[^"\n]*"|`[^`]*`)\s*\)"#),
    rule(
        "go-weak-hash",
        Low,
        r"\b(?:md5|sha1)\.(?:New|Sum)\s*\(",
        "MD5 and SHA-1 do not hold against forging",
        "use crypto/sha256; for passwords bcrypt",
    )
    .maybe(),
    rule("go-cipher", Medium, r"\b(?:des\.New\w*Cipher|rc4\.NewCipher)\s*\(", "this cipher is broken", "use AES-GCM").sure(),
    rule("go-unsafe", Low, r"\bunsafe\.(?:Pointer|Slice|String)\s*\(", "the compiler does not check it", "check it by hand and say why it holds"),
    rule(
        "go-rights",
        Medium,
        r"\bos\.(?:Chmod|MkdirAll|Mkdir|WriteFile|OpenFile)\s*\([^\n]*\b0o?[0-7]?[0-7][0-7][2367]\s*\)",
        "everybody on the machine may write it",
        "use 0o600 or 0o644",
    ),
];
