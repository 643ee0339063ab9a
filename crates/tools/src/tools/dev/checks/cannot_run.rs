//! Whether a check said nothing of the code: it could not begin, or there was nothing to run.
//!
//! Only what the programs themselves say in known words counts; any other bad end is a failure.

use super::changed::ChangedFile;
use super::readings::{Report, TestFault, pattern};
use crate::program::Said;
use regex::Regex;
use std::sync::LazyLock;

/// The exit codes of a shell that finds no such program, or may not start it.
const NOT_STARTED: [i32; 2] = [126, 127];

/// Why it could not run, in words for the user; `None`: it ran. `read` is what the output says of tests, if anything.
pub(super) fn reason(said: &Said<'_>, read: Option<&Report>, changed: &[ChangedFile]) -> Option<String> {
    match read {
        Some(report) if report.failed > 0 => None,
        Some(report) if !report.broken.is_empty() => absent_modules(report, changed),
        Some(report) if report.ran().is_none_or(|ran| ran > 0) => None,
        Some(report) if report.agrees(said.code) => Some("no tests found".to_owned()),
        _ if said.code == Some(0) => None,
        _ => not_started(said),
    }
}

/// A program, a target or tests are missing.
fn not_started(said: &Said<'_>) -> Option<String> {
    static MISSING: LazyLock<[(Regex, &str); 7]> = LazyLock::new(|| {
        [
            (pattern(r"(?m)^make(?:\[\d+\])?: ([\w./@+-]+): No such file or directory\s*$"), "{} is not installed"),
            (pattern(r"(?m)^\S*python[\d.]*: No module named ([\w.]+)"), "the Python module {} is not installed"),
            (
                pattern(r"(?m)^make(?:\[\d+\])?: \*\*\* No rule to make target ['‘`]([^'’]+)['’]\.  Stop\."),
                "make has no target {}",
            ),
            (pattern(r#"(?mi)^npm (?:error|err!) missing script: ["'`]?([\w:.-]+)"#), "package.json has no script {}"),
            (pattern(r"(?m)^error: no such command: [`']([\w-]+)"), "cargo has no command {}"),
            (pattern(r"(?m)^error: no (?:test|bin|example|bench) target named [`']([\w-]+)"), "cargo has no target {}"),
            (pattern(r"(?m)^(?:ERROR|error): file or directory not found: (\S+)"), "{} does not exist"),
        ]
    });
    static NOTHING: LazyLock<Regex> = LazyLock::new(|| {
        let words = "no test files found|no tests found|no tests ran|no tests to run|couldn[’']t find any files to test|\
                     no test files\\]|matched no packages|no packages to test|no tests were (?:found|collected)";
        pattern(&format!("(?mi)^.*(?:{words})"))
    });
    static RAN: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?m)^\s*(?:FAIL\b|--- FAIL|not ok\b|panic: |exit status )"));
    static SETUP: LazyLock<Regex> = LazyLock::new(|| {
        let words = "no targets specified and no makefile found|you must run \\.?/?configure|rustup could not choose a version|\
                     JAVA_HOME environment variable is not|could not find `Cargo\\.toml`|failed to download|could not resolve host|\
                     unable to update registry|could not resolve dependencies|dial tcp: lookup ";
        let tools = r"(?:error|fatal|caused by|warning|make(?:\[\d+\])?|npm \S+|go|curl|\[error\]|spurious network error)\b[^\n]*";
        pattern(&format!(r"(?mi)^\s*(?:{tools})?(?:{words}).*$"))
    });
    if let Some(found) = missing_program(said) {
        return Some(format!("{found} is not installed"));
    }
    for (sign, words) in MISSING.iter() {
        if let Some(found) = sign.captures(said.text) {
            return Some(words.replace("{}", &found[1]));
        }
    }
    if NOTHING.is_match(said.text) && !RAN.is_match(said.text) {
        return Some("no tests found".to_owned());
    }
    if let Some(line) = SETUP.find(said.text) {
        return Some(crate::words::shortened(line.as_str().trim(), WIDTH));
    }
    is_not_started(said).then(|| "a required program could not be started".to_owned())
}

fn is_not_started(said: &Said<'_>) -> bool {
    said.code.is_some_and(|code| NOT_STARTED.contains(&code))
}

/// The program that a shell did not find, where that is how the run ended.
fn missing_program<'a>(said: &Said<'a>) -> Option<&'a str> {
    // As bash, dash and busybox, and zsh say it.
    static SHELL: LazyLock<Regex> = LazyLock::new(|| {
        let name = r"([\w./@+-]+)";
        pattern(&format!(
            r"(?m)^\S+: (?:(?:line )?\d+: )?{name}: (?:command )?not found\s*$|^zsh:(?:\d+:)? command not found: {name}\s*$"
        ))
    });
    // The first target that could not be made; that others need it is told behind it.
    static MADE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^make(?:\[\d+\])?: \*\*\* .*\bError (\d+)\s*$"));
    let ended_so = is_not_started(said) || MADE.captures(said.text).is_some_and(|made| &made[1] == "127");
    let found = SHELL.captures(said.text).filter(|_| ended_so)?;
    Some(found.get(1).or(found.get(2))?.as_str())
}

