//! Somebody looks at another window: what they are told, and when they are told nothing.

use super::harness::{Stage, asks_command, turn, turn_ended};
use crate::app::{Focus, Msg};
use crate::cmd::Cmd;
use crate::signs::signs;

fn told(stage: &mut Stage) -> Vec<String> {
    let text = |cmd| match cmd {
        Cmd::Notify(text) => Some(text),
        _ => None,
    };
    stage.cmds().into_iter().filter_map(text).collect()
}

#[test]
fn who_looks_elsewhere_is_told_of_questions_and_of_the_end_of_long_turns() {
    let mut stage = Stage::new();
    stage.tell(Msg::Focus(Focus::Elsewhere)).hear(turn("go")).hear(asks_command("make"));
    assert_eq!(told(&mut stage), ["project asks: Run make"]);
    stage.wait(11_000).hear(turn_ended());
    assert_eq!(told(&mut stage), ["project is ready after 11 s"]);
    stage.hear(turn("go")).wait(9_000).hear(turn_ended());
    assert_eq!(told(&mut stage), [""; 0], "a short one");
}

#[test]
fn who_looks_here_and_whose_terminal_does_not_say_is_told_nothing() {
    for focus in [None, Some(Focus::Here)] {
        let mut stage = Stage::new();
        for focus in [Some(Focus::Elsewhere), focus].into_iter().flatten().filter(|_| focus.is_some()) {
            stage.tell(Msg::Focus(focus));
        }
        stage.hear(turn("go")).hear(asks_command("make")).wait(20_000).hear(turn_ended());
        assert_eq!(told(&mut stage), [""; 0]);
    }
}

#[test]
fn the_title_says_the_project_and_whose_turn_it_is() {
    let mut stage = Stage::new();
    let title = |stage: &Stage| (signs(&stage.app).title, signs(&stage.app).busy);
    assert_eq!(title(&stage), ("agent · project · ready".into(), false));
    stage.hear(turn("go"));
    assert_eq!(title(&stage), ("agent · project · working".into(), true));
    stage.hear(asks_command("make"));
    assert_eq!(title(&stage), ("agent · project · asks".into(), true));
    stage.hear(turn_ended());
    assert_eq!(title(&stage), ("agent · project · ready".into(), false));
}
