//! One line a name: what it is taken for.

use super::*;

const ROOT: &str = "/home/ann/project";

fn home() -> Option<Resolved<'static>> {
    Resolved::new(Path::new("/home/ann"))
}

/// Does the name of this place say that it holds secrets?
fn secret(path: &Path) -> bool {
    is_secret(Resolved::new(path).unwrap(), home())
}

/// The verdict on a path as policy asks for it.
fn why(path: &str) -> Option<&'static str> {
    inside(path, ROOT)
}

/// The same where the project lies at `root`.
fn inside(path: &str, root: &str) -> Option<&'static str> {
    protected(Resolved::new(Path::new(path)).unwrap(), Path::new(root), home())
}

const OBEYED: &[&str] = &[
    ".git/config",
    ".git/hooks/pre-commit",
    ".git",
    ".gitmodules",
    ".gitattributes",
    ".envrc",
    ".env",
    ".env.local",
    ".vscode/tasks.json",
    ".idea/workspace.xml",
    ".zed/tasks.json",
    ".cursor/mcp.json",
    ".agent/memory.md",
    ".agent/tools/notes",
    ".claude/settings.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".mcp.json",
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    ".cursorrules",
    ".github/copilot-instructions.md",
    ".github/workflows/ci.yml",
    ".gitlab-ci.yml",
    ".cargo/config",
    ".cargo/config.toml",
    "rust-toolchain",
    "rust-toolchain.toml",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    ".pre-commit-config.yaml",
    ".husky/pre-push",
    "sitecustomize.py",
    "usercustomize.py",
    ".bashrc",
    ".profile",
    ".zshrc",
    "mise.toml",
    ".mise.local.toml",
    ".tool-versions",
    ".jj/repo/config.toml",
    ".sl/config",
    "lefthook-local.yml",
    ".lefthook.toml",
    ".overcommit.yml",
    ".githooks/pre-push",
    "lint-staged.config.mjs",
    "opencode.json",
    ".opencode/plugin/x.ts",
    "crush.json",
    ".aider.conf.yml",
    ".qwen/settings.json",
    ".kiro/hooks/x.json",
    ".roo/mcp.json",
    ".vibe/config.toml",
    ".goosehints",
    "CRUSH.md",
    ".nvimrc",
    ".vimrc",
    ".helix/languages.toml",
    "app.code-workspace",
    ".dir-locals-2.el",
    ".gitea/workflows/ci.yml",
    ".forgejo/workflows/ci.yml",
    ".github/hooks/x.json",
    "azure-pipelines.yml",
    ".woodpecker/test.yml",
    "bunfig.toml",
    ".bundle/config",
    ".mvn/extensions.xml",
    ".gdbinit",
    ".Rprofile",
];

#[test]
fn what_other_programs_obey_is_protected_at_any_depth() {
    for name in OBEYED {
        for path in [format!("{ROOT}/{name}"), format!("{ROOT}/a/b/{name}"), format!("/srv/other/{name}")] {
            assert!(why(&path).is_some(), "{path}");
        }
    }
}

#[test]
fn a_protected_name_stays_one_however_a_file_system_may_spell_it() {
    let names = [
        ".GIT/config",
        ".git./config",
        ".git /config",
        ".git. . ./config",
        ".g\u{200c}it/config",
        ".gi\u{ad}t/x",
        ".git\u{feff}/x",
        "GIT~1/config",
        "git~12/config",
        ".git::$INDEX_ALLOCATION/config",
        ".G\u{130}T/.git",
        "GITMOD~1",
        "GI7EBA~1",
        "gi7d29~2",
        "ENV~1.LOC",
        "ENVRC~1",
        "CARGO~1/CONFIG~1.TOM",
        ".VSCode/tasks.json",
        ".v\u{17f}code/tasks.json",
        "Agents.MD",
        ".GitHub/Workflows/ci.yml",
        "rust-t~1.tom",
        "HUSKY~1/pre-commit",
        ".github./workflows /x",
        ".e\u{e0001}nv",
        ".z\u{fe0f}ed/x",
        ".\u{212a}shrc",
    ];
    for name in names {
        assert!(why(&format!("{ROOT}/{name}")).is_some(), "{name:?}");
    }
}

