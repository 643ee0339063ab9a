//! Counts what tokens depend on: characters by script, words, and what stands around a text in a prompt.
//!
//! One pass over the text, nothing kept of it.

use agent_protocol::{Message, ToolSpec};
use serde_json::Value;
use std::iter::Sum;
use std::ops::{Add, Sub};

/// What is counted. A server takes about the same number of tokens for each of one class. The order is that of
/// [`agent_protocol::Calibration::weights`]: append only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum TokenClass {
    Letters,
    Digits,
    Signs,
    /// Blanks, tabs and other ASCII characters that nobody sees, but line ends.
    Blanks,
    Lines,
    /// Chinese, Japanese and Korean characters.
    East,
    /// Other characters of two bytes.
    Accented,
    /// Other characters of three or four bytes.
    Wide,
    /// Runs of letters of any script and digits.
    Words,
    /// Runs of white space that are more than one blank.
    Gaps,
    Messages,
    Calls,
    Tools,
    /// Commas and colons in the JSON of calls and tools: a blank may follow each.
    Separators,
    /// Whole prompts: what a template writes only once.
    Prompts,
}

impl TokenClass {
    /// Is it of text, and not of what stands around it?
    pub(super) fn is_text(self) -> bool {
        (self as usize) < TokenClass::Messages as usize
    }
}

/// How many classes there are.
pub(crate) const CLASSES: usize = TokenClass::Prompts as usize + 1;

/// The first so many are characters, each of one class; those up to [`TokenClass::Messages`] are of text.
const CHARACTERS: usize = TokenClass::Wide as usize + 1;

/// Counts of each class in some text: what tokens depend on. They add up.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Features {
    counts: [f64; CLASSES],
}

impl Features {
    pub fn of_text(text: &str) -> Features {
        let mut features = Features::default();
        features.count_text(text);
        features
    }

    /// Of a message: text, thinking, calls.
    pub fn of_message(message: &Message) -> Features {
        Features::of_thinking(message) + Features::without_thinking(message)
    }

    /// Of a tool's description, as servers write it into the prompt.
    pub fn of_tool(spec: &ToolSpec) -> Features {
        let mut features = Features::of_text(&spec.description);
        features.count_text(&spec.parameters.to_string());
        // The words around it are the same in all templates that write JSON.
        features.count_text(r#"{"type":"function","function":{"name":"","description":"","parameters":}}"#);
        features.count_text(&spec.name);
        features.count(TokenClass::Tools, 1);
        features.count(TokenClass::Separators, separators(&spec.parameters) + 5);
        features
    }

    /// How many characters they were counted of.
    pub fn characters(&self) -> f64 {
        self.counts[..CHARACTERS].iter().sum()
    }

    /// What a message takes in the prompt apart from thinking, which not every template gives back.
    pub(crate) fn without_thinking(message: &Message) -> Features {
        let mut features = Features::of_text(&message.content);
        for call in &message.calls {
            features.count_text(&call.name);
            features.count_text(&call.arguments.to_string());
            features.count(TokenClass::Separators, separators(&call.arguments));
        }
        features.count(TokenClass::Calls, message.calls.len());
        features.count(TokenClass::Messages, 1);
        features
    }

    /// What the model wrote: what stands around it in a prompt is none of that.
    pub(crate) fn as_written(reply: &Message) -> Features {
        Features::of_message(reply) - Features::of_class(TokenClass::Messages, 1.0)
    }

    /// What a model thought aloud.
    pub(crate) fn of_thinking(message: &Message) -> Features {
        message.thinking.as_deref().map(Features::of_text).unwrap_or_default()
    }

    /// So many of one class.
    pub(crate) fn of_class(class: TokenClass, count: f64) -> Features {
        let mut features = Features::default();
        features.counts[class as usize] = count;
        features
    }

    pub(crate) fn counts(&self) -> &[f64; CLASSES] {
        &self.counts
    }

    fn count(&mut self, class: TokenClass, count: usize) {
        self.counts[class as usize] += count as f64;
    }

    /// Adds the features of `text`.
    fn count_text(&mut self, text: &str) {
        let mut before = TokenClass::Signs;
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let class = class_of(character);
            self.count(class, 1);
            let in_word = |class| {
                matches!(class, TokenClass::Letters | TokenClass::Digits | TokenClass::East | TokenClass::Accented)
            };
            if in_word(class) && !in_word(before) {
                self.count(TokenClass::Words, 1);
            }
            let is_blank = |class| matches!(class, TokenClass::Blanks | TokenClass::Lines);
            if is_blank(class) && !is_blank(before) {
                let alone = character == ' ' && !characters.peek().is_some_and(|next| is_blank(class_of(*next)));
                self.count(TokenClass::Gaps, usize::from(!alone));
            }
            before = class;
        }
    }
}

