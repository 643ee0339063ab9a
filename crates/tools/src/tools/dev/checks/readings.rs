//! What test programs say, as counts, names, places and the first lines of each failure.
//!
//! Each kind of program has its file here. Nothing is guessed: what none of them can read is told as it stands.

mod go;
mod java;
mod javascript;
mod perl;
mod python;
mod rust;
mod tap;

#[cfg(test)]
mod tests;

use super::frameworks::Framework;
use crate::words::{self, shortened};
use regex::Regex;
use std::sync::LazyLock;

/// Failures that are told with what they said; of the others only the names.
const FAULTS: usize = 20;
const LINES: usize = 12;
/// Characters of such a line.
const WIDTH: usize = 240;
/// Names of failures that are told beyond those.
const NAMES: usize = 30;
/// Lines of the end of what cannot be read.
const TAIL: usize = 60;

/// What a test run came to.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Report {
    /// `None`: not told.
    pub(super) passed: Option<u64>,
    pub(super) failed: u64,
    pub(super) skipped: u64,
    pub(super) faults: Vec<TestFault>,
    /// What could not even be built or loaded.
    pub(super) broken: Vec<TestFault>,
}

/// A test that failed, or an error before any test ran.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct TestFault {
    pub(super) name: String,
    pub(super) spot: Option<TestSpot>,
    pub(super) lines: Vec<String>,
}

/// A line of a file, as the program named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TestSpot {
    pub(super) path: String,
    pub(super) line: u64,
}

pub(super) struct TestOutput<'a> {
    pub(super) framework: Framework,
    pub(super) text: &'a str,
    /// The path that Go's packages begin with.
    pub(super) module: &'a str,
}

/// What is made of it; `None`: it cannot be read.
pub(super) fn read(output: &TestOutput<'_>) -> Option<Report> {
    let text = output.text;
    match output.framework {
        Framework::Cargo => rust::cargo(text),
        Framework::Nextest => rust::nextest(text).or_else(|| rust::cargo(text)),
        Framework::Pytest => python::pytest(text),
        Framework::Node(_) => javascript::any(text).or_else(|| tap::read(text)),
        Framework::Go => go::read(text, output.module),
        Framework::Maven => java::maven(text),
        Framework::Gradle => java::gradle(text),
        Framework::Make => anything(text),
    }
}

/// Of who knows what program.
fn anything(text: &str) -> Option<Report> {
    let readers: [fn(&str) -> Option<Report>; 10] = [
        rust::nextest,
        rust::cargo,
        python::pytest,
        python::unittest,
        |text| go::read(text, ""),
        javascript::any,
        java::maven,
        java::gradle,
        perl::prove,
        tap::read,
    ];
    readers.into_iter().find_map(|read| read(text))
}

impl Report {
    /// Does it go with how the program ended? A failure of which nothing was read must not look like success.
    pub(super) fn agrees(&self, code: Option<i32>) -> bool {
        let fine = self.failed == 0 && self.broken.is_empty();
        // So pytest and nextest end where no test has the name.
        let nothing = self.ran() == Some(0) && [Some(4), Some(5)].contains(&code);
        code == Some(0) || !fine || nothing
    }

    /// How many tests ran or were skipped, if that is told.
    pub(super) fn ran(&self) -> Option<u64> {
        self.passed.map(|passed| passed + self.failed + self.skipped)
    }

    /// The names of what failed, in order.
    pub(super) fn failing(&self) -> Vec<String> {
        self.broken.iter().chain(&self.faults).map(|fault| fault.name.clone()).collect()
    }

    /// `2 passed, 1 failed, 1 skipped`.
    pub(super) fn counts(&self) -> String {
        let mut parts = Vec::new();
        match self.passed {
            Some(0) if self.failed > 0 || !self.broken.is_empty() || self.skipped > 0 => {}
            Some(0) => parts.push("no test ran".to_owned()),
            Some(passed) => parts.push(format!("{passed} passed")),
            None if self.failed == 0 && self.broken.is_empty() => parts.push("all passed".into()),
            None => {}
        }
        if self.failed > 0 {
            parts.push(format!("{} failed", self.failed));
        }
        if self.skipped > 0 {
            parts.push(format!("{} skipped", self.skipped));
        }
        if !self.broken.is_empty() {
            let early = if self.ran().unwrap_or_default() == 0 { " before any test ran" } else { "" };
            parts.push(words::count(self.broken.len() as u64, "error") + early);
        }
        parts.join(", ")
    }

