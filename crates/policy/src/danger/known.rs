//! What is known of programs by their names alone.

use crate::lists::listed;

/// Programs whose first word says what they do, and which of those words run whatever they are given.
pub(super) const SUBCOMMANDS: &[(&str, &str)] = &[
    ("cargo", "watch script"),
    (
        "git",
        "bisect submodule difftool mergetool filter-branch rebase config push remote send-email credential hook maintenance help",
    ),
    ("npm", "exec x init create explore config"),
    ("pnpm", "exec dlx create config"),
    ("yarn", "exec dlx node create config"),
    ("go", "run tool env"),
    ("pip", "config"),
    ("poetry", "run shell config"),
    ("uv", "run tool x"),
    ("rustup conda bazel dart pdm", "run"),
    ("dotnet", "exec script tool"),
    ("bundle nx lerna", "exec"),
    ("rails", "runner console c r"),
    ("mix", "run eval cmd"),
    ("composer", "exec config"),
    ("gh", "alias api extension auth config secret"),
    ("flutter zig mvn gradle rake make gmake just task ninja ruff biome next vite turbo ng pre-commit", ""),
    ("stack", "exec ghci runghc script"),
    ("cabal", "exec repl"),
    ("meson", "devenv"),
    ("terraform", "console"),
    ("hatch", "run shell"),
];

/// The name that a program is known by, wherever it lies: a wrapper of the project's is what it wraps.
pub(super) fn known_as(program: &str) -> &str {
    match program.rsplit('/').next().unwrap_or(program) {
        "gradlew" => "gradle",
        "mvnw" => "mvn",
        "py.test" => "pytest",
        "pip3" => "pip",
        name => name,
    }
}

/// Does the first word of this program say what it does?
pub(super) fn takes_subcommand(program: &str) -> bool {
    SUBCOMMANDS.iter().any(|(names, _)| listed(names, program))
}
