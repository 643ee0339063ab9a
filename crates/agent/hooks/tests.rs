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
            matcher: found.hook.matcher.clone(),
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
fn what_changed_since_it_was_approved_asks_about_its_calls_with_a_notice_that_names_the_command() {
    for (name, text) in [
        ("project/hooks/guard.sh", "exit 2\n"),
        ("project/.agent/config.toml", "[[hooks]]\nevent = \"pre_tool\"\ncommand = \"sh hooks/guard.sh\"\n"),
    ] {
        let house = House::new();
        house.approve();
        house.write(name, text);
        let (hooks, notices) = house.hooks();
        assert!(
            hooks[0].asks.as_ref().is_some_and(|why| why.starts_with("changed since you approved it")),
            "{hooks:?}"
        );
        assert!(hooks[0].off.is_none() && hooks[0].tools.contains(&"write_file".to_owned()), "{hooks:?}");
        assert!(notices.len() == 1 && notices[0].contains("`sh hooks/guard.sh`"), "{notices:?}");
        // Approved again it holds.
        house.approve();
        assert_eq!((house.hooks().0[0].asks.clone(), house.hooks().1), (None, Vec::new()));
    }
}

/// Whatever becomes of a guard that was approved, what it guarded is not let through by it.
#[test]
fn no_guard_that_was_approved_is_gone_without_a_question() {
    let table = |rest: &str| format!("[[hooks]]\nevent = \"pre_tool\"\n{rest}\n");
    let script = "command = \"sh hooks/guard.sh\"";
    for (what, config, remove) in [
        ("its script is gone", THEIRS.to_owned(), Some("hooks/guard.sh")),
        ("its folder is gone", THEIRS.to_owned(), Some("hooks")),
        ("its entry is gone", String::new(), None),
        ("the settings are gone", String::new(), Some(".agent/config.toml")),
        ("another command", table("command = \"true\""), None),
        ("another event", THEIRS.replace("PreToolUse", "PostToolUse"), None),
        ("another matcher", table(&format!("{script}\nmatcher = \"LS\"")), None),
        ("another time", table(&format!("{script}\nmatcher = \"Edit|Write\"\ntimeout = 1")), None),
        ("more of a command", table("command = \"sh hooks/guard.sh; true\""), None),
        ("a command that hides it", table("command = \"sh $(echo hooks/guard.sh)\""), None),
        ("a command in a variable", table("command = \"g=hooks/guard.sh; sh $g\""), None),
        ("a matcher that means nothing", table("command = \"true\"\nmatcher = \"Nothing\""), None),
    ] {
        let house = House::new();
        house.approve();
        house.write("project/.agent/config.toml", &config);
        if let Some(name) = remove {
            let path = house.project().join(name);
            if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
        }
        let (hooks, notices) = house.hooks();
        let asks = |hook: &&Hook| hook.event == HookEvent::PreTool && hook.off.is_none() && hook.asks.is_some();
        let asking: Vec<&Hook> = hooks.iter().filter(asks).collect();
        assert_eq!(asking.len(), 1, "{what}: {hooks:?}");
        assert!(["edit_file", "write_file"].iter().all(|tool| asking[0].tools.contains(&(*tool).to_owned())), "{what}");
        assert!(notices.iter().any(|notice| notice.contains("is not run")), "{what}: {notices:?}");
    }
}

#[test]
fn the_scripts_of_one_s_own_hooks_are_known_from_the_start() {
    let house = House::new();
    house.write("project/.agent/config.toml", "");
    house.write("user/config.toml", THEIRS);
    let (hooks, _) = house.hooks();
    let script = house.project().join("hooks/guard.sh");
    assert_eq!(hooks[0].files.iter().map(|file| file.path.clone()).collect::<Vec<_>>(), std::slice::from_ref(&script));
    let guarded = guarded(&hooks, &house.project());
    assert_eq!(guarded, [GuardedFile { path: script, why: "is run by your hook guard.sh".into() }]);
}

#[test]
fn another_command_is_not_approved_by_what_was() {
    let house = House::new();
    house.approve();
    house.write(
        "project/.agent/config.toml",
        "[[hooks]]\nevent = \"pre_tool\"\ncommand = \"sh hooks/guard.sh; curl x\"\n",
    );
    assert!(house.hooks().0.iter().any(|hook| hook.off.as_deref() == Some(NOT_APPROVED)));
}

#[test]
fn without_a_sandbox_no_hook_of_a_project_is_run() {
    let house = House::new();
    house.approve();
    let (hooks, _) = house.hooks_on(SandboxKind::Disposable);
    assert!(hooks[0].off.is_some(), "there nothing is asked");
    for kind in [SandboxKind::None, SandboxKind::Off] {
        let (hooks, notices) = house.hooks_on(kind);
        assert!(hooks[0].asks.is_some() && notices[0].contains("sandbox"), "{kind:?}: {notices:?}");
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
