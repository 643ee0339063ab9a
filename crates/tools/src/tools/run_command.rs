//! `run_command`: a line for the shell.

use super::{refused, spec};
use crate::arguments::{Arguments, BLANK, Foreign, Form, Habit, Kind, Need, Parameter, Unit};
use crate::look;
use crate::plain::plain;
use crate::tools::list_directory::require_folder;
use crate::workspace::Workspace;
use crate::{Job, Output, Tool, cap, words};
use agent_policy::Permit;
use agent_protocol::{
    Action, Chunk, Failure, FailureKind, Outcome, Preview, PreviewBody, Proposal, Status, Stream, ToolSpec,
};
use agent_sandbox::{Ended, Ending, Kept, Remains, SandboxError, Shell};
use futures_util::future::BoxFuture;
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;

/// Seconds a command may take when nothing is said.
const USUAL: u64 = 120;
/// Seconds a command may take at most.
const LONGEST: u64 = 600;
/// Characters of a command that a title shows.
const TITLE: usize = 80;
/// How the model gets what is cut.
const REST: &str = "send the output to a file and search it, or make the command print less";

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
}

impl RunCommand {
    pub(super) fn new(workspace: Workspace) -> Self {
        RunCommand { workspace }
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
            author: Author::Model,
        }))
    }
}

/// A planned command.
struct Run {
    command: String,
    cwd: PathBuf,
    timeout_secs: u64,
    author: Author,
}

/// Whose command it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Author {
    Model,
    Person,
}

impl Job for Run {
    fn action(&self) -> Action {
        Action::Run { command: self.command.clone(), cwd: self.cwd.clone(), timeout_secs: self.timeout_secs }
    }

    fn preview(&self) -> Preview {
        let body = PreviewBody::Command {
            command: self.command.clone(),
            cwd: self.cwd.clone(),
            timeout_secs: self.timeout_secs,
        };
        Preview { title: format!("Run {}", first_line(&self.command)), body }
    }

    fn amend(self: Box<Self>, proposal: Proposal) -> Result<Box<dyn Job>, Failure> {
        match proposal {
            Proposal::Command { command } if command.trim().is_empty() => {
                Err(Failure::new(FailureKind::InvalidArguments, "the command is empty; refuse it instead"))
            }
            Proposal::Command { command } => Ok(Box::new(Run { command, author: Author::Person, ..*self })),
            Proposal::Text { .. } => {
                Err(Failure::new(FailureKind::InvalidArguments, "this runs a command and changes no file itself"))
            }
        }
    }

    fn run(self: Box<Self>, permit: Permit, out: Output) -> BoxFuture<'static, Outcome> {
        Box::pin(async move {
            let shell = Shell { line: self.command.clone(), cwd: self.cwd.clone() };
            let live = |text| {
                // Nobody may be watching.
                let _ = out.live.send(Chunk { stream: Stream::Stdout, text });
            };
            match agent_sandbox::run(&shell, permit.fence(), live).await {
                Ok(ended) => self.outcome(ended, out.room),
                Err(error) => not_started(&error).into(),
            }
        })
    }

    fn rest(&self) -> &'static str {
        REST
    }
}

impl Run {
    fn outcome(&self, ended: Ended, room: usize) -> Outcome {
        let took = seconds(ended.took);
        let (status, heading, summary) = match ended.ending {
            Ending::Exited(0) => (Status::Done, "exit code 0".into(), format!("exit 0 · {took}")),
            Ending::Exited(code) => {
                (Status::Exited { code: Some(code) }, format!("exit code {code}"), format!("exit {code} · {took}"))
            }
            Ending::Signalled(signal) => (
                Status::Exited { code: None },
                format!("ended by signal {signal}"),
                format!("signal {signal} · {took}"),
            ),
            Ending::TimedOut => (
                Status::Failed { kind: FailureKind::Timeout },
                self.timed_out(),
                format!("timed out after {} s", self.timeout_secs),
            ),
        };
        let mut told = String::new();
        if self.author == Author::Person {
            told.push_str(&format!("the person changed the command to: {}\n", self.command));
        }
        told.push_str(&heading);
        told.push_str(remark(ended.remains));
        let shown = shown(&ended.output);
        if shown.head.trim().is_empty() && shown.tail.is_empty() {
            told.push_str(", no output");
        } else {
            told.push('\n');
            let used = told.len();
            told.push_str(&cap::kept(&shown, room.saturating_sub(used), REST));
        }
        Outcome { status, told, summary, detail: detail(&ended.output) }
    }

    fn timed_out(&self) -> String {
        let advice = match self.timeout_secs {
            LONGEST.. => "that is the longest there is; make the command do less at a time",
            _ => "set timeout higher (at most 600) if it needs longer",
        };
        format!("stopped after {} s; {advice}", self.timeout_secs)
    }
}

fn remark(remains: Remains) -> &'static str {
    match remains {
        Remains::Nothing => "",
        Remains::Ended => "; what it left running in the background was ended",
        Remains::Escaped => "; a process that it detached is still running",
    }
}

/// The output as the model reads it.
fn shown(output: &Kept) -> Kept {
    Kept { head: plain(&output.head), lost: output.lost, tail: plain(&output.tail) }
}

/// The output as it came, for the person.
fn detail(output: &Kept) -> String {
    match output.lost.bytes {
        0 => output.head.clone(),
        lost => format!("{}\n[… {} were not kept]\n{}", output.head, words::size(lost), output.tail),
    }
}

fn not_started(error: &SandboxError) -> Failure {
    let kind = match error {
        SandboxError::TooLong => FailureKind::TooLarge,
        SandboxError::NoFolder { .. } => FailureKind::NotFound,
        SandboxError::Start { .. } => FailureKind::Io,
    };
    Failure::new(kind, error.to_string())
}

fn first_line(command: &str) -> String {
    let line = command.trim().lines().next().unwrap_or_default();
    let shown: String = line.chars().take(TITLE).collect();
    if shown == command.trim() { shown } else { format!("{shown} …") }
}

fn seconds(took: Duration) -> String {
    match took.as_secs() {
        whole @ 60.. => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{:.1} s", took.as_secs_f64()),
    }
}
