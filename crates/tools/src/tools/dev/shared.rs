//! What the tools of languages have in common: parameters, words from the model that become arguments of a program, and
//! what is said where a program is missing or something is asked for that there is not.

use crate::arguments::{Arguments, Foreign, Habit, Kind, Parameter, Refusal, Unit, When};
use crate::open::{Found, open};
use crate::program::{LONGEST, Reading, Said, Told, USUAL};
use crate::workspace::Workspace;
use agent_protocol::{Failure, FailureKind, Profile};
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod split;

pub(super) use split::words;

/// Milliseconds that a program may take at most.
const LONGEST_MS: i64 = LONGEST as i64 * 1000;

/// What else the program is given.
pub(super) const ARGS: Parameter = Parameter::new("args", Kind::Texts, "[\"-v\"]")
    .also("arguments argv options flags arg extraargs additionalargs commandargs cliargs params parameters")
    .optional();

/// The folder that the program runs in.
pub(super) const DIRECTORY: Parameter = Parameter::new("directory", Kind::Text, "\"backend\"").also(
    "dir cwd workdir workingdir workingdirectory folder root project projectdir projectdirectory projectpath \
        projectroot basepath",
);

/// Thousandths of a second.
pub(super) const TIMEOUT: Parameter = Parameter::new("timeout", Kind::Number, "300000")
    .also("timeoutms timeoutmsec timeoutmillis timeoutmilliseconds milliseconds timelimit");

/// Words for the action `custom`.
pub(super) const COMMAND: Parameter =
    Parameter::new("command", Kind::Line, "\"version\"").also("cmd commandline cmdline line");

/// Whether to go on while it runs.
pub(super) const BACKGROUND: Parameter = Parameter::new("background", Kind::Flag, "false")
    .also("isbackground runinbackground inbackground detach detached daemon");

pub(super) const FOREIGN: &[Foreign] =
    &[Foreign { names: "timeoutsecs timeoutseconds timeoutsec seconds maxseconds", unit: Unit::Seconds("timeout") }];

/// What a timeout is often meant in.
pub(super) const HABITS: &[(&str, Habit)] = &[("timeout", Habit::Milliseconds { at_most: LONGEST_MS })];

/// What none of these tools can do, and must not leave out.
pub(super) const REFUSED: &[Refusal] = &[
    Refusal {
        names: "dryrun isdryrun preview simulate simulation whatif noop",
        when: When::Yes,
        advice: "the program is run: give its own option for that in `args`",
    },
    Refusal {
        names: "env environment envvars environmentvariables envs",
        when: When::Given,
        advice: "no variables can be set: use run_command with NAME=value before the program",
    },
    Refusal {
        names: "stdin standardinput input inputtext",
        when: When::Given,
        advice: "the program has no input: use run_command, like printf 'yes\\n' | program",
    },
    Refusal {
        names: "code source sourcecode snippet",
        when: When::Given,
        advice: "a program is read from a file: write it with write_file, then run that",
    },
];

/// An action: its name, which of the operands it takes, with blanks between them, and how far it reaches out.
pub(super) type DevAction = (&'static str, &'static str, Profile);

/// What the actions are called.
pub(super) const fn names<const N: usize>(actions: &[DevAction; N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut nth = 0;
    while nth < N {
        names[nth] = actions[nth].0;
        nth += 1;
    }
    names
}

/// One call: its arguments, and what they are about.
pub(super) struct Call<'a> {
    pub(super) tool: &'static str,
    pub(super) arguments: &'a Arguments,
    pub(super) action: &'static str,
    pub(super) profile: Profile,
    /// The folder, resolved.
    pub(super) cwd: PathBuf,
}

impl<'a> Call<'a> {
    /// Refuses operands that only other actions take: without them the call would do something else.
    pub(super) fn new(
        tool: &'static str,
        actions: &[DevAction],
        arguments: &'a Arguments,
        workspace: &Workspace,
    ) -> Result<Self, Failure> {
        let cwd = workspace.resolve(&arguments.optional_text("directory")?.unwrap_or_default())?;
        let action = arguments.word_of("action")?;
        let (_, taken, profile) =
            actions.iter().find(|(name, ..)| *name == action).unwrap_or(&("", "", Profile::Project));
        let call = Call { tool, arguments, action, profile: *profile, cwd };
        call.takes(taken, actions)?;
        Ok(call)
    }

    fn takes(&self, taken: &str, actions: &[DevAction]) -> Result<(), Failure> {
        let mut all = actions.iter().flat_map(|(_, operands, _)| operands.split_whitespace());
        let taken: Vec<&str> = taken.split_whitespace().collect();
        let Some(name) = all.find(|name| !taken.contains(name) && self.says(name)) else { return Ok(()) };
        let taken: Vec<String> = taken.iter().map(|name| format!("`{name}`")).collect();
        let instead = match taken.as_slice() {
            [] => String::new(),
            names => format!(" {} and", names.join(", ")),
        };
        Err(self.invalid(format!(
            "{} takes{instead} `args`, not `{name}`; leave it out or choose another action",
            self.named()
        )))
    }

