//! The details of a call, seen at its question before it is answered.

use super::harness::{Stage, asks_command, asks_edit, turn};
use super::rescue::{arrived, understood};
use agent_protocol::{Answer, AskId, CallEvent, CallOp, Event, Op, Rule, TurnOp, Way};

const SIZES: [(u16, u16); 3] = [(120, 40), (80, 24), (40, 12)];

/// A call from text whose raw text has so many lines.
pub(super) fn wrote(lines: usize) -> Event {
    let Event::Call(CallEvent::Proposed { mut call }) = arrived(1, Way::Text, Some("hermes"), 0) else {
        unreachable!("a proposal")
    };
    call.origin.repairs = vec!["single quotes read as double".into(), "a missing } added".into()];
    let body: Vec<String> = (1..=lines).map(|number| format!("  # line {number}")).collect();
    call.origin.raw = format!("<tool_call>\n{}\n{{'name': 'bash'\n</tool_call>", body.join("\n"));
    Event::Call(CallEvent::Proposed { call })
}

fn asked(call: Event, changes: usize) -> Stage {
    let mut stage = Stage::new();
    stage.hear(turn("test")).hear(call).hear(understood(changes)).hear(asks_command("cargo test --workspace"));
    stage
}

fn reply(answer: Answer) -> Op {
    Op::Call(CallOp::Reply { ask: AskId(1), answer })
}

fn yes() -> Op {
    reply(Answer::Yes { remember: None, word: None })
}

#[test]
fn the_key_unfolds_everything_about_the_call_and_folds_it_again() {
    let mut stage = asked(wrote(1), 5);
    assert!(stage.shows("Ctrl+O details") && !stage.shows("thing 5"), "{}", stage.screen());
    stage.wait(600).keys("<c-o>");
    let shown = stage.screen();
    for told in [
        "recognised: in the text of the reply, as hermes",
        "repaired:\n   single quotes read as double\n   a missing } added",
        "changed:\n   bash was read as run_command\n",
        "   thing 5\n",
        "the model wrote:\n   <tool_call>\n     # line 1\n   {'name': 'bash'\n   </tool_call>\n",
        "y approve once   n reject   e edit   E in your editor   w ask again with network   Tab add a word   \
         Ctrl+O, Esc back",
    ] {
        assert!(shown.contains(told), "{told:?} in\n{shown}");
    }
    stage.keys("<c-o>");
    assert!(stage.shows("$ cargo test --workspace") && !stage.shows("the model wrote"), "{}", stage.screen());
    assert_eq!(stage.ops(), []);
}

#[test]
fn the_answer_can_be_given_from_the_details() {
    let mut stage = asked(wrote(1), 1);
    stage.wait(600).keys("<c-o><=y>");
    assert_eq!(stage.ops(), [yes()]);
    let mut stage = asked(wrote(1), 1);
    stage.wait(600).keys("<c-o><tab>so be it<enter><=n>");
    assert_eq!(stage.ops(), [reply(Answer::No { word: Some("so be it".into()) })]);
}

#[test]
fn what_was_offered_beside_the_thing_can_be_chosen_at_the_details() {
    for (width, height) in SIZES {
        let mut stage = asked(wrote(1), 1);
        stage.resize(width, height).wait(600).keys("<c-o><=a>");
        if height == 12 {
            let offer =
                "a approve, and don't ask again in this\n   session for exactly this command in\n   /home/me/project";
            assert!(stage.shows(offer), "the words of an offer are read before it is chosen: {}", stage.screen());
            stage.keys("<=a>");
        }
        let remember = Some(Rule::Command { command: "cargo test --workspace".into(), cwd: "/home/me/project".into() });
        assert_eq!(stage.ops(), [reply(Answer::Yes { remember, word: None })], "{width}x{height}");
    }
}

#[test]
fn esc_leads_back_from_the_details_and_stops_from_the_question() {
    for key in ["<esc>", "<c-c>"] {
        let mut stage = asked(wrote(1), 1);
        stage.wait(600).keys("<c-o>").keys(key);
        assert!(stage.shows("approve once") && !stage.shows("the model wrote"), "{}", stage.screen());
        assert_eq!(stage.ops(), []);
    }
    let mut stage = asked(wrote(1), 1);
    stage.wait(600).keys("<c-o><esc><esc>");
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Interrupt)]);
}

#[test]
fn the_half_second_counts_for_the_details_too() {
    let mut stage = asked(wrote(1), 1);
    stage.wait(300).keys("<c-o>");
    assert!(stage.shows("nothing was answered") && !stage.shows("the model wrote"), "{}", stage.screen());
}

#[test]
fn a_long_text_can_be_read_to_its_end_at_every_size() {
    for (width, height) in SIZES {
        let mut stage = asked(wrote(5_000), 5);
        stage.resize(width, height).wait(600).keys("<c-o>");
        assert!(stage.shows("recognised: in the text of") && stage.shows("more lines · PgDn"), "{}", stage.screen());
        stage.keys("<pgdn>");
        assert!(!stage.shows("recognised") && stage.shows("PgUp PgDn"), "{}", stage.screen());
        stage.keys("<end>");
        assert!(stage.shows("# line 5000\n") && stage.shows("</tool_call>"), "{}", stage.screen());
        assert!(stage.shows("y approve once"), "{}", stage.screen());
        stage.keys("<up><up><up><up><up><up><up><up>");
        assert!(!stage.shows("</tool_call>"), "{}", stage.screen());
    }
}

#[test]
fn the_diff_stands_where_it_was_after_a_look_at_the_details() {
    let before: String = (1..200).map(|number| format!("line {number}\n")).collect();
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(wrote(500)).hear(asks_edit(&before, &before.replace("line", "row"))).wait(600);
    stage.keys("<pgdn>");
    let shown = stage.screen();
    stage.keys("<c-o><end><c-o>");
    assert_eq!(stage.screen(), shown);
}

#[test]
fn a_call_that_came_straight_has_no_details() {
    let mut stage = asked(arrived(1, Way::Server, None, 0), 0);
    assert!(!stage.shows("Ctrl+O"), "{}", stage.screen());
    stage.wait(600).keys("<c-o>");
    assert!(stage.shows("there is no more to see") && stage.shows("$ cargo test"), "{}", stage.screen());
    stage.keys("<=y>");
    assert_eq!(stage.ops(), [yes()]);
}

#[test]
fn a_command_being_edited_is_seen_whatever_is_unfolded() {
    let mut stage = asked(wrote(1), 1);
    stage.wait(600).keys("<c-o><=e>");
    assert!(stage.shows("› cargo test --workspace") && stage.shows("propose this instead"), "{}", stage.screen());
}
