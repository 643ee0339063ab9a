//! Which hooks of a project are in force, as approvals and files come and go.

use super::*;
use crate::config::{Faulty, Sources, load};
use agent_store::Place;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A project with a hook of its own, and a person.
struct House {
    folder: TempDir,
}

const THEIRS: &str = "[[hooks]]\nevent = \"PreToolUse\"\nmatcher = \"Edit|Write\"\ncommand = \"sh hooks/guard.sh\"\n";

impl House {
    fn new() -> Self {
        let house = House { folder: tempfile::tempdir().unwrap() };
        for name in ["user", "project/.agent", "project/hooks"] {
            fs::create_dir_all(house.folder.path().join(name)).unwrap();
        }
        house.write("project/.agent/config.toml", THEIRS);
        house.write("project/hooks/guard.sh", "exit 0\n");
        house
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project").canonicalize().unwrap()
    }

    fn plan(&self) -> Plan {
        let (user, project) = (self.folder.path().join("user"), self.project());
        let sources = Sources { user_folder: &user, project: &project, env: |_| None, faulty: Faulty::Refuse };
        let config = load(&sources).unwrap();
        let plan = crate::demo::Demo::start().unwrap().plan(&config).unwrap();
        Plan { config, project, place: Place::new(self.folder.path().join("state")), ..plan }
    }

    fn pins(&self) -> HookPins {
        HookPins::new(self.plan().place, &Folder::at(&self.project()).unwrap())
    }

    /// The user approves what there is now.
    fn approve(&self) {
        let found = of_project(&self.plan().config, &self.project());
        let pin = |found: &Found| HookPin {
            event: found.hook.event.name().into(),
            command: found.hook.command.clone(),
            mark: found.mark.clone(),
            since: String::new(),
        };
        self.pins().save(found.iter().map(pin).collect()).unwrap();
    }

    fn hooks(&self) -> (Vec<Hook>, Vec<String>) {
        self.hooks_on(SandboxKind::Kernel)
    }

    fn hooks_on(&self, sandbox: SandboxKind) -> (Vec<Hook>, Vec<String>) {
        of_session(&self.plan(), sandbox, &Toolbox::new(self.project())).unwrap()
    }
}

#[test]
fn a_project_s_hook_is_off_until_it_is_approved_and_that_is_said_once() {
    let house = House::new();
    let (hooks, notices) = house.hooks();
    assert_eq!((hooks.len(), hooks[0].off.as_deref()), (1, Some(NOT_APPROVED)));
    assert!(notices.len() == 1 && notices[0].contains("1 hook") && notices[0].contains("`agent hooks approve`"));
    house.approve();
    let (hooks, notices) = house.hooks();
    assert_eq!((&hooks[0].off, notices), (&None, Vec::new()));
    assert!(hooks[0].tools.contains(&"edit_file".to_owned()) && hooks[0].files.len() == 1, "{:?}", hooks[0]);
}

#[test]
fn what_changed_since_it_was_approved_is_off_with_a_word_that_names_the_command() {
    for (name, text) in [
        ("project/hooks/guard.sh", "exit 2\n"),
        ("project/.agent/config.toml", "[[hooks]]\nevent = \"pre_tool\"\ncommand = \"sh hooks/guard.sh\"\n"),
    ] {
        let house = House::new();
        house.approve();
        house.write(name, text);
        let (hooks, notices) = house.hooks();
        assert!(hooks[0].off.as_ref().is_some_and(|why| why.starts_with("changed since you approved it")), "{hooks:?}");
        assert!(notices.len() == 1 && notices[0].contains("`sh hooks/guard.sh`"), "{notices:?}");
        // Approved again it holds.
        house.approve();
        assert_eq!(house.hooks().0[0].off, None);
    }
}

#[test]
fn another_command_is_not_approved_by_what_was() {
    let house = House::new();
    house.approve();
    house.write(
        "project/.agent/config.toml",
        "[[hooks]]\nevent = \"pre_tool\"\ncommand = \"sh hooks/guard.sh; curl x\"\n",
    );
    assert_eq!(house.hooks().0[0].off.as_deref(), Some(NOT_APPROVED));
}

#[test]
fn without_a_sandbox_no_hook_of_a_project_is_in_force() {
    let house = House::new();
    house.approve();
    for kind in [SandboxKind::None, SandboxKind::Off, SandboxKind::Disposable] {
        let (hooks, notices) = house.hooks_on(kind);
        assert!(hooks[0].off.is_some() && notices[0].contains("sandbox"), "{kind:?}: {notices:?}");
    }
}

#[test]
fn only_ones_own_hook_leaves_the_sandbox_and_needs_no_approval() {
    let house = House::new();
    let out = "[[hooks]]\nevent = \"Stop\"\ncommand = \"sh hooks/guard.sh\"\nsandbox = false\n";
    house.write("user/config.toml", out);
    house.write("project/.agent/config.toml", out);
    house.approve();
    let (hooks, notices) = house.hooks();
    assert_eq!(
        hooks.iter().map(|hook| (hook.origin, hook.sandbox)).collect::<Vec<_>>(),
        [(HookOrigin::Yours, false), (HookOrigin::Project, true)]
    );
    assert!(hooks.iter().all(|hook| hook.off.is_none()) && notices[0].contains("runs in the sandbox"), "{notices:?}");
}

#[test]
fn a_matcher_that_means_nothing_stops_ones_own_session_and_switches_a_project_s_hook_off() {
    let text = "[[hooks]]\nevent = \"pre_tool\"\nmatcher = \"Bash(\"\ncommand = \"true\"\n";
    let house = House::new();
    house.write("project/.agent/config.toml", text);
    house.approve();
    assert!(house.hooks().0[0].off.as_ref().is_some_and(|why| why.contains("regular expression")));
    house.write("user/config.toml", text);
    let wrong = of_session(&house.plan(), SandboxKind::Kernel, &Toolbox::new(house.project())).unwrap_err();
    assert!(wrong.to_string().contains("cannot be used: its matcher \"Bash(\" is no regular expression"), "{wrong}");
}

#[test]
fn of_a_project_that_is_held_back_nothing_counts() {
    let house = House::new();
    house.approve();
    house.write("project/.agent/config.toml", &format!("nothing_knows_this = 1\n{THEIRS}"));
    assert_eq!(house.hooks().0, []);
}
