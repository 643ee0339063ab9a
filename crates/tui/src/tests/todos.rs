//! The list of what there is to do, as it grows and gets done.

use super::harness::{Stage, model, opened, turn, turn_ended};
use super::looks::{look, worked};
use super::plans::{finished, proposed};
use super::sessions::card;
use agent_protocol::{
    CallEvent, CallId, ContextEvent, Event, ModelCard, Preview, PreviewBody, SaidId, ServerEvent, SessionEvent, Status,
    Todo, TodoStatus, TurnEvent,
};
use serde_json::json;

const THINGS: [&str; 7] = [
    "Read total.sh and its test",
    "Find out why two checks fail",
    "Multiply by the quantity",
    "Write tests for a quantity of 0, for 数量 in other scripts, and for lines that are no items at all",
    "Run all of them",
    "Tell what changed\u{1b}[2J",
    "Clean up",
];

fn list(done: usize, all: usize) -> Vec<Todo> {
    let things = THINGS.iter().cycle().take(all).enumerate();
    let item = |(number, thing): (usize, &&str)| Todo {
        id: number.to_string(),
        content: (*thing).to_owned(),
        status: match number {
            number if number < done => TodoStatus::Completed,
            number if number == done => TodoStatus::InProgress,
            _ => TodoStatus::Pending,
        },
    };
    things.map(item).collect()
}

pub(super) fn todos(done: usize, all: usize) -> Event {
    Event::Turn(TurnEvent::Todos { items: list(done, all) })
}

#[test]
fn the_first_list_shows_itself_and_a_key_hides_it() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(todos(3, 7));
    assert!(stage.shows("Todo 3/7") && stage.shows("✓ Multiply") && stage.shows("○ Run all"), "{}", stage.screen());
    assert!(stage.screen().lines().last().unwrap().contains("todo 3/7"), "{}", stage.screen());
    stage.keys("<c-t>");
    assert!(!stage.shows("○ Run all") && stage.shows("todo 3/7"), "{}", stage.screen());
    stage.hear(todos(4, 7));
    assert!(!stage.shows("○ Tell what") && stage.shows("todo 4/7"), "it stays hidden: {}", stage.screen());
    stage.keys("<c-t>");
    assert!(stage.shows("● Run all"), "{}", stage.screen());
}

#[test]
fn a_list_that_is_done_or_empty_goes_away() {
    for gone in [todos(7, 7), todos(0, 0), Event::Context(ContextEvent::Cleared)] {
        let mut stage = Stage::new();
        stage.hear(turn("go")).hear(todos(3, 7)).hear(gone);
        assert!(!stage.shows("Todo ") && !stage.shows("todo "), "{}", stage.screen());
    }
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(todos(7, 7)).keys("<c-t>");
    assert!(stage.shows("Todo 7/7"), "it can be looked at: {}", stage.screen());
}

#[test]
fn whoever_goes_back_sees_the_list_that_holds() {
    let rewound = || Event::Session(SessionEvent::Rewound { said: SaidId(2), text: "go".into() });
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(todos(1, 7)).hear(todos(2, 7)).hear(turn_ended()).hear(rewound());
    assert!(stage.shows("Todo 2/7"), "the house took nothing back: {}", stage.screen());
    stage.hear(todos(1, 7));
    assert!(stage.shows("Todo 1/7"), "{}", stage.screen());
    stage.hear(todos(0, 0));
    assert!(!stage.shows("Todo ") && !stage.shows("todo "), "{}", stage.screen());
    let card = card("a", "the red build", "/home/me/project", 60);
    let events = vec![turn("go"), todos(1, 7), turn_ended(), todos(3, 7), rewound()];
    stage.hear(Event::Session(SessionEvent::Restored { card, events }));
    assert!(stage.shows("Todo 3/7"), "{}", stage.screen());
}

#[test]
fn without_a_list_the_key_and_the_command_say_so() {
    for keys in ["<c-t>", "/todos<enter>"] {
        let mut stage = Stage::new();
        stage.keys(keys);
        assert!(stage.shows("there is nothing to do: the model has written no list"), "{keys}");
    }
}

