//! Cases recorded from other projects' test suites. They are not part of this repository: the folder that holds
//! `dialects-peers.jsonl` stands in `AGENT_CASES`. Without it this test counts as skipped, and says so; that is why it
//! runs itself.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test may stop where it stumbles, and this one reads foreign cases and prints what it did"
)]

#[path = "reader/case.rs"]
mod case;
#[path = "reader/cuts.rs"]
mod cuts;
#[path = "reader/judge.rs"]
mod judge;
#[path = "reader/reading.rs"]
mod reading;
#[path = "reader/said.rs"]
mod said;
#[path = "reader/way.rs"]
mod way;

use case::Case;
use judge::{Claim, Verdict};
use said::Said;
use serde::Deserialize;
use serde_json::Map;
use std::path::Path;
use way::Ways;

#[derive(Deserialize)]
struct Kind {
    relevance: String,
}

struct Judged {
    id: String,
    claim: Claim,
    kind: Kind,
    verdict: Verdict,
    /// The reading depends on where the text is cut.
    cut: bool,
}

fn main() {
    const NAME: &str = "cases_of_other_projects_are_read_as_they_read_them";
    let listing = std::env::args().any(|argument| argument == "--list");
    let mut filters = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).peekable();
    if filters.peek().is_some() && !filters.any(|filter| NAME.contains(&filter)) {
        return;
    }
    let file = std::env::var("AGENT_CASES").ok().map(|folder| Path::new(&folder).join("dialects-peers.jsonl"));
    match file.filter(|file| file.exists()) {
        _ if listing => println!("{NAME}: test\n\n1 test, 0 benchmarks"),
        None => {
            println!(
                "\nrunning 1 test\ntest {NAME} ... ignored, AGENT_CASES names no folder with dialects-peers.jsonl"
            );
            println!("\ntest result: ok. 0 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n");
        }
        Some(file) => {
            println!("\nrunning 1 test");
            cases_of_other_projects_are_read_as_they_read_them(&file);
            println!(
                "test {NAME} ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"
            );
        }
    }
}

fn cases_of_other_projects_are_read_as_they_read_them(file: &Path) {
    let text = std::fs::read_to_string(file).unwrap();
    let all: Vec<Judged> = text.lines().map(judged).collect();
    assert!(!all.is_empty(), "no cases in {}", file.display());
    let share = |relevance: &str, what: &str, is_right: fn(&Verdict) -> bool| {
        let calls = || all.iter().filter(|case| case.claim.class == "call" && case.kind.relevance == relevance);
        let right = calls().filter(|case| !case.cut && is_right(&case.verdict)).count();
        println!("{relevance} cases with exact {what}: {right} of {}", calls().count());
        right as f64 / calls().count() as f64
    };
    assert!(share("core", "calls", |verdict| verdict.calls) >= 0.97);
    assert!(share("core", "calls and content", |verdict| verdict.all) >= 0.94);
    assert!(share("extended", "calls", |verdict| verdict.calls) >= 0.90);
    let none = |what: &str, is_wrong: fn(&Judged) -> bool| {
        let wrong: Vec<&str> = all.iter().filter(|case| is_wrong(case)).map(|case| case.id.as_str()).collect();
        assert_eq!(wrong, Vec::<&str>::new(), "{what}");
    };
    none("calls where there are none", |case| case.verdict.false_call);
    none("readings that depend on the cut", |case| case.cut);
}

fn judged(line: &str) -> Judged {
    let case: Case = serde_json::from_str(line).unwrap();
    let claim: Claim = serde_json::from_str(line).unwrap();
    let ways: Ways = serde_json::from_str(line).unwrap();
    let tools = case.tools(&Map::new());
    let whole = ways.read(&case, &tools, &[&case.input]);
    let cut = ways.all(&case).iter().any(|way| ways.read(&case, &tools, way) != whole);
    let kind = serde_json::from_str(line).unwrap();
    Judged { id: ways.id, kind, verdict: claim.judge(&Said::of(whole)), claim, cut }
}
