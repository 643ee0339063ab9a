//! One question, one answer, for every approval of every kind.

use crate::FileDiff;
use crate::lossy;
use crate::lossy::is_false;
use crate::{Action, AskId, CallId, Cover, Host, HostPattern, Profile, Reacher};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A question to the user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Its number; the answer carries it back.
    pub id: AskId,
    /// The call that is waiting, if one is.
    pub call: Option<CallId>,
    pub subject: Subject,
    /// What would happen, to be looked at before answering.
    pub preview: Preview,
    /// Why it is asked, in words.
    pub why: String,
    /// What "don't ask again" would mean, spelled out; empty where it is not offered.
    pub offers: Vec<RuleOffer>,
    /// What is dangerous about it, one line each, to be shown in red: a protected name, a place outside the project.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// A command as it was read, one entry a part; empty where it could not be read.
    #[serde(default)]
    pub parts: Vec<CommandPart>,
    /// What would have spared it.
    #[serde(default)]
    pub cause: Cause,
    /// Hosts that a yes lets the command reach as well: those that its package manager is known to need.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<Host>,
}

impl Question {
    /// What others wrote of it, changed files aside: the model, a server, the repository. To be looked through for what
    /// nobody sees.
    pub fn foreign_texts(&self) -> Vec<&str> {
        let mut texts = vec![self.preview.title.as_str()];
        match &self.preview.body {
            PreviewBody::Plain | PreviewBody::Diff { .. } => {}
            PreviewBody::Command { command, .. } => texts.push(command),
            PreviewBody::Fetch { url, sends } => texts.extend([url.as_str(), sends]),
            PreviewBody::Call { server, tool, arguments, description } => {
                texts.extend([server.as_str(), tool, arguments, description]);
            }
            PreviewBody::Task { agent, prompt } => texts.extend([agent.as_str(), prompt]),
            PreviewBody::Plan { text } => texts.push(text),
            PreviewBody::Choices { question, choices } => {
                texts.push(question);
                texts.extend(choices.iter().map(String::as_str));
            }
        }
        match &self.subject {
            Subject::Action { action: Action::Run { input: Some(input), .. } } => texts.push(input),
            Subject::Trust { found, .. } => {
                texts.extend(found.iter().flat_map(|it| [it.name.as_str(), it.what.as_str()]))
            }
            Subject::Reach { command, .. } => texts.push(command),
            Subject::Again { failing, files } => {
                texts.push(failing);
                texts.extend(files.iter().map(String::as_str));
            }
            Subject::Action { .. }
            | Subject::Steps { .. }
            | Subject::Repeat { .. }
            | Subject::Stuck { .. }
            | Subject::Shorten { .. }
            | Subject::Folder { .. }
            | Subject::Cloud { .. } => {}
        }
        texts
    }
}

/// Why an action is not simply done: what a front end without a person may say of flags follows from this alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// It asks whatever was allowed beforehand.
    #[default]
    Always,
    /// Nothing that is in force allows it; a flag or another mode would.
    NotAllowed,
    /// It commits, and only a flag for commits is missing.
    CommitNotAllowed,
    /// It commits by a command that is not allowed either: flags for both are missing.
    CommandAndCommitNotAllowed,
    /// It reaches a host, and only a flag for hosts is missing.
    HostNotAllowed,
    /// It writes outside the project, and only a flag for that folder is missing.
    FolderNotAllowed,
    /// Protected files were changed in this session, so nothing that was allowed beforehand counts.
    Suspended,
    /// It is allowed, but nothing holds commands in on this system.
    NoSandbox,
    /// It is for a person alone, whatever else is allowed: what later sessions are told, plans, questions of the model.
    Never,
}

