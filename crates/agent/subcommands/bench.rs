//! `agent bench`: which of the person's models codes best on their machine. What it measures and how is in `agent_bench`;
//! here it is wired to the settings, to the policy that limits commands, and to standard output.

mod limits;
mod looking;
mod new;

use crate::args::{Bench, BenchSubcommand};
use crate::session::Plan;
use agent_bench::{
    Archive, BenchReport, KeptRun, Machine, Progress, RunError, RunPlan, Stopped, TrialSettings, Workshop, embedded,
    run,
};
use agent_clean::clean_text;
use agent_headless::End;
use anyhow::{Context, Result, bail};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};

/// What was learned of models, in the state folder.
const LEARNED: &str = "models.json";

/// Does what `wish` says.
pub(crate) fn bench(runtime: &Runtime, wish: &Bench, mut plan: Plan) -> Result<ExitCode> {
    let archive = Archive::new(plan.place.folder().join("bench"));
    match wish.subcommand.clone() {
        None => {
            wish.wish.model_server.over(&mut plan.config)?;
            plan.go_to_remembered_server();
            let kept = archive.begin(new::plan(&wish.wish, &plan)?)?;
            go_on(runtime, &kept, &plan, wish.wish.time)
        }
        Some(BenchSubcommand::Resume { id, time }) => match archive.find(id.as_deref()) {
            Ok(kept) => go_on(runtime, &kept, &plan, time),
            Err(error) => Ok(no_run(&error)),
        },
        Some(BenchSubcommand::List) => looking::list(&archive),
        Some(BenchSubcommand::Show { id, json, markdown }) => match archive.find(id.as_deref()) {
            Ok(kept) => looking::show(&kept, json, markdown),
            Err(error) => Ok(no_run(&error)),
        },
        Some(BenchSubcommand::Compare { one, other }) => match (archive.find(Some(&one)), archive.find(Some(&other))) {
            (Ok(one), Ok(other)) => looking::compare(&one, &other),
            (Err(error), _) | (_, Err(error)) => Ok(no_run(&error)),
        },
        Some(BenchSubcommand::Lay { task, to, seed }) => looking::lay(&task, &to, seed),
        Some(BenchSubcommand::Selftest { ids, dir, seed }) => looking::selftest(runtime, &ids, dir, seed),
    }
}

fn no_run(error: &agent_bench::ArchiveError) -> ExitCode {
    crate::complain(&anyhow::anyhow!("{error}"));
    ExitCode::from(End::NoSession.code())
}

/// Makes what is not made of a run, and says what it found.
fn go_on(runtime: &Runtime, kept: &KeptRun, plan: &Plan, time: Option<Duration>) -> Result<ExitCode> {
    let templates = match &kept.plan.folder {
        Some(folder) => embedded::in_folder(folder)?,
        None => embedded::built_in()?,
    };
    let templates: Vec<_> =
        templates.into_iter().filter(|task| kept.plan.tasks.iter().any(|(id, _)| *id == task.id)).collect();
    if embedded::course_hash(&templates) != kept.plan.hash {
        return Err(RunError::OtherTasks { id: kept.plan.id.clone() }.into());
    }
    let program = std::env::current_exe().context("cannot tell which program this is")?;
    let shop = Workshop {
        folder: &kept.folder,
        templates: &templates,
        trials: TrialSettings {
            program,
            learned: Some(plan.place.folder().join(LEARNED)),
            time_factor: kept.plan.time_factor,
        },
        limits: &|root: &Path| limits::limits(root),
        until: time.map(|time| Instant::now() + time),
    };
    say(&head(&kept.plan));
    let mut rows = kept.open()?;
    let ended = runtime.block_on(async {
        let (mut stops, mut asks) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        tokio::select! {
            ended = run(&kept.plan, &shop, &mut rows, |progress| say(&line(&progress))) => ended.map(Some),
            _ = stops.recv() => Ok(None),
            _ = asks.recv() => Ok(None),
        }
    });
    let report = BenchReport::new(kept.plan.clone(), rows.all().to_vec(), Machine::this());
    kept.write("bench.json", &report.json())?;
    let page = kept.write("bench.md", &report.markdown())?;
    if report.done.0 > 0 {
        say(&format!("\n{}\n\n{}", report.words(), page.display()));
    }
    end(ended, &report)
}

fn end(ended: Result<Option<Stopped>, RunError>, report: &BenchReport) -> Result<ExitCode> {
    let end = match ended {
        Ok(Some(Stopped::Complete | Stopped::TimeUp)) if report.done.0 == 0 => End::Failed,
        Ok(Some(Stopped::Complete | Stopped::TimeUp)) => End::Answered,
        Ok(None) => End::Interrupted,
        Err(error) => {
            let end = match &error {
                RunError::NoServer { .. } => End::NoServer,
                RunError::NoModel { .. } => End::NoModel,
                RunError::Unusable { .. } | RunError::OtherTasks { .. } | RunError::Task(_) => End::WrongUsage,
                RunError::Io(_) | RunError::Grading(_) | RunError::NoLimits(_) => End::Failed,
            };
            crate::complain(&error.into());
            end
        }
    };
    Ok(ExitCode::from(end.code()))
}

/// What is going to happen.
fn head(plan: &RunPlan) -> String {
    let models = plan.arm_names().join(", ");
    let (tasks, trials) = (plan.tasks.len(), plan.trials);
    let left_out: String = plan.left_out.iter().map(|(task, why)| format!("left out: {task} ({why})\n")).collect();
    format!("{left_out}run {}: {models}; {}, {tasks} tasks × {trials}", plan.id, plan.course)
}

/// One trial.
fn line(progress: &Progress<'_>) -> String {
    let (row, (done, all)) = (progress.row, progress.done);
    let speed = row.speed.map_or(String::new(), |speed| format!("  {speed:.0} tok/s"));
    let note = if row.note.is_empty() { String::new() } else { format!("  ({})", row.note.replace('\n', " · ")) };
    format!(
        "[{done}/{all}]  {}  {} · {}  {}  {}  {} steps{speed}{note}  about {} left",
        row.arm,
        row.task,
        row.trial,
        row.class.words(),
        clock(Duration::from_secs_f64(row.secs.max(0.0))),
        row.steps,
        clock(progress.left)
    )
}

/// `0:41`, `1:02:03`.
fn clock(time: Duration) -> String {
    let secs = time.as_secs();
    match secs / 3600 {
        0 => format!("{}:{:02}", secs / 60, secs % 60),
        hours => format!("{hours}:{:02}:{:02}", secs % 3600 / 60, secs % 60),
    }
}

/// Prints a line. That nobody reads it is no reason to stop what takes hours.
fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{}", clean_text(text)).and_then(|()| out.flush());
}

/// What must be there before anything is made.
fn some<T>(items: Vec<T>, words: &str) -> Result<Vec<T>> {
    if items.is_empty() { bail!("{words}") } else { Ok(items) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_as_on_a_clock() {
        let told = [41, 600, 3723].map(|secs| clock(Duration::from_secs(secs)));
        assert_eq!(told, ["0:41", "10:00", "1:02:03"]);
    }
}
