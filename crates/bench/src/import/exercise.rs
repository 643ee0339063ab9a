//! One exercise, made into a task: from its files and from what `.meta/config.json` says of them.
//!
//! **Invariant.** Nothing of `.meta`, `.docs` and the folders of approaches is in the start: solutions are there.

use super::language::Language;
use crate::task::Template;
use crate::tree::{self, Files};
use crate::tries::ImportProtocol;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Folders that hold words and solutions.
const APART: [&str; 6] = [".meta/", ".docs/", ".approaches/", ".articles/", "node_modules/", "target/"];
/// What is told of an exercise, one after the other; only the second has to be there.
const WORDS: [&str; 3] = [".docs/introduction.md", ".docs/instructions.md", ".docs/instructions.append.md"];
/// Longest time of a try, in minutes.
const MINUTES: u32 = 15;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Config {
    files: Listed,
}

/// The files that an exercise lists, by what they are for.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Listed {
    solution: Vec<String>,
    test: Vec<String>,
    example: Vec<String>,
    /// Of concept exercises.
    exemplar: Vec<String>,
    /// Shown beside, and not to be changed.
    editor: Vec<String>,
}

/// The task that `files` make; or why they make none.
pub(super) fn template(
    (id, name): (&str, &str),
    files: &Files,
    language: &Language,
    protocol: ImportProtocol,
    modules: Option<&Path>,
) -> Result<Template, String> {
    let listed = listed(files)?;
    let words = words(files)?;
    let tests = tests(&listed, files)?;
    let solution: Vec<String> =
        listed.solution.iter().filter(|name| may_change(name, &tests, language)).cloned().collect();
    if solution.is_empty() {
        return Err("its config lists no solution file".into());
    }
    let command = command(name, &tests, files, language, modules)?;
    let on = |name: &String| Some((name.clone(), language.switched_on(files.get(name)?)));
    let hidden: Files = tests.iter().filter_map(on).collect();
    // What is given beside the stubs stays as it is: it is laid over for grading, too.
    let given = listed.editor.iter().filter(|name| !tests.contains(name));
    let given: Files = given.filter_map(|name| Some((name.clone(), files.get(name)?.clone()))).collect();
    let mut start: Files = files
        .iter()
        .filter(|(name, _)| !APART.iter().any(|folder| name.starts_with(folder)) && !tests.contains(name))
        .map(|(name, content)| (name.clone(), content.clone()))
        .collect();
    match protocol {
        ImportProtocol::Aider => {}
        ImportProtocol::Open => start.extend(hidden.clone()),
    }
    let prompt = protocol.prompt(&words, &solution, &listed.test, &command);
    let example = example(&listed, &solution, files);
    let sheet = sheet(language, &command, &solution);
    let hidden = tree::laid_over(&given, &hidden);
    Template::of(id, (sheet, prompt, start, hidden), example, BTreeMap::new()).map_err(|error| error.why)
}

fn listed(files: &Files) -> Result<Listed, String> {
    let text = files.get(".meta/config.json").ok_or("it has no .meta/config.json")?;
    let config: Config = serde_json::from_slice(text).map_err(|error| format!(".meta/config.json: {error}"))?;
    Ok(config.files)
}

fn words(files: &Files) -> Result<String, String> {
    if !files.contains_key(WORDS[1]) {
        return Err("it has no .docs/instructions.md".into());
    }
    let texts = WORDS.iter().filter_map(|name| files.get(*name));
    let texts: Vec<String> = texts.map(|text| String::from_utf8_lossy(text).trim().to_owned()).collect();
    Ok(texts.join("\n\n"))
}

/// Test files, and what they alone read: in Go their cases are listed among the files of the editor.
fn tests(listed: &Listed, files: &Files) -> Result<Vec<String>, String> {
    let cases = listed.editor.iter().filter(|name| name.to_ascii_lowercase().contains("test"));
    let mut tests: Vec<String> = Vec::new();
    for name in listed.test.iter().chain(cases) {
        if files.contains_key(name) && !tests.contains(name) {
            tests.push(name.clone());
        }
    }
    if tests.is_empty() { Err("its config lists no test file that is there".into()) } else { Ok(tests) }
}

