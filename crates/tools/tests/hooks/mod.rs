//! Hooks as they are run: scripts as people write them for Claude Code, started in the sandbox, with real answers.

use agent_policy::{HookPermit, Policy, Setup};
use agent_protocol::*;
use agent_sandbox::probe;
use agent_tools::{HookScene, Toolbox};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

struct House {
    folder: TempDir,
    root: PathBuf,
    toolbox: Toolbox,
    kind: SandboxKind,
}

impl House {
    fn new() -> Self {
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let root = folder.path().canonicalize().unwrap().join("project");
        fs::create_dir_all(root.join("hooks")).unwrap();
        let scripts = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hooks/scripts");
        for script in fs::read_dir(scripts).unwrap().flatten() {
            fs::copy(script.path(), root.join("hooks").join(script.file_name())).unwrap();
        }
        let toolbox = Toolbox::new(root.clone());
        House { folder, root, toolbox, kind: probe().kind }
    }

    fn permit(&self, hook: &Hook) -> HookPermit {
        let setup = Setup { sandbox: self.kind, ..Setup::new(self.root.clone(), Mode::Safe) };
        Policy::new(setup).hook(hook).unwrap()
    }

    async fn fires(&self, hooks: &[Hook], input: HookInput) -> Vec<HookRun> {
        let permits = hooks.iter().map(|hook| self.permit(hook)).collect();
        let scene = HookScene { session: "s1".into(), transcript: None };
        self.toolbox.fire_hooks(permits, input, scene).await
    }

    /// What one hook says.
    async fn says(&self, hook: Hook, input: HookInput) -> HookSaid {
        let mut runs = self.fires(&[hook], input).await;
        assert_eq!(runs.len(), 1);
        runs.remove(0).said
    }

    /// A script with this text.
    fn script(&self, name: &str, text: &str) -> Hook {
        fs::write(self.root.join("hooks").join(name), text).unwrap();
        hook(HookEvent::PreTool, &format!("sh hooks/{name}"))
    }
}

fn hook(event: HookEvent, command: &str) -> Hook {
    Hook {
        event,
        matcher: None,
        tools: Vec::new(),
        command: command.into(),
        timeout_secs: 60,
        sandbox: true,
        origin: HookOrigin::Yours,
        files: Vec::new(),
        asks: None,
        off: None,
    }
}

fn about(event: HookEvent, tool: &str, arguments: Value, paths: &[PathBuf]) -> HookInput {
    let call = HookCall {
        call: ModelCall { server_id: None, index: None, name: tool.into(), arguments },
        tool: tool.into(),
        paths: paths.to_vec(),
        told: (event == HookEvent::PostTool).then(|| "exit code 0".to_owned()),
        failed: false,
    };
    HookInput { call: Some(call), ..HookInput::new(event, Mode::Safe) }
}

fn runs(command: &str) -> HookInput {
    about(HookEvent::PreTool, "run_command", json!({"command": command}), &[])
}

