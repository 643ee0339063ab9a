//! A code block is copied by a key, a proposal is opened in the editor at its line, and where little is to move little does.

use super::harness::{Stage, asks_command, asks_edit, opened, turn, turn_ended};
use crate::app::{App, Msg};
use crate::cmd::{Cmd, Purpose};
use crate::settings::{ScreenMotion, Settings};
use crate::signs::signs;
use crate::terminal::Edited;
use crate::text::highlight::Highlighter;
use agent_protocol::{Answer, AskId, CallOp, Event, Op, Proposal, TurnEvent};
use ratatui::layout::Size;
use std::time::Duration;

fn copied(stage: &mut Stage) -> Vec<String> {
    let text = |cmd| match cmd {
        Cmd::Copy(text) => Some(text),
        _ => None,
    };
    stage.cmds().into_iter().filter_map(text).collect()
}

#[test]
fn the_last_code_block_is_copied_and_again_the_one_before() {
    let mut stage = Stage::new();
    let text = "One:\n\n```sh\nls\n```\n\nTwo:\n\n```sh\npwd\n```\n".to_owned();
    stage.hear(turn("go")).hear(Event::Turn(TurnEvent::Text { text })).hear(turn_ended());
    stage.keys("<a-c>");
    assert_eq!(copied(&mut stage), ["pwd\n"]);
    assert!(stage.shows("copied the code block 2 of 2 (Alt+C again: the one before), 4 characters"));
    stage.keys("<a-c>");
    assert_eq!(copied(&mut stage), ["ls\n"]);
    stage.wait(5_000).keys("<a-c>");
    assert_eq!(copied(&mut stage), ["pwd\n"], "after a while it is the last one again");
}

#[test]
fn without_a_code_block_the_key_says_so() {
    let mut stage = Stage::new();
    stage.keys("<a-c>");
    assert!(stage.shows("there is no code block in the last answer yet"));
    assert_eq!(copied(&mut stage), [""; 0]);
}

#[test]
fn a_file_opens_in_the_editor_at_the_line_that_changes_and_a_command_opens_there_too() {
    let lines = |twelfth: &str| -> String {
        (0..20).map(|at| if at == 11 { format!("{twelfth}\n") } else { format!("{at}\n") }).collect()
    };
    let (before, after) = (lines("old"), lines("new"));
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(asks_edit(&before, &after)).wait(1_000).cmds();
    stage.keys("<=E>");
    assert!(matches!(&stage.cmds()[..], [Cmd::Edit { line: Some(12), .. }]));
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(asks_command("make")).wait(1_000).cmds();
    stage.keys("<=E>");
    let purpose = Purpose::Command { ask: AskId(1) };
    let edit = Cmd::Edit { text: "make".into(), extension: "sh".into(), line: None, purpose: purpose.clone() };
    assert_eq!(stage.cmds(), [edit]);
    stage.tell(Msg::Edited(purpose, Edited::Text("make check\n".into())));
    let proposal = Proposal::Command { command: "make check".into() };
    let answer = Answer::Instead { proposal };
    assert_eq!(stage.ops(), [Op::Call(CallOp::Reply { ask: AskId(1), answer })]);
}

#[test]
fn where_little_is_to_move_figures_change_every_ten_seconds_and_nothing_beats() {
    let settings = Settings { motion: ScreenMotion::Reduced, ..Settings::default() };
    let mut stage = Stage::of(App::new(settings, Size::new(120, 40), Highlighter::off()));
    stage.hear(opened()).hear(turn("go"));
    let mut seen = Vec::new();
    for _ in 0..9 {
        seen.push(stage.wait(1_000).screen());
    }
    seen.dedup();
    assert_eq!(seen.len(), 1, "{}", seen.join("\n\n"));
    assert!(seen[0].contains("● ") && !signs(&stage.app).busy);
    assert_eq!(stage.app.wakes_at(), Some(Duration::from_secs(10)));
    assert!(stage.wait(1_000).shows("10 s"));
}
