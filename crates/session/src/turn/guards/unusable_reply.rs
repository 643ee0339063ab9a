//! Why a reply cannot be used, and what was tried about it. The words for the user and for the model stand here.

use crate::context::{one_line, squeeze};
use crate::conversation::schema::one_object;
use crate::turn::raw;
use agent_dialects::{Fault, Lost};
use agent_protocol::ToolSpec;
use serde_json::Value;

/// What was tried since the last reply that could be used.
#[derive(Debug, Default)]
pub(crate) struct Rescue {
    pub(crate) told: bool,
    pub(crate) constrained: bool,
    /// The model was asked for an answer outside its thinking.
    pub(crate) asked_outside: bool,
    /// The thinking of a reply that held nothing else: the answer, where none comes.
    pub(crate) thought: String,
}

impl Rescue {
    /// May the model still be told what was wrong?
    pub(crate) fn may_tell(&self) -> bool {
        !self.told
    }

    /// A reply could be used.
    pub(crate) fn done(&mut self) {
        *self = Rescue::default();
    }
}

/// Why a reply cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnusableReply {
    /// For the user: `the call was cut off`.
    pub(crate) what: String,
    /// For the model: `your call of write_file was cut off …`.
    pub(crate) told: String,
}

/// The length limit ended the reply in the middle of a call.
const TOO_LONG: &str = "the reply was cut off by its length limit in the middle of a call";

/// So much of a server's words is shown in a notice, in bytes.
const WORDS_FOR_PERSON: usize = 160;

/// How servers say that a call which they could not read was cut off: by the length limit, as far as can be told.
const ENDS_EARLY: [&str; 2] = ["unexpected end of JSON input", "Unexpected end of content"];

/// So much of a server's words is repeated to the model, in bytes.
const SERVERS_WORDS: usize = 600;

impl UnusableReply {
    /// A call in the text that cannot be carried out.
    pub(crate) fn lost(lost: &Lost, specs: &[ToolSpec], length_limit: bool) -> UnusableReply {
        let call = lost.name.as_ref().map_or_else(|| "your call".to_owned(), |name| format!("your call of {name}"));
        match lost.why {
            Fault::Unreadable => UnusableReply {
                what: "the model's call could not be read".into(),
                told: format!("{call} could not be read: its form is broken"),
            },
            Fault::CutOff => UnusableReply {
                what: if length_limit { TOO_LONG } else { "the model's call was cut off" }.into(),
                told: format!("{call} was cut off before it was complete{}", missing(lost, specs, length_limit)),
            },
        }
    }

    /// The server could not read what the model wrote.
    pub(crate) fn refused_by_server(message: &str, specs: &[ToolSpec]) -> UnusableReply {
        let words = squeeze(message.to_owned(), SERVERS_WORDS);
        let unknown = message.starts_with("tool '") || message.contains("is not declared");
        let tools = if unknown { format!("; the tools are {}", names(specs)) } else { String::new() };
        let server = one_line(raw::before_quote(message), WORDS_FOR_PERSON);
        let what = format!("the server could not read the model's reply ({server})");
        let told = match raw::quoted(message) {
            Some(quoted) if !quoted.starts_with('{') => {
                format!("your last reply could not be read: {words}; write the arguments as one JSON object")
            }
            _ if ENDS_EARLY.iter().any(|text| message.contains(text)) => {
                format!(
                    "your last reply could not be read: {words}; the end of a call is missing; if it is long, write it in smaller parts"
                )
            }
            _ => format!("your last reply could not be read: {words}{tools}"),
        };
        UnusableReply { what, told }
    }

    /// The reply broke off on its way.
    pub(crate) fn cut() -> UnusableReply {
        UnusableReply {
            what: "the reply was cut off on its way".into(),
            told: "your last reply was cut off on its way, and no call in it was run".into(),
        }
    }

    /// What runs the model ended, and is started again with the next request.
    pub(crate) fn crashed() -> UnusableReply {
        UnusableReply { what: "what runs the model on the server has crashed".into(), ..UnusableReply::cut() }
    }

    /// The length limit ended the reply before anything of it could be used.
    pub(crate) fn too_long() -> UnusableReply {
        UnusableReply {
            what: "the reply hit its length limit before anything usable".into(),
            told: "your last reply reached its length limit, and nothing of it could be used: do it in smaller parts"
                .into(),
        }
    }

