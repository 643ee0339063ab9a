//! Both ways: what is a secret is hidden, and what only looks a little like one is not.
//!
//! The keys here are made up, and put together so that nobody's scanner takes this file for a leak.

use super::*;

mod published;

fn hidden(text: &str) -> String {
    Secrets::default().hidden(text).into_owned()
}

/// The same as it is written down.
fn written(text: &str) -> String {
    Secrets::default().unwritten(text).into_owned()
}

/// Letters and digits that look like chance, `length` of them.
fn chance(length: usize) -> String {
    "q7Rk2ZxW9mTb4VnL8sHd3YcJ6pGf1XaKq5Ue0".chars().cycle().take(length).collect()
}

#[test]
fn keys_are_known_by_their_shape() {
    let long = chance(60);
    for (key, what) in [
        (format!("AKIA{}", "Q7RKZXWMTBVNL2SH"), "AWS access key"),
        (format!("gh{}_{}", "p", chance(36)), "GitHub token"),
        (format!("gh{}_{}", "s", chance(36)), "GitHub token"),
        (format!("github_{}_{}", "pat", long), "GitHub token"),
        (format!("gl{}-{}", "pat", chance(20)), "GitLab token"),
        (format!("xox{}-1234567890-{}", "b", chance(24)), "Slack token"),
        (format!("https://hooks.slack.com/{}/T00/B00/{}", "services", chance(24)), "Slack webhook"),
        (format!("AI{}{}", "za", chance(35)), "Google key"),
        (format!("GOC{}-{}", "SPX", chance(28)), "Google secret"),
        (format!("sk_{}_{}", "live", chance(24)), "Stripe key"),
        (format!("wh{}_{}", "sec", chance(32)), "Stripe secret"),
        (format!("sk-{}", chance(48)), "API key"),
        (format!("sk-proj-{}", long), "API key"),
        (format!("npm_{}", chance(36)), "npm token"),
        (format!("eyJ{0}.eyJ{0}.{0}", chance(30)), "web token"),
    ] {
        for (before, after) in
            [("", ""), ("use ", " now"), ("\"", "\""), ("key=", "\n"), ("\u{1b}[31m", "\u{1b}[0m"), ("a\\n", "\\n")]
        {
            let text = format!("{before}{key}{after}");
            let shown = hidden(&text);
            assert!(!shown.contains(&key) && shown.contains(&mark(what)), "{text}: {shown}");
            assert!(shown.starts_with(before.split('k').next().unwrap()) && shown.ends_with(after), "{shown}");
        }
    }
}

#[test]
fn what_is_assigned_to_a_secret_name_is_hidden_where_it_looks_like_chance() {
    for (line, shown) in [
        ("password = \"*\"", "password = \"*\""),
        ("\"clientSecret\": \"*\",", "\"clientSecret\": \"*\","),
        ("AWS_SECRET_ACCESS_KEY=*", "AWS_SECRET_ACCESS_KEY=*"),
        ("const apiKey = '*';", "const apiKey = '*';"),
        ("3\tapi_key: *", "3\tapi_key: *"),
        ("  token => \"*\"", "  token => \"*\""),
        ("//host/:_authToken=*", "//host/:_authToken=*"),
        ("os.environ[\"API_TOKEN\"] = \"*\"", "os.environ[\"API_TOKEN\"] = \"*\""),
        ("Authorization: Bearer *", "Authorization: Bearer *"),
        ("curl -H 'authorization: token *'", "curl -H 'authorization: token *'"),
    ] {
        for key in [chance(24), format!("{}/+{}==", chance(20), chance(10)), "9f86d081884c7d659a2feaa0c55ad015".into()]
        {
            assert_eq!(hidden(&line.replace('*', &key)), shown.replace('*', "[redacted: secret]"), "{line}");
        }
    }
}

