//! The mouse in the conversation: a click unfolds, a drag selects and copies.

use super::harness::{Stage, turn, turn_ended};
use super::reviewing::asks_far_apart;
use super::session_diff::changes;
use crate::app::Msg;
use crate::cmd::Cmd;
use crate::settings::{Clipboard, Settings};
use agent_protocol::{Event, TurnEvent};
use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::style::Modifier;

/// A conversation with an answer of two lines.
fn answered(mut stage: Stage) -> Stage {
    let text = "First 漢字 line.\n\nSecond line.\n".to_owned();
    stage.hear(turn("go")).hear(Event::Turn(TurnEvent::Text { text })).hear(turn_ended()).cmds();
    stage
}

/// Column and row of the first letter of `words` on the screen.
fn place(stage: &mut Stage, words: &str) -> (u16, u16) {
    let screen = stage.screen();
    let (row, line) = screen.lines().enumerate().find(|(_, line)| line.contains(words)).expect("it is shown");
    let before = line.split(words).next().unwrap_or_default();
    (u16::try_from(crate::text::width::width(before)).unwrap(), u16::try_from(row).unwrap())
}

fn mouse(stage: &mut Stage, kind: MouseEventKind, (column, row): (u16, u16), modifiers: KeyModifiers) {
    stage.tell(Msg::Mouse(MouseEvent { kind, column, row, modifiers }));
}

fn drag(stage: &mut Stage, from: (u16, u16), to: (u16, u16), modifiers: KeyModifiers) {
    mouse(stage, MouseEventKind::Down(MouseButton::Left), from, modifiers);
    mouse(stage, MouseEventKind::Drag(MouseButton::Left), to, modifiers);
    mouse(stage, MouseEventKind::Up(MouseButton::Left), to, modifiers);
}

fn marked(stage: &mut Stage, at: (u16, u16)) -> bool {
    stage.draw().0[at].modifier.contains(Modifier::REVERSED)
}

#[test]
fn what_is_dragged_over_is_marked_and_copied_when_the_button_is_let_go() {
    let mut stage = answered(Stage::new());
    let (from, to) = (place(&mut stage, "漢字"), place(&mut stage, "Second"));
    let to = (to.0 + 5, to.1);
    drag(&mut stage, from, to, KeyModifiers::NONE);
    assert_eq!(stage.cmds(), [Cmd::Copy("漢字 line.\n\nSecond".into())]);
    assert!(stage.shows("copied the selection, 16 characters"), "{}", stage.screen());
    assert!(marked(&mut stage, from) && marked(&mut stage, to) && !marked(&mut stage, (to.0 + 1, to.1)));
    stage.keys("a");
    assert!(!marked(&mut stage, from), "the next key takes the mark away");
}

#[test]
fn a_drag_backwards_selects_the_same() {
    let mut stage = answered(Stage::new());
    let from = place(&mut stage, "Second");
    drag(&mut stage, (from.0 + 5, from.1), from, KeyModifiers::NONE);
    assert_eq!(stage.cmds(), [Cmd::Copy("Second".into())]);
}

#[test]
fn with_shift_the_terminal_selects_and_where_copying_is_off_that_is_said() {
    let mut stage = answered(Stage::new());
    let from = place(&mut stage, "Second");
    drag(&mut stage, from, (from.0 + 5, from.1), KeyModifiers::SHIFT);
    assert_eq!(stage.cmds(), []);
    let settings = Settings { clipboard: Clipboard::Off, ..Settings::default() };
    let mut stage = answered(Stage::sized(settings, 120, 40));
    let from = place(&mut stage, "Second");
    drag(&mut stage, from, (from.0 + 5, from.1), KeyModifiers::NONE);
    assert!(stage.cmds().is_empty() && stage.shows("copying is switched off"), "{}", stage.screen());
}

#[test]
fn a_click_unfolds_when_it_is_let_go_and_copies_nothing() {
    let mut stage = Stage::new();
    let text = (1..=30).map(|at| format!("thought {at}\n")).collect::<String>();
    stage.hear(turn("go")).hear(Event::Turn(TurnEvent::Thinking { text })).hear(turn_ended()).cmds();
    let at = place(&mut stage, "▸ thought");
    mouse(&mut stage, MouseEventKind::Down(MouseButton::Left), at, KeyModifiers::NONE);
    assert!(!stage.shows("▾ thought"));
    mouse(&mut stage, MouseEventKind::Up(MouseButton::Left), at, KeyModifiers::NONE);
    assert!(stage.shows("▾ thought") && stage.cmds().is_empty(), "{}", stage.screen());
}

#[test]
fn a_click_opens_the_folded_lines_of_a_change_and_answers_nothing() {
    let mut stage = Stage::blank(120, 40);
    stage.hear(asks_far_apart()).wait(1_000).keys("<=f><pgdn>").cmds();
    let fold = place(&mut stage, "… 150 lines …");
    let above = (fold.0, fold.1 - 1);
    drag(&mut stage, above, above, KeyModifiers::NONE);
    assert!(stage.shows("… 150 lines …") && stage.cmds().is_empty(), "{}", stage.screen());
    drag(&mut stage, fold, fold, KeyModifiers::SHIFT);
    assert!(stage.shows("… 150 lines …"), "the terminal selects there");
    drag(&mut stage, fold, fold, KeyModifiers::NONE);
    assert!(!stage.shows("… 150 lines …") && stage.cmds().is_empty(), "{}", stage.screen());
    assert!(stage.shows("let line_30 = 30;"), "{}", stage.screen());
}

#[test]
fn a_click_in_a_list_of_changes_that_is_on_no_fold_does_nothing() {
    let mut stage = changes();
    let screen = stage.screen();
    let changed = place(&mut stage, "let three = 3;");
    drag(&mut stage, changed, changed, KeyModifiers::NONE);
    assert_eq!((stage.screen(), stage.cmds()), (screen, Vec::new()));
}

#[test]
fn a_selection_goes_with_another_width() {
    let mut stage = answered(Stage::new());
    let from = place(&mut stage, "Second");
    drag(&mut stage, from, (from.0 + 5, from.1), KeyModifiers::NONE);
    stage.resize(90, 40);
    let from = place(&mut stage, "Second");
    assert!(!marked(&mut stage, from));
}
