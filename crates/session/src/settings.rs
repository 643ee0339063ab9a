//! What a session starts from, and a session that was opened to go on with. Plain data that the binary reads.

use crate::{AgentKind, OfferedGroup};
use agent_dialects::Form;
use agent_protocol::{
    CallId, FileChange, Finding, Hook, LeverChanges, MemoryCard, ModelProfile, Record, SandboxSupport, SessionCard,
    SessionId, SkillCard, Think, ToolSpec, ToolsBy,
};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// What a session starts from.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The project folder, links resolved.
    pub project: PathBuf,
    /// The server's address, for people.
    pub host: String,
    pub system: String,
    /// What the model is offered.
    pub tools: Vec<ToolSpec>,
    /// The skills there are, by name.
    pub skills: Vec<SkillCard>,
    /// The kinds of agents that the user and the project bring along.
    pub agents: Vec<AgentKind>,
    /// What is remembered of earlier sessions, as it was when this one began.
    pub memory: Vec<MemoryCard>,
    /// All groups of tools; `tools` are those of the groups that are on.
    pub groups: Vec<OfferedGroup>,
    /// Groups that the user named themself: no model gets fewer of their tools.
    pub named_groups: Vec<String>,
    /// How the model is offered its tools.
    pub tools_mode: ToolsMode,
    /// What is known of families of models; the first that matches counts.
    pub families: Vec<Family>,
    /// The command that checks the project, where the config names one.
    pub check: Option<String>,
    /// What the config says of what is done around a model; it goes before what is known of the model.
    pub levers: LeverChanges,
    /// What suits which size; the first that is larger counts.
    pub sizes: Vec<ModelSize>,
    /// The model chosen by flag, config or an earlier session.
    pub model: Option<String>,
    /// The window from flag or config, in tokens.
    pub window: Option<u64>,
    /// The longest reply from the config, in tokens; 0: the user wants no bound, and gets the usual one.
    pub max_reply_tokens: Option<u64>,
    /// The server's own default window, as far as the environment tells, in tokens.
    pub server_window: Option<u64>,
    /// Further options for the server, by its own names.
    pub options: Map<String, Value>,
    /// How long the model stays loaded.
    pub keep_alive: Option<String>,
    /// Thinking; `None` leaves it to the server.
    pub think: Option<Think>,
    /// What the user said in earlier sessions, oldest first.
    pub history: Vec<String>,
    /// The folder is hardly a project (home, `/`): ask once whether it is meant.
    pub doubtful_folder: bool,
    /// Where a turn that runs long or in circles is stopped.
    pub limits: Limits,
    /// What is kept for the next session.
    pub keep: Keep,
    /// Whether what was found in the folder may be read and used.
    pub trust: Trust,
    pub sandbox: SandboxSupport,
    /// The server is somewhere else and is talked to in the clear.
    pub exposed: bool,
    /// What was learned of models in earlier sessions, the one used last first.
    pub profiles: Vec<ModelProfile>,
    /// There is no model and none is looked for: all that is done is called from outside.
    pub alone: bool,
    /// Let the server take the model out of its memory when the session ends.
    pub release: bool,
    pub begin: Begin,
    /// The user named the model for this start: it goes before the one that a session had.
    pub model_named: bool,
    /// What happens is written down.
    pub record: bool,
    /// The hooks of the user and of the project, those that are off included.
    pub hooks: Vec<Hook>,
    /// Things to say at the start, found by the door.
    pub notices: Vec<String>,
}

impl Settings {
    /// A session in `project` with these instructions and tools, and nothing set, known or kept.
    pub fn bare(project: PathBuf, system: impl Into<String>, tools: Vec<ToolSpec>) -> Self {
        Settings {
            project,
            host: String::new(),
            system: system.into(),
            tools,
            groups: Vec::new(),
            named_groups: Vec::new(),
            tools_mode: ToolsMode::Auto,
            families: Vec::new(),
            sizes: Vec::new(),
            check: None,
            levers: LeverChanges::off(),
            model: None,
            window: None,
            max_reply_tokens: None,
            server_window: None,
            options: Map::new(),
            keep_alive: None,
            think: None,
            history: Vec::new(),
            doubtful_folder: false,
            limits: Limits::default(),
            keep: Keep::Nothing,
            trust: Trust::Settled,
            sandbox: SandboxSupport::none(""),
            exposed: false,
            profiles: Vec::new(),
            release: false,
            alone: false,
            begin: Begin::New,
            model_named: false,
            record: false,
            hooks: Vec::new(),
            notices: Vec::new(),
            skills: Vec::new(),
            agents: Vec::new(),
            memory: Vec::new(),
        }
    }
}

