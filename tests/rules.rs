//! The rules of the house, each also fed a bad sample so that the rule itself is known to bite.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

#[path = "rules/arrows.rs"]
mod arrows;
#[path = "rules/circles.rs"]
mod circles;
#[path = "rules/foreign.rs"]
mod foreign;
#[path = "rules/names.rs"]
mod names;
#[path = "rules/packages.rs"]
mod packages;

use arrows::MAY_USE;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the mind must not lean on: anything that waits, reads or is random.
const MIND: &[&str] = &["agent-protocol", "agent-policy", "agent-dialects", "agent-session"];
const MIND_MAY_USE: &[&str] =
    &["regex", "serde", "serde_json", "similar", "strum", "toml", "unicode-segmentation", "unicode-width"];

/// Rooms that lead inputs, events and wishes on: an event that is new must not compile there before it has a place.
const DISPATCH: &[&str] = &[
    "crates/acp/src/mapping.rs",
    "crates/headless/src/text.rs",
    "crates/loop/src/arrival.rs",
    "crates/loop/src/driver.rs",
    "crates/tui/src/app/events.rs",
    "crates/session/src/answers.rs",
    "crates/session/src/machine.rs",
    "crates/session/src/records/export.rs",
    "crates/session/src/records/recorder.rs",
    "crates/session/src/records/recorder/trimmed.rs",
    "crates/session/src/records/resume.rs",
    "crates/session/src/turn/mod.rs",
    "crates/session/src/requests.rs",
];

/// Lines a file may have.
const ROOM: usize = 500;

/// Larger rooms, each with its reason. Lists of like things may be long.
const LARGER_ROOMS: &[(&str, &str)] =
    &[("crates/session/tests/turns.rs", "a list of like things: one claim after the other")];

#[test]
fn arrows_point_down() {
    assert_eq!(wrong_arrows(&dependencies()), Vec::<String>::new());
    let bad = BTreeMap::from([("agent-session".to_owned(), vec!["agent-tools".to_owned()])]);
    assert_eq!(wrong_arrows(&bad), ["agent-session must not use agent-tools"]);
    let unknown = BTreeMap::from([("agent-core".to_owned(), vec![])]);
    assert_eq!(wrong_arrows(&unknown), ["agent-core has no place in the house"]);
}

#[test]
fn the_mind_leans_on_nothing_that_waits() {
    assert_eq!(idle_minds(&dependencies()), Vec::<String>::new());
    let bad = BTreeMap::from([("agent-session".to_owned(), vec!["tokio".to_owned(), "agent-policy".to_owned()])]);
    assert_eq!(idle_minds(&bad), ["agent-session must not use tokio"]);
}

