//! A question in words, and what a typed line answers to it.
//!
//! **Invariant.** Only a `y` that stands alone agrees: words behind it could be a condition.

use super::changes::{TextHunks, changed_files};
use super::matter::{Said, matter};
use agent_frontend::{Labels, Remaining, is_outside_turn, lettered_offers, reject_and_stop, reply, takes_feedback};
use agent_protocol::sanitize::figures::counted;
use agent_protocol::{Answer, AskId, Op, PreviewBody, Question, Rule, SandboxKind};
use std::collections::VecDeque;

/// Lines that are said at once; the others when they are asked for.
const AT_ONCE: usize = 150;

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
    changes: TextHunks,
    unsaid: VecDeque<String>,
    /// A yes came although not all was said: another one counts.
    insisted: bool,
}

impl Review {
    pub(super) fn new(question: Question, sandbox: SandboxKind) -> Self {
        let changes = match &question.preview.body {
            PreviewBody::Diff { files } | PreviewBody::Command { files, .. } => TextHunks::compare(files),
            PreviewBody::Plain
            | PreviewBody::Fetch { .. }
            | PreviewBody::Call { .. }
            | PreviewBody::Task { .. }
            | PreviewBody::Plan { .. }
            | PreviewBody::Choices { .. } => TextHunks::default(),
        };
        Review { question, sandbox, changes, unsaid: VecDeque::new(), insisted: false }
    }

    pub(super) fn id(&self) -> AskId {
        self.question.id
    }

    /// The question as it is asked first: what it is, and the answers last.
    pub(super) fn question_text(&mut self) -> Vec<String> {
        let Said { mut head, body } = matter(&self.question, self.sandbox);
        self.unsaid = body.into();
        if let PreviewBody::Diff { files } | PreviewBody::Command { files, .. } = &self.question.preview.body {
            self.unsaid.extend(changed_files(files, &self.changes));
        }
        head.extend(self.more());
        head.extend(self.answers());
        head
    }

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
        let Labels { yes, no } = Labels::of_question(&self.question);
        let mut lines = vec![match self.changes.hunks.count_out() {
            0 => format!("y: {yes}"),
            out => format!("y: approve without {out} of them"),
        }];
        lines.extend(lettered_offers(&self.question).map(|(letter, _, label)| format!("{letter}: {label}")));
        let is_plan = matches!(self.question.preview.body, PreviewBody::Plan { .. });
        lines.push(format!("n: {no}{}", if is_plan { "; with words: send it back with them" } else { "" }));
        if takes_feedback(&self.question) {
            lines.push("n and words: the same, and the model is told them".into());
        }
        if self.may_leave_out() {
            lines.push("2, or 2 and words: leave hunk 2 out, or take it in again; the model is told why".into());
        }
        lines.push(
            if is_outside_turn(&self.question) { "stop: the same as n" } else { "stop: reject, and end the turn" }
                .into(),
        );
        lines.push("again: say it once more".into());
        lines
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
            "again" => return Step::Say(self.question_text()),
            "stop" => return Step::Reply(reject_and_stop(&self.question)),
            _ if line.contains('\n') => return Step::say("nothing was answered: several lines came at once"),
            "n" | "no" => return self.reply(Answer::No { word: None }),
            _ if is_inquiry => return Step::say("answer first, or type /no"),
            "y" | "yes" => return self.yes(None),
            _ => {}
        }
        let offered = lettered_offers(&self.question).find(|(letter, ..)| word == letter.to_string());
        let offered = offered.map(|(_, offer, _)| offer.rule.clone());
        match (offered, numbers(line), line.split_once([' ', ',', ':', ';'])) {
            (Some(rule), ..) => self.yes(Some(rule)),
            (None, Some((numbers, why)), _) if self.may_leave_out() => self.leave_out(&numbers, why),
            (None, _, Some(("n" | "no" | "N" | "No", why))) => {
                let why = why.trim_start_matches([' ', ',', ':', ';']).to_owned();
                self.reply(Answer::No { word: Some(why).filter(|_| takes_feedback(&self.question)) })
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
        match (self.remaining(), remember) {
            (None, remember) => self.reply(Answer::Yes { remember, word: None }),
            (Some(_), Some(_)) => {
                Step::say("parts are left out: y approves the rest, and a number takes its hunk in again")
            }
            (Some(remaining), None) => self.reply(remaining.into_answer(None)),
        }
    }

    /// The change without the hunks that are left out, where some are.
    fn remaining(&self) -> Option<Remaining> {
        let PreviewBody::Diff { files } = &self.question.preview.body else { return None };
        self.changes.hunks.remaining(files)
    }

    /// Leaves these out, by their numbers from 1, or takes them in again.
    fn leave_out(&mut self, numbers: &[usize], why: Option<String>) -> Step {
        let hunks = &mut self.changes.hunks.all;
        let of = hunks.len();
        if let Some(wrong) = numbers.iter().find(|number| !(1..=of).contains(*number)) {
            return Step::say(format!("nothing was left out: there is no hunk {wrong}; there are {of}"));
        }
        let chosen: Vec<usize> = numbers.iter().map(|number| number - 1).collect();
        if let Some(whole) = chosen.iter().find(|place| !hunks[**place].may_go) {
            return Step::say(format!(
                "nothing was left out: the file of hunk {} is written whole or not at all: it is new, deleted, or its line \
                 ends change",
                whole + 1
            ));
        }
        for place in chosen {
            let hunk = &mut hunks[place];
            hunk.out = why.is_some() || !hunk.out;
            hunk.why.clone_from(&why);
        }
        let out: Vec<String> = (1..).zip(&*hunks).filter(|(_, hunk)| hunk.out).map(|(at, _)| at.to_string()).collect();
        Step::say(match out.len() {
            0 => format!("no hunk is left out: y approves all {of}"),
            all if all == of => "every hunk is left out: y rejects the change, and tells the model why".to_owned(),
            some => format!("left out: {}; y approves the other {}", out.join(", "), of - some),
        })
    }

    fn reply(&self, answer: Answer) -> Step {
        Step::Reply(reply(self.id(), answer))
    }

    /// What a command acts on is said as files, too, and is no change of theirs.
    fn may_leave_out(&self) -> bool {
        self.changes.hunks.are_several() && matches!(self.question.preview.body, PreviewBody::Diff { .. })
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
