//! C and C++.

use crate::security::Severity::{Critical, High, Low, Medium};
use crate::security::rule::{Rule, rule};

/// A declaration, or a macro that names it.
const DECLARED: &str =
    r"^\s*(?:extern|static|inline|#\s*\w+|(?:const\s+)?(?:char|int|void|FILE|size_t|bool|auto)\b[\s*]+\w+\s*\()[^=]*";

pub(in crate::security) const RULES: &[Rule] = &[
    rule("c-gets", Critical, r"(?:^|[^.\w>])gets\s*\(\s*[^)\s]", "gets writes past the end of whatever it is given", "use fgets")
        .sure()
        .unless(DECLARED),
    rule(
        "c-strcpy",
        High,
        r"(?:^|[^.\w>])(?:str|wcs|stp)(?:cpy|cat)\s*\(",
        "copies without a look at how much room there is",
        "use snprintf, strlcpy or std::string",
    )
    .unless(r#"(?:cpy|cat)\s*\([^,]*,\s*L?"[^"]*"\s*\)|^\s*(?:extern|#\s*\w+|(?:const\s+)?(?:char|wchar_t|void)\b[\s*]+\w+\s*\()"#),
    rule(
        "c-sprintf",
        Medium,
        r"(?:^|[^.\w>])v?sprintf\s*\(",
        "writes without a look at how much room there is",
        "use snprintf",
    )
    .with(r#"%[-+ #0]*\*?s|sprintf\s*\([^,]*,\s*[A-Za-z_]"#)
    .unless(DECLARED),
    rule(
        "c-scanf",
        High,
        r#"(?:^|[^.\w>])(?:f|s)?scanf\s*\([^;"]*"[^"\n]*%(?:s|\[)"#,
        "%s reads more than there is room for",
        "give the width: %63s",
    )
    .sure(),
    rule(
        "c-system",
        High,
        r"(?:^|[^.\w>])(?:std::)?(?:system|popen|_popen|wsystem)\s*\(\s*[^)\s]",
        "a shell runs the line: whoever writes part of it runs commands",
        "use posix_spawn or execv with each argument apart",
    )
    .unless(r#"(?:system|popen)\s*\(\s*(?:"[^"\n]*"\s*[,)]|(?:const|char|void|int)\b)"#),
    rule(
        "c-mktemp",
        Medium,
        r"(?:^|[^.\w>])(?:mktemp|tmpnam|tempnam|_mktemp)\s*\(",
        "somebody else can make the file first",
        "use mkstemp",
    )
    .sure()
    .unless(DECLARED),
    rule(
        "c-format",
        High,
        r"(?:^|[^.\w>])(?:printf\s*\(\s*|fprintf\s*\(\s*\w+\s*,\s*|syslog\s*\(\s*\w+\s*,\s*|snprintf\s*\([^,;\n]*,[^,;\n]*,\s*)[A-Za-z_][\w.]*(?:->\w+)*\s*\)\s*;",
        "what stands in the text is taken for a format: it can read and write memory",
        "use printf(\"%s\", text)",
    )
    .unless(r"(?i)\b(?:fmt|format|\w*usage\w*)\s*\)\s*;?\s*$|\b(?-i:[A-Z_]{3,})\s*\)\s*;?\s*$|__VA_ARGS__"),
    rule(
        "c-exec-shell",
        High,
        r#"\bexec(?:l|lp|le|v|vp)\s*\(\s*"(?:/bin/)?(?:sh|bash)"\s*,[^;]*"-c"\s*,\s*[A-Za-z_]"#,
        "a shell runs the line: whoever writes part of it runs commands",
        "start the program itself and give each argument apart",
    ),
    rule(
        "c-tls",
        High,
        r"\bCURLOPT_SSL_VERIFY(?:PEER|HOST)\s*,\s*(?:0L?|false|FALSE)\b|\bSSL_(?:CTX_)?set_verify\s*\([^,]*,\s*SSL_VERIFY_NONE\b",
        "TLS certificates are not checked: anybody between can read and change it",
        "leave the check on",
    )
    .sure(),
    rule(
        "c-random",
        Medium,
        r"(?i)\b\w*(?:token|secret|passw|nonce|salt|session_?id)\w*(?:\[[^\]]*\])?\s*=[^=\n][^\n]*\b(?:rand|random|drand48)\s*\(\s*\)",
        "rand can be foretold",
        "use getrandom or arc4random",
    ),
    rule("c-access", Low, r"(?:^|[^.\w>:])access\s*\(\s*\w+\s*,\s*[RWXF]_OK", "it may be another file by the time it is opened", "open it and look at errno")
        .maybe(),
    rule("c-alloca", Low, r"(?:^|[^.\w>])_?alloca\s*\(\s*[a-z_]", "a large number makes the stack overflow", "use malloc, or a bound").maybe(),
    rule("c-weak-hash", Low, r"\b(?:MD5|SHA1)(?:_Init)?\s*\(|\bEVP_(?:md5|sha1|des_\w+|rc4)\s*\(", "it does not hold against forging", "use SHA-256, AES-GCM")
        .maybe(),
    rule("c-rights", Medium, r"\b(?:chmod|fchmod|mkdir)\s*\([^;\n]*,\s*0[0-7]?[0-7][0-7][2367]\s*\)|\bumask\s*\(\s*0+\s*\)", "everybody on the machine may write it", "use 0600 or 0644"),
];
