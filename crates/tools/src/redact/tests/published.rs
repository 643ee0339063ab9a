//! The shapes that two detectors of secrets look for, by the names of their rules, and lines that only look like one.
//!
//! Only the formats are theirs: beginnings, alphabets and lengths, as the makers of the keys publish them. Each value is
//! made up here, and put together when the test runs.

use super::*;

fn hex(length: usize) -> String {
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".chars().cycle().take(length).collect()
}

fn upper(length: usize) -> String {
    "Q7RK2ZXW9MTB4VNL8SHD3YCJ6PGF1XAK".chars().cycle().take(length).collect()
}

fn digits(length: usize) -> String {
    "7391846250".chars().cycle().take(length).collect()
}

/// Letters, digits and what stands between them in an address.
fn word(length: usize) -> String {
    "q7Rk2-ZxW9m_Tb4VnL8sHd3-YcJ6pGf1XaKq5_Ue0".chars().cycle().take(length).collect()
}

fn base64(length: usize) -> String {
    "q7Rk2ZxW9mTb4VnL8sHd3/YcJ6pGf1XaKq5+Ue0".chars().cycle().take(length).collect()
}

fn uuid() -> String {
    format!("{}-{}-{}-{}-{}", hex(8), hex(4), hex(4), hex(4), hex(12))
}

/// By the rules of gitleaks.
fn gitleaks() -> Vec<(&'static str, String)> {
    [gitleaks_a_to_f(), gitleaks_g_to_o(), gitleaks_p_to_z()].concat()
}

fn gitleaks_a_to_f() -> Vec<(&'static str, String)> {
    let upper_parts = |lengths: &[usize]| lengths.iter().map(|length| upper(*length)).collect::<Vec<_>>().join("-");
    vec![
        ("1password-secret-key", format!("A3-{}", upper_parts(&[6, 11, 5, 5, 5]))),
        ("1password-secret-key", format!("A3-{}", upper_parts(&[6, 6, 5, 5, 5, 5]))),
        ("1password-service-account-token", format!("ops_{}{}", "eyJ", base64(260))),
        ("adobe-client-secret", format!("p8e-{}", chance(32))),
        ("age-secret-key", format!("AGE-SECRET-{}{}", "KEY-1", upper(58))),
        ("alibaba-access-key-id", format!("LT{}{}", "AI", chance(20))),
        ("anthropic-admin-api-key", format!("sk-ant-{}-{}AA", "admin01", word(93))),
        ("anthropic-api-key", format!("sk-ant-{}-{}AA", "api03", word(93))),
        ("artifactory-api-key", format!("AK{}{}", "Cp", chance(69))),
        ("artifactory-reference-token", format!("cm{}{}", "Vmd", chance(59))),
        ("atlassian-api-token", format!("ATA{}{}", "TT3", word(186))),
        ("aws-access-token", format!("AK{}{}", "IA", "Q7RKZXWMTBVNL2SH")),
        ("aws-access-token", format!("A3{}{}", "TX", "Q7RKZXWMTBVNL2SH")),
        ("azure-ad-client-secret", format!("q7R8{}{}", "Q~", chance(33))),
        ("clickhouse-cloud-api-secret-key", format!("4b{}{}", "1d", chance(38))),
        ("clojars-api-token", format!("CLO{}_{}", "JARS", chance(60))),
        ("cloudflare-origin-ca-key", format!("v1.0-{}-{}", hex(24), hex(146))),
        ("databricks-api-token", format!("da{}{}-2", "pi", hex(32))),
        ("defined-networking-api-token", format!("dn{}-{}-{}", "key", word(26), word(52))),
        ("digitalocean-access-token", format!("doo_{}_{}", "v1", hex(64))),
        ("digitalocean-pat", format!("dop_{}_{}", "v1", hex(64))),
        ("digitalocean-refresh-token", format!("dor_{}_{}", "v1", hex(64))),
        ("doppler-api-token", format!("dp.{}.{}", "pt", chance(43))),
        ("dropbox-short-lived-api-token", format!("s{}{}", "l.", word(135))),
        ("duffel-api-token", format!("duffel_{}_{}", "live", word(43))),
        ("dynatrace-api-token", format!("dt0{}.{}.{}", "c01", chance(24), chance(64))),
        ("easypost-api-token", format!("EZ{}{}", "AK", chance(54))),
        ("easypost-test-api-token", format!("EZ{}{}", "TK", chance(54))),
        ("facebook-page-access-token", format!("EA{}{}", "AM", chance(120))),
        ("flutterwave-secret-key", format!("FLW{}-{}-X", "SECK_TEST", hex(32))),
        ("flutterwave-encryption-key", format!("FLW{}-{}", "SECK_TEST", hex(12))),
        ("flyio-access-token", format!("fo{}_{}", "1", word(43))),
        ("flyio-access-token", format!("fm{}_{}=", "2", base64(120))),
        ("frameio-api-token", format!("fio-{}-{}", "u", word(64))),
    ]
}

