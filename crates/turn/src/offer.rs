//! How the model gets its tools, by the server or by text, and what they cost.

use crate::machine::Machine;
use crate::{Family, ToolsMode};
use agent_dialects::Form;
use agent_protocol::{ChatRequest, Event, Message, ToolCost, ToolSpec, ToolsBy};
use serde_json::json;

/// Tokens a character takes as long as nothing is known: a quarter.
const TOKENS_PER_CHARACTER: f64 = 0.25;

/// A share by which an estimate must be wrong before it is told anew.
const WORTH_TELLING: f64 = 0.1;

/// A request shorter than this says little about characters and tokens: the template's own words weigh too much.
const TELLING_CHARACTERS: u64 = 1_000;

/// What a character costs this model.
#[derive(Debug)]
pub(crate) struct Rate {
    tokens_per_character: f64,
    /// It was measured; once is enough.
    measured: bool,
}

impl Default for Rate {
    fn default() -> Self {
        Rate { tokens_per_character: TOKENS_PER_CHARACTER, measured: false }
    }
}

impl Rate {
    pub(crate) fn is_measured(&self) -> bool {
        self.measured
    }

    /// A request of so many characters was so many tokens. True when the estimates are worth telling anew.
    fn measure(&mut self, characters: u64, tokens: u64) -> bool {
        if self.measured || characters < TELLING_CHARACTERS || tokens == 0 {
            return false;
        }
        self.measured = true;
        let before = self.tokens_per_character;
        self.tokens_per_character = (tokens as f64 / characters as f64).clamp(0.1, 1.0);
        (self.tokens_per_character - before).abs() > WORTH_TELLING * before
    }

    fn tokens(&self, characters: u64) -> u64 {
        (characters as f64 * self.tokens_per_character).ceil() as u64
    }
}

impl Machine {
    /// By which way the tools go with this model.
    pub(crate) fn tools_by(&self) -> ToolsBy {
        match self.settings.tools_mode {
            ToolsMode::Native => ToolsBy::Server,
            ToolsMode::Text => ToolsBy::Text,
            ToolsMode::Auto if self.link.calls_tools() => ToolsBy::Server,
            ToolsMode::Auto => ToolsBy::Text,
        }
    }

    /// Does the model get any tools at all?
    pub(crate) fn offers_tools(&self) -> bool {
        let reaches_it = match self.tools_by() {
            ToolsBy::Server => self.link.calls_tools(),
            ToolsBy::Text => true,
        };
        reaches_it && !self.settings.tools.is_empty()
    }

    /// The tools that go along with a request.
    pub(crate) fn sent_tools(&self) -> Vec<ToolSpec> {
        match self.tools_by() {
            ToolsBy::Server if self.link.calls_tools() => self.settings.tools.clone(),
            ToolsBy::Server | ToolsBy::Text => Vec::new(),
        }
    }

    /// The form in which this model's tools go by text.
    pub(crate) fn form(&self) -> Form {
        self.family().map_or_else(Form::default, |family| family.form)
    }

    pub(crate) fn family(&self) -> Option<&Family> {
        let (name, family) = self.link.names()?;
        self.settings.families.iter().find(|known| known.matches(name, family))
    }

    /// Puts the tools where this model finds them, and says so.
    pub(crate) fn offer_tools(&mut self) {
        let by = self.tools_by();
        let mut system = self.settings.system.clone();
        if by == ToolsBy::Text && !self.settings.tools.is_empty() {
            system.push('\n');
            system.push_str(&self.form().describe(&self.settings.tools));
        }
        self.history.set_system(system);
        if by == ToolsBy::Text {
            self.history.turn_into_text(self.form());
        }
        self.tell_costs();
    }

    /// The first reply tells how many tokens a character takes with this model.
    pub(crate) fn measure_costs(&mut self, characters: u64, prompt_tokens: u64) {
        if self.link.rate.measure(characters, prompt_tokens) {
            self.tell_costs();
        }
    }

    fn tell_costs(&mut self) {
        let by = self.tools_by();
        let cost = |spec: &ToolSpec| ToolCost {
            name: spec.name.clone(),
            tokens: self.link.rate.tokens(match by {
                ToolsBy::Server => characters_of_tool(spec),
                ToolsBy::Text => count(&self.form().signature(spec)),
            }),
        };
        let costs = if self.offers_tools() { self.settings.tools.iter().map(cost).collect() } else { Vec::new() };
        self.emit(Event::Offered { by, costs });
    }
}

/// The size of a request in characters, as far as the model reads it.
pub(crate) fn characters(request: &ChatRequest) -> u64 {
    let messages = request.messages.iter().map(characters_of_message).sum::<u64>();
    messages + request.tools.iter().map(characters_of_tool).sum::<u64>()
}

fn characters_of_message(message: &Message) -> u64 {
    let calls = message.calls.iter().map(|call| count(&call.name) + count(&call.arguments.to_string())).sum::<u64>();
    count(&message.content) + message.thinking.as_deref().map_or(0, count) + calls
}

/// A tool as the server writes it into the prompt, more or less.
fn characters_of_tool(spec: &ToolSpec) -> u64 {
    let function = json!({"name": spec.name, "description": spec.description, "parameters": spec.parameters});
    count(&json!({"type": "function", "function": function}).to_string())
}

fn count(text: &str) -> u64 {
    text.chars().count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_measured_once_and_told_when_it_was_wrong() {
        let mut rate = Rate::default();
        assert_eq!(rate.tokens(401), 101);
        assert!(!rate.measure(999, 10), "too short to tell");
        assert!(rate.measure(4_000, 2_000));
        assert_eq!(rate.tokens(100), 50);
        assert!(!rate.measure(4_000, 1_000), "once is enough");
        assert!(!Rate::default().measure(4_000, 1_050), "five parts in a hundred are no news");
    }
}
