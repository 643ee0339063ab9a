//! The fence, the rules and the server's address, as far as a person sees them beside the questions.

use super::harness::{Stage, model, opened, turn};
use agent_protocol::{
    CallEvent, CallOp, Event, Grant, Lasts, ListEvent, ListOp, Op, Rule, SandboxKind, SandboxSupport, ServerEvent,
    SessionEvent, TriedVerdict,
};

/// A session that opened with this.
pub(super) fn opened_with(kind: SandboxKind, words: &str, exposed: bool) -> Event {
    let Event::Session(SessionEvent::Opened { project, host, mode, tools, .. }) = opened() else {
        unreachable!("an opening")
    };
    let host = if exposed { "http://192.168.1.5:11434".into() } else { host };
    let details = match kind {
        SandboxKind::Kernel => vec!["holds: files, TCP, signals, devices".into(), "not: chmod outside".into()],
        SandboxKind::None | SandboxKind::Off | SandboxKind::Disposable => {
            vec!["probe: landlock_create_ruleset says ENOSYS".into()]
        }
    };
    let sandbox = SandboxSupport { kind, words: words.into(), details, apart: kind == SandboxKind::Kernel };
    Event::Session(SessionEvent::Opened { project, host, mode, tools, sandbox, exposed })
}

fn stage(width: u16, kind: SandboxKind, exposed: bool) -> Stage {
    let words = if kind == SandboxKind::Kernel { "Landlock 7 and seccomp" } else { "the kernel has no Landlock" };
    let mut stage = Stage::blank(width, 24);
    stage.hear(opened_with(kind, words, exposed));
    stage.hear(Event::Server(ServerEvent::ModelSet { card: model("qwen3-coder:30b-a3b-q4_K_M"), window: 16_384 }));
    stage
}

fn status(stage: &mut Stage) -> String {
    stage.screen().lines().last().unwrap_or_default().to_owned()
}

#[test]
fn the_status_line_names_what_holds_commands_in_where_there_is_room() {
    let shown = status(&mut stage(120, SandboxKind::Kernel, false));
    assert!(shown.contains("sandbox: Landlock") && !shown.contains("unencrypted"), "{shown}");
    assert!(!status(&mut stage(40, SandboxKind::Kernel, false)).contains("sandbox"));
}

#[test]
fn warnings_stay_in_the_status_line_however_narrow_it_is() {
    for (kind, told) in
        [(SandboxKind::None, "no sandbox"), (SandboxKind::Off, "sandbox off"), (SandboxKind::Disposable, "NO SANDBOX")]
    {
        for width in 40..=120 {
            let mut stage = stage(width, kind, true);
            stage.hear(turn("go"));
            let shown = status(&mut stage);
            assert!(shown.contains(told) && shown.contains("unencrypted"), "{width}: {shown}");
        }
    }
    assert!(status(&mut stage(120, SandboxKind::Kernel, true)).contains("192.168.1.5:11434  unencrypted"));
}

#[test]
fn the_sandbox_panel_says_what_is_in_force_and_why_not_more() {
    for (kind, told) in [
        (SandboxKind::Kernel, ["enforced by the kernel: Landlock 7 and seccomp", "not: chmod outside"]),
        (SandboxKind::None, ["none: the kernel has no Landlock", "landlock_create_ruleset says ENOSYS"]),
        (SandboxKind::Off, ["switched off: the kernel has no Landlock", "every command can do what you can"]),
    ] {
        let mut stage = stage(120, kind, false);
        stage.resize(120, 40).keys("/sandbox<enter>");
        let shown = stage.screen();
        for told in told.into_iter().chain(["reads only, no network", "[sandbox] in your config", "require"]) {
            assert!(shown.contains(told), "{told} in\n{shown}");
        }
    }
}

