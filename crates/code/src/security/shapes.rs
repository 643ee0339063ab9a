//! Keys that are known by their shape, beyond those that are kept out of every result; how much chance there is in a
//! value; and what only stands for one.

use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A key in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// Of what: `Telegram token`.
    pub what: &'static str,
}

/// Kinds of keys; the group of one is found by its place in this list.
const KINDS: [(&str, &str); 24] = [
    ("Telegram token", r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
    ("DigitalOcean token", r"do[opr]_v1_[a-f0-9]{64}"),
    ("Shopify token", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    ("Databricks token", r"dapi[a-f0-9]{32}(?:-[0-9])?"),
    ("Square token", r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}"),
    ("Doppler token", r"dp\.(?:pt|st|sa|ct)\.[A-Za-z0-9._-]{40,}"),
    ("Linear key", r"lin_api_[A-Za-z0-9]{40}"),
    ("Notion token", r"(?:ntn_[A-Za-z0-9]{43,}|secret_[A-Za-z0-9]{43})"),
    ("Grafana token", r"glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}"),
    ("Atlassian token", r"ATATT3[A-Za-z0-9_=-]{100,}"),
    ("Vault token", r"hv[sb]\.[A-Za-z0-9_-]{24,}"),
    ("Mailgun key", r"key-[a-f0-9]{32}"),
    ("Mailchimp key", r"[a-f0-9]{32}-us[0-9]{1,2}"),
    ("Twilio key", r"SK[a-f0-9]{32}"),
    ("New Relic key", r"NRAK-[A-Z0-9]{27}"),
    (
        "Discord webhook",
        r"https://(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,}",
    ),
    ("Sentry token", r"sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    ("PlanetScale password", r"pscale_(?:pw|tkn|oauth)_[A-Za-z0-9._-]{32,}"),
    ("Postman key", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    ("Terraform token", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}"),
    ("Fly token", r"fo1_[A-Za-z0-9_-]{43}"),
    ("Azure storage key", r"AccountKey=[A-Za-z0-9+/]{86}=="),
    ("Azure access signature", r"SharedAccessKey=[A-Za-z0-9+/]{43}="),
    ("password", r#"(?i:(?:password|pwd)=[^;"'\s{}$<>%*]{6,};)"#),
];

static KEYS: LazyLock<Regex> = LazyLock::new(|| {
    let all: Vec<String> = KINDS.iter().map(|(_, looks)| format!("({looks})")).collect();
    Regex::new(&format!(r"(?:^|[^A-Za-z0-9_])(?:{})", all.join("|"))).expect("the shapes are tested")
});
/// A password of a database counts only beside where the database is.
static CONNECTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:server|data source|host|user id|uid|initial catalog)\s*=").expect("it is tested")
});

/// The keys in `line`.
pub fn keys(line: &str) -> Vec<Key> {
    let found = KEYS.captures_iter(line).filter_map(|found| {
        let group = (1..=KINDS.len()).find_map(|at| found.get(at).map(|group| (at - 1, group)));
        let (at, group) = group?;
        let what = KINDS[at].0;
        let real = what != "password" || CONNECTION.is_match(line);
        real.then(|| Key { range: group.range(), what })
    });
    found.filter(|key| !stands_for_nothing(&line[key.range.clone()])).collect()
}

/// Words that say that something only stands for a secret.
const PLACEHOLDERS: [&str; 19] = [
    "example",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "xxxx",
    "your",
    "dummy",
    "redacted",
    "sample",
    "fake",
    "test",
    "foobar",
    "todo",
    "insert",
    "0000000",
    "1234567",
    "abcdef",
    "deadbeef",
];

/// Does `value` say that it only stands for a secret?
pub fn stands_for_nothing(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let mut bytes = lower.bytes().collect::<Vec<_>>();
    bytes.sort_unstable();
    bytes.dedup();
    bytes.len() < 5 || PLACEHOLDERS.iter().any(|word| lower.contains(word))
}

/// Bits of chance in each character of `value`, as far as its own characters tell: words have about 3, keys above 3.5.
pub fn entropy(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    value.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let length = value.len() as f64;
    let bits = |count: &u32| {
        let share = f64::from(*count) / length;
        -share * share.log2()
    };
    counts.iter().filter(|count| **count > 0).map(bits).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(length: usize) -> String {
        "q7Rk2ZxW9mTb4VnL8sHd3YcJ6pGf1XaKq5Ue0".chars().cycle().take(length).collect()
    }

    fn hex(length: usize) -> String {
        "9f3c1ab27d40e58b6c".chars().cycle().take(length).collect()
    }

    /// Put together, so that nobody's scanner takes this file for a leak.
    #[test]
    fn keys_are_known_by_their_shape() {
        for (key, what) in [
            (format!("918273645{}{}", ":AA", chance(33)), "Telegram token"),
            (format!("dop{}{}", "_v1_", hex(64)), "DigitalOcean token"),
            (format!("shp{}{}", "at_", hex(32)), "Shopify token"),
            (format!("da{}{}", "pi", hex(32)), "Databricks token"),
            (format!("lin{}{}", "_api_", chance(40)), "Linear key"),
            (format!("gl{}{}_{}", "sa_", chance(32), hex(8)), "Grafana token"),
            (format!("hv{}{}", "s.", chance(30)), "Vault token"),
            (format!("PMA{}{}-{}", "K-", hex(24), hex(34)), "Postman key"),
            (format!("Account{}{}==", "Key=", chance(86)), "Azure storage key"),
            (format!("discord{}{}/{}", ".com/api/webhooks/", "9182736455463728190", chance(64)), "Discord webhook"),
        ] {
            let key = if what == "Discord webhook" { format!("https://{key}") } else { key };
            let line = format!("a = \"{key}\";");
            assert_eq!(keys(&line), [Key { range: 5..5 + key.len(), what }], "{line}");
        }
        let line = format!("Server=db;User Id=app;Pass{}=q7Rk2ZxW9;", "word");
        assert_eq!(keys(&line).len(), 1);
    }

    #[test]
    fn what_only_looks_like_a_key_is_none() {
        for line in [
            "key-0123456789abcdef0123456789abcdef",
            "commit 9f3c1ab27d40e58b6c9f3c1ab27d40e58b6c9f3c",
            "9f3c1ab2-7d40-e58b-6c9f-3c1ab27d40e5",
            "sha256-9f3c1ab27d40e58b6c9f3c1ab27d40e58b6c9f3c1ab27d40e58b6c9f3c1ab27d",
            "Server=db;User Id=app;Password=${DB_PASSWORD};",
            "Password=whatever; is how it begins",
            "monkey-business",
        ] {
            assert_eq!(keys(line), [], "{line}");
        }
    }

    #[test]
    fn chance_is_told_from_words() {
        assert!(entropy(&chance(32)) > 4.0 && entropy("passwordpassword") < 3.0 && entropy("aaaaaaaa") < 0.1);
    }
}
