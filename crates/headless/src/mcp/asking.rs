//! A question to the user behind the other program, which draws it its own way: a form with one choice, and above it
//! all there is to see.

mod shown;

use agent_frontend::REJECTED;
use agent_protocol::{Answer, AskId, Question};
use rmcp::RoleServer;
use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema};
use rmcp::service::{Peer, RequestContext};
use serde_json::{Value, json};
use std::future::{pending, ready};
use std::pin::Pin;

pub(crate) use shown::question_text as question_words;

/// The answer, when it is there.
pub(super) type Asked = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// Letters of a word that goes with an answer.
const LONGEST_WORD: usize = 2_000;

/// Can the other program ask its person, by a form?
pub(super) fn can_ask(context: &RequestContext<RoleServer>) -> bool {
    let capability = context.client_capabilities().and_then(|capabilities| capabilities.elicitation);
    // One that names no way means forms.
    capability.is_some_and(|ways| ways.form.is_some() || ways.url.is_none())
}

/// Puts the question. Where that fails nobody was asked, and the answer is `refusal`. Dropped, it is given up.
pub(super) fn ask(peer: Peer<RoleServer>, question: &Question, refusal: Answer) -> Asked {
    if let Some(hidden) = shown::hidden(question) {
        return Box::pin(ready(Answer::No { word: Some(hidden) }));
    }
    let form = form(question);
    Box::pin(async move {
        match form {
            Some(form) => peer.create_elicitation(form).await.map_or(refusal, answer),
            None => refusal,
        }
    })
}

/// Waits for the answer to what is asked, for ever where nothing is.
pub(super) async fn answered(asked: &mut Option<(AskId, Asked)>) -> (AskId, Answer) {
    let Some((ask, answer)) = asked else { return pending().await };
    let answered = (*ask, answer.await);
    *asked = None;
    answered
}

fn form(question: &Question) -> Option<ElicitRequestParams> {
    let schema = json!({
        "type": "object",
        "properties": {
            "allow": {"type": "boolean", "title": "Allow it", "description": "yes: it happens just so; no: it does not"},
            "word": {"type": "string", "title": "A word with it", "description": "to the model; may be left out"},
        },
        "required": ["allow"],
    });
    let Value::Object(schema) = schema else { return None };
    let requested_schema = ElicitationSchema::from_json_schema(schema).ok()?;
    Some(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: shown::question_text(question),
        requested_schema,
    })
}

/// Only a form that was sent off and says yes is a yes.
fn answer(result: ElicitResult) -> Answer {
    let content = result.content.unwrap_or_default();
    let word = content["word"].as_str().map(str::trim).filter(|word| !word.is_empty());
    let word: Option<String> = word.map(|word| word.chars().take(LONGEST_WORD).collect());
    let accepted = result.action == ElicitationAction::Accept && content["allow"] == Value::Bool(true);
    if accepted {
        Answer::Yes { remember: None, word }
    } else {
        Answer::No { word: Some(word.map_or_else(|| REJECTED.to_owned(), |word| format!("the user says: {word}"))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(action: ElicitationAction, content: Value) -> Answer {
        answer(ElicitResult::new(action).with_content(content))
    }

    #[test]
    fn only_a_form_that_was_sent_off_and_says_yes_is_a_yes() {
        let yes = Answer::Yes { remember: None, word: None };
        assert_eq!(answered(ElicitationAction::Accept, json!({"allow": true})), yes);
        let others = [
            (ElicitationAction::Accept, json!({"allow": false})),
            (ElicitationAction::Accept, json!({"allow": "true"})),
            (ElicitationAction::Accept, json!({})),
            (ElicitationAction::Accept, json!(true)),
            (ElicitationAction::Decline, json!({"allow": true})),
            (ElicitationAction::Cancel, json!({"allow": true})),
        ];
        for (action, content) in others {
            assert_eq!(answered(action, content), Answer::No { word: Some(REJECTED.to_owned()) });
        }
        assert_eq!(
            answer(ElicitResult::new(ElicitationAction::Accept)),
            Answer::No { word: Some(REJECTED.to_owned()) }
        );
    }

    #[test]
    fn a_word_goes_along_and_is_not_endless() {
        let word = Some("use tabs".to_owned());
        let content = json!({"allow": true, "word": " use tabs "});
        assert_eq!(answered(ElicitationAction::Accept, content), Answer::Yes { remember: None, word });
        let long = answered(ElicitationAction::Decline, json!({"word": "x".repeat(1 << 20)}));
        let Answer::No { word: Some(word) } = long else { panic!("that is a no") };
        assert_eq!(word.len(), "the user says: ".len() + LONGEST_WORD);
    }
}