fn may_change(name: &str, tests: &[String], language: &Language) -> bool {
    !tests.iter().any(|test| test == name) && !language.stays.contains(&name)
}

/// What tests it. Packages of npm are one folder for all exercises, which is linked in.
fn command(
    name: &str,
    tests: &[String],
    files: &Files,
    language: &Language,
    modules: Option<&Path>,
) -> Result<String, String> {
    let listed: Vec<String> = tests.iter().map(|test| quoted(test)).collect();
    let command = language.command.replace("@NAME@", name).replace("@TESTS@", &listed.join(" "));
    let wants = files.get("package.json").and_then(|text| serde_json::from_slice::<serde_json::Value>(text).ok());
    let wants = wants.is_some_and(|package| {
        ["dependencies", "devDependencies"]
            .iter()
            .any(|key| package[key].as_object().is_some_and(|all| !all.is_empty()))
    });
    match (wants, modules) {
        (false, _) => Ok(command),
        (true, Some(modules)) => {
            let modules = quoted(&modules.to_string_lossy());
            Ok(format!("[ -e node_modules ] || ln -s {modules} node_modules; {command}"))
        }
        (true, None) => Err("no node_modules beside it; install its packages in the track's folder first".into()),
    }
}

/// As a word of a shell.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+".contains(letter);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// The example's files in the places of the solution's.
fn example(listed: &Listed, solution: &[String], files: &Files) -> Files {
    let known = listed.example.iter().chain(&listed.exemplar).filter(|name| files.contains_key(*name));
    let mut examples: Vec<&String> = known.collect();
    if examples.is_empty() {
        // Not listed: it is where most exercises have it.
        examples = files.keys().filter(|name| name.starts_with(".meta/example")).collect();
    }
    // Those that are named like a solution's file have their places first; what else there is comes beside.
    examples.sort_by_key(|path| !solution.iter().any(|file| name_of(file) == name_of(path)));
    let mut placed = Files::new();
    for path in examples {
        if let Some(place) = place(path, solution, &placed) {
            placed.insert(place, files[path].clone());
        }
    }
    placed
}

/// Where an example's file belongs: at the solution's file of the same name, else at the next of its kind, else beside.
fn place(path: &str, solution: &[String], taken: &Files) -> Option<String> {
    let of_kind: Vec<&String> = solution.iter().filter(|file| kind_of(file) == kind_of(path)).collect();
    let same = of_kind.iter().find(|file| name_of(file) == name_of(path));
    let next = || of_kind.iter().find(|file| !taken.contains_key(**file));
    if let Some(file) = same.or_else(next) {
        return Some((*file).clone());
    }
    let folder = of_kind.first()?.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    Some(format!("{folder}{}", name_of(path)))
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn kind_of(path: &str) -> Option<&str> {
    name_of(path).rsplit_once('.').map(|(_, kind)| kind)
}

/// `task.toml`.
fn sheet(language: &Language, command: &str, solution: &[String]) -> String {
    let list = |names: &mut dyn Iterator<Item = &str>| {
        toml::Value::Array(names.map(|name| toml::Value::String(name.to_owned())).collect())
    };
    let text = |text: &str| toml::Value::String(text.to_owned());
    let mut may = solution.iter().map(String::as_str).chain(language.besides.iter().copied());
    toml::Table::from_iter([
        ("kind".to_owned(), text("write")),
        ("language".to_owned(), text(language.name)),
        ("needs".to_owned(), list(&mut language.needs.iter().copied())),
        ("minutes".to_owned(), toml::Value::Integer(MINUTES.into())),
        ("hidden".to_owned(), text(command)),
        ("may_change".to_owned(), list(&mut may)),
    ])
    .to_string()
}
