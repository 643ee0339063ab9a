//! `agent acp`, as it is said.

use super::Wishes;
use clap::Args as Group;

pub(super) const CODES: &str = "\
The editor starts this command itself, writes to its standard input and reads its standard output;
add it where that editor keeps its list of agents:
  {\"command\": \"agent\", \"args\": [\"acp\"]}

Each session works in the folder that the editor names, with the settings of that folder. What asks
a person asks them in the editor. docs/EDITORS.md has the settings of Zed, JetBrains, Neovim and Emacs.

Exit codes:
  0 the editor closed its end · 1 failed · 2 wrong usage · 128+n ended by signal n";

/// `agent acp`
#[derive(Debug, Group)]
pub(crate) struct Acp {
    /// The model to talk to
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,

    /// Begin in unsafe mode: inside the project nothing asks but protected files; commands run in the sandbox
    #[arg(long = "unsafe")]
    unsafe_mode: bool,

    /// Begin in plan mode: nothing is changed, and the model ends with a plan that you decide on
    #[arg(long, conflicts_with = "unsafe_mode")]
    plan: bool,

    /// Offer only tools of these groups
    #[arg(long, value_name = "GROUPS", value_delimiter = ',', value_parser = super::tool_group)]
    tools: Vec<String>,

    /// Trust every folder that the editor opens in this run
    #[arg(long)]
    trust: bool,
}

impl Acp {
    /// What is said before and after `acp` is said of the same sessions.
    pub(super) fn over(&self, before: Wishes) -> Wishes {
        Wishes {
            unsafe_mode: self.unsafe_mode || before.unsafe_mode,
            plan: self.plan || before.plan,
            tools: if self.tools.is_empty() { before.tools } else { self.tools.clone() },
            trust: self.trust || before.trust,
            ..before
        }
    }
}
