//! JSON as it is written: one value, one value a line, or with comments as the settings of many tools have it.

use serde::de::IgnoredAny;
use serde_json::Deserializer;
use std::iter::Peekable;
use std::str::Chars;

/// Files of tools that read comments and commas too many, by their names or what these begin with.
const RELAXED: &[&str] = &[
    "tsconfig",
    "jsconfig",
    ".eslintrc",
    ".babelrc",
    ".swcrc",
    "babel.config",
    "tslint",
    "deno",
    "devcontainer",
    "settings",
    "launch",
    "tasks",
    "extensions",
    "keybindings",
    "turbo",
    "wrangler",
    "biome",
    "renovate",
    "api-extractor",
    "nx",
    "typedoc",
    "language-configuration",
];
/// Files of tools that do not.
const STRICT: &[&str] = &["package", "package-lock", "composer", "manifest", "bower", "lerna"];

/// What a text is as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Json {
    One,
    /// One value after the other, each on lines of its own.
    Many,
    /// With comments, or only with commas before what closes; the first line, from 1, that strict readers refuse, and why.
    Relaxed {
        has_comments: bool,
        line: usize,
        why: String,
    },
    No {
        line: usize,
        why: String,
    },
}

impl Json {
    pub(super) fn read(text: &str) -> Json {
        let text = text.trim_start_matches('\u{feff}');
        let Err(error) = serde_json::from_str::<IgnoredAny>(text) else { return Json::One };
        let rest = Deserializer::from_str(text).into_iter::<IgnoredAny>();
        if rest.take_while(Result::is_ok).count() > 1
            && text
                .lines()
                .filter(|line| !line.trim().is_empty())
                .all(|line| serde_json::from_str::<IgnoredAny>(line).is_ok())
        {
            return Json::Many;
        }
        let (line, why) = (error.line().max(1), said(&error));
        let bare = without_extras(text);
        match serde_json::from_str::<IgnoredAny>(&bare.text) {
            Ok(_) => Json::Relaxed { has_comments: bare.had_comments, line, why },
            Err(error) => Json::No { line: error.line().max(1), why: said(&error) },
        }
    }

    /// What is wrong with it in the file `path`, which held `before`.
    pub(super) fn fault(self, path: &str, before: Option<&str>) -> Option<(usize, String)> {
        let was = before.map(Json::read);
        match self {
            Json::One => None,
            Json::Many => {
                let is_new = was.is_some_and(|was| was == Json::One);
                is_new.then(|| (1, "it holds more than one value".to_owned()))
            }
            Json::Relaxed { has_comments, line, why } => {
                let usual = is_named(path, RELAXED) || path.ends_with(".jsonc");
                let meant = has_comments && before.is_none() && !is_named(path, STRICT);
                let as_before = matches!(was, Some(Json::Relaxed { .. }));
                (!usual && !meant && !as_before).then_some((line, why))
            }
            Json::No { line, why } => Some((line, why)),
        }
    }
}

/// Without the place, which is told apart.
fn said(error: &serde_json::Error) -> String {
    let words = error.to_string();
    words.split(" at line ").next().unwrap_or_default().to_owned()
}

fn is_named(path: &str, names: &[&str]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    names.iter().any(|known| name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

struct Bare {
    text: String,
    had_comments: bool,
}

/// The text with blanks for comments, and for commas with nothing behind them.
fn without_extras(text: &str) -> Bare {
    let mut bare =
        Stripping { letters: text.chars().peekable(), out: Vec::with_capacity(text.len()), had_comments: false };
    // The comma behind which nothing stood yet.
    let mut comma = None;
    while let Some(letter) = bare.letters.next() {
        let at = bare.out.len();
        match (letter, bare.letters.peek()) {
            ('/', Some('/')) => {
                bare.had_comments = true;
                while bare.letters.next_if(|next| *next != '\n').is_some() {}
                continue;
            }
            ('/', Some('*')) => {
                bare.comment();
                continue;
            }
            _ => bare.out.push(letter),
        }
        match letter {
            ',' => comma = Some(at),
            ']' | '}' => {
                if let Some(at) = comma.take() {
                    bare.out[at] = ' ';
                }
            }
            _ => comma = comma.filter(|_| letter.is_whitespace()),
        }
        if letter == '"' {
            bare.string();
        }
    }
    Bare { text: bare.out.into_iter().collect(), had_comments: bare.had_comments }
}

struct Stripping<'a> {
    letters: Peekable<Chars<'a>>,
    out: Vec<char>,
    had_comments: bool,
}

impl Stripping<'_> {
    /// The rest of a string, as it is.
    fn string(&mut self) {
        while let Some(letter) = self.letters.next() {
            self.out.push(letter);
            match letter {
                '\\' => self.out.extend(self.letters.next()),
                '"' | '\n' => return,
                _ => {}
            }
        }
    }

    /// The rest of a comment, of which only the line ends stay.
    fn comment(&mut self) {
        self.had_comments = true;
        let mut last = ' ';
        // The star that opens it does not close it.
        self.letters.next();
        for letter in self.letters.by_ref() {
            self.out.extend((letter == '\n').then_some('\n'));
            if last == '*' && letter == '/' {
                return;
            }
            last = letter;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(path: &str, before: Option<&str>, text: &str) -> Option<usize> {
        Json::read(text).fault(path, before).map(|(line, _)| line)
    }

    #[test]
    fn comments_are_taken_where_they_are_usual_or_were_there_before() {
        let text = "{\n  // why\n  \"a\": [1, 2,], /* so\n */\n  \"b\": \"//\"\n}\n";
        assert_eq!(fault("tsconfig.base.json", Some("{}"), text), None);
        assert_eq!(fault("a.json", Some("{} // x"), text), None);
        assert_eq!(fault("a.json", None, text), None, "who writes a comment means it");
        assert_eq!(fault("a.json", Some("{}"), text), Some(2));
        assert_eq!(fault("app/package.json", None, text), Some(2));
        assert_eq!(fault("a.json", None, "{\n\"a\": 1,\n}"), Some(3), "a comma too many is a slip");
        assert_eq!(
            fault("tsconfig.json", None, "{\n// a\n\"a\": 1\n\"b\": 2\n}"),
            Some(4),
            "with comments and a fault"
        );
    }

    #[test]
    fn one_value_a_line_is_a_file_of_records() {
        let text = "{\"a\": 1}\n{\"a\": 2}\n";
        assert_eq!(fault("a.json", None, text), None);
        assert_eq!(fault("a.json", Some("{\"a\": 1}\n{\"a\": 0}\n"), text), None);
        assert_eq!(fault("a.json", Some("{\"a\": 1}\n"), text), Some(1));
        assert_eq!(fault("a.json", None, "{\n}\n{\n}\n"), Some(3));
    }
}
