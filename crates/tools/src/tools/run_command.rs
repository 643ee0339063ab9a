//! `run_command`: a line for the shell.

use super::{refused, spec};
use crate::arguments::{Arguments, BLANK, Foreign, Form, Habit, Kind, Need, Parameter, Unit};
use crate::look;
use crate::tools::list_directory::require_folder;
use crate::undo::Undo;
use crate::workspace::Workspace;
use crate::{Ground, Job, Output, Tool};
use agent_policy::Permit;
use agent_protocol::{
    Action, Chunk, Cover, Failure, FailureKind, FenceReport, Outcome, Preview, PreviewBody, Profile, Proposal, Stream,
    ToolSpec,
};
use agent_sandbox::{Shell, Surroundings};
use futures_util::future::BoxFuture;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use watch::Watch;

mod telling;
mod watch;

/// Seconds a command may take when nothing is said.
const USUAL: u64 = 120;
/// Seconds a command may take at most.
const LONGEST: u64 = 600;
/// Characters of a command that a title shows.
const TITLE: usize = 80;

pub(super) static FORM: Form = Form {
    tool: "run_command",
    aliases: "bash shell sh zsh exec execute run cmd command terminal console execute_command exec_command \
        run_shell_command execute_shell_command run_shell shell_exec shell_command shell_tool local_shell \
        execute_bash run_bash bash_command bash_tool run_in_terminal run_terminal_cmd run_terminal_command \
        terminal_command run_cmd run_commands",
    parameters: &[
        Parameter {
            name: "command",
            aliases: "cmd commandline cmdline commandstring shellcommand bashcommand script shell bash input code exec",
            kind: Kind::Line,
            need: Need::Required,
            says: "",
            example: "\"cargo test\"",
        },
        Parameter {
            name: "working_directory",
            aliases: "cwd workdir workingdir dir directory path dirpath folder currentdirectory wd",
            kind: Kind::Text,
            need: Need::Optional,
            says: "default .",
            example: "\"src\"",
        },
        Parameter {
            name: "timeout",
            aliases: "timeoutsecs timeoutseconds timeoutsec timeouts seconds timelimit maxseconds",
            kind: Kind::Number,
            need: Need::Optional,
            says: "seconds, default 120, at most 600",
            example: "300",
        },
    ],
    foreign: &[
        Foreign {
            names: "timeoutms timeoutmilliseconds timeoutmillis timeoutmsec milliseconds",
            unit: Unit::Milliseconds("timeout"),
        },
        Foreign { names: "timeoutminutes timeoutmins timeoutmin minutes", unit: Unit::Minutes("timeout") },
        Foreign { names: "commands cmds", unit: Unit::Lines("command") },
        Foreign { names: "args arguments argv commandargs", unit: Unit::Words("command") },
    ],
    habits: &[("timeout", Habit::Seconds { at_most: LONGEST as i64 }), ("command", Habit::Shell)],
    refused: refused::RUN,
    ..BLANK
};

pub(super) struct RunCommand {
    workspace: Workspace,
    around: Arc<Surroundings>,
    watch: Watch,
    undo: Undo,
}

impl RunCommand {
    pub(super) fn new(workspace: Workspace, ground: &Ground, undo: Undo) -> Self {
        RunCommand { workspace, around: ground.surroundings.clone(), watch: Watch::default(), undo }
    }

    fn cwd(&self, arguments: &Arguments) -> Result<PathBuf, Failure> {
        self.workspace.resolve(&arguments.optional_text("working_directory")?.unwrap_or_default())
    }
}

impl Tool for RunCommand {
    fn spec(&self) -> ToolSpec {
        spec(&FORM, include_str!("run_command.md"))
    }

    fn reach(&self, args: &Value) -> Result<Action, Failure> {
        let arguments = FORM.read(args)?;
        if arguments.word("command")?.trim().is_empty() {
            return Err(arguments.fault("command", "is empty; say what to run"));
        }
        Ok(look::action(self.cwd(&arguments)?))
    }