fn gitleaks_g_to_o() -> Vec<(&'static str, String)> {
    vec![
        ("gcp-api-key", format!("AI{}{}", "za", word(35))),
        ("github-app-token", format!("gh{}_{}", "u", chance(36))),
        ("github-fine-grained-pat", format!("github_{}_{}", "pat", chance(82))),
        ("github-oauth", format!("gh{}_{}", "o", chance(36))),
        ("github-pat", format!("gh{}_{}", "p", chance(36))),
        ("github-refresh-token", format!("gh{}_{}", "r", chance(36))),
        ("gitlab-cicd-job-token", format!("gl{}-64_{}", "cbt", word(20))),
        ("gitlab-deploy-token", format!("gl{}-{}", "dt", word(20))),
        ("gitlab-feature-flag-client-token", format!("gl{}-{}", "ffct", word(20))),
        ("gitlab-feed-token", format!("gl{}-{}", "ft", word(20))),
        ("gitlab-incoming-mail-token", format!("gl{}-{}", "imt", word(25))),
        ("gitlab-kubernetes-agent-token", format!("gl{}-{}", "agent", word(50))),
        ("gitlab-oauth-app-secret", format!("gl{}-{}", "oas", word(64))),
        ("gitlab-pat", format!("gl{}-{}", "pat", word(20))),
        ("gitlab-pat-routable", format!("gl{}-{}.01.0x9f86d08", "pat", word(30)).replace(".01.0x", ".01")),
        ("gitlab-ptt", format!("gl{}-{}", "ptt", hex(40))),
        ("gitlab-rrt", format!("GR1348{}{}", "941", word(20))),
        ("gitlab-runner-authentication-token", format!("gl{}-{}", "rt", word(20))),
        ("gitlab-scim-token", format!("gl{}-{}", "soat", word(20))),
        ("gitlab-session-cookie", format!("_gitlab_{}={}", "session", hex(32))),
        ("grafana-api-key", format!("eyJ{}{}", "rIjoi", chance(80))),
        ("grafana-cloud-api-token", format!("gl{}_{}=", "c", base64(60))),
        ("grafana-service-account-token", format!("gl{}_{}_{}", "sa", chance(32), hex(8))),
        ("harness-api-key", format!("pa{}.{}.{}.{}", "t", word(22), chance(24), chance(20))),
        ("hashicorp-tf-api-token", format!("{}.atlas{}.{}", chance(14), "v1", word(66))),
        ("heroku-api-key-v2", format!("HRKU-{}{}", "AA", word(58))),
        ("huggingface-access-token", format!("h{}_{}", "f", "qRkZxWmTbVnLsHdYcJpGfXaKqUeqRkZxWm")),
        ("huggingface-organization-api-token", format!("api_{}_{}", "org", "qRkZxWmTbVnLsHdYcJpGfXaKqUeqRkZxWm")),
        ("infracost-api-token", format!("ic{}-{}", "o", chance(32))),
        ("intra42-client-secret", format!("s-s4{}-{}", "t2ud", hex(64))),
        ("jwt", format!("eyJ{0}.eyJ{0}.{0}", chance(30))),
        ("linear-api-key", format!("lin_{}_{}", "api", chance(40))),
        ("maxmind-license-key", format!("{}_{}_mm{}", chance(6), chance(29), "k")),
        (
            "microsoft-teams-webhook",
            format!("https://x.webhook.office.com/{}/{2}@{2}/IncomingWebhook/{1}/{2}", "webhookb2", hex(32), uuid()),
        ),
        ("new-relic-browser-api-token", format!("NR{}-{}", "JS", hex(19))),
        ("new-relic-insert-key", format!("NR{}-{}", "II", chance(32))),
        ("new-relic-user-api-key", format!("NR{}-{}", "AK", upper(27))),
        ("notion-api-token", format!("nt{}_{}{}", "n", digits(11), chance(35))),
        ("npm-access-token", format!("np{}_{}", "m", chance(36))),
        ("octopus-deploy-api-key", format!("AP{}-{}", "I", upper(26))),
        ("openai-api-key", format!("sk-{}T3Blb{}{}", chance(20), "kFJ", chance(20))),
        ("openai-api-key", format!("sk-proj-{}T3Blb{}{}", word(74), "kFJ", word(74))),
        ("openshift-user-token", format!("sha{}{}", "256~", word(43))),
    ]
}