#[test]
fn passwords_in_addresses_are_hidden_and_nothing_else_of_them() {
    for (address, shown) in [
        ("postgres://ann:s3cr3t!x@db/app", "postgres://ann:*@db/app"),
        ("git clone https://ann:abcdef@example.com/x.git", "git clone https://ann:*@example.com/x.git"),
        ("redis://:tops3cr3t@cache:6379", "redis://:*@cache:6379"),
        ("https://ann:${PASSWORD}@host", "https://ann:${PASSWORD}@host"),
        ("postgres://postgres:postgres@localhost/x", "postgres://postgres:postgres@localhost/x"),
        ("mysql://user:password@localhost", "mysql://user:password@localhost"),
        ("http://localhost:8080/a@b", "http://localhost:8080/a@b"),
        ("https://example.com/@ann:x", "https://example.com/@ann:x"),
        ("ssh://git@example.com:22/x", "ssh://git@example.com:22/x"),
    ] {
        assert_eq!(hidden(address), shown.replace('*', "[redacted: password]"));
    }
}

const CODE: &[&str] = &[
    "let token = next_token();",
    "pub const ENCRYPTION_KEY: X509HardwareKeyUsageFlags = 2i32;",
    "https://img.example/badge?style=flat&token=BAQ8SOKEST&color=C43AC3&logoColor=C43AC3",
    "http://a:b@host/",
    "let token = self.lexer.next_significant_token_2(input);",
    "token: Token::Ident2(name)",
    "password = os.environ[\"DB_PASSWORD_2\"]",
    "const password = process.env.DATABASE_PASSWORD_V2;",
    "password: ${{ secrets.GITHUB_TOKEN_2 }}",
    "api_key = config.getRequired(\"services.api_key.v2\")",
    "secret_name = \"my-app-prod-db-password-1\"",
    "secretName: my-application-tls-secret-2024",
    "max_tokens: 4096, token_count: 12345678901234567890",
    "token_hash = \"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"",
    "const USDC_TOKEN = \"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48\"",
    "tokenAddress: '0xdAC17F958D2ee523a2206206994597C13D831ec7',",
    "password_sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "next_page_token: q7Rk2ZxW9mTb4VnL8sHd3YcJ6pGf1XaK",
    "token: 550e8400-e29b-41d4-a716-446655440000",
    "api_key: your_api_key_goes_here_1234",
    "SECRET_KEY=changeme1234567890abcd",
    "password = \"correct horse battery staple\"",
    "integrity sha512-q7Rk2ZxW9mTb4VnL8sHd3YcJ6pGf1XaKq5Ue0q7Rk2ZxW9mTb4VnL8sHd3YcJ6pGf1XaK==",
    "commit e3b0c44298fc1c149afbf4c8996fb92427ae41e4",
    "id: 7d444840-9dc0-11d1-b245-5ffdce74fad2",
    "const DATA = \"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk\";",
    "checksum = \"f020237b6c8eed93db2e2cb53c00c60a8e1bc73da7d073199a1180401450218d\"",
    "cacheKey = \"user:1234567890abcdef\"",
    "publicKey: \"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\"",
    "const HEADER: &str = \"-----BEGIN PRIVATE KEY-----\";",
    "if text.contains(\"-----BEGIN RSA PRIVATE KEY-----\") { return Err(Leak) }",
    "class=\"sk-folding-cube sk-circle-fade-dot\"",
    "AKIA is how they begin; AKIAIOSFODNN7EXAMPLE is the one of the manual",
    "ghp_ and a name: ghp_short, npm_config_registry_url_for_everybody",
    "fn access_token_expires_in(token: &AccessToken2) -> Duration",
    "authToken=undefined; refreshToken=null",
    "private_key_path = \"/etc/ssl/private/server2.key\"",
    "tokenizer = \"gpt2-medium-355M-v1.0.2-r3\"",
    "credentials: 'same-origin'",
    "secret/data/applications/backend-2/config",
];

#[test]
fn ordinary_code_comes_through_untouched() {
    for line in CODE {
        assert_eq!(hidden(line), *line);
    }
    assert_eq!(hidden(&CODE.join("\n")), CODE.join("\n"));
}

