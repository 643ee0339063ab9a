//! A question as the editor puts it to its person, and their answer. The answers are those of the screen: yes once, each
//! rule that is offered, and no. Whatever is no clear yes is a no.

use crate::kinds;
use crate::mapping::{call_id, described};
use crate::shown;
use agent_frontend::{Choice, ChoiceKind, REJECTED, choices};
use agent_protocol::sanitize::clean_line;
use agent_protocol::{Answer, PreviewBody, Question, Subject};
use serde_json::{Value, json};

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
    let choices = permission_choices(question);
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
    if let Some(kind) = kinds::preview_kind(&question.preview.body) {
        told["kind"] = kind.word().into();
    }
    let (options, answers): (Vec<Value>, Vec<_>) = choices.into_iter().enumerate().map(permission_option).unzip();
    let request = json!({"sessionId": session, "toolCall": told, "options": options});
    Ok(Asking { request, answers: Answers(answers), alone })
}

fn permission_option((at, (kind, name, answer)): (usize, Permission)) -> (Value, (String, Answer)) {
    let id = format!("{kind}-{at}");
    (json!({"optionId": id, "name": clean_line(&name), "kind": kind}), (id, answer))
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
    Answer::No { word: Some(REJECTED.to_owned()) }
}

/// The protocol's kind of a choice, what it is called, and the answer that it stands for.
type Permission = (&'static str, String, Answer);

fn permission_choices(question: &Question) -> Vec<Permission> {
    let is_plan = matches!(question.preview.body, PreviewBody::Plan { .. });
    let is_inquiry = matches!(question.preview.body, PreviewBody::Choices { .. });
    let tells_no = matches!(question.subject, Subject::Action { .. } | Subject::Reach { .. }) && !is_inquiry;
    let permission = |Choice { kind, label, answer }| match kind {
        ChoiceKind::Approve => ("allow_once", capitalized(&label), answer),
        ChoiceKind::ApproveAndRemember => ("allow_always", capitalized(&label), answer),
        // The words are the model's.
        ChoiceKind::Pick => ("allow_once", label, answer),
        ChoiceKind::Reject => {
            let label = if is_plan { "Reject the plan".to_owned() } else { capitalized(&label) };
            ("reject_once", label, if tells_no { no() } else { answer })
        }
    };
    choices(question).into_iter().map(permission).collect()
}

fn capitalized(label: &str) -> String {
    label.get(..1).map_or(String::new(), str::to_uppercase) + label.get(1..).unwrap_or_default()
}

#[cfg(test)]
mod tests;
