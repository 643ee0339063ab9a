//! PHP and Ruby, the calls that hurt most.

use crate::security::Severity::{Critical, High, Low, Medium};
use crate::security::rule::{Rule, rule};

pub(in crate::security) const PHP: &[Rule] = &[
    rule(
        "php-eval",
        High,
        r"(?:^|[^\w$>:])(?:eval|create_function)\s*\(\s*[^)\s]",
        "text is run as code",
        "parse the value instead",
    ),
    rule(
        "php-shell",
        High,
        r"(?:^|[^\w$>:])(?:system|exec|shell_exec|passthru|popen|proc_open)\s*\([^;\n]*\$",
        "a shell runs the line: whoever writes part of it runs commands",
        "use escapeshellarg, or proc_open with a list",
    )
    .unless(r"escapeshell(?:arg|cmd)\s*\("),
    rule(
        "php-deserialize",
        Critical,
        r"\bunserialize\s*\(\s*\$_(?:GET|POST|REQUEST|COOKIE)",
        "loading it builds objects that whoever asks chooses",
        "use json_decode",
    )
    .sure(),
    rule(
        "php-unserialize",
        Medium,
        r"\bunserialize\s*\(\s*\$",
        "loading it builds objects that the data names",
        "use json_decode, or allowed_classes => false",
    )
    .unless(r"allowed_classes|\$_(?:GET|POST|REQUEST|COOKIE)"),
    rule(
        "php-include",
        Critical,
        r"\b(?:include|require)(?:_once)?\s*\(?\s*[^;\n]*\$_(?:GET|POST|REQUEST|COOKIE)",
        "whoever asks chooses the file that is run",
        "choose from a fixed list",
    ),
    rule(
        "php-sql",
        High,
        r#"(?i)\b(?:mysql_query|mysqli_query|pg_query|query|exec|prepare)\s*\([^;\n]*"\s*(?:select|insert|update|delete|drop)\b[^"\n]*(?:\$|"\s*\.\s*\$)"#,
        "SQL is put together from values: injection",
        "use prepare with placeholders",
    ),
    rule(
        "php-echo",
        Medium,
        r"\b(?:echo|print)\b[^;\n]*\$_(?:GET|POST|REQUEST|COOKIE)",
        "what whoever asks sends becomes part of the page",
        "use htmlspecialchars",
    )
    .unless(r"htmlspecialchars|htmlentities|intval|\(int\)|json_encode"),
    rule(
        "php-password-hash",
        High,
        r"\b(?:md5|sha1)\s*\([^;\n]*(?i:passw|pwd)",
        "a fast hash of a password is guessed by the billion",
        "use password_hash",
    ),
    rule(
        "php-tls",
        High,
        r"\bCURLOPT_SSL_VERIFY(?:PEER|HOST)\s*(?:,|=>)\s*(?:false|0)\b",
        "TLS certificates are not checked",
        "leave the check on",
    )
    .sure(),
    rule(
        "php-extract",
        High,
        r"\bextract\s*\(\s*\$_(?:GET|POST|REQUEST|COOKIE)",
        "whoever asks sets any variable",
        "take the values you need by name",
    )
    .sure(),
];

pub(in crate::security) const RUBY: &[Rule] = &[
    rule(
        "rb-eval",
        High,
        r"(?:^|[^.\w])(?:eval|instance_eval|class_eval)\s*\(?\s*(?:params|[a-z]\w*\b\s*\)|[\x22'][^\x22'\n]*#\{)",
        "text is run as code",
        "use a table of methods",
    ),
    rule(
        "rb-shell",
        High,
        r#"(?:^|[^.\w])(?:system|exec|spawn|`)\s*\(?\s*"?[^"`\n]*#\{|\bIO\.popen\s*\(\s*"[^"\n]*#\{|\bOpen3\.\w+\s*\(\s*"[^"\n]*#\{"#,
        "a shell runs the line: whoever writes part of it runs commands",
        "give each argument apart: system(\"git\", \"log\", name)",
    ),
    rule(
        "rb-marshal",
        High,
        r"\bMarshal\.(?:load|restore)\s*\(?",
        "loading it builds any object that the data names",
        "use JSON.parse",
    ),
    rule(
        "rb-yaml",
        Medium,
        r"\bYAML\.(?:load|unsafe_load)\s*\(",
        "it can build any object that the file names",
        "use YAML.safe_load",
    ),
    rule(
        "rb-sql",
        High,
        r#"\.(?:where|find_by_sql|order|joins|execute|select_all|pluck|having)\s*\(?\s*"[^"\n]*#\{"#,
        "SQL is put together from values: injection",
        "use placeholders: where(\"a = ?\", a)",
    ),
    rule(
        "rb-send",
        High,
        r"\.(?:send|public_send|constantize)\b\s*\(?\s*params\b|\bparams\[[^\]]*\]\.constantize",
        "whoever asks chooses what is called",
        "choose from a fixed list",
    ),
    rule(
        "rb-html",
        Medium,
        r"\.html_safe\b|\braw\s*\(?\s*(?:params|@\w+)",
        "text becomes part of the page as it is: script injection",
        "let the view escape it, or sanitize",
    )
    .maybe(),
    rule(
        "rb-tls",
        High,
        r"\bVERIFY_NONE\b|\bverify:\s*false\b",
        "TLS certificates are not checked",
        "leave the check on",
    ),
    rule(
        "rb-redirect",
        Low,
        r"\bredirect_to\s*\(?\s*params\b",
        "whoever asks chooses where people are sent",
        "allow a list of targets",
    ),
    rule(
        "rb-csrf",
        Medium,
        r"\bskip_before_action\s+:verify_authenticity_token|\bprotect_from_forgery\b[^\n]*null_session",
        "requests of other sites are taken for the person's own",
        "leave the check on",
    )
    .maybe(),
];