#[test]
fn an_ordinary_name_is_not_protected() {
    let names = [
        "src/main.rs",
        "git/config",
        "x.git/config",
        ".gitignore",
        ".gitkeep",
        "environment.rs",
        "src/env.rs",
        "config.toml",
        "cargo/config.toml",
        ".cargo/registry",
        "docs/agents/how.md",
        "workflows/ci.yml",
        ".github/ISSUE_TEMPLATE.md",
        "toolchain.toml",
        "npmrc",
        "profile.rs",
        "a~1",
        "git~x",
        "git~",
        "~1",
        "...",
        "src/\u{ff0e}\u{ff47}it/x",
        "conftest.py",
        "Makefile",
        "package.json",
        ".editorconfig",
        "agents.mdx",
        "mise.rs",
        "x.toml",
        "gradle/libs.versions.toml",
        ".github/dependabot.yml",
        "hooks/x.sh",
        "weights.pth",
        "mcp.json",
        "rules",
    ];
    for name in names {
        assert_eq!(why(&format!("{ROOT}/{name}")), None, "{name:?}");
    }
}

#[test]
fn places_of_the_home_and_the_system_are_protected() {
    let paths = [
        "/home/ann/.bashrc",
        "/home/ann/.ssh/authorized_keys",
        "/home/ann/.SSH/config",
        "/home/ann/.gnupg/gpg.conf",
        "/home/ann/.config/fish/config.fish",
        "/home/ann/.config",
        "/home/ann/.local/share/systemd/user/x.service",
        "/home/ann/.local/bin/ls",
        "/home/ann/.aws/config",
        "/etc/hosts",
        "/etc",
        "/usr/local/bin/x",
        "/var/spool/cron/crontabs/ann",
        "/proc/sysrq-trigger",
        "/home/ann/.vimrc",
        "/home/bob/.profile",
        "/home/ann/Library/LaunchAgents/x.plist",
    ];
    for path in paths {
        assert!(why(path).is_some(), "{path}");
    }
    for path in ["/home/ann/notes.txt", "/srv/x", "/tmp/a", "/home/ann/.cache/x", "/home/bob/.config/x", "/etcetera"] {
        assert_eq!(why(path), None, "{path}");
    }
}

#[test]
fn a_project_may_lie_in_a_protected_place() {
    for (path, root) in [
        ("/home/ann/.config/nvim/init.lua", "/home/ann/.config/nvim"),
        ("/usr/src/app/src/main.rs", "/usr/src/app"),
        ("/usr/src/app/lib/etc/usr/a.js", "/usr/src/app"),
        ("/etc/puppet/code/bin/a", "/etc/puppet/code"),
        ("/usr/src/app/", "/usr/src/app"),
        ("/home/ann/.config", "/home/ann/.config"),
    ] {
        assert_eq!(inside(path, root), None, "{path}");
    }
    assert!(inside("/usr/src/app/.git/config", "/usr/src/app").is_some());
    assert!(inside("/home/ann/.config/nvim/init.lua", "/home/ann").is_some(), "the home holds such places");
    assert!(inside("/etc/hosts", "/").is_some());
}

/// All names of places of the system, as folders of a project: ordinary, and what is protected stays so in them.
#[test]
fn a_folder_of_a_project_is_no_place_of_the_system_whatever_it_is_called() {
    for place in obeyed::places_of_the_system() {
        for above in ["", "a/", "packages/core/src/"] {
            for name in ["index.js", "local/bin/ls", "LIB.RS"] {
                let below = format!("{above}{place}/{name}");
                assert_eq!(why(&format!("{ROOT}/{below}")), None, "{below}");
                assert_eq!(obeyed(Path::new(&below)), None, "{below}");
            }
            for name in [".envrc", ".vscode/tasks.json", ".git/config", "AGENTS.md"] {
                let below = format!("{above}{place}/{name}");
                assert!(why(&format!("{ROOT}/{below}")).is_some(), "{below}");
                assert!(obeyed(Path::new(&below)).is_some(), "{below}");
            }
        }
        assert!(why(&format!("/{place}/x")).is_some(), "{place}");
    }
}

