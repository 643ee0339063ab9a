//! What the splitter yields.

use serde_json::{Map, Value};

/// A piece of a reply, in the order in which the model wrote it.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    Text(String),
    Thinking(String),
    Call(Found),
    /// Something that is a call beyond doubt and cannot be carried out.
    Lost(Lost),
    /// A result that the model made up after its own call, and all that follows it.
    Invented(String),
    /// The answer so far was reasoning.
    WasThinking(WasThinking),
}

/// What came as the answer was reasoning whose opening mark stood in the prompt: here its closing mark stands. No text and
/// no call before it counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WasThinking {
    /// The reasoning as the model wrote it, calls included.
    pub text: String,
    /// The length of all that was written up to the end of the mark, since the last one, in bytes.
    pub end: usize,
}

/// A call found in text.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The tool as the model wrote it, without the ornaments of the dialect (`functions.`, `:0`).
    pub name: String,
    /// The arguments by name, typed by the tool's schema where the dialect itself has no types.
    pub arguments: Map<String, Value>,
    /// The dialect it was read as.
    pub dialect: &'static str,
    /// What the model wrote, byte for byte.
    pub raw: String,
    /// What had to be mended to read it.
    pub repairs: Vec<Repair>,
}

/// A call that cannot be carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// Why not.
    pub why: Fault,
    /// The tool, where that much could be read.
    pub name: Option<String>,
    pub dialect: &'static str,
    /// What the model wrote, byte for byte.
    pub raw: String,
}

/// Why a call cannot be carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The reply ends in the middle of it: a value that is not there is never guessed.
    CutOff,
    /// It ended, and makes no sense.
    Unreadable,
}

/// Something mended while reading. Each is provable from the text: nothing is made up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Repair {
    /// Strings or keys in single quotes.
    SingleQuotes,
    SmartQuotes,
    /// Keys or words without quotation marks.
    BareWords,
    /// `None`, `True`, `False`.
    PythonWords,
    /// Line breaks or tabs inside a string.
    RawControl,
    /// A backslash that begins no escape, kept as it stands.
    InvalidEscape,
    /// A quotation mark inside a string.
    InnerQuote,
    /// `//`, `#` or `/* */` comments.
    Comment,
    ExtraComma,
    MissingComma,
    /// A closing bracket too few, in a block that is closed.
    MissingCloser,
    /// A closing bracket too many.
    ExtraCloser,
    /// Text after the value.
    TrailingText,
    /// Arguments written as a JSON text of their own, or escaped once too often.
    StringEncoded,
    /// A closing mark of the dialect is missing.
    MissingEnd,
    /// An opening mark of the dialect is missing.
    MissingStart,
    /// A closing mark too many, or one in another's place.
    ExtraEnd,
}

impl Repair {
    /// What was mended, for people.
    pub fn words(self) -> &'static str {
        match self {
            Repair::SingleQuotes => "single quotes read as double",
            Repair::SmartQuotes => "typographic quotes read as plain",
            Repair::BareWords => "words without quotes read as text",
            Repair::PythonWords => "Python words read as JSON",
            Repair::RawControl => "line breaks inside a string kept",
            Repair::InvalidEscape => "a backslash that begins no escape kept",
            Repair::InnerQuote => "a quote inside a string kept",
            Repair::Comment => "comments left out",
            Repair::ExtraComma => "a comma too many left out",
            Repair::MissingComma => "a missing comma added",
            Repair::MissingCloser => "a missing closing bracket added",
            Repair::ExtraCloser => "a closing bracket too many left out",
            Repair::TrailingText => "text after the arguments left out",
            Repair::StringEncoded => "what was escaped twice, or packed in a string, unpacked",
            Repair::MissingEnd => "the closing mark was missing",
            Repair::MissingStart => "the opening mark was missing",
            Repair::ExtraEnd => "an extra closing mark left out",
        }
    }
}
