//! Java, Kotlin and their like.

use crate::security::Severity::{Critical, High, Low, Medium};
use crate::security::rule::{Rule, rule};

pub(in crate::security) const RULES: &[Rule] = &[
    rule(
        "java-exec",
        High,
        r"\b(?:getRuntime\s*\(\s*\)\s*|[rR]untime)\.exec\s*\(",
        "a line put together from values is run",
        "use ProcessBuilder with a fixed program and each argument apart",
    )
    .unless(r#"\.exec\s*\(\s*(?:"[^"\n]*"|new\s+String\s*\[\s*\]\s*\{\s*(?:"[^"\n]*"\s*,?\s*)*\})\s*\)"#),
    rule(
        "java-shell",
        High,
        r#"\bProcessBuilder\s*\((?:\s*(?:Arrays\.asList|List\.of|listOf)\s*\()?\s*"(?:/bin/)?(?:sh|bash|cmd|cmd\.exe)"\s*,\s*"(?:-\w*c|/[cC])"\s*,"#,
        "a shell runs the line: whoever writes part of it runs commands",
        "start the program itself and give each argument apart",
    )
    .unless(r#""(?:-\w*c|/[cC])"\s*,\s*"[^"\n]*"\s*\)"#),
    rule(
        "java-deserialize",
        High,
        r"\bnew\s+ObjectInputStream\s*\(|\bObjectInputStream\s*\(\s*[a-z]|\bnew\s+XMLDecoder\s*\(",
        "loading it builds any class that the data names, which runs code",
        "use JSON, or set an ObjectInputFilter",
    )
    .unless(r"\bclass\b|\bimport\b"),
    rule(
        "java-typing",
        High,
        r"\b(?:enableDefaultTyping|activateDefaultTyping)\s*\(|@JsonTypeInfo\s*\([^)]*Id\.(?:CLASS|MINIMAL_CLASS)",
        "JSON names the classes that are built, which runs code",
        "name the types that may be built",
    ),
    rule(
        "java-sql",
        High,
        r#"\b(?:executeQuery|executeUpdate|execute|executeLargeUpdate|addBatch|prepareStatement|createQuery|createNativeQuery|queryForObject|queryForList|rawQuery|execSQL)\s*\(\s*(?:"[^"\n]*"\s*\+|String\.format\s*\(\s*"\s*(?i:select|insert|update|delete|drop)\b|"[^"\n]*(?i:select|insert|update|delete)\b[^"\n]*\$\{?\w)"#,
        "SQL is put together from values: injection",
        "use PreparedStatement with ?",
    ),
    rule(
        "java-sql-built",
        Medium,
        r#"(?i)\b\w*(?:sql|query|stmt)\w*\s*\+?=\s*"\s*(?:select|insert\s+into|update|delete\s+from|drop)\b[^"\n]*"\s*\+\s*[a-z]"#,
        "SQL is put together from values: injection",
        "use PreparedStatement with ?",
    )
    .unless(r"\+\s*[A-Z][A-Z_]+\b"),
    rule(
        "java-trust-all",
        High,
        r"\bcheckServerTrusted\s*\([^)]*\)[^{;]*\{\s*(?://[^\n]*\s*)?(?:return\s*;\s*)?\}|\bNoopHostnameVerifier\b|\bALLOW_ALL_HOSTNAME_VERIFIER\b|\bTrustAllStrategy\b|\bInsecureTrustManagerFactory\b",
        "TLS certificates are not checked: anybody between can read and change it",
        "use the trust store of the system, or one of your own",
    )
    .unless(r"^\s*import\b")
    .sure(),
    rule(
        "java-hostname",
        High,
        r"\b(?:setHostnameVerifier|hostnameVerifier|setDefaultHostnameVerifier)\s*\(\s*(?:\(?\s*\w+\s*,\s*\w+\s*\)?\s*->\s*(?:true|\{\s*return\s+true)|\{[^}]*->\s*true)",
        "any certificate is taken for any server",
        "leave the check on",
    )
    .sure(),
    rule(
        "java-password-hash",
        High,
        r#"\bMessageDigest\.getInstance\s*\(\s*"(?:MD5|SHA-?1|SHA-?256)"\s*\)"#,
        "a fast hash of a password is guessed by the billion",
        "use bcrypt, argon2 or PBKDF2",
    )
    .with(r"(?i)passw"),
    rule(
        "java-weak-hash",
        Low,
        r#"\bMessageDigest\.getInstance\s*\(\s*"(?:MD5|MD2|SHA-?1)"|\bDigestUtils\.(?:md5|sha1)(?:Hex)?\s*\("#,
        "MD5 and SHA-1 do not hold against forging",
        "use SHA-256",
    )
    .maybe(),
    rule(
        "java-cipher",
        Medium,
        r#"\bCipher\.getInstance\s*\(\s*"(?:DES|DESede|RC4|RC2|Blowfish|ARCFOUR|AES/ECB|AES")"#,
        "this cipher or mode shows patterns or is broken",
        "use AES/GCM/NoPadding",
    )
    .sure(),
    rule(
        "java-random",
        High,
        r"(?i)\b\w*(?:token|secret|passw|nonce|otp|salt|sessionid|csrf)\w*\s*=[^=\n][^\n]*(?:\bnew\s+Random\s*\(|\bMath\.random\s*\(|\bThreadLocalRandom\b)",
        "it can be foretold",
        "use SecureRandom",
    ),
    rule(
        "java-xxe",
        Low,
        r"\b(?:DocumentBuilderFactory|SAXParserFactory|XMLInputFactory)\.new(?:Instance|Factory)\s*\(",
        "XML may pull in files and addresses",
        "setFeature disallow-doctype-decl to true",
    )
    .maybe(),
    rule(
        "java-script",
        High,
        r"\b(?:scriptEngine|engine|jsEngine)\.eval\s*\(\s*[a-z]|\bGroovyShell\s*\(\s*\)\s*\.evaluate\s*\(\s*[a-z]|\bparseExpression\s*\(\s*[a-z]\w*\s*\)",
        "text is run as code",
        "take a value, or a fixed expression",
    )
    .maybe(),
    rule("java-yaml", Medium, r"\bnew\s+Yaml\s*\(\s*\)", "it builds any class that the file names", "use new Yaml(new SafeConstructor(…))").maybe(),
    rule("java-csrf", Low, r"\bcsrf\s*\(\s*\)\s*\.disable\s*\(|\bcsrf\s*\(\s*\w*\s*(?:->|::)\s*\w*\.?disable", "requests of other sites are taken for the person's own", "leave it on where browsers log in")
        .maybe(),
    rule("java-world", Critical, r"\bMODE_WORLD_(?:READ|WRITE)ABLE\b", "every program on the device may use the file", "use MODE_PRIVATE"),
];
