//! Forms in which tools go by text: how they are described to a model, and how their results go back.
//!
//! Only forms of plain characters: special tokens are deleted by servers before a client sees them. What a model
//! writes in any of them is read by the splitter, like everything else.

mod call;
mod signature;

use agent_protocol::ToolSpec;
use serde_json::{Map, Value};
use signature::{as_json, as_lines, as_python, as_tags};
use std::borrow::Cow;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// JSON in `<tool_call>`, as Hermes, Qwen 2.5 and 3 and many of their kin were taught.
    Hermes,
    /// XML in `<tool_call>`, as Qwen3-Coder was taught.
    QwenCoder,
    /// JSON in `<function=name>`, as Llama 3 was taught for tools of one's own.
    Llama,
    /// Python calls in a fence named `tool_code`, as Gemma was taught.
    Gemma,
    /// JSON in a fence: for models that were taught nothing, and know JSON.
    #[default]
    FencedJson,
    /// Whole files in fences, for models that cannot call: no tool is described, and what was done is said in brackets.
    Files,
}

const FORMS: [(&str, Form); 5] = [
    ("hermes", Form::Hermes),
    ("qwen-coder", Form::QwenCoder),
    ("llama", Form::Llama),
    ("gemma", Form::Gemma),
    ("json", Form::FencedJson),
];

impl Form {
    /// The form of this name.
    pub fn by_name(name: &str) -> Option<Form> {
        FORMS.iter().find(|(known, _)| *known == name).map(|(_, form)| *form)
    }

    /// The form that was made for models which write their calls in this dialect.
    pub fn of_dialect(dialect: &str) -> Option<Form> {
        match dialect {
            "hermes" => Some(Form::Hermes),
            "qwen3-coder" => Some(Form::QwenCoder),
            "llama-function" => Some(Form::Llama),
            "tool-code" => Some(Form::Gemma),
            "json" => Some(Form::FencedJson),
            _ => None,
        }
    }

    /// The names of all forms.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FORMS.iter().map(|(name, _)| *name)
    }

    /// What the system message says of the tools: their signatures, and how to call them.
    pub fn describe(self, specs: &[ToolSpec]) -> String {
        let signatures: Vec<String> = specs.iter().map(|spec| self.signature(spec)).collect();
        self.words().replacen("{tools}", &signatures.join("\n"), 1)
    }

    /// What of that is about one tool.
    pub fn signature(self, spec: &ToolSpec) -> String {
        match self {
            Form::Hermes => {
                format!("{{\"type\":\"function\",\"function\":{}}}", as_json(spec))
            }
            Form::QwenCoder => as_tags(spec),
            Form::Llama => as_json(spec),
            Form::Gemma => as_python(spec),
            Form::FencedJson => as_lines(spec),
            Form::Files => String::new(),
        }
    }

    /// A call, as a model would write it.
    pub fn call(self, name: &str, arguments: &Map<String, Value>) -> String {
        call::call(self, name, arguments)
    }

    /// The result of one call, as it stands in the message that follows it.
    pub fn result(self, told: &str) -> String {
        match self {
            Form::Hermes | Form::QwenCoder | Form::Llama | Form::FencedJson => {
                format!("<tool_response>\n{}\n</tool_response>", without_marks(told))
            }
            Form::Gemma => {
                let fence = fence_around(told);
                format!("{fence}tool_output\n{told}\n{fence}")
            }
            Form::Files if told.contains('\n') => {
                let fence = fence_around(told);
                format!("{fence}\n{told}\n{fence}")
            }
            Form::Files => format!("({told})"),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Form::Hermes => include_str!("../../../assets/prompts/tools/hermes.md"),
            Form::QwenCoder => include_str!("../../../assets/prompts/tools/qwen-coder.md"),
            Form::Llama => include_str!("../../../assets/prompts/tools/llama.md"),
            Form::Gemma => include_str!("../../../assets/prompts/tools/gemma.md"),
            Form::FencedJson => include_str!("../../../assets/prompts/tools/json.md"),
            Form::Files => include_str!("../../../assets/prompts/files/instructions.md"),
        }
    }
}

/// The name of the element that holds a result.
const RESULT: &str = "tool_response";

/// The text with its own marks of a result broken: else a file could end the result that it stands in, and go on in
/// the user's voice. `</tool_response>` becomes `<\/tool_response>`. Unlike a character of no width, a backslash is
/// seen by everybody, models know it there from scripts in web pages, and what is copied with it into an edit misses
/// instead of changing the file unseen.
fn without_marks(text: &str) -> Cow<'_, str> {
    let begins = |rest: &str| {
        let name = rest[1..].strip_prefix('/').unwrap_or(&rest[1..]);
        name.get(..RESULT.len()).is_some_and(|name| name.eq_ignore_ascii_case(RESULT))
    };
    let mut marks = text.match_indices('<').map(|(at, _)| at + 1).filter(|at| begins(&text[at - 1..])).peekable();
    if marks.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let (mut safe, mut done) = (String::with_capacity(text.len() + 16), 0);
    for at in marks {
        safe.push_str(&text[done..at]);
        safe.push('\\');
        done = at;
    }
    safe.push_str(&text[done..]);
    Cow::Owned(safe)
}

/// A fence that no line of `text` closes.
fn fence_around(text: &str) -> String {
    let ticks = |line: &str| line.len() - line.trim_start_matches('`').len();
    let longest = text.lines().map(|line| ticks(line.trim_start())).max().unwrap_or(0);
    "`".repeat(3.max(longest + 1))
}

#[cfg(test)]
mod tests;