pub(super) fn grants() -> Vec<Grant> {
    let words = Rule::Words { words: vec!["cargo".into(), "test".into()] };
    vec![
        Grant {
            rule: words,
            words: "commands that begin with `cargo test` in this project, never with more reach".into(),
            lasts: Lasts::Always,
            since: Some("2026-11-21".into()),
            example: Some("cargo test --workspace".into()),
        },
        Grant {
            rule: Rule::ReadOnly { lasts: Lasts::Session },
            words: "commands proved to only read, in this session".into(),
            lasts: Lasts::Session,
            since: None,
            example: None,
        },
    ]
}

pub(super) fn listed() -> Stage {
    let mut stage = Stage::new();
    stage.keys("/permissions<enter>");
    assert_eq!(stage.ops(), [Op::List(ListOp::Permissions)]);
    stage.hear(Event::List(ListEvent::Permissions { grants: grants() }));
    stage
}

#[test]
fn the_rules_are_listed_and_the_chosen_one_is_taken_back_by_two_presses() {
    let mut stage = listed();
    assert!(stage.shows("› commands that begin with `cargo test`"), "{}", stage.screen());
    assert!(stage.shows("for good, since 2026-11-21, given for: cargo test --workspace"));
    stage.keys("<down><=d>");
    assert!(stage.shows("d again takes the rule back"), "{}", stage.screen());
    assert_eq!(stage.ops(), []);
    stage.keys("<=d>");
    assert_eq!(stage.ops(), [Op::Call(CallOp::Revoke { rule: Rule::ReadOnly { lasts: Lasts::Session } })]);
    stage.hear(Event::List(ListEvent::Permissions { grants: grants()[..1].to_vec() }));
    assert!(stage.shows("› commands that begin with") && !stage.shows("proved to only read"), "{}", stage.screen());
}

#[test]
fn a_rule_is_kept_by_esc() {
    let mut stage = listed();
    stage.keys("<=d><esc>");
    assert!(stage.shows("d revoke"), "{}", stage.screen());
    assert_eq!(stage.ops(), []);
    stage.keys("<esc>");
    assert!(!stage.shows("What runs without a question"));
}

#[test]
fn a_command_is_tried_from_the_list_and_nothing_is_lost_of_what_is_typed() {
    for (keys, command) in [
        ("<=t>docker ps", "docker ps"),
        ("docker ps", "docker ps"),
        ("dd if=a", "dd if=a"),
        ("tail -f a", "tail -f a"),
        ("<=d>docker ps", "docker ps"),
        ("make", "make"),
    ] {
        let mut stage = listed();
        stage.keys(keys);
        assert_eq!(stage.ops(), [], "{keys}");
        assert!(stage.shows(&format!("› {command}")), "{}", stage.screen());
        stage.keys("<enter>");
        assert_eq!(stage.ops(), [Op::Call(CallOp::Try { command: command.into() })]);
    }
}

#[test]
fn what_would_become_of_a_command_is_told() {
    for (verdict, told) in [
        (TriedVerdict::Runs, "would run: cargo test · a rule of yours allows it"),
        (TriedVerdict::Asks, "would ask: cargo test · a rule of yours allows it"),
        (TriedVerdict::Refused, "would be refused: cargo test · a rule of yours allows it"),
    ] {
        let mut stage = Stage::new();
        stage.keys("/permissions cargo test<enter>");
        assert_eq!(
            stage.ops(),
            [Op::List(ListOp::Permissions), Op::Call(CallOp::Try { command: "cargo test".into() })]
        );
        let why = "a rule of yours allows it".to_owned();
        stage.hear(Event::List(ListEvent::Permissions { grants: Vec::new() }));
        stage.hear(Event::Call(CallEvent::Tried { command: "cargo test".into(), verdict, why }));
        assert!(stage.shows(told), "{}", stage.screen());
    }
}

#[test]
fn a_list_that_nobody_looks_at_opens_nothing() {
    let mut stage = Stage::new();
    stage.hear(Event::List(ListEvent::Permissions { grants: grants() }));
    let why = "it only reads".to_owned();
    stage.hear(Event::Call(CallEvent::Tried { command: "ls".into(), verdict: TriedVerdict::Runs, why }));
    assert!(!stage.shows("What runs without a question") && !stage.shows("would run"));
}
