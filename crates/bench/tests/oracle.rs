//! Holds every task to what it says, where the programs are there that it needs; one seed each.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod limits;

use agent_bench::task::Template;
use agent_bench::{GradingPlace, embedded, selftest};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let tasks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/bench/tasks");
    let trials = embedded::in_folder(&tasks).unwrap().into_iter().map(trial).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(template: Template) -> Trial {
    let missing = selftest::missing(&template.sheet().unwrap().needs);
    let (id, left_out) = (template.id.clone(), !missing.is_empty());
    let name = if left_out { format!("{id} (left out, not there: {})", missing.join(", ")) } else { id };
    Trial::test(name, move || holds(&template)).with_ignored_flag(left_out)
}

fn holds(template: &Template) -> Result<(), Failed> {
    // Larger projects take long to build: that they hold again and again is for `agent bench selftest`.
    let is_core = template.sheet()?.courses.iter().any(|course| course == "core");
    let times = if is_core { selftest::TIMES } else { 1 };
    let folder = tempfile::tempdir()?;
    let root = folder.path().canonicalize()?;
    let place = GradingPlace::new(&root, limits::limits(&root, GradingPlace::longest().as_secs()))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let faults = runtime.block_on(selftest::examine(&place, template, 1, times))?;
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}
