//! Imported exercises by their tries: how many were solved at the first and at the second, and the same under the names
//! that aider's tables have.

use super::BenchReport;
use crate::archive::date;
use crate::rows::TrialRow;
use crate::run::RunPlan;
use serde::Serialize;
use std::collections::BTreeMap;

/// How the exercises of one arm went.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Passes {
    arm: String,
    model: String,
    cases: usize,
    /// Of these solved at the first try, and at either.
    solved: [usize; 2],
    /// Calls that could not be read, and the trials that had any.
    malformed: (u64, usize),
    /// Tests that did not come to their end.
    cut: usize,
    /// Trials that ended for the window or the length of a reply.
    full: usize,
    secs: f64,
}

impl Passes {
    fn of(rows: &[&TrialRow], arm: &str, model: &str) -> Self {
        let solved = |within: usize| {
            let is = |row: &&&TrialRow| row.tries.iter().take(within).any(|each| each.class.is_solved());
            rows.iter().filter(is).count()
        };
        let malformed = |row: &TrialRow| row.tries.iter().map(|each| each.malformed).sum::<u64>();
        Passes {
            arm: arm.to_owned(),
            model: model.to_owned(),
            cases: rows.len(),
            solved: [solved(1), solved(2)],
            malformed: (
                rows.iter().map(|row| malformed(row)).sum(),
                rows.iter().filter(|row| malformed(row) > 0).count(),
            ),
            cut: rows.iter().flat_map(|row| &row.tries).filter(|each| each.cut).count(),
            full: rows.iter().filter(|row| row.tries.iter().any(|each| each.class.is_full())).count(),
            secs: rows.iter().map(|row| row.secs).sum(),
        }
    }

    fn percent(&self, count: usize) -> f64 {
        (count as f64 * 1000.0 / self.cases.max(1) as f64).round() / 10.0
    }

    pub(super) fn words(&self) -> String {
        let [first, either] = self.solved;
        format!(
            "{}: pass_rate_1 {:.1} %, pass_rate_2 {:.1} % ({first} of {} solved at try 1, {} more at try 2).",
            self.arm,
            self.percent(first),
            self.percent(either),
            self.cases,
            either - first
        )
    }

    fn row(&self, plan: &RunPlan, protocol: &str) -> AiderRow {
        let [first, either] = self.solved;
        let (year, month, day) = date(plan.began / 86_400);
        AiderRow {
            dirname: plan.id.clone(),
            test_cases: self.cases,
            model: self.model.clone(),
            edit_format: format!("agent, protocol {protocol}"),
            pass_rate_1: self.percent(first),
            pass_rate_2: self.percent(either),
            pass_num_1: first,
            pass_num_2: either,
            percent_cases_well_formed: self.percent(self.cases - self.malformed.1),
            num_malformed_responses: self.malformed.0,
            num_with_malformed_responses: self.malformed.1,
            exhausted_context_windows: self.full,
            test_timeouts: self.cut,
            total_tests: plan.tasks.len(),
            command: plan.command.clone(),
            date: format!("{year:04}-{month:02}-{day:02}"),
            versions: plan.agent.clone(),
            seconds_per_case: (self.secs * 10.0 / self.cases.max(1) as f64).round() / 10.0,
            total_cost: 0.0,
        }
    }
}

/// A row of aider's tables; the names are aider's (`benchmark/benchmark.py`, `summarize_results`).
#[derive(Debug, Serialize)]
struct AiderRow {
    dirname: String,
    test_cases: usize,
    model: String,
    edit_format: String,
    pass_rate_1: f64,
    pass_rate_2: f64,
    pass_num_1: usize,
    pass_num_2: usize,
    percent_cases_well_formed: f64,
    num_malformed_responses: u64,
    num_with_malformed_responses: usize,
    exhausted_context_windows: usize,
    test_timeouts: usize,
    total_tests: usize,
    command: String,
    date: String,
    versions: String,
    seconds_per_case: f64,
    total_cost: f64,
}

