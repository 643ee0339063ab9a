//! What is told of a command that ended: one text for the model, one for the user.

use super::{LONGEST, Run, Said, Told, serves};
use crate::plain::plain;
use crate::routine::folded;
use crate::{cap, words};
use agent_policy::Permit;
use agent_protocol::{Blocked, Failure, FailureKind, Outcome, Profile, SandboxReport, Status};
use agent_sandbox::{Ended, Ending, Kept, Remains, SandboxError};
use std::time::Duration;

/// How the model gets what is cut.
pub(crate) const REST: &str = "send the output to a file and search it, or make the command print less";

/// What came of `run`, told in `room` bytes.
pub(super) fn outcome(
    run: &Run,
    permit: Permit,
    ended: Ended,
    (report, refused): (SandboxReport, &[String]),
    room: usize,
) -> Outcome {
    let shown = shown(&ended.output);
    let (mut status, heading, mut summary) = ending(run, &ended, &report, (permit.sandbox().time(), &shown));
    let read = read(run, &ended, &shown, room);
    if let Some(Told { cannot_run: true, summary: why, .. }) = &read {
        (status, summary) = (Status::Failed { kind: FailureKind::CannotRun }, why.clone());
    } else if let Some(read) = &read {
        summary.insert_str(0, &format!("{} · ", read.summary));
    }
    summary.push_str(match ended.remains {
        Remains::Nothing => "",
        Remains::Ended => " · what it left in the background was ended",
        Remains::Escaped => " · a process it detached is still running",
    });
    let mut told = changed(run);
    told.push_str(&heading);
    told.push_str(remark(ended.remains));
    let failing = read.as_ref().and_then(|read| read.failing.clone());
    let fenced = fenced(&report, permit.sandbox().profile()) + &not_reached(refused);
    told.push_str(&fenced);
    if let Some(read) = read {
        told.push('\n');
        told.push_str(&read.told);
    } else if shown.head.trim().is_empty() && shown.tail.is_empty() {
        told.push_str(if fenced.is_empty() { ", no output" } else { "\nno output" });
    } else {
        told.push('\n');
        let used = told.len();
        told.push_str(&cap::kept(&shorter(shown, run.folds), room.saturating_sub(used), REST));
    }
    let detail = ran_as(run, &permit) + &detail(&ended.output);
    let fence = (report != SandboxReport::default()).then_some(report);
    Outcome { status, told, summary, detail, fence, changed: Vec::new(), failing, images: Vec::new(), job: None }
}

/// That another command ran than the model's.
pub(super) fn changed(run: &Run) -> String {
    run.instead.as_ref().map_or(String::new(), |line| format!("the user changed the command to: {line}\n"))
}

/// What the tool makes of it, where it ended by itself.
fn read(run: &Run, ended: &Ended, shown: &Kept, room: usize) -> Option<Told> {
    // What the user put in its place may say something else altogether.
    let reading = run.wanted.reading.as_ref().filter(|_| run.instead.is_none())?;
    let code = match ended.ending {
        Ending::Exited(code) => Some(code),
        Ending::Signalled(_) => None,
        Ending::TimedOut => return None,
    };
    let cut = shown.lost.bytes > 0;
    let gap = if cut { "\n" } else { "" };
    let text = format!("{}{gap}{}", shown.head, shown.tail);
    reading(&Said { code, text: &text, raw: &ended.output.head, cut, room })
}

/// The status, a heading for the model and a line for the user.
fn ending(
    run: &Run,
    ended: &Ended,
    report: &SandboxReport,
    (limit, shown): (Duration, &Kept),
) -> (Status, String, String) {
    let took = seconds(ended.took);
    match (ended.ending, report.parts_words()) {
        (Ending::Exited(0), Some(parts)) => (
            Status::Exited { code: Some(0) },
            format!("exit code 0, but: {parts}"),
            format!("exit 0, but {parts} · {took}"),
        ),
        (Ending::Exited(code), Some(parts)) => (
            Status::Exited { code: Some(code) },
            format!("exit code {code}, of its parts: {parts}"),
            format!("exit {code}, parts: {parts} · {took}"),
        ),
        (ending, _) => whole(run, ending, &took, (limit, shown)),
    }
}

fn whole(run: &Run, ending: Ending, took: &str, (limit, shown): (Duration, &Kept)) -> (Status, String, String) {
    match ending {
        Ending::Exited(0) => (Status::Done, "exit code 0".into(), format!("exit 0 · {took}")),
        Ending::Exited(code) => {
            (Status::Exited { code: Some(code) }, format!("exit code {code}"), format!("exit {code} · {took}"))
        }
        Ending::Signalled(signal) => {
            (Status::Exited { code: None }, format!("ended by signal {signal}"), format!("signal {signal} · {took}"))
        }
        Ending::TimedOut => {
            let after = limit.as_secs();
            let serves = serves::serves(&run.command(), shown) && run.wanted.has_timeout;
            let (told, summary) = match serves {
                true => (serves::told(after), format!("timed out after {after} s; {}", serves::SHOWN)),
                false => (timed_out(run, after), format!("timed out after {after} s")),
            };
            (Status::Failed { kind: FailureKind::Timeout }, told, summary)
        }
    }
}