/// The best sample of ordinary code is our own.
#[test]
fn our_own_code_comes_through_untouched() {
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![own.join("crates"), own.join("docs"), own.join("config"), own.join("tests")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.to_string_lossy().into_owned();
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if [".rs", ".md", ".toml", ".json"].iter().any(|end| name.ends_with(end)) && !name.contains("redact")
            {
                let Ok(text) = std::fs::read_to_string(&path) else { continue };
                for line in text.lines() {
                    assert_eq!(hidden(line), line, "{name}");
                }
                assert_eq!(
                    written(&text).matches(&mark(blocks::WHAT)).count(),
                    hidden(&text).matches(&mark(blocks::WHAT)).count(),
                    "{name}"
                );
                files += 1;
            }
        }
    }
    assert!(files > 100, "{files}");
}

fn key_block(lines: usize) -> String {
    let body: String = (0..lines).map(|_| chance(64) + "\n").collect();
    format!("-----BEGIN OPENSSH {0} KEY-----\n{body}{1}==\n-----END OPENSSH {0} KEY-----", "PRIVATE", chance(10))
}

#[test]
fn private_keys_are_hidden_whole() {
    let key = key_block(5);
    assert_eq!(hidden(&format!("a\n{key}\nb\n")), "a\n[redacted: private key]\nb\n");
    let numbered: String = key.lines().enumerate().map(|(at, line)| format!("{}\t{line}\n", at + 1)).collect();
    assert_eq!(hidden(&format!("{numbered}9\tb\n")), "1\t[redacted: private key]\n9\tb\n");
    let string = key.replace('\n', "\\n");
    assert_eq!(hidden(&format!("x = \"{string}\"")), "x = \"[redacted: private key]\"");
    let (cut, _) = key.split_at(200);
    assert_eq!(
        hidden(&format!("{cut}\n[… 12 bytes cut here; ask]\n")),
        "[redacted: private key]\n[… 12 bytes cut here; ask]\n"
    );
}

#[test]
fn known_values_are_hidden_wherever_they_stand() {
    let secrets = Secrets::new([
        "hunter2-hunter2".into(),
        "two words".into(),
        "/home/ann/.ssh/id".into(),
        "short".into(),
        "8080808080".into(),
        "development".into(),
    ]);
    let known = mark("a secret of the environment");
    assert_eq!(secrets.hidden("xhunter2-hunter2y"), format!("x{known}y"));
    assert_eq!(secrets.hidden("two words"), known);
    let others = "/home/ann/.ssh/id short 8080808080 development";
    assert_eq!(secrets.hidden(others), others);
}

#[test]
fn lines_out_of_the_middle_of_a_key_are_not_written_down() {
    let (full, ssh, short) = (chance(64), chance(70), chance(40));
    let ending = format!("-----END RSA {} KEY-----", "PRIVATE");
    let key = mark(blocks::WHAT);
    for (lines, expected) in [
        (format!("{full}\n{full}\n{full}\n"), format!("{key}\n")),
        (format!("{full}\n{full}"), key.clone()),
        (format!("a\n{ssh}\r\n{ssh}\r\nb\n"), format!("a\n{key}\r\nb\n")),
        (format!("  {full}\n  {full}\n  {short}=\nb"), format!("{key}\nb")),
        (format!("7\t{full}\n8\t{full}\n9\tb"), format!("{key}\n9\tb")),
        (format!("+{full}\n-{full}\n b"), format!("{key}\n b")),
        (format!("+{}\n+{}\nb", chance(63), chance(63)), format!("{key}\nb")),
        (format!("{full}\n{short}\n{ending}\nb"), format!("{key}\nb")),
        (format!("{full}\n{ending}\nb"), format!("{key}\nb")),
    ] {
        assert_eq!(written(&lines), expected, "{lines}");
        assert_eq!(hidden(&lines), lines, "a model is shown what the file holds");
    }
    let whole = key_block(5);
    assert_eq!(written(&whole), key);
}

