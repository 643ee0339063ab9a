//! Is it as the row says?

use crate::house::House;
use crate::rows::{Ends, Left, Limits, Row, User};
use crate::tree::{Thing, names, thing};
use crate::words;
use agent_protocol::{Outcome, PreviewBody, Question, Status};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Machines are slow and busy, and a minute is still told from for ever.
const PATIENCE: f64 = 10.0;

/// What came of a row.
#[derive(Debug, Default)]
pub(crate) struct Happened {
    pub(crate) asked: Vec<Question>,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) took: Duration,
    pub(crate) most_memory_mb: u64,
}

pub(crate) fn check(
    row: &Row,
    house: &House,
    was: &BTreeMap<String, Option<Thing>>,
    happened: &Happened,
) -> Result<(), String> {
    ending(row, happened).map_err(|fault| format!("{fault}: {:?}", happened.outcomes))?;
    prompt(row, house, happened)?;
    told(row, happened)?;
    limits(&row.expect.limits, happened)?;
    for (name, left) in &row.expect.fs {
        let was = was.get(name).and_then(Option::as_ref);
        on_disk(&house.at(name), left, was).map_err(|fault| format!("{name} {fault}"))?;
    }
    Ok(())
}

fn ending(row: &Row, happened: &Happened) -> Result<(), String> {
    let kinds: Vec<Status> = happened.outcomes.iter().map(|outcome| outcome.status).collect();
    let asked = !happened.asked.is_empty();
    if asked && row.user.is_none() {
        return Err(format!("asked: {}", happened.asked[0].why));
    }
    let failed = row.expect.error_type.as_deref().map(|kind| Status::Failed { kind: words::kind(kind) });
    let good = |status: &Status| match row.expect.outcome {
        Ends::Ok => *status == Status::Done,
        Ends::Ask if row.user == Some(User::Approve) => *status == Status::Done,
        Ends::Ask => *status == Status::Refused,
        Ends::Error | Ends::Deny => failed.map_or(matches!(status, Status::Failed { .. }), |failed| *status == failed),
    };
    let asks = match row.expect.outcome {
        Ends::Ask => asked,
        Ends::Ok | Ends::Deny => !asked,
        Ends::Error => true,
    };
    if asks && !kinds.is_empty() && kinds.iter().all(good) {
        return Ok(());
    }
    Err(format!("expected {:?}, asked {} times, ended {kinds:?}", row.expect.outcome, happened.asked.len()))
}

/// Everything that the person has before them.
fn prompt(row: &Row, house: &House, happened: &Happened) -> Result<(), String> {
    let shown: String = happened.asked.iter().map(readable).collect();
    let drawn = words::ON_SCREEN.iter().find(|(id, _)| *id == row.id).map_or(&[][..], |(_, drawn)| *drawn);
    for words in &row.expect.prompt_shows {
        let carried = drawn.iter().find(|(theirs, _)| theirs == words).map(|(_, carried)| *carried);
        let words = carried.map_or_else(|| house.spelled(words::ours(words)), str::to_owned);
        if !shown.contains(&words) {
            return Err(format!("the question does not show {words:?}: {shown}"));
        }
    }
    Ok(())
}

fn readable(question: &Question) -> String {
    let mut text = format!("{}\n{}\n{}\n", question.preview.title, question.why, question.warnings.join("\n"));
    if let PreviewBody::Diff { files } = &question.preview.body {
        for file in files {
            let parts = [Some(&file.shown_path), file.note.as_ref(), file.before.as_ref(), file.after.as_ref()];
            parts.into_iter().flatten().for_each(|part| text.push_str(&format!("{part}\n")));
        }
    }
    text
}

fn told(row: &Row, happened: &Happened) -> Result<(), String> {
    let told: String = happened.outcomes.iter().map(|outcome| outcome.told.as_str()).collect();
    let said = &row.expect.result;
    let fault = |what: String| Err(format!("{what}: {told}"));
    match () {
        () if said.contains.as_ref().is_some_and(|it| !told.contains(it)) => fault("does not say it".into()),
        () if said.lacks.as_ref().is_some_and(|it| told.contains(it)) => fault("says it".into()),
        () if said.count.is_some_and(|count| told.lines().count() != count) => fault("not so many".into()),
        () if row.expect.limits.result_kb.is_some_and(|kb| told.len() > kb * 1024) => {
            Err(format!("{} bytes are too long", told.len()))
        }
        () => Ok(()),
    }
}

fn limits(limits: &Limits, happened: &Happened) -> Result<(), String> {
    let took = happened.took.as_secs_f64();
    match limits {
        Limits { seconds: Some(seconds), .. } if took > seconds * PATIENCE => Err(format!("took {took} s")),
        Limits { rss_mb: Some(most), .. } if happened.most_memory_mb > *most => {
            Err(format!("used {} MB", happened.most_memory_mb))
        }
        Limits { .. } => Ok(()),
    }
}

fn on_disk(path: &Path, left: &Left, was: Option<&Thing>) -> Result<(), String> {
    let now = thing(path);
    let same = now.as_ref() == was;
    let bytes = match &now {
        Some(Thing::File { bytes, .. }) => Some(bytes.as_slice()),
        Some(Thing::Link(_) | Thing::Folder | Thing::Special) | None => None,
    };
    let wrong = |what: &str| Err(format!("is not {what}: {now:?}"));
    let hex = |hex: &String| bytes.is_some_and(|bytes| to_hex(bytes) == *hex);
    let mode = |mode: &String| match &now {
        Some(Thing::File { mode: now, .. }) => format!("{now:o}") == *mode,
        Some(Thing::Link(_) | Thing::Folder | Thing::Special) | None => false,
    };
    match () {
        () if left.absent && now.is_some() => wrong("absent"),
        () if left.unchanged && !same => wrong("unchanged"),
        () if left.absent_or_unchanged && now.is_some() && !same => wrong("absent or unchanged"),
        () if left.content.as_ref().is_some_and(|text| bytes != Some(text.as_bytes())) => wrong("the text"),
        () if !left.hex.as_ref().is_none_or(hex) => wrong("the bytes"),
        () if left.contains_hex.as_ref().is_some_and(|it| !to_hex(bytes.unwrap_or_default()).contains(it)) => {
            wrong("holding the bytes")
        }
        () if !left.mode.as_ref().is_none_or(mode) => wrong("of the mode"),
        () if left.symlink.as_ref().is_some_and(|target| now != Some(Thing::Link(target.clone()))) => wrong("the link"),
        () if left.entries.as_ref().is_some_and(|entries| names(path) != *entries) => wrong("the folder"),
        () => Ok(()),
    }
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
