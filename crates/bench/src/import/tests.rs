//! Small made-up tracks in six languages, each with an irregularity of the real ones.

use super::*;
use crate::task::Task;
use crate::tree::Files;
use serde_json::{Value, json};

/// A tree of exercises: `LANG/NAME` with files, and what its config says of them.
struct Tree(tempfile::TempDir);

impl Tree {
    fn new() -> Self {
        Tree(tempfile::tempdir().unwrap())
    }

    fn with(self, exercise: &str, listed: Value, files: &[(&str, &str)]) -> Self {
        let (language, name) = exercise.split_once('/').unwrap();
        let folder = self.0.path().join(language).join(PRACTICE).join(name);
        let config = json!({"authors": [], "files": listed, "blurb": "x"}).to_string();
        let mut all = Files::from([(".meta/config.json".to_owned(), config.into_bytes())]);
        all.insert(".docs/instructions.md".into(), b"# Instructions\n\nGreet.\n".to_vec());
        all.extend(files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())));
        all.retain(|_, text| text != b"(gone)");
        tree::lay(&folder, &all).unwrap();
        self
    }

    fn read(&self, protocol: ImportProtocol) -> Imported {
        read(self.0.path(), &[], protocol).unwrap()
    }

    fn one(&self, protocol: ImportProtocol) -> Task {
        let imported = self.read(protocol);
        assert_eq!(imported.left_out, []);
        imported.templates[0].fill(1).unwrap()
    }

    /// Why there is none.
    fn left_out(&self) -> String {
        let imported = self.read(ImportProtocol::Open);
        assert_eq!((imported.templates.len(), imported.left_out.len()), (0, 1));
        imported.left_out[0].1.clone()
    }
}

fn names(files: &Files) -> Vec<&str> {
    files.keys().map(String::as_str).collect()
}

fn text<'a>(files: &'a Files, name: &str) -> &'a str {
    std::str::from_utf8(&files[name]).unwrap()
}

fn python() -> Tree {
    Tree::new().with(
        "python/greet",
        json!({"solution": ["greet.py"], "test": ["greet_test.py"], "example": [".meta/example.py"]}),
        &[
            (".docs/introduction.md", "# Introduction\n\nHello.\n"),
            (".docs/instructions.append.md", "Mind the case.\n"),
            (".meta/example.py", "def greet(): return 'hi'\n"),
            (".approaches/a/content.md", "def greet(): return 'hi'\n"),
            ("greet.py", "def greet(): pass\n"),
            ("greet_test.py", "import unittest, greet\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(greet.greet(), 'hi')\n"),
        ],
    )
}

#[test]
fn tests_are_in_the_workspace_in_one_protocol_and_solutions_in_none() {
    let unseen = python().one(ImportProtocol::Aider);
    assert_eq!((unseen.id.as_str(), names(&unseen.start)), ("python-greet", vec!["greet.py"]));
    assert_eq!(names(&unseen.hidden), ["greet_test.py"]);
    assert_eq!(unseen.sheet.may_change, ["greet.py"]);
    let order = ["Hello.", "Greet.", "Mind the case.", "greet.py"].map(|word| unseen.prompt.find(word).unwrap());
    assert!(order.is_sorted(), "{}", unseen.prompt);
    assert!(!unseen.prompt.contains("greet_test"), "{}", unseen.prompt);
    let open = python().one(ImportProtocol::Open);
    assert_eq!(names(&open.start), ["greet.py", "greet_test.py"]);
    assert!(open.prompt.contains("python3 -m unittest greet_test.py"), "{}", open.prompt);
    assert_eq!(text(&open.solution, "greet.py"), "def greet(): return 'hi'\n");
}

#[test]
fn rust_lists_its_manifest_as_a_solution_and_it_stays_as_it_is() {
    let tree = Tree::new().with(
        "rust/greet",
        json!({"solution": ["src/lib.rs", "Cargo.toml"], "test": ["tests/greet.rs"], "example": [".meta/example.rs", ".meta/Cargo-example.toml"]}),
        &[
            ("src/lib.rs", "pub fn greet() {}\n"),
            ("Cargo.toml", "[package]\nname = \"greet\"\n"),
            ("tests/greet.rs", "#[test]\n#[ignore]\nfn it() {}\n"),
            (".meta/example.rs", "pub fn greet() -> u8 { 1 }\n"),
            (".meta/Cargo-example.toml", "[dependencies]\n"),
        ],
    );
    let task = tree.one(ImportProtocol::Aider);
    assert_eq!(task.sheet.may_change, ["src/lib.rs", "src/**/*.rs"]);
    assert_eq!(names(&task.solution), ["src/lib.rs"]);
    assert_eq!(names(&task.start), ["Cargo.toml", "src/lib.rs"]);
    assert!(task.sheet.hidden.contains("--include-ignored"));
}

#[test]
fn cases_of_go_that_are_listed_for_the_editor_are_tests() {
    let tree = Tree::new().with(
        "go/greet",
        json!({"solution": ["greet.go"], "test": ["greet_test.go"], "editor": ["cases_test.go"], "example": [".meta/example.go"]}),
        &[
            ("greet.go", "package greet\n"),
            ("greet_test.go", "package greet\n"),
            ("cases_test.go", "package greet\n"),
            ("go.mod", "module greet\n"),
            (".meta/example.go", "package greet // it\n"),
        ],
    );
    let task = tree.one(ImportProtocol::Aider);
    assert_eq!(names(&task.start), ["go.mod", "greet.go"]);
    assert_eq!(names(&task.hidden), ["cases_test.go", "greet_test.go"]);
}

