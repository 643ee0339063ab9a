//! Writes a command line anew so that it tells how each of its parts ended, and says which of them failed without the
//! whole telling so.
//!
//! A shell's exit code is that of the last part: `cargo test | tail` ends with 0 under any failure, and of `a && b` nobody knows
//! whose code it is. What is added here reports each code to a file, and gives it back as it was; words, order, folders and variables of the line stay, and
//! the same shell runs it. A line that is not taken apart for certain stays as it is.

mod benign;
pub(super) mod cut;

use agent_protocol::PartEnd;
use benign::FailedPart;
use cut::{Connector, List, PipePart};
use std::collections::HashMap;
use std::path::Path;

/// The function that reports; a line that names it is left alone.
const REPORTS: &str = "__agent_end";

/// A line that tells how its parts end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// What is to be run in place of the line.
    pub line: String,
    lists: Vec<List>,
}

/// Has `command` tell how its parts end, one line each in the file `report`. `None` where the exit code says it all, or
/// where the line cannot be taken apart for certain.
pub fn watched(command: &str, report: &Path) -> Option<Watched> {
    let report = report.to_str().filter(|path| !path.contains(['\'', '\n']))?;
    let told_of_itself = [REPORTS, "PIPESTATUS"].iter().any(|word| command.contains(word));
    if told_of_itself {
        return None;
    }
    let lists = cut::cut(command)?;
    let hides = lists.len() > 1 || lists.iter().any(|list| list.parts() > 1);
    hides.then(|| Watched { line: anew(command, &lists, report), lists })
}

/// The line with what reports. `echo` is of the shell itself, and the status goes on as it came.
fn anew(command: &str, lists: &[List], report: &str) -> String {
    let mut added: Vec<(usize, String)> = Vec::new();
    let mut number = 0;
    for (place, list) in lists.iter().enumerate() {
        for (turn, (_, pipe)) in list.pipes.iter().enumerate() {
            let is_last = place + 1 == lists.len() && turn + 1 == list.pipes.len();
            // What goes on in the background is nobody's end.
            if !list.behind {
                add(pipe, number, is_last, &mut added);
            }
            number += pipe.len();
        }
    }
    // What opens stands in order of its start already, and of two at one place the outer one comes first.
    added.sort_by_key(|(at, _)| *at);
    let mut line = format!(
        "{REPORTS}() {{ set -- \"$1\" \"$?\"; {{ echo \"$1 $2\" >>'{report}'; }} 2>/dev/null || :; return \"$2\"; }}; "
    );
    let mut from = 0;
    for (at, text) in added {
        line.push_str(&command[from..at]);
        line.push_str(&text);
        from = at;
    }
    line.push_str(&command[from..]);
    line
}

/// What one pipe gets. The last part of the whole line stays as it is: its end is that of the line.
fn add(pipe: &[PipePart], number: usize, is_last: bool, added: &mut Vec<(usize, String)>) {
    let (Some(first), Some(last)) = (pipe.first(), pipe.last()) else { return };
    if !is_last {
        added.push((first.from, "{ ".into()));
    }
    for (part, number) in pipe.iter().zip(number..).take(pipe.len() - 1) {
        added.push((part.from, "{ ".into()));
        // A shell that ends at the first failure would not come to a second command.
        let told = if part.simple {
            format!(" && {REPORTS} {number} || {REPORTS} {number}; }}")
        } else {
            format!("; {REPORTS} {number}; }}")
        };
        added.push((part.to, told));
    }
    if !is_last {
        added.push((last.to, format!("; {REPORTS} {}; }}", number + pipe.len() - 1)));
    }
}