    /// The failures, in lines; `place` names a spot as a person would.
    pub(super) fn faults(&self, place: &dyn Fn(&TestSpot) -> String) -> String {
        let all: Vec<(&str, &TestFault)> = self
            .broken
            .iter()
            .map(|fault| ("", fault))
            .chain(self.faults.iter().map(|fault| ("failed: ", fault)))
            .collect();
        let mut told = String::new();
        for (kind, fault) in all.iter().take(FAULTS) {
            told.push_str(&format!("\n{kind}{}", fault.heading(place)));
            for line in fault.said() {
                told.push_str(&format!("\n{}", format!("  {line}").trim_end()));
            }
        }
        let more: Vec<String> = all.iter().skip(FAULTS).take(NAMES).map(|(_, fault)| fault.heading(place)).collect();
        if !more.is_empty() {
            told.push_str(&format!("\n{} more failed: {}", all.len() - FAULTS, more.join(", ")));
        }
        if all.len() > FAULTS + NAMES {
            told.push_str(", …");
        }
        told
    }

    /// Without what was said twice.
    fn once(mut self) -> Self {
        for faults in [&mut self.faults, &mut self.broken] {
            let mut seen: Vec<TestFault> = Vec::new();
            faults.retain(|fault| {
                let new = !seen.iter().any(|known| known.name == fault.name && known.spot == fault.spot);
                if new {
                    seen.push(fault.clone());
                }
                new
            });
        }
        self
    }
}

impl TestFault {
    fn new(name: &str) -> Self {
        TestFault { name: name.trim().to_owned(), ..TestFault::default() }
    }

    fn heading(&self, place: &dyn Fn(&TestSpot) -> String) -> String {
        let name = shortened(&self.name, WIDTH);
        match &self.spot {
            Some(spot) => format!("{name} ({})", place(spot)),
            None => name,
        }
    }

    /// Its first lines, without what they are all indented by and without empty ones at the ends.
    fn said(&self) -> Vec<String> {
        let full: Vec<&str> = self.lines.iter().map(|line| line.trim_end()).collect();
        let indent = full.iter().filter(|line| !line.is_empty()).map(|line| line.len() - line.trim_start().len()).min();
        let indent = indent.unwrap_or_default();
        let lines: Vec<String> = full.iter().map(|line| shortened(line.get(indent..).unwrap_or(""), WIDTH)).collect();
        let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
        let last = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
        let lines = &lines[first..last];
        let mut said = lines[..lines.len().min(LINES)].to_vec();
        if lines.len() > LINES {
            said.push(format!("[… {} more]", words::count((lines.len() - LINES) as u64, "line")));
        }
        said
    }

    /// The spot, unless one is known.
    fn or_spot(&mut self, spot: Option<TestSpot>) {
        self.spot = self.spot.take().or(spot);
    }
}

/// The failures that stand one below another: `opens` begins one, `closes` ends it, and `takes` adds a line between these.
fn blocks(
    text: &str,
    opens: impl Fn(&str) -> Option<TestFault>,
    closes: impl Fn(&str) -> bool,
    takes: impl Fn(&mut TestFault, &str),
) -> Vec<TestFault> {
    let (mut faults, mut open) = (Vec::new(), false);
    for line in text.lines() {
        if let Some(fault) = opens(line) {
            faults.push(fault);
            open = true;
        } else if closes(line) {
            open = false;
        } else if let Some(fault) = faults.last_mut().filter(|_| open) {
            takes(fault, line);
        }
    }
    faults
}

/// The end of what cannot be read.
pub(super) fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let cut = lines.len().saturating_sub(TAIL);
    let gap = if cut > 0 { format!("[… {} before]\n", words::count(cut as u64, "line")) } else { String::new() };
    gap + &lines[cut..].iter().map(|line| shortened(line, WIDTH)).collect::<Vec<_>>().join("\n")
}

/// The first `path:line` in `line`.
fn spot(line: &str) -> Option<TestSpot> {
    static SPOT: LazyLock<Regex> = LazyLock::new(|| pattern(r#"([^\s()'"<>\[\]`]+\.[A-Za-z]\w*):(\d+)"#));
    let found = SPOT.captures(line)?;
    Some(TestSpot { path: found[1].trim_start_matches("file://").into(), line: found[2].parse().ok()? })
}

/// Its first group as a number; 0 where it is not there.
fn number(pattern: &Regex, text: &str) -> u64 {
    pattern.captures(text).and_then(|found| found[1].parse().ok()).unwrap_or_default()
}

pub(super) fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("it is written here")
}

/// How many come before `word` in `line`: `2 passed`.
fn counted(line: &str, word: &str) -> u64 {
    let words: Vec<&str> =
        line.split(|c: char| c.is_whitespace() || ",;|()=".contains(c)).filter(|w| !w.is_empty()).collect();
    let pair = words.windows(2).find(|pair| pair[1] == word);
    pair.and_then(|pair| pair[0].parse().ok()).unwrap_or_default()
}
