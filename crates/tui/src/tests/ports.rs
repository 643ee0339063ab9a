//! The ports of the sandbox: their list, and the key that opens one.

use super::harness::Stage;
use agent_protocol::{CallOp, Event, ListEvent, ListOp, Op, PortCard};

fn card(port: u16, command: &str, forwarded: Option<u16>) -> PortCard {
    PortCard { port, command: command.into(), forwarded }
}

fn two(second: Option<u16>) -> Event {
    Event::List(ListEvent::Ports {
        ports: vec![card(3000, "node server.js --watch", None), card(8000, "python3 -m http.server", second)],
    })
}

pub(super) fn with_ports() -> Stage {
    let mut stage = Stage::new();
    stage.keys("/ports<enter>").hear(two(None));
    stage
}

#[test]
fn the_list_is_asked_for_and_shows_what_listens_and_where_it_is_reached() {
    let mut stage = Stage::new();
    stage.keys("/ports<enter>");
    assert_eq!(stage.ops(), [Op::List(ListOp::Ports)]);
    assert!(stage.shows("looking …"), "{}", stage.screen());
    stage.hear(two(Some(41_234)));
    stage.resize(80, 24);
    insta::assert_snapshot!("ports_listed_80x24", stage.part());
    stage.hear(Event::List(ListEvent::Ports { ports: Vec::new() }));
    assert!(stage.shows("nothing listens in the sandbox"), "{}", stage.screen());
    stage.keys("<esc>");
    assert!(!stage.shows("Ports of the sandbox"), "{}", stage.screen());
}

#[test]
fn a_key_opens_the_chosen_one_and_closes_it_again() {
    let mut stage = with_ports();
    stage.ops();
    stage.keys("<down><=o>");
    assert_eq!(stage.ops(), [Op::Call(CallOp::Forward { port: 8000, open: true })]);
    stage.hear(two(Some(8000)));
    assert!(stage.shows("open to you at http://127.0.0.1:8000"), "{}", stage.screen());
    stage.keys("<=o>");
    assert_eq!(stage.ops(), [Op::Call(CallOp::Forward { port: 8000, open: false })]);
}

#[test]
fn the_chosen_one_stays_chosen_when_another_comes() {
    let mut stage = with_ports();
    stage.keys("<down>");
    stage.hear(Event::List(ListEvent::Ports { ports: vec![card(80, "nginx", None), card(8000, "python3", None)] }));
    assert!(stage.shows("› 8000"), "{}", stage.screen());
    stage.hear(Event::List(ListEvent::Ports { ports: vec![card(80, "nginx", None)] }));
    assert!(stage.shows("› 80 "), "{}", stage.screen());
}

#[test]
fn ports_that_nobody_asked_for_open_no_list() {
    let mut stage = Stage::new();
    stage.hear(two(None));
    assert!(!stage.shows("Ports of the sandbox"), "{}", stage.screen());
}
