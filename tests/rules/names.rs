//! Names that types share: those that a crate shows, and those that it shows to all of its own rooms.
//!
//! Read from the text of the product: `pub` or `pub(crate)`, and `struct`, `enum`, `trait`, `type` or `union`, but not what
//! stands in comments, in texts or among tests, nor what takes a type's place on another system (`elsewhere.rs`).

use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// How often one name of a public type may stand in the workspace.
const IN_WORKSPACE: usize = 3;

static NOISE: LazyLock<Regex> = LazyLock::new(|| {
    let raw = r####"r###".*?"###|r##".*?"##|r#".*?"#|\br"[^"]*""####;
    let rest = r#"/\*.*?\*/|//[^\n]*|'"'|"(?:\\.|[^"\\])*"|#\[cfg\(test\)\]\n(?:pub\(crate\) )?mod \w+ \{.*"#;
    Regex::new(&format!("(?s){raw}|{rest}")).expect("a pattern")
});
static TYPE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^\s*pub(\(crate\))? (?:unsafe )?(?:struct|enum|trait|type|union) (\w+)").expect("a pattern")
});

/// Where a type stands.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Home {
    krate: String,
    /// Other crates see it.
    public: bool,
}

/// What is wrong with the names of the types in `sources`, which come by their paths from the top.
pub(crate) fn shared(sources: &[(String, String)]) -> Vec<String> {
    let homes = homes_by_name(sources);
    homes.iter().flat_map(|(name, homes)| wrong(name, homes)).collect()
}

/// What is wrong with a name that stands once in each of `homes`, which are sorted.
fn wrong(name: &str, homes: &[Home]) -> Vec<String> {
    let mut found: Vec<String> = homes
        .windows(2)
        .filter(|pair| pair[0].krate == pair[1].krate)
        .map(|pair| format!("{name} stands twice in {}", pair[0].krate))
        .collect();
    let shown: Vec<&str> = homes.iter().filter(|home| home.public).map(|home| home.krate.as_str()).collect();
    if shown.len() > IN_WORKSPACE {
        found.push(format!("{name} stands {} times: {}", shown.len(), shown.join(", ")));
    }
    found
}

/// For the name of each type where it stands, once for each time.
fn homes_by_name(sources: &[(String, String)]) -> BTreeMap<String, Vec<Home>> {
    let mut found: BTreeMap<String, Vec<Home>> = BTreeMap::new();
    for (path, text) in sources.iter().filter(|(path, _)| is_product(path)) {
        let krate = path.split('/').nth(1).unwrap_or_default();
        for name in TYPE.captures_iter(&NOISE.replace_all(text, " ")) {
            let home = Home { krate: krate.to_owned(), public: name.get(1).is_none() };
            found.entry(name[2].to_owned()).or_default().push(home);
        }
    }
    for homes in found.values_mut() {
        homes.sort();
    }
    found
}

/// Tests, benchmarks and examples may call things as they like, and a stand-in is called as what it stands in for.
fn is_product(path: &str) -> bool {
    let aside = ["tests", "tests.rs", "benches", "examples", "elsewhere.rs"];
    path.starts_with("crates/") && !path.split('/').any(|part| aside.contains(&part))
}
