//! Counts what tokens depend on: letters, words, signs, blanks, characters of other scripts, and what stands around them.
//!
//! One pass over the text, nothing kept of it.

use agent_protocol::{Message, Role, ToolSpec};
use serde_json::Value;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// What is counted. The order is that of [`agent_protocol::Calibration::weights`]: append only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Feature {
    /// ASCII letters.
    Letters,
    /// Runs of ASCII letters.
    Words,
    /// Pieces of up to six letters that a word has beyond its first.
    Pieces,
    /// Capitals that follow a small letter: `toString` has one.
    Humps,
    /// ASCII digits.
    Digits,
    /// Runs of digits.
    Numbers,
    /// Runs of letters of any script, digits and underscores.
    Names,
    /// ASCII signs but the underscore.
    Marks,
    /// Underscores.
    Underscores,
    /// Runs of signs.
    Clusters,
    /// Blanks, tabs and other ASCII characters that nobody sees, but line ends.
    Blanks,
    /// Line ends.
    Lines,
    /// Runs of white space that are more than one blank.
    Gaps,
    /// Chinese characters.
    Ideographs,
    /// Japanese syllables.
    Kana,
    /// Korean syllables.
    Hangul,
    /// Other characters of two bytes.
    Accented,
    /// Other characters of three bytes.
    Wide,
    /// Characters of four bytes.
    Pictures,
    /// Messages.
    Messages,
    /// Those of them that are results.
    Results,
    /// Calls.
    Calls,
    /// Tools.
    Tools,
    /// Commas and colons in the JSON of calls and tools: a blank may follow each.
    Separators,
    /// Whole prompts: what a template writes only once.
    Prompts,
}

/// How many features there are.
pub(crate) const FEATURES: usize = Feature::Prompts as usize + 1;

/// Those that are characters, with the bytes that one takes.
pub(crate) const CHARACTERS: [(Feature, f64); 12] = [
    (Feature::Letters, 1.0),
    (Feature::Digits, 1.0),
    (Feature::Marks, 1.0),
    (Feature::Underscores, 1.0),
    (Feature::Blanks, 1.0),
    (Feature::Lines, 1.0),
    (Feature::Ideographs, 3.0),
    (Feature::Kana, 3.0),
    (Feature::Hangul, 3.0),
    (Feature::Accented, 2.0),
    (Feature::Wide, 3.0),
    (Feature::Pictures, 4.0),
];

/// The longest piece of a word.
const PIECE: usize = 6;

/// Counts of the features of some text: what tokens depend on. They add up.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Features {
    counts: [f64; FEATURES],
}

impl Features {
    /// Of plain text.
    pub fn of_text(text: &str) -> Features {
        let mut features = Features::default();
        features.read(text);
        features
    }

    /// Of a message: text, thinking, calls.
    pub fn of_message(message: &Message) -> Features {
        Features::of_thinking(message) + Features::without_thinking(message)
    }

