//! What the model is asked, word for word. The words are the same for every model, so that findings can be compared.

use super::ExamStep;
use super::kit::Tool;
use crate::conversation::schema;
use agent_protocol::{Message, ModelCall, Probe, Role, Think, ToolSpec};
use serde_json::Value;
use std::slice;

/// The file that is asked for first.
pub(super) const ONE: &str = "notes.txt";

/// The two files that are asked for together.
pub(super) const TWO: [&str; 2] = ["first.txt", "second.txt"];

/// The file that is to be written.
pub(super) const WRITTEN: &str = "sample.txt";

/// What it shall hold. Each line has something that is lost or doubled where quoting goes wrong: quotes of both kinds,
/// a tab, backslashes before letters that mean something behind one, letters beyond ASCII.
pub(super) const TEXT: &str =
    "name = \"Zoë\"\tsay 'hi'\npath = \"C:\\new\\table\"\nlike = '^\\d+\\s\"(.*)\"$'\nprice: 5 € – done \\\\ end";

/// The file that is to be edited.
pub(super) const EDITED: &str = "greet.py";
pub(super) const BEFORE: &str =
    "def greet(name):\n    if not name:\n        return \"Hello, you!\"\n    return \"Hello, \" + name + \"!\"\n";
pub(super) const AFTER: &str =
    "def greet(name):\n    if not name:\n        return \"Hello, stranger!\"\n    return \"Hello, \" + name + \"!\"\n";

/// A word that stands nowhere but in a result.
pub(super) const FACT: &str = "marlowick";

/// What a model is asked that works by files: a change in a file of 40 lines.
const BLOCKS: &str = "You are a careful programmer. To change a file, answer with its path on a line of its own, and below it one \
    block for each change:\n<<<<<<< SEARCH\nthe lines as they stand in the file\n=======\nthe lines that take their \
    place\n>>>>>>> REPLACE\nGive nothing else.";

const SYSTEM: &str = "You are a coding agent in a project folder. Paths are relative to it. Use the tools that you are \
    given. When you have what you need, answer in one short sentence.";

/// One request, and what it is about.
#[derive(Debug)]
pub(super) enum Asked {
    OneCall(Tool),
    TwoCalls(Tool),
    /// The second of two calls, after the first came alone.
    SecondCall(Tool, Box<First>),
    Write(Tool),
    Edit(Tool),
    Stop(Tool),
    /// Held to a schema, with the tools beside it.
    Schema(Tool),
    /// The same without them; and why it did not work with them.
    SchemaAlone(Tool, String),
    ThinkOff,
    /// After thinking was off.
    ThinkOn {
        thought_when_off: bool,
    },
    Blocks,
}

/// The first of two calls, which came alone.
#[derive(Debug)]
pub(super) struct First {
    /// The reply with it, as it goes back to the model.
    pub(super) reply: Message,
    pub(super) call: ModelCall,
    /// What the model needed help with.
    pub(super) habits: Vec<String>,
    /// The file it did not ask for.
    pub(super) missing: &'static str,
}

impl Asked {
    pub(super) fn probe(&self) -> Probe {
        match self {
            Asked::OneCall(_) => Probe::OneCall,
            Asked::TwoCalls(_) | Asked::SecondCall(..) => Probe::TwoCalls,
            Asked::Write(_) => Probe::Write,
            Asked::Edit(_) => Probe::Edit,
            Asked::Stop(_) => Probe::Stop,
            Asked::Schema(_) | Asked::SchemaAlone(..) => Probe::Schema,
            Asked::ThinkOff | Asked::ThinkOn { .. } => Probe::Think,
            Asked::Blocks => Probe::Blocks,
        }
    }

    /// Is a tool offered with it?
    pub(super) fn needs_tool(&self) -> bool {
        self.tool().is_some()
    }

    pub(super) fn next(&self) -> ExamStep {
        let tools: Vec<ToolSpec> = self.tool().map(|tool| tool.spec().clone()).into_iter().collect();
        let (messages, think, format) = (self.messages(), self.think(), self.format());
        ExamStep::Ask { probe: self.probe(), messages, tools, think, format }
    }

    /// What the reply is held to.
    pub(super) fn format(&self) -> Option<Value> {
        match self {
            Asked::Schema(tool) | Asked::SchemaAlone(tool, _) => Some(schema::of_calls(slice::from_ref(tool.spec()))),
            Asked::OneCall(_) | Asked::TwoCalls(_) | Asked::SecondCall(..) | Asked::Write(_) | Asked::Edit(_) => None,
            Asked::Stop(_) | Asked::ThinkOff | Asked::ThinkOn { .. } | Asked::Blocks => None,
        }
    }

