//! A question in words, and what a typed line answers to it.
//!
//! **Invariant.** Only a `y` that stands alone agrees: words behind it could be a condition.

use super::changes::{changed_files, reach_words};
use super::hunks::{TextHunk, hunks_of, without_those_out};
use super::matter::{Said, matter};
use agent_protocol::sanitize::figures::counted;
use agent_protocol::{Answer, AskId, CallOp, Op, PreviewBody, Proposal, Question, Rule, SandboxKind, Subject, TurnOp};
use std::collections::VecDeque;

/// Lines that are said at once; the others when they are asked for.
const AT_ONCE: usize = 150;

/// The letters of the offers, in their order.
const OFFERS: &str = "abcd";

/// What follows from an answer.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    Reply(Op),
    /// The question stands, and this is said.
    Say(Vec<String>),
}

impl Step {
    pub(super) fn say(words: impl Into<String>) -> Self {
        Step::Say(vec![words.into()])
    }
}

#[derive(Debug)]
pub(super) struct Review {
    question: Question,
    sandbox: SandboxKind,
    hunks: Vec<TextHunk>,
    unsaid: VecDeque<String>,
    /// A yes came although not all was said: another one counts.
    insisted: bool,
}

impl Review {
    pub(super) fn new(question: Question, sandbox: SandboxKind) -> Self {
        let hunks = match &question.preview.body {
            PreviewBody::Diff { files } | PreviewBody::Command { files, .. } => hunks_of(files),
            PreviewBody::Plain
            | PreviewBody::Fetch { .. }
            | PreviewBody::Call { .. }
            | PreviewBody::Task { .. }
            | PreviewBody::Plan { .. }
            | PreviewBody::Choices { .. } => Vec::new(),
        };
        Review { question, sandbox, hunks, unsaid: VecDeque::new(), insisted: false }
    }

    pub(super) fn id(&self) -> AskId {
        self.question.id
    }

    /// The question as it is asked first: what it is, and the answers last.
    pub(super) fn said(&mut self) -> Vec<String> {
        let Said { mut head, body } = matter(&self.question, self.sandbox);
        self.unsaid = body.into();
        if let PreviewBody::Diff { files } | PreviewBody::Command { files, .. } = &self.question.preview.body {
            self.unsaid.extend(changed_files(files, &self.hunks));
        }
        head.extend(self.more());
        head.extend(self.answers());
        head
    }

    /// The next lines.
    fn more(&mut self) -> Vec<String> {
        let count = self.unsaid.len().min(AT_ONCE);
        let mut lines: Vec<String> = self.unsaid.drain(..count).collect();
        if !self.unsaid.is_empty() {
            lines.push(format!("{} more; `more` says them", counted(self.unsaid.len(), "line")));
        }
        lines
    }

    /// Each answer with what it does.
    fn answers(&self) -> Vec<String> {
        if let PreviewBody::Choices { choices, .. } = &self.question.preview.body {
            let number = (!choices.is_empty()).then(|| "its number: this answer".to_owned());
            let own = "any other words: your own answer".to_owned();
            return number.into_iter().chain([own, "/no: no answer".into(), "/stop: end the turn".into()]).collect();
        }
        let (yes, no) = self.yes_and_no();
        let mut lines = vec![match self.count_out() {
            0 => format!("y: {yes}"),
            out => format!("y: approve without {out} of them"),
        }];
        lines.extend(self.offers().map(|(letter, words, _)| format!("{letter}: approve, and {words}")));
        lines.push(format!("n: {no}"));
        if self.takes_a_word() {
            lines.push("n and words: the same, and the model is told them".into());
        }
        if self.may_leave_out() {
            lines.push("2, or 2 and words: leave hunk 2 out, or take it in again; the model is told why".into());
        }
        lines.push(if self.stands_alone() { "stop: the same as n" } else { "stop: reject, and end the turn" }.into());
        lines.push("again: say it once more".into());
        lines
    }