impl Watched {
    /// The parts that failed and of which the exit code `code` of the whole says nothing, each with those that it is read
    /// together with; behind them the one of several that failed with that code. `report` is what was reported, `output` what was said.
    pub fn hidden(&self, report: &str, code: i32, output: &str) -> Vec<PartEnd> {
        let codes: HashMap<usize, i32> = report
            .lines()
            .filter_map(|line| line.split_once(' '))
            .filter_map(|(number, code)| Some((number.parse().ok()?, code.parse().ok()?)))
            .collect();
        let mut ends = Vec::new();
        let mut number = 0;
        // Whoever left the shell on the way ended it with the code of its own.
        let mut source = Some(None);
        for (place, list) in self.lists.iter().enumerate() {
            let is_last = place + 1 == self.lists.len();
            let whole = is_last.then_some(code);
            if !list.behind {
                let ran = Ran { list, first: number, codes: &codes, whole };
                ends.extend(ran.hidden(output));
                source = source.and_then(|_| ran.source().map(Some));
            }
            number += list.parts();
        }
        let is_list = self.lists.iter().map(|list| list.pipes.len()).sum::<usize>() > 1;
        // What only gives a code back failed at nothing.
        let tells = |part: &PipePart| !matches!(part.program(), "exit" | "return" | "false");
        let failed = source.flatten().filter(|(part, ended)| is_list && code != 0 && *ended == code && tells(part));
        let failed = failed.map(|(part, code)| end(part, code)).filter(|failed| !ends.contains(failed));
        ends.extend(failed);
        ends
    }
}

/// How one list of the line went.
struct Ran<'a> {
    list: &'a List,
    /// The number of its first part.
    first: usize,
    codes: &'a HashMap<usize, i32>,
    /// The exit code of the whole, where this is its last list.
    whole: Option<i32>,
}

impl<'a> Ran<'a> {
    /// The part whose code is that of the list. `None`: the shell was left on the way.
    fn source(&self) -> Option<(&'a PipePart, i32)> {
        let (mut number, mut found) = (self.first, None);
        for (turn, (joint, pipe)) in self.list.pipes.iter().enumerate() {
            number += pipe.len();
            if !runs(*joint, found.map(|(_, code)| code)) {
                continue;
            }
            let last_of_all = turn + 1 == self.list.pipes.len();
            let told = self.codes.get(&(number - 1)).copied();
            found = Some((pipe.last()?, told.or(self.whole.filter(|_| last_of_all))?));
        }
        found
    }

    fn hidden(&self, output: &str) -> Vec<PartEnd> {
        let mut ends = Vec::new();
        let (mut number, mut status) = (self.first, None);
        let mut failed: Option<(&PipePart, i32)> = None;
        for (turn, (joint, pipe)) in self.list.pipes.iter().enumerate() {
            let last_of_all = turn + 1 == self.list.pipes.len();
            let first = number;
            number += pipe.len();
            if !runs(*joint, status) {
                continue;
            }
            let Some(last) = pipe.last() else { return ends };
            if let (Connector::Or, Some((part, code))) = (joint, failed.take())
                && last.only_speaks()
                && !benign::is_let_go(&part.words, code)
            {
                ends.extend([end(part, code), end(last, 0)]);
            }
            let told = self.codes.get(&(number - 1)).copied();
            let code = told.or(self.whole.filter(|_| last_of_all));
            ends.extend(self.in_pipe(pipe, first, code, output));
            // It left the shell, or was ended: what came after did not run.
            let Some(code) = code else { return ends };
            status = Some(code);
            failed = (code != 0).then_some((last, code));
        }
        // With another list behind it nobody hears of how this one ended.
        if let (Some((part, code)), None) = (failed, self.whole)
            && (part.program() == "cd" || !benign::is_let_go(&part.words, code))
        {
            ends.push(end(part, code));
        }
        ends
    }

    /// Of a pipe only the last part is heard.
    fn in_pipe(&self, pipe: &[PipePart], first: usize, last: Option<i32>, output: &str) -> Vec<PartEnd> {
        let known = |at: usize| if at + 1 == pipe.len() { last } else { self.codes.get(&(first + at)).copied() };
        let is_hidden = |at: usize| {
            let code = known(at).unwrap_or_default();
            let seen = FailedPart { words: &pipe[at].words, code, after: &pipe[at + 1..], output };
            code != 0 && !seen.is_benign()
        };
        if !(0..pipe.len().saturating_sub(1)).any(is_hidden) {
            return Vec::new();
        }
        pipe.iter().enumerate().filter_map(|(at, part)| Some(end(part, known(at)?))).collect()
    }
}

/// Does a pipe run that is joined so to those that ended with `status`?
fn runs(joint: Connector, status: Option<i32>) -> bool {
    match (joint, status) {
        (Connector::First, _) => true,
        (Connector::And, Some(code)) => code == 0,
        (Connector::Or, Some(code)) => code != 0,
        (Connector::And | Connector::Or, None) => false,
    }
}

fn end(part: &PipePart, code: i32) -> PartEnd {
    PartEnd { words: part.shown(), code }
}

#[cfg(test)]
mod tests;
