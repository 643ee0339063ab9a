//! What differs between languages: the command that tests, programs, files that stay as they are, and what is changed in
//! tests that are switched off. As in the scripts of aider's benchmark.

use regex::Regex;
use std::sync::LazyLock;

/// A language that can be imported.
pub(super) struct Language {
    /// As Exercism calls its track.
    pub(super) name: &'static str,
    aliases: &'static [&'static str],
    /// Programs that have to be there.
    pub(super) needs: &'static [&'static str],
    /// What tests it. `@NAME@` is the exercise's name, `@TESTS@` are its test files.
    pub(super) command: &'static str,
    /// Files that an exercise may list as its solution, and that stay as they are.
    pub(super) stays: &'static [&'static str],
    /// Patterns of files that a solution may have besides.
    pub(super) besides: &'static [&'static str],
    switched_off: SwitchedOff,
}

/// How tests are switched off in what an exercise comes with.
#[derive(Clone, Copy)]
enum SwitchedOff {
    /// They are not, or the command takes them in.
    Not,
    /// `xtest(`, `test.skip(` and the like.
    JavaScript,
    /// `@Disabled("…")`.
    Java,
}

pub(super) const LANGUAGES: [Language; 6] = [
    Language {
        name: "python",
        aliases: &["py"],
        needs: &["python3"],
        // Exercism's tests are unittest's classes, which pytest runs where it is there.
        command: "if python3 -c 'import pytest' 2>/dev/null; then python3 -m pytest -q -p no:cacheprovider @TESTS@; else \
                  python3 -m unittest @TESTS@; fi",
        stays: &[],
        besides: &[],
        switched_off: SwitchedOff::Not,
    },
    Language {
        name: "rust",
        aliases: &["rs"],
        needs: &["cargo"],
        command: "cargo test --offline -- --include-ignored",
        stays: &["Cargo.toml", "Cargo.lock", "build.rs"],
        besides: &["src/**/*.rs"],
        switched_off: SwitchedOff::Not,
    },
    Language {
        name: "go",
        aliases: &["golang"],
        needs: &["go"],
        command: "go test ./...",
        stays: &["go.mod", "go.sum"],
        besides: &[],
        switched_off: SwitchedOff::Not,
    },
    Language {
        name: "javascript",
        aliases: &["js"],
        needs: &["node", "npm"],
        // What newer tracks start by npm wants a package manager that asks the network; it is jest in the end.
        command: "if [ -x node_modules/.bin/jest ]; then node_modules/.bin/jest; else npm test --logs-max=0; fi",
        stays: &["package.json", "package-lock.json", "babel.config.js", "jest.config.js"],
        besides: &[],
        switched_off: SwitchedOff::JavaScript,
    },
    Language {
        name: "cpp",
        aliases: &["c++", "cxx"],
        needs: &["cmake", "c++"],
        // The exercise's own build takes its name from the folder that it is in.
        command: "there=\"$(mktemp -d)/@NAME@\" && cp -R . \"$there\" && cmake -S \"$there\" -B \"$there/.build\" \
                  -DEXERCISM_RUN_ALL_TESTS=1 >/dev/null && cmake --build \"$there/.build\"",
        stays: &["CMakeLists.txt"],
        besides: &["*.cpp", "*.h"],
        switched_off: SwitchedOff::Not,
    },
    Language {
        name: "java",
        aliases: &[],
        needs: &["java"],
        command: "bash ./gradlew test --offline --no-daemon",
        stays: &["build.gradle", "gradlew"],
        besides: &["src/main/java/**/*.java"],
        switched_off: SwitchedOff::Java,
    },
];

impl Language {
    /// Whether this is what `name` means.
    pub(super) fn is(&self, name: &str) -> bool {
        let name = name.trim().to_ascii_lowercase();
        self.name == name || self.aliases.contains(&name.as_str())
    }

    /// A test file in which no test is switched off.
    pub(super) fn switched_on(&self, content: &[u8]) -> Vec<u8> {
        static SKIPPED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bx(test|it|describe)\("));
        static SKIP: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(test|it|describe)\.skip\("));
        static DISABLED: LazyLock<Regex> =
            LazyLock::new(|| pattern(r#"@Disabled(?:\s*\(\s*(?:"(?:[^"\\]|\\.)*")?\s*\))?"#));
        let Ok(text) = std::str::from_utf8(content) else { return content.to_vec() };
        let text = match self.switched_off {
            SwitchedOff::Not => return content.to_vec(),
            SwitchedOff::JavaScript => {
                let text = SKIPPED.replace_all(text, "$1(");
                SKIP.replace_all(&text, "$1(").into_owned()
            }
            SwitchedOff::Java => DISABLED.replace_all(text, "").into_owned(),
        };
        text.into_bytes()
    }
}

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns stand here, and a test reads with each")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(language: &str, text: &str) -> String {
        let language = LANGUAGES.iter().find(|known| known.is(language)).unwrap();
        String::from_utf8(language.switched_on(text.as_bytes())).unwrap()
    }

    #[test]
    fn tests_that_are_switched_off_are_switched_on() {
        assert_eq!(
            on("js", "xtest('a'); xit('b'); test.skip('c'); extest(1)"),
            "test('a'); it('b'); test('c'); extest(1)"
        );
        let java = "@Disabled(\"Remove (to) run\")\n@Test\n@Disabled\n@Disabled()\n";
        assert_eq!(on("java", java), "\n@Test\n\n\n");
        assert_eq!(on("rust", "#[ignore] xtest("), "#[ignore] xtest(");
    }

    #[test]
    fn each_language_has_names_of_its_own() {
        for name in ["python", "PY", "rust", "go", "js", "c++", "java"] {
            assert_eq!(LANGUAGES.iter().filter(|language| language.is(name)).count(), 1, "{name}");
        }
        assert!(!LANGUAGES.iter().any(|language| language.is("ruby")));
    }
}
