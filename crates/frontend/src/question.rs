//! A question with its answers: which there are, what each is called, and what it sends.
//!
//! The labels are lower case, as they stand behind a key. A front end adds only what its keys can do besides.

use agent_protocol::{Answer, AskId, CallOp, Op, PreviewBody, Question, RuleOffer, Subject, TurnOp};

/// What the model is told of a no without any feedback, by front ends in which nobody could have added some.
pub const REJECTED: &str = "the user said no; do not try the same again, ask or find another way";

/// The keys of the offers, in their order; none of them means anything else at a question.
const OFFER_KEYS: &str = "abcd";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoiceKind {
    Approve,
    /// Approves, and grants a rule.
    ApproveAndRemember,
    /// One of the answers that the model offers.
    Pick,
    Reject,
}

/// One answer to a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    pub kind: ChoiceKind,
    pub label: String,
    pub answer: Answer,
}

/// What yes and no are called at a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Labels {
    pub yes: &'static str,
    pub no: &'static str,
}

impl Labels {
    pub fn of_question(question: &Question) -> Self {
        let (yes, no) = match &question.subject {
            Subject::Action { .. } if matches!(question.preview.body, PreviewBody::Plan { .. }) => {
                ("approve, and begin", "reject")
            }
            Subject::Action { .. } => ("approve once", "reject"),
            Subject::Reach { .. } => ("approve this once", "reject; the command goes on"),
            Subject::Steps { .. } | Subject::Repeat { .. } | Subject::Stuck { .. } => ("go on", "stop here"),
            Subject::Again { .. } => ("start again", "leave it as it is"),
            Subject::Shorten { .. } => ("use it", "stop here"),
            Subject::Trust { .. } => ("trust it", "work without it"),
            Subject::Folder { .. } => ("yes, work here", "no, leave"),
            Subject::Cloud { .. } => ("use it", "choose another model"),
        };
        Labels { yes, no }
    }
}

/// All answers to a question: yes, yes with each rule that is offered, and no; or what the model offers to choose from, and
/// none of that. Empty where the model asks for words alone.
pub fn choices(question: &Question) -> Vec<Choice> {
    let reject =
        |label: &str| Choice { kind: ChoiceKind::Reject, label: label.to_owned(), answer: Answer::No { word: None } };
    let approve = |kind, label: String, remember, word| Choice { kind, label, answer: Answer::Yes { remember, word } };
    if let PreviewBody::Choices { choices, .. } = &question.preview.body {
        let picks = choices.iter().map(|pick| approve(ChoiceKind::Pick, pick.clone(), None, Some(pick.clone())));
        return picks.chain((!choices.is_empty()).then(|| reject("none of these"))).collect();
    }
    let Labels { yes, no } = Labels::of_question(question);
    let offers = question
        .offers
        .iter()
        .map(|offer| approve(ChoiceKind::ApproveAndRemember, offer_label(offer), Some(offer.rule.clone()), None));
    let once = approve(ChoiceKind::Approve, yes.to_owned(), None, None);
    std::iter::once(once).chain(offers).chain([reject(no)]).collect()
}

/// The offers that have a key, with it and with what choosing it is called.
pub fn lettered_offers(question: &Question) -> impl Iterator<Item = (char, &RuleOffer, String)> {
    OFFER_KEYS.chars().zip(&question.offers).map(|(key, offer)| (key, offer, offer_label(offer)))
}

fn offer_label(offer: &RuleOffer) -> String {
    format!("approve, and {}", offer.words)
}

/// Whether a model waits for the answer, which may be told something along with it.
pub fn takes_feedback(question: &Question) -> bool {
    match question.subject {
        Subject::Action { .. } | Subject::Steps { .. } | Subject::Repeat { .. } | Subject::Stuck { .. } => true,
        Subject::Reach { .. } => true,
        Subject::Again { .. } | Subject::Shorten { .. } | Subject::Folder { .. } => false,
        Subject::Trust { .. } | Subject::Cloud { .. } => false,
    }
}

/// Whether it is asked outside of any turn, so that it stays when a turn ends.
pub fn is_outside_turn(question: &Question) -> bool {
    match question.subject {
        Subject::Folder { .. } | Subject::Trust { .. } | Subject::Cloud { .. } => true,
        Subject::Action { .. } | Subject::Steps { .. } | Subject::Repeat { .. } => false,
        Subject::Stuck { .. } | Subject::Again { .. } | Subject::Shorten { .. } | Subject::Reach { .. } => false,
    }
}

pub fn reply(ask: AskId, answer: Answer) -> Op {
    Op::Call(CallOp::Reply { ask, answer })
}

/// No, and the turn ends. Outside a turn there is nothing to end.
pub fn reject_and_stop(question: &Question) -> Op {
    if is_outside_turn(question) {
        return reply(question.id, Answer::No { word: None });
    }
    Op::Turn(TurnOp::Interrupt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{Preview, Rule};

    fn question(subject: Subject, body: PreviewBody) -> Question {
        let offer = RuleOffer { rule: Rule::Edits, words: "don't ask again".into() };
        Question {
            id: AskId(4),
            call: None,
            subject,
            preview: Preview { title: "Go on?".into(), body },
            why: String::new(),
            offers: vec![offer; 5],
            warnings: Vec::new(),
            parts: Vec::new(),
            cause: Default::default(),
            hosts: Vec::new(),
        }
    }

    #[test]
    fn a_question_can_be_answered_once_with_each_rule_or_with_no() {
        let question = question(Subject::Steps { steps: 9 }, PreviewBody::Plain);
        let choices = choices(&question);
        let labels: Vec<&str> = choices.iter().map(|choice| choice.label.as_str()).collect();
        let remember = "approve, and don't ask again";
        assert_eq!(labels, ["go on", remember, remember, remember, remember, remember, "stop here"]);
        assert_eq!(choices[1].answer, Answer::Yes { remember: Some(Rule::Edits), word: None });
        assert_eq!(choices[6].answer, Answer::No { word: None });
        assert_eq!(lettered_offers(&question).map(|(key, ..)| key).collect::<String>(), "abcd");
    }

    #[test]
    fn a_question_of_the_model_has_its_answers_and_none_of_them() {
        let inquiry = |choices: &[&str]| {
            let choices = choices.iter().map(|choice| (*choice).to_owned()).collect();
            question(Subject::Steps { steps: 9 }, PreviewBody::Choices { question: "which?".into(), choices })
        };
        let answers: Vec<Answer> = choices(&inquiry(&["tabs"])).into_iter().map(|choice| choice.answer).collect();
        assert_eq!(answers, [Answer::Yes { remember: None, word: Some("tabs".into()) }, Answer::No { word: None }]);
        assert!(choices(&inquiry(&[])).is_empty());
    }
}
