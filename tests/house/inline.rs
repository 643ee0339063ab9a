//! The screen in place of the shell: the terminal's own scrollback keeps what leaves it.

use crate::stage::{House, call, text};
use crate::terminal::Terminal;
use serde_json::json;

const SIZE: (u16, u16) = (80, 24);

/// Everything that a terminal with a long memory has of what was sent, from its first row on.
fn remembered(screen: &Terminal) -> Vec<String> {
    let count = |count: u16| count.try_into().unwrap();
    let mut parser = vt100::Parser::new(count(SIZE.1), count(SIZE.0), 10_000);
    parser.process(b"$ make\r\nnothing to be done\r\n$ agent --inline\r\n");
    parser.process(&screen.raw());
    parser.screen_mut().set_scrollback(usize::MAX);
    let above = parser.screen().scrollback();
    let mut rows = Vec::new();
    for from in (0..=above).rev().step_by(usize::from(SIZE.1)) {
        parser.screen_mut().set_scrollback(from);
        let fresh = usize::from(SIZE.1).min(from.max(1));
        let page: Vec<String> = parser.screen().rows(0, SIZE.0).map(|row| row.trim_end().to_owned()).collect();
        rows.extend(page.into_iter().take(if from == 0 { usize::from(SIZE.1) } else { fresh }));
    }
    parser.screen_mut().set_scrollback(0);
    if above % usize::from(SIZE.1) != 0 {
        rows.extend(parser.screen().rows(0, SIZE.0).map(|row| row.trim_end().to_owned()));
    }
    rows
}

fn numbered(name: &str, count: usize) -> String {
    (0..count).map(|at| format!("{name} {at}\n\n")).collect()
}

/// How often each of these lines is there, in their order.
fn counts(rows: &[String], name: &str, count: usize) -> Vec<usize> {
    let lines = (0..count).map(|at| format!("  {name} {at}"));
    lines.map(|line| rows.iter().filter(|row| **row == line).count()).collect()
}

#[test]
fn what_leaves_the_screen_is_once_in_the_terminal_s_own_scrollback_and_the_end_stays() {
    let house = House::new(&[
        text(&numbered("row", 40)),
        call("write_file", json!({"file_path": "a.txt", "content": numbered("line", 30)})),
        text(&numbered("last", 30)),
    ]);
    let mut screen = house.open_with(&["--model", "m", "--inline"], SIZE);
    screen.keys("count<enter>");
    screen.wait_for("row 39");
    house.wait_turns(1);
    screen.keys("write it<enter>");
    screen.wait_for("approve once");
    screen.press_until_gone("y", "approve once");
    screen.wait_for("last 29");
    house.wait_turns(2);
    screen.wait_gone("Esc interrupts");
    screen.keys("<c-d>");
    assert_eq!(screen.wait_exit().exit_code(), 0);
    let raw = screen.raw();
    assert!(!String::from_utf8_lossy(&raw).contains("[?1049"), "the second screen is never asked for");
    let rows = remembered(&screen);
    let all = rows.join("\n");
    assert_eq!(rows[..3], ["$ make", "nothing to be done", "$ agent --inline"], "{all}");
    assert_eq!(counts(&rows, "row", 40), [1; 40], "{all}");
    assert_eq!(counts(&rows, "last", 30), [1; 30], "{all}");
    assert!(all.contains("› count") && all.contains("› write it"), "{all}");
    let end: Vec<&String> = rows.iter().filter(|row| !row.is_empty()).collect();
    assert!(end.last().unwrap().contains("agent -c"), "{all}");
    assert!(!all.contains("? keys"), "neither composer nor status line stays behind: {all}");
}

#[test]
fn two_surfaces_at_once_are_refused() {
    let house = House::without_server();
    let output = house.headless(&["--inline", "-p", "x"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
