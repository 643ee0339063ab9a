//! Which hosts the package managers are known to need, and which of their commands need them.
//!
//! Nothing is allowed by this: it only lets one question name what would be asked about host by host. The names are
//! written label by label, and joined when they are needed.

use crate::danger;
use crate::lists::listed;
use agent_protocol::Host;

/// Where all of them listen.
const PORT: u16 = 443;

/// Labels of a name: `["docs", "example"]` is `docs.example`.
type Name = &'static [&'static str];

/// Programs that get packages from the same places.
struct Manager {
    /// Each with the first words that make it reach out; none: whatever it is told.
    programs: &'static [(&'static str, &'static str)],
    hosts: &'static [Name],
}

const NODE: &str = "add audit ci clean-install create dedupe dlx exec fetch i info init install it outdated show up update upgrade view x";
const PIP: &str = "install download wheel index";
const MAVEN: &[Name] = &[&["repo", "maven", "apache", "org"], &["repo1", "maven", "org"]];
const GRADLE: &[Name] = &[
    &["repo", "maven", "apache", "org"],
    &["repo1", "maven", "org"],
    &["services", "gradle", "org"],
    &["downloads", "gradle", "org"],
    &["plugins", "gradle", "org"],
];

const MANAGERS: &[Manager] = &[
    Manager {
        programs: &[(
            "cargo",
            "add b bench build c check clippy d doc fetch fix generate-lockfile info install metadata nextest package r run rustc search t test tree update vendor",
        )],
        hosts: &[&["index", "crates", "io"], &["static", "crates", "io"]],
    },
    Manager {
        programs: &[("npm", NODE), ("pnpm", NODE), ("bun", NODE), ("npx", ""), ("pnpx", ""), ("bunx", "")],
        hosts: &[&["registry", "npmjs", "org"]],
    },
    Manager {
        programs: &[("yarn", NODE)],
        hosts: &[&["registry", "yarnpkg", "com"], &["repo", "yarnpkg", "com"], &["registry", "npmjs", "org"]],
    },
    Manager {
        programs: &[
            ("pip", PIP),
            ("uv", "add lock pip python run sync tool"),
            ("uvx", ""),
            ("poetry", "add install lock update sync"),
            ("pipx", "install run upgrade inject"),
            ("pdm", "add install lock sync update"),
            ("hatch", "env run test"),
            ("tox", ""),
            ("nox", ""),
        ],
        hosts: &[&["pypi", "org"], &["files", "pythonhosted", "org"]],
    },
    Manager {
        programs: &[("go", "build generate get install list mod run test vet work")],
        hosts: &[&["proxy", "golang", "org"], &["sum", "golang", "org"]],
    },
    Manager {
        programs: &[
            ("gem", "fetch install outdated search update"),
            ("bundle", "add cache install lock outdated package update"),
        ],
        hosts: &[&["rubygems", "org"], &["index", "rubygems", "org"]],
    },
    Manager { programs: &[("mvn", ""), ("mvnw", "")], hosts: MAVEN },
    Manager { programs: &[("gradle", ""), ("gradlew", "")], hosts: GRADLE },
    Manager {
        programs: &[("composer", "create-project i install outdated r require show u update upgrade")],
        hosts: &[&["repo", "packagist", "org"], &["packagist", "org"], &["api", "github", "com"]],
    },
    Manager {
        programs: &[("dotnet", "add build package publish restore run test tool workload")],
        hosts: &[&["api", "nuget", "org"], &["www", "nuget", "org"]],
    },
    Manager {
        programs: &[("deno", "add cache check i install run task test")],
        hosts: &[&["jsr", "io"], &["npm", "jsr", "io"], &["deno", "land"], &["registry", "npmjs", "org"]],
    },
];

/// Words that keep a manager from reaching out.
const OFFLINE: &str = "--offline --frozen --no-index --prefer-offline --help -h --version";

/// Subcommands of git that talk to the other repository.
const GIT: &str = "clone fetch ls-remote pull push submodule";

/// What the package managers among the programs of `line` are known to need, and git where an address is given.
pub(crate) fn needed(line: &str) -> Vec<Host> {
    let mut hosts = Vec::new();
    for words in danger::words(line) {
        for host in of_words(&words) {
            if !hosts.contains(&host) {
                hosts.push(host);
            }
        }
    }
    hosts
}

/// `host`, and what every manager that needs it needs besides: one answer does for all of them.
pub(crate) fn beside(host: &Host) -> Vec<Host> {
    let mut managers = MANAGERS.iter().map(Manager::hosts).filter(|hosts| hosts.contains(host));
    let mut all = vec![host.clone()];
    if let Some(first) = managers.next() {
        let others: Vec<Vec<Host>> = managers.collect();
        let shared = |other: &Host| *other != *host && others.iter().all(|hosts| hosts.contains(other));
        all.extend(first.into_iter().filter(shared));
    }
    all
}

