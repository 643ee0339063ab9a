//! What stands in the reports of a run whose rows are known.

use super::*;
use crate::class::TrialClass;
use crate::rows::sample;
use crate::variant::Variant;
use std::collections::BTreeMap;

fn arm(name: &str) -> Variant {
    Variant {
        name: name.into(),
        host: "127.0.0.1:11434".into(),
        kind: "auto".into(),
        api_key_env: None,
        headers_env: BTreeMap::new(),
        allow_plain_key: false,
        model: name.into(),
        window: None,
        think: None,
        options: serde_json::Map::new(),
        settings: BTreeMap::new(),
    }
}

pub(crate) fn report() -> BenchReport {
    let kinds = [TaskKind::Mend, TaskKind::Write, TaskKind::Write, TaskKind::Cannot];
    let tasks = kinds.iter().enumerate().map(|(at, kind)| (format!("t{at}"), *kind)).collect();
    let plan = RunPlan {
        version: 1,
        id: "r".into(),
        began: 0,
        agent: "0.1.0".into(),
        course: "quick".into(),
        folder: None,
        protocol: None,
        hash: "0123".into(),
        tasks,
        left_out: vec![("ts-a".into(), "tsc is not there".into())],
        arms: vec![arm("big"), arm("small\u{1b}[31m")],
        trials: 1,
        seed: 1,
        time_factor: 1.0,
        command: "agent bench --models big,small --course quick".into(),
        trying: Trying::Together,
        only: Vec::new(),
        no_exam: false,
    };
    let rows = (0..4).flat_map(|task| {
        let class = if task == 1 { TrialClass::StepLimit } else { TrialClass::Solved };
        let other = if task == 3 { TrialClass::Solved } else { TrialClass::Wrong };
        [sample("big", &format!("t{task}"), 1, class), sample("small\u{1b}[31m", &format!("t{task}"), 1, other)]
    });
    BenchReport::new(plan, rows.collect(), Machine::default())
}

#[test]
fn the_page_has_both_tables_and_what_repeats_it() {
    let page = report().markdown();
    assert!(page.contains("| 1 | big | 2/3 | 67 % ("), "{page}");
    assert!(page.contains("| solved: write | 1/2 | 0/2 |"), "{page}");
    assert!(page.contains("| step limit | 1 | – |"), "{page}");
    assert!(page.contains("- left out: ts-a (tsc is not there)"), "{page}");
    assert!(page.contains("agent bench --models big,small --course quick"), "{page}");
    assert!(page.contains("](bench.svg)") && report().svg().contains("<svg"), "{page}");
    assert!(!page.contains('\u{1b}'), "names come from servers");
}

#[test]
fn what_was_skipped_by_hand_is_said_in_every_report() {
    let mut report = report();
    report.rows.pop();
    let report = BenchReport::new(report.plan, report.rows, report.machine).with_skipped(&["t3".to_owned()].into());
    assert!(report.words().contains("1 trial skipped by hand"), "{}", report.words());
    assert!(report.words().contains("7 of 8 trials were made"), "{}", report.words());
    assert!(report.markdown().contains("1 trial skipped by hand") && report.json().contains("\"skipped\": 1"));
}

#[test]
fn the_best_of_several_is_offered_and_only_where_one_solved_the_most() {
    let words = report().next_step().unwrap();
    assert!(words.starts_with("big solved the most. `agent --model big`"), "{words}");
    let mut equal = report();
    equal.figures[1] = VariantFigures { arm: equal.figures[1].arm.clone(), ..equal.figures[0].clone() };
    assert_eq!(equal.next_step(), None);
    equal.plan.arms.truncate(1);
    assert_eq!(equal.next_step(), None, "there was no choice");
}

#[test]
fn few_tasks_show_no_difference_and_it_says_so() {
    let words = report().words();
    assert!(words.contains("No difference seen between big and small"), "{words}");
    assert!(words.contains("its failures: 1 step limit"), "{words}");
}

#[test]
fn the_file_for_programs_holds_version_rows_and_figures() {
    let json: serde_json::Value = serde_json::from_str(&report().json()).unwrap();
    assert_eq!((&json["version"], &json["done"]), (&1.into(), &serde_json::json!([8, 8])));
    assert_eq!(json["rows"].as_array().map(Vec::len), Some(8));
    assert_eq!(json["figures"][0]["kinds"]["write"], serde_json::json!([1, 2]));
    assert_eq!(json["rows"][0]["class"], "solved");
}

/// Twelve tasks with the model as it is and two settings, of which the first was left after seven.
fn tuning() -> BenchReport {
    let mut plan = report().plan;
    plan.tasks = (0..12).map(|at| (format!("t{at:02}"), TaskKind::Mend)).collect();
    plan.arms = vec![arm("m"), arm("m a|b=1"), arm("m c=2")];
    plan.trying = Trying::Tuning;
    let row = |name: &str, task: usize, class| sample(name, &format!("t{task:02}"), 1, class);
    let default = (0..12).map(|task| row("m", task, TrialClass::Wrong));
    let left = (0..7).map(|task| row("m a|b=1", task, TrialClass::Wrong));
    let better = (0..12).map(|task| row("m c=2", task, TrialClass::Solved));
    BenchReport::new(plan, default.chain(left).chain(better).collect(), Machine::default())
}

#[test]
fn trials_that_nobody_would_make_any_more_were_not_skipped() {
    let report = tuning();
    assert_eq!(report.done, (31, 31));
    let report = report.with_skipped(&["t11".to_owned()].into());
    assert_eq!(report.skipped, 0, "the setting that was left would not have met it");
    assert!(report.is_whole());
}

#[test]
fn a_run_with_open_skipped_or_spoiled_trials_is_not_whole() {
    let of = |change: fn(&mut Vec<TrialRow>)| {
        let BenchReport { plan, mut rows, machine, .. } = tuning();
        change(&mut rows);
        BenchReport::new(plan, rows, machine)
    };
    assert!(of(|_| ()).is_whole());
    assert!(!of(|rows| drop(rows.pop())).is_whole(), "one is outstanding");
    assert!(!of(|rows| drop(rows.pop())).with_skipped(&["t11".to_owned()].into()).is_whole());
    let spoils = |rows: &mut Vec<TrialRow>| {
        rows.extend(rows.clone().iter().take(5).map(|row| sample(&row.arm, &row.task, 1, TrialClass::Fault)))
    };
    assert!(!of(spoils).is_whole());
}

#[test]
fn settings_that_were_left_early_have_no_place_and_it_says_after_how_many_tasks() {
    let report = tuning();
    let page = report.markdown();
    assert!(page.contains("| – | m | 0/12 |"), "{page}");
    assert!(page.contains("| – | m a\\|b=1 (left after 7 tasks) | 0/7 |"), "{page}");
    assert!(page.contains("| – | m c=2 | 12/12 |"), "{page}");
    let words = report.words();
    assert!(words.contains("; left after 7 tasks, as it could not become better any more."), "{words}");
    assert_eq!(words.matches("left after").count(), 1, "{words}");
    let one_by_one = RunPlan { trying: Trying::OneByOne, ..report.plan };
    let report = BenchReport::new(one_by_one, report.rows, report.machine);
    assert!(!report.words().contains("left after") && report.markdown().contains("| – | m c=2 | 12/12 |"));
}

#[test]
fn a_bar_in_a_name_breaks_no_table() {
    let page = tuning().markdown();
    assert!(page.contains("| | m | m a\\|b=1 | m c=2 |"), "{page}");
}
