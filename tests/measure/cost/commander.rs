//! An option that negates another, in JavaScript, with a weak model's part: it prints a long file with `cat`, misses with edits,
//! and reads again.

use super::project::{Project, failing, javascript, jest, prose, with};
use super::{Session, call, does, edit, read, run, says, search, search_in};
use serde_json::{Value, json};

const SET: &str = "  /**\n   * Registers an option.\n   *\n   * @param {Option} option\n   */\n  addNegatable(option) {\n    const name = \
                   option.attributeName();\n    if (option.negate) {\n      const positive = option.long.replace(/^--no-/, '--');\n      \
                   if (!this._findOption(positive)) this.setOptionValueWithSource(name, true, 'default');\n    }\n    return \
                   this;\n  }\n\n";
const CONFLICT: &str = "  /**\n   * Refuses what was registered twice.\n   */\n  checkForTwins(option) {\n    const twin = \
                        this._findOption(option.long);\n    if (twin) throw new Error(`there are two of ${option.flags}`);\n    \
                        return this;\n  }\n\n";
const FAILURE: &str = "  ● negate › --no-foo before --foo\n\n    expect(received).toBe(expected)\n\n    Expected: undefined\n    \
                       Received: true\n\n      at Object.toBe (tests/negate.test.js:21:30)";

const SETS: &str = "      if (!this._findOption(positive)) this.setOptionValueWithSource(name, true, 'default');\n";
const TWIN: &str = "    const twin = this._findOption(option.long);\n";

pub(crate) fn session() -> Session {
    let mut course = first_try();
    course.extend(second_try());
    Session {
        name: "commander",
        project: project(),
        window: 65_536,
        says: vec!["When --no-foo is defined before --foo the default should stay undefined. Fix it and test it."],
        course,
        summary: "## Goal\nmake --no-foo before --foo work\n\n## Open\n- go on",
        wanted: vec![
            (COMMAND.into(), "'implied'".into()),
            (COMMAND.into(), "twin.default(undefined)".into()),
            ("tests/negate.test.js".into(), "toBe(undefined)".into()),
            ("README.md".into(), "does not matter".into()),
        ],
    }
}

const COMMAND: &str = "lib/command.js";

/// Some lines around the one that holds `text`.
fn around(file: &str, text: &str) -> Value {
    call("read_file", json!({"file_path": file, "offset": {"line_of": text, "less": 8}, "limit": 60}))
}

/// It prints the whole file, misses with an edit, and mends the wrong thing.
fn first_try() -> Vec<Value> {
    let seen = SETS.replace("(!this._findOption(positive))", "(!this._findOption(positive) && !this._seen)");
    vec![
        does(run("ls -la && ls lib tests | head -40")),
        does(run("cd lib && cat command.js")),
        does(search_in("addNegatable", COMMAND)),
        does(around(COMMAND, "addNegatable")),
        does(edit(COMMAND, "if (!this._findOption(positive)) {", "if (false) {")),
        does(around(COMMAND, "addNegatable")),
        does(edit(COMMAND, SETS, &seen)),
        does(run("sh run_tests.sh")),
        does(search("negat")),
        does(call("read_file", json!({"file_path": "lib/option.js", "offset": 200, "limit": 80}))),
        does(edit(COMMAND, &seen, &SETS.replace("'default'", "'implied'"))),
        does(run("sh run_tests.sh")),
    ]
}

/// It finds the other half, and writes a test.
fn second_try() -> Vec<Value> {
    let (tests, readme, section) = ("tests/negate.test.js", "README.md", "## Section 0: the value\n");
    vec![
        does(search_in("checkForTwins", COMMAND)),
        does(around(COMMAND, "checkForTwins")),
        does(edit(COMMAND, TWIN, &format!("{TWIN}    if (option.negate && twin) twin.default(undefined);\n"))),
        does(run("sh run_tests.sh")),
        does(read("tests/options_bool.test.js")),
        does(read(tests)),
        does(edit(tests, "toBe(true)", "toBe(undefined)")),
        does(run("sh run_tests_again.sh")),
        does(read(readme)),
        does(edit(readme, section, &format!("{section}\nThe order of --foo and --no-foo does not matter.\n"))),
        does(run("git status --short 2>&1 | head -20; ls tests | wc -l")),
        says("The order of the two does not matter any more, and a test holds it."),
    ]
}

fn project() -> Project {
    let mut project = Project::default();
    let command = with(&javascript("Command", 205), "  token151(", SET);
    project.add("lib/command.js", with(&command, "  token175(", CONFLICT));
    project.add("lib/option.js", javascript("Option", 26));
    project.add("lib/help.js", javascript("Help", 45));
    let test = "test('a', () => {\n  const program = new Command();\n  program.option('--no-foo').option('--foo');\n  \
                expect(program.opts().foo).toBe(true);\n});\n";
    project.add("tests/negate.test.js", test);
    project.add("tests/options_bool.test.js", format!("{test}// negated\n").replace("--foo", "--bar").repeat(30));
    for at in 0..100 {
        project.add(
            format!("tests/part_{at}.test.js"),
            format!("// negate {at}\n{test}").replace("--foo", &format!("--f{at}")),
        );
    }
    project.add("README.md", prose("Commands", 80));
    project.add("run_tests.sh", failing(110, FAILURE));
    project.add("run_tests_again.sh", jest(111));
    project
}