#[test]
fn no_rooms_of_a_crate_name_one_another_in_a_circle() {
    for (name, files) in crates() {
        assert_eq!(circles::circles(&files), Vec::<String>::new(), "{name}");
    }
    let sample = |files: &[(&str, &str)]| {
        circles::circles(&files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
    };
    let straight = [("a.rs", "use crate::b::Thing;"), ("b.rs", "pub struct Thing;\n// as crate::a has it")];
    assert!(sample(&straight).is_empty());
    let circle = [("a.rs", "use crate::b::{Thing, other};"), ("b.rs", "fn f() { super::a::g() }")];
    assert_eq!(sample(&circle), ["a, b"]);
    let by_the_door =
        [("lib.rs", "pub use a::Thing;"), ("a.rs", "use crate::b;\nfn f() { b::g() }"), ("b.rs", "use crate::Thing;")];
    assert_eq!(sample(&by_the_door), ["a, b"]);
    let part = [("a.rs", "use part::Piece;"), ("a/part.rs", "use super::Whole;")];
    assert!(sample(&part).is_empty());
}

#[test]
fn no_types_that_rooms_share_have_one_name_in_a_crate_and_few_public_ones_in_the_workspace() {
    assert_eq!(names::shared(&sources()), Vec::<String>::new());
    let sample = |files: &[(&str, &str)]| {
        names::shared(&files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect::<Vec<_>>())
    };
    let twice = [("crates/x/src/a.rs", "pub struct Plan;"), ("crates/x/src/b.rs", "    pub enum Plan { A }")];
    assert_eq!(sample(&twice), ["Plan stands twice in x"]);
    let inside =
        [("crates/x/src/a.rs", "pub(crate) struct Plan;"), ("crates/x/src/b.rs", "pub(crate) enum Plan { A }")];
    assert_eq!(sample(&inside), ["Plan stands twice in x"]);
    let stand_in = [inside[0], ("crates/x/src/elsewhere.rs", "pub(crate) struct Plan;")];
    assert!(sample(&stand_in).is_empty());
    let apart = ["a", "b", "c", "d"].map(|name| (format!("crates/{name}/src/lib.rs"), "pub trait Plan {}".to_owned()));
    assert_eq!(names::shared(&apart), ["Plan stands 4 times: a, b, c, d"]);
    assert!(names::shared(&apart[1..]).is_empty());
    let text = "/// pub struct Plan;\nconst A: &str = r#\"\npub struct Plan;\n\"#;\npub struct Plan;\nstruct Other;";
    let tested = "pub struct Other;\n#[cfg(test)]\nmod tests {\n    pub struct Plan;\n}";
    let aside =
        [("crates/x/src/a.rs", text), ("crates/x/src/b.rs", tested), ("crates/x/tests/c.rs", "pub struct Plan;")];
    assert!(sample(&aside).is_empty());
}

#[test]
fn packages_may_be_given_away_and_come_from_the_registry() {
    let ours = packages::packages();
    assert!(ours.len() > 100, "the packages were found");
    assert_eq!(packages::wrong(&ours), Vec::<String>::new());
    let sample = |name: &str, licence: Option<&str>, source: &str| packages::Package {
        name: name.to_owned(),
        licence: licence.map(str::to_owned),
        source: Some(source.to_owned()),
    };
    let good = ["MIT", "GPL-3.0 OR MIT", "(MIT OR GPL-3.0) AND Unicode-3.0", "Unlicense/MIT"];
    let good = good.map(|licence| sample("a", Some(licence), "registry+x"));
    assert_eq!(packages::wrong(&good), Vec::<String>::new());
    let bad = [
        sample("a", Some("GPL-3.0"), "registry+x"),
        sample("b", Some("MIT AND (GPL-3.0 OR AGPL-3.0)"), "registry+x"),
        sample("c", None, "registry+x"),
        sample("d", Some("MIT"), "git+https://example.org/d"),
        sample("tokio", Some("MIT"), "registry+x"),
        sample("tokio", Some("MIT"), "registry+x"),
        sample("openssl-sys", Some("MIT"), "registry+x"),
    ];
    let found = [
        "a has the licence GPL-3.0",
        "b has the licence MIT AND (GPL-3.0 OR AGPL-3.0)",
        "c names no licence",
        "d comes from git+https://example.org/d",
        "tokio is there in more than one version",
        "openssl-sys must not be used",
    ];
    assert_eq!(packages::wrong(&bad), found);
}

#[test]
fn nothing_of_the_product_is_called_unreachable() {
    let calls: Vec<String> = sources().iter().filter_map(|(path, text)| unreachable_in(path, text)).collect();
    assert_eq!(calls, ["crates/store/src/sessions/room.rs"], "it tries names without end");
    assert!(unreachable_in("crates/x/src/lib.rs", "match a { A => 1, _ => unreachable!() }").is_some());
    assert!(unreachable_in("crates/x/src/tests/lib.rs", "unreachable!()").is_none());
    assert!(unreachable_in("crates/x/src/lib.rs", "#[cfg(test)]\nmod tests { unreachable!() }").is_none());
}

#[test]
fn dispatch_names_every_kind() {
    let sources = sources();
    let missing = DISPATCH.iter().filter(|room| !sources.iter().any(|(path, _)| path == *room));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&&str>::new(), "rooms of dispatch that are somewhere else by now");
    let dispatch = sources.iter().filter(|(path, _)| DISPATCH.contains(&path.as_str()));
    let found: Vec<String> = dispatch.filter_map(|(path, text)| catch_all(path, text)).collect();
    assert_eq!(found, Vec::<String>::new());
    assert!(catch_all("a.rs", "match event {\n    Event::Turn(_) => {}\n    _ => {}\n}").is_some());
    assert!(catch_all("a.rs", "match event {\n    Event::Turn(_) => {}\n    _ if late => {}\n}").is_some());
    assert!(catch_all("a.rs", "Event::Turn(_) => {}\n#[cfg(test)]\nmod tests {\n    _ => {}\n}").is_none());
}

#[test]
fn rooms_stay_small() {
    let large: Vec<String> = sources().iter().filter_map(|(path, text)| too_large(path, text)).collect();
    assert_eq!(large, Vec::<String>::new());
    assert!(too_large("crates/x/src/lib.rs", &"x\n".repeat(ROOM + 1)).is_some());
    assert!(too_large("crates/x/src/lib.rs", &"x\n".repeat(ROOM)).is_none());
}

