//! What manifests say, each read by a real parser, and only its beginning: what is longer is left unread.

use super::survey::{Survey, shown};
use crate::open::{Found, open, read_all};
use crate::words::shortened;
use crate::workspace::{Workspace, one_line};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Bytes of the longest manifest that is read.
const LONGEST: u64 = 256 << 10;
/// Manifests of one kind that are read.
const MOST: usize = 60;
/// Characters of what a project says of itself.
const SAID: usize = 160;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ecosystem {
    Cargo,
    Node,
    Python,
    Go,
}

/// The kinds, with the names of their files.
const KINDS: [(Ecosystem, &str); 4] = [
    (Ecosystem::Cargo, "Cargo.toml"),
    (Ecosystem::Node, "package.json"),
    (Ecosystem::Python, "pyproject.toml"),
    (Ecosystem::Go, "go.mod"),
];

/// What one of them says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    pub(super) is_workspace: bool,
    /// The folders of these as they are written, patterns too.
    pub(super) members: Vec<String>,
    /// Where programs begin: a file below the manifest, or what is called, and a word on it: `src/x.rs` and `bin x`.
    pub(super) starts: Vec<(String, String)>,
    /// What can be run by a name, and its line.
    pub(super) scripts: Vec<(String, String)>,
    /// What manages its packages or builds it: `pnpm`, `hatchling`; where it is said.
    pub(super) manager: Option<String>,
    /// It has settings for pytest.
    pub(super) pytest: bool,
}

#[derive(Debug, Default)]
pub(super) struct Manifests {
    all: Vec<(Ecosystem, PathBuf, Manifest)>,
    /// Goals of the outermost makefile.
    pub(super) goals: Vec<String>,
}

impl Manifests {
    pub(super) fn of(workspace: &Workspace, survey: &Survey) -> Self {
        let text = |file: &Path| read(workspace, &survey.base.join(file));
        let files = KINDS.into_iter().flat_map(|(kind, name)| {
            survey.named(name).into_iter().take(MOST).map(move |file| (kind, file.to_owned()))
        });
        let all = files.filter_map(|(kind, file)| Some((kind, Manifest::read(kind, &text(&file)?)?, file)));
        let makefile = ["Makefile", "makefile", "GNUmakefile"].iter().find(|name| survey.has(name));
        Manifests {
            all: all.map(|(kind, manifest, file)| (kind, file, manifest)).collect(),
            goals: makefile.and_then(|name| text(Path::new(name))).map(|text| goals(&text)).unwrap_or_default(),
        }
    }

    #[cfg(test)]
    pub(super) fn with(kind: Ecosystem, file: &str, text: &str) -> Self {
        Manifests { all: vec![(kind, file.into(), Manifest::read(kind, text).unwrap())], goals: Vec::new() }
    }

    /// Those of one kind, with their files, the outermost first.
    pub(super) fn all(&self, kind: Ecosystem) -> impl Iterator<Item = (&Path, &Manifest)> {
        let of_kind = self.all.iter().filter(move |(other, ..)| *other == kind);
        of_kind.map(|(_, file, manifest)| (file.as_path(), manifest))
    }

    /// Those at the top of the project.
    fn outermost(&self) -> impl Iterator<Item = &Manifest> {
        self.all.iter().filter(|(_, file, _)| file.components().count() == 1).map(|(.., manifest)| manifest)
    }

    /// What the outermost of them calls the project.
    pub(super) fn name(&self) -> Option<String> {
        self.outermost().find_map(|manifest| manifest.name.as_ref()).map(|name| one_line(Path::new(name)))
    }

    pub(super) fn description(&self) -> Option<String> {
        let said = self.outermost().find_map(|manifest| manifest.description.as_ref())?;
        Some(on_one_line(said).chars().take(SAID).collect())
    }

    /// Packages that belong together, as their manifests say.
    pub(super) fn members(&self) -> Vec<String> {
        let cargo = self.all(Ecosystem::Cargo).filter(|(_, cargo)| cargo.is_workspace).flat_map(|(root, cargo)| {
            let packages = self.all(Ecosystem::Cargo).filter(|(file, other)| *file != root && other.name.is_some());
            let here: Vec<String> = packages.filter_map(|(file, _)| file.parent().map(shown)).collect();
            if here.is_empty() { cargo.members.clone() } else { here }
        });
        let node = self.all(Ecosystem::Node).flat_map(|(_, node)| node.members.iter().cloned());
        let mut members: Vec<String> = cargo.chain(node).collect();
        members.dedup();
        members
    }

