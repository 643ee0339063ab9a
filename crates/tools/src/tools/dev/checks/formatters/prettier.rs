//! Prettier, which takes for settings what may be a program: by itself it is never let look for any.
//!
//! The nearest settings are read here, in the project only. Where they are data that each edition of prettier takes as
//! options, they are given as options; all others are prettier's own to read, by question.

use super::{Filter, Formatter, OWN, Way, filter};
use crate::program::Runner;
use crate::tools::dev::checks::place::CheckedPlace;
use crate::tools::dev::shared::is_there;
use agent_protocol::Failure;
use serde_json::{Map, Value};
use std::path::Path;

/// What the settings make of the choice.
#[derive(Debug, PartialEq, Eq)]
enum Settings {
    /// They are these options; none where there are no settings.
    Options(Vec<String>),
    /// Only prettier can read them.
    Its,
}

/// Settings that are read here.
const READ: [&str; 2] = [".prettierrc", ".prettierrc.json"];
/// All the others that some edition of prettier takes.
const OTHERS: &str = "package.yaml .prettierrc.yaml .prettierrc.yml .prettierrc.json5 .prettierrc.toml .prettierrc.js \
    .prettierrc.ts .prettierrc.mjs .prettierrc.mts .prettierrc.cjs .prettierrc.cts prettier.config.js prettier.config.ts \
    prettier.config.mjs prettier.config.mts prettier.config.cjs prettier.config.cts prettier.config.toml";
const EDITOR: &str = ".editorconfig";
const SETTINGS: &str = "only prettier itself can read its settings here, which may be programs of the project, so it is asked \
    about and changes the file itself";

/// What a setting may be.
enum Kind {
    Number,
    /// With what it is where nothing is said, as an option speaks only of the other.
    Flag(bool),
    One(&'static [&'static str]),
}

/// Settings that are options too.
const KNOWN: [(&str, &str, Kind); 14] = [
    ("printWidth", "print-width", Kind::Number),
    ("tabWidth", "tab-width", Kind::Number),
    ("useTabs", "use-tabs", Kind::Flag(false)),
    ("semi", "semi", Kind::Flag(true)),
    ("singleQuote", "single-quote", Kind::Flag(false)),
    ("jsxSingleQuote", "jsx-single-quote", Kind::Flag(false)),
    ("quoteProps", "quote-props", Kind::One(&["as-needed", "consistent", "preserve"])),
    ("trailingComma", "trailing-comma", Kind::One(&["all", "es5", "none"])),
    ("bracketSpacing", "bracket-spacing", Kind::Flag(true)),
    ("bracketSameLine", "bracket-same-line", Kind::Flag(false)),
    ("arrowParens", "arrow-parens", Kind::One(&["always", "avoid"])),
    ("proseWrap", "prose-wrap", Kind::One(&["always", "never", "preserve"])),
    ("endOfLine", "end-of-line", Kind::One(&["lf", "crlf", "cr", "auto"])),
    ("htmlWhitespaceSensitivity", "html-whitespace-sensitivity", Kind::One(&["css", "strict", "ignore"])),
];

/// Nearly always the project brings it along.
pub(super) fn prettier(place: &CheckedPlace, path: &str, runner: &Runner) -> Result<Way, Failure> {
    let own = |program: String, why| Way::Own {
        argv: [program.as_str(), "--write", path].map(String::from).into(),
        check: [program.as_str(), "--check", path].map(String::from).into(),
        why,
    };
    if let Some(program) = place.program("node_modules/.bin/prettier") {
        return Ok(own(program.display().to_string(), OWN));
    }
    let found = filter(Formatter::Prettier, &[], runner)?;
    match settings(place) {
        Settings::Its => Ok(own("prettier".into(), SETTINGS)),
        Settings::Options(options) => Ok(Way::Filter(Filter { args: unasked(options, path), ..found })),
    }
}

/// The words to run it with unasked: it reads the text, and no settings.
fn unasked(options: Vec<String>, path: &str) -> Vec<String> {
    let mut words: Vec<String> = ["--no-config", "--no-editorconfig"].map(String::from).into();
    words.extend(options);
    words.extend(["--stdin-filepath", path].map(String::from));
    words
}

