//! `format_code`: a formatter runs on a copy, and what it makes of it is a change like any other.

use super::PATH;
use super::formatters::{self, Filter, Way};
use super::place::{CheckedPlace, reach};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter, Refusal, When};
use crate::change::{Author, Before, EditPart, Edits, Findings, KnownState, Verb, before, counts_within};
use crate::program::WantedRun;
use crate::read_only_job;
use crate::tools::ToolContext;
use crate::{PlannedCall, Tool, words};
use agent_policy::{Leave, Permit};
use agent_protocol::{Action, Failure, FailureKind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Files that one call formats. Each takes a program's start, and a person is to look at all of them.
const MOST: usize = 50;
/// Characters of what a formatter complains of.
const COMPLAINT: usize = 1_500;
/// The longest that the files of one call are formatted; each takes a program's start.
const TIME: Duration = Duration::from_secs(20);
const LATE: &str = "there was no time for them; format them in another call";
/// Files that are left out and named, for each reason.
const NAMED: usize = 10;
/// Time to count the lines that would change in one file.
const COUNTING: Duration = Duration::from_millis(200);

pub(super) static FORM: Form = Form {
    tool: "format_code",
    group: Group::Dev,
    aliases: "format formatter fmt format_file format_files code_format autoformat auto_format reformat prettify",
    description: include_str!("format_code.md"),
    parameters: &[
        PATH.required().says("file or folder"),
        Parameter::new("check", Kind::Flag, "true").also("checkonly dryrun dry preview verify checkformatting diff"),
    ],
    refused: &[Refusal {
        names: "startline endline lines range linerange linelength indent style config",
        when: When::Given,
        advice: "format_code formats whole files, as the project's own settings say: leave it out, or use run_command",
    }],
    ..BLANK
};

pub(super) struct FormatCode;

/// A file and what becomes of it.
struct Formatted {
    path: PathBuf,
    before: Before,
    after: String,
}

/// A file that stays as it is, or does not.
enum Made {
    Same,
    Other(Formatted),
}

/// What became of the files of one call.
#[derive(Default)]
struct Sorted {
    others: Vec<Formatted>,
    same: u64,
    notes: Vec<String>,
    /// Those that stay as they are, by the reason.
    left: Vec<(FailureKind, String, Vec<String>)>,
}

impl Sorted {
    fn add(&mut self, made: Made, note: Option<String>) {
        match made {
            Made::Same => self.same += 1,
            Made::Other(other) => self.others.push(other),
        }
        self.notes.extend(note.filter(|note| !self.notes.contains(note)));
    }

    fn leave(&mut self, kind: FailureKind, why: &str, shown: String) {
        match self.left.iter_mut().find(|(_, known, _)| known == why) {
            Some((.., files)) => files.push(shown),
            None => self.left.push((kind, why.into(), vec![shown])),
        }
    }

    fn note(&self) -> Option<String> {
        joined(self.notes.iter().cloned().map(Some))
    }

    /// Which files stay as they are, and why.
    fn left_out(&self) -> Option<String> {
        joined(self.left.iter().map(|(_, why, files)| Some(format!("left out: {} ({why})", some_of(files)))))
    }

    /// Why none was formatted.
    fn nothing(&self) -> Failure {
        let kind = self.left.first().map_or(FailureKind::NotFound, |(kind, ..)| *kind);
        Failure::new(kind, self.left_out().unwrap_or_else(|| "there is no file to format".into()))
    }
}

/// The first few, and how many more.
fn some_of(files: &[String]) -> String {
    match files.len().saturating_sub(NAMED) {
        0 => files.join(", "),
        more => format!("{} and {more} more", files[..NAMED].join(", ")),
    }
}

fn joined(parts: impl IntoIterator<Item = Option<String>>) -> Option<String> {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

impl Tool for FormatCode {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        Ok(reach(&kit.workspace, &paths(kit, arguments)?))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let files = files(kit, paths(kit, arguments)?)?;
        planned(kit, files, arguments.flag("check")?, &look, Instant::now() + TIME)
    }
}

fn paths(kit: &ToolContext, arguments: &Arguments) -> Result<Vec<PathBuf>, Failure> {
    let given = arguments.texts("path")?;
    if given.is_empty() {
        return Err(arguments.fault("path", "is missing; say which file or folder to format"));
    }
    given.iter().map(|path| kit.workspace.resolve(path)).collect()
}

/// The files that are meant; those in folders as far as they have a formatter.
fn files(kit: &ToolContext, paths: Vec<PathBuf>) -> Result<Vec<CheckedPlace>, Failure> {
    let mut files: Vec<CheckedPlace> = Vec::new();
    for path in paths {
        let place = CheckedPlace::find(&kit.workspace, path)?;
        let below = place.files().into_iter().filter(|file| place.is_file || formatters::is_known(file));
        for file in below {
            if !files.iter().any(|known| known.path == file) {
                files.push(CheckedPlace::find(&kit.workspace, file)?);
            }
        }
    }
    match files.len() {
        0 => Err(Failure::new(FailureKind::NotFound, "no file there has a known formatter; give the path of a file")),
        1..=MOST => Ok(files),
        many => {
            let message = format!(
                "{many} files are meant, at most {MOST} are formatted in one call; give a smaller folder, or run the \
                 formatter itself with run_command (cargo fmt, gofmt -w, black …)"
            );
            Err(Failure::new(FailureKind::TooLarge, message))
        }
    }
}

/// What `filter` makes of the file at `place`.
fn made(kit: &ToolContext, place: &CheckedPlace, filter: &Filter, look: &Permit) -> Result<Made, Failure> {
    let shown = place.shown(&place.path);
    let Some(before) = before(&kit.workspace, &place.path)? else {
        return Err(Failure::new(FailureKind::Stale, format!("{shown} is not there any more")));
    };
    let env: Vec<(&str, &str)> = filter.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let args: Vec<&str> = filter.args.iter().map(String::as_str).collect();
    let around = kit.runner.around();
    let text = before.text.as_bytes();
    let made = agent_sandbox::make(&filter.program, &args, around.temporary(), &env, text, around);
    let made = made.ok_or_else(|| not_run(&shown, filter))?;
    if made.code != Some(0) {
        let hidden = look.leave() == Leave::Rule && kit.workspace.is_secret(&place.path);
        let complaint = if hidden { String::new() } else { complaint(&made.errors, place, &shown) };
        return Err(refused(&shown, filter, &complaint));
    }
    let after = String::from_utf8(made.output).map_err(|_| refused(&shown, filter, "what it made is not UTF-8"))?;
    if after.trim().is_empty() && !before.text.trim().is_empty() {
        return Err(refused(&shown, filter, "it made nothing of it"));
    }
    if after == before.text {
        return Ok(Made::Same);
    }
    Ok(Made::Other(Formatted { path: place.path.clone(), before, after }))
}

fn planned(
    kit: &ToolContext,
    files: Vec<CheckedPlace>,
    check: bool,
    look: &Permit,
    until: Instant,
) -> Result<Box<dyn PlannedCall>, Failure> {
    let mut sorted = Sorted::default();
    let single = files.len() == 1;
    for place in &files {
        let shown = place.shown(&place.path);
        if !single && Instant::now() >= until {
            sorted.leave(FailureKind::Timeout, LATE, shown);
            continue;
        }
        match formatters::way(place, &kit.runner) {
            Ok(Way::Filter(filter)) => sorted.add(made(kit, place, &filter, look)?, filter.note),
            Ok(Way::Own { argv, check: checks, why }) if single => {
                return Ok(own(kit, place, if check { checks } else { argv }, why));
            }
            Ok(Way::Own { why, .. }) => {
                let why = format!("{why}; format such files one a call");
                sorted.leave(FailureKind::InvalidArguments, &why, shown);
            }
            // Of many files one kind may have no formatter here; that is no reason to leave the others.
            Err(failure) if !single && failure.kind == FailureKind::NotInstalled => {
                sorted.leave(failure.kind, &failure.message, shown);
            }
            Err(failure) => return Err(failure),
        }
    }
    let first = files.first().map(|place| place.path.clone()).unwrap_or_default();
    if sorted.others.is_empty() && sorted.same == 0 {
        return Err(sorted.nothing());
    }
    if sorted.others.is_empty() || check {
        return Ok(told(kit, first, sorted));
    }
    Ok(change(kit, sorted))
}

fn change(kit: &ToolContext, sorted: Sorted) -> Box<dyn PlannedCall> {
    let (left, note) = (sorted.left_out(), sorted.note());
    let Sorted { others, same, .. } = sorted;
    let rest = (same > 0).then(|| format!("{same} more had nothing to format"));
    let several = others.len() > 1;
    let title = format!("Format {}", words::count(others.len() as u64, "file"));
    let last = others.len().saturating_sub(1);
    let part = |(at, Formatted { path, before, after }): (usize, Formatted)| {
        let (note, left) = (note.clone(), left.clone().filter(|_| at == last));
        let rest = rest.clone().filter(|_| at == last && note.is_none());
        EditPart {
            known: KnownState::If(path.clone(), before.digest.clone()),
            path,
            before: Some(before),
            after: Some(after),
            verb: Verb::Edit,
            note: joined([note.clone(), left.clone()]),
            how: joined([note, rest, left]),
            author: Author::Model,
            findings: Findings::default(),
        }
    };
    let edits = Edits::new(kit.workspace.clone(), others.into_iter().enumerate().map(part).collect());
    if several { edits.titled(title) } else { edits }.planned()
}

/// What would change, of which nothing is written.
fn told(kit: &ToolContext, path: PathBuf, sorted: Sorted) -> Box<dyn PlannedCall> {
    let note = joined([sorted.note(), sorted.left_out()]);
    let Sorted { others, same, .. } = &sorted;
    let line = |file: &Formatted| {
        let (added, removed) = counts_within(&file.before.text, &file.after, COUNTING);
        format!("{}: {} added, {removed} removed", kit.workspace.shown(&file.path), words::count(added, "line"))
    };
    let mut told = match (others.len() as u64, *same) {
        (0, 1) => format!("{} is formatted already; nothing was written", kit.workspace.shown(&path)),
        (0, same) => format!("all {} are formatted already; nothing was written", words::count(same, "file")),
        (others, 0) => format!("formatting would change {}:", words::count(others, "file")),
        (others, same) => format!("formatting would change {others} of {}:", words::count(others + same, "file")),
    };
    for file in others {
        told.push_str(&format!("\n{}", line(file)));
    }
    if let Some(note) = note {
        told.push_str(&format!("\n[{note}]"));
    }
    let summary = if others.is_empty() { "unchanged".into() } else { words::count(others.len() as u64, "file") };
    let title = format!("Check the format of {}", kit.workspace.shown(&path));
    read_only_job::planned(path, title, "", Box::new(move |_, _| Ok(words::done(told, summary, String::new()))))
}

/// A program of the project is asked about, and run on the file itself.
fn own(kit: &ToolContext, place: &CheckedPlace, argv: Vec<String>, why: &str) -> Box<dyn PlannedCall> {
    let title = format!("Format {}", place.shown(&place.path));
    let wanted = WantedRun::argv(argv, place.folder.clone());
    kit.runner.job(WantedRun { title: Some(title), note: Some(why.into()), ..wanted })
}

/// The program as a person would say it.
fn name(filter: &Filter) -> String {
    filter.program.file_name().map_or_else(String::new, |name| name.display().to_string())
}

fn refused(shown: &str, filter: &Filter, complaint: &str) -> Failure {
    let said = if complaint.is_empty() { String::new() } else { format!(": {complaint}") };
    Failure::new(FailureKind::Io, format!("{} could not format {shown}, and nothing was changed{said}", name(filter)))
}

fn not_run(shown: &str, filter: &Filter) -> Failure {
    let message = format!(
        "{name} did not get through {shown} in 10 s and 1 MiB, or there is no sandbox here to run it in unasked; nothing was \
         changed: run {name} with run_command",
        name = name(filter)
    );
    Failure::new(FailureKind::Denied, message)
}

/// What the formatter says is wrong, with the file's name where it says that it came from nowhere.
fn complaint(errors: &[u8], place: &CheckedPlace, shown: &str) -> String {
    let text = crate::plain::plain(&String::from_utf8_lossy(errors));
    let mut text = text.replace(&place.path.display().to_string(), shown);
    for nowhere in ["<standard input>", "<stdin>", "<standard input"] {
        text = text.replace(nowhere, shown);
    }
    let text = text.trim();
    let short: String = text.chars().take(COMPLAINT).collect();
    if short.len() < text.len() { format!("{short} …") } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_listed_by_its_reason() {
        let mut sorted = Sorted::default();
        for number in 0..12 {
            sorted.leave(FailureKind::NotInstalled, "black is not installed", format!("{number}.py"));
        }
        sorted.leave(FailureKind::Timeout, LATE, "a.go".into());
        let expected = "left out: 0.py, 1.py, 2.py, 3.py, 4.py, 5.py, 6.py, 7.py, 8.py, 9.py and 2 more (black is not \
                        installed); left out: a.go (there was no time for them; format them in another call)";
        assert_eq!(sorted.left_out().unwrap(), expected);
        assert_eq!(sorted.nothing(), Failure::new(FailureKind::NotInstalled, expected));
    }
}
