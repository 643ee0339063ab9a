//! Hooks, as the user sees them: a row for what came of one, the list, and how to end one.

use super::harness::Stage;
use super::rescue::arrived;
use agent_protocol::{
    CallId, Event, Hook, HookEvent, HookFate, HookFiring, HookOrigin, ListEvent, ListOp, Op, ServerCard, ServerEvent,
    ServerState, SessionEvent, TurnEvent, TurnOp, Way,
};

fn fired(call: Option<u64>, fate: HookFate, words: &str) -> Event {
    let (at, hook, origin, words) = (HookEvent::PreTool, "guard.sh".into(), HookOrigin::Yours, words.into());
    Event::Session(SessionEvent::HookRan {
        firing: HookFiring { at, hook, origin, call: call.map(CallId), fate, words },
    })
}

fn hook(origin: HookOrigin, off: Option<&str>) -> Hook {
    Hook {
        event: HookEvent::PreTool,
        matcher: Some("Edit|Write".into()),
        tools: Vec::new(),
        command: "sh\u{1b}[2J hooks/guard.sh".into(),
        timeout_secs: 10,
        sandbox: origin == HookOrigin::Project,
        origin,
        files: Vec::new(),
        asks: None,
        off: off.map(str::to_owned),
    }
}

#[test]
fn what_came_of_a_hook_is_one_row_and_commands_no_terminal() {
    let mut stage = Stage::new();
    stage.hear(fired(Some(1), HookFate::Refused, "not on main\u{1b}[2J"));
    assert!(stage.shows("· hook  pre_tool · guard.sh · refused: not on main"), "{}", stage.screen());
    stage.hear(fired(Some(1), HookFate::TimedOut, "after 10 s"));
    assert!(stage.shows("! hook  pre_tool · guard.sh · timed out: after 10 s"), "{}", stage.screen());
    assert!(!stage.screen().contains('\u{1b}'));
}

#[test]
fn one_that_had_nothing_to_say_is_counted_in_the_row_of_its_call() {
    let mut stage = Stage::new();
    stage.hear(arrived(1, Way::Server, None, 0));
    stage.hear(fired(Some(1), HookFate::Nothing, ""));
    assert!(stage.shows("· 1 hook") && !stage.shows("guard.sh"), "{}", stage.screen());
    stage.hear(fired(Some(1), HookFate::Nothing, ""));
    assert!(stage.shows("· 2 hooks"), "{}", stage.screen());
    stage.hear(fired(None, HookFate::Nothing, ""));
    assert!(stage.shows("· hook  pre_tool · guard.sh"), "where there is no call it has a row: {}", stage.screen());
}

#[test]
fn hooks_are_listed_with_where_they_come_from_and_whether_they_are_in_force() {
    let mut stage = Stage::new();
    stage.keys("/hooks<enter>");
    assert_eq!(stage.ops(), [Op::List(ListOp::Hooks)]);
    let hooks = vec![hook(HookOrigin::Yours, None), hook(HookOrigin::Project, Some("not approved"))];
    stage.hear(Event::List(ListEvent::Hooks { hooks }));
    for text in [
        "In your config",
        "In this project's config",
        "Edit|Write · sh",
        "in force · 10 s at most · outside the sandbox",
        "off: not approved",
    ] {
        assert!(stage.shows(text), "{text}: {}", stage.screen());
    }
    assert!(!stage.screen().contains('\u{1b}'));
    stage.keys("<esc>").hear(Event::List(ListEvent::Hooks { hooks: Vec::new() }));
    assert!(stage.shows("There are none."), "{}", stage.screen());
}

#[test]
fn esc_ends_hooks_that_hear_a_message_and_its_words_come_back() {
    let mut stage = Stage::new();
    stage.hear(Event::Server(ServerEvent::Server { state: ServerState::Up(ServerCard::default()) }));
    stage.keys("hello<enter>").hear(Event::Turn(TurnEvent::Queued { texts: vec!["hello".into()] }));
    stage.ops();
    stage.keys("<esc>");
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Interrupt)]);
    stage.hear(Event::Turn(TurnEvent::Queued { texts: Vec::new() }));
    stage.hear(Event::Turn(TurnEvent::Unqueued { text: "hello".into() }));
    assert!(stage.shows("hello"), "{}", stage.screen());
}
