//! Servers that go away, or are not what they were: no trial of theirs counts, and the reason stands in its row.

use super::{ENDS, SOLVES, Stage, plan, runtime};
use agent_bench::tree;
use agent_bench::{
    Look, RunControl, RunError, RunPlan, ServerFacts, Stopped, TrialClass, Variant, Watch, Workshop, is_spoiled, run,
};
use std::cell::Cell;
use std::path::Path;

/// A server that tells at its n-th look, from 0, what the function says.
struct Server<F> {
    looks: Cell<usize>,
    tells: F,
}

impl<F: Fn(usize) -> Result<ServerFacts, String>> Watch for Server<F> {
    fn look<'a>(&'a self, _: &'a Variant) -> Look<'a> {
        let look = self.looks.replace(self.looks.get() + 1);
        Box::pin(std::future::ready((self.tells)(look)))
    }
}

fn facts() -> ServerFacts {
    ServerFacts { digest: Some("abc".into()), window: Some(8192), gpu_percent: Some(100), ..ServerFacts::default() }
}

/// Each trial takes two looks: one before it, one behind it.
fn run_with(
    stage: &Stage,
    plan: &RunPlan,
    program: &str,
    tells: impl Fn(usize) -> Result<ServerFacts, String>,
) -> Result<Stopped, RunError> {
    let shop = Workshop {
        folder: stage.folder.path(),
        templates: &stage.templates,
        trials: stage.program(program),
        limits: &|root: &Path| Ok(crate::limits::limits(root, 60)),
        watch: Some(&Server { looks: Cell::new(0), tells }),
        until: None,
        control: &RunControl::empty(),
    };
    runtime().block_on(run(plan, &shop, &mut stage.rows(), |_| ()))
}

fn one_arm() -> RunPlan {
    let mut plan = plan(1);
    plan.arms.truncate(1);
    plan
}

fn solves() -> String {
    format!("{SOLVES}{ENDS}")
}

#[test]
fn a_window_that_was_another_one_once_is_a_fault_and_the_trial_is_made_again() {
    let stage = Stage::new();
    let tells = |look| Ok(ServerFacts { window: Some(if look == 3 { 4096 } else { 8192 }), ..facts() });
    assert_eq!(run_with(&stage, &one_arm(), &solves(), tells).unwrap(), Stopped::Complete);
    let rows = stage.rows();
    let classes: Vec<TrialClass> = rows.all().iter().map(|row| row.class).collect();
    let solved = TrialClass::Solved;
    assert_eq!(classes, [solved, TrialClass::Fault, solved, solved]);
    assert_eq!(rows.all()[1].key(), rows.all()[2].key());
    assert!(rows.all()[1].note.contains("4096 tokens now; it had 8192"), "{}", rows.all()[1].note);
    assert_eq!(rows.all()[0].server, Some(facts()));
}

#[test]
fn another_build_of_the_model_stops_the_run_after_three_attempts_without_one_more_trial() {
    let stage = Stage::new();
    let tells = |look| Ok(ServerFacts { digest: Some(if look < 2 { "abc" } else { "abd" }.into()), ..facts() });
    let error = run_with(&stage, &one_arm(), &solves(), tells).unwrap_err();
    assert!(matches!(&error, RunError::OtherServer { .. }) && error.to_string().contains("begin a new run"), "{error}");
    assert_eq!(stage.rows().all().len(), 4);
    assert_eq!(tree::read(&stage.path("kept")).unwrap().keys().filter(|name| name.ends_with("stderr.txt")).count(), 1);
}

#[test]
fn a_model_that_moved_to_the_processor_is_a_fault() {
    let stage = Stage::new();
    let tells = |look| Ok(ServerFacts { gpu_percent: Some(if look == 3 { 40 } else { 100 }), ..facts() });
    run_with(&stage, &one_arm(), &solves(), tells).unwrap();
    assert!(stage.rows().all()[1].note.starts_with("40 % of the model"), "{}", stage.rows().all()[1].note);
}

#[test]
fn a_server_that_is_gone_behind_a_trial_is_no_failure_of_the_model() {
    let stage = Stage::new();
    let tells = |look| if look % 2 == 0 { Ok(facts()) } else { Err("connection refused".to_owned()) };
    let error = run_with(&stage, &one_arm(), ENDS, tells).unwrap_err();
    assert!(matches!(&error, RunError::NoServer { .. }), "{error}");
    assert!(stage.rows().all().iter().all(|row| row.class == TrialClass::Fault && row.server.is_none()));
}

#[test]
fn trials_in_which_the_model_is_loaded_again_spoil_the_run() {
    let stage = Stage::new();
    let again = "echo '{\"type\":\"replied\",\"usage\":{\"load_ns\":9000000000}}'\n";
    let stopped = run_with(&stage, &one_arm(), &format!("{again}{again}{}", solves()), |_| Ok(facts())).unwrap();
    let rows = stage.rows();
    assert_eq!((stopped, rows.all().len()), (Stopped::Complete, 9));
    assert!(is_spoiled(rows.all()) && rows.all().iter().all(|row| row.note.contains("loaded the model again")));
}
