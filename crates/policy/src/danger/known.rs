//! What is known of programs by their names alone.

use super::script::ScriptWord;
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

/// Programs that run a text they are given.
pub(super) const SHELLS: &[&str] = &[
    "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash", "csh", "tcsh", "yash", "elvish", "nu", "xonsh",
];

/// Programs that read what they are given, or look at nothing.
pub(super) const READERS: &str = ". : [ [[ ack ag alias apropos arch awk b2sum base32 base64 basename bat batcat break bg cal \
    case cat cd chsh cksum cmp cloc column comm compgen continue curl cut date delta df diff diff3 difft dig dir \
    dircolors dirname dirs du echo egrep env exa exit expand export expr eza false fd fdfind fg fgrep file fmt fold \
    for free function fzf gawk getconf getent getopts grep groups hash hd head help hexdump host hostname id info \
    jobs join jq kill less let local locale look ls lsattr lsblk lscpu lsof lstopo man mawk md5sum more most nl nm \
    nproc nslookup numfmt objdump od paste pathchk pgrep ping popd pr printenv printf ps pstree ptx pushd pwd read \
    readelf readlink readonly realpath return rev rg ripgrep sdiff select seq set sha1sum sha224sum sha256sum \
    sha384sum sha512sum shasum shellcheck shift size sleep source ss stat strings sum tac tail test tokei top tr \
    trap tree true tsort tty type typeset ulimit umask unalias uname unexpand unset uptime users vdir wait wc wget \
    whatis whereis which who whoami xxd yes zcat zgrep zless";

/// Programs that change all they name.
pub(super) const CHANGERS: &[&str] = &["tee", "touch", "mkdir", "mkfifo", "mknod", "truncate", "sponge", "ed", "ex"];

/// Programs that take away all they name.
pub(super) const REMOVERS: &[&str] = &["rm", "rmdir", "unlink", "shred", "srm", "trash", "trash-put"];

/// Programs whose last word names what they make of the others.
pub(super) const COPIERS: &[&str] = &["cp", "ln", "install", "link", "ditto"];

/// Programs whose first operand says what to do with the others.
pub(super) const ADJUSTERS: &[&str] = &["chmod", "chown", "chgrp", "chattr", "setfacl"];

/// Programs that run the code they are given.
pub(super) const INTERPRETERS: &str = "python pypy ipython node nodejs perl ruby irb php lua luajit deno bun awk gawk mawk nawk \
    osascript tclsh wish expect julia Rscript R ghci runghc racket guile sbcl clisp groovy jshell scala elixir iex \
    erl escript ocaml swift tsx ts-node java dotnet-script sqlite psql mysql bc dc m4 gnuplot octave pwsh";

/// Programs that can be told to run others, or that take too much with one word.
pub(super) const NEVER: &str = "rm dd shred srm unlink truncate wipefs find fd sed tar sort rg ssh scp sftp rsync curl wget nc \
    ncat netcat socat telnet npx bunx pnpx uvx pipx vim vi nvim view ed ex emacs nano less more man gdb lldb perf \
    entr watchexec nodemon cargo-watch docker podman nerdctl kubectl crontab at batch systemctl launchctl service su \
    runuser eval source . trap alias export set unset cd pushd popd hash enable bind complete mapfile readarray \
    cmake kill pkill killall chmod chown chgrp mount umount direnv screen tmux taskset chrt setpriv prlimit \
    hyperfine valgrind dbus-run-session nix nix-shell wine wasmtime mono jupyter ld.so git-shell if then else elif \
    fi for while until do done case esac select function in coproc";

/// What others would get to see, or would come to obey.
const PUBLISHES: &[(&str, &[&str])] = &[
    ("npm", &["publish", "unpublish", "deprecate"]),
    ("pnpm", &["publish"]),
    ("yarn", &["publish"]),
    ("bun", &["publish"]),
    ("cargo", &["publish", "yank"]),
    ("twine", &["upload"]),
    ("poetry", &["publish"]),
    ("uv", &["publish"]),
    ("flit", &["publish"]),
    ("hatch", &["publish"]),
    ("gem", &["push", "yank"]),
    ("mvn", &["deploy"]),
];

/// The name of a program, without the folders it is called by.
pub(super) fn name(program: &ScriptWord) -> &str {
    program.text.rsplit('/').next().unwrap_or_default()
}

/// The name without the number of its version: `python3.12` is `python`.
pub(crate) fn unversioned(program: &str) -> &str {
    let bare = program.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    if bare.is_empty() { program } else { bare.trim_end_matches('-') }
}

/// Does a list here say what this program does with its words?
pub(super) fn is_known_by_name(program: &str) -> bool {
    let lists = [SHELLS, CHANGERS, REMOVERS, COPIERS, ADJUSTERS];
    let own = ["sort", "curl", "wget", "uniq", "dd", "find", "git", "sed", "mv", "scp", "rsync"];
    [READERS, INTERPRETERS, NEVER].iter().any(|list| listed(list, program))
        || own.contains(&program)
        || lists.iter().any(|list| list.contains(&program))
}

/// Does it publish a package, with this `first` operand?
pub(super) fn publishes(program: &str, first: &str) -> bool {
    PUBLISHES.iter().any(|(publisher, subcommands)| *publisher == program && subcommands.contains(&first))
}