/// A command that nobody was asked about has less time than it asked for.
fn timed_out(run: &Run, after: u64) -> String {
    let advice = match run.wanted.timeout_secs {
        asked if after < asked => "a command that only reads has no longer; make it do less at a time",
        _ if !run.wanted.has_timeout => "there is no more time for it; do less at a time, or use run_command",
        LONGEST.. => "that is the longest there is; make the command do less at a time",
        _ => "set timeout higher (at most 600) if it needs longer",
    };
    format!("stopped after {after} s; {advice}")
}

fn remark(remains: Remains) -> &'static str {
    match remains {
        Remains::Nothing => "",
        Remains::Ended => "; what it left running in the background was ended",
        Remains::Escaped => "; a process that it detached is still running",
    }
}

/// What the fence has to tell, in words that follow the heading.
fn fenced(report: &SandboxReport, profile: Profile) -> String {
    let mut words = String::new();
    if let Some(blocked) = report.blocked {
        let place = report.place.as_ref().map_or(String::new(), |place| format!(" ({})", plain(place)));
        let (profile, what, help) = (profile.words(), blocked.words(), help(blocked));
        words.push_str(&match report.unsure {
            true => format!(
                "; the sandbox may be a reason: this command ran with \"{profile}\", which can keep it from \
                 {what}{place}. {help}"
            ),
            false => format!(
                "; the sandbox is the likely reason: this command ran with \"{profile}\" and was kept from \
                 {what}{place}. {help}. The user has been told and may let it reach further; do not look for a way around"
            ),
        });
    }
    if !report.tampered.is_empty() {
        words.push_str(&format!(
            "\nnote: files that other programs obey are not as they were, and the user has been told: {}",
            report.tampered.join(", ")
        ));
    }
    words
}

/// What would help, besides a wider reach.
fn help(blocked: Blocked) -> &'static str {
    match blocked {
        Blocked::Network => "It needs the user's yes to that host, or a way to do without",
        Blocked::Writing => "Write in the project or in $TMPDIR if that will do",
    }
}

/// Hosts that were not reached and why, in words that follow the heading.
fn not_reached(refused: &[String]) -> String {
    refused.iter().map(|why| format!("\nnote: {why}")).collect()
}

/// The same with a word to the user: no alarm, but what they may otherwise rely on is not so here.
pub(super) fn watched_in_part(outcome: Outcome) -> Outcome {
    let summary = format!("{} · not all protected files are watched", outcome.summary);
    let detail = format!(
        "[this project has more folders or protected files than are watched; look at changes to the others yourself]\n{}",
        outcome.detail
    );
    Outcome { summary, detail, ..outcome }
}

/// For the user: the line that ran, where it is not the text that was shown.
fn ran_as(run: &Run, permit: &Permit) -> String {
    match permit.line() {
        Some(line) if line != run.command().trim() => format!("[ran as: {line}]\n"),
        Some(_) | None => String::new(),
    }
}

/// The output as the model reads it.
pub(crate) fn shown(output: &Kept) -> Kept {
    Kept { head: plain(&output.head), lost: output.lost, tail: plain(&output.tail) }
}

/// The same without what says nothing, where that `folds`.
pub(crate) fn shorter(shown: Kept, folds: bool) -> Kept {
    if !folds {
        return shown;
    }
    Kept { head: folded(&shown.head), lost: shown.lost, tail: folded(&shown.tail) }
}

/// The output as it came, for the user.
pub(crate) fn detail(output: &Kept) -> String {
    match output.lost.bytes {
        0 => output.head.clone(),
        lost => format!("{}\n[… {} were not kept]\n{}", output.head, words::size(lost), output.tail),
    }
}

/// Why there is nothing to tell.
pub(super) fn not_started(error: &SandboxError) -> Failure {
    let kind = match error {
        SandboxError::TooLong => FailureKind::TooLarge,
        SandboxError::NoFolder { .. } => FailureKind::NotFound,
        SandboxError::NoSandbox { .. } => FailureKind::Denied,
        SandboxError::NoProgram { .. } => FailureKind::NotInstalled,
        SandboxError::Start { .. } => FailureKind::Io,
    };
    Failure::new(kind, error.to_string())
}

pub(crate) fn seconds(took: Duration) -> String {
    match took.as_secs() {
        whole @ 60.. => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{:.1} s", took.as_secs_f64()),
    }
}
