//! Names that other programs obey: whoever writes there has something run, or tells an agent what to do.

use super::fold::{begins, is};

/// Reasons, each with the names that it holds for: parted by blanks, in small letters, as folded names are.
type Reasons = &'static [(&'static str, &'static str)];

const EDITOR: &str = "names programs that an editor runs";
const INSTRUCTIONS: &str = "tells coding agents what to do";
const PIPELINE: &str = "is run by the server that the project is pushed to";
const PACKAGES: &str = "decides what package managers fetch and run";
const PYTHON: &str = "runs whenever python starts";
const SHELL: &str = "runs whenever a shell starts";

/// Names at any depth of a project, with all that lies below them; one that ends in `*` is any that begins so. (`gi7eba~`
/// and `gi7d29~` are the short names that NTFS makes of git's two where the plain ones are taken. `.agent` is memory and
/// tools of ours: told to the model and offered to it in every later session.)
const ANYWHERE: Reasons = &[
    ("decides what git does and runs", ".git .gitmodules .gitattributes .gitconfig gi7eba~* gi7d29~*"),
    ("decides what mercurial does and runs", ".hg"),
    ("sets variables for programs that are started here", ".envrc .env*"),
    (EDITOR, ".vscode .idea .zed .fleet .nvim.lua .exrc .dir-locals.el .devcontainer"),
    ("configures a coding agent", ".agent .cursor .claude .codex .gemini .windsurf"),
    ("names programs that coding agents start", ".mcp.json"),
    (
        INSTRUCTIONS,
        "agents.md agents.override.md agent.md claude.md claude.local.md gemini.md qwen.md .cursorrules .windsurfrules \
         .clinerules* copilot-instructions.md",
    ),
    (PIPELINE, ".gitlab-ci.yml .gitlab-ci.yaml .circleci .travis.yml jenkinsfile"),
    ("chooses the programs that cargo runs", "rust-toolchain*"),
    (PACKAGES, ".npmrc .yarnrc* .yarn .pnpmfile.cjs .pnpmfile.mjs pip.conf"),
    (
        "names programs that run at each commit",
        ".pre-commit-config.yaml .pre-commit-config.yml .husky .lefthook.yml lefthook.yml",
    ),
    (PYTHON, "sitecustomize.py usercustomize.py"),
    (
        SHELL,
        ".bashrc* .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc* .zshenv .zprofile .zlogin .zlogout \
         .kshrc .cshrc .tcshrc .inputrc",
    ),
];

/// Names within a folder of a certain name, at any depth.
const WITHIN: Reasons = &[
    (PIPELINE, ".github/workflows .github/actions"),
    (INSTRUCTIONS, ".github/instructions"),
    ("can name programs that cargo runs", ".cargo/config* .cargo/bin"),
    ("starts services when you log in", "systemd/user"),
];

/// Places in the user's home.
const AT_HOME: Reasons = &[
    ("decides who may log in, and where you log in", ".ssh"),
    ("holds your keys", ".gnupg"),
    ("configures your programs", ".config"),
    ("starts services when you log in", ".local/share/systemd library/launchagents library/launchdaemons"),
    ("starts programs from your desktop", ".local/share/applications"),
    ("holds programs that you start by name", ".local/bin bin"),
    ("holds your access to a cloud", ".aws .azure"),
    ("holds your access to clusters", ".kube"),
    ("configures docker", ".docker"),
    ("holds passwords", ".netrc .git-credentials"),
    (PACKAGES, ".pypirc"),
    (EDITOR, ".vimrc .vim .emacs .emacs.d"),
    (SHELL, ".login .logout"),
    ("runs when you log in", ".xprofile .xsession .xsessionrc .xinitrc"),
    ("sets variables when you log in", ".pam_environment"),
    ("can run programs when mail comes", ".forward"),
    ("decides who may log in", ".rhosts"),
    ("runs whenever gdb starts", ".gdbinit"),
    (PYTHON, ".pythonrc"),
];

/// Places of the system, from its root.
const OF_THE_SYSTEM: Reasons = &[
    ("configures this system", "etc"),
    ("starts this system", "boot"),
    ("runs at set times", "var/spool/cron var/spool/at"),
    ("belongs to this system", "usr bin sbin lib lib64 system library"),
    ("is this system itself", "proc sys"),
];

const BUILT: &str = "runs when the project is built";

/// Files that run without being called by name.
const ON_BUILD: Reasons = &[
    (
        BUILT,
        "build.rs makefile gnumakefile cmakelists.txt meson.build build.zig build.xml pom.xml build.gradle* settings.gradle* \
         justfile rakefile dockerfile flake.nix webpack.config.* vite.config.* rollup.config.* babel.config.* gulpfile.js",
    ),
    ("can run when the project's packages are installed", "package.json setup.py pyproject.toml gemfile composer.json"),
    ("runs when tests start", "conftest.py noxfile.py tox.ini jest.config.* vitest.config.*"),
];

/// Why one of these `names` (folded, outermost first) is protected wherever it stands.
pub(super) fn by_name(names: &[String]) -> Option<&'static str> {
    let within = |pair: &[String]| {
        let [parent, name] = pair else { return None };
        let inside = |place: &str| {
            place.split_once('/').is_some_and(|(folder, wanted)| is(parent, folder) && fits(wanted, name))
        };
        reason(WITHIN, inside)
    };
    let alone = names.iter().find_map(|name| reason(ANYWHERE, |wanted| fits(wanted, name)));
    alone.or_else(|| names.windows(2).find_map(within))
}

/// Why a path of these `names` (folded, outermost first) is protected for where it lies: in the user's home, or in the
/// system. Those names of it that are `above` the project count for nothing: a project that itself lies in such a place
/// is the user's choice.
pub(super) fn by_place(names: &[String], above: usize, home: Option<&[String]>) -> Option<&'static str> {
    let lies = |place: &str, from: &[String]| {
        let length = place.split('/').count();
        let rest = names.strip_prefix(from).filter(|rest| rest.len() >= length && from.len() + length > above);
        rest.is_some_and(|rest| place.split('/').zip(rest).all(|(wanted, name)| wanted == name))
    };
    let at_home = |home: &[String]| reason(AT_HOME, |place| lies(place, home));
    home.and_then(at_home).or_else(|| reason(OF_THE_SYSTEM, |place| lies(place, &[])))
}

/// The places of the system, for tests that hold each of them.
#[cfg(test)]
pub(super) fn places_of_the_system() -> impl Iterator<Item = &'static str> {
    OF_THE_SYSTEM.iter().flat_map(|(_, places)| places.split_ascii_whitespace())
}

/// Why the file of this name (folded) runs without being called by name.
pub(super) fn on_build(name: &str) -> Option<&'static str> {
    reason(ON_BUILD, |wanted| fits(wanted, name)).or_else(|| name.ends_with(".mk").then_some(BUILT))
}

/// The reason for the first name that `holds`.
fn reason(reasons: Reasons, holds: impl Fn(&str) -> bool) -> Option<&'static str> {
    reasons.iter().find(|(_, names)| names.split_ascii_whitespace().any(&holds)).map(|(why, _)| *why)
}

fn fits(wanted: &str, folded: &str) -> bool {
    match wanted.strip_suffix('*') {
        Some(start) => begins(folded, start),
        None => is(folded, wanted),
    }
}
