//! `agent bench --demo`: the real thing, with its processes, grading and report, on two scripted models.

use super::new::Varied;
use super::{archive, measured, new, say};
use crate::args::BenchWish;
use crate::demo::Demo;
use crate::session::Plan;
use agent_bench::end_of;
use agent_mock_server::demo::{BENCH_MODELS, BENCH_SEED, BENCH_TASKS};
use anyhow::Result;
use std::process::ExitCode;
use std::time::Instant;
use tokio::runtime::Runtime;

const COURSE: &str = "core";
const END: &str = "This was the demo: both models follow a script, and nothing of it is kept.\n\
                   `agent bench --models NAME,NAME` measures yours.";

/// Makes the run and shows what it found. Everything is in a folder that is gone afterwards.
pub(super) fn show(runtime: &Runtime, wish: &BenchWish, plan: &Plan) -> Result<ExitCode> {
    let until = end_of(Instant::now(), wish.time);
    let demo = Demo::of_bench()?;
    let plan = demo.plan(&plan.config)?;
    let named = |task: &&&str| wish.tasks.is_empty() || wish.tasks.iter().any(|name| task.starts_with(name.as_str()));
    let tasks: Vec<String> = BENCH_TASKS.iter().filter(named).map(|task| (*task).to_owned()).collect();
    let wish = BenchWish {
        models: BENCH_MODELS.map(str::to_owned).into(),
        course: COURSE.into(),
        tasks: super::some(tasks, &format!("the demo has {}", BENCH_TASKS.join(", ")))?,
        seed: BENCH_SEED,
        no_exam: true,
        ..wish.clone()
    };
    let kept = archive(&plan).begin(new::plan(&wish, &plan, &Varied::of(&wish), None)?)?;
    let (report, code) = measured(runtime, &kept, &plan, until)?;
    say(&format!("\n{}\n", report.plot()));
    say(END);
    Ok(code)
}