fn gitleaks_p_to_z() -> Vec<(&'static str, String)> {
    vec![
        ("perplexity-api-key", format!("pp{}-{}", "lx", chance(48))),
        ("plaid-api-token", format!("access-{}-{}", "sandbox", uuid())),
        ("planetscale-api-token", format!("pscale_{}_{}", "tkn", word(43))),
        ("planetscale-oauth-token", format!("pscale_{}_{}", "oauth", word(43))),
        ("planetscale-password", format!("pscale_{}_{}", "pw", word(43))),
        ("postman-api-token", format!("PM{}-{}-{}", "AK", hex(24), hex(34))),
        ("prefect-api-token", format!("pn{}_{}", "u", chance(36))),
        ("pulumi-api-token", format!("pu{}-{}", "l", hex(40))),
        ("pypi-upload-token", format!("pypi-Ag{}{}", "EIcHlwaS5vcmc", word(60))),
        ("readme-api-token", format!("rd{}_{}", "me", chance(70).to_lowercase())),
        ("rubygems-api-token", format!("ruby{}_{}", "gems", hex(48))),
        ("scalingo-api-token", format!("tk-{}-{}", "us", word(48))),
        ("sendgrid-api-token", format!("S{}.{}.{}", "G", word(22), word(43))),
        ("sendinblue-api-token", format!("xkey{}-{}-{}", "sib", hex(64), chance(16))),
        (
            "sentry-org-token",
            format!("sntrys_eyJpYXQ{}{}LCJyZWdpb25fdXJs{}=_{}", "iO", base64(40), base64(30), base64(43)),
        ),
        ("sentry-user-token", format!("sntr{}_{}", "yu", hex(64))),
        ("settlemint-personal-access-token", format!("sm_{}_{}", "pat", chance(16))),
        ("shippo-api-token", format!("shippo_{}_{}", "live", hex(40))),
        ("shopify-access-token", format!("shp{}_{}", "at", hex(32))),
        ("shopify-custom-access-token", format!("shp{}_{}", "ca", hex(32))),
        ("shopify-private-app-access-token", format!("shp{}_{}", "pa", hex(32))),
        ("shopify-shared-secret", format!("shp{}_{}", "ss", hex(32))),
        ("slack-app-token", format!("xa{}-1-A{}-{}-{}", "pp", upper(10), digits(12), hex(64))),
        ("slack-bot-token", format!("xo{}-{}-{}-{}", "xb", digits(12), digits(12), chance(24))),
        ("slack-config-access-token", format!("xoxe.xo{}-1-{}", "xp", upper(164))),
        ("slack-config-refresh-token", format!("xo{}-1-{}", "xe", upper(146))),
        ("slack-legacy-token", format!("xo{}-{}-{}-{}-{}", "xs", digits(11), digits(11), digits(11), hex(10))),
        ("slack-user-token", format!("xo{}-{}-{}-{}-{}", "xp", digits(12), digits(12), digits(12), hex(32))),
        ("sourcegraph-access-token", format!("sg{}_{}_{}", "p", hex(16), hex(40))),
        ("sourcegraph-access-token", format!("sg{}_{}", "p", hex(40))),
        ("square-access-token", format!("sq0{}-{}", "atp", word(22))),
        ("square-access-token", format!("EA{}{}", "AA", word(60))),
        ("stripe-access-token", format!("rk_{}_{}", "prod", chance(24))),
        ("telegram-bot-api-token", format!("{}:A{}{}", digits(10), "A", word(33))),
        ("twilio-api-key", format!("S{}{}", "K", hex(32))),
        ("typeform-api-token", format!("tf{}_{}", "p", word(59))),
        ("vault-batch-token", format!("hv{}.{}", "b", word(140))),
        ("vault-service-token", format!("hv{}.{}", "s", word(95))),
        ("yandex-access-token", format!("t1{}{}.{}", ".", word(30), word(86))),
        ("yandex-api-key", format!("AQ{}{}", "VN", word(36))),
    ]
}