#[test]
fn every_room_has_a_caption() {
    let bare: Vec<String> = sources().iter().filter_map(|(path, text)| no_caption(path, text)).collect();
    assert_eq!(bare, Vec::<String>::new());
    assert!(no_caption("a.rs", "use std::fs;\n").is_some());
}

#[test]
fn only_turn_and_the_door_name_the_policy() {
    assert_eq!(breaches(&sources(), &POLICY), Vec::<String>::new());
    bites(&POLICY, "crates/tools/src/toolbox.rs", "let p = Policy::new(setup);");
    spares(&POLICY, "crates/session/src/machine.rs", "let p = Policy::new(setup);");
}

#[test]
fn ollama_rs_stays_in_the_backend() {
    assert_eq!(breaches(&sources(), &OLLAMA), Vec::<String>::new());
    bites(&OLLAMA, "crates/loop/src/driver.rs", "use ollama_rs::Ollama;");
}

#[test]
fn the_screen_touches_files_and_programs_only_in_its_terminal_room() {
    assert_eq!(breaches(&sources(), &SCREEN), Vec::<String>::new());
    bites(&SCREEN, "crates/tui/src/app/mod.rs", "std::fs::read(path)");
    spares(&SCREEN, "crates/tui/src/terminal/editor.rs", "std::fs::read(path)");
}

#[test]
fn the_front_end_of_editors_touches_no_file_and_starts_nothing() {
    assert_eq!(breaches(&sources(), &EDITORS), Vec::<String>::new());
    bites(&EDITORS, "crates/acp/src/sessions.rs", "tokio::fs::metadata(path).await");
    spares(&EDITORS, "crates/agent/subcommands/acp.rs", "std::fs::read(path)");
}

/// One crate makes foreign text safe; these are the doors through which it could pass without that.
#[test]
fn no_front_end_prints_foreign_text_without_its_mark() {
    let sources = sources();
    assert_eq!(breaches(&sources, &foreign::LINES), Vec::<String>::new());
    assert_eq!(breaches(&sources, &foreign::EDITOR_TEXT), Vec::<String>::new());
    let found = |rule: fn(&str, &str) -> Vec<String>| -> Vec<String> {
        sources.iter().flat_map(|(path, text)| rule(path, text)).collect()
    };
    assert_eq!(found(foreign::bare), Vec::<String>::new());
    assert_eq!(found(foreign::begins_with_others), Vec::<String>::new());
    bites(&foreign::LINES, "crates/headless/src/lines/talk.rs", "writeln!(out, \"{text}\")?;");
    bites(&foreign::EDITOR_TEXT, "crates/acp/src/session.rs", "json!({\"type\": \"text\", \"text\": name})");
    let shown = "crates/headless/src/mcp/asking/shown.rs";
    for bad in ["format!(\"{tool} of us\")", "format!(\"in {}\", cwd.display())", "format!(\"is sent to {}\", url)"] {
        assert_eq!(foreign::bare(shown, bad).len(), 1, "{bad}");
    }
    assert!(foreign::bare(shown, "format!(\"{} of us\", clean_line(tool))").is_empty());
    let lines = "crates/headless/src/lines/talk.rs";
    for bad in ["format!(\"{text}\")", "format!(\"{}, changed\", file.shown_path)"] {
        assert_eq!(foreign::begins_with_others(lines, bad).len(), 1, "{bad}");
    }
    assert!(foreign::begins_with_others(lines, "format!(\"title: {title}\")").is_empty());
}

#[test]
fn unsafe_code_stays_in_the_sandbox() {
    assert_eq!(breaches(&sources(), &UNSAFE), Vec::<String>::new());
    bites(&UNSAFE, "crates/tools/src/apply.rs", "unsafe { libc::setsid() }");
}

#[test]
fn only_tests_reach_nearer_than_the_public_net() {
    assert_eq!(breaches(&sources(), &NEAR), Vec::<String>::new());
    bites(&NEAR, "crates/agent/session.rs", "Web::new(accounts).also_reaching(place)");
    spares(&NEAR, "crates/tools/tests/net/serving.rs", "web.also_reaching(place)");
}

#[test]
fn every_dialect_stands_on_the_page() {
    let page = fs::read_to_string("docs/DIALECTS.md").unwrap();
    assert_eq!(missing_dialects(&sources(), &page), Vec::<String>::new());
    let unknown = [("crates/dialects/src/dialects/klingon.rs".to_owned(), String::new())];
    assert_eq!(missing_dialects(&unknown, &page), ["klingon is not in docs/DIALECTS.md"]);
}

