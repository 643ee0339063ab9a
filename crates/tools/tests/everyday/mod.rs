//! How often a person is asked in everyday work: the sequences in `tests/everyday`, judged by a real policy with real facts
//! of a project of like kind. Nothing of them is run; the user always takes the answer that spares most questions.

use agent_policy::{Facts, Held, Policy, Setup, Verdict, queries};
use agent_protocol::{Action, Change, Changes, Digest, Lasts, Mode, Profile, Rule, RuleOffer};
use agent_sandbox::Surroundings;
use agent_tools::{Ground, Toolbox};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;

const CLICK: &str = include_str!("../../../../tests/everyday/click.txt");
const FD: &str = include_str!("../../../../tests/everyday/fd.txt");

/// Programs that the user has, beside those of this machine.
const PROGRAMS: &[&str] = &["python3", "pytest", "pip", "cargo"];

struct House {
    _folder: TempDir,
    root: PathBuf,
    toolbox: Toolbox,
    policy: Policy,
    /// The user was asked about hosts, and let the project reach them for good.
    reaches: bool,
    asked: Vec<String>,
}

impl House {
    fn new(mode: Mode, files: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let place = folder.path().canonicalize().unwrap();
        let (root, programs) = (place.join("project"), place.join("bin"));
        for file in files {
            std::fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            std::fs::write(root.join(file), "one\n").unwrap();
        }
        std::fs::create_dir(&programs).unwrap();
        for name in PROGRAMS {
            std::fs::write(programs.join(name), "#!/bin/sh\n").unwrap();
            std::fs::set_permissions(programs.join(name), PermissionsExt::from_mode(0o755)).unwrap();
        }
        std::fs::set_permissions(&programs, PermissionsExt::from_mode(0o755)).unwrap();
        let git = "git init -q && git -c user.name=a -c user.email=a@b add . && git -c user.name=a -c user.email=a@b \
                   commit -qm first";
        assert!(Command::new("sh").args(["-c", git]).current_dir(&root).status().unwrap().success());
        let path = std::env::var_os("PATH").unwrap();
        let path = std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&path))).unwrap();
        let others = std::env::vars_os().filter(|(name, _)| name != "PATH");
        let surroundings = Surroundings::new(others.chain([("PATH".into(), path)]), &[], &root).unwrap();
        let ground = Ground { surroundings: Arc::new(surroundings), ..Ground::of_this_process(root.clone()).unwrap() };
        let toolbox = Toolbox::with(ground, &[]).0;
        let policy = Policy::new(Setup { trusted: true, ..Setup::new(root.clone(), mode) });
        House { _folder: folder, root, toolbox, policy, reaches: false, asked: Vec::new() }
    }

    fn facts(&self, action: &Action) -> Facts {
        self.toolbox.facts(&queries(action))
    }

    /// Judges `action`; the user says yes. Says whether they were asked.
    fn does(&mut self, said: &str, action: Action) -> bool {
        let facts = self.facts(&action);
        match self.policy.judge(action, &facts) {
            Verdict::Allow(_) => false,
            Verdict::Ask(held) => {
                let best = best(&held).map(|offer| offer.rule.clone());
                self.policy.answer(held, best).unwrap();
                self.asked.push(said.to_owned());
                true
            }
            other => panic!("{said}: {other:?}"),
        }
    }

    /// Goes through a sequence, and says what was asked about.
    fn plays(mut self, sequence: &str) -> Vec<String> {
        for line in sequence.lines().filter(|line| !line.starts_with('#')) {
            let (kind, what) = line.split_once(' ').unwrap_or((line, ""));
            match kind {
                "trust" => {
                    self.policy.trust();
                    self.asked.push(line.to_owned());
                }
                "run" => drop(self.does(line, run(what, &self.root))),
                // A question for the command names the hosts; else they are asked about when it gets to them.
                "net" => {
                    let asked = self.does(line, run(what, &self.root));
                    if !asked && !self.reaches {
                        self.asked.push(format!("{line} (hosts)"));
                    }
                    self.reaches = true;
                }
                "edit" => drop(self.does(line, edit(&self.root.join(what)))),
                "read" => drop(self.does(line, Action::Read { paths: vec![self.root.join(what)] })),
                other => panic!("no such line: {other}"),
            }
        }
        self.asked
    }
}

fn run(command: &str, cwd: &Path) -> Action {
    Action::Run {
        command: command.into(),
        argv: Vec::new(),
        cwd: cwd.into(),
        timeout_secs: 120,
        profile: Profile::Project,
        background: false,
        input: None,
    }
}

fn edit(path: &Path) -> Action {
    let change = Change { path: path.into(), before: Some(Digest("00".into())), after: Some("two\n".into()) };
    Action::Write { changes: Changes(vec![change]) }
}

/// The answer that spares most questions: it holds for more than this one thing.
fn best(held: &Held) -> Option<&RuleOffer> {
    let spares = |offer: &&RuleOffer| match &offer.rule {
        Rule::All { rules } => 10 + rules.len(),
        Rule::ReadOnly { lasts: Lasts::Always } | Rule::Edits => 9,
        Rule::Words { .. } => 8,
        Rule::ReadOnly { lasts: Lasts::Session }
        | Rule::Command { .. }
        | Rule::File { .. }
        | Rule::Host { .. }
        | Rule::Reach { .. }
        | Rule::Tool { .. }
        | Rule::Look { .. } => 0,
    };
    held.offers().iter().filter(|offer| spares(offer) > 0).max_by_key(spares)
}

fn click(mode: Mode) -> Vec<String> {
    let files = ["src/bar/progress.py", "tests/test_progress.py", "CHANGES.rst", "pyproject.toml"];
    House::new(mode, &files).plays(CLICK)
}

fn fd(mode: Mode) -> Vec<String> {
    House::new(mode, &["src/main.rs", "tests/tests.rs", "CHANGELOG.md", "Cargo.toml"]).plays(FD)
}

#[test]
fn a_python_task_asks_six_times_in_safe_mode() {
    let asked = click(Mode::Safe);
    assert!(asked.len() <= 6, "{asked:#?}");
    assert!(asked.last().unwrap().contains("git commit"), "a commit always asks: {asked:#?}");
}

#[test]
fn a_rust_task_asks_five_times_in_safe_mode() {
    let asked = fd(Mode::Safe);
    assert!(asked.len() <= 5, "{asked:#?}");
    assert!(asked.last().unwrap().contains("git commit"), "a commit always asks: {asked:#?}");
}

#[test]
fn unsafe_mode_asks_about_nothing_but_the_folder_and_the_hosts() {
    for asked in [click(Mode::Unsafe), fd(Mode::Unsafe)] {
        let besides: Vec<&String> = asked.iter().filter(|asked| *asked != "trust").collect();
        assert!(matches!(besides.as_slice(), [one] if one.ends_with("(hosts)")), "{asked:#?}");
    }
}

#[test]
fn a_person_who_keeps_nothing_is_asked_each_time() {
    let files = ["src/bar/progress.py"];
    let mut house = House::new(Mode::Safe, &files);
    for _ in 0..2 {
        let action = edit(&house.root.join(files[0]));
        let facts = house.facts(&action);
        let Verdict::Ask(held) = house.policy.judge(action, &facts) else { panic!("it asks") };
        house.policy.answer(held, None).unwrap();
    }
    assert!(house.does("edit", edit(&house.root.join(files[0]))));
    assert!(!house.does("edit", edit(&house.root.join(files[0]))), "all edits were allowed");
}
