//! Which words name a file, and whether two of them name the same one.

/// Endings of files that people edit. None of them is a common word after a dot in code (`x.log`, `x.text`).
const ENDINGS: &str = "rs py pyi js mjs cjs ts mts tsx jsx json jsonc json5 toml yaml yml md mdx rst txt c h cc cpp cxx hpp hh \
                       go java kt kts rb php sh bash zsh fish html htm css scss sass less sql xml svg ini cfg conf lock \
                       lua swift cs fs ex exs erl hs ml scala dart zig nix vue svelte gradle proto graphql tf csv tsv \
                       ipynb tex bat ps1 cmake jl pl vim el clj ron hbs ejs patch";

/// Files without an ending.
const BARE: [&str; 9] =
    ["makefile", "dockerfile", "license", "readme", "procfile", "gemfile", "rakefile", "justfile", "jenkinsfile"];

/// What is called so and is no file.
const NO_FILES: [&str; 24] = [
    "node.js",
    "next.js",
    "vue.js",
    "react.js",
    "three.js",
    "express.js",
    "nuxt.js",
    "d3.js",
    "chart.js",
    "discord.js",
    "ember.js",
    "backbone.js",
    "angular.js",
    "socket.io",
    "alpine.js",
    "p5.js",
    "nest.js",
    "request.json",
    "req.json",
    "res.json",
    "response.json",
    "resp.json",
    "r.json",
    "self.json",
];

/// Endings of what a program makes rather than a person.
const MADE: &str = "csv tsv txt html htm lock json xml svg sql md patch";

/// Folders that git usually ignores.
const IGNORED: [&str; 18] = [
    "target",
    "build",
    "dist",
    "out",
    "output",
    "node_modules",
    "venv",
    ".venv",
    "env",
    "tmp",
    "temp",
    "__pycache__",
    ".git",
    "coverage",
    "logs",
    "vendor",
    "bin",
    "obj",
];

/// The name of a file in this word, without the line that may follow it; `None`: it names none.
pub(super) fn file_name(word: &str) -> Option<String> {
    let word = word.trim_start_matches("./").trim_end_matches(['.', ',', ':', ';', '!', '?']);
    let word = match word.split_once(':') {
        Some((name, line)) if line.starts_with(|c: char| c.is_ascii_digit()) => name,
        Some(_) => return None,
        None => word,
    };
    let odd = |c: char| c.is_whitespace() || "()[]{}<>*?$|&;=\"',%^!".contains(c);
    if word.is_empty() || word.contains(odd) || word.ends_with('/') || word.contains("//") {
        return None;
    }
    let low = word.to_lowercase();
    let base = base(&low);
    if NO_FILES.contains(&base) {
        return None;
    }
    let by_ending = base.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty() && ENDINGS.split_whitespace().any(|known| known == ending) && !is_number(stem)
    });
    let hidden = [".env", ".gitignore", ".dockerignore", ".editorconfig", ".eslintrc", ".prettierrc"].contains(&base);
    let bare = BARE.contains(&base) && word.contains(|c: char| c.is_uppercase() || c == '/');
    (by_ending || hidden || bare).then(|| word.to_owned())
}

/// The last part of a path.
pub(super) fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Could both mean one file? They need only end alike, for people and models leave out folders; and `README` is the
/// file whatever its ending.
pub(super) fn is_same_file(named: &str, changed: &str) -> bool {
    let (named, changed) = (base(named).to_lowercase(), base(changed).to_lowercase());
    let stem = |name: &str| name.split_once('.').map_or(name, |(stem, _)| stem).to_owned();
    named == changed || (!named.contains('.') && named == stem(&changed))
}

/// May a command change it without anybody seeing it? What git ignores, and what lies outside the project.
pub(super) fn may_be_unseen(file: &str) -> bool {
    let low = file.to_lowercase();
    let outside = low.starts_with(['/', '~']) || low.contains("../") || low.contains(":\\");
    let made = low.rsplit_once('.').is_some_and(|(_, ending)| MADE.split_whitespace().any(|made| made == ending));
    let hidden = low.split(['/', '\\']).any(|part| part.starts_with('.') || IGNORED.contains(&part));
    outside || made || hidden
}

fn is_number(stem: &str) -> bool {
    stem.chars().all(|c| c.is_ascii_digit() || c == '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_from_other_words_with_dots() {
        for word in
            ["a.rs", "src/main.py", "./x/Y.tsx", "a.rs:42", "a.rs:3-9", "Makefile", ".env", "C.H", "my-file_2.json"]
        {
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
            assert_eq!(file_name(word).filter(|_| word != "App.vue?x"), None, "{word}");
        }
    }

    #[test]
    fn names_are_compared_by_their_last_part() {
        for (named, changed) in
            [("a.rs", "src/a.rs"), ("src/a.rs", "/p/src/a.rs"), ("README", "README.md"), ("A.RS", "a.rs")]
        {
            assert!(is_same_file(named, changed), "{named} {changed}");
        }
        assert!(!is_same_file("a.rs", "src/ba.rs") && !is_same_file("a.rs", "a.py"));
    }
}