impl BenchReport {
    /// Each arm by its tries; none where the tasks are not imported.
    pub(super) fn passes(&self) -> Vec<Passes> {
        if self.plan.protocol.is_none() {
            return Vec::new();
        }
        let mut rows: BTreeMap<&str, Vec<&TrialRow>> = BTreeMap::new();
        for row in self.rows.iter().filter(|row| row.counts()) {
            rows.entry(&row.arm).or_default().push(row);
        }
        let of = |arm: &crate::variant::Variant| Some(Passes::of(rows.get(arm.name.as_str())?, &arm.name, &arm.model));
        self.plan.arms.iter().filter_map(of).collect()
    }

    /// `aider.yml`, for those who keep tables like aider's; none where the tasks are not imported.
    pub fn aider(&self) -> Option<String> {
        let protocol = self.plan.protocol?.word();
        let rows = self.passes().iter().map(|passes| yaml(&passes.row(&self.plan, protocol))).collect::<String>();
        (!rows.is_empty()).then_some(rows)
    }
}

/// A row as an entry of a list. A value that JSON can write is one of YAML, too.
fn yaml(row: &AiderRow) -> String {
    let fields = match serde_json::to_value(row) {
        Ok(serde_json::Value::Object(fields)) => fields,
        Ok(_) | Err(_) => return String::new(),
    };
    let lines = fields.iter().enumerate().map(|(at, (name, value))| {
        let sign = if at == 0 { "- " } else { "  " };
        format!("{sign}{name}: {value}\n")
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use crate::class::TrialClass;
    use crate::report::BenchReport;
    use crate::report::Machine;
    use crate::rows::{TrialRow, sample};
    use crate::tries::TryResult;

    fn row(task: &str, classes: &[TrialClass], malformed: u64) -> TrialRow {
        let each = |class: &TrialClass| TryResult { class: *class, secs: 30.0, malformed, cut: false, exit: Some(0) };
        let last = classes.last().copied().unwrap_or(TrialClass::Fault);
        TrialRow { tries: classes.iter().map(each).collect(), ..sample("m", task, 1, last) }
    }

    fn report(protocol: &str) -> BenchReport {
        let plan = format!(
            r#"{{"version":1,"id":"r","began":86400,"agent":"0.1.0","course":"c","folder":"/p","hash":"h",{protocol}
            "tasks":[["a","write"],["b","write"],["c","write"],["d","write"]],"left_out":[],"trials":1,"seed":1,
            "arms":[{{"name":"m","host":"h","kind":"auto","model":"m:7b"}}],"time_factor":1.0,"command":"agent bench"}}"#
        );
        let rows = vec![
            row("a", &[TrialClass::Solved], 0),
            row("b", &[TrialClass::Wrong, TrialClass::Solved], 1),
            row("c", &[TrialClass::Wrong, TrialClass::TokenLimit], 0),
            row("d", &[TrialClass::Fault], 0),
        ];
        BenchReport::new(serde_json::from_str(&plan).unwrap(), rows, Machine::default())
    }

    #[test]
    fn the_second_rate_holds_what_the_first_does_and_faults_are_in_neither() {
        let report = report(r#""protocol":"aider","#);
        let words = report.words();
        assert!(
            words.contains("m: pass_rate_1 33.3 %, pass_rate_2 66.7 % (1 of 3 solved at try 1, 1 more at try 2)."),
            "{words}"
        );
        let yaml = report.aider().unwrap();
        for line in [
            "pass_rate_1: 33.3",
            "pass_rate_2: 66.7",
            "percent_cases_well_formed: 66.7",
            "exhausted_context_windows: 1",
            "test_cases: 3",
            "total_tests: 4",
            "model: \"m:7b\"",
            "date: \"1970-01-02\"",
            "seconds_per_case: 60.0",
        ] {
            assert!(yaml.lines().any(|found| found.trim_start_matches(['-', ' ']) == line), "{line}: {yaml}");
        }
        assert_eq!(yaml.lines().filter(|line| line.starts_with("- ")).count(), 1);
    }

    #[test]
    fn tasks_that_are_not_imported_have_one_try_and_no_such_file() {
        let report = report("");
        assert!(report.aider().is_none() && !report.words().contains("pass_rate"));
    }
}