    /// Of a tool's description, as servers write it into the prompt.
    pub fn of_tool(spec: &ToolSpec) -> Features {
        let parameters = spec.parameters.to_string();
        let mut features = Features::of_text(&spec.description);
        features.read(&parameters);
        // The words around it are the same in all templates that write JSON.
        features.read(r#"{"type":"function","function":{"name":"","description":"","parameters":}}"#);
        features.read(&spec.name);
        features.count(Feature::Tools, 1);
        features.count(Feature::Separators, separators(&spec.parameters) + 5);
        features
    }

    /// How many characters they were counted of.
    pub fn characters(&self) -> f64 {
        CHARACTERS.iter().map(|(feature, _)| self.of(*feature)).sum()
    }

    /// What a message takes in the prompt apart from thinking, which not every template gives back.
    pub(crate) fn without_thinking(message: &Message) -> Features {
        let mut features = Features::of_text(&message.content);
        for call in &message.calls {
            features.read(&call.name);
            features.read(&call.arguments.to_string());
            features.count(Feature::Separators, separators(&call.arguments));
        }
        features.count(Feature::Calls, message.calls.len());
        features.count(Feature::Messages, 1);
        features.count(Feature::Results, usize::from(message.role == Role::Tool));
        features
    }

    /// What a model thought aloud.
    pub(crate) fn of_thinking(message: &Message) -> Features {
        message.thinking.as_deref().map(Features::of_text).unwrap_or_default()
    }

    /// What a template writes once in every prompt.
    pub(crate) fn of_prompt() -> Features {
        let mut features = Features::default();
        features.count(Feature::Prompts, 1);
        features
    }

    /// The text of a message alone, as the model wrote it: what stands around it is not among the tokens of a reply.
    pub(crate) fn as_written(mut self) -> Features {
        self.counts[Feature::Messages as usize] = 0.0;
        self
    }

    /// What stands around the text of a message that the model wrote.
    pub(crate) fn around_a_reply() -> Features {
        let mut features = Features::default();
        features.count(Feature::Messages, 1);
        features
    }

    pub(crate) fn of(&self, feature: Feature) -> f64 {
        self.counts[feature as usize]
    }

    pub(crate) fn counts(&self) -> &[f64; FEATURES] {
        &self.counts
    }

    fn count(&mut self, feature: Feature, count: usize) {
        self.counts[feature as usize] += count as f64;
    }

    /// Adds the features of `text`.
    fn read(&mut self, text: &str) {
        let mut reader = Reader { features: self, in_name: false };
        let mut rest = text;
        while let Some(first) = rest.bytes().next() {
            let length = reader.run(rest, first);
            rest = &rest[length..];
        }
    }
}

/// Reads a text run by run.
struct Reader<'a> {
    features: &'a mut Features,
    /// The last run was part of a name.
    in_name: bool,
}

impl Reader<'_> {
    /// Counts the run that `text` begins with. How long it is.
    fn run(&mut self, text: &str, first: u8) -> usize {
        match first {
            b'a'..=b'z' | b'A'..=b'Z' => self.word(text.as_bytes()),
            b'0'..=b'9' => self.number(text.as_bytes()),
            b'_' => self.underscores(text.as_bytes()),
            b'!'..=b'~' => self.signs(text.as_bytes()),
            0x00..=b' ' | 0x7f => self.blanks(text.as_bytes()),
            0x80.. => self.character(text),
        }
    }

    fn word(&mut self, text: &[u8]) -> usize {
        let length = length_of(text, u8::is_ascii_alphabetic);
        let humps =
            text[..length].windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
        self.features.count(Feature::Humps, humps.count());
        self.features.count(Feature::Letters, length);
        self.features.count(Feature::Words, 1);
        self.features.count(Feature::Pieces, (length - 1) / PIECE);
        self.name();
        length
    }

    fn number(&mut self, text: &[u8]) -> usize {
        let length = length_of(text, u8::is_ascii_digit);
        self.features.count(Feature::Digits, length);
        self.features.count(Feature::Numbers, 1);
        self.name();
        length
    }

    fn underscores(&mut self, text: &[u8]) -> usize {
        let length = length_of(text, |byte| *byte == b'_');
        self.features.count(Feature::Underscores, length);
        self.name();
        length
    }

    fn signs(&mut self, text: &[u8]) -> usize {
        let length = length_of(text, |byte| byte.is_ascii_punctuation() && *byte != b'_');
        self.features.count(Feature::Marks, length);
        self.features.count(Feature::Clusters, 1);
        self.in_name = false;
        length
    }

    fn blanks(&mut self, text: &[u8]) -> usize {
        let length = length_of(text, |byte| matches!(byte, 0x00..=b' ' | 0x7f));
        let lines = text[..length].iter().filter(|byte| **byte == b'\n').count();
        self.features.count(Feature::Lines, lines);
        self.features.count(Feature::Blanks, length - lines);
        self.features.count(Feature::Gaps, usize::from(&text[..length] != b" "));
        self.in_name = false;
        length
    }

    /// One character that is not ASCII.
    fn character(&mut self, text: &str) -> usize {
        let Some(character) = text.chars().next() else { return text.len() };
        let script = script(character);
        let feature = script.unwrap_or(match character.len_utf8() {
            ..=2 => Feature::Accented,
            3 => Feature::Wide,
            _ => Feature::Pictures,
        });
        self.features.count(feature, 1);
        if script.is_some() || character.is_alphanumeric() {
            self.name();
        } else {
            self.in_name = false;
        }
        character.len_utf8()
    }

    /// A run that is part of a name.
    fn name(&mut self) {
        self.features.count(Feature::Names, usize::from(!self.in_name));
        self.in_name = true;
    }
}