/// By the plugins of detect-secrets.
fn detect_secrets() -> Vec<(&'static str, String)> {
    vec![
        ("artifactory", format!("AK{}{}", "Cp", chance(69))),
        ("aws", format!("AS{}{}", "IA", "Q7RKZXWMTBVNL2SH")),
        ("azure_storage_key", format!("Account{}={}==", "Key", base64(86))),
        ("discord", format!("M{}.{}.{}", chance(23), chance(6), word(27))),
        ("discord", format!("MTk4NjIyNDgzNDcxOTI1{}.{}.{}", "MjQ4", chance(6), word(27))),
        ("github_token", format!("gh{}_{}", "s", chance(36))),
        ("gitlab_token", format!("gl{}-{}", "imt", word(30))),
        ("jwt", format!("eyJ{0}.eyJ{0}.{0}", chance(30))),
        ("mailchimp", format!("{}-u{}", hex(32), "s12")),
        ("npm", format!("//registry.example/:_auth{}={}", "Token", chance(36))),
        ("openai", format!("sk-{}T3Blb{}{}", chance(20), "kFJ", chance(20))),
        ("pypi_token", format!("pypi-Ag{}{}", "ENdGVzdC5weXBpLm9yZw", word(70))),
        ("sendgrid", format!("S{}.{}.{}", "G", word(22), word(43))),
        ("slack", format!("xo{}-{}-{}-{}", "xp", digits(11), digits(11), hex(32))),
        ("slack", format!("https://hooks.slack.com/{}/T{}/B{}/{}", "services", upper(8), upper(8), chance(24))),
        ("square_oauth", format!("sq0{}-{}", "csp", word(43))),
        ("stripe", format!("sk_{}_{}", "live", chance(24))),
        ("telegram_token", format!("{}:A{}{}", digits(9), "A", word(33))),
        ("twilio", format!("A{}{}", "C", hex(32))),
    ]
}