fn of_words(words: &[String]) -> Vec<Host> {
    let Some((program, rest)) = words.split_first() else { return Vec::new() };
    let program = program.rsplit('/').next().unwrap_or_default();
    if rest.iter().any(|word| listed(OFFLINE, word)) {
        return Vec::new();
    }
    if program == "git" {
        let talks = rest.iter().any(|word| listed(GIT, word));
        return rest.iter().filter(|_| talks).filter_map(|word| of_address(word)).collect();
    }
    if let [flag, module, rest @ ..] = rest
        && danger::unversioned(program) == "python"
        && flag == "-m"
    {
        return of_program(module, rest);
    }
    of_program(danger::unversioned(program), rest)
}

fn of_program(program: &str, words: &[String]) -> Vec<Host> {
    let operand = words.iter().find(|word| !word.starts_with(['-', '+'])).map(String::as_str);
    let reaches = |manager: &&Manager| {
        manager.programs.iter().any(|(name, first)| {
            // Yarn and bundler install where they are told nothing.
            let bare = operand.is_none() && matches!(program, "yarn" | "bundle") && words.is_empty();
            *name == program && (first.is_empty() || bare || operand.is_some_and(|word| listed(first, word)))
        })
    };
    MANAGERS.iter().find(reaches).map(Manager::hosts).unwrap_or_default()
}

/// The host of an https address, without credentials.
fn of_address(word: &str) -> Option<Host> {
    let place = word.strip_prefix("https://")?.split(['/', '?', '#']).next()?;
    let plain = |name: &str| {
        name.contains('.') && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte))
    };
    let (name, port) = match place.split_once(':') {
        Some((name, port)) => (name, port.parse().ok()?),
        None => (place, PORT),
    };
    plain(name).then(|| Host { name: name.to_ascii_lowercase(), port })
}

impl Manager {
    fn hosts(&self) -> Vec<Host> {
        self.hosts.iter().map(|labels| Host { name: labels.join("."), port: PORT }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(line: &str) -> Vec<String> {
        needed(line).into_iter().map(|host| host.name).collect()
    }

    fn name(labels: &[&str]) -> String {
        labels.join(".")
    }

    #[test]
    fn commands_of_package_managers_are_known_by_their_words() {
        let node = name(&["registry", "npmjs", "org"]);
        let python = vec![name(&["pypi", "org"]), name(&["files", "pythonhosted", "org"])];
        let crates = vec![name(&["index", "crates", "io"]), name(&["static", "crates", "io"])];
        for line in ["npm install", "npm i left", "FOO=1 npm ci", "sh -c 'npm ci'", "npx prettier .", "cd a && npm ci"]
        {
            assert_eq!(names(line), std::slice::from_ref(&node), "{line}");
        }
        for line in ["pip install x", "pip3 install -r r.txt", ".venv/bin/pip install x", "python3 -m pip install x"] {
            assert_eq!(names(line), python, "{line}");
        }
        for line in ["cargo fetch", "cargo +nightly test", "cargo build 2>&1 | tail -3", "timeout 5 cargo test"] {
            assert_eq!(names(line), crates, "{line}");
        }
        assert_eq!(names("cargo fetch && npm ci"), [crates.clone(), vec![node]].concat());
        assert!(!names("yarn").is_empty() && !names("bundle").is_empty() && !names("./gradlew test").is_empty());
    }

    #[test]
    fn what_needs_no_host_names_none() {
        for line in [
            "npm test",
            "npm run build",
            "npm",
            "cargo fmt",
            "cargo build --offline",
            "pip list",
            "python -m pytest",
            "go fmt",
            "echo npm install",
            "git status",
            "git fetch origin",
            "git clone ssh://git.example/a",
            "make",
            "",
        ] {
            assert_eq!(names(line), Vec::<String>::new(), "{line}");
        }
    }

    #[test]
    fn git_names_the_host_of_its_address() {
        let hosts = |line: &str| needed(line).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(hosts("git clone https://Git.Example/a/b.git x"), ["git.example:443"]);
        assert_eq!(hosts("git -C a fetch https://git.example:8443/b"), ["git.example:8443"]);
        for line in ["git clone https://me:pw@git.example/a", "git log https://git.example/a", "git clone https:///a"] {
            assert!(hosts(line).is_empty(), "{line}");
        }
    }

    #[test]
    fn the_hosts_of_one_manager_are_one_answer() {
        let host = |labels: &[&str]| Host { name: name(labels), port: PORT };
        let (index, packages) = (host(&["index", "crates", "io"]), host(&["static", "crates", "io"]));
        assert_eq!(beside(&packages), [packages.clone(), index]);
        let other = Host { name: "docs.example".into(), port: 443 };
        assert_eq!(beside(&other), std::slice::from_ref(&other));
        let odd = Host { port: 8443, ..packages };
        assert_eq!(beside(&odd), std::slice::from_ref(&odd), "at another port it is another server");
        // Several managers use it: only what all of them need goes with it.
        let node = host(&["registry", "npmjs", "org"]);
        assert_eq!(beside(&node), std::slice::from_ref(&node));
    }
}