/// Those of the nearest folder that has any. Of several in one folder the first counts, which is for prettier to say.
fn settings(place: &CheckedPlace) -> Settings {
    let folders = place.folders();
    let is_there = |folder: &Path, name: &str| is_there(&place.workspace, &folder.join(name));
    if folders.iter().any(|folder| is_there(folder, EDITOR)) {
        return Settings::Its;
    }
    for folder in folders {
        let mut found: Vec<Option<Vec<String>>> = Vec::new();
        found.extend(OTHERS.split_whitespace().filter(|name| is_there(folder, name)).map(|_| None));
        let read = READ.iter().filter(|name| is_there(folder, name));
        found.extend(read.map(|name| options(&object(place, folder, name).map(Value::Object)?)));
        if is_there(folder, "package.json") {
            match object(place, folder, "package.json") {
                None => found.push(None),
                Some(package) => {
                    found.extend(package.get("prettier").filter(|settings| !settings.is_null()).map(options));
                }
            }
        }
        match found.as_mut_slice() {
            [] => {}
            [Some(options)] => return Settings::Options(std::mem::take(options)),
            [None] | [_, _, ..] => return Settings::Its,
        }
    }
    Settings::Options(Vec::new())
}

fn object(place: &CheckedPlace, folder: &Path, name: &str) -> Option<Map<String, Value>> {
    match serde_json::from_str(&place.text(folder, name)?) {
        Ok(Value::Object(object)) => Some(object),
        Ok(_) | Err(_) => None,
    }
}

/// The settings as options; `None` where one of them is none.
fn options(settings: &Value) -> Option<Vec<String>> {
    let settings = settings.as_object()?.iter();
    // What describes the settings is none of them.
    let settings = settings.filter(|(name, value)| name.as_str() != "$schema" || !value.is_string());
    let options: Option<Vec<Option<String>>> = settings.map(|(name, value)| option(name, value)).collect();
    Some(options?.into_iter().flatten().collect())
}

