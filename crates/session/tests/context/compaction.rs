//! A conversation that is made shorter stays one that any server takes, and loses no word of the user unsaid.

use agent_protocol::{Message, ModelCall, PartOrigin, Role};
use agent_session::context::{
    Estimator, Features, elide_oldest, elide_results, is_summary, read_summary, rebuild, rule_based_summary,
    summary_request, tail_start,
};
use proptest::prelude::*;
use serde_json::json;

/// What the model does in one step of a random conversation.
#[derive(Debug, Clone)]
enum Step {
    /// The user says something, and the model answers.
    PersonWords(String, String),
    /// The model makes so many calls, and each gets a result of so many lines.
    Called { calls: usize, lines: usize, with_ids: bool },
    /// A call that was written as text, with its result.
    ByText(usize),
    /// The program says something in the user's place, and the model answers.
    Told,
}

const TOOLS: [&str; 5] = ["read_file", "run_command", "edit_file", "grep_search", "oracle"];

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z窓é `#(]{1,200}".prop_map(|text| format!("w{text}")),
        1 => Just("```\ncode\n```\nand more".to_owned()),
        1 => Just("## Goal\nmy own\n\n(Here the conversation goes on.)\n\nWhat the user said, word for word:".to_owned()),
        1 => Just("(go on) they say".to_owned()),
        1 => "[a-z]{3,9}".prop_map(|word| format!("{word} ").repeat(3_000)),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (words(), words()).prop_map(|(said, answer)| Step::PersonWords(said, answer)),
        5 => (1..5_usize, 0..200_usize, any::<bool>())
            .prop_map(|(calls, lines, with_ids)| Step::Called { calls, lines, with_ids }),
        1 => (0..100_usize).prop_map(Step::ByText),
        1 => Just(Step::Told),
    ]
}

/// A conversation as the program keeps it: the user and the model by turns, each call with its result.
fn conversation() -> impl Strategy<Value = Vec<Message>> {
    (words(), prop::collection::vec(step(), 1..25), prop::option::of(words())).prop_map(|(task, steps, last)| {
        let text = |role, text: &str| Message::text(role, text);
        let mut all = vec![text(Role::System, "be good"), text(Role::User, &format!("task: {task}"))];
        for (number, step) in steps.into_iter().enumerate() {
            let awaits = all.last().is_some_and(|last| last.role == Role::User);
            match step {
                Step::PersonWords(said, answer) => {
                    if awaits {
                        all.push(text(Role::Assistant, "well"));
                    }
                    all.extend([text(Role::User, &format!("said: {said}")), text(Role::Assistant, &answer)]);
                }
                Step::Called { calls, lines, with_ids } => call(&mut all, number, calls, lines, with_ids),
                Step::ByText(lines) => {
                    all.push(text(Role::Assistant, "<tool_call>{}</tool_call>"));
                    let result = "a line of a result\n".repeat(lines);
                    let result = format!("<tool_response>\n{result}\n</tool_response>");
                    all.push(Message::by(Role::User, PartOrigin::Result, &result));
                    all.push(text(Role::Assistant, "I see"));
                }
                Step::Told => {
                    all.push(text(Role::Assistant, "I would do it"));
                    all.push(Message::by(Role::User, PartOrigin::Program, "(go on)"));
                    all.push(text(Role::Assistant, "so be it"));
                }
            }
        }
        if let Some(last) = last {
            if all.last().is_some_and(|last| last.role == Role::User) {
                all.push(text(Role::Assistant, "well"));
            }
            all.push(text(Role::User, &format!("last: {last}")));
        }
        all
    })
}

fn call(all: &mut Vec<Message>, number: usize, calls: usize, lines: usize, with_ids: bool) {
    let calls: Vec<ModelCall> = (0..calls)
        .map(|place| ModelCall {
            server_id: with_ids.then(|| format!("call-{number}-{place}")),
            index: None,
            name: TOOLS[(number + place) % TOOLS.len()].into(),
            arguments: json!({"file_path": format!("src/{number}_{place}.rs"), "pattern": "fn"}),
        })
        .collect();
    let results = calls.iter().map(|call| Message::result(call, "a line of the result\n".repeat(lines)));
    let results: Vec<Message> = results.collect();
    all.push(Message { calls, ..Message::text(Role::Assistant, "") });
    all.extend(results);
}

/// One system message first, results for every call in order and no others, never two messages of the user in a row.
fn is_well_formed(messages: &[Message]) -> Result<(), String> {
    if messages.first().is_none_or(|first| first.role != Role::System) {
        return Err("the system message is not first".into());
    }
    let mut open: Vec<&ModelCall> = Vec::new();
    for (at, message) in messages.iter().enumerate().skip(1) {
        if message.role == Role::Tool {
            if open.is_empty() {
                return Err(format!("{at}: a result without a call"));
            }
            let call = open.remove(0);
            if message.tool_call_id != call.server_id || message.tool_name.as_ref() != Some(&call.name) {
                return Err(format!("{at}: the result of another call"));
            }
            continue;
        }
        if !open.is_empty() {
            return Err(format!("{at}: a call has no result"));
        }
        if message.role == Role::System || (message.role == Role::User && messages[at - 1].role == Role::User) {
            return Err(format!("{at}: {:?} stands in the wrong place", message.role));
        }
        open = message.calls.iter().collect();
    }
    if open.is_empty() { Ok(()) } else { Err("the last call has no result".into()) }
}

/// Everything that the user said in a conversation of [`conversation`].
fn said(messages: &[Message]) -> Vec<&str> {
    let said = messages.iter().filter(|message| message.role == Role::User).map(|message| message.content.as_str());
    said.filter(|text| ["task: ", "said: ", "last: "].iter().any(|beginning| text.starts_with(beginning))).collect()
}

/// More tokens than any of these conversations has.
const ROOM: u64 = 10_000_000;

const SUMMARY: &str = "## Goal\nthe goal\n\n## Open\nthe rest";

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn a_shorter_conversation_is_well_formed_and_ends_as_it_did(messages in conversation(), tokens in 0..6_000_u64) {
        prop_assert_eq!(is_well_formed(&messages), Ok(()));
        let estimator = Estimator::new(None);
        let tail = tail_start(&messages, &estimator, tokens);
        let kept: u64 = messages[tail..].iter().map(|message| estimator.tokens(&Features::of_message(message))).sum();
        prop_assert!(kept <= tokens);
        let rebuilt = rebuild(&messages, tail, SUMMARY, 500, &estimator);
        prop_assert_eq!(is_well_formed(&rebuilt.messages), Ok(()));
        prop_assert_eq!(rebuilt.replaced as usize, tail - 1);
        prop_assert_eq!(&rebuilt.messages[0], &messages[0]);
        prop_assert!(is_summary(&rebuilt.messages[1]));
        let joined = usize::from(messages.get(tail).is_some_and(|first| first.role == Role::User));
        prop_assert_eq!(&rebuilt.messages[2..], &messages[tail + joined..]);
        if joined > 0 {
            let words = format!("\n\n{}", messages[tail].content);
            prop_assert!(rebuilt.messages[1].content.ends_with(&words));
        }
    }

    #[test]
    fn any_place_to_cut_keeps_calls_and_results_together(messages in conversation(), at in any::<prop::sample::Index>()) {
        let rebuilt = rebuild(&messages, at.index(messages.len() + 2), SUMMARY, 500, &Estimator::new(None));
        prop_assert_eq!(is_well_formed(&rebuilt.messages), Ok(()));
    }

    #[test]
    fn where_there_is_room_no_word_of_the_person_is_lost_however_often_it_is_made_shorter(
        messages in conversation(),
        tails in prop::collection::vec(0..3_000_u64, 1..4),
    ) {
        let estimator = Estimator::new(None);
        let said = said(&messages);
        let mut now = messages.clone();
        for (round, tokens) in tails.into_iter().enumerate() {
            let summary = format!("## Goal\nround {round}\n\n## Open\nthe rest");
            let tail = tail_start(&now, &estimator, tokens);
            now = rebuild(&now, tail, &summary, ROOM, &estimator).messages;
            prop_assert_eq!(is_well_formed(&now), Ok(()));
            prop_assert_eq!(now.iter().filter(|message| is_summary(message)).count(), 1);
            let all: String = now.iter().map(|message| format!("{}\n", message.content)).collect();
            prop_assert_eq!(all.matches("\nround ").count(), 1, "only the newest summary is there");
            let mut rest = all.as_str();
            for words in &said {
                let at = rest.find(words);
                prop_assert!(at.is_some(), "{words:.40} is missing, or out of order");
                rest = &rest[at.unwrap_or(0) + words.len()..];
            }
            prop_assert!(!all.contains("\n(go on)\n```"), "what the program said is none of it");
        }
    }

    #[test]
    fn the_first_task_and_the_newest_words_stay_even_where_room_is_short(messages in conversation()) {
        let rebuilt = rebuild(&messages, messages.len(), SUMMARY, 300, &Estimator::new(None));
        let all = &rebuilt.messages[1].content;
        let said = said(&messages);
        for words in [said.first(), said.last()].into_iter().flatten() {
            let beginning: String = words.chars().take(12).collect();
            prop_assert!(all.contains(&beginning), "{beginning} is missing");
        }
        if let Some(last) = said.last().filter(|last| Estimator::new(None).tokens(&Features::of_text(last)) <= 140) {
            prop_assert!(all.contains(last));
        }
    }

    #[test]
    fn leaving_results_out_changes_only_old_results_and_is_done_at_once(
        messages in conversation(),
        keep in 0..3_000_u64,
    ) {
        let estimator = Estimator::new(None);
        let mut shorter = messages.clone();
        let elided = elide_results(&mut shorter, &estimator, keep);
        prop_assert_eq!(shorter.len(), messages.len());
        let mut changed = 0;
        for (before, after) in messages.iter().zip(&shorter) {
            let kept = Message { content: before.content.clone(), ..after.clone() };
            prop_assert_eq!(&kept, before);
            if before.content != after.content {
                changed += 1;
                prop_assert!(before.role == Role::Tool && after.content.len() < before.content.len());
                prop_assert!(after.content.starts_with("[result of ") && after.content.contains("left out to make room"));
            }
        }
        prop_assert_eq!(elided.results, changed);
        let once = shorter.clone();
        prop_assert_eq!(elide_results(&mut shorter, &estimator, keep).results, 0);
        prop_assert_eq!(shorter, once);
    }

    #[test]
    fn the_oldest_results_go_until_enough_is_freed_and_nothing_else_changes(
        messages in conversation(),
        free in 0..20_000_u64,
        last in 0..5_usize,
    ) {
        let estimator = Estimator::new(None);
        let mut shorter = messages.clone();
        let elided = elide_oldest(&mut shorter, &estimator, free, last);
        prop_assert_eq!(is_well_formed(&shorter), Ok(()));
        let is_result = |message: &Message| {
            let parts = message.parts();
            message.role == Role::Tool || parts.iter().any(|part| part.origin == PartOrigin::Result)
        };
        let newest = messages.iter().enumerate().rev().filter(|(_, message)| is_result(message)).take(last);
        let newest: Vec<usize> = newest.map(|(at, _)| at).collect();
        let mut changed = 0;
        for (at, (before, after)) in messages.iter().zip(&shorter).enumerate() {
            let kept = Message { content: before.content.clone(), ..after.clone() };
            prop_assert_eq!(&kept, before);
            if before.content != after.content {
                changed += 1;
                prop_assert!(is_result(before) && !newest.contains(&at), "{} was to stay", at);
                prop_assert!(after.content.contains("left out to make room"));
            }
        }
        prop_assert_eq!(elided.results, changed);
        if elided.freed < free {
            prop_assert_eq!(elide_oldest(&mut shorter, &estimator, ROOM, last).results, 0, "all that could go is gone");
        }
    }

    #[test]
    fn a_list_by_rule_is_short_and_has_the_form_of_a_summary(messages in conversation()) {
        let list = rule_based_summary(&messages);
        prop_assert!(list.len() <= 6_144, "{} bytes", list.len());
        let read = read_summary(&list, &Estimator::new(None), ROOM);
        prop_assert_eq!(read.as_deref(), Ok(list.as_str()));
        let again = rule_based_summary(&rebuild(&messages, messages.len(), &list, 500, &Estimator::new(None)).messages);
        prop_assert!(again.len() <= 6_144, "{} bytes", again.len());
    }

    #[test]
    fn nothing_that_a_model_answers_is_too_much(reply in "(## Goal|## Open|\\*\\*Files:\\*\\*|```|<think>|</think>|[a-z:é\n #]{0,9}){0,30}") {
        let estimator = Estimator::new(None);
        if let Ok(summary) = read_summary(&reply, &estimator, ROOM) {
            prop_assert!(summary.starts_with("## Goal\n"));
            prop_assert!(estimator.tokens(&Features::of_text(&summary)) <= ROOM);
        }
    }
}

#[test]
fn a_summary_is_asked_for_in_the_form_in_which_it_is_read() {
    let request = summary_request("");
    let form = request.split_once("\n\n## Goal").map(|(_, form)| format!("## Goal{form}")).expect("it shows the form");
    assert!(read_summary(&form, &Estimator::new(None), ROOM).is_ok());
}

#[test]
fn where_nothing_was_said_nothing_is_left_out() {
    let (system, estimator) = (Message::text(Role::System, "s"), Estimator::new(None));
    for messages in [vec![], vec![system]] {
        assert_eq!(elide_results(&mut messages.clone(), &estimator, 0).results, 0);
        assert_eq!(elide_oldest(&mut messages.clone(), &estimator, ROOM, 0).results, 0);
        let tail = tail_start(&messages, &estimator, 100);
        assert_eq!(tail, messages.len());
        let rebuilt = rebuild(&messages, tail, SUMMARY, 100, &estimator);
        assert_eq!((rebuilt.replaced, rebuilt.messages.first()), (0, messages.first()));
        rule_based_summary(&messages);
    }
}
