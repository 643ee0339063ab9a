//! A project that exists only here, and the answers to policy's questions of fact about it.

use agent_policy::names::{Resolved, is_secret};
use agent_policy::{Facts, GitFacts, Glyph, Led, PathKind, Pattern, Query, Secrets};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

pub(crate) const ROOT: &str = "/case/p/ws";
pub(crate) const HOME: &str = "/case/home";

/// What is at a path.
#[derive(Clone, PartialEq)]
enum Thing {
    File,
    Folder,
    Pipe,
    Link(&'static str),
}

/// The world as far as the cases need it.
pub(crate) struct World {
    things: BTreeMap<PathBuf, Thing>,
    findings: Vec<String>,
}

const FILES: &str = "a.txt b.txt data.csv README.md src/main.rs src/lib.rs Cargo.toml package.json x.sh .env prog.awk prog.sed \
                     rgrc x.cron magic ls cat arc.tar fix.diff fix.mbox .gitignore big.txt evil.cfg deep/er/x.rs deep/id_rsa \
                     .git/HEAD .git/config @list +page.svelte ../outside.txt /etc/passwd /etc/hostname /etc/shadow \
                     /usr/include/stdio.h /case/home/.ssh/id_rsa /case/home/.bashrc";
const FOLDERS: &str =
    "emptydir .vscode .cargo .github/workflows evil.git ../other/.git /tmp /usr/share/doc /case/home/.config/agent";

impl World {
    /// The project of the variants `plain`, `optnames` and `evilgit` of the case file.
    pub(crate) fn new(variant: &str) -> Self {
        let mut world = World { things: BTreeMap::new(), findings: Vec::new() };
        FILES.split_whitespace().for_each(|file| world.put(file, Thing::File));
        FOLDERS.split_whitespace().for_each(|folder| world.put(folder, Thing::Folder));
        world.put("pipe.fifo", Thing::Pipe);
        world.put("link_out", Thing::Link("../outside.txt"));
        world.put("x1", Thing::Link("/etc/passwd"));
        world.put("link_in", Thing::Link("src"));
        world.put("dirlink", Thing::Link("/case/home/.ssh"));
        world.put("/dev/zero", Thing::Pipe);
        match variant {
            "optnames" => {
                ["--files0-from=a.txt", "-l.txt", "--x.txt"].iter().for_each(|name| world.put(name, Thing::File))
            }
            "evilgit" => world.findings.push("core.fsmonitor".into()),
            _ => {}
        }
        world
    }

    fn put(&mut self, path: &str, thing: Thing) {
        let path = lexical(&Path::new(ROOT).join(path));
        path.ancestors().skip(1).for_each(|folder| {
            self.things.entry(folder.to_owned()).or_insert(Thing::Folder);
        });
        self.things.insert(path, thing);
    }

    /// Answers questions as `tools` would.
    pub(crate) fn facts(&self, queries: &[Query]) -> Facts {
        let mut facts = Facts::default();
        for query in queries {
            match query {
                Query::Kind(path) => facts.set_kind(path.clone(), self.lead(path).kind),
                Query::Leads(path) => facts.set_led(path.clone(), self.lead(path)),
                Query::Matches { folder, pattern } => {
                    let matches = self.matches(folder, pattern);
                    matches.iter().for_each(|path| facts.set_led(path.clone(), self.lead(path)));
                    facts.set_matches(folder.clone(), pattern.clone(), matches);
                }
                Query::Secrets(folder) => facts.set_secrets(folder.clone(), self.secrets(folder)),
                Query::Program(name) if name == "rg" => {}
                Query::Program(name) => facts.set_program(name.clone(), Path::new("/usr/bin").join(name)),
                Query::Git(folder) => facts.set_git(folder.clone(), self.git(folder)),
                Query::RunByGit => {}
            }
        }
        facts
    }

    fn lead(&self, path: &Path) -> Led {
        let mut real = PathBuf::from("/");
        for component in path.components() {
            match component {
                Component::ParentDir => {
                    real.pop();
                }
                Component::Normal(name) => {
                    real.push(name);
                    if let Some(Thing::Link(target)) = self.things.get(&real) {
                        real.pop();
                        real = self.lead(&real.join(target)).real;
                    }
                }
                Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
            }
        }
        let kind = match self.things.get(&real) {
            Some(Thing::File) => PathKind::File { names: 1 },
            Some(Thing::Folder) => PathKind::Folder,
            Some(Thing::Pipe) => PathKind::Special,
            Some(Thing::Link(_)) | None => PathKind::Missing,
        };
        Led { real, kind }
    }

    fn matches(&self, folder: &Path, pattern: &Pattern) -> Vec<PathBuf> {
        let mut found = vec![folder.to_owned()];
        for part in pattern.0.split(|glyph| *glyph == Glyph::Literal('/')) {
            found = found.iter().flat_map(|folder| self.below(folder, part)).collect();
        }
        found
    }

    fn below(&self, folder: &Path, part: &[Glyph]) -> Vec<PathBuf> {
        let literal: Option<String> =
            part.iter().map(|glyph| if let Glyph::Literal(c) = glyph { Some(*c) } else { None }).collect();
        if let Some(literal) = literal {
            return vec![folder.join(literal)]
                .into_iter()
                .filter(|path| self.lead(path).kind != PathKind::Missing)
                .collect();
        }
        let real = self.lead(folder).real;
        let children = self.things.keys().filter(|path| path.parent() == Some(&real));
        let names = children.filter_map(|path| path.file_name()?.to_str());
        let hidden = part.first() == Some(&Glyph::Literal('.'));
        let names =
            names.filter(|name| (!name.starts_with('.') || hidden) && fits(part, &name.chars().collect::<Vec<_>>()));
        names.map(|name| folder.join(name)).collect()
    }

    fn secrets(&self, folder: &Path) -> Secrets {
        let below = self.lead(folder).real;
        let home = Resolved::new(Path::new(HOME));
        let is_secret = |path: &Path| is_secret(Resolved::new(path).expect("the paths of this world are whole"), home);
        let secret = |path: &&PathBuf| path.starts_with(&below) && is_secret(path);
        self.things.keys().find(secret).map_or(Secrets::None, |path| Secrets::Found(path.clone()))
    }

    fn git(&self, folder: &Path) -> GitFacts {
        let tree = Path::new(ROOT);
        let bare = self.lead(folder).real.starts_with(tree.join("evil.git"));
        let tree = (folder.starts_with(tree) && !bare).then(|| tree.to_owned());
        GitFacts { tree, findings: self.findings.clone(), keys: vec!["filter.lfs.clean".into()], secrets: Vec::new() }
    }
}

fn fits(part: &[Glyph], name: &[char]) -> bool {
    match (part, name) {
        ([], []) => true,
        ([Glyph::Any, rest @ ..], _) => (0..=name.len()).any(|skipped| fits(rest, &name[skipped..])),
        ([Glyph::One, rest @ ..], [_, name @ ..]) => fits(rest, name),
        ([Glyph::Literal(c), rest @ ..], [first, name @ ..]) => c == first && fits(rest, name),
        _ => false,
    }
}

fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