/// The inner one is none where the setting says what goes without saying.
fn option(name: &str, value: &Value) -> Option<Option<String>> {
    let (_, option, kind) = KNOWN.iter().find(|(known, _, _)| *known == name)?;
    match kind {
        Kind::Number => Some(Some(format!("--{option}={}", value.as_u64()?))),
        Kind::Flag(usual) => {
            let flag = value.as_bool()?;
            let said = if flag { format!("--{option}") } else { format!("--no-{option}") };
            Some((flag != *usual).then_some(said))
        }
        Kind::One(words) => {
            let word = value.as_str().filter(|word| words.contains(word))?;
            Some(Some(format!("--{option}={word}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    /// What is made of `files`, for the file `src/a.ts` of a project; a text like `-> x` is a link.
    fn made(files: &[(&str, &str)]) -> Settings {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap().join("project");
        std::fs::create_dir_all(root.join("src")).unwrap();
        for (name, text) in files.iter().chain([&("src/a.ts", "x")]) {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            match text.strip_prefix("-> ") {
                Some(to) => symlink(to, path).unwrap(),
                None => std::fs::write(path, text).unwrap(),
            }
        }
        settings(&CheckedPlace::find(&Workspace::new(&root), root.join("src/a.ts")).unwrap())
    }

    #[test]
    fn whatever_may_name_a_program_is_left_to_a_question() {
        let long = format!("{{\"semi\": false, {} \"tabWidth\": 2}}", " ".repeat(600 * 1024));
        let escaped = r#"{"plu\u0067ins": ["./x.js"]}"#;
        let mut rows: Vec<Vec<(&str, &str)>> = vec![
            vec![(".prettierrc", "# note: mine\n./x.js\n")],
            vec![(".prettierrc", "./x.js # a: b")],
            vec![(".prettierrc", "semi: false")],
            vec![(".prettierrc", "\"@x/shared\"")],
            vec![(".prettierrc", "")],
            vec![(".prettierrc", escaped)],
            vec![(".prettierrc.json", escaped)],
            vec![(".prettierrc", "{\"semi\": false, \"plugins\": []}")],
            vec![(".prettierrc.json", r#"{"overrides": [{"files": "*", "options": {"plugins": ["./x.js"]}}]}"#)],
            vec![(".prettierrc", r#"{"parser": "./x.js"}"#)],
            vec![(".prettierrc", r#"{"semi": "false"}"#)],
            vec![(".prettierrc", r#"{"tabWidth": -1}"#)],
            vec![(".prettierrc", r#"{"tabWidth": "2 --plugin=./x.js"}"#)],
            vec![(".prettierrc", r#"{"proseWrap": "never --plugin=./x.js"}"#)],
            vec![(".prettierrc", r#"{"$schema": ["./x.js"]}"#)],
            vec![(".prettierrc", &long)],
            vec![(".prettierrc", "-> ../../settings")],
            vec![(".prettierrc", "-> mine.json"), ("mine.json", "{}")],
            vec![(".prettierrc/x", "")],
            vec![("package.json", r#"{"prettier": "@x/shared"}"#)],
            vec![("package.json", r#"{"pretti\u0065r": {"plugins": ["./x.js"]}}"#)],
            vec![("package.json", r#"{"prettier": ["./x.js"]}"#)],
            vec![("package.json", "{\"prettier\": \"./x.js\" // x\n}")],
            vec![("package.json", "-> mine.json"), ("mine.json", "{}")],
            vec![(".editorconfig", "root = true\n"), (".prettierrc", "{}")],
            // Two in one folder, and the nearest of two.
            vec![(".prettierrc", "{}"), ("prettier.config.mjs", "")],
            vec![(".prettierrc", "{}"), ("package.json", r#"{"prettier": {}}"#)],
            vec![(".prettierrc", "{}"), ("src/.prettierrc", "semi: false")],
        ];
        rows.extend(OTHERS.split_whitespace().map(|name| vec![(name, "prettier: ./x.js")]));
        rows.extend(OTHERS.split_whitespace().map(|name| vec![(name, "-> nowhere")]));
        for row in rows {
            let named: Vec<String> =
                row.iter().map(|(name, text)| format!("{name}: {:.60}", text.trim_start())).collect();
            assert_eq!(made(&row), Settings::Its, "{named:?}");
        }
    }

    #[test]
    fn settings_that_are_data_are_given_as_options() {
        let all = r#"{
            "$schema": "https://json.schemastore.org/prettierrc", "printWidth": 100, "tabWidth": 8, "useTabs": true,
            "semi": false, "singleQuote": true, "jsxSingleQuote": true, "quoteProps": "consistent",
            "trailingComma": "es5", "bracketSpacing": false, "bracketSameLine": true, "arrowParens": "avoid",
            "proseWrap": "never", "endOfLine": "lf", "htmlWhitespaceSensitivity": "ignore"
        }"#;
        let options = "--print-width=100 --tab-width=8 --use-tabs --no-semi --single-quote --jsx-single-quote \
            --quote-props=consistent --trailing-comma=es5 --no-bracket-spacing --bracket-same-line --arrow-parens=avoid \
            --prose-wrap=never --end-of-line=lf --html-whitespace-sensitivity=ignore";
        let usual = r#"{"useTabs": false, "semi": true, "singleQuote": false, "bracketSpacing": true}"#;
        let package = format!(r#"{{"prettier": {all}}}"#);
        let rows: &[(&[(&str, &str)], &str)] = &[
            (&[], ""),
            (&[(".prettierrc", "{}")], ""),
            (&[(".prettierrc", usual)], ""),
            (&[(".prettierrc", all)], options),
            (&[(".prettierrc.json", all)], options),
            (&[("package.json", &package)], options),
            (&[("package.json", r#"{"name": "a", "prettier": null}"#)], ""),
            (&[("src/package.json", "{}"), (".prettierrc", r#"{"semi": false}"#)], "--no-semi"),
            // The nearest folder's, whatever lies above it, and nothing of what lies above the project.
            (&[("src/.prettierrc", r#"{"semi": false}"#), ("prettier.config.js", "")], "--no-semi"),
            (&[("../.prettierrc", "./x.js"), ("../.editorconfig", "")], ""),
        ];
        for (files, expected) in rows {
            let sorted = |options: Vec<String>| {
                let mut options = options;
                options.sort();
                options
            };
            let expected = sorted(expected.split_whitespace().map(String::from).collect());
            let Settings::Options(found) = made(files) else { panic!("{files:?}") };
            assert_eq!(sorted(found), expected, "{files:?}");
        }
    }

    /// Without the first two it looks for settings itself, up to the top of the system.
    #[test]
    fn it_is_never_let_look_for_settings_unasked() {
        assert_eq!(
            unasked(vec!["--no-semi".into()], "/a.ts"),
            ["--no-config", "--no-editorconfig", "--no-semi", "--stdin-filepath", "/a.ts"]
        );
    }
}