    /// Is something given for the parameter `name`, and not just nothing?
    fn says(&self, name: &str) -> bool {
        match self.arguments.texts(name) {
            Ok(texts) => texts.iter().any(|text| !text.is_empty() && text != "false"),
            Err(_) => true,
        }
    }

    /// Seconds that it may take.
    pub(super) fn timeout_secs(&self) -> Result<u64, Failure> {
        let given = self.arguments.optional_number("timeout")?.filter(|given| *given > 0);
        Ok(given.map_or(USUAL, |milliseconds| milliseconds.div_ceil(1000)))
    }

    /// Further words for the program, as they stand; one text is read as a shell reads words.
    pub(super) fn args(&self) -> Result<Vec<String>, Failure> {
        match self.arguments.text("args") {
            Ok(line) if self.arguments.has("args") => self.split("args", &line),
            Ok(_) | Err(_) => self.arguments.texts("args"),
        }
    }

    /// Names that the program may not take for options.
    pub(super) fn names(&self, parameter: &str) -> Result<Vec<String>, Failure> {
        let names = match self.arguments.text(parameter) {
            Ok(line) if self.arguments.has(parameter) => line.split_whitespace().map(str::to_owned).collect(),
            Ok(_) | Err(_) => self.arguments.texts(parameter)?,
        };
        let names: Vec<String> = names.into_iter().filter(|name| !name.trim().is_empty()).collect();
        names.iter().try_for_each(|name| self.is_no_option(parameter, name))?;
        Ok(names)
    }

    /// One name that the program may not take for an option.
    pub(super) fn name(&self, parameter: &str) -> Result<Option<String>, Failure> {
        let Some(name) = self.arguments.optional_text(parameter)? else { return Ok(None) };
        self.is_no_option(parameter, &name)?;
        Ok(Some(name))
    }

    /// The same where the action cannot do without.
    pub(super) fn needed(&self, parameter: &str, example: &str) -> Result<String, Failure> {
        self.name(parameter)?.ok_or_else(|| self.lacking(parameter, example))
    }

    /// The words of `command`; the action cannot do without.
    pub(super) fn command(&self, example: &str) -> Result<Vec<String>, Failure> {
        let line = self.arguments.optional_text("command")?.unwrap_or_default();
        let words = self.split("command", &line)?;
        if words.is_empty() { Err(self.lacking("command", example)) } else { Ok(words) }
    }

    fn split(&self, parameter: &str, line: &str) -> Result<Vec<String>, Failure> {
        words(line).map_err(|what| {
            self.invalid(format!(
                "{} starts no shell, and `{parameter}` holds {what}; give plain words (quoted where they hold more), or use \
                 run_command",
                self.tool
            ))
        })
    }

    fn is_no_option(&self, parameter: &str, name: &str) -> Result<(), Failure> {
        if !name.starts_with('-') {
            return Ok(());
        }
        Err(self.invalid(format!(
            "{name:?} in `{parameter}` of {} is an option, not a name; give options in `args`",
            self.tool
        )))
    }

    pub(super) fn lacking(&self, what: &str, example: &str) -> Failure {
        self.invalid(format!(
            "{} needs `{what}`; for example {{\"action\": \"{}\", {example}}}",
            self.named(),
            self.action
        ))
    }

    /// Is it to go on while the model does other things? What is said counts, else what the action is for.
    pub(super) fn in_background(&self) -> Result<bool, Failure> {
        let said = self.arguments.has("background");
        if said { self.arguments.flag("background") } else { Ok(self.action == "dev") }
    }

    pub(super) fn invalid(&self, message: String) -> Failure {
        Failure::new(FailureKind::InvalidArguments, message)
    }

    fn named(&self) -> String {
        format!("{} {}", self.tool, self.action)
    }
}

/// Is there anything at `path`, be it a link? For what lies in a folder that may be looked at; follows no link.
pub(super) fn is_there(workspace: &Workspace, path: &Path) -> bool {
    !matches!(open(workspace, path), Ok(Found::Missing))
}

/// `words` as they stand in an argument list.
pub(super) fn argv<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).into()
}

/// Reads of a program that failed what it lacks: `signs`, each with what is told then, and a summary.
pub(super) fn lacking(signs: Vec<(String, String, &'static str)>) -> Reading {
    Arc::new(move |said: &Said<'_>| {
        if said.code == Some(0) {
            return None;
        }
        let found =
            signs.iter().find(|(sign, _, _)| said.text.lines().any(|line| line.trim_end().ends_with(sign.as_str())));
        found.map(|(_, told, summary)| Told {
            told: told.clone(),
            summary: (*summary).to_owned(),
            failing: None,
            cannot_run: false,
        })
    })
}