/// As their makers publish them.
fn others() -> Vec<(&'static str, String)> {
    vec![
        ("Airtable", format!("pa{}{}.{}", "t", chance(14), hex(64))),
        ("Buildkite", format!("bk{}_{}", "ua", hex(40))),
        ("Discord", format!("https://discord.com/api/{}/{}/{}", "webhooks", digits(18), word(68))),
        ("Docker", format!("dckr_{}_{}", "pat", word(27))),
        ("Figma", format!("fig{}_{}", "d", word(43))),
        ("LangSmith", format!("lsv2_{}_{}_{}", "pt", hex(32), hex(10))),
        ("Netlify", format!("nf{}_{}", "p", chance(36))),
        ("Replicate", format!("r{}_{}", "8", chance(37))),
        ("Sonar", format!("sq{}_{}", "p", hex(40))),
        ("Atlassian", format!("ATA{}{}", "TT3", chance(100))),
        ("Azure access signature", format!("SharedAccess{}={}=", "Key", base64(43))),
        ("Notion", format!("secr{}_{}", "et", chance(43))),
        ("Notion", format!("nt{}_{}", "n", chance(43))),
        ("PlanetScale", format!("pscale_{}_{}.{}", "pw", chance(20), chance(20))),
        ("Sentry", format!("sntr{}_{}", "ys", base64(60))),
        ("Vault of a machine of one's own", format!("hv{}.{}", "s", chance(24))),
        ("Supabase", format!("sb{}_{}", "p", hex(40))),
        ("Tailscale", format!("tskey-{}-{}-{}", "auth", chance(12), chance(32))),
    ]
}

#[test]
fn the_shapes_that_detectors_look_for_are_hidden_wherever_they_stand() {
    let all = [gitleaks(), detect_secrets(), others()].concat();
    let rules: std::collections::BTreeSet<&str> = all.iter().map(|(rule, _)| *rule).collect();
    assert!(rules.len() >= 40, "{}", rules.len());
    let mut missed = Vec::new();
    for (rule, key) in &all {
        for (before, after) in [
            ("", ""),
            ("use ", " now"),
            ("\"", "\","),
            ("key=", "\n"),
            ("\u{1b}[31m", "\u{1b}[0m"),
            ("a\\n", "\\n"),
            ("'", "'"),
        ] {
            let text = format!("{before}{key}{after}");
            let shown = hidden(&text);
            let marks = shown.matches(MARK).count();
            if marks != 1
                || shown.contains(&key[key.len() - 8..])
                || !shown.starts_with(before)
                || !shown.ends_with(after)
            {
                missed.push(format!("{rule}: {text:?} became {shown:?}"));
            }
        }
    }
    assert!(missed.is_empty(), "missed {} times, of {} keys:\n{}", missed.len(), all.len(), missed.join("\n"));
}

#[test]
fn in_a_piece_of_output_they_are_hidden_however_it_is_cut() {
    for (rule, key) in [gitleaks(), detect_secrets()].concat() {
        let text = format!("token is {key} and more\nnext\n");
        let whole = hidden(&text);
        for size in [1, 7, 33] {
            let mut live = Live::new(Secrets::default());
            let mut shown = String::new();
            for piece in text.chars().collect::<Vec<_>>().chunks(size) {
                shown.push_str(&live.take(&piece.iter().collect::<String>()));
            }
            assert_eq!(shown + &live.end(), whole, "{rule} by {size}");
        }
    }
}

#[test]
fn a_key_that_is_too_short_or_goes_on_is_none() {
    for text in [
        format!("shp{}_{}", "at", hex(31)),
        format!("shp{}_{}", "at", hex(33)),
        format!("shp{}_{}_more", "at", hex(32)),
        format!("my_shp{}_{}", "at", hex(32)),
        format!("S{}{}", "K", hex(31)),
        format!("S{}{}", "K", hex(40)),
        format!("{}:A{}{}", digits(10), "A", word(32)),
        format!("{}-u{}", hex(31), "s12"),
        format!("glsa_{}", chance(32)),
        format!("shp{}_{}", "at", "x".repeat(32)),
        format!("LTAI{}", "a".repeat(20)),
    ] {
        assert_eq!(hidden(&text), text);
    }
}