    fn yes_and_no(&self) -> (&'static str, &'static str) {
        match &self.question.subject {
            Subject::Steps { .. } | Subject::Repeat { .. } | Subject::Stuck { .. } => ("go on", "stop here"),
            Subject::Again { .. } => ("start again", "leave it as it is"),
            Subject::Shorten { .. } => ("use it", "stop here"),
            Subject::Reach { .. } => ("approve this once", "reject; the command goes on"),
            Subject::Trust { .. } => ("trust it", "work without it"),
            Subject::Folder { .. } => ("yes, work here", "no, leave"),
            Subject::Cloud { .. } => ("use it", "choose another model"),
            Subject::Action { .. } if matches!(self.question.preview.body, PreviewBody::Plan { .. }) => {
                ("approve, and begin", "reject; with words: send it back with them")
            }
            Subject::Action { .. } => ("approve once", "reject"),
        }
    }

    /// What the line `answer` comes to.
    pub(super) fn answer(&mut self, line: &str) -> Step {
        let line = line.trim();
        let word = line.strip_prefix('/').unwrap_or(line).to_lowercase();
        let is_inquiry = matches!(self.question.preview.body, PreviewBody::Choices { .. });
        match word.as_str() {
            "" => return Step::say("nothing was answered; ? says the answers"),
            // In words of one's own these may be an answer.
            _ if is_inquiry && !line.starts_with(['/', '?']) => return self.chosen(line),
            "?" | "help" => return Step::Say(self.answers()),
            "more" if self.unsaid.is_empty() => return Step::say("all of it was said; `again` says it once more"),
            "more" => return Step::Say(self.more()),
            "again" => return Step::Say(self.said()),
            "stop" => return Step::Reply(self.stop()),
            _ if line.contains('\n') => return Step::say("nothing was answered: several lines came at once"),
            "n" | "no" => return self.reply(Answer::No { word: None }),
            _ if is_inquiry => return Step::say("answer first, or type /no"),
            "y" | "yes" => return self.yes(None),
            _ => {}
        }
        let offered = self.offers().find(|(letter, ..)| word == letter.to_string()).map(|(.., rule)| rule.clone());
        match (offered, numbers(line), line.split_once([' ', ',', ':', ';'])) {
            (Some(rule), ..) => self.yes(Some(rule)),
            (None, Some((numbers, why)), _) if self.may_leave_out() => self.leave_out(&numbers, why),
            (None, _, Some(("n" | "no" | "N" | "No", why))) => {
                let why = why.trim_start_matches([' ', ',', ':', ';']).to_owned();
                self.reply(Answer::No { word: Some(why).filter(|_| self.takes_a_word()) })
            }
            (None, _, Some(("y" | "yes" | "Y" | "Yes", _))) => {
                Step::say("nothing was answered: y has to stand alone; n may be followed by words to the model")
            }
            (None, ..) => Step::say("nothing was answered: that is none of the answers; ? says them"),
        }
    }

    /// A number chooses, other words are an answer of one's own.
    fn chosen(&self, line: &str) -> Step {
        let PreviewBody::Choices { choices, .. } = &self.question.preview.body else { return Step::Say(Vec::new()) };
        let number = line.parse::<usize>().ok().and_then(|number| choices.get(number.checked_sub(1)?));
        let word = number.cloned().unwrap_or_else(|| line.to_owned());
        self.reply(Answer::Yes { remember: None, word: Some(word) })
    }

    fn yes(&mut self, remember: Option<Rule>) -> Step {
        if !self.unsaid.is_empty() && !std::mem::replace(&mut self.insisted, true) {
            let left = counted(self.unsaid.len(), "line");
            return Step::say(format!(
                "nothing was answered: {left} were not said yet; `more` says them, and another yes approves all the same"
            ));
        }
        match (self.count_out(), remember) {
            (0, remember) => self.reply(Answer::Yes { remember, word: None }),
            (_, Some(_)) => Step::say("parts are left out: y approves the rest, and a number takes its hunk in again"),
            (out, None) => {
                let told = self.told();
                self.reply(match &self.question.preview.body {
                    PreviewBody::Diff { files } if out < self.hunks.len() => {
                        let files = without_those_out(files, &self.hunks);
                        Answer::Instead { proposal: Proposal::Part { files, told } }
                    }
                    _ => Answer::No { word: Some(told) },
                })
            }
        }
    }