    fn messages(&self) -> Vec<Message> {
        match self {
            Asked::OneCall(_) => one_call(),
            Asked::TwoCalls(_) => two_calls(),
            Asked::SecondCall(_, first) => second_call(first),
            Asked::Write(_) => write(),
            Asked::Edit(_) => edit(),
            Asked::Stop(tool) => stop(tool),
            Asked::Schema(_) => schema(""),
            Asked::SchemaAlone(tool, _) => schema(&schema::tool_names(slice::from_ref(tool.spec()))),
            Asked::ThinkOff | Asked::ThinkOn { .. } => think(),
            Asked::Blocks => blocks(),
        }
    }

    fn tool(&self) -> Option<&Tool> {
        match self {
            Asked::OneCall(tool) | Asked::TwoCalls(tool) | Asked::SecondCall(tool, _) => Some(tool),
            Asked::Write(tool) | Asked::Edit(tool) | Asked::Stop(tool) | Asked::Schema(tool) => Some(tool),
            Asked::SchemaAlone(..) | Asked::ThinkOff | Asked::ThinkOn { .. } | Asked::Blocks => None,
        }
    }

    fn think(&self) -> Option<Think> {
        match self {
            Asked::ThinkOff => Some(Think::Off),
            Asked::ThinkOn { .. } => Some(Think::On),
            Asked::OneCall(_) | Asked::TwoCalls(_) | Asked::SecondCall(..) => None,
            Asked::Write(_) | Asked::Edit(_) | Asked::Stop(_) | Asked::Blocks => None,
            Asked::Schema(_) | Asked::SchemaAlone(..) => None,
        }
    }
}

fn one_call() -> Vec<Message> {
    asked(format!("Read the file {ONE}."))
}

fn two_calls() -> Vec<Message> {
    let [first, second] = TWO;
    asked(format!("Read the files {first} and {second}. Make both calls at once, in the same reply."))
}

/// The conversation goes on after the first of two calls came alone.
fn second_call(first: &First) -> Vec<Message> {
    let mut messages = two_calls();
    messages.push(first.reply.clone());
    messages.push(Message::result(&first.call, "1\tNothing of interest."));
    messages
}

fn write() -> Vec<Message> {
    asked(format!(
        "Write the four lines between the dashes into the file {WRITTEN}, exactly as they stand here, with every \
         quote, backslash and tab:\n-----\n{TEXT}\n-----"
    ))
}

fn edit() -> Vec<Message> {
    asked(format!(
        "This is all of the file {EDITED}:\n-----\n{BEFORE}-----\nLet it return \"Hello, stranger!\" where there is no \
         name. Change that line with one edit, and leave the rest as it is."
    ))
}

/// As a rescue asks as a last way; `tools` says which there are, where they do not stand beside it.
fn schema(tools: &str) -> Vec<Message> {
    asked(format!("Read the file {ONE}. {}{tools}", schema::one_object()))
}

/// A result is there: the answer is all that is missing.
fn stop(tool: &Tool) -> Vec<Message> {
    let call = tool.call(&[ONE]);
    let mut messages = asked(format!("What is the word of the day in {ONE}? Read the file, then tell me."));
    messages.push(Message { calls: vec![call.clone()], ..Message::text(Role::Assistant, "") });
    messages.push(Message::result(&call, format!("1\tThe word of the day is {FACT}.")));
    messages
}

fn think() -> Vec<Message> {
    asked("How many days do March, April and May have together? Answer with the number.".into())
}

/// The file of this question: ten functions, one of which says `you`.
pub(super) fn greetings(of_the_fifth: &str) -> String {
    let name = |at: usize| if at == 5 { of_the_fifth.to_owned() } else { format!("friend {at}") };
    (1..=10).map(|at| format!("def greet_{at}():\n    return \"Hello, {}!\"\n\n\n", name(at))).collect()
}

fn blocks() -> Vec<Message> {
    let text = format!(
        "{EDITED}\n```python\n{}```\n\nLet greet_5 return \"Hello, stranger!\".",
        greetings("you").trim_end().to_owned() + "\n"
    );
    vec![Message::text(Role::System, BLOCKS), Message::text(Role::User, text)]
}

fn asked(text: String) -> Vec<Message> {
    vec![Message::text(Role::System, SYSTEM), Message::text(Role::User, text)]
}
