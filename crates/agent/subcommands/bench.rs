//! `agent bench`: which of the user's models codes best on their machine. What it measures and how is in `agent_bench`;
//! here it is wired to the settings, to the policy that limits commands, and to standard output.

mod choosing;
mod demo;
mod importing;
mod learned;
mod limits;
mod live;
mod looking;
mod new;
mod screen;
mod tuning;
mod watching;

use crate::args::{Bench, BenchSubcommand, BenchWish};
use crate::session::{self, Plan};
use agent_bench::{
    Archive, BenchReport, KeptRun, Machine, Progress, Rows, RunControl, RunError, RunPlan, Stopped, TrialHandle,
    TrialSettings, Trying, Workshop, clock, embedded, end_of, import, run,
};
use agent_headless::End;
use agent_protocol::BenchResult;
use agent_protocol::sanitize::clean_text;
use anyhow::{Context, Result, bail};
use learned::Known;
use live::Table;
use new::Varied;
use screen::Screen;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use watching::Watching;

/// What the system does not hold its own master to.
const AS_ROOT: &str = "you are root, whom the system allows any number of processes:\n\
                       a program that starts others without end can stop this machine\n\
                       until its trial is over; as another user it cannot\n";

/// What a run found, for people.
const PAGE: &str = "bench.md";

/// Does what `wish` says.
pub(crate) fn bench(runtime: &Runtime, wish: &Bench, plan: Plan) -> Result<ExitCode> {
    let archive = archive(&plan);
    match wish.subcommand.clone() {
        None if wish.wish.demo => demo::show(runtime, &wish.wish, &plan),
        None => begin(runtime, &archive, wish.wish.clone(), plan),
        Some(BenchSubcommand::Resume { id, time }) => match archive.find(id.as_deref()) {
            Ok(kept) => go_on(runtime, &kept, &plan, end_of(Instant::now(), time)),
            Err(error) => Ok(no_run(&error)),
        },
        Some(BenchSubcommand::Untune { model }) => tuning::take_back(&model, &plan.place),
        Some(BenchSubcommand::List) => looking::list(&archive),
        Some(BenchSubcommand::Show { id, json, markdown }) => match archive.find(id.as_deref()) {
            Ok(kept) => looking::show(&kept, json, markdown),
            Err(error) => Ok(no_run(&error)),
        },
        Some(BenchSubcommand::Compare { one, other }) => match (archive.find(Some(&one)), archive.find(Some(&other))) {
            (Ok(one), Ok(other)) => looking::compare(&one, &other),
            (Err(error), _) | (_, Err(error)) => Ok(no_run(&error)),
        },
        Some(BenchSubcommand::Lay { task, to, dir, seed }) => looking::lay(&task, &to, dir.as_deref(), seed),
        Some(BenchSubcommand::Selftest { ids, import, .. }) if import.import.is_some() => {
            importing::selftest(runtime, &ids, &import)
        }
        Some(BenchSubcommand::Selftest { ids, dir, seed, .. }) => looking::selftest(runtime, &ids, dir, seed),
    }
}

fn begin(runtime: &Runtime, archive: &Archive, mut wish: BenchWish, mut plan: Plan) -> Result<ExitCode> {
    wish.model_server.over(&mut plan.config)?;
    plan.go_to_remembered_server();
    new::check(&wish)?;
    let is_asked = wish.models.is_empty() && io::stdin().is_terminal() && io::stdout().is_terminal();
    if is_asked && let Some(chosen) = choosing::choose(runtime, &plan, &wish, &mut io::stdin().lock())? {
        wish.models = chosen.models;
        wish.time = chosen.time;
    }
    // What comes before the first trial takes its part of the time.
    let until = end_of(Instant::now(), wish.time);
    let varied = if wish.tune {
        match tuning::tried(runtime, &wish, &plan)? {
            Ok(varied) => varied,
            Err(end) => return Ok(ExitCode::from(end.code())),
        }
    } else {
        Varied::of(&wish)
    };
    let kept = archive.begin(new::plan(&wish, &plan, &varied, importing::tasks(runtime, &wish)?)?)?;
    go_on(runtime, &kept, &plan, until)
}

/// What was found of the models of the server that `plan` talks to.
pub(crate) fn bench_results(plan: &Plan) -> Vec<BenchResult> {
    let host = session::host(&plan.config).map(|host| host.to_string());
    host.map_or_else(|_| Vec::new(), |host| archive(plan).results(&host))
}

fn archive(plan: &Plan) -> Archive {
    Archive::new(plan.place.folder().join("bench"))
}

fn no_run(error: &agent_bench::ArchiveError) -> ExitCode {
    crate::complain(&anyhow::anyhow!("{error}"));
    ExitCode::from(End::NoSession.code())
}

/// Makes what is not made of a run, says what it found and how to go on from there.
fn go_on(runtime: &Runtime, kept: &KeptRun, plan: &Plan, until: Option<Instant>) -> Result<ExitCode> {
    let (report, code) = measured(runtime, kept, plan, until)?;
    if let Err(error) = archive(plan).keep_results(&report) {
        crate::complain(&error.into());
    }
    if report.done.0 > 0 {
        say(&format!("\n{}", kept.folder.join(PAGE).display()));
        report.next_step().iter().for_each(|words| say(words));
    }
    Ok(code)
}

