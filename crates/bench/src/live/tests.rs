//! How the table looks, at several sizes.

use super::*;
use crate::rows::sample;

const TWO: &str = r#"[
    {"name":"qwen3.5:9b","host":"h","kind":"auto","model":"a"},
    {"name":"gemma4:e4b think=off","host":"h","kind":"auto","model":"b"}]"#;

fn plan(arms: &str) -> RunPlan {
    let json = format!(
        r#"{{"version":1,"id":"r","began":0,"agent":"0","course":"core","folder":null,"hash":"h",
        "tasks":[["py-a","write"],["rs-across-2","across"],["js-b","mend"]],
        "left_out":[],"arms":{arms},"trials":3,"seed":1,"time_factor":1.0,"command":""}}"#
    );
    serde_json::from_str(&json).unwrap()
}

fn rows() -> Vec<TrialRow> {
    let row = |arm, task, class| TrialRow { secs: 126.0, ..sample(arm, task, 1, class) };
    vec![
        row("qwen3.5:9b", "py-a", TrialClass::Solved),
        row("qwen3.5:9b", "rs-across-2", TrialClass::Solved),
        row("qwen3.5:9b", "js-b", TrialClass::Wrong),
        row("gemma4:e4b think=off", "py-a", TrialClass::Fault),
        row("gemma4:e4b think=off", "py-a", TrialClass::TokenLimit),
    ]
}

fn under_way() -> Live {
    let mut live = Live::new(&plan(TWO), &rows()[..4]);
    live.made(rows().remove(4), Duration::from_secs(11_400));
    live.begins(TrialKey { arm: "gemma4:e4b think=off".into(), task: "rs-across-2".into(), trial: 1 });
    (0..6).for_each(|_| live.hears(r#"{"type":"replied","usage":{}}"#));
    live.hears(r#"{"type":"waiting","phase":{"phase":"sending"}}"#);
    live.hears(r#"{"type":"proposed","call":{"id":1,"name":"edit_file","arguments":{"file_path":"src/lexer.rs"}}}"#);
    live.takes(Duration::from_secs(101));
    live
}

fn drawn(live: &Live, width: usize, height: usize) -> String {
    live.lines(width, height).join("\n")
}

#[test]
fn a_wide_terminal_shows_all_of_it() {
    insta::assert_snapshot!(drawn(&under_way(), 120, 40));
}

#[test]
fn eighty_columns_show_what_matters() {
    insta::assert_snapshot!(drawn(&under_way(), 80, 24));
}

#[test]
fn a_narrow_terminal_shows_less_and_nothing_is_too_wide() {
    insta::assert_snapshot!(drawn(&under_way(), 40, 12));
    for (width, height) in (0..130).flat_map(|width| [(width, 3), (width, 24)]) {
        let lines = under_way().lines(width, height);
        assert!(lines.len() <= height, "{width}x{height}");
        use unicode_width::UnicodeWidthStr;
        assert!(lines.iter().all(|line| line.width() <= width), "{width}x{height}: {lines:?}");
    }
}

#[test]
fn before_the_first_trial_nobody_knows_how_long_it_takes() {
    let mut live = Live::new(&plan(TWO), &[]);
    live.begins(TrialKey { arm: "qwen3.5:9b".into(), task: "py-a".into(), trial: 1 });
    insta::assert_snapshot!(drawn(&live, 100, 24));
}

#[test]
fn a_pause_is_said_while_the_trial_runs_and_after_it() {
    let mut live = under_way();
    live.go(Pace::Paused);
    assert!(drawn(&live, 120, 40).contains("paused after this trial · space goes on"));
    live.made(rows().remove(0), Duration::ZERO);
    let shown = drawn(&live, 120, 40);
    assert!(shown.contains(" paused · space goes on") && !shown.contains("after this trial"), "{shown}");
}

#[test]
fn what_is_skipped_is_named_and_the_last_table_has_no_keys() {
    let mut live = under_way();
    assert_eq!(live.skip().as_deref(), Some("rs-across-2"));
    assert_eq!(live.skip(), None, "nothing is under way");
    live.go(Pace::Over);
    insta::assert_snapshot!(drawn(&live, 80, 24));
}

#[test]
fn names_forge_nothing_and_of_many_models_the_running_one_is_shown() {
    let arms: Vec<String> =
        (0..30).map(|arm| format!(r#"{{"name":"m{arm}\u001b[2J","host":"h","kind":"auto","model":"m"}}"#)).collect();
    let mut live = Live::new(&plan(&format!("[{}]", arms.join(","))), &[]);
    live.begins(TrialKey { arm: "m20\u{1b}[2J".into(), task: "py-a".into(), trial: 1 });
    let shown = drawn(&live, 80, 24);
    assert!(!shown.contains('\u{1b}') && shown.contains(">m20"), "{shown}");
    assert!(shown.contains("and 14 more"), "{shown}");
}

#[test]
fn the_second_try_of_a_trial_is_followed_and_its_steps_go_on() {
    let mut live = under_way();
    live.begins(TrialKey { arm: "gemma4:e4b think=off".into(), task: "rs-across-2".into(), trial: 1 });
    let shown = drawn(&live, 120, 40);
    assert!(shown.contains("starting the second try") && shown.contains("step 7"), "{shown}");
    live.hears(r#"{"type":"waiting","phase":{"phase":"sending"}}"#);
    assert!(!drawn(&live, 120, 40).contains("second try"), "what it does now is said");
}
