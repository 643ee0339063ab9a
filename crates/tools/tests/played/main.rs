//! Plays every case of `cases/`: its call, on a project with its files, must say and leave what the case tells.
//!
//! Each case is a test by its name: `cargo test -p agent-tools glob_hidden`. With `UPDATE_CASES=1` in the environment its
//! `said` is written anew, to be reviewed like code. `case.rs` tells how a case is written.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod accepting;
mod case;
mod stage;
#[path = "../support.rs"]
mod support;

use crate::case::{Case, cases};
use crate::stage::{Tree, compare, lay_out, script, tree};
use crate::support::Gate;
use agent_policy::Looked;
use agent_protocol::{
    Action, Failure, FileDiff, Image, LeverChanges, Levers, ModelCall, Outcome, PartText, Preview, PreviewBody,
    Proposal, SessionAct, SkillCard, Status,
};
use agent_tools::{Ground, Output, PlannedCall, Reached, Toolbox};
use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::Builder;
use tokio::sync::mpsc::unbounded_channel;

/// What a case calls, and what for.
#[derive(Deserialize)]
struct Calling {
    #[serde(flatten)]
    call: ModelCall,
    /// Characters that the result may take.
    #[serde(default = "usual_room")]
    room: usize,
    /// What the user puts in place of the model's proposal; its path is relative to the project.
    amend: Option<Proposal>,
    /// Calls made before in the same session, which succeed.
    #[serde(default)]
    earlier: Vec<ModelCall>,
    /// Groups of tools that are on besides those that always are.
    #[serde(default)]
    groups: Vec<String>,
    /// Skills that the project has in `.agent/skills`, by name, with what they are for.
    #[serde(default)]
    skills: BTreeMap<String, String>,
    /// What is done around the model, where it is not the usual.
    #[serde(default)]
    levers: LeverChanges,
    /// Seconds that a command in the background has to end at once, on a machine with more to do.
    at_once: Option<u64>,
}

impl Calling {
    fn of(case: &Case) -> Result<Calling, String> {
        serde_json::from_str(&case.call()).map_err(|error| error.to_string())
    }

    /// The tools over the project, for a person who has their own folder beside it.
    fn toolbox(&self, project: &Path) -> Toolbox {
        let card = |(name, description): (&String, &String)| SkillCard {
            name: name.clone(),
            description: description.clone(),
            path: project.join(".agent/skills").join(name).join("SKILL.md"),
        };
        let skills = self.skills.iter().map(card).collect();
        let user_folder = Some(project.with_file_name("user"));
        let usual = Ground::of_this_process(project.into()).unwrap();
        let at_once = self.at_once.map_or(usual.at_once, Duration::from_secs);
        let toolbox = Toolbox::with(Ground { user_folder, skills, at_once, ..usual }, &[]).0;
        let mut levers = Levers::default();
        levers.change(&self.levers);
        toolbox.adapt(levers);
        toolbox
    }
}