/// Characters of a line that is quoted.
const WIDTH: usize = 120;

/// All that could not be loaded lacks a module whose absence is not the change's doing.
fn absent_modules(report: &Report, changed: &[ChangedFile]) -> Option<String> {
    if changed.is_empty() {
        return None;
    }
    let mut absent = report.broken.iter().map(absent_module).collect::<Option<Vec<String>>>()?;
    absent.sort();
    absent.dedup();
    if absent.iter().any(|module| changed.iter().any(|file| file.may_have_made_absent(module))) {
        return None;
    }
    let names = absent.join(", ");
    let ran = report.passed.filter(|passed| *passed > 0).map_or(String::new(), |passed| format!("{passed} passed; "));
    Some(format!("{ran}{names} could not be imported"))
}

/// The module whose absence is all that was wrong.
fn absent_module(fault: &TestFault) -> Option<String> {
    static ABSENT: LazyLock<Regex> = LazyLock::new(|| {
        // Of one with a dot Python found the first part.
        pattern(
            r#"No module named '(\w+)'|(?:Cannot find (?:package|module) '|Failed to resolve import ")((?:@[\w.-]+/)?[A-Za-z][\w-]*)"#,
        )
    });
    let found = fault.lines.iter().find_map(|line| ABSENT.captures(line))?;
    Some(found.get(1).or(found.get(2))?.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::changed::TextBefore;
    use super::super::frameworks::{Framework, ScriptRunner};
    use super::super::readings::{self, TestOutput};
    use super::*;

    fn why(framework: Framework, code: i32, text: &str, changed: &[ChangedFile]) -> Option<String> {
        let report = readings::read(&TestOutput { framework, text, module: "" });
        let said = Said { code: Some(code), text, raw: text, cut: false, room: 10_000 };
        reason(&said, report.as_ref(), changed)
    }

    #[test]
    fn what_could_not_run_is_told_from_what_failed() {
        let (npm, make) = (Framework::Node(ScriptRunner::Npm), Framework::Make);
        for (framework, code, text, expected) in [
            (make, 2, "make: *** No rule to make target 'test'.  Stop.\n", Some("make has no target test")),
            (make, 2, "make: *** No rule to make target 'a.o', needed by 'test'.  Stop.\n", None),
            (make, 2, "gcc -c a.c\na.c:3:1: error: expected ';'\nmake: *** [Makefile:2: a.o] Error 1\n", None),
            (
                make,
                2,
                "make: vitest: No such file or directory\nmake: *** [Makefile:2: test] Error 127\n",
                Some("vitest is not installed"),
            ),
            (npm, 1, "\nNo test files found, exiting with code 1\n\nfilter: src/a\n", Some("no tests found")),
            (npm, 1, "No tests found, exiting with code 1\n", Some("no tests found")),
            (npm, 127, "> vitest run\n\nsh: 1: vitest: not found\n", Some("vitest is not installed")),
            (npm, 1, "npm error Missing script: \"test\"\n", Some("package.json has no script test")),
            (npm, 1, "TypeError: x is not a function\n    at a.js:1:1\n", None),
            (Framework::Pytest, 5, "\nno tests ran in 0.01s\n", Some("no tests found")),
            (
                Framework::Pytest,
                1,
                "/usr/bin/python3: No module named pytest\n",
                Some("the Python module pytest is not installed"),
            ),
            (
                Framework::Pytest,
                4,
                "ERROR: file or directory not found: tests/a.py\n\nno tests ran in 0.00s\n",
                Some("no tests found"),
            ),
            (Framework::Go, 0, "?   \texample.com/a\t[no test files]\n", Some("no tests found")),
            (Framework::Go, 1, "# example.com/a\n./a.go:3:2: undefined: b\nFAIL\texample.com/a [build failed]\n", None),
            (
                Framework::Cargo,
                0,
                "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s\n",
                Some("no tests found"),
            ),
            (make, 127, "", Some("a required program could not be started")),
            (
                make,
                2,
                "/p/build-aux/missing: line 81: help2man: command not found\nmake[2]: *** [Makefile:2611: hello.1] Error \
                 127\nmake[1]: *** [Makefile:1878: check-recursive] Error 1\nmake: *** [Makefile:2362: check] Error 2\n",
                Some("help2man is not installed"),
            ),
            (make, 2, "config.yml: not found\nmake: *** [Makefile:2: test] Error 1\n", None),
            (make, 2, "sh: 1: jq: not found\nmake: *** [Makefile:2: test] Error 1\n", None),
            (
                Framework::Go,
                1,
                "?   \texample.com/a\t[no test files]\nno port\nFAIL\texample.com/b\t0.003s\nFAIL\n",
                None,
            ),
            (npm, 1, "AssertionError: expected 'could not resolve host' to equal ''\n", None),
            (npm, 1, "npm error could not resolve dependencies\n", Some("npm error could not resolve dependencies")),
        ] {
            assert_eq!(why(framework, code, text, &[]).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_module_that_was_absent_before_says_nothing_of_the_change_and_one_that_it_imports_does() {
        let text = "\n==== ERRORS ====\n____ ERROR collecting test_a.py ____\ntest_a.py:1: in <module>\n    import requests\nE   \
                    ModuleNotFoundError: No module named 'requests'\n==== short test summary info ====\nERROR test_a.py\n1 error in 0.10s\n";
        let file = |before: &str, now: &str| ChangedFile {
            shown: "a.py".into(),
            before: TextBefore::Text(before.into()),
            now: Some(now.into()),
        };
        let old = [file("import requests\nx = 1\n", "import requests\nx = 2\n")];
        assert_eq!(why(Framework::Pytest, 2, text, &old).as_deref(), Some("requests could not be imported"));
        let module = |before, now: Option<&str>| {
            [ChangedFile { shown: "requests.py".into(), before, now: now.map(str::to_owned) }]
        };
        let edited = module(TextBefore::Text("x = 1\n".into()), Some("x = 2\n"));
        let why_not = why(Framework::Pytest, 2, text, &edited);
        assert_eq!(why_not.as_deref(), Some("requests could not be imported"), "it is there: the path is wrong");
        assert_eq!(why(Framework::Pytest, 2, text, &module(TextBefore::Text("x = 1\n".into()), None)), None);
        assert_eq!(why(Framework::Pytest, 2, text, &module(TextBefore::Absent, Some("x = 1\n"))), None);
        let new = [file("x = 1\n", "import requests\nx = 1\n")];
        assert_eq!(why(Framework::Pytest, 2, text, &new), None);
    }
}