#[test]
fn only_a_path_that_says_where_it_leads_is_resolved() {
    for path in ["lib/a", "", ".", "a", "/a/../b", "/a/./b", "/..", "/a/.", "./a", "../a"] {
        assert_eq!(Resolved::new(Path::new(path)), None, "{path}");
    }
    for path in ["/", "/a", "/a/", "//a", "/a/...", "/a/.b", "/a/..b"] {
        assert_eq!(Resolved::new(Path::new(path)).map(Resolved::path), Some(Path::new(path)), "{path}");
    }
}

#[test]
fn reasons_are_words_that_follow_the_name() {
    assert_eq!(why("/home/ann/project/.git/hooks/x"), Some("decides what git does and runs"));
    assert_eq!(why("/home/ann/.ssh/config"), Some("decides who may log in, and where you log in"));
    for (path, why) in [("build.rs", BUILT), ("a/Makefile", BUILT), ("x.mk", BUILT), ("package.json", INSTALLED)] {
        assert_eq!(runs_on_build(Path::new(path)), Some(why), "{path}");
    }
    assert_eq!(runs_on_build(Path::new("tests/conftest.py")), Some("runs when tests start"));
    for path in ["src/main.rs", "build", "", "makefile.md", "build.rs.txt"] {
        assert_eq!(runs_on_build(Path::new(path)), None, "{path}");
    }
}

const BUILT: &str = "runs when the project is built";
const INSTALLED: &str = "can run when the project's packages are installed";

#[test]
fn names_that_hold_secrets() {
    let names = [
        ".env",
        ".env.local",
        ".env.production",
        ".ENV",
        ".env-prod",
        "prod.env",
        ".envrc",
        "id_rsa",
        "id_ed25519",
        "id_rsa_work",
        "deploy/id_ecdsa.old",
        "server.pem",
        "tls.key",
        "a.p12",
        "a.pfx",
        "release.keystore",
        ".netrc",
        ".pgpass",
        ".pypirc",
        ".git-credentials",
        ".aws/credentials",
        ".kube/config",
        ".docker/config.json",
        ".ssh/id_work",
        ".ssh/config",
        ".ssh",
        ".gnupg/secring.gpg",
        "secrets.yaml",
        "secrets.json",
        "credentials.toml",
        "client_secret_12.json",
        "service-account.json",
        "tests/fixtures/cert.pem",
        "e\u{200b}.key",
        "ENV~1",
        "terraform.tfstate",
        "config/secrets.prod.yml",
        "my-secrets/.env",
    ];
    for name in names {
        assert!(secret(&Path::new(ROOT).join(name)), "{name}");
    }
    for path in ["/home/ann/.npmrc", "/etc/shadow", "/proc/self/environ", "/home/ann/.ssh/id_rsa"] {
        assert!(secret(Path::new(path)), "{path}");
    }
}

#[test]
fn names_that_hold_none() {
    let names = [
        ".env.example",
        ".env.sample",
        ".env.template",
        "example.env",
        "src/keys.rs",
        "src/secrets.rs",
        "secrets.md",
        "credentials.py",
        "secrets.example.yaml",
        "id_rsa.pub",
        ".ssh/id_rsa.pub",
        ".ssh/known_hosts",
        ".npmrc",
        "environment.yml",
        "src/env.ts",
        "key",
        "keys",
        "config.json",
        ".docker/Dockerfile",
        "kube/config",
        "README.md",
        "public.key.md",
        "tokens.rs",
        "",
        "env",
        "src/secretary.json",
        "package.json",
        "idea_rsa.txt",
    ];
    for name in names {
        assert!(!secret(&Path::new(ROOT).join(name)), "{name}");
    }
    assert!(!secret(Path::new("/")));
}

/// A file name can be any text; nothing in it stops the folding, and no single character makes a plain name protected.
#[test]
fn no_character_stops_the_folding() {
    for character in ('\0'..=char::MAX).step_by(211).chain('\0'..'\u{800}') {
        let name = format!("a{character}b");
        let path = Path::new("/srv").join(&name);
        secret(&path);
        if character != '/' {
            assert_eq!(inside(&path.to_string_lossy(), "/srv"), None, "{name:?}");
        }
    }
}
