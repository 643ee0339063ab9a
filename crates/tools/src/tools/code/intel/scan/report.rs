//! Puts findings into lines, the worst first, as many as fit; what is the same in one file is one line.

use super::look::{Looked, PlacedFinding};
use super::secrets::MOST;
use crate::words;
use agent_protocol::Outcome;
use agent_syntax::security::Severity;
use std::collections::{BTreeMap, HashSet};

const LINES: usize = 80;
/// Places named in one line.
const PLACES: usize = 5;
/// What exactly was found, told in one line.
const WHATS: usize = 3;
/// Names of files that were not looked into.
const NAMES: usize = 8;

pub(super) fn outcome(mut looked: Looked, auditors: &str, room: usize) -> Outcome {
    looked.findings.sort_by(|one, other| {
        let weight = other.finding.weight().cmp(&one.finding.weight());
        let worst = other.finding.severity.cmp(&one.finding.severity);
        weight.then(worst).then_with(|| one.file.cmp(&other.file)).then(one.finding.line.cmp(&other.finding.line))
    });
    let heading = heading(&looked);
    let remarks = remarks(&looked, auditors);
    let lines = lines(&looked.findings);
    let mut told = format!("{heading}\n");
    let room = room.saturating_sub(remarks.len() + 80);
    let mut shown = 0;
    for line in lines.iter().take(LINES) {
        if told.len() + line.len() + 1 > room {
            break;
        }
        told.push_str(line);
        told.push('\n');
        shown += 1;
    }
    if shown < lines.len() {
        let more = words::count((lines.len() - shown) as u64, "more line");
        told.push_str(&format!("[… {more}, none worse; narrow the path, or give a severity]\n"));
    }
    told.push_str(&remarks);
    let summary = words::count(looked.findings.len() as u64, "finding");
    words::done(told.clone(), summary, told)
}

/// `7 findings in 120 files (1.2 MB): 1 critical, 6 low`.
fn heading(looked: &Looked) -> String {
    let place = format!("{} ({})", words::count(looked.files as u64, "file"), words::size(looked.bytes));
    let count = |severity: Severity| {
        let number = looked.findings.iter().filter(|place| place.finding.severity == severity).count();
        (number > 0).then(|| format!("{number} {}", severity.name()))
    };
    let counts: Vec<String> = Severity::ALL.into_iter().filter_map(count).collect();
    match counts.is_empty() {
        true => format!("nothing found in {place}; what was not looked for may be there"),
        false => format!("{} in {place}: {}", words::count(looked.findings.len() as u64, "finding"), counts.join(", ")),
    }
}

/// One line for each rule in each file; for what is said of whole files, one for all of them.
fn lines(findings: &[PlacedFinding]) -> Vec<String> {
    let mut groups: Vec<Vec<&PlacedFinding>> = Vec::new();
    let mut known: BTreeMap<(&str, &str, &str, u8), usize> = BTreeMap::new();
    for place in findings {
        let finding = &place.finding;
        let file = if finding.line == 0 { "" } else { place.file.as_str() };
        // Each key is told apart; what blocks of one kind do is told together.
        let apart = if finding.rule.starts_with("secret-") { finding.what.as_str() } else { "" };
        let at = *known.entry((file, finding.rule, apart, finding.weight())).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(place),
            None => groups.push(vec![place]),
        }
    }
    let mut said = HashSet::new();
    groups.iter().map(|group| line(group, said.insert(group[0].finding.rule))).collect()
}

/// `high likely src/a.py:3,9 py-tls: why; fix`, or without why and fix where another line said it.
fn line(group: &[&PlacedFinding], is_new: bool) -> String {
    let PlacedFinding { file, finding } = group[0];
    let more = group.len().saturating_sub(PLACES);
    let more = if more > 0 { format!(" (+{more})") } else { String::new() };
    let places = match finding.line {
        0 => group.iter().take(PLACES).map(|place| place.file.as_str()).collect::<Vec<_>>().join(", "),
        _ => {
            let numbers: Vec<String> = group.iter().take(PLACES).map(|place| place.finding.line.to_string()).collect();
            format!("{file}:{}", numbers.join(","))
        }
    };
    let (severity, confidence) = (finding.severity.name(), finding.confidence.name());
    let why = if is_new { format!(": {}; {}", finding.why, finding.fix) } else { String::new() };
    let what = what(group);
    format!("{severity} {confidence} {places}{more} {}{what}{why}", finding.rule)
}

/// ` (libc::kill, libc::fork …)`; empty where the rule says it all.
fn what(group: &[&PlacedFinding]) -> String {
    let mut said = Vec::new();
    let all = group.iter().map(|place| place.finding.what.as_str()).filter(|what| !what.is_empty());
    all.for_each(|what| {
        if !said.contains(&what) {
            said.push(what)
        }
    });
    let more = if said.len() > WHATS { " …" } else { "" };
    said.truncate(WHATS);
    if said.is_empty() { String::new() } else { format!(" ({}{more})", said.join(", ")) }
}

fn remarks(looked: &Looked, auditors: &str) -> String {
    let mut remarks = Vec::new();
    if !looked.closed.is_empty() {
        let names = named(&looked.closed);
        remarks.push(format!("[not looked into, for their names say that they hold secrets: {names}]"));
    }
    if !looked.cut.is_empty() {
        remarks.push(format!("[only the first {MOST} secrets are told of each of: {}]", named(&looked.cut)));
    }
    if looked.too_large > 0 {
        remarks.push(format!("[{} larger than 1 MB not looked into]", words::count(looked.too_large as u64, "file")));
    }
    if looked.not_reached > 0 {
        let files = words::count(looked.not_reached as u64, "file");
        remarks.push(format!("[time was up: {files} not looked into; give a path]"));
    }
    remarks.extend((!auditors.is_empty()).then(|| auditors.to_owned()));
    remarks.join("\n")
}

/// The first of `files` by their names, and how many more there are.
fn named(files: &[String]) -> String {
    let more = files.len().saturating_sub(NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", files[..files.len().min(NAMES)].join(", "))
}