fn refuses(reason: &str) -> HookSaid {
    HookSaid { decision: HookDecision::Refuse, reason: reason.into(), ..HookSaid::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_validator_of_commands_refuses_with_its_words() {
    let house = House::new();
    let validator = hook(HookEvent::PreTool, "python3 hooks/bash_validator.py");
    let said = house.says(validator.clone(), runs("grep -r x .")).await;
    assert_eq!(said, refuses("• Use 'rg' (ripgrep) instead of 'grep'"));
    assert_eq!(house.says(validator, runs("cargo test")).await, HookSaid::default());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guard_of_files_is_asked_about_each_file_of_a_call() {
    let house = House::new();
    let guard = hook(HookEvent::PreTool, "python3 \"$CLAUDE_PROJECT_DIR\"/hooks/protect_files.py");
    let edits = |names: &[&str]| {
        let paths: Vec<PathBuf> = names.iter().map(|name| house.root.join(name)).collect();
        about(HookEvent::PreTool, "apply_patch", json!({"patch": ""}), &paths)
    };
    assert_eq!(house.says(guard.clone(), edits(&["src/a.rs", "src/b.rs"])).await, HookSaid::default());
    let said = house.says(guard, edits(&["src/a.rs", ".env"])).await;
    assert_eq!(said, refuses(".env is protected (.env)"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_is_read_and_left_to_whoever_decides() {
    let house = House::new();
    let approves = hook(HookEvent::PreTool, "python3 hooks/auto_approve_docs.py");
    let input = about(HookEvent::PreTool, "read_file", json!({"file_path": "a.md"}), &[house.root.join("a.md")]);
    assert_eq!(house.says(approves, input).await.decision, HookDecision::Allow);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_hook_is_asked_about_what_the_one_before_made_of_a_call() {
    let house = House::new();
    let changes = hook(HookEvent::PreTool, "python3 hooks/dry_run.py");
    let looks = house.script("looks.sh", "case $(cat) in *--dry-run*) exit 0;; esac; echo really >&2; exit 2\n");
    let runs = house.fires(&[changes, looks], runs("npm publish")).await;
    let first = &runs[0].said;
    assert_eq!(first.input, Some(json!({"command": "npm publish --dry-run"})));
    assert_eq!((first.decision, first.shown.as_str()), (HookDecision::Allow, "publishing is tried first"));
    assert_eq!((runs.len(), &runs[1].said), (2, &HookSaid::default()));
}

#[tokio::test(flavor = "multi_thread")]
async fn after_one_refused_no_other_is_asked() {
    let house = House::new();
    let first = house.script("first.sh", "exit 2\n");
    let second = house.script("second.sh", "touch ran\n");
    let runs = house.fires(&[first, second], runs("ls")).await;
    assert!(runs.len() == 1 && !house.root.join("ran").exists(), "{runs:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_refused_or_gets_words_beside_it() {
    let house = House::new();
    let context = hook(HookEvent::UserPrompt, "python3 hooks/prompt_context.py");
    let prompt =
        |text: &str| HookInput { prompt: Some(text.into()), ..HookInput::new(HookEvent::UserPrompt, Mode::Safe) };
    let said = house.says(context.clone(), prompt("password: hunter2")).await;
    assert_eq!(said, refuses("Security policy violation: prompt contains potential secrets"));
    let said = house.says(context, prompt("hello")).await;
    assert_eq!(said.context, "Session s1: the release branch is 1.4");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_ran_is_told_and_a_hook_can_write_in_the_project() {
    let house = House::new();
    let log = hook(HookEvent::PostTool, "bash hooks/log_commands.sh");
    let input = about(HookEvent::PostTool, "run_command", json!({"command": "make test"}), &[]);
    assert_eq!(house.says(log, input).await, HookSaid::default());
    assert_eq!(fs::read_to_string(house.root.join("log/commands.txt")).unwrap(), "make test\n");
    let style = hook(HookEvent::PostTool, "bash hooks/check_style.sh");
    fs::write(house.root.join("a.py"), "if x:\n\ty()\n").unwrap();
    let input = about(HookEvent::PostTool, "edit_file", json!({"file_path": "a.py"}), &[house.root.join("a.py")]);
    assert_eq!(house.says(style, input).await, refuses("a.py: use spaces, not tabs"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_turn_is_held_up_and_not_twice() {
    let house = House::new();
    let stop = hook(HookEvent::TurnEnd, "bash hooks/tests_must_pass.sh");
    let end = |again| HookInput { again, ..HookInput::new(HookEvent::TurnEnd, Mode::Safe) };
    assert_eq!(house.says(stop.clone(), end(false)).await, refuses("write report.txt before you stop"));
    assert_eq!(house.says(stop, end(true)).await, HookSaid::default());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_or_is_not_there_is_a_fault_and_decides_nothing() {
    let house = House::new();
    for (text, words) in
        [("echo boom >&2; exit 1\n", "exit code 1: boom"), ("echo '{\"decision\": '\n", "its output is no JSON")]
    {
        let said = house.says(house.script("fails.sh", text), runs("ls")).await;
        let Some(HookFault::Failed(told)) = &said.fault else { panic!("{text}: {said:?}") };
        assert!(told.contains(words), "{told}");
        assert_eq!(said.decision, HookDecision::None);
    }
    let said = house.says(hook(HookEvent::PreTool, "./hooks/gone.sh"), runs("ls")).await;
    assert!(matches!(&said.fault, Some(HookFault::NotRun(words)) if words.starts_with("exit code 127")), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_whose_time_is_up_is_ended_with_all_it_started() {
    let house = House::new();
    // Nobody ever writes there.
    let waits = house.script("waits.sh", "mkfifo never; echo $$ > pid; cat never & cat never\n");
    let said = house.says(Hook { timeout_secs: 1, ..waits }, runs("ls")).await;
    assert_eq!(said.fault, Some(HookFault::TimedOut(1)));
    // What was begun is gone: a fifo that nobody reads cannot be opened to be written.
    let path = house.root.join("never");
    let opened = opened_to_write(&path);
    assert!(opened.is_err(), "somebody still reads there");
}

/// Opens a fifo to write without waiting for a reader; an error where there is none.
fn opened_to_write(path: &std::path::Path) -> std::io::Result<fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    const NONBLOCK: i32 = 0o4000;
    fs::OpenOptions::new().write(true).custom_flags(NONBLOCK).open(path)
}

#[tokio::test(flavor = "multi_thread")]
async fn dropped_it_is_ended() {
    let house = House::new();
    let waits = house.script("waits.sh", "mkfifo never; touch began; cat never\n");
    let began = house.root.join("began");
    let fired = house.fires(std::slice::from_ref(&waits), runs("ls"));
    let until_it_began = async {
        while !began.exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        runs = fired => panic!("it waits: {runs:?}"),
        () = until_it_began => {}
    }
    assert!(opened_to_write(&house.root.join("never")).is_err(), "it still reads there");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_reaches_nothing_outside_of_the_project() {
    let house = House::new();
    if house.kind != SandboxKind::Kernel {
        eprintln!("passed over: there is no sandbox here");
        return;
    }
    let outside = house.folder.path().canonicalize().unwrap().join("outside");
    let text = format!("touch '{}' 2>/dev/null && echo wrote >&2 && exit 2; exit 0\n", outside.display());
    let said = house.says(house.script("writes.sh", &text), runs("ls")).await;
    assert_eq!((said, outside.exists()), (HookSaid::default(), false));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let text =
        format!("if (exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null; then echo reached >&2; exit 2; fi; exit 0\n");
    house.script("reaches.sh", &text);
    let said = house.says(hook(HookEvent::PreTool, "bash hooks/reaches.sh"), runs("ls")).await;
    assert_eq!(said, HookSaid::default());
    // One's own may be let out.
    let text = format!("touch '{}'\n", outside.display());
    let out = Hook { sandbox: false, ..house.script("writes.sh", &text) };
    assert_eq!((house.says(out, runs("ls")).await, outside.exists()), (HookSaid::default(), true));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_changed_since_it_was_approved_is_not_run() {
    let house = House::new();
    let mut guard = house.script("guard.sh", "exit 0\n");
    guard.files =
        agent_tools::hook_scripts(&house.root, &guard.command).unwrap().into_iter().map(|found| found.file).collect();
    assert_eq!(house.says(guard.clone(), runs("ls")).await, HookSaid::default());
    fs::write(house.root.join("hooks/guard.sh"), "touch ran\n").unwrap();
    let said = house.says(guard, runs("ls")).await;
    assert!(matches!(&said.fault, Some(HookFault::Changed(file)) if file.ends_with("hooks/guard.sh")), "{said:?}");
    assert!(!house.root.join("ran").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_hook_says_holds_no_secrets() {
    let house = House::new();
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9".repeat(2));
    let said = house.says(house.script("tells.sh", &format!("echo {key} >&2; exit 2\n")), runs("ls")).await;
    assert!(said.decision == HookDecision::Refuse && !said.reason.contains(&key), "{}", said.reason);
}

#[tokio::test(flavor = "multi_thread")]
async fn protected_files_that_a_hook_changes_are_told() {
    let house = House::new();
    let runs = house.fires(&[house.script("plants.sh", "echo x > .envrc\n")], runs("ls")).await;
    assert_eq!(runs[0].tampered, [".envrc (new)"]);
}

#[tokio::test]
async fn a_matcher_means_tools_by_our_names_and_by_those_of_claude_code() {
    let house = House::new();
    let tools = |matcher: &str| house.toolbox.hook_tools(Some(matcher)).unwrap();
    assert_eq!(tools("Bash"), ["run_command"]);
    assert_eq!(tools("run_command"), ["run_command"]);
    for (matcher, meant) in [
        (
            "Edit|Write",
            &["write_file", "edit_file", "edit_lines", "insert_lines", "multi_edit", "apply_patch", "batch_operations"]
                [..],
        ),
        ("Write", &["write_file", "apply_patch", "batch_operations"]),
        ("Read", &["read_file", "read_many_files"]),
        ("Web.*", &["web_fetch", "web_search"]),
        ("Notebook.*", &[]),
    ] {
        let found = tools(matcher);
        assert!(meant.iter().all(|tool| found.iter().any(|name| name == tool)), "{matcher}: {found:?}");
        assert_eq!(found.len(), meant.len(), "{matcher}: {found:?}");
    }
    let all = house.toolbox.hook_tools(None).unwrap();
    assert!(all.len() > 20 && tools("*") == all && tools("") == all);
    assert!(house.toolbox.hook_tools(Some("Bash(")).is_err());
}