    /// What `package.json` and the makefile offer to run.
    pub(super) fn scripts(&self) -> Vec<String> {
        let node = self.all(Ecosystem::Node).find(|(_, node)| !node.scripts.is_empty());
        let node = node.into_iter().flat_map(|(file, node)| {
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            let place = folder.map_or(String::new(), |folder| format!("{}/ ", shown(folder)));
            node.scripts.iter().map(move |(name, line)| format!("{place}{name}: {}", shortened(&on_one_line(line), 60)))
        });
        let make = self.goals.iter().take(12).map(|goal| format!("make {goal}"));
        node.chain(make).collect()
    }
}

fn read(workspace: &Workspace, path: &Path) -> Option<String> {
    let Ok(Found::File(mut file, _)) = open(workspace, path) else { return None };
    String::from_utf8(read_all(&mut file, "", LONGEST).ok()?).ok()
}

impl Manifest {
    /// What `text` says; `None` where it cannot be read.
    fn read(kind: Ecosystem, text: &str) -> Option<Self> {
        match kind {
            Ecosystem::Cargo => Some(Self::cargo(&toml::from_str(text).ok()?)),
            Ecosystem::Node => {
                serde_json::from_str(text.trim_start_matches('\u{feff}')).ok().and_then(|said| Self::node(&said))
            }
            Ecosystem::Python => Some(Self::python(&toml::from_str(text).ok()?)),
            Ecosystem::Go => {
                let name = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
                Some(Manifest { name: Some(name.trim().to_owned()), ..Manifest::default() })
            }
        }
    }

    fn cargo(said: &Value) -> Self {
        let bins = said.get("bin").and_then(Value::as_array).into_iter().flatten();
        let start = |bin: &Value| Some((word(bin, "/path")?, format!("bin {}", word(bin, "/name")?)));
        Manifest {
            name: word(said, "/package/name"),
            description: word(said, "/package/description"),
            is_workspace: said.get("workspace").is_some(),
            members: words(said, "/workspace/members"),
            starts: bins.filter_map(start).collect(),
            ..Manifest::default()
        }
    }

    fn node(said: &Value) -> Option<Self> {
        said.as_object()?;
        let start = |key: &str| Some((word(said, &format!("/{key}"))?, key.to_owned()));
        let bins = pairs(said, "/bin").into_iter().map(|(name, file)| (file, format!("bin {name}")));
        let manager = word(said, "/packageManager");
        Some(Manifest {
            name: word(said, "/name"),
            description: word(said, "/description"),
            members: [words(said, "/workspaces"), words(said, "/workspaces/packages")].concat(),
            starts: ["main", "module", "bin"].into_iter().filter_map(start).chain(bins).collect(),
            scripts: pairs(said, "/scripts"),
            manager: manager.and_then(|manager| manager.split('@').next().map(String::from)),
            ..Manifest::default()
        })
    }

    fn python(said: &Value) -> Self {
        let either =
            |key: &str| word(said, &format!("/project/{key}")).or_else(|| word(said, &format!("/tool/poetry/{key}")));
        let backend = word(said, "/build-system/build-backend");
        Manifest {
            name: either("name"),
            description: either("description"),
            starts: [pairs(said, "/project/scripts"), pairs(said, "/tool/poetry/scripts")].concat(),
            manager: backend.and_then(|backend| backend.split('.').next().map(String::from)),
            pytest: said.pointer("/tool/pytest").is_some(),
            ..Manifest::default()
        }
    }
}

/// The text at the place `at` of `said`, where there is one that says something.
fn word(said: &Value, at: &str) -> Option<String> {
    said.pointer(at)?.as_str().filter(|word| !word.is_empty()).map(String::from)
}

fn words(said: &Value, at: &str) -> Vec<String> {
    let list = said.pointer(at).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|word| word.as_str().map(String::from)).collect()
}

fn pairs(said: &Value, at: &str) -> Vec<(String, String)> {
    let table = said.pointer(at).and_then(Value::as_object).into_iter().flatten();
    table.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
}

