//! What a policy starts from. Plain data, read by the door.

use crate::{GuardedFile, Kept, StandingRule};
use agent_protocol::{HostPattern, Mode, SandboxKind};
use std::path::PathBuf;

/// What becomes of a command's wish to reach a host that nothing allows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Network {
    #[default]
    Ask,
    /// It may.
    Allow,
    /// It may not.
    Deny,
}

/// What a policy starts from. Paths are absolute, links resolved.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The project folder.
    pub root: PathBuf,
    /// The mode it starts in.
    pub mode: Mode,
    /// Writes inside the project need no question (headless `--allow write`).
    pub allow_write: bool,
    /// Commands started inside the project need no question (headless `--allow run`).
    pub allow_run: bool,
    /// Commits need no question where a command needs none, nor do those of the git tools (headless `--allow commit`).
    pub allow_commit: bool,
    /// Writes in these folders need no question (headless `--allow write=DIR`); they are in `writable` as well.
    pub allow_write_in: Vec<PathBuf>,
    /// Everything happens but what nobody could allow: the user said that this machine may be thrown away
    /// (`--no-sandbox-no-questions`).
    pub disposable: bool,
    /// Getting things from the net needs no question (headless `--allow net`).
    pub allow_net: bool,
    /// Calls of other servers' tools need no question (headless `--allow mcp`).
    pub allow_call: bool,
    pub home: Option<PathBuf>,
    /// Our own config and state: nobody writes there for a model.
    pub own: Vec<PathBuf>,
    /// What hooks in force run: no file of them is changed without a question, in any mode and by no rule.
    pub guarded: Vec<GuardedFile>,
    /// Files of ours that hold what is remembered for later sessions: a model may write them after a question, in any mode.
    pub memories: Vec<PathBuf>,
    /// Folders of ours that may be looked at: skills, what is remembered.
    pub readable: Vec<PathBuf>,
    /// The user trusts what was found in the folder.
    pub trusted: bool,
    /// Why the modes that ask less and lasting rules are off in this session, in words that follow a colon; `None`: they are not.
    pub held_back: Option<String>,
    /// What holds commands in on this system.
    pub sandbox: SandboxKind,
    /// Without it no command runs at all.
    pub require_sandbox: bool,
    /// Folders outside the project in which things may be written as well, links resolved.
    pub writable: Vec<PathBuf>,
    /// Where the repository of the project lies, if that is outside the project: the folder `.git` of what the project is a
    /// part of, or what a work tree or a submodule leads to.
    pub git_folder: Option<PathBuf>,
    /// Commands in the sandbox have a `/tmp` of their own.
    pub private_tmp: bool,
    /// The temporary folder of the session's commands, which they find in `$TMPDIR`.
    pub temporary: Option<PathBuf>,
    /// Ports that commands with network may connect to; where hosts are asked about: those that a lasting yes covers.
    pub ports: Vec<u16>,
    /// What becomes of a command's wish to reach a host that nothing allows.
    pub network: Network,
    /// Hosts that commands may reach without a question: at `ports`, or at the one that is named.
    pub hosts: Vec<HostPattern>,
    /// Commands have a network of their own here, and reach hosts one by one through a proxy.
    pub by_host: bool,
    /// What the user allowed for good.
    pub kept: Kept,
    /// What asks or is refused beyond that: built in, the user's, the project's. One that allows counts for nothing.
    pub tightened: Vec<StandingRule>,
}

impl Setup {
    /// The strictest one: nothing is allowed beforehand, and the kernel holds commands in.
    pub fn new(root: PathBuf, mode: Mode) -> Self {
        Setup {
            root,
            mode,
            allow_write: false,
            allow_run: false,
            allow_commit: false,
            allow_write_in: Vec::new(),
            disposable: false,
            allow_net: false,
            allow_call: false,
            home: None,
            own: Vec::new(),
            guarded: Vec::new(),
            memories: Vec::new(),
            readable: Vec::new(),
            trusted: false,
            held_back: None,
            sandbox: SandboxKind::Kernel,
            require_sandbox: false,
            writable: Vec::new(),
            git_folder: None,
            private_tmp: false,
            temporary: None,
            ports: vec![80, 443],
            network: Network::Ask,
            hosts: Vec::new(),
            by_host: false,
            kept: Kept::default(),
            tightened: Vec::new(),
        }
    }
}
