//! Python: what runs text, and what trusts too much.

use crate::security::Severity::{Critical, High, Low, Medium};
use crate::security::rule::{Rule, rule};

pub(in crate::security) const RUNNING: &[Rule] = &[
    rule(
        "py-eval",
        High,
        r"(?:^|[^.\w])(?:builtins\.)?(?:eval|exec)\s*\(\s*[^)\s]",
        "text is run as code",
        "parse the value (ast.literal_eval, json.loads) or look it up in a table",
    )
    .unless(r#"\b(?:eval|exec)\s*\(\s*r?(?:"[^"{%\n]*"|'[^'{%\n]*')\s*[,)]|\bdef\s+(?:eval|exec)\b"#),
    rule(
        "py-pickle",
        High,
        r"\b(?:c?[pP]ickle|dill|cloudpickle|marshal|jsonpickle|shelve)\.(?:loads?|open|decode|Unpickler)\s*\(",
        "loading it runs code that the data names",
        "use json for what comes from elsewhere",
    ),
    rule(
        "py-model-load",
        Medium,
        r"\b(?:torch\.load|joblib\.load|(?:pd|pandas)\.read_pickle|(?:np|numpy)\.load)\s*\(",
        "the file is unpickled, which runs code that it names",
        "load only files of your own, or weights_only=True, safetensors, allow_pickle=False",
    )
    .with(r"torch\.load|joblib|read_pickle|allow_pickle\s*=\s*True")
    .unless(r"weights_only\s*=\s*True")
    .maybe(),
    rule(
        "py-yaml",
        High,
        r"\byaml\.(?:load|load_all|unsafe_load|full_load)\s*\(",
        "yaml.load can build any object, which runs code",
        "use yaml.safe_load",
    )
    .unless(r"(?:C?Safe|Base)Loader"),
    rule(
        "py-shell",
        High,
        r"\b(?:subprocess\.)?(?:run|call|Popen|check_output|check_call|getoutput|getstatusoutput)\s*\(",
        "a shell runs the line: whoever writes part of it runs commands",
        "give a list of arguments and leave shell=True out",
    )
    .with(r"\bshell\s*=\s*True|\bsubprocess\.get(?:status)?output"),
    rule(
        "py-system",
        High,
        r"\b(?:os\.(?:system|popen[234]?)|commands\.getoutput|create_subprocess_shell)\s*\(",
        "a shell runs the line: whoever writes part of it runs commands",
        "use subprocess.run with a list",
    )
    .unless(r#"\b(?:system|popen)\s*\(\s*(?:"[^"{%\n]*"|'[^'{%\n]*')\s*\)"#),
    rule(
        "py-system-fixed",
        Low,
        r#"\bos\.(?:system|popen)\s*\(\s*(?:"[^"{%\n]*"|'[^'{%\n]*')\s*\)"#,
        "a shell is started for a fixed line",
        "use subprocess.run with a list",
    )
    .maybe(),
    rule(
        "py-sql",
        High,
        r#"\.(?:execute|executemany|executescript|raw|query)\s*\(\s*(?:sa\.text\(|text\()?\s*(?:[fF][rR]?|[rR][fF])?(?:"{1,3}|'{1,3})\s*(?i:select|insert|update|delete|drop|replace|create|alter|with)\b"#,
        "SQL is put together from values: injection",
        "give the values apart: execute(sql, (a, b))",
    )
    .with(r#"(?s)\(\s*(?:[fF][rR]?|[rR][fF])(?:"{1,3}|'{1,3})[^{]*\{|["']\s*%\s*[\w({\[]|["']\s*\+|["']\s*\.format\s*\("#),
    rule(
        "py-sql-built",
        Medium,
        r#"\b\w*(?:sql|query|stmt|statement)\w*\s*\+?=\s*(?:f"{1,3}|f'{1,3})\s*(?i:select|insert\s+into|update|delete\s+from|drop)\b"#,
        "SQL is put together from values: injection",
        "give the values apart: execute(sql, (a, b))",
    )
    .with(r"\{"),
    rule(
        "py-template",
        High,
        r"\b(?:render_template_string|Template)\s*\(\s*(?:request\.|f[\x22'])",
        "what a person sends is run as a template",
        "render a fixed template and pass values",
    ),
    rule(
        "py-extract",
        Medium,
        r"\.extractall\s*\(",
        "an archive can write outside the folder",
        "give filter=\"data\", or check each name",
    )
    .where_file(r"\btarfile\b")
    .unless(r"filter\s*=")
    .maybe(),
];

pub(in crate::security) const TRUSTING: &[Rule] = &[
    rule(
        "py-tls",
        High,
        r"\bverify\s*=\s*False\b|\bverify_ssl\s*=\s*False\b|\b_create_unverified_context\b|\bcheck_hostname\s*=\s*False\b|\bverify_mode\s*=\s*(?:ssl\.)?CERT_NONE\b|\bcert_reqs\s*=\s*[\x22']?(?:ssl\.)?CERT_NONE",
        "TLS certificates are not checked: anybody between can read and change it",
        "leave it out; give the CA file with verify=\"ca.pem\"",
    )
    .unless(r"jwt\.decode|\bdef\s"),
    rule(
        "py-jwt",
        Critical,
        r#"\bjwt\.decode\s*\("#,
        "tokens are taken without a look at their signature",
        "give the key and algorithms=[\"…\"]",
    )
    .with(r#"verify\s*=\s*False|["']verify_signature["']\s*:\s*False|algorithms\s*=\s*\[\s*["']none["']"#),
    rule(
        "py-password-hash",
        High,
        r"\bhashlib\.(?:md5|sha1|sha224|sha256|sha512)\s*\(|\bhashlib\.new\s*\(",
        "a fast hash of a password is guessed by the billion",
        "use hashlib.scrypt, argon2 or bcrypt",
    )
    .with(r"(?i)passw|passphrase|\bpwd\b|\bpin\b"),
    rule(
        "py-weak-hash",
        Low,
        r#"\bhashlib\.(?:md5|sha1)\s*\(|\bhashlib\.new\s*\(\s*["'](?:md5|sha1)["']"#,
        "MD5 and SHA-1 do not hold against forging",
        "use sha256, or say usedforsecurity=False",
    )
    .unless(r"(?i)usedforsecurity\s*=\s*False|passw|passphrase|\bpwd\b")
    .maybe(),
    rule(
        "py-cipher",
        Medium,
        r"\b(?:DES3?|ARC4|Blowfish)\.new\s*\(|\bAES\.MODE_ECB\b|\bmodes\.ECB\s*\(",
        "this cipher or mode shows patterns or is broken",
        "use AES-GCM or ChaCha20-Poly1305",
    )
    .sure(),
    rule(
        "py-random",
        High,
        r"(?i)\b\w*(?:token|secret|passw|password|nonce|otp|salt|api_?key|session_?id|csrf)\w*\s*=[^=\n][^\n]*\brandom\.(?:choices?|randint|random|randrange|getrandbits|sample)\s*\(",
        "random can be foretold",
        "use the secrets module",
    )
    .unless(r"\bSystemRandom\b|\bsecrets\."),
    rule(
        "py-mktemp",
        Medium,
        r"\btempfile\.mktemp\s*\(|\bos\.(?:tempnam|tmpnam)\s*\(",
        "somebody else can make the file first",
        "use tempfile.mkstemp or NamedTemporaryFile",
    )
    .sure(),
    rule(
        "py-assert",
        Low,
        r"^\s*assert\s+[^\n]*(?i:\bis_(?:admin|staff|superuser|authenticated|owner)|permission|authori[sz]ed|\brole\b|has_perm)",
        "asserts are gone under python -O, and with them this check",
        "raise an exception",
    ),
    rule("py-debug", Medium, r"\.run\s*\(", "the debugger lets whoever reaches it run code", "turn debug off outside your machine")
        .with(r"\bdebug\s*=\s*True\b"),
    rule(
        "py-markup",
        Medium,
        r"\b(?:mark_safe|Markup)\s*\(",
        "text is put into the page as it is: script injection",
        "let the template escape it, or format_html",
    )
    .unless(r#"\b(?:mark_safe|Markup)\s*\(\s*(?:"[^"{%\n]*"|'[^'{%\n]*')\s*\)"#),
    rule(
        "py-autoescape",
        Medium,
        r"\bautoescape\s*=\s*False\b",
        "templates put text into the page as it is: script injection",
        "set autoescape=True",
    )
    .sure(),
    rule(
        "py-host-key",
        High,
        r"\bset_missing_host_key_policy\s*\(\s*(?:paramiko\.)?(?:AutoAddPolicy|WarningPolicy)",
        "any server is taken for the right one",
        "load known hosts and use RejectPolicy",
    )
    .sure(),
    rule("py-xml", Medium, r"\bresolve_entities\s*=\s*True\b|\bno_network\s*=\s*False\b", "XML may pull in files and addresses", "use defusedxml"),
    rule(
        "py-rights",
        Medium,
        r"\bos\.(?:f?chmod|makedirs|mkdir)\s*\(",
        "everybody on the machine may write it",
        "use 0o600 or 0o644",
    )
    .with(r"\b0o?[0-7]?[0-7][0-7][2367]\b"),
    rule(
        "py-csrf",
        Low,
        r"^\s*@csrf_exempt\b|\bWTF_CSRF_ENABLED\s*=\s*False\b",
        "requests of other sites are taken for the person's own",
        "leave the check on, or check a signature",
    ),
];
