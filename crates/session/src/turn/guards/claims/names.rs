//! Which words name a file, and whether two of them name the same one.

/// Endings of files that people edit. None of them is a common word after a dot in code (`x.log`, `x.text`).
const ENDINGS: &str = "rs py pyi js mjs cjs ts mts tsx jsx json jsonc json5 toml yaml yml md mdx rst txt c h cc cpp cxx hpp hh \
                       go java kt kts rb php sh bash zsh fish html htm css scss sass less sql xml svg ini cfg conf lock \
                       lua swift cs fs ex exs erl hs ml scala dart zig nix vue svelte gradle proto graphql tf csv tsv \
                       ipynb tex bat ps1 cmake jl pl vim el clj ron hbs ejs patch";

/// What is called so and is no file.
const NO_FILES: &str = "node.js next.js vue.js react.js three.js express.js nuxt.js d3.js chart.js discord.js ember.js p5.js \
                        nest.js request.json req.json res.json response.json resp.json r.json self.json";

/// Endings of what a program makes rather than a person.
const MADE: &str = "csv tsv txt html htm lock json xml svg sql md patch";

/// Folders that git usually ignores.
const IGNORED: &str =
    "target build dist out output node_modules venv env tmp temp __pycache__ coverage logs vendor bin obj";

/// The name of a file in this word, without the line that may follow it; `None`: it names none.
pub(super) fn file_name(word: &str) -> Option<String> {
    let word = word.trim_start_matches("./");
    let word = match word.split_once(':') {
        Some((name, line)) if line.starts_with(|c: char| c.is_ascii_digit()) => name,
        Some(_) => return None,
        None => word,
    };
    let odd = |c: char| !(c.is_alphanumeric() || "./\\_-+@~".contains(c));
    let low = word.to_lowercase();
    let (stem, ending) = base(&low).rsplit_once('.')?;
    let is_number = stem.chars().all(|c| c.is_ascii_digit() || c == '.');
    let is_file = has(ENDINGS, ending) && !has(NO_FILES, base(&low)) && !is_number;
    (is_file && !word.contains(odd) && !word.contains("//")).then(|| word.to_owned())
}

/// The last part of a path.
pub(super) fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Could both mean one file? They need only end alike, for people and models leave out folders.
pub(super) fn is_same_file(named: &str, changed: &str) -> bool {
    base(named).to_lowercase() == base(changed).to_lowercase()
}

/// May a command change it without anybody seeing it? What git ignores, and what lies outside the project.
pub(super) fn may_be_unseen(file: &str) -> bool {
    let low = file.to_lowercase();
    let outside = low.starts_with(['/', '~']) || low.contains("../") || low.contains(":\\");
    let made = low.rsplit_once('.').is_some_and(|(_, ending)| has(MADE, ending));
    let hidden = low.split(['/', '\\']).any(|part| part.starts_with('.') || has(IGNORED, part));
    outside || made || hidden
}

fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_from_other_words_with_dots() {
        for word in ["a.rs", "src/main.py", "./x/Y.tsx", "a.rs:42", "a.rs:3-9", "C.H", "my-file_2.json"] {
            assert!(file_name(word).is_some(), "{word}");
        }
        for word in [
            "Node.js",
            "os.path",
            "e.g",
            "1.2",
            "foo.bar()",
            "request.json",
            "console.log",
            "src/",
            "makefile",
            "v1.0",
            "https://a.b/c.html",
            "std::fs",
            "*.rs",
            "self.value",
            "a b.rs",
            "readme",
            "process.env",
            "App.vue?x",
            "",
        ] {
            assert_eq!(file_name(word), None, "{word}");
        }
    }

    #[test]
    fn names_are_compared_by_their_last_part() {
        for (named, changed) in [("a.rs", "src/a.rs"), ("src/a.rs", "/p/src/a.rs"), ("A.RS", "a.rs")] {
            assert!(is_same_file(named, changed), "{named} {changed}");
        }
        assert!(!is_same_file("a.rs", "src/ba.rs") && !is_same_file("a.rs", "a.py"));
    }
}