#[test]
fn every_slash_command_stands_on_the_page() {
    let page = fs::read_to_string("docs/SCREEN.md").unwrap();
    let table = fs::read_to_string("crates/tui/src/app/commands.rs").unwrap();
    assert_eq!(missing_commands(&table, &page), Vec::<String>::new());
    let unknown = "command(\"juggle\", Group::Work, \"with three balls\", |_, _| vec![])";
    assert_eq!(missing_commands(unknown, &page), ["/juggle is not in docs/SCREEN.md"]);
}

#[test]
fn nothing_speaks_of_one_machine() {
    assert_eq!(breaches(&sources(), &MACHINE), Vec::<String>::new());
    bites(&MACHINE, "tests/x.rs", concat!("let path = \"/wo", "rk/x\";"));
}

/// The system message and the schemas of the tools that are on at the start, as they go over the wire, in characters.
#[test]
fn the_prompt_stays_small() {
    let specs = agent_tools::Toolbox::new(PathBuf::from("/p")).specs();
    let tools: Vec<Value> = specs
        .iter()
        .map(|spec| {
            serde_json::json!({"type": "function", "function": {
                "name": spec.name, "description": spec.description, "parameters": spec.parameters}})
        })
        .collect();
    let system = agent_session::context::system_prompt("/p", "linux", &[]).chars().count();
    let schemas = Value::from(tools).to_string().chars().count();
    assert_eq!(specs.len(), 11);
    assert_eq!(too_much_prompt(system, schemas), None);
    assert!(too_much_prompt(4_000, 1_001).is_some());
}

fn too_much_prompt(system: usize, schemas: usize) -> Option<String> {
    (system + schemas > 5_000).then(|| format!("{system} for the system message and {schemas} for the schemas"))
}

/// Words that may stand only in some places.
struct Border {
    words: &'static [&'static str],
    only_in: &'static [&'static str],
    applies_to: &'static str,
}

// The `Policy` of the backend, of `mcp` and of `web` is the HTTP client's rule for redirects; it has no arrow to ours. The example of the tools shows
// what the gate says of commands, with facts of the disk, and carries nothing out.
const POLICY: Border = Border {
    words: &["Policy"],
    only_in: &[
        "crates/policy/",
        "crates/session/",
        "crates/agent/",
        "crates/sandbox/tests/",
        "crates/sandbox/benches/",
        "crates/bench/tests/",
        "crates/tools/tests/",
        "crates/tools/examples/classify.rs",
        "crates/loop/tests/",
        "crates/backend/",
        "crates/tools/src/mcp/http.rs",
        "crates/tools/src/web/",
        "crates/tools/tests/net/",
    ],
    applies_to: "crates/",
};
const OLLAMA: Border = Border { words: &["ollama_rs"], only_in: &["crates/backend/"], applies_to: "crates/" };
const SCREEN: Border = Border {
    words: &["std::fs", "std::process", "std::net", "std::env", "crossterm::execute"],
    only_in: &["crates/tui/src/terminal/", "crates/tui/tests/", "crates/tui/benches/"],
    applies_to: "crates/tui/",
};
const EDITORS: Border = Border {
    words: &["std::fs", "tokio::fs", "std::process", "tokio::process", "std::net", "tokio::net", "std::env"],
    only_in: &[],
    applies_to: "crates/acp/",
};
const UNSAFE: Border =
    Border { words: &["unsafe {", "unsafe fn"], only_in: &["crates/sandbox/"], applies_to: "crates/" };
const NEAR: Border = Border {
    words: &["also_reaching"],
    only_in: &["crates/tools/src/web.rs", "crates/tools/tests/", "crates/loop/tests/", "tests/"],
    applies_to: "",
};
const MACHINE: Border = Border { words: &[concat!("/wo", "rk/"), concat!("/ro", "ot/")], only_in: &[], applies_to: "" };

fn breaches(sources: &[(String, String)], border: &Border) -> Vec<String> {
    let outside = |path: &str| {
        path.starts_with(border.applies_to) && !border.only_in.iter().any(|inside| path.starts_with(inside))
    };
    let mut found = Vec::new();
    for (path, text) in sources.iter().filter(|(path, _)| outside(path)) {
        for word in border.words {
            if path != "tests/rules.rs" && code_lines(text).any(|line| has_word(line, word)) {
                found.push(format!("{path} names {word}"));
            }
        }
    }
    found
}

fn bites(border: &Border, path: &str, text: &str) {
    assert_eq!(breaches(&[(path.into(), text.into())], border).len(), 1, "{path}: {text}");
}

fn spares(border: &Border, path: &str, text: &str) {
    assert_eq!(breaches(&[(path.into(), text.into())], border), Vec::<String>::new());
}

fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//"))
}

