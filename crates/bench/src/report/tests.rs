//! What stands in the reports of a run whose rows are known.

use super::*;
use crate::arm::Arm;
use crate::class::TrialClass;
use crate::rows::sample;
use std::collections::BTreeMap;

fn arm(name: &str) -> Arm {
    Arm {
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

fn report() -> BenchReport {
    let kinds = [TaskKind::Mend, TaskKind::Write, TaskKind::Write, TaskKind::Cannot];
    let tasks = kinds.iter().enumerate().map(|(at, kind)| (format!("t{at}"), *kind)).collect();
    let plan = RunPlan {
        version: 1,
        id: "r".into(),
        began: 0,
        agent: "0.1.0".into(),
        course: "quick".into(),
        folder: None,
        hash: "0123".into(),
        tasks,
        left_out: vec![("ts-a".into(), "tsc is not there".into())],
        arms: vec![arm("big"), arm("small\u{1b}[31m")],
        trials: 1,
        seed: 1,
        time_factor: 1.0,
        command: "agent bench --models big,small --course quick".into(),
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
    assert!(!page.contains('\u{1b}'), "names come from servers");
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
