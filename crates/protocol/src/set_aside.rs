//! What a model wrote that is neither its answer nor acted upon, and why.

use serde::{Deserialize, Serialize};

/// Why something was set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetAside {
    /// A result that the model made up after its own call.
    Invented,
    /// It was written after a call, without having seen the result.
    AfterCall,
    /// A call in the text beside others that the server sent; nobody could tell whether it was meant as well.
    Beside,
    /// A call that is cut off: something that is needed is not there.
    CutOff,
    /// A call that cannot be read.
    Unreadable,
}

impl SetAside {
    /// What became of it, for people.
    pub fn words(self) -> &'static str {
        match self {
            SetAside::Invented => "left out: a result the model made up",
            SetAside::AfterCall => "left out: written after its call, before the result",
            SetAside::Beside => "left out: a call in the text, beside those the server sent",
            SetAside::CutOff => "a call was cut off and is not run",
            SetAside::Unreadable => "a call could not be read and is not run",
        }
    }

    /// The same with how much it is, where that says something. Of an invented result often only its first mark is
    /// there, for nobody goes on listening to it.
    pub fn told(self, text: &str) -> String {
        match (self, text.trim().lines().count()) {
            (SetAside::Invented, 0 | 1) => "left out: the model began to make up a result".to_owned(),
            (SetAside::AfterCall | SetAside::Beside, 1) => format!("{} (1 line)", self.words()),
            (SetAside::Invented | SetAside::AfterCall | SetAside::Beside, lines) => {
                format!("{} ({lines} lines)", self.words())
            }
            (SetAside::CutOff | SetAside::Unreadable, _) => self.words().to_owned(),
        }
    }
}
