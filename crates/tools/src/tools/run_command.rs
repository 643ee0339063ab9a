//! `run_command`: a line for the shell.

mod shows;

use super::refused;
use crate::arguments::{Arguments, BLANK, Foreign, Form, Habit, Kind, Parameter, Unit};
use crate::program::{LONGEST, USUAL, WantedRun};
use crate::read_only_job;
use crate::tools::ToolContext;
use crate::tools::list_directory::require_folder;
use crate::{PlannedCall, Tool};
use agent_policy::{Permit, needs_terminal};
use agent_protocol::{Action, Failure, FailureKind};
use std::path::PathBuf;

pub(super) static FORM: Form = Form {
    tool: "run_command",
    aliases: "bash shell sh zsh exec execute run cmd command terminal console execute_command exec_command \
        run_shell_command execute_shell_command run_shell shell_exec shell_command shell_tool local_shell \
        execute_bash run_bash bash_command bash_tool run_in_terminal run_terminal_cmd run_terminal_command \
        terminal_command run_cmd run_commands",
    description: include_str!("run_command.md"),
    parameters: &[
        Parameter::new("command", Kind::Line, "\"cargo test\"")
            .also("cmd commandline cmdline commandstring shellcommand bashcommand script shell bash input code exec")
            .required(),
        Parameter::new("working_directory", Kind::Text, "\"src\"")
            .also("cwd workdir workingdir dir directory path dirpath folder currentdirectory wd")
            .optional()
            .says("default ."),
        Parameter::new("timeout", Kind::Number, "300")
            .also("timeoutsecs timeoutseconds timeoutsec timeouts seconds timelimit maxseconds")
            .optional()
            .says("seconds, default 120, at most 600"),
        Parameter::new("background", Kind::Flag, "true")
            .also("isbackground runinbackground inbackground detach detached daemon async isasync")
            .optional(),
        Parameter::new("description", Kind::Text, "\"Start the server\"").also("purpose reason explanation"),
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
    called: &[("runshellcommand run shell exec cmd", "timeout", Unit::Milliseconds("timeout"))],
    ..BLANK
};

pub(super) struct RunCommand;

impl Tool for RunCommand {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        if arguments.word("command")?.trim().is_empty() {
            return Err(arguments.fault("command", "is empty; say what to run"));
        }
        Ok(read_only_job::action(cwd(kit, arguments)?))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let cwd = cwd(kit, arguments)?;
        require_folder(&kit.workspace, &cwd)?;
        let (command, background) = (arguments.word("command")?, arguments.flag("background")?);
        // In the background nobody waits for it, and somebody may mean just that.
        if let Some(waits) = needs_terminal(&command).filter(|_| !background) {
            let message = format!("no command has a terminal, so this would wait until its time is up; {waits}");
            return Err(Failure::new(FailureKind::InvalidArguments, message));
        }
        let timeout_secs = arguments.optional_number("timeout")?.filter(|seconds| *seconds > 0).unwrap_or(USUAL);
        let reading = if background { None } else { shows::reading(kit, &command, &cwd) };
        Ok(kit.runner.job(WantedRun {
            timeout_secs,
            background,
            reading,
            description: arguments.optional_text("description")?.unwrap_or_default(),
            ..WantedRun::line(command, cwd)
        }))
    }
}

fn cwd(kit: &ToolContext, arguments: &Arguments) -> Result<PathBuf, Failure> {
    kit.workspace.resolve(&arguments.optional_text("working_directory")?.unwrap_or_default())
}
