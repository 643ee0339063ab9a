//! Files and folders named by `@`.

use super::harness::Stage;
use agent_protocol::{Event, ListEvent, ListOp, Op, TurnOp};

fn files(names: &[&str]) -> Event {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    Event::List(ListEvent::Files { names, more: false })
}

/// A message that names something, with the names known.
fn naming(keys: &str) -> Stage {
    let mut stage = Stage::new();
    stage.keys("see @").hear(files(&["src/main.rs", "src/parser.rs", "docs/PARSER.md", "src/", "docs/"]));
    assert_eq!(stage.ops(), [Op::List(ListOp::Files)]);
    stage.keys(keys);
    stage
}

fn said(stage: &mut Stage) -> Vec<String> {
    let text = |op| match op {
        Op::Turn(TurnOp::Say { text }) => text,
        other => panic!("not a message: {other:?}"),
    };
    stage.ops().into_iter().map(text).collect()
}

#[test]
fn tab_and_enter_take_the_name_and_send_nothing() {
    for key in ["<tab>", "<enter>"] {
        let mut stage = naming("mrs");
        assert!(stage.shows(" › @src/main.rs"), "{}", stage.screen());
        stage.keys(key);
        assert_eq!((stage.app.composer.text(), stage.ops()), ("see @src/main.rs".into(), vec![]), "{key}");
        assert!(!stage.shows(" › @src"), "{}", stage.screen());
        stage.keys("<enter>");
        assert_eq!(said(&mut stage), ["see @src/main.rs"]);
    }
}

#[test]
fn esc_sends_the_names_away_and_the_text_stays() {
    let mut stage = naming("par<esc>");
    assert!(!stage.shows("@src/parser.rs"), "{}", stage.screen());
    assert_eq!(stage.app.composer.text(), "see @par");
}

#[test]
fn arrows_choose_and_a_range_may_follow() {
    let mut stage = naming("parser<down><tab>:10-40<enter>");
    assert_eq!(said(&mut stage), ["see @docs/PARSER.md:10-40"]);
}

#[test]
fn a_folder_is_taken_and_gone_into() {
    let stage = naming("src/<tab>");
    assert!(stage.app.composer.text().starts_with("see @src/"), "{}", stage.app.composer.text());
    let mut stage = naming("docs<tab>");
    assert_eq!(stage.app.composer.text(), "see @docs/");
    assert!(stage.shows("@docs/PARSER.md"), "{}", stage.screen());
}

#[test]
fn the_names_are_asked_for_once_for_each_message() {
    let mut stage = naming("src/main.rs and @par<tab>");
    assert_eq!(stage.ops(), []);
    stage.keys("<enter>and @");
    let ops = stage.ops();
    assert_eq!(ops.last(), Some(&Op::List(ListOp::Files)), "{ops:?}");
    assert!(stage.shows("@src/parser.rs"), "the old ones serve until the new ones are there");
}

#[test]
fn a_name_of_no_file_is_said_once_and_then_goes_out_as_text() {
    let mut stage = naming("src/gone.rs<enter>");
    assert!(stage.shows("@src/gone.rs is no file that can be attached here; Enter sends it as text"));
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "see @src/gone.rs".into()));
    stage.keys("<enter>");
    assert_eq!(said(&mut stage), ["see @src/gone.rs"]);
    let mut stage = naming("alice<enter>");
    assert_eq!(said(&mut stage), ["see @alice"], "nobody's file");
}

#[test]
fn an_address_names_no_file() {
    let mut stage = Stage::new();
    stage.keys("write to me@example.org<enter>");
    assert_eq!(said(&mut stage), ["write to me@example.org"]);
}
