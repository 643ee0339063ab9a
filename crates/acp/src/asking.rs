//! A question as the editor puts it to its person, and their answer. The answers are those of the screen: yes once, each
//! rule that is offered, and no. Whatever is no clear yes is a no.

use crate::kinds;
use crate::mapping::{call_id, described};
use crate::shown;
use agent_protocol::sanitize::clean_line;
use agent_protocol::{Answer, PreviewBody, Question, Subject};
use serde_json::{Value, json};

/// What the model is told where its person said no without a word.
const SAID_NO: &str = "the user said no; do not try the same again, ask or find another way";

/// What the model is told where a question takes more than a choice.
const NO_FIELD: &str = "the editor has no field for an answer here; put the question into your reply and end the turn, then the user answers";

/// A question ready to be put.
pub(crate) struct Asking {
    /// What `session/request_permission` is given.
    pub(crate) request: Value,
    pub(crate) answers: Answers,
    /// The call that was made up for this question alone, and is over with it.
    pub(crate) alone: Option<String>,
}

/// The answer that each choice stands for.
pub(crate) struct Answers(Vec<(String, Answer)>);

/// What came of a question.
#[derive(Debug, PartialEq)]
pub(crate) enum Answered {
    Answer(Answer),
    /// The editor took it back: the turn is to end.
    TakenBack,
}

/// The question, or the answer to one that an editor cannot put.
pub(crate) fn asking(session: &str, question: &Question) -> Result<Asking, Answer> {
    let choices = choices(question);
    if choices.is_empty() {
        return Err(Answer::No { word: Some(NO_FIELD.to_owned()) });
    }
    let reaches = matches!(question.subject, Subject::Reach { .. });
    // What a running command wants to reach must not take the place of what it put out.
    let call = question.call.filter(|_| !reaches);
    let alone = call.is_none().then(|| format!("question-{}", question.id));
    let mut told = described(&question.preview);
    told["toolCallId"] = call.map(call_id).or_else(|| alone.clone()).into();
    told["status"] = "pending".into();
    told["content"] = shown::question(question).into();
    if let Some(kind) = kinds::of_preview(&question.preview.body) {
        told["kind"] = kind.word().into();
    }
    let (options, answers): (Vec<Value>, Vec<_>) = choices.into_iter().enumerate().map(option).unzip();
    let request = json!({"sessionId": session, "toolCall": told, "options": options});
    Ok(Asking { request, answers: Answers(answers), alone })
}

fn option((at, (kind, name, answer)): (usize, Choice)) -> (Value, (String, Answer)) {
    let id = format!("{}-{at}", kind.word());
    (json!({"optionId": id, "name": clean_line(&name), "kind": kind.word()}), (id, answer))
}

impl Answers {
    /// What the user's choice means, as the editor tells it.
    pub(crate) fn meant(&self, told: &Value) -> Answered {
        let outcome = &told["outcome"];
        if outcome["outcome"] != "selected" {
            // Whatever is said besides is no yes either.
            return Answered::TakenBack;
        }
        let chosen = self.0.iter().find(|(id, _)| outcome["optionId"] == **id);
        Answered::Answer(chosen.map_or_else(no, |(_, answer)| answer.clone()))
    }
}

/// Where nobody could be asked.
pub(crate) fn unasked(why: &str) -> Answer {
    Answer::No { word: Some(format!("nobody could be asked in the editor ({why}), so it was not done")) }
}

fn no() -> Answer {
    Answer::No { word: Some(SAID_NO.to_owned()) }
}

/// The kinds of choices of the protocol that we have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ChoiceKind {
    AllowOnce,
    AllowAlways,
    RejectOnce,
}

impl ChoiceKind {
    /// As it goes over the wire.
    fn word(self) -> &'static str {
        match self {
            ChoiceKind::AllowOnce => "allow_once",
            ChoiceKind::AllowAlways => "allow_always",
            ChoiceKind::RejectOnce => "reject_once",
        }
    }
}

type Choice = (ChoiceKind, String, Answer);

/// What can be answered, in the words of the screen.
fn choices(question: &Question) -> Vec<Choice> {
    if let PreviewBody::Choices { choices, .. } = &question.preview.body {
        return inquiry(choices);
    }
    let (yes, refusal) = words(question);
    let once = (ChoiceKind::AllowOnce, yes.to_owned(), Answer::Yes { remember: None, word: None });
    let offers = question.offers.iter().map(|offer| {
        let answer = Answer::Yes { remember: Some(offer.rule.clone()), word: None };
        (ChoiceKind::AllowAlways, format!("Approve, and {}", offer.words), answer)
    });
    let told = matches!(question.subject, Subject::Action { .. } | Subject::Reach { .. });
    let answer = if told { no() } else { Answer::No { word: None } };
    let refusal = (ChoiceKind::RejectOnce, refusal.to_owned(), answer);
    std::iter::once(once).chain(offers).chain([refusal]).collect()
}

/// A question of the model: its answers, and none. Without any to choose from there is nothing to put.
fn inquiry(choices: &[String]) -> Vec<Choice> {
    if choices.is_empty() {
        return Vec::new();
    }
    let answer = |choice: &String| {
        let answer = Answer::Yes { remember: None, word: Some(choice.clone()) };
        (ChoiceKind::AllowOnce, choice.clone(), answer)
    };
    let none = (ChoiceKind::RejectOnce, "None of these".to_owned(), Answer::No { word: None });
    choices.iter().map(answer).chain([none]).collect()
}

/// Yes and no.
fn words(question: &Question) -> (&'static str, &'static str) {
    match &question.subject {
        Subject::Action { .. } if matches!(question.preview.body, PreviewBody::Plan { .. }) => {
            ("Approve, and begin", "Reject the plan")
        }
        Subject::Action { .. } => ("Approve once", "Reject"),
        Subject::Reach { .. } => ("Approve this once", "Reject; the command goes on"),
        Subject::Steps { .. } | Subject::Repeat { .. } | Subject::Stuck { .. } => ("Go on", "Stop here"),
        Subject::Again { .. } => ("Start again", "Leave it as it is"),
        Subject::Shorten { .. } => ("Use it", "Stop here"),
        Subject::Trust { .. } => ("Trust it", "Work without it"),
        Subject::Folder { .. } => ("Yes, work here", "No, leave"),
        Subject::Cloud { .. } => ("Use it", "Choose another model"),
    }
}

#[cfg(test)]
mod tests;