fn has_word(line: &str, word: &str) -> bool {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back().is_some_and(letter);
        let after = line[at + word.len()..].chars().next().is_some_and(letter);
        !(before && word.starts_with(letter) || after && word.ends_with(letter))
    })
}

fn wrong_arrows(dependencies: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, used) in dependencies {
        let Some((_, allowed)) = MAY_USE.iter().find(|(room, _)| room == name) else {
            wrong.push(format!("{name} has no place in the house"));
            continue;
        };
        let ours = used.iter().filter(|dependency| dependency.starts_with("agent-"));
        let forbidden = ours.filter(|dependency| !allowed.contains(&dependency.as_str()));
        wrong.extend(forbidden.map(|dependency| format!("{name} must not use {dependency}")));
    }
    wrong
}

fn idle_minds(dependencies: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let minds = dependencies.iter().filter(|(name, _)| MIND.contains(&name.as_str()));
    minds
        .flat_map(|(name, used)| {
            let foreign = used
                .iter()
                .filter(|dependency| !dependency.starts_with("agent-") && !MIND_MAY_USE.contains(&dependency.as_str()));
            foreign.map(move |dependency| format!("{name} must not use {dependency}"))
        })
        .collect()
}

fn too_large(path: &str, text: &str) -> Option<String> {
    let lines = text.lines().count();
    let excused = LARGER_ROOMS.iter().any(|(room, _)| *room == path);
    (lines > ROOM && !excused).then(|| format!("{path} has {lines} lines"))
}

fn no_caption(path: &str, text: &str) -> Option<String> {
    (!text.starts_with("//!")).then(|| format!("{path} does not say what it is for"))
}

fn missing_dialects(sources: &[(String, String)], page: &str) -> Vec<String> {
    let files =
        sources.iter().filter_map(|(path, _)| path.strip_prefix("crates/dialects/src/dialects/")?.strip_suffix(".rs"));
    let missing = files.filter(|file| !page.contains(&format!("`{file}`")));
    missing.map(|file| format!("{file} is not in docs/DIALECTS.md")).collect()
}

fn missing_commands(table: &str, page: &str) -> Vec<String> {
    let rows = table.split("command(\"").skip(1);
    let names: Vec<&str> = rows.filter_map(|row| row.split('"').next()).collect();
    assert!(!names.is_empty(), "the table of commands was found");
    let missing = names.iter().filter(|name| !page.contains(&format!("`/{name}`")));
    missing.map(|name| format!("/{name} is not in docs/SCREEN.md")).collect()
}

/// Every package of the house with what it uses, tests aside.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let used = |package: &Value| -> Vec<String> {
        let all = package["dependencies"].as_array().unwrap();
        let normal = all.iter().filter(|dependency| dependency["kind"].is_null());
        normal.map(|dependency| dependency["name"].as_str().unwrap().to_owned()).collect()
    };
    packages.iter().map(|package| (package["name"].as_str().unwrap().to_owned(), used(package))).collect()
}

/// The line of an arm that takes whatever no other arm names.
fn catch_all(path: &str, text: &str) -> Option<String> {
    let before_tests = text.split("#[cfg(test)]").next().unwrap_or_default();
    let arm =
        code_lines(before_tests).map(str::trim).find(|line| line.starts_with("_ =>") || line.starts_with("_ if "));
    arm.map(|line| format!("{path} has the arm {line}"))
}

/// Does this file of the product call something unreachable?
fn unreachable_in(path: &str, text: &str) -> Option<String> {
    let product = path.contains("/src/") && !path.split('/').any(|part| part == "tests" || part == "tests.rs");
    let before_tests = text.split("#[cfg(test)]").next().unwrap_or_default();
    (product && before_tests.contains("unreachable!(")).then(|| path.to_owned())
}

/// The files of each crate, by their paths below its `src`.
fn crates() -> BTreeMap<String, BTreeMap<String, String>> {
    let mut crates: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (path, text) in sources() {
        let Some((name, below)) = path.strip_prefix("crates/").and_then(|path| path.split_once("/src/")) else {
            continue;
        };
        crates.entry(name.to_owned()).or_default().insert(below.to_owned(), text);
    }
    crates
}

/// Every Rust file of the house, with its path from the top.
fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for folder in ["crates", "tests", "benches"] {
        collect(&root().join(folder), &mut found);
    }
    assert!(found.len() > 50, "the sources were found");
    found
}

fn collect(folder: &Path, found: &mut Vec<(String, String)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if path.file_name().unwrap() != "before" && path.file_name().unwrap() != "after" {
                collect(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root()).unwrap().display().to_string();
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
