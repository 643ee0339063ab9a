//! JavaScript and TypeScript where they run on a server.

use crate::security::Severity::{Critical, High, Low, Medium};
use crate::security::rule::{Rule, rule};

pub(in crate::security) const RULES: &[Rule] = &[
    rule(
        "js-eval",
        High,
        r"(?:^|[^.\w$])(?:(?:window|globalThis|global|self)\.)?eval\s*\(\s*[^)\s]",
        "text is run as code",
        "use JSON.parse or a table of functions",
    )
    .unless(r#"\beval\s*\(\s*(?:"[^"\n]*"|'[^'\n]*')\s*\)|\bfunction\s+eval\b"#),
    rule(
        "js-function",
        High,
        r"\bnew\s+Function\s*\(\s*[^)\s]",
        "text is run as code",
        "use JSON.parse or a table of functions",
    ),
    rule(
        "js-timeout-text",
        Medium,
        r#"\bset(?:Timeout|Interval)\s*\(\s*(?:["'`]|[\w.]+\s*\+\s*["'`])"#,
        "text is run as code",
        "give a function",
    ),
    rule(
        "js-shell",
        High,
        r#"(?:^|[^.\w$]|\b(?:child_process|childProcess|cp)\.)exec(?:Sync)?\s*\(\s*(?:`[^`]*\$\{|["'][^"'\n]*["']\s*\+|[A-Za-z_$][\w.$]*\s*\+\s*["'`])"#,
        "a shell runs a line put together from values: whoever writes one runs commands",
        "use execFile or spawn with a list of arguments",
    ),
    rule(
        "js-spawn-shell",
        Medium,
        r"\b(?:spawn|spawnSync|execFile|execFileSync|execa)\s*\(",
        "a shell runs the line",
        "leave shell: true out",
    )
    .with(r"\bshell\s*:\s*true\b"),
    rule(
        "js-tls",
        High,
        r#"\brejectUnauthorized["']?\s*:\s*false\b|\bprocess\.env(?:\.|\[["'])NODE_TLS_REJECT_UNAUTHORIZED["'\]]*\s*=\s*["']?0|\bstrictSSL["']?\s*:\s*false\b"#,
        "TLS certificates are not checked: anybody between can read and change it",
        "leave it out; give the CA with ca",
    )
    .sure(),
    rule(
        "js-sql",
        High,
        r"(?i)\.(?:query|execute|raw|\$queryRawUnsafe|\$executeRawUnsafe|all|get|run|prepare)\s*\(\s*`\s*(?:select\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|drop\s+table\s|replace\s+into\s)[^`]*\$\{",
        "SQL is put together from values: injection",
        "use placeholders: query(sql, [a, b])",
    ),
    rule(
        "js-sql-concat",
        High,
        r#"(?i)(?:\.(?:query|execute|raw|all|get|run|prepare)\s*\(|\b(?:sql|query|stmt)\w*\s*=)\s*["']\s*(?:select\s|insert\s+into\s|update\s|delete\s+from\s|drop\s)[^"'\n]*["']\s*\+|(?i:\.(?:query|execute)\s*\(\s*"[^"\n]*'"\s*\+)"#,
        "SQL is put together from values: injection",
        "use placeholders: query(sql, [a, b])",
    ),
    rule(
        "js-vm",
        Medium,
        r"\bvm\.(?:runIn(?:New|This)?Context|Script|compileFunction)\s*\(|\bnew\s+VM2?\s*\(",
        "the vm module is no wall: code in it gets out",
        "run it in a process of its own with limits",
    )
    .unless(r"\bclass\b"),
    rule(
        "js-deserialize",
        Critical,
        r"\b(?:serialize|nodeSerialize|serializer)\.unserialize\s*\(|\bfuncster\.deepDeserialize\s*\(",
        "loading it runs code that the data holds",
        "use JSON.parse",
    ),
    rule("js-jwt", Critical, r"\bjwt\.verify\s*\(|\bjwtVerify\s*\(", "tokens are taken that nobody signed", "name the algorithms, without none")
        .with(r#"algorithms\s*:\s*\[[^\]]*["']none["']|ignoreExpiration\s*:\s*true"#),
    rule(
        "js-password-hash",
        High,
        r#"\bcreateHash\s*\(\s*["'](?:md5|sha1|sha256|sha512)["']\s*\)"#,
        "a fast hash of a password is guessed by the billion",
        "use crypto.scrypt, argon2 or bcrypt",
    )
    .with(r"(?i)passw|passphrase|\bpwd\b"),
    rule(
        "js-weak-hash",
        Low,
        r#"\bcreateHash\s*\(\s*["'](?:md5|sha1)["']\s*\)"#,
        "MD5 and SHA-1 do not hold against forging",
        "use sha256",
    )
    .unless(r"(?i)passw|passphrase|\bpwd\b")
    .maybe(),
    rule(
        "js-cipher",
        Medium,
        r#"\bcreate(?:Cipher|Decipher)\s*\(|\bcreateCipheriv\s*\(\s*["'](?:des|rc4|[\w-]*ecb)"#,
        "this cipher or mode shows patterns or is broken",
        "use createCipheriv with aes-256-gcm",
    ),
    rule(
        "js-random",
        High,
        r"(?i)\b\w*(?:token|secret|passw|password|nonce|otp|salt|api_?key|session_?id|csrf)\w*\s*[=:][^=\n][^\n;]*\bMath\.random\s*\(",
        "Math.random can be foretold",
        "use crypto.randomBytes or randomUUID",
    ),
    rule(
        "js-path",
        Medium,
        r"\b(?:readFile(?:Sync)?|createReadStream|sendFile|unlink(?:Sync)?|writeFile(?:Sync)?)\s*\([^)\n]*\breq(?:uest)?\.(?:params|query|body|url|path)\b",
        "whoever asks chooses the file",
        "take the base name, resolve it and check that it stays in the folder",
    ),
    rule(
        "js-redirect",
        Medium,
        r"\bredirect\s*\(\s*req(?:uest)?\.(?:query|body|params)\b",
        "whoever asks chooses where people are sent",
        "allow a list of targets",
    ),
    rule(
        "js-regex-input",
        Low,
        r"\bnew\s+RegExp\s*\(\s*req(?:uest)?\.",
        "whoever asks chooses the expression and can make it run forever",
        "escape it, or search for plain text",
    ),
];
