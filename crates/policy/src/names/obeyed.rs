//! Names that other programs obey: whoever writes there has something run, or tells an agent what to do.

use super::fold::{begins, is};

/// How a name is compared; all in small letters.
#[derive(Clone, Copy)]
enum Name {
    /// This one.
    Is(&'static str),
    /// Any that begins so.
    Begins(&'static str),
}

use Name::{Begins, Is};

impl Name {
    fn fits(self, folded: &str) -> bool {
        match self {
            Is(name) => is(folded, name),
            Begins(start) => begins(folded, start),
        }
    }
}

const GIT: &str = "decides what git does and runs";
const ENVIRONMENT: &str = "sets variables for programs that are started here";
const EDITOR: &str = "names programs that an editor runs";
const INSTRUCTIONS: &str = "tells coding agents what to do";
const AGENT: &str = "configures a coding agent";
const SERVERS: &str = "names programs that coding agents start";
const PIPELINE: &str = "is run by the server that the project is pushed to";
const CARGO: &str = "can name programs that cargo runs";
const TOOLCHAIN: &str = "chooses the programs that cargo runs";
const PACKAGES: &str = "decides what package managers fetch and run";
const COMMIT: &str = "names programs that run at each commit";
const PYTHON: &str = "runs whenever python starts";
const SHELL: &str = "runs whenever a shell starts";

/// Names at any depth of a project, with all that lies below them.
const ANYWHERE: &[(Name, &str)] = &[
    (Is(".git"), GIT),
    (Is(".gitmodules"), GIT),
    (Is(".gitattributes"), GIT),
    (Is(".gitconfig"), GIT),
    // The short names that NTFS makes of these two where the plain ones are taken.
    (Begins("gi7eba~"), GIT),
    (Begins("gi7d29~"), GIT),
    (Is(".hg"), "decides what mercurial does and runs"),
    (Is(".envrc"), ENVIRONMENT),
    (Begins(".env"), ENVIRONMENT),
    (Is(".vscode"), EDITOR),
    (Is(".idea"), EDITOR),
    (Is(".zed"), EDITOR),
    (Is(".fleet"), EDITOR),
    (Is(".nvim.lua"), EDITOR),
    (Is(".exrc"), EDITOR),
    (Is(".dir-locals.el"), EDITOR),
    (Is(".devcontainer"), EDITOR),
    // Memory and tools of ours: told to the model and offered to it in every later session.
    (Is(".agent"), AGENT),
    (Is(".cursor"), AGENT),
    (Is(".claude"), AGENT),
    (Is(".codex"), AGENT),
    (Is(".gemini"), AGENT),
    (Is(".windsurf"), AGENT),
    (Is(".mcp.json"), SERVERS),
    (Is("agents.md"), INSTRUCTIONS),
    (Is("agents.override.md"), INSTRUCTIONS),
    (Is("agent.md"), INSTRUCTIONS),
    (Is("claude.md"), INSTRUCTIONS),
    (Is("claude.local.md"), INSTRUCTIONS),
    (Is("gemini.md"), INSTRUCTIONS),
    (Is("qwen.md"), INSTRUCTIONS),
    (Is(".cursorrules"), INSTRUCTIONS),
    (Is(".windsurfrules"), INSTRUCTIONS),
    (Begins(".clinerules"), INSTRUCTIONS),
    (Is("copilot-instructions.md"), INSTRUCTIONS),
    (Is(".gitlab-ci.yml"), PIPELINE),
    (Is(".gitlab-ci.yaml"), PIPELINE),
    (Is(".circleci"), PIPELINE),
    (Is(".travis.yml"), PIPELINE),
    (Is("jenkinsfile"), PIPELINE),
    (Begins("rust-toolchain"), TOOLCHAIN),
    (Is(".npmrc"), PACKAGES),
    (Begins(".yarnrc"), PACKAGES),
    (Is(".yarn"), PACKAGES),
    (Is(".pnpmfile.cjs"), PACKAGES),
    (Is(".pnpmfile.mjs"), PACKAGES),
    (Is("pip.conf"), PACKAGES),
    (Is(".pre-commit-config.yaml"), COMMIT),
    (Is(".pre-commit-config.yml"), COMMIT),
    (Is(".husky"), COMMIT),
    (Is(".lefthook.yml"), COMMIT),
    (Is("lefthook.yml"), COMMIT),
    (Is("sitecustomize.py"), PYTHON),
    (Is("usercustomize.py"), PYTHON),
    (Begins(".bashrc"), SHELL),
    (Is(".bash_profile"), SHELL),
    (Is(".bash_login"), SHELL),
    (Is(".bash_logout"), SHELL),
    (Is(".bash_aliases"), SHELL),
    (Is(".profile"), SHELL),
    (Begins(".zshrc"), SHELL),
    (Is(".zshenv"), SHELL),
    (Is(".zprofile"), SHELL),
    (Is(".zlogin"), SHELL),
    (Is(".zlogout"), SHELL),
    (Is(".kshrc"), SHELL),
    (Is(".cshrc"), SHELL),
    (Is(".tcshrc"), SHELL),
    (Is(".inputrc"), SHELL),
];

/// Names within a folder of a certain name, at any depth.
const WITHIN: &[(&str, Name, &str)] = &[
    (".github", Is("workflows"), PIPELINE),
    (".github", Is("actions"), PIPELINE),
    (".github", Is("instructions"), INSTRUCTIONS),
    (".cargo", Begins("config"), CARGO),
    (".cargo", Is("bin"), CARGO),
    ("systemd", Is("user"), "starts services when you log in"),
];

/// Places in the person's home, in small letters.
const AT_HOME: &[(&str, &str)] = &[
    (".ssh", "decides who may log in, and where you log in"),
    (".gnupg", "holds your keys"),
    (".config", "configures your programs"),
    (".local/share/systemd", "starts services when you log in"),
    (".local/share/applications", "starts programs from your desktop"),
    (".local/bin", "holds programs that you start by name"),
    ("bin", "holds programs that you start by name"),
    (".aws", "holds your access to a cloud"),
    (".azure", "holds your access to a cloud"),
    (".kube", "holds your access to clusters"),
    (".docker", "configures docker"),
    (".netrc", "holds passwords"),
    (".git-credentials", "holds passwords"),
    (".pypirc", PACKAGES),
    (".vimrc", EDITOR),
    (".vim", EDITOR),
    (".emacs", EDITOR),
    (".emacs.d", EDITOR),
    (".login", SHELL),
    (".logout", SHELL),
    (".xprofile", "runs when you log in"),
    (".xsession", "runs when you log in"),
    (".xsessionrc", "runs when you log in"),
    (".xinitrc", "runs when you log in"),
    (".pam_environment", "sets variables when you log in"),
    (".forward", "can run programs when mail comes"),
    (".rhosts", "decides who may log in"),
    (".gdbinit", "runs whenever gdb starts"),
    (".pythonrc", PYTHON),
    ("library/launchagents", "starts services when you log in"),
    ("library/launchdaemons", "starts services when you log in"),
];

/// Places of the system, from its root; in small letters, as folded names are.
const OF_THE_SYSTEM: &[(&str, &str)] = &[
    ("etc", "configures this system"),
    ("boot", "starts this system"),
    ("var/spool/cron", "runs at set times"),
    ("var/spool/at", "runs at set times"),
    ("usr", "belongs to this system"),
    ("bin", "belongs to this system"),
    ("sbin", "belongs to this system"),
    ("lib", "belongs to this system"),
    ("lib64", "belongs to this system"),
    ("proc", "is this system itself"),
    ("sys", "is this system itself"),
    ("system", "belongs to this system"),
    ("library", "belongs to this system"),
];

const BUILT: &str = "runs when the project is built";
const INSTALLED: &str = "can run when the project's packages are installed";
const TESTED: &str = "runs when tests start";

/// Files that run without being called by name.
const ON_BUILD: &[(Name, &str)] = &[
    (Is("build.rs"), BUILT),
    (Is("makefile"), BUILT),
    (Is("gnumakefile"), BUILT),
    (Is("cmakelists.txt"), BUILT),
    (Is("meson.build"), BUILT),
    (Is("build.zig"), BUILT),
    (Is("build.xml"), BUILT),
    (Is("pom.xml"), BUILT),
    (Begins("build.gradle"), BUILT),
    (Begins("settings.gradle"), BUILT),
    (Is("justfile"), BUILT),
    (Is("rakefile"), BUILT),
    (Is("dockerfile"), BUILT),
    (Is("flake.nix"), BUILT),
    (Begins("webpack.config."), BUILT),
    (Begins("vite.config."), BUILT),
    (Begins("rollup.config."), BUILT),
    (Begins("babel.config."), BUILT),
    (Is("gulpfile.js"), BUILT),
    (Is("package.json"), INSTALLED),
    (Is("setup.py"), INSTALLED),
    (Is("pyproject.toml"), INSTALLED),
    (Is("gemfile"), INSTALLED),
    (Is("composer.json"), INSTALLED),
    (Is("conftest.py"), TESTED),
    (Is("noxfile.py"), TESTED),
    (Is("tox.ini"), TESTED),
    (Begins("jest.config."), TESTED),
    (Begins("vitest.config."), TESTED),
];

/// Why one of these `names` (folded, outermost first) is protected wherever it stands.
pub(super) fn by_name(names: &[String]) -> Option<&'static str> {
    let within = |pair: &[String]| {
        let [parent, name] = pair else { return None };
        WITHIN.iter().find(|(folder, wanted, _)| is(parent, folder) && wanted.fits(name)).map(|(_, _, why)| *why)
    };
    let alone = names.iter().find_map(|name| listed(ANYWHERE, name));
    alone.or_else(|| names.windows(2).find_map(within))
}

/// Why a path of these `names` (folded, outermost first) is protected for where it lies: in the person's home, or in the
/// system. Those names of it that are `above` the project count for nothing: a project that itself lies in such a place
/// is the person's choice.
pub(super) fn by_place(names: &[String], above: usize, home: Option<&[String]>) -> Option<&'static str> {
    let lies = |place: &str, from: &[String]| {
        let length = place.split('/').count();
        let rest = names.strip_prefix(from).filter(|rest| rest.len() >= length && from.len() + length > above);
        rest.is_some_and(|rest| place.split('/').zip(rest).all(|(wanted, name)| wanted == name))
    };
    let at_home = |home: &[String]| AT_HOME.iter().find(|(place, _)| lies(place, home)).map(|(_, why)| *why);
    let system = || OF_THE_SYSTEM.iter().find(|(place, _)| lies(place, &[])).map(|(_, why)| *why);
    home.and_then(at_home).or_else(system)
}

/// The places of the system, for tests that hold each of them.
#[cfg(test)]
pub(super) fn places_of_the_system() -> impl Iterator<Item = &'static str> {
    OF_THE_SYSTEM.iter().map(|(place, _)| *place)
}

/// Why the file of this name (folded) runs without being called by name.
pub(super) fn on_build(name: &str) -> Option<&'static str> {
    let makes = name.ends_with(".mk").then_some(BUILT);
    listed(ON_BUILD, name).or(makes)
}

fn listed(list: &[(Name, &'static str)], folded: &str) -> Option<&'static str> {
    list.iter().find(|(name, _)| name.fits(folded)).map(|(_, why)| *why)
}
