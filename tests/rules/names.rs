//! Names that public types share.
//!
//! Read from the text of the product: `pub struct`, `enum`, `trait`, `type` and `union`, but not what stands in comments, in
//! texts or among tests.

use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// How often one name may stand in the workspace.
const IN_WORKSPACE: usize = 3;

static NOISE: LazyLock<Regex> = LazyLock::new(|| {
    let raw = r####"r###".*?"###|r##".*?"##|r#".*?"#|\br"[^"]*""####;
    let rest = r#"/\*.*?\*/|//[^\n]*|'"'|"(?:\\.|[^"\\])*"|#\[cfg\(test\)\]\n(?:pub\(crate\) )?mod \w+ \{.*"#;
    Regex::new(&format!("(?s){raw}|{rest}")).expect("a pattern")
});
static TYPE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*pub (?:unsafe )?(?:struct|enum|trait|type|union) (\w+)").expect("a pattern"));

/// What is wrong with the names of the public types in `sources`, which come by their paths from the top.
pub(crate) fn shared(sources: &[(String, String)]) -> Vec<String> {
    let crates = crates_by_name(sources);
    crates.iter().flat_map(|(name, crates)| wrong(name, crates)).collect()
}

/// What is wrong with a name that stands once in each of `crates`.
fn wrong(name: &str, crates: &[String]) -> Vec<String> {
    let mut found: Vec<String> = crates
        .windows(2)
        .filter(|pair| pair[0] == pair[1])
        .map(|pair| format!("{name} stands twice in {}", pair[0]))
        .collect();
    if crates.len() > IN_WORKSPACE {
        found.push(format!("{name} stands {} times: {}", crates.len(), crates.join(", ")));
    }
    found
}

/// For the name of each public type the crates that have it, once for each time.
fn crates_by_name(sources: &[(String, String)]) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in sources.iter().filter(|(path, _)| is_product(path)) {
        let home = path.split('/').nth(1).unwrap_or_default();
        for name in TYPE.captures_iter(&NOISE.replace_all(text, " ")) {
            found.entry(name[1].to_owned()).or_default().push(home.to_owned());
        }
    }
    for crates in found.values_mut() {
        crates.sort();
    }
    found
}

/// Tests, benchmarks and examples may call things as they like.
fn is_product(path: &str) -> bool {
    let aside = ["tests", "tests.rs", "benches", "examples"];
    path.starts_with("crates/") && !path.split('/').any(|part| aside.contains(&part))
}