/// Makes what is not made of a run, writes its reports and says what it found.
fn measured(runtime: &Runtime, kept: &KeptRun, plan: &Plan, until: Option<Instant>) -> Result<(BenchReport, ExitCode)> {
    let templates = match (&kept.plan.folder, kept.plan.protocol) {
        (Some(folder), Some(protocol)) => import::read(folder, &[], protocol)?.templates,
        (Some(folder), None) => embedded::in_folder(folder)?,
        (None, _) => embedded::built_in()?,
    };
    let templates: Vec<_> =
        templates.into_iter().filter(|task| kept.plan.tasks.iter().any(|(id, _)| *id == task.id)).collect();
    if embedded::task_set_hash(&templates) != kept.plan.hash {
        return Err(RunError::OtherTasks { id: kept.plan.id.clone() }.into());
    }
    let program = std::env::current_exe().context("cannot tell which program this is")?;
    let watching = Watching::of(&plan.config);
    say(&head(&kept.plan));
    let mut rows = kept.open()?;
    let learned = match learned::known(runtime, kept, plan)? {
        Known::At(learned) => learned,
        Known::Stopped(end) => {
            let report = BenchReport::new(kept.plan.clone(), rows.all().to_vec(), Machine::this());
            return Ok((report, ExitCode::from(end.code())));
        }
    };
    let (control, handle) = RunControl::new();
    let shop = Workshop {
        folder: &kept.folder,
        templates: &templates,
        trials: TrialSettings { program, learned: Some(learned), time_factor: kept.plan.time_factor },
        limits: &|root: &Path| limits::limits(root),
        watch: Some(&watching),
        until,
        control: &control,
    };
    let ended = followed(runtime, kept, &shop, (&mut rows, handle));
    let skipped = control.skipped();
    kept.keep_skipped(&skipped)?;
    let report = BenchReport::new(kept.plan.clone(), rows.all().to_vec(), Machine::this());
    let report = report.knowing(kept.learned()).with_skipped(&skipped);
    kept.write("bench.json", &report.json())?;
    kept.write("bench.svg", &report.svg())?;
    kept.write(PAGE, &report.markdown())?;
    if let Some(rows) = report.aider() {
        kept.write("aider.yml", &rows)?;
    }
    if report.done.0 > 0 {
        say(&format!("\n{}", report.words()));
    }
    let mut code = end(&ended, &report);
    if kept.plan.trying == Trying::Tuning
        && matches!(ended, Ok(Some(Stopped::Complete)))
        && let Err(error) = tuning::keep(&report, plan)
    {
        crate::complain(&error);
        code = End::Failed;
    }
    if let Err(error) = ended {
        crate::complain(&error.into());
    }
    Ok((report, ExitCode::from(code.code())))
}

/// Makes trials, with a table where somebody sits at a terminal, else with a line for each. None: a person or a signal ended it.
fn followed(
    runtime: &Runtime,
    kept: &KeptRun,
    shop: &Workshop<'_>,
    (rows, handle): (&mut Rows, TrialHandle),
) -> Result<Option<Stopped>, RunError> {
    runtime.block_on(async {
        let Some(mut screen) = Screen::take()? else {
            let mut stops = live::stops()?;
            return tokio::select! {
                ended = run(&kept.plan, shop, rows, |progress| say(&line(&progress))) => ended.map(Some),
                () = live::any(&mut stops) => Ok(None),
            };
        };
        let (made, hear) = mpsc::unbounded_channel();
        let table = Table::new(&mut screen, kept, rows.all(), handle);
        // Whoever draws the table outlives the run.
        let tell = |progress: Progress<'_>| drop(made.send((progress.row.clone(), progress.left)));
        table.until_end(run(&kept.plan, shop, rows, tell), hear).await
    })
}

fn end(ended: &Result<Option<Stopped>, RunError>, report: &BenchReport) -> End {
    match ended {
        Ok(Some(Stopped::Complete | Stopped::TimeUp)) if report.done.0 == 0 => End::Failed,
        Ok(Some(Stopped::Complete | Stopped::TimeUp)) => End::Answered,
        Ok(None) => End::Interrupted,
        Err(RunError::NoServer { .. }) => End::NoServer,
        Err(RunError::NoModel { .. }) => End::NoModel,
        Err(RunError::Unusable { .. } | RunError::OtherTasks { .. } | RunError::Task(_)) => End::WrongUsage,
        Err(RunError::OtherServer { .. } | RunError::Io(_) | RunError::Grading(_) | RunError::NoLimits(_)) => {
            End::Failed
        }
    }
}

/// What is going to happen.
fn head(plan: &RunPlan) -> String {
    let models = plan.arm_names().join(", ");
    let (tasks, trials) = (plan.tasks.len(), plan.trials);
    let root = if rustix::process::geteuid().is_root() { AS_ROOT } else { "" };
    let left_out: String = plan.left_out.iter().map(|(task, why)| format!("left out: {task} ({why})\n")).collect();
    let course = match (&plan.folder, plan.protocol) {
        (Some(folder), Some(protocol)) => format!("{}\n{}", folder.display(), protocol.words()),
        (Some(_) | None, _) => plan.course.clone(),
    };
    format!("{root}{left_out}run {}: {tasks} tasks × {trials}\n{models}\n{course}", plan.id)
}

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

/// Prints a line. That nobody reads it is no reason to stop what takes hours.
fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{}", clean_text(text)).and_then(|()| out.flush());
}

/// What must be there before anything is made.
fn some<T>(items: Vec<T>, words: &str) -> Result<Vec<T>> {
    if items.is_empty() { bail!("{words}") } else { Ok(items) }
}
