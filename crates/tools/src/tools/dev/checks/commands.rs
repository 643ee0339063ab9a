//! How a project is built and tested, by the files that it has on top, and which programs that needs that are not there.
//!
//! Nothing is run here.

use super::frameworks::{self, FoundTests, Framework};
use super::place::CheckedPlace;
use crate::tools::ToolContext;
use serde_json::Value;

/// How a project is built and tested, as lines for a shell.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::tools) struct KnownCommands {
    pub(in crate::tools) build: Vec<String>,
    pub(in crate::tools) test: Vec<String>,
    /// Programs that these need and that are not on the `PATH`.
    pub(in crate::tools) missing: Vec<&'static str>,
}

pub(in crate::tools) fn known(kit: &ToolContext) -> KnownCommands {
    let Ok(place) = CheckedPlace::find(&kit.workspace, kit.workspace.root().to_owned()) else {
        return KnownCommands::default();
    };
    let has = |name: &str| place.has(&place.folder, name);
    let mut known = KnownCommands::default();
    let mut needed: Vec<&'static str> = Vec::new();
    for found in frameworks::found(&place, &kit.runner) {
        let (test, needs) = test(&place, &found, kit);
        known.test.push(test);
        needed.extend(needs);
    }
    for (file, line, needs) in [
        ("Cargo.toml", "cargo build", "cargo"),
        ("go.mod", "go build ./...", "go"),
        ("CMakeLists.txt", "cmake -B build && cmake --build build", "cmake"),
    ] {
        if has(file) {
            known.build.push(line.to_owned());
            needed.push(needs);
        }
    }
    if let Some(runner) = build_script(&place) {
        known.build.push(format!("{runner} run build"));
    }
    if frameworks::MAKEFILES.iter().any(|name| has(name)) {
        known.build.push("make".to_owned());
        needed.push("make");
    }
    if has("package.json") {
        needed.push("node");
    }
    needed.dedup();
    known.missing = needed.into_iter().filter(|program| kit.runner.find(program).is_none()).collect();
    let mut seen = Vec::new();
    known.missing.retain(|program| {
        !seen.contains(program) && {
            seen.push(*program);
            true
        }
    });
    known
}

/// The line that runs these tests, and the programs that it needs.
fn test(place: &CheckedPlace, found: &FoundTests, kit: &ToolContext) -> (String, Vec<&'static str>) {
    let wrapped = |wrapper: &str| place.has(&place.folder, wrapper);
    match found.framework {
        Framework::Cargo => ("cargo test".into(), vec!["cargo"]),
        Framework::Nextest => ("cargo nextest run".into(), vec!["cargo"]),
        Framework::Pytest => python(place, found, kit),
        Framework::Node(runner) => (runner.words(false).join(" "), vec!["node", runner.program().0]),
        Framework::Go => ("go test ./...".into(), vec!["go"]),
        Framework::Maven if wrapped("mvnw") => ("./mvnw test".into(), vec!["java"]),
        Framework::Maven => ("mvn test".into(), vec!["mvn"]),
        Framework::Gradle if wrapped("gradlew") => ("./gradlew test".into(), vec!["java"]),
        Framework::Gradle => ("gradle test".into(), vec!["gradle"]),
        Framework::Make => (format!("make {}", frameworks::goal(place, &found.folder).unwrap_or("test")), vec!["make"]),
    }
}

/// The project's own pytest comes first, then one that is installed, then what Python brings along.
fn python(place: &CheckedPlace, found: &FoundTests, kit: &ToolContext) -> (String, Vec<&'static str>) {
    if let Some(own) = [".venv/bin/pytest", "venv/bin/pytest"].into_iter().find(|own| place.program(own).is_some()) {
        return (own.to_owned(), Vec::new());
    }
    if let Some(words) = super::check_project::plain_python(place, found, kit) {
        let quoted = |word: &&str| if word.contains('*') { format!("'{word}'") } else { (*word).to_owned() };
        return (words.iter().map(quoted).collect::<Vec<_>>().join(" "), vec!["python3"]);
    }
    ("pytest".into(), vec!["python3", "pytest"])
}

/// Who runs the script `build` of the `package.json`, where it has one.
fn build_script(place: &CheckedPlace) -> Option<&'static str> {
    let package: Value = serde_json::from_str(&place.text(&place.folder, "package.json")?).ok()?;
    package.get("scripts")?.get("build")?.as_str()?;
    Some(frameworks::manager(place, &place.folder).program().0)
}