fn usual_room() -> usize {
    4_000
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // More than there are processors, for most cases wait for a program; not so many that one waits for the processor
    // longer than what it starts may take.
    arguments.test_threads.get_or_insert(8);
    // What PDF files say can be told only by a build that reads them.
    let left_out = |case: &Case| !cfg!(feature = "pdf") && case.name.starts_with("read_pdf");
    let trial = |case: Case| {
        let ignored = left_out(&case);
        Trial::test(case.name.clone(), move || play(&case).map_err(Failed::from)).with_ignored_flag(ignored)
    };
    let mut trials: Vec<Trial> = cases().into_iter().map(trial).collect();
    trials.push(Trial::test("every_tool_has_a_case", every_tool_has_a_case));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn every_tool_has_a_case() -> Result<(), Failed> {
    let place = TempDir::new().unwrap();
    let (mut missing, mut called) = (BTreeSet::<String>::new(), BTreeSet::new());
    for case in cases() {
        let calling = Calling::of(&case)?;
        let toolbox = calling.toolbox(place.path());
        let groups: Vec<String> = toolbox.groups().iter().map(|group| group.name.into()).collect();
        toolbox.offer(&groups);
        called.insert(toolbox.reach(&calling.call).map_or(calling.call.name.clone(), |reached| reached.name));
        missing.extend(toolbox.specs().into_iter().map(|spec| spec.name));
    }
    missing.retain(|name| !called.contains(name));
    assert_eq!(missing, BTreeSet::new());
    Ok(())
}

fn play(case: &Case) -> Result<(), String> {
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(run(case))
}

async fn run(case: &Case) -> Result<(), String> {
    let temporary = TempDir::new().unwrap();
    let top = temporary.path().canonicalize().unwrap();
    let project = top.join("project");
    std::fs::create_dir(&project).unwrap();
    lay_out(case, &project)?;
    let mut gate = Gate::new(&project);
    let (told, expected) = drive(case, &project, &mut gate).await?;
    let said = gate.said.iter().map(|line| format!("{line}\n")).collect::<String>() + &told;
    let said = said.replace(project.to_str().unwrap(), "$PROJECT").replace(top.to_str().unwrap(), "$TOP");
    let said = if case.is_about_git() { without_commit(said, &project) } else { said };
    compare_said(case, &said)?;
    compare(case, expected, &project)?;
    script(case, "check", &project)
}

/// The whole way of a call. Gives what was said, and the project right before the deed.
async fn drive(case: &Case, project: &Path, gate: &mut Gate) -> Result<(String, Tree), String> {
    let calling = Calling::of(case)?;
    let toolbox = calling.toolbox(project);
    let all: Vec<String> = toolbox.groups().iter().map(|group| group.name.into()).collect();
    let some = [&["core".to_owned(), "plan".to_owned()], calling.groups.as_slice()].concat();
    toolbox.offer(if calling.groups.is_empty() { &all } else { &some });
    let now = || tree(project);
    for call in &calling.earlier {
        made(call, &toolbox, &mut Gate::new(project)).await.map_err(|failure| failure.message)?;
    }
    script(case, "meanwhile", project)?;
    let reach = match toolbox.reach(&calling.call) {
        Ok(reached) => reached,
        Err(failure) => return Ok((failed("reach", &failure), now())),
    };
    let understood = understood(&reach, &calling.call.name);
    let Some(look) = gate.look(reach.action) else { return Ok((understood, now())) };
    let looked = Looked::from(&look);
    let planned = toolbox.plan(&calling.call, look).and_then(|job| amended(job, calling.amend.as_ref(), project));
    let job = match planned {
        Ok(job) => job,
        Err(failure) => return Ok((understood + &failed("plan", &failure), now())),
    };
    let title = understood + &previewed(&job.preview(), &job.action());
    if let Action::Session { act } = job.action() {
        // The session does it, not a tool.
        return Ok((format!("{title}act: {}\n", serde_json::to_string(&act).unwrap()), now()));
    }
    let Some(permit) = gate.deed(job.action(), &looked) else { return Ok((title, now())) };
    script(case, "between", project)?;
    let before = now();
    let (live, _heard) = unbounded_channel();
    let outcome = toolbox
        .perform(
            job,
            permit,
            Output {
                live,
                room: calling.room,
                intent: None,
                reaches: {
                    let (nobody, _) = unbounded_channel();
                    nobody
                },
            },
            Box::pin(std::future::pending()),
        )
        .await;
    Ok((title + &ended(&outcome), before))
}

/// A call from end to end, without a look at what it says.
async fn made(call: &ModelCall, toolbox: &Toolbox, gate: &mut Gate) -> Result<(), Failure> {
    let look = gate.look(toolbox.reach(call)?.action).expect("a case may look where it wants");
    let looked = Looked::from(&look);
    let job = toolbox.plan(call, look)?;
    let permit = gate.deed(job.action(), &looked).expect("a case may do what it wants");
    let (live, _heard) = unbounded_channel();
    let outcome = toolbox
        .perform(
            job,
            permit,
            Output {
                live,
                room: usual_room(),
                intent: None,
                reaches: {
                    let (nobody, _) = unbounded_channel();
                    nobody
                },
            },
            Box::pin(std::future::pending()),
        )
        .await;
    assert_eq!(outcome.status, Status::Done, "{}", outcome.told);
    Ok(())
}

fn amended(
    job: Box<dyn PlannedCall>,
    proposal: Option<&Proposal>,
    project: &Path,
) -> Result<Box<dyn PlannedCall>, Failure> {
    match proposal {
        None => Ok(job),
        Some(Proposal::Text { path, text }) => {
            job.amend(Proposal::Text { path: project.join(path), text: text.clone() })
        }
        Some(Proposal::Part { files, told }) => {
            let at = |file: &PartText| PartText { path: project.join(&file.path), text: file.text.clone() };
            job.amend(Proposal::Part { files: files.iter().map(at).collect(), told: told.clone() })
        }
        Some(proposal @ (Proposal::Command { .. } | Proposal::Profile { .. } | Proposal::Plan { .. })) => {
            job.amend(proposal.clone())
        }
    }
}

/// What was changed in the model's words.
fn understood(reached: &Reached, asked: &str) -> String {
    let name = if reached.name == asked { String::new() } else { format!("tool: {}\n", reached.name) };
    name + &reached.notes.iter().map(|note| format!("understood: {note}\n")).collect::<String>()
}

/// What the preview says. What it shows is what will be done.
fn previewed(preview: &Preview, action: &Action) -> String {
    let note = match (&preview.body, action) {
        (PreviewBody::Plain, Action::Read { .. }) => None,
        (PreviewBody::Diff { files }, Action::Write { changes }) => {
            assert_eq!(files.len(), changes.0.len());
            for (file, change) in files.iter().zip(&changes.0) {
                assert_eq!((&file.path, &file.after), (&change.path, &change.after));
                assert_eq!(file.before.is_some(), change.before.is_some());
            }
            notes(files)
        }
        (
            PreviewBody::Command { command, cwd, timeout_secs, profile, cover: _, files: _, note, background },
            action,
        ) => {
            let Action::Run { argv, .. } = action else { panic!("{action:?} is shown as a command") };
            let shown = Action::Run {
                command: command.clone(),
                argv: argv.clone(),
                cwd: cwd.clone(),
                timeout_secs: *timeout_secs,
                profile: *profile,
                background: *background,
                input: None,
            };
            assert_eq!(shown, *action);
            note.clone()
        }
        (PreviewBody::Plan { text }, Action::Session { act: SessionAct::Propose { plan } }) => {
            assert_eq!(text, plan);
            None
        }
        (PreviewBody::Plain, Action::Session { act: SessionAct::Todo { .. } }) => None,
        (
            PreviewBody::Choices { question, choices },
            Action::Session { act: SessionAct::Inquire { question: asked, choices: given } },
        ) => {
            assert_eq!((question, choices), (asked, given));
            None
        }
        (
            PreviewBody::Task { agent, prompt },
            Action::Session { act: SessionAct::Delegate { agent: who, prompt: told, .. } },
        ) => {
            assert_eq!((agent, prompt), (who, told));
            None
        }
        (body, action) => panic!("{body:?} for {action:?}"),
    };
    let note = note.map_or(String::new(), |note| format!("note: {note}\n"));
    format!("title: {}\n{note}", preview.title)
}

/// What is noted beside the differences; of which file, where there are several. And what is marked in one.
fn notes(files: &[FileDiff]) -> Option<String> {
    if let [file] = files {
        let marks = file.marks.iter().map(|mark| format!("mark: line {} {}", mark.line, mark.text));
        let noted: Vec<String> = file.note.clone().into_iter().chain(marks).collect();
        return (!noted.is_empty()).then(|| noted.join("\n"));
    }
    let line = |file: &FileDiff| {
        let what = match (&file.before, &file.after) {
            (None, _) => "new",
            (Some(_), Some(_)) => "changed",
            (Some(_), None) => "gone",
        };
        format!("{} {what}; {}", file.shown_path, file.note.as_deref().unwrap_or("-"))
    };
    Some(files.iter().map(line).collect::<Vec<_>>().join("\nnote: "))
}

fn failed(step: &str, failure: &Failure) -> String {
    format!("failed at {step}: {:?}\n{}\n", failure.kind, failure.message)
}

fn ended(outcome: &Outcome) -> String {
    // How long a command took is another each time.
    let summary = outcome.summary.split(" · ").next().unwrap_or_default();
    let detail = if outcome.detail.is_empty() || outcome.detail == outcome.told {
        String::new()
    } else {
        format!("\ndetail:\n{}", outcome.detail)
    };
    let image = |image: &Image| format!("image: {} {}x{}\n", image.mime, image.width, image.height);
    let images: String = outcome.images.iter().map(image).collect();
    format!("status: {:?}\nsummary: {summary}\n{images}told:\n{}{detail}", outcome.status, outcome.told)
}

/// `said` with `$HEAD` in place of the commit that is checked out, which is another each time it is made.
fn without_commit(said: String, project: &Path) -> String {
    let output = Command::new("git").args(["rev-parse", "--short", "HEAD"]).current_dir(project).output().unwrap();
    let commit = String::from_utf8(output.stdout).unwrap();
    match commit.trim() {
        commit if output.status.success() && !commit.is_empty() => said.replace(commit, "$HEAD"),
        _ => said,
    }
}

fn compare_said(case: &Case, said: &str) -> Result<(), String> {
    if std::env::var_os("UPDATE_CASES").is_some() {
        accepting::accept(case, said);
        return Ok(());
    }
    let expected = case.said();
    if said == expected { Ok(()) } else { Err(format!("expected:\n{expected}\nsaid:\n{said}")) }
}
