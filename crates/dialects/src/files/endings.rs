//! What endings of names say: that it is a file's, and which language stands in it.

/// Names that people give languages in fences, and the endings that files in them have.
const LANGUAGES: &[(&str, &str)] = &[
    ("python py python3 py3 pycon", "py pyi pyw"),
    ("javascript js node nodejs jsx mjs cjs ecmascript", "js jsx mjs cjs"),
    ("typescript ts tsx mts cts", "ts tsx mts cts"),
    ("rust rs", "rs"),
    ("go golang", "go"),
    ("c h", "c h"),
    ("cpp c++ cxx cc hpp cplusplus", "cpp cc cxx hpp hh hxx h ipp inl tpp"),
    ("csharp c# cs", "cs"),
    ("java", "java"),
    ("kotlin kt kts", "kt kts"),
    ("swift", "swift"),
    ("ruby rb", "rb rake gemspec"),
    ("php", "php"),
    ("perl pl", "pl pm t"),
    ("lua", "lua"),
    ("r", "r"),
    ("scala", "scala sc"),
    ("dart", "dart"),
    ("elixir ex", "ex exs"),
    ("erlang", "erl hrl"),
    ("haskell hs", "hs"),
    ("ocaml ml", "ml mli"),
    ("clojure clj", "clj cljs cljc edn"),
    ("julia jl", "jl"),
    ("zig", "zig"),
    ("nim", "nim"),
    ("groovy gradle", "groovy gradle"),
    ("html htm xhtml", "html htm xhtml vue svelte jinja j2 hbs ejs"),
    ("css", "css"),
    ("scss sass less", "scss sass less css"),
    ("vue", "vue"),
    ("svelte", "svelte"),
    ("xml svg", "xml svg xsd xsl plist csproj"),
    ("json jsonc json5 jsonl", "json jsonc json5 jsonl ipynb webmanifest"),
    ("yaml yml", "yaml yml"),
    ("toml", "toml lock"),
    ("ini cfg conf properties editorconfig", "ini cfg conf properties editorconfig service env"),
    ("env dotenv", "env"),
    ("sql mysql postgresql sqlite plsql", "sql"),
    ("markdown md mdx rst", "md mdx markdown rst"),
    ("csv tsv", "csv tsv"),
    ("makefile make", "mk mak"),
    ("cmake", "cmake txt"),
    ("dockerfile docker", "dockerfile"),
    ("proto protobuf", "proto"),
    ("graphql gql", "graphql gql"),
    ("terraform hcl tf", "tf tfvars hcl"),
    ("powershell ps1 pwsh", "ps1 psm1 psd1"),
    ("bat batch cmd", "bat cmd"),
    ("bash sh shell zsh ksh fish", "sh bash zsh ksh fish bats"),
    ("latex tex", "tex sty cls bib"),
    ("vim viml", "vim"),
    ("nix", "nix"),
    ("solidity sol", "sol"),
    ("fortran f90", "f f90 f95"),
    ("asm assembly nasm", "s asm"),
    ("objective-c objc", "m mm h"),
    ("fsharp f#", "fs fsx"),
    ("vb vbnet", "vb"),
    ("lisp elisp scheme", "el lisp scm"),
    ("gdscript", "gd"),
    ("diff patch", "diff patch"),
    ("text txt plaintext plain", "txt log in"),
];

/// Files that have no ending.
const BARE: &[&str] = &[
    "Makefile",
    "makefile",
    "GNUmakefile",
    "Dockerfile",
    "Containerfile",
    "README",
    "LICENSE",
    "CHANGELOG",
    "Gemfile",
    "Rakefile",
    "Procfile",
    "Vagrantfile",
    "Jenkinsfile",
    "Justfile",
    "justfile",
    "Pipfile",
    "BUILD",
    "WORKSPACE",
    "NOTICE",
    "AUTHORS",
    "CODEOWNERS",
    "PKGBUILD",
    "SConstruct",
    "Brewfile",
    "Caddyfile",
];