    /// Nothing arrived outside the thinking.
    pub(crate) fn only_thought() -> UnusableReply {
        UnusableReply {
            what: "the reply contained only thinking".into(),
            told: "your last reply contained only thinking".into(),
        }
    }

    /// Tokens were written and nothing arrived.
    pub(crate) fn vanished() -> UnusableReply {
        UnusableReply {
            what: "the model's reply arrived empty".into(),
            told: "your last reply arrived empty: what you wrote could not be read as text or as a call".into(),
        }
    }
}

/// What the model is told first.
pub(crate) fn again(told: &str) -> String {
    format!("({told}; answer again, with one complete call or with text)")
}

/// What it is told when its reply is kept to a schema.
pub(crate) fn in_one_object(told: &str, tools: &str) -> String {
    format!("({told}. {}{tools})", one_object())
}

/// What a call that is cut off lacks: what its tool needs and what is not even named, as far as that can be told.
fn missing(lost: &Lost, specs: &[ToolSpec], length_limit: bool) -> String {
    let spec = specs.iter().find(|spec| Some(&spec.name) == lost.name.as_ref());
    let required = spec.and_then(|spec| spec.parameters.get("required")).and_then(Value::as_array);
    let names = required.into_iter().flatten().filter_map(Value::as_str);
    let missing: Vec<&str> = names.filter(|name| !has_word(&lost.raw, name)).collect();
    let mut words = match (spec, missing.as_slice()) {
        (None, _) => String::new(),
        (Some(_), []) => ": the end of its last argument is missing".to_owned(),
        (Some(_), missing) => format!(": {} is missing", missing.join(", ")),
    };
    if length_limit {
        words.push_str("; your reply reached its length limit, so do it in smaller parts");
    }
    words
}

fn has_word(text: &str, word: &str) -> bool {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(letter)
            && !text[at + word.len()..].chars().next().is_some_and(letter)
    })
}

fn names(specs: &[ToolSpec]) -> String {
    specs.iter().map(|spec| spec.name.as_str()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn write_file() -> ToolSpec {
        ToolSpec {
            name: "write_file".into(),
            description: String::new(),
            parameters: json!({"type": "object", "properties": {}, "required": ["file_path", "content"]}),
            aliases: Vec::new(),
        }
    }

    fn lost(name: Option<&str>, raw: &str) -> Lost {
        Lost { why: Fault::CutOff, name: name.map(str::to_owned), dialect: "hermes", raw: raw.into() }
    }

    #[test]
    fn a_call_that_is_cut_off_is_told_with_what_is_missing() {
        let told = |lost: Lost| UnusableReply::lost(&lost, &[write_file()], false).told;
        assert_eq!(
            told(lost(Some("write_file"), r#"{"name": "write_file", "arguments": {"file_path": "a"#)),
            "your call of write_file was cut off before it was complete: content is missing"
        );
        assert_eq!(
            told(lost(Some("write_file"), r#"{"arguments": {"file_path": "a", "content": "x"#)),
            "your call of write_file was cut off before it was complete: the end of its last argument is missing"
        );
        assert_eq!(told(lost(None, "{")), "your call was cut off before it was complete");
    }

    #[test]
    fn a_name_the_server_refused_brings_the_list_of_real_ones() {
        let mishap = UnusableReply::refused_by_server("tool 'launch' not found", &[write_file()]);
        assert!(mishap.told.ends_with("tool 'launch' not found; the tools are write_file"), "{}", mishap.told);
    }

    #[test]
    fn a_servers_long_words_stand_on_one_line_of_the_notice() {
        let what = UnusableReply::refused_by_server(&format!("parse error: {}", "x y\n".repeat(90)), &[]).what;
        assert!(!what.contains('\n') && what.len() > 160 && what.len() < 240, "{what}");
    }

    #[test]
    fn a_servers_long_words_are_cut_for_the_model() {
        let mishap = UnusableReply::refused_by_server(&format!("failed to parse JSON: {}", "x".repeat(9_000)), &[]);
        assert!(mishap.told.len() < 700, "{}", mishap.told.len());
    }
}
