//! When a reply is given: rules are tried in order, and the first that fits wins.
//!
//! All conditions of a rule must hold; within one condition any of its texts will do. Letter case never counts.

use crate::Step;
use crate::request::{Chat, Heard};
use serde::Deserialize;

/// The words a loop puts into the result of a call that the user refused.
const REFUSED: &str = "refused by the user";
/// The words a loop puts into the result of a call that the user stopped.
const STOPPED: &str = "stopped by the user";

/// A reply and when it is given.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// When. Always, when absent.
    #[serde(default)]
    pub when: When,
    /// So many times; without limit when absent.
    #[serde(default)]
    pub times: Option<u32>,
    pub say: Vec<Step>,
}

/// The conditions of a rule. "Results" are the tool messages after the model's last reply; "this turn" is what came
/// after the user's last message.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct When {
    /// The user's last message holds this.
    pub user_contains: Option<OneOrMany>,
    /// The user's last message is this, apart from blanks and marks around it.
    pub user_equals: Option<OneOrMany>,
    /// The user's last message has these words, as whole words.
    pub user_says: Option<OneOrMany>,
    /// Who spoke last.
    pub after: Option<Speaker>,
    /// A result of this tool has just come.
    pub tool: Option<OneOrMany>,
    /// A result (of `tool`, if given) holds this.
    pub tool_contains: Option<OneOrMany>,
    /// No result (of `tool`, if given) holds any of this.
    pub tool_lacks: Option<OneOrMany>,
    /// The model called this in this turn, whatever came of it.
    pub called: Option<OneOrMany>,
    /// The model called none of these in this turn.
    pub not_called: Option<OneOrMany>,
    /// Was a result that has just come a refusal?
    pub refused: Option<bool>,
    /// Was a call stopped whose result has just come?
    pub stopped: Option<bool>,
    /// Did the user speak between results and reply, because the message had been queued?
    pub queued: Option<bool>,
    /// It is the n-th chat request, from 1, in order of arrival. Requests that get one of the script's fixed `answers`
    /// don't count, nor do those that only load a model or ask what it would be given.
    pub request: Option<u64>,
    /// The system prompt holds this.
    pub system_contains: Option<OneOrMany>,
    pub model: Option<String>,
}

/// Who can have spoken last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    Person,
    /// A tool, with a result.
    Tool,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    fn any(&self, mut fits: impl FnMut(&str) -> bool) -> bool {
        match self {
            OneOrMany::One(text) => fits(&text.to_lowercase()),
            OneOrMany::Many(texts) => texts.iter().any(|text| fits(&text.to_lowercase())),
        }
    }
}

impl When {
    /// Do all conditions hold for this request, the `number`-th of all?
    pub(crate) fn fits(&self, chat: &Chat, number: u64) -> bool {
        self.fits_request(chat, number) && self.fits_person(chat) && self.fits_results(chat) && self.fits_turn(chat)
    }

    fn fits_request(&self, chat: &Chat, number: u64) -> bool {
        let system = chat.messages.iter().filter(|message| message.role == "system");
        let system = system.map(|message| message.content.to_lowercase()).collect::<String>();
        self.request.is_none_or(|wanted| wanted == number)
            && self.model.as_ref().is_none_or(|wanted| *wanted == chat.model)
            && holds(&self.system_contains, |text| system.contains(text))
    }

    fn fits_person(&self, chat: &Chat) -> bool {
        let said = chat.person_last().map(|message| message.content.to_lowercase()).unwrap_or_default();
        let bare = said.trim_matches(|c: char| !c.is_alphanumeric());
        holds(&self.user_contains, |text| said.contains(text))
            && holds(&self.user_equals, |text| bare == text.trim_matches(|c: char| !c.is_alphanumeric()))
            && holds(&self.user_says, |text| has_words(&said, text))
    }

    fn fits_results(&self, chat: &Chat) -> bool {
        let results: Vec<&Heard> = chat.results().filter(|result| self.is_of_tool(chat, result)).collect();
        let any_has = |text: &str| results.iter().any(|result| result.content.to_lowercase().contains(text));
        (self.tool.is_none() || !results.is_empty())
            && holds(&self.tool_contains, any_has)
            && self.tool_lacks.as_ref().is_none_or(|texts| !texts.any(any_has))
            && self.refused.is_none_or(|wanted| wanted == any_has(REFUSED))
            && self.stopped.is_none_or(|wanted| wanted == any_has(STOPPED))
    }