/// One program of a command with its words, decoded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandPart {
    /// The words as the program gets them, quotes taken away; patterns as they stand.
    pub words: Vec<String>,
    /// Why this part is not proved to only read; `None` where it is.
    pub why_not: Option<String>,
}

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum Subject {
    /// May this happen?
    Action { action: Action },
    /// The turn has taken many steps; may it take as many again?
    Steps { steps: u32 },
    /// The same call came with the same result again and again; go on?
    Repeat { name: String, times: u32 },
    /// The model does not get on by itself; go on?
    Stuck { how: Stuck },
    /// The project's check still fails: is the task begun again, from the files as they were?
    Again {
        /// How it fails, in words.
        failing: String,
        /// Files that would go back, as a person would name them.
        files: Vec<String>,
    },
    /// The conversation fills the window and the model could not summarise it: may what came before be replaced by a
    /// list that is put together by rule (what the user said, files, commands)?
    Shorten {
        tokens: u64,
        /// Tokens the window holds.
        window: u64,
    },
    /// The first time in this folder: may what was found there be read and used?
    Trust {
        /// The folder.
        #[serde(serialize_with = "lossy::path")]
        path: PathBuf,
        found: Vec<Finding>,
    },
    /// May a command that runs reach this host? It is held meanwhile; one in the background outside a turn was refused.
    Reach {
        by: Reacher,
        /// Its line.
        command: String,
        /// The host it wants to reach now.
        host: Host,
        /// What a yes lets it reach: the host, and where that is one of a package manager the others of that.
        hosts: Vec<Host>,
    },
    /// Started in a folder that is hardly a project; is that meant?
    Folder {
        /// The folder.
        #[serde(serialize_with = "lossy::path")]
        path: PathBuf,
    },
    /// The chosen model runs on another machine than the server's: may what it is sent go there?
    Cloud { model: String, host: String },
}

/// Something in a folder that would be told to the model, or that programs there obey.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The file or the setting, as a person would name it: `AGENTS.md`, `.git/hooks/pre-commit`.
    pub name: String,
    /// What it would do: `is told to the model`, `names a program that git runs`.
    pub what: String,
}

/// Ways in which a model gets stuck. It is told once, in words, before the user is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stuck {
    /// Two calls by turns, with the same two results.
    Alternating,
    /// The same few words again and again in one reply.
    Babbling,
    /// Nothing, where something had to be answered.
    Silent,
    /// A plan announced, and no call made.
    Announcing,
    /// Replies that can be used in no way, also when told so and when held to a schema.
    Unreadable,
    /// One look after the other, where a change was asked for.
    Looking,
    /// Steps that bring nothing new: no change, nothing read for the first time, no other result.
    Idle,
    /// One call without end.
    Endless,
}

impl Stuck {
    /// What is the matter with the model, for people.
    pub fn words(self) -> &'static str {
        match self {
            Stuck::Alternating => "makes the same two calls by turns, with the same results",
            Stuck::Babbling => "repeats the same words again and again",
            Stuck::Silent => "answers with nothing",
            Stuck::Announcing => "says what it will do, and does not do it",
            Stuck::Unreadable => "writes replies that cannot be used",
            Stuck::Looking => "looks at one thing after the other, and changes nothing",
            Stuck::Idle => "takes steps that bring nothing new",
            Stuck::Endless => "writes a call without end",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    Yes {
        /// Don't ask again for what this rule names. Must be one of the question's offers, or narrower.
        #[serde(default)]
        remember: Option<Rule>,
        /// A word to the model with it.
        #[serde(default)]
        word: Option<String>,
    },
    /// No; the turn goes on and the model is told.
    No {
        /// Advice that goes back to the model.
        #[serde(default)]
        word: Option<String>,
    },
    /// Something else instead: planned, judged and asked again.
    Instead { proposal: Proposal },
}

/// A file of which a part of the proposed change is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartText {
    /// The file, as named in the preview.
    #[serde(serialize_with = "lossy::path")]
    pub path: PathBuf,
    pub text: String,
}

/// What a person puts in place of the model's proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "proposal", rename_all = "snake_case")]
pub enum Proposal {
    /// The whole text the file shall hold.
    Text {
        /// The file, as named in the preview.
        #[serde(serialize_with = "lossy::path")]
        path: PathBuf,
        text: String,
    },
    /// A part of the proposed change: carried out without another question where it is exactly this.
    Part {
        /// The files of which something is left out, as they shall be.
        files: Vec<PartText>,
        /// What the model is told of what is left out.
        told: String,
    },
    /// The plan as the user changed it.
    Plan { text: String },
    Command {
        /// The shell line.
        command: String,
    },
    /// The same command with another reach.
    Profile { profile: Profile },
}