#[test]
fn what_only_has_such_lines_is_written_down() {
    let (full, short) = (chance(64), chance(40));
    let hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    for text in [
        format!("{hash}\n{hash}\n{hash}\n"),
        format!("{0}\n{0}\n", hash.to_uppercase()),
        format!("{hash}  a\n{hash}  b\n"),
        format!("{full}\n"),
        format!("{full}\nb\n{full}\n"),
        format!("{0}\n{0}\n", chance(76)),
        format!("{0}\n{0}\n", chance(63)),
        format!("{0}\n{0}\n", "a".repeat(64)),
        format!("  \"{full}\"\n  \"{full}\"\n"),
        format!("-----BEGIN CERTIFICATE-----\n{full}\n{full}\n{short}\n-----END CERTIFICATE-----\n"),
        format!("-----BEGIN CERTIFICATE-----\n{full}\n{full}\n"),
        format!("{full}\n{full}\n{short}\n-----END PUBLIC KEY-----\n"),
        format!("{full}\n{full}\n-----END CERTIFICATE-----\n"),
        format!("-----BEGIN PGP SIGNATURE-----\nVersion: x\n\n{full}\n{full}\n"),
    ] {
        assert_eq!(written(&text), text);
    }
}

#[test]
fn a_known_value_that_a_cut_goes_through_is_hidden_on_both_sides() {
    let secrets = Secrets::new(["hunter2-hunter2".into()]);
    let known = mark("a secret of the environment");
    let text = "a hunter2-hun\n[… 7 bytes cut here; ask]\nter2-hunter2 b";
    assert_eq!(secrets.hidden(text), format!("a {known}\n[… 7 bytes cut here; ask]\n{known} b"));
    let harmless = "a hunt\n[… 7 bytes cut here; ask]\nter2 b";
    assert_eq!(secrets.hidden(harmless), harmless);
}

/// Wherever output is cut into pieces, the same is shown of it.
#[test]
fn output_in_pieces_says_what_output_in_one_piece_says() {
    let secrets = Secrets::new(["two words hidden".into()]);
    let output = format!(
        "start\nkey gh{}_{} done\npassword = \"{}\"\nsay two words hidden\n{}\n....\nlast two wo",
        "p",
        chance(36),
        chance(24),
        key_block(3)
    );
    let whole = secrets.hidden(&output).into_owned();
    for size in [1, 2, 3, 7, 20, 64, 1000] {
        let mut live = Live::new(secrets.clone());
        let mut shown = String::new();
        let characters: Vec<char> = output.chars().collect();
        for piece in characters.chunks(size) {
            shown.push_str(&live.take(&piece.iter().collect::<String>()));
        }
        shown.push_str(&live.end());
        assert_eq!(shown, whole, "{size}");
    }
}

#[test]
fn what_cannot_be_the_beginning_of_a_secret_is_shown_at_once() {
    let mut live = Live::new(Secrets::default());
    assert_eq!(live.take("running 3 tests ..."), "running 3 tests ...");
    assert_eq!(live.take(".."), "..");
    assert_eq!(live.take(" ok, tok"), " ok, ");
    assert_eq!(live.take("en\nnext"), "token\n");
    assert_eq!(live.end(), "next");
}

#[test]
fn a_line_without_end_takes_no_memory_without_end() {
    for word in ["x", "word ", "e\u{301}\r"] {
        let mut live = Live::new(Secrets::default());
        let piece = word.repeat(3000);
        let shown: usize = (0..50).map(|_| live.take(&piece).len()).sum();
        assert!(live.remembers() < 40_000, "{}", live.remembers());
        assert_eq!(shown + live.end().len(), piece.len() * 50);
    }
}

#[test]
fn a_mark_is_known_again() {
    assert_eq!(mark_in(&format!("a {} b", mark("npm token"))), Some("[redacted: npm token]"));
    assert_eq!(mark_in("[redacted: cut"), None);
}