const DOTTED: &[&str] = &[
    ".gitignore",
    ".gitattributes",
    ".dockerignore",
    ".editorconfig",
    ".env",
    ".npmrc",
    ".nvmrc",
    ".prettierrc",
    ".eslintrc",
    ".babelrc",
    ".flake8",
    ".pylintrc",
    ".bashrc",
    ".zshrc",
    ".profile",
    ".clang-format",
    ".npmignore",
    ".prettierignore",
    ".eslintignore",
    ".coveragerc",
    ".gitlab-ci.yml",
    ".travis.yml",
    ".pre-commit-config.yaml",
];

/// Products that are called like files.
const PRODUCTS: &[&str] = &[
    "node.js",
    "vue.js",
    "next.js",
    "nuxt.js",
    "express.js",
    "react.js",
    "three.js",
    "d3.js",
    "angular.js",
    "ember.js",
    "backbone.js",
    "chart.js",
    "socket.io",
    "moment.js",
    "discord.js",
    "discord.py",
    "p5.js",
    "alpine.js",
    "nest.js",
    "electron.js",
    "gatsby.js",
    "svelte.js",
];

/// Does `base`, which has no folder, look like the name of a file?
pub(super) fn is_file_name(base: &str) -> bool {
    if BARE.contains(&base) || DOTTED.contains(&base) {
        return true;
    }
    let Some((stem, ending)) = base.rsplit_once('.') else { return false };
    let ending = ending.to_lowercase();
    let known = LANGUAGES.iter().any(|(_, endings)| endings.split(' ').any(|known| known == ending));
    known && stem.chars().any(char::is_alphanumeric)
}

/// Is it the name of a product that looks like a file's?
pub(super) fn is_product_name(name: &str) -> bool {
    PRODUCTS.contains(&name.to_lowercase().as_str())
}

/// Is `word` how people call a language?
pub(super) fn is_language(word: &str) -> bool {
    let word = word.to_lowercase();
    LANGUAGES.iter().any(|(names, _)| names.split(' ').any(|name| name == word))
        || ["console", "terminal", "shell-session", "shellsession", "output", "log", "code", "none", "plain"]
            .contains(&word.as_str())
}

/// How well a fence's language goes with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    Yes,
    No,
    /// The fence says nothing, or nothing that is known.
    Unsaid,
}

/// How well the language called `word` goes with the file `path`.
pub(super) fn fit(word: &str, path: &str) -> Fit {
    let word = word.to_lowercase();
    let base = path.rsplit('/').next().unwrap_or(path);
    let ending = base.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_lowercase());
    if word.is_empty() || ["text", "txt", "plaintext", "plain", "code", "none"].contains(&word.as_str()) {
        return Fit::Unsaid;
    }
    let mut said = false;
    for (names, endings) in LANGUAGES.iter().filter(|(names, _)| names.split(' ').any(|name| name == word)) {
        said = true;
        let by_ending = endings.split(' ').any(|known| known == ending);
        let by_name = !ending.is_empty() || names.split(' ').any(|name| base.to_lowercase().contains(name));
        if by_ending || (ending.is_empty() && by_name) || is_kin(&word, &ending) {
            return Fit::Yes;
        }
    }
    let is_session = ["console", "terminal", "shell-session", "shellsession", "output", "log"].contains(&word.as_str());
    if said || is_session { Fit::No } else { Fit::Unsaid }
}

/// Languages whose fences models mix up.
fn is_kin(word: &str, ending: &str) -> bool {
    let kin = [
        ("javascript js jsx typescript ts tsx", "js jsx ts tsx mjs cjs vue svelte"),
        ("c cpp c++ h hpp", "c h cc cpp cxx hpp hh"),
    ];
    kin.iter().any(|(words, endings)| {
        words.split(' ').any(|known| known == word) && endings.split(' ').any(|known| known == ending)
    })
}

/// Is it prose with markup, in which fences may stand?
pub(super) fn is_markdown(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_lowercase());
    ["md", "mdx", "markdown", "rst"].contains(&ending.as_str())
}