/// Something that need not be asked again, in this session where nothing else is said.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum Rule {
    /// Exactly this command in this folder.
    Command {
        /// The shell line, byte for byte.
        command: String,
        /// The folder.
        #[serde(serialize_with = "lossy::path")]
        cwd: PathBuf,
    },
    /// Commands in this project that begin with these words, kept for good. Never wider than the project profile.
    Words {
        /// Decoded words: the program, and all that stands before its first operand.
        words: Vec<String>,
    },
    /// Commands that are proved to only read.
    ReadOnly {
        /// For how long.
        lasts: Lasts,
    },
    File {
        /// The file, links resolved.
        #[serde(serialize_with = "lossy::path")]
        path: PathBuf,
    },
    /// Getting things from this host.
    Host {
        /// As in the address, without a port.
        host: String,
        /// Also without encryption, where others can read along and put in what they like.
        #[serde(default, skip_serializing_if = "is_false")]
        plain: bool,
    },
    /// Commands in this project that begin with these words reach these hosts, kept for good. No words: any command of
    /// this project.
    Reach {
        words: Vec<String>,
        /// Without a port. An offer names each host exactly.
        hosts: Vec<HostPattern>,
    },
    /// Calls of this tool of this server.
    Tool { server: String, tool: String },
    Look {
        /// The file or folder, links resolved.
        #[serde(serialize_with = "lossy::path")]
        path: PathBuf,
    },
    /// Edits of files inside the project: the mode becomes accept-edits.
    Edits,
    /// Several at once: all that a compound command needs. None of them is one of these again.
    All {
        /// Each holds by itself from then on.
        rules: Vec<Rule>,
    },
}

/// For how long a rule holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lasts {
    /// Until the program ends.
    Session,
    /// For good, until it is revoked.
    Always,
}

/// A rule that holds, as `/permissions` lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    pub rule: Rule,
    /// What it means, in words.
    pub words: String,
    /// For how long it holds.
    pub lasts: Lasts,
    /// The day it was given, like `2026-11-21`, where it is kept for good.
    #[serde(default)]
    pub since: Option<String>,
    /// The command it was given for.
    #[serde(default)]
    pub example: Option<String>,
}

/// A rule that can be had with a Yes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleOffer {
    pub rule: Rule,
    /// What it means, in words a person reads before choosing it.
    pub words: String,
}

/// What a call is about to do, to look at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Preview {
    /// In words: `Edit src/main.rs`, `Run cargo test`, `Read src/lib.rs`.
    pub title: String,
    pub body: PreviewBody,
}

/// The part of a preview that is looked at closely.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PreviewBody {
    /// The title says it all.
    Plain,
    /// Files before and after.
    Diff {
        files: Vec<FileDiff>,
    },
    Command {
        /// The shell line.
        command: String,
        /// The folder it runs in.
        #[serde(serialize_with = "lossy::path")]
        cwd: PathBuf,
        /// Seconds after which it is ended.
        timeout_secs: u64,
        /// How far it may reach.
        #[serde(default)]
        profile: Profile,
        /// How much of what it may do can be undone; `None`: it cannot write.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cover: Option<Cover>,
        /// What it acts on, to be looked at with it: what a commit would hold.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<FileDiff>,
        /// Something to know besides: that hooks do not run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        /// It goes on while the model does; `timeout_secs` says nothing then.
        #[serde(default, skip_serializing_if = "is_false")]
        background: bool,
    },
    /// Something is got from the net.
    Fetch {
        /// The whole address, its host as it goes over the wire.
        url: String,
        /// What is sent besides; empty: nothing.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        sends: String,
    },
    /// A tool of somebody else's server is called.
    Call {
        server: String,
        tool: String,
        /// Its arguments: JSON, with line breaks for reading.
        arguments: String,
        /// What the server says of the tool.
        description: String,
    },
    /// A task is given to a second agent.
    Task {
        agent: String,
        /// What it is told.
        prompt: String,
    },
    Plan {
        text: String,
    },
    /// A question of the model.
    Choices {
        question: String,
        /// Answers to choose from; another may always be given as the word of a yes.
        choices: Vec<String>,
    },
}