#[test]
fn javascript_needs_its_packages_once_and_its_tests_are_switched_on() {
    let files = [
        ("greet.js", "export const greet = 1;\n"),
        ("greet.spec.js", "test('a'); xtest('b');\n"),
        ("package.json", r#"{"devDependencies": {"jest": "1"}}"#),
        (".meta/proof.ci.js", "export const greet = 2;\n"),
    ];
    let listed = json!({"solution": ["greet.js"], "test": ["greet.spec.js"], "example": [".meta/proof.ci.js"]});
    let tree = Tree::new().with("javascript/greet", listed, &files);
    assert!(tree.left_out().contains("no node_modules"), "{}", tree.left_out());
    fs::create_dir(tree.0.path().join("javascript/node_modules")).unwrap();
    let task = tree.one(ImportProtocol::Open);
    assert_eq!(text(&task.start, "greet.spec.js"), "test('a'); test('b');\n");
    assert!(task.sheet.hidden.contains("javascript/node_modules node_modules; if ["), "{}", task.sheet.hidden);
    assert_eq!(text(&task.solution, "greet.js"), "export const greet = 2;\n");
}

#[test]
fn several_solution_files_get_each_their_own_example() {
    let listed = json!({"solution": ["greet.cpp", "greet.h"], "test": ["greet_test.cpp"], "example": [".meta/example.cpp", ".meta/example.h"]});
    let files = [
        ("greet.cpp", "//\n"),
        ("greet.h", "//\n"),
        ("greet_test.cpp", "//\n"),
        ("test/catch.hpp", "//\n"),
        ("CMakeLists.txt", "project(x)\n"),
        (".meta/example.cpp", "// cpp\n"),
        (".meta/example.h", "// h\n"),
    ];
    let task = Tree::new().with("cpp/greet", listed, &files).one(ImportProtocol::Aider);
    assert_eq!((text(&task.solution, "greet.cpp"), text(&task.solution, "greet.h")), ("// cpp\n", "// h\n"));
    assert!(names(&task.start).contains(&"CMakeLists.txt") && !names(&task.start).contains(&"greet_test.cpp"));
    assert!(task.sheet.hidden.contains("/greet\"") && task.sheet.hidden.contains("-DEXERCISM_RUN_ALL_TESTS=1"));
}

#[test]
fn java_has_its_example_elsewhere_with_files_besides() {
    let (solution, test) = ("src/main/java/Greet.java", "src/test/java/GreetTest.java");
    let listed = json!({
        "solution": [solution],
        "test": [test],
        "example": [".meta/src/reference/java/Word.java", ".meta/src/reference/java/Greet.java"],
        "editor": ["src/main/java/Given.java"],
    });
    let files = [
        (solution, "class Greet {}\n"),
        ("src/main/java/Given.java", "class Given {}\n"),
        (test, "@Disabled(\"Remove to run test\")\n@Test\n"),
        ("build.gradle", "x\n"),
        (".meta/src/reference/java/Greet.java", "class Greet { int it; }\n"),
        (".meta/src/reference/java/Word.java", "class Word {}\n"),
    ];
    let task = Tree::new().with("java/greet", listed, &files).one(ImportProtocol::Aider);
    assert_eq!(text(&task.hidden, test), "\n@Test\n");
    let given = "src/main/java/Given.java";
    assert!(names(&task.start).contains(&given) && names(&task.hidden).contains(&given), "it is put back");
    assert_eq!(text(&task.solution, solution), "class Greet { int it; }\n");
    assert_eq!(text(&task.solution, "src/main/java/Word.java"), "class Word {}\n");
}

#[test]
fn what_cannot_be_made_a_task_is_left_out_with_the_reason() {
    let listed = || json!({"solution": ["a.py"], "test": ["a_test.py"]});
    let file = [("a.py", "")];
    let both = [("a.py", ""), ("a_test.py", ""), (".docs/instructions.md", "(gone)")];
    assert!(Tree::new().with("python/a", listed(), &file).left_out().contains("no test file that is there"));
    assert!(Tree::new().with("python/a", listed(), &both).left_out().contains("no .docs/instructions.md"));
    let gone = [("a.py", ""), (".meta/config.json", "(gone)")];
    assert!(Tree::new().with("python/a", listed(), &gone).left_out().contains("no .meta/config.json"));
    let none = json!({"solution": [], "test": ["a.py"]});
    assert!(Tree::new().with("python/a", none, &file).left_out().contains("no solution file"));
    let tree = Tree::new().with("ruby/a", listed(), &file);
    assert!(tree.left_out().contains("no language that can be imported"));
    let said = |languages: &[&str]| {
        let languages: Vec<String> = languages.iter().map(|name| (*name).to_owned()).collect();
        read(tree.0.path(), &languages, ImportProtocol::Open)
            .map(|found| found.left_out.len())
            .map_err(|error| error.to_string())
    };
    assert_eq!(said(&["py"]), Ok(0));
    assert!(said(&["cobol"]).unwrap_err().starts_with("cobol is no language"));
    assert!(read(Path::new("/"), &[], ImportProtocol::Open).is_err());
}

#[test]
fn a_single_track_says_its_language_itself() {
    let tree = python();
    let track = tree.0.path().join("python");
    fs::write(track.join("config.json"), r#"{"slug": "python"}"#).unwrap();
    let moved = tree.0.path().join("my-track");
    fs::rename(track, &moved).unwrap();
    let imported = read(&moved, &["python".into()], ImportProtocol::Aider).unwrap();
    assert_eq!(imported.templates[0].id, "python-greet");
}