fn class_of(character: char) -> TokenClass {
    match character {
        'a'..='z' | 'A'..='Z' => TokenClass::Letters,
        '0'..='9' => TokenClass::Digits,
        '!'..='~' => TokenClass::Signs,
        '\n' => TokenClass::Lines,
        '\0'..=' ' | '\x7f' => TokenClass::Blanks,
        '\u{2e80}'..='\u{2fdf}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9d}' => TokenClass::East,
        character if character.len_utf8() == 2 => TokenClass::Accented,
        _ => TokenClass::Wide,
    }
}

/// Commas and colons between the parts of a value.
fn separators(value: &Value) -> usize {
    match value {
        Value::Object(map) => map.len() + map.len().saturating_sub(1) + map.values().map(separators).sum::<usize>(),
        Value::Array(items) => items.len().saturating_sub(1) + items.iter().map(separators).sum::<usize>(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

impl Add for Features {
    type Output = Features;

    fn add(self, other: Features) -> Features {
        Features { counts: std::array::from_fn(|class| self.counts[class] + other.counts[class]) }
    }
}

impl Sub for Features {
    type Output = Features;

    fn sub(self, other: Features) -> Features {
        Features { counts: std::array::from_fn(|class| self.counts[class] - other.counts[class]) }
    }
}

impl Sum for Features {
    fn sum<I: Iterator<Item = Features>>(features: I) -> Features {
        features.fold(Features::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use TokenClass::*;
    use agent_protocol::{ModelCall, Role};
    use serde_json::json;

    fn counted(features: Features, classes: &[TokenClass]) -> Vec<f64> {
        classes.iter().map(|class| features.counts[*class as usize]).collect()
    }

    #[test]
    fn code_is_counted_by_what_it_is_made_of() {
        let code = Features::of_text("let\n    addTotals = to_u64();");
        let classes = [Letters, Words, Digits, Signs, Blanks, Gaps, Lines];
        assert_eq!(counted(code, &classes), [15.0, 4.0, 2.0, 5.0, 6.0, 1.0, 1.0]);
        assert_eq!(code.counts.iter().sum::<f64>(), 34.0, "and nothing else");
    }

    #[test]
    fn other_scripts_are_told_apart_by_what_they_take() {
        let text = Features::of_text("漢字かな。한글字 äöü 🦀");
        assert_eq!(counted(text, &[East, Accented, Wide, Words, Blanks, Gaps]), [7.0, 3.0, 2.0, 3.0, 2.0, 0.0]);
    }

    #[test]
    fn features_of_parts_add_up_to_those_of_the_whole() {
        let parts = ["fn main() {", "\n    漢字 = \"x\";", "\n}\n"];
        let whole = Features::of_text(&parts.concat());
        assert_eq!(parts.iter().map(|part| Features::of_text(part)).sum::<Features>(), whole);
        assert_eq!(whole - Features::of_text(parts[0]), parts[1..].iter().map(|part| Features::of_text(part)).sum());
        assert_eq!(whole.characters(), parts.concat().chars().count() as f64);
    }

    #[test]
    fn a_call_is_counted_with_its_arguments_and_what_stands_between_them() {
        let arguments = json!({"path": "a", "lines": [1, 2, 3], "deep": {"x": null}});
        let call = ModelCall { server_id: None, index: None, name: "read_file".into(), arguments };
        let message = Message { calls: vec![call], ..Message::text(Role::Assistant, "") };
        let tallied = [Messages, Calls, Separators, Tools, Prompts];
        assert_eq!(counted(Features::of_message(&message), &tallied), [1.0, 1.0, 8.0, 0.0, 0.0]);
        assert_eq!(counted(Features::as_written(&message), &tallied), [0.0, 1.0, 8.0, 0.0, 0.0]);
    }
}