fn length_of(text: &[u8], belongs: impl Fn(&u8) -> bool) -> usize {
    text.iter().position(|byte| !belongs(byte)).unwrap_or(text.len())
}

/// Chinese, Japanese and Korean, as far as their characters take three bytes.
fn script(character: char) -> Option<Feature> {
    match character {
        '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => {
            Some(Feature::Ideographs)
        }
        '\u{3040}'..='\u{312f}' | '\u{31a0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9d}' => Some(Feature::Kana),
        '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}' => Some(Feature::Hangul),
        _ => None,
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

    fn add(mut self, other: Features) -> Features {
        self += other;
        self
    }
}

impl AddAssign for Features {
    fn add_assign(&mut self, other: Features) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }
}

impl Sum for Features {
    fn sum<I: Iterator<Item = Features>>(features: I) -> Features {
        features.fold(Features::default(), Add::add)
    }
}

/// A square matrix over features.
pub(super) type Matrix = [[f64; FEATURES]; FEATURES];

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::ModelCall;
    use serde_json::json;

    fn counted(text: &str) -> Vec<(Feature, f64)> {
        let features = Features::of_text(text);
        let all = [
            Feature::Letters,
            Feature::Words,
            Feature::Pieces,
            Feature::Humps,
            Feature::Digits,
            Feature::Numbers,
            Feature::Names,
            Feature::Marks,
            Feature::Underscores,
            Feature::Clusters,
            Feature::Blanks,
            Feature::Lines,
            Feature::Gaps,
            Feature::Ideographs,
            Feature::Kana,
            Feature::Hangul,
            Feature::Accented,
            Feature::Wide,
            Feature::Pictures,
        ];
        all.into_iter().map(|feature| (feature, features.of(feature))).filter(|(_, count)| *count > 0.0).collect()
    }

    #[test]
    fn code_is_counted_by_what_it_is_made_of() {
        let expected = vec![
            (Feature::Letters, 15.0),
            (Feature::Words, 4.0),
            (Feature::Pieces, 1.0),
            (Feature::Humps, 1.0),
            (Feature::Digits, 2.0),
            (Feature::Numbers, 1.0),
            (Feature::Names, 3.0),
            (Feature::Marks, 4.0),
            (Feature::Underscores, 1.0),
            (Feature::Clusters, 2.0),
            (Feature::Blanks, 6.0),
            (Feature::Lines, 1.0),
            (Feature::Gaps, 1.0),
        ];
        assert_eq!(counted("let\n    addTotals = to_u64();"), expected);
    }

    #[test]
    fn other_scripts_are_told_apart_by_what_they_take() {
        let expected = vec![
            (Feature::Names, 3.0),
            (Feature::Blanks, 2.0),
            (Feature::Ideographs, 3.0),
            (Feature::Kana, 2.0),
            (Feature::Hangul, 2.0),
            (Feature::Accented, 3.0),
            (Feature::Wide, 1.0),
            (Feature::Pictures, 1.0),
        ];
        assert_eq!(counted("漢字かな。한글字 äöü 🦀"), expected);
    }

    #[test]
    fn features_of_parts_add_up_to_those_of_the_whole() {
        let parts = ["fn main() {", "\n    漢字 = \"x\";", "\n}\n"];
        let whole = parts.concat();
        assert_eq!(parts.iter().map(|part| Features::of_text(part)).sum::<Features>(), Features::of_text(&whole));
        assert_eq!(Features::of_text(&whole).characters(), whole.chars().count() as f64);
    }

    #[test]
    fn a_call_is_counted_with_its_arguments_and_what_stands_between_them() {
        let arguments = json!({"path": "a", "lines": [1, 2, 3], "deep": {"x": null}});
        let call = ModelCall { server_id: None, index: None, name: "read_file".into(), arguments };
        let message = Message { calls: vec![call], ..Message::text(Role::Assistant, "") };
        let features = Features::of_message(&message);
        let tallied = [Feature::Messages, Feature::Calls, Feature::Separators, Feature::Results, Feature::Prompts];
        assert_eq!(tallied.map(|feature| features.of(feature)), [1.0, 1.0, 8.0, 0.0, 0.0]);
    }
}
