//! What hooks say, case by case.

use super::*;
use agent_sandbox::Remains;
use serde_json::json;
use std::time::Duration;

fn kept(text: &str) -> Kept {
    Kept { head: text.into(), ..Kept::default() }
}

fn ended(ending: Ending, output: &str) -> Ended {
    Ended {
        ending,
        output: kept(output),
        took: Duration::ZERO,
        remains: Remains::Nothing,
        blocked: None,
        unsure: false,
        place: None,
    }
}

fn said(event: HookEvent, output: &str) -> HookSaid {
    read(event, &ended(Ending::Exited(0), output), &Kept::default(), 10)
}

#[test]
fn exit_code_two_blocks_with_what_stands_in_standard_error() {
    let said = read(HookEvent::PreTool, &ended(Ending::Exited(2), "{\"continue\":true}"), &kept("no\n"), 10);
    assert_eq!((said.decision, said.reason.as_str(), said.fault), (HookDecision::Refuse, "no", None));
}

#[test]
fn other_ends_are_faults_that_decide_nothing() {
    for (ending, errors, fault) in [
        (Ending::Exited(1), "boom\nat line 3\n", HookFault::Failed("exit code 1: boom".into())),
        (Ending::Exited(127), "", HookFault::NotRun("exit code 127".into())),
        (Ending::Signalled(9), "", HookFault::Failed("ended by signal 9".into())),
        (Ending::TimedOut, "", HookFault::TimedOut(10)),
    ] {
        let said = read(HookEvent::PreTool, &ended(ending, ""), &kept(errors), 10);
        assert_eq!(said, faulty(fault));
    }
}

#[test]
fn plain_words_are_for_the_model_where_a_message_or_a_session_begins() {
    assert_eq!(said(HookEvent::UserPrompt, "on main\n").context, "on main");
    assert_eq!(said(HookEvent::SessionStart, "on main\n").context, "on main");
    assert_eq!(said(HookEvent::PreTool, "checked\n"), HookSaid::default());
}

#[test]
fn a_decision_is_read_in_both_forms() {
    let today = |word: &str| {
        let inner =
            json!({"hookEventName": "PreToolUse", "permissionDecision": word, "permissionDecisionReason": "why"});
        let said = said(HookEvent::PreTool, &json!({ "hookSpecificOutput": inner }).to_string());
        (said.decision, said.reason)
    };
    assert_eq!(today("deny"), (HookDecision::Refuse, "why".into()));
    assert_eq!(today("ask"), (HookDecision::Ask, "why".into()));
    assert_eq!(today("allow"), (HookDecision::Allow, "why".into()));
    let old = |word: &str| said(HookEvent::PostTool, &json!({"decision": word, "reason": "why"}).to_string()).decision;
    assert_eq!((old("block"), old("approve")), (HookDecision::Refuse, HookDecision::Allow));
}

#[test]
fn words_and_other_arguments_are_read() {
    let output = json!({
        "systemMessage": "mind the branch",
        "suppressOutput": true,
        "hookSpecificOutput": {"updatedInput": {"command": "ls"}, "additionalContext": "it is main"},
    });
    let said = said(HookEvent::PreTool, &output.to_string());
    assert_eq!((said.shown.as_str(), said.context.as_str()), ("mind the branch", "it is main"));
    assert_eq!((said.input, said.decision), (Some(json!({"command": "ls"})), HookDecision::None));
}

#[test]
fn what_is_to_end_the_turn_says_why() {
    let said = said(HookEvent::PostTool, r#"{"continue": false, "stopReason": "enough"}"#);
    assert_eq!((said.stop, said.reason.as_str()), (true, "enough"));
}

#[test]
fn what_cannot_be_read_is_a_fault() {
    for output in [
        "{not json",
        "{\"continue\": \"no\"}",
        "{\"hookSpecificOutput\": {\"permissionDecision\": \"maybe\"}}",
        "{\"hookSpecificOutput\": {\"updatedInput\": \"ls\"}}",
        "{\"hookSpecificOutput\": 1}",
        "{\"decision\": 3}",
    ] {
        let said = said(HookEvent::PreTool, output);
        assert!(matches!(said.fault, Some(HookFault::Failed(_))), "{output}");
        assert_eq!(said.decision, HookDecision::None, "{output}");
    }
}

#[test]
fn a_long_word_is_cut_and_long_arguments_are_not() {
    let long = "x".repeat(60_000);
    let output = json!({"hookSpecificOutput": {"updatedInput": {"content": long}, "additionalContext": long}});
    let said = said(HookEvent::PreTool, &output.to_string());
    assert!(said.context.len() <= MOST, "{}", said.context.len());
    assert_eq!(said.input.unwrap()["content"].as_str().unwrap().len(), 60_000);
}