/// Whether what was found in the folder may be read and used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Trust {
    /// That is settled: it is trusted, there is nothing to trust, or nobody is there to ask.
    #[default]
    Settled,
    Ask {
        found: Vec<Finding>,
        /// The system message with the words of the project, for when they say yes.
        system: String,
    },
}

/// What is kept for the next session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// What the user says, and the model they choose.
    Everything,
    /// Nothing: a script speaks, not a person.
    Nothing,
}

/// Where a turn that runs long or in circles is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Replies with calls in one turn.
    pub steps: u32,
    /// The same call with the same result so many times in a row.
    pub repeats: u32,
    /// Two calls by turns with the same two results, so many pairs in a row.
    pub alternations: u32,
    /// The same few words so many times in a row at the end of one reply.
    pub same_words: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 100, repeats: 3, alternations: 3, same_words: 40 }
    }
}

/// How the model is offered its tools.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ToolsMode {
    /// By the server, or by text where the model has no tool support of its own.
    #[default]
    Auto,
    /// By the server, whatever the model.
    Native,
    /// By text, whatever the model.
    Text,
    /// It gets none and works by files, whatever the model.
    Files,
}

/// What suits models of a size.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelSize {
    /// Models of fewer parameters than so many billions; none: all whose size is known.
    pub below: Option<f64>,
    /// The form of work; none: by calls, where the server offers them.
    pub form: Option<ToolsBy>,
    /// What is done around them.
    pub levers: LeverChanges,
}

/// What is known of a family of models.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Family {
    /// Beginnings of words in the model's name, or in the server's word for its family: `qwen3-coder`.
    pub matches: Vec<String>,
    /// The form in which its tools go by text.
    pub form: Form,
    /// Its template opens the reasoning, so that a reply begins in it.
    pub starts_in_reasoning: bool,
    /// Options for the server that suit these models; what the user set themselves goes before them.
    pub options: Map<String, Value>,
    /// The same where they do not think; none: `options` hold then, too.
    pub options_direct: Option<Map<String, Value>>,
    /// They cannot stop thinking, or break when they are told to: they are never told.
    pub never_off: bool,
    /// The least that they can be told to think, where they cannot stop; none: they know no steps.
    pub least_think: Option<Think>,
    /// The longest reply that suits them, in tokens; 0: the usual one.
    pub max_reply_tokens: Option<u64>,
    /// How much these models think, where the user did not say.
    pub think: Option<Think>,
    /// What is done around them.
    pub levers: LeverChanges,
}

impl Family {
    /// Is a model of this name, and of this family by the server's word, meant?
    pub fn matches(&self, name: &str, family: Option<&str>) -> bool {
        let words = [name, family.unwrap_or_default()].map(str::to_lowercase);
        self.matches.iter().any(|start| words.iter().any(|word| has_word_with(word, &start.to_lowercase())))
    }
}

/// Does a word in `text` begin with `start`? `phi` begins no word of `dolphin`.
fn has_word_with(text: &str, start: &str) -> bool {
    let begins = |at: usize| text[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric());
    !start.is_empty() && text.match_indices(start).any(|(at, _)| begins(at))
}

/// A session that was opened to go on with.
#[derive(Debug)]
pub struct OpenedSession {
    /// What is known of it.
    pub card: SessionCard,
    pub records: Vec<Record>,
    /// What could not be read of its end, and where that lies now, in words.
    pub torn: Option<String>,
    /// What became of files in calls that never told how they ended.
    pub recovered: Vec<(CallId, Vec<FileChange>)>,
    /// What was said first after the place it was copied from: it may be said again in other words.
    pub next: Option<String>,
}

/// What a session begins with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Begin {
    #[default]
    New,
    /// A kept session goes on.
    Session(SessionId),
    /// A copy of a kept session goes on.
    Copy(SessionId),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_is_known_by_the_beginning_of_a_word() {
        let of = |start: &str| Family { matches: vec![start.into()], ..Family::default() };
        assert!(of("phi").matches("phi3:mini", None));
        assert!(!of("phi").matches("dolphin-mixtral", None));
        assert!(of("qwen2.5-coder").matches("hf.co/someone/Qwen2.5-Coder-7B-GGUF", None));
        assert!(of("gemma").matches("my-own", Some("gemma3")));
        assert!(!of("").matches("anything", None));
    }
}
