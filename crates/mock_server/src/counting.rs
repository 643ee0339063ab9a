//! The rules by which a server counts tokens. A client cannot know which is in force, only learn what it comes to.
//!
//! Every rule reads text sign by sign, so that a reply which is still being written and the same reply sent back are
//! counted alike.

use crate::tokens::{estimate, estimate_value};
use serde::{Deserialize, Serialize};
use serde_json::ser::Formatter;
use serde_json::{Serializer, Value};
use std::io;

/// How tokens are counted: in the script, `"counts": "words"`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counts {
    /// A quarter of the characters of each text, rounded up; nothing for a message as such. What is written counts one
    /// token a piece.
    #[default]
    Quarter,
    /// Words and punctuation signs, and 3 for each message. A run of letters and digits is a word, a Chinese, Japanese
    /// or Korean character is one too; blanks and line ends are nothing.
    Words,
    /// A third of the UTF-8 bytes of each text, rounded up, and 5 for each message. JSON (tools and calls) is written
    /// with a blank after each colon and comma, as Python does it.
    Bytes,
    /// Pieces as byte-pair encodings make them, and 4 for each message: up to six letters or two signs with the blank
    /// before them, up to three digits or foreign letters, up to eight blanks, up to four line ends; three for an emoji.
    /// Chinese, Japanese and Korean characters are 1 each, rare ones 2. JSON as with `bytes`.
    Pieces,
}

impl Counts {
    pub(crate) fn text(self, text: &str) -> u64 {
        let mut tally = Tally::by(self);
        tally.read(text);
        tally.tokens()
    }

    /// Tokens of a call in a message.
    pub(crate) fn call(self, name: &str, arguments: &Value) -> u64 {
        match self {
            Counts::Quarter => estimate(name) + estimate_value(arguments),
            Counts::Words | Counts::Bytes | Counts::Pieces => {
                self.text(&spaced(&serde_json::json!({"name": name, "arguments": arguments})))
            }
        }
    }

    pub(crate) fn tools(self, tools: &[Value]) -> u64 {
        match self {
            Counts::Quarter => tools.iter().map(estimate_value).sum(),
            Counts::Words | Counts::Bytes | Counts::Pieces if tools.is_empty() => 0,
            Counts::Words | Counts::Bytes | Counts::Pieces => self.text(&spaced(tools)),
        }
    }

    /// What a message takes besides its texts.
    pub(crate) fn of_message(self) -> u64 {
        match self {
            Counts::Quarter => 0,
            Counts::Words => 3,
            Counts::Bytes => 5,
            Counts::Pieces => 4,
        }
    }
}

/// A text being counted, as far as it was read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tally {
    counts: Counts,
    /// Whole tokens, with the rules that know such.
    whole: u64,
    /// Bytes or characters, with the rules that divide them.
    parts: u64,
    run: Run,
    length: u32,
}

/// Signs of one kind in a row may share a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    None,
    Letters,
    Signs,
    Digits,
    Foreign,
    Blanks,
    LineEnds,
}

impl Run {
    /// So many signs share one.
    fn longest(self) -> u32 {
        match self {
            Run::None => 0,
            Run::Letters => 6,
            Run::Signs => 2,
            Run::Digits | Run::Foreign => 3,
            Run::Blanks => 8,
            Run::LineEnds => 4,
        }
    }
}

impl Tally {
    /// Nothing read yet.
    pub(crate) fn by(counts: Counts) -> Self {
        Tally { counts, whole: 0, parts: 0, run: Run::None, length: 0 }
    }

    pub(crate) fn read(&mut self, text: &str) {
        match self.counts {
            Counts::Quarter => self.parts += text.chars().count() as u64,
            Counts::Bytes => self.parts += text.len() as u64,
            Counts::Words => text.chars().for_each(|sign| self.word(sign)),
            Counts::Pieces => text.chars().for_each(|sign| self.piece(sign)),
        }
    }

    pub(crate) fn tokens(&self) -> u64 {
        match self.counts {
            Counts::Quarter => self.parts.div_ceil(4),
            Counts::Bytes => self.parts.div_ceil(3),
            Counts::Words | Counts::Pieces => self.whole,
        }
    }