/// What comes out of builds, lock files and repositories, and looks as if somebody had made it up.
#[test]
fn what_only_looks_made_up_is_left_alone() {
    let integrity = format!("sha512-{}==", base64(86));
    let id = hex(40);
    for text in [
        id.clone(),
        hex(64),
        upper(40),
        uuid(),
        format!("commit {id}\nAuthor: Ann <ann@example.com>\n"),
        format!("{} Merge branch 'main' of example.com:x/y", &id[..9]),
        format!("index {}..{} 100644", &id[..7], &id[8..15]),
        format!("\"integrity\": \"{integrity}\","),
        format!("\"resolved\": \"https://registry.npmjs.org/x/-/x-1.0.0.tgz#{id}\","),
        format!("  integrity {integrity}\n"),
        format!("golang.org/x/text v0.14.0 h1:{}=", base64(43)),
        format!("checksum = \"{}\"", hex(64)),
        format!("FROM debian@sha256:{}", hex(64)),
        format!("--hash=sha256:{}", hex(64)),
        format!("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC{} ann@host", base64(340)),
        format!("ETag: \"{}-{}\"", hex(8), hex(12)),
        format!("src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA{}==\"", base64(900)),
        format!("url(data:font/woff2;base64,d09GMgABAAAAA{}=)", base64(900)),
        format!("//# sourceMappingURL=data:application/json;base64,{}", base64(600)),
        format!("\"mappings\":\"AAAA,SAASA,EAAUC,GACf,OAAOC,EAAOD;EAAAA,{}\"", base64(300).replace('/', ";")),
        format!("<script src=\"/assets/index-{}.js\"></script>", &id[..8]),
        format!("restore-keys: cache-key-{}", hex(32)),
        format!("key: deps-key-{}", hex(32)),
        format!("arn:aws:iam::{}:role/Reader", digits(12)),
        format!("sk_{}", "live_mode_is_on"),
        "!function(e,t){\"object\"==typeof exports?module.exports=t():e.sl.x=t()}(this,function(){return pat.test(t1.a)})".into(),
        "const pat = /^sl\\.|^t1\\./; pat.exec(line); sl.sort(); hvs.push(x); pat.source.length".into(),
        "NotificationPreferencesX2.method.shouldReturnTheThingThatWasAsked".into(),
        "MessagesControllerTestsFor.create.respondsWithUnprocessableEntity".into(),
        "doc_v1_something, dop_v1_ is how they begin, sq0atp- too, and so do gsk_, hvs. and EAAA".into(),
        "access-production-logs, access-sandbox-2024, key-value-store, API-GATEWAY-TIMEOUT-SECONDS".into(),
        "AC milan, SK-II, SKIP_INSTALL_DEPENDENCIES_IN_CI, ACTIVE_RECORD_ENCRYPTION_TEST_ENV".into(),
        "https://example.webhook.office.com/webhookb2/ is where they go; so is /api/webhooks/github".into(),
        "en-us12, 1234-us1, config-us-east-1, module.us2".into(),
        "test_that_a_long_name_of_a_test_is_no_key_at_all, live_reload_server_port".into(),
        "hvs.some_method_with_a_long_name_of_words(), secret_ofTheHouseThatJackBuiltWithHisOwnTwoHandsX".into(),
        "pscale_tkn_, rdme_, rubygems_version, sbp_id, sgp_local_, npm_config_x, tfp_".into(),
    ] {
        assert_eq!(hidden(&text), text);
    }
}

/// Pictures and archives as letters: by chance everything stands in them somewhere.
#[test]
fn nothing_is_found_in_what_is_only_chance() {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut letter = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(LETTERS[(seed >> 58) as usize])
    };
    for _ in 0..100 {
        let picture: String = (0..8_000).map(|_| letter()).collect();
        assert_eq!(hidden(&picture), picture);
        let lines: Vec<&str> = (0..8_000).step_by(76).map(|at| &picture[at..(at + 76).min(8_000)]).collect();
        assert_eq!(hidden(&lines.join("\n")), lines.join("\n"));
    }
}

/// Each beginning of a key is followed at most as far as it could go, however many there are.
#[test]
fn many_beginnings_of_keys_are_gone_through_once() {
    for begin in ["figd_-", "sl.", "gsk_", "-figd_", "glc_+", "ops_eyJ+", "EAAM", "sk-", "t1.", "tskey-auth-", "pat.a"]
    {
        let text = begin.repeat(1_000_000 / begin.len());
        assert!(hidden(&text).len() <= text.len() + text.len() / 2, "{begin}");
    }
}
