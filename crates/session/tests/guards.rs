//! Guards that cannot be run as they were approved: what they guard is asked about.

use crate::hooks::*;
use crate::play::*;
use agent_policy::Setup;
use agent_protocol::*;
use agent_session::{Input, SessionInput, Settings};

#[test]
fn a_project_s_hook_is_not_run_where_there_is_no_sandbox_and_its_calls_are_asked_about() {
    let project = Hook { origin: HookOrigin::Project, ..hook(HookEvent::PreTool) };
    let setup = Setup { sandbox: SandboxKind::None, ..Setup::new(ROOT.into(), Mode::Safe) };
    let mut play = Play::ready_by(Settings { hooks: vec![project], ..settings() }, setup);
    play.say("go");
    play.calls(&["read_file"]);
    play.reached(1, "/p/a");
    play.planned(1, read("/p/a"));
    assert!(play.question().why.contains("runs in the sandbox alone"), "{:?}", play.question());
    assert!(!play.has("firehooks") && play.requests.len() == 1, "{:?}", play.lines);
    assert_eq!(fates(&play), [HookFate::Failed]);
}

#[test]
fn a_guard_whose_file_changed_is_not_run_and_all_that_it_guards_is_asked_about() {
    for (origin, since) in
        [(HookOrigin::Project, "changed since you approved it"), (HookOrigin::Yours, "changed since the session began")]
    {
        let file = HookFile { path: "/p/hooks/guard.sh".into(), sha256: "1".into() };
        let guard = Hook { origin, files: vec![file], ..hook(HookEvent::PreTool) };
        let mut play = Play::ready_with(Settings { hooks: vec![guard], ..settings() }, Mode::Unsafe);
        play.say("go");
        play.calls(&["read_file"]);
        play.reached(1, "/p/a");
        let said = faulty(HookFault::Changed("/p/hooks/guard.sh".into()));
        let run = HookRun { origin, ..run_of(said) };
        play.feed(Input::Session(SessionInput::HooksRan { firing: FiringId(1), runs: vec![run] }));
        let why = format!("the hook guard.sh is not run: /p/hooks/guard.sh {since}");
        for call in [1, 2, 3] {
            play.reached(call, "/p/a");
            play.planned(call, if call == 1 { read("/p/a") } else { write("/p/a") });
            assert_eq!(play.question().why, why, "call {call}");
            play.answer(no("not that"));
            play.calls(&["write_file"]);
        }
        assert_eq!((count(&play, "firehooks"), fates(&play)[0]), (1, HookFate::Off), "it is not run any more");
        let told: Vec<String> = play.notices().into_iter().filter(|text| text.contains(since)).collect();
        assert!(told.len() == 1 && told[0].contains("the calls that it guards are asked about"), "{told:?}");
        play.op(Op::List(ListOp::Hooks));
        let Some(Event::List(ListEvent::Hooks { hooks })) = play.events.last() else { panic!("they are listed") };
        assert!(hooks[0].asks.as_ref().is_some_and(|why| why.contains(since)) && hooks[0].off.is_none());
    }
}

#[test]
fn a_guard_that_was_approved_and_cannot_be_run_has_its_calls_asked_about_from_the_start() {
    let guard = Hook { asks: Some("it changed".into()), ..hook(HookEvent::PreTool) };
    for mode in [Mode::Safe, Mode::AcceptEdits, Mode::Unsafe] {
        let others = [hook(HookEvent::PostTool), guard.clone()].to_vec();
        let mut play = Play::ready_with(Settings { hooks: others, ..settings() }, mode);
        play.say("go");
        play.calls(&["write_file"]);
        play.reached(1, "/p/a");
        play.planned(1, write("/p/a"));
        let question = play.question();
        let why = "the hook guard.sh is not run: it changed";
        assert!(question.why == why || question.warnings.contains(&why.to_owned()), "{mode:?}: {question:?}");
        assert!(!play.has("firehooks") && !play.has("run 1"), "{mode:?}: {:?}", play.lines);
        assert_eq!(fates(&play), [HookFate::Off]);
    }
}

#[test]
fn one_guard_that_cannot_be_run_asks_whatever_the_others_say() {
    let guard = Hook { asks: Some("it changed".into()), command: "sh b.sh".into(), ..hook(HookEvent::PreTool) };
    let both = vec![hook(HookEvent::PreTool), guard];
    let mut play = Play::ready_with(Settings { hooks: both, ..settings() }, Mode::Unsafe);
    play.say("go");
    play.calls(&["write_file"]);
    play.reached(1, "/p/a");
    say_hooks(&mut play, 1, decides(HookDecision::Allow, "fine"));
    play.reached(1, "/p/a");
    play.planned(1, write("/p/a"));
    assert_eq!(play.question().why, "the hook sh b.sh is not run: it changed");
}