    fn word(&mut self, sign: char) {
        let in_word = self.run == Run::Letters;
        self.run = Run::None;
        if is_ideograph(sign) {
            self.whole += 1;
        } else if sign.is_alphanumeric() {
            self.whole += u64::from(!in_word);
            self.run = Run::Letters;
        } else if !sign.is_whitespace() {
            self.whole += 1;
        }
    }

    fn piece(&mut self, sign: char) {
        let run = match sign {
            ' ' | '\t' => Run::Blanks,
            '\n' | '\r' => Run::LineEnds,
            '0'..='9' => Run::Digits,
            _ if sign.is_ascii_alphabetic() => Run::Letters,
            _ if sign.is_ascii_punctuation() => Run::Signs,
            _ if is_ideograph(sign) => Run::None,
            _ if sign.is_alphanumeric() => Run::Foreign,
            _ => Run::None,
        };
        // One blank goes with the word or sign behind it.
        let leads_in = matches!(run, Run::Letters | Run::Signs) && self.run == Run::Blanks && self.length == 1;
        if run != Run::None && run == self.run && self.length < run.longest() {
            self.length += 1;
        } else {
            self.whole += if leads_in { 0 } else { weight(sign) };
            (self.run, self.length) = (run, 1);
        }
    }
}

/// Tokens of a sign that begins a piece.
fn weight(sign: char) -> u64 {
    match sign as u32 {
        0x1_f000..=0x1_faff => 3,
        _ if is_ideograph(sign) && is_rare(sign) => 2,
        _ => 1,
    }
}

/// Chinese, Japanese and Korean characters, which are written without blanks.
fn is_ideograph(sign: char) -> bool {
    matches!(sign as u32, 0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff)
}

/// All that are seldom written, and of the others every seventh: a vocabulary is not that large.
fn is_rare(sign: char) -> bool {
    match sign as u32 {
        code @ 0x4e00..=0x9fff => code % 7 == 0,
        code => !(0x3040..=0x30ff).contains(&code) && !(0xac00..=0xd7a3).contains(&code),
    }
}

/// JSON with a blank after each colon and comma, as most templates write it.
pub(crate) fn spaced<T: Serialize + ?Sized>(value: &T) -> String {
    let mut text = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(&mut text, Spaced));
    written.expect("these values have text keys and finite numbers");
    String::from_utf8(text).expect("JSON is UTF-8")
}

struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: io::Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_key<W: io::Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_value<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::pieces;
    use serde_json::json;

    const ALL: [Counts; 4] = [Counts::Quarter, Counts::Words, Counts::Bytes, Counts::Pieces];

    #[test]
    fn each_rule_counts_in_its_own_way() {
        let of = |text: &str| ALL.map(|counts| counts.text(text));
        assert_eq!(of(""), [0, 0, 0, 0]);
        assert_eq!(of("Hello, world!"), [4, 4, 5, 4]);
        assert_eq!(of("let total_sum = 1234;\n\n        return total_sum"), [12, 11, 16, 15]);
        assert_eq!(of("窓は小さい。"), [2, 6, 6, 6]);
        assert_eq!(of("\u{1f600} Привет"), [2, 2, 6, 6]);
    }

    #[test]
    fn rare_characters_are_two_pieces_and_common_ones_one() {
        assert_eq!(Counts::Pieces.text("\u{4e01}\u{4e02}"), 2);
        assert_eq!(Counts::Pieces.text("\u{4e03}\u{3400}"), 4);
    }

    #[test]
    fn however_a_text_is_cut_it_counts_the_same() {
        let text = "fn main() {\n    let 数 = \"Grüße, 世界\"; // 1234567 immediately\n\n\n}\n";
        for counts in ALL {
            let mut tally = Tally::by(counts);
            pieces(text).for_each(|piece| tally.read(piece));
            assert_eq!(tally.tokens(), counts.text(text), "{counts:?}");
        }
    }

    #[test]
    fn json_is_counted_as_templates_write_it() {
        let tools = [json!({"name": "ls", "list": [1, 2]})];
        assert_eq!(spaced(&tools), r#"[{"name": "ls", "list": [1, 2]}]"#);
        assert_eq!(ALL.map(|counts| counts.tools(&tools)), [7, 21, 11, 17]);
        assert_eq!(ALL.map(|counts| counts.call("ls", &json!({"path": "."}))), [4, 23, 14, 16]);
        assert_eq!(ALL.map(|counts| counts.tools(&[])), [0; 4]);
    }
}