/// What stands before a colon at the beginning of a line, and is no file, pattern or variable.
fn goals(text: &str) -> Vec<String> {
    let goal = |line: &str| {
        let (name, rest) = line.split_once(':')?;
        let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        (plain && !rest.starts_with('=')).then(|| name.to_owned())
    };
    let mut goals: Vec<String> = text.lines().filter_map(goal).collect();
    goals.dedup();
    goals
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(one: &str, other: &str) -> (String, String) {
        (one.into(), other.into())
    }

    #[test]
    fn a_manifest_of_cargo_tells_its_programs_and_members() {
        let text = "[package]\nname = \"a\"\ndescription = \"does\"\n[workspace]\nmembers = [\"crates/*\"]\n\
            [[bin]]\nname = \"x\"\npath = \"src/x.rs\"\n[[bin]]\nname = \"y\"\n";
        let expected = Manifest {
            name: Some("a".into()),
            description: Some("does".into()),
            is_workspace: true,
            members: vec!["crates/*".into()],
            starts: vec![pair("src/x.rs", "bin x")],
            ..Manifest::default()
        };
        assert_eq!(Manifest::read(Ecosystem::Cargo, text), Some(expected));
        assert_eq!(Manifest::read(Ecosystem::Cargo, "[package"), None);
        let inherited = "name.workspace = true\n[package]\nname.workspace = true\n";
        assert_eq!(Manifest::read(Ecosystem::Cargo, inherited), Some(Manifest::default()));
    }

    #[test]
    fn a_manifest_of_node_tells_what_starts_and_what_can_be_run() {
        let node = Manifest::read(
            Ecosystem::Node,
            r#"{"name": "a", "main": "index.js", "bin": {"x": "bin/x.js"}, "scripts": {"test": "vitest"},
                "workspaces": {"packages": ["packages/*"]}, "packageManager": "pnpm@9.1.0"}"#,
        );
        let node = node.unwrap();
        assert_eq!(node.starts, [pair("index.js", "main"), pair("bin/x.js", "bin x")]);
        assert_eq!(node.scripts, [pair("test", "vitest")]);
        assert_eq!((node.members, node.manager.as_deref()), (vec!["packages/*".into()], Some("pnpm")));
        let one = Manifest::read(Ecosystem::Node, r#"{"bin": "x.js", "workspaces": ["a"]}"#).unwrap();
        assert_eq!((one.starts, one.members), (vec![pair("x.js", "bin")], vec!["a".into()]));
        assert_eq!(Manifest::read(Ecosystem::Node, "[]"), None);
        assert_eq!(Manifest::read(Ecosystem::Node, "{"), None);
    }

    #[test]
    fn a_manifest_of_python_tells_its_commands_and_what_builds_it() {
        let text = "[project]\nname = \"a\"\n[project.scripts]\nx = \"a.cli:main\"\n[build-system]\n\
            build-backend = \"hatchling.build\"\n[tool.pytest.ini_options]\n[tool.ruff]\n";
        let python = Manifest::read(Ecosystem::Python, text).unwrap();
        assert_eq!((python.name.as_deref(), python.manager.as_deref()), (Some("a"), Some("hatchling")));
        assert_eq!(python.starts, [pair("x", "a.cli:main")]);
        assert!(python.pytest);
        let text = "[tool.poetry]\nname = \"b\"\n[tool.poetry.scripts]\ny = \"b:run\"\n";
        let poetry = Manifest::read(Ecosystem::Python, text).unwrap();
        assert_eq!((poetry.name.as_deref(), poetry.starts.len(), poetry.pytest), (Some("b"), 1, false));
    }

    #[test]
    fn goals_of_a_makefile_are_names_before_a_colon() {
        let text = "A := 1\nall: test\n\nTEST: x\ntest:\n\techo a: b\n%.o: %.c\n.PHONY: all\nout/x: y\n";
        assert_eq!(goals(text), ["all", "TEST", "test"]);
        let go = Manifest::read(Ecosystem::Go, "// x\nmodule example.com/a\n\ngo 1.22\n");
        assert_eq!(go.unwrap().name.as_deref(), Some("example.com/a"));
    }
}