    /// What the model is told of what is left out.
    fn told(&self) -> String {
        let PreviewBody::Diff { files } = &self.question.preview.body else { return String::new() };
        let named = self.hunks.iter().filter(|hunk| hunk.out).map(|hunk| {
            let name = files.get(hunk.file).map_or("", |file| &file.shown_path);
            let why = hunk.why.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
            [name, ", ", &reach_words(hunk), " of your text", &why].concat()
        });
        let named: Vec<String> = named.collect();
        format!(
            "I left {} of {} hunks of this change out: {}. The rest is written.",
            named.len(),
            self.hunks.len(),
            named.join("; ")
        )
    }

    /// Leaves these out, by their numbers from 1, or takes them in again.
    fn leave_out(&mut self, numbers: &[usize], why: Option<String>) -> Step {
        let of = self.hunks.len();
        if let Some(wrong) = numbers.iter().find(|number| !(1..=of).contains(*number)) {
            return Step::say(format!("nothing was left out: there is no hunk {wrong}; there are {of}"));
        }
        let chosen: Vec<usize> = numbers.iter().map(|number| number - 1).collect();
        if let Some(whole) = chosen.iter().find(|place| !self.hunks[**place].may_go) {
            return Step::say(format!(
                "nothing was left out: the file of hunk {} is written whole or not at all: it is new, deleted, or its line \
                 ends change",
                whole + 1
            ));
        }
        for place in chosen {
            let hunk = &mut self.hunks[place];
            hunk.out = why.is_some() || !hunk.out;
            hunk.why.clone_from(&why);
        }
        let out: Vec<String> =
            (1..).zip(&self.hunks).filter(|(_, hunk)| hunk.out).map(|(at, _)| at.to_string()).collect();
        Step::say(match out.len() {
            0 => format!("no hunk is left out: y approves all {of}"),
            all if all == of => "every hunk is left out: y rejects the change, and tells the model why".to_owned(),
            some => format!("left out: {}; y approves the other {}", out.join(", "), of - some),
        })
    }

    fn reply(&self, answer: Answer) -> Step {
        Step::Reply(Op::Call(CallOp::Reply { ask: self.id(), answer }))
    }

    /// No, and the turn ends. Outside a turn there is nothing to end.
    fn stop(&self) -> Op {
        if self.stands_alone() {
            return Op::Call(CallOp::Reply { ask: self.id(), answer: Answer::No { word: None } });
        }
        Op::Turn(TurnOp::Interrupt)
    }

    fn stands_alone(&self) -> bool {
        matches!(self.question.subject, Subject::Folder { .. } | Subject::Trust { .. } | Subject::Cloud { .. })
    }

    /// A model that waits may be told something along with the answer.
    fn takes_a_word(&self) -> bool {
        match self.question.subject {
            Subject::Action { .. } | Subject::Steps { .. } | Subject::Repeat { .. } | Subject::Stuck { .. } => true,
            Subject::Reach { .. } => true,
            Subject::Again { .. } | Subject::Shorten { .. } | Subject::Folder { .. } => false,
            Subject::Trust { .. } | Subject::Cloud { .. } => false,
        }
    }

    /// What a command acts on is said as files, too, and is no change of theirs.
    fn may_leave_out(&self) -> bool {
        self.hunks.len() > 1 && matches!(self.question.preview.body, PreviewBody::Diff { .. })
    }

    fn count_out(&self) -> usize {
        self.hunks.iter().filter(|hunk| hunk.out).count()
    }

    /// Each offer with its letter and its words.
    fn offers(&self) -> impl Iterator<Item = (char, &str, &Rule)> {
        let offers = OFFERS.chars().zip(&self.question.offers);
        offers.map(|(letter, offer)| (letter, offer.words.as_str(), &offer.rule))
    }
}

/// `2 3: too wide`, `without 2, 3`: the numbers, and the words behind them.
fn numbers(line: &str) -> Option<(Vec<usize>, Option<String>)> {
    let mut rest = line.trim();
    for word in ["without ", "hunks ", "hunk "] {
        rest = rest.strip_prefix(word).unwrap_or(rest).trim_start();
    }
    let mut numbers = Vec::new();
    while let Some(end) = rest.find(|c: char| !c.is_ascii_digit()).or(Some(rest.len())).filter(|end| *end > 0) {
        numbers.push(rest[..end].parse().ok()?);
        rest = rest[end..].trim_start_matches([' ', ',', ':', ';']);
    }
    let why = Some(rest.to_owned()).filter(|why| !why.is_empty());
    (!numbers.is_empty()).then_some((numbers, why))
}