    fn plan(&self, args: &Value, _look: Permit) -> Result<Box<dyn Job>, Failure> {
        let arguments = FORM.read(args)?;
        let cwd = self.cwd(&arguments)?;
        require_folder(&self.workspace, &cwd)?;
        let timeout_secs = arguments.optional_number("timeout")?.filter(|seconds| *seconds > 0).unwrap_or(USUAL);
        Ok(Box::new(Run {
            command: arguments.word("command")?,
            cwd,
            timeout_secs: timeout_secs.min(LONGEST),
            profile: Profile::Project,
            author: Author::Model,
            around: self.around.clone(),
            watch: self.watch.clone(),
            cover: self.undo.cover(),
        }))
    }
}

/// A planned command.
#[derive(Clone)]
struct Run {
    command: String,
    cwd: PathBuf,
    timeout_secs: u64,
    profile: Profile,
    author: Author,
    around: Arc<Surroundings>,
    watch: Watch,
    /// How much of what it may do can be undone, also where it turns out to do nothing: that policy knows.
    cover: Cover,
}

/// Whose command it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Author {
    Model,
    Person,
}

impl Job for Run {
    fn action(&self) -> Action {
        Action::Run {
            command: self.command.clone(),
            cwd: self.cwd.clone(),
            timeout_secs: self.timeout_secs,
            profile: self.profile,
        }
    }

    fn preview(&self) -> Preview {
        let body = PreviewBody::Command {
            command: self.command.clone(),
            cwd: self.cwd.clone(),
            timeout_secs: self.timeout_secs,
            profile: self.profile,
            cover: Some(self.cover.clone()),
        };
        Preview { title: format!("Run {}", first_line(&self.command)), body }
    }

    fn amend(self: Box<Self>, proposal: Proposal) -> Result<Box<dyn Job>, Failure> {
        match proposal {
            Proposal::Command { command } if command.trim().is_empty() => {
                Err(Failure::new(FailureKind::InvalidArguments, "the command is empty; refuse it instead"))
            }
            Proposal::Command { command } => Ok(Box::new(Run { command, author: Author::Person, ..*self })),
            Proposal::Profile { profile } => Ok(Box::new(Run { profile, ..*self })),
            Proposal::Text { .. } => {
                Err(Failure::new(FailureKind::InvalidArguments, "this runs a command and changes no file itself"))
            }
        }
    }

    fn again(&self) -> Option<Box<dyn Job>> {
        Some(Box::new(self.clone()))
    }

    fn run(self: Box<Self>, permit: Permit, out: Output) -> BoxFuture<'static, Outcome> {
        Box::pin(async move {
            let line = permit.line().unwrap_or(&self.command).to_owned();
            let shell = Shell { line, cwd: self.cwd.clone() };
            let live = |text| {
                // Nobody may be watching.
                let _ = out.live.send(Chunk { stream: Stream::Stdout, text });
            };
            let wire = self.watch.arm(permit.fence()).await;
            match agent_sandbox::run(&shell, permit.fence(), &self.around, live).await {
                Ok(ended) => {
                    let seen = wire.sprung().await;
                    // What was proved to only read was not in need of more.
                    let blocked = ended.blocked.filter(|_| permit.line().is_none());
                    let report = FenceReport { blocked, tampered: seen.tampered };
                    let outcome = telling::outcome(&self, permit, ended, report, out.room);
                    if seen.incomplete { telling::watched_in_part(outcome) } else { outcome }
                }
                Err(error) => telling::not_started(&error).into(),
            }
        })
    }

    fn rest(&self) -> &'static str {
        telling::REST
    }
}

/// The beginning of a command. Blanks in a row count as one: nothing hides behind many of them.
fn first_line(command: &str) -> String {
    let line = command.trim().lines().next().unwrap_or_default();
    let whole = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = whole.chars().take(TITLE).collect();
    if shown == whole && line == command.trim() { shown } else { format!("{shown} …") }
}