#[test]
fn a_command_does_what_the_key_does() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(todos(3, 7)).keys("/todo");
    assert!(stage.shows("/todos") && stage.shows("show or hide what there is to do"), "{}", stage.screen());
    stage.keys("s<enter>");
    assert!(!stage.shows("○ Run all"), "{}", stage.screen());
    stage.keys("/todo<enter>");
    assert!(stage.shows("○ Run all") && stage.ops().is_empty(), "{}", stage.screen());
    stage.keys("/help<enter>").keys(&"<pgdn>".repeat(3));
    assert!(stage.shows("/todos"), "{}", stage.screen());
}

#[test]
fn a_session_that_goes_on_has_its_list_again() {
    let mut stage = Stage::new();
    stage.hear(todos(1, 3));
    let card = card("a", "the red build", "/home/me/project", 60);
    let events = vec![opened(), turn("go"), todos(1, 7), todos(2, 7), turn_ended()];
    stage.hear(Event::Session(SessionEvent::Restored { card: card.clone(), events }));
    assert!(stage.shows("Todo 2/7") && stage.shows("● Multiply"), "{}", stage.screen());
    stage.hear(Event::Session(SessionEvent::Restored { card, events: vec![turn("go"), turn_ended()] }));
    assert!(!stage.shows("Todo"), "another session has another list, or none: {}", stage.screen());
}

#[test]
fn what_is_being_done_is_in_view_at_every_size() {
    for (width, height) in [(120, 40), (80, 24), (40, 12)] {
        for done in 0..40 {
            let mut stage = Stage::blank(width, height);
            stage.hear(opened()).hear(Event::Server(ServerEvent::ModelSet { card: ModelCard::default(), window: 0 }));
            stage.hear(turn("go")).hear(todos(done, 40)).hear(Event::Turn(TurnEvent::Text { text: "Words.".into() }));
            assert!(stage.shows("● "), "{done} at {width}x{height}: {}", stage.screen());
            assert!(stage.shows("Words."), "{}", stage.screen());
        }
    }
}

#[test]
fn a_list_gives_way_to_what_needs_the_room() {
    let mut stage = Stage::blank(40, 12);
    stage
        .hear(opened())
        .hear(turn("go"))
        .hear(todos(3, 7))
        .hear(Event::Turn(TurnEvent::Text { text: "Words.".into() }));
    let texts = ["one", "two", "three"].map(String::from).into();
    stage.hear(Event::Turn(TurnEvent::Queued { texts })).keys("a<a-enter>b<a-enter>c<a-enter>d");
    assert!(!stage.shows("Todo 3/7") && stage.shows("queued: one") && stage.shows("Words."), "{}", stage.screen());
}

fn played(stage: &mut Stage) {
    worked(stage);
    let todos = list(3, 7);
    stage.hear(proposed("todo_write", json!({"todos": todos})));
    let preview = Preview { title: "Todo 3/7".into(), body: PreviewBody::Plain };
    stage
        .hear(Event::Call(CallEvent::Running { call: CallId(1), preview }))
        .hear(Event::Turn(TurnEvent::Todos { items: todos }));
    stage.hear(finished(Status::Done, "3 of 7 done"));
}

#[test]
fn a_list_of_things_to_do() {
    look("todos", played);
}

#[test]
fn a_long_list_of_things_to_do() {
    look("todos_long", |stage| {
        worked(stage);
        stage
            .hear(todos(12, 30))
            .hear(Event::Turn(TurnEvent::Queued { texts: vec!["and hurry".into()] }))
            .keys("a draft");
    });
}

#[test]
fn a_list_unfolded_in_the_conversation() {
    look("todos_unfolded", |stage| {
        played(stage);
        stage.hear(Event::Server(ServerEvent::ModelSet { card: model("qwen3:8b"), window: 16_384 })).keys("<c-t><c-o>");
    });
}