    fn fits_turn(&self, chat: &Chat) -> bool {
        let calls = || chat.this_turn().iter().flat_map(|message| &message.calls);
        let was_called = |text: &str| calls().any(|call| call.name.eq_ignore_ascii_case(text));
        let last = chat.messages.last().map(|message| message.role.as_str());
        self.after.is_none_or(|speaker| last == Some(speaker.role()))
            && holds(&self.called, was_called)
            && self.not_called.as_ref().is_none_or(|names| !names.any(was_called))
            && self.queued.is_none_or(|wanted| wanted == chat.was_queued())
    }

    fn is_of_tool(&self, chat: &Chat, result: &Heard) -> bool {
        holds(&self.tool, |name| chat.tool_of(result).is_some_and(|tool| tool.eq_ignore_ascii_case(name)))
    }
}

impl Speaker {
    fn role(self) -> &'static str {
        match self {
            Speaker::Person => "user",
            Speaker::Tool => "tool",
        }
    }
}

fn holds(condition: &Option<OneOrMany>, fits: impl FnMut(&str) -> bool) -> bool {
    condition.as_ref().is_none_or(|texts| texts.any(fits))
}

/// Does `said` hold `wanted` with no letter or digit directly before or after it?
fn has_words(said: &str, wanted: &str) -> bool {
    said.match_indices(wanted).any(|(start, found)| {
        let before = said[..start].chars().next_back();
        let after = said[start + found.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn fits(when: Value, messages: Value) -> bool {
        let body = json!({"model": "m", "messages": messages});
        let chat = Chat::read(&body).expect("a readable request");
        serde_json::from_value::<When>(when).expect("readable conditions").fits(&chat, 2)
    }

    fn said(text: &str) -> Value {
        json!([{"role": "system", "content": "Be brief."}, {"role": "user", "content": text}])
    }

    fn after_refused_edit() -> Value {
        json!([
            {"role": "user", "content": "Fix it"},
            {"role": "assistant", "tool_calls": [{"id": "call_1", "function": {"name": "edit_file", "arguments": {}}}]},
            {"role": "tool", "tool_call_id": "call_1", "content": "Refused by the user: not now"},
        ])
    }

    #[test]
    fn no_condition_fits_everything() {
        assert!(fits(json!({}), said("anything")));
        assert!(fits(json!({}), json!([])));
    }

    #[test]
    fn the_persons_words_are_matched_in_three_ways() {
        assert!(fits(json!({"user_contains": "THE TEST"}), said("The test fails.")));
        assert!(fits(json!({"user_equals": ["hi", "hello"]}), said("  Hello! ")));
        assert!(!fits(json!({"user_equals": "hello"}), said("Hello there")));
        assert!(fits(json!({"user_says": "long"}), said("A long answer, please")));
        assert!(!fits(json!({"user_says": "long"}), said("It belongs here")));
    }

    #[test]
    fn results_are_known_by_their_tool_also_through_the_id_of_the_call() {
        assert!(fits(json!({"tool": "edit_file", "refused": true}), after_refused_edit()));
        assert!(!fits(json!({"tool": "run_command"}), after_refused_edit()));
        assert!(fits(json!({"tool_contains": "not now"}), after_refused_edit()));
        assert!(!fits(json!({"tool_lacks": "not now"}), after_refused_edit()));
        assert!(fits(json!({"called": "edit_file", "not_called": "run_command"}), after_refused_edit()));
    }

    #[test]
    fn a_message_that_had_been_queued_is_known_by_the_results_before_it() {
        let mut messages = after_refused_edit();
        messages.as_array_mut().expect("a list").push(json!({"role": "user", "content": "and hurry"}));
        assert!(fits(json!({"queued": true, "after": "person"}), messages));
        assert!(fits(json!({"queued": false, "after": "tool"}), after_refused_edit()));
    }

    #[test]
    fn the_request_itself_can_be_a_condition() {
        assert!(fits(json!({"request": 2, "model": "m", "system_contains": "brief"}), said("x")));
        assert!(!fits(json!({"request": 1}), said("x")));
    }
}
