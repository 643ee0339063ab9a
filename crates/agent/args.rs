//! What can be said on the command line.

mod acp;
mod allow;
mod as_settings;
mod bench;
mod config;
mod flags;
mod hooks;
mod mcp;
mod model_server;
mod servers;
mod sessions;
mod time;

use crate::config::amounts::window;
pub(crate) use acp::Acp;
use allow::AllowParser;
pub(crate) use allow::{Allow, Allowed};
pub(crate) use as_settings::mode_of;
pub(crate) use bench::{Bench, BenchSubcommand, BenchWish, Import, Setting};
use clap::builder::NonEmptyStringValueParser;
use clap::error::{Error, ErrorKind};
use clap::{Args as Group, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
pub(crate) use config::ConfigWish;
pub(crate) use hooks::HooksSubcommand;
pub(crate) use mcp::{Mcp, McpSubcommand};
pub(crate) use model_server::ModelServer;
pub(crate) use servers::ServersSubcommand;
pub(crate) use sessions::{SessionFormat, Sessions, SessionsSubcommand};
use std::io::{self, IsTerminal};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;
pub(crate) use time::time;

const EXAMPLES: &str = "\
Examples:
  agent                                      start in this folder
  agent -C ~/src/thing --model qwen3-coder   somewhere else, with this model
  agent -c                                   go on where you left off in this folder
  agent -r                                   pick an earlier session from a list
  agent demo                                 try it without a model server
  agent -p \"what does main.rs do?\"           one answer to standard output
  git diff | agent -p \"write a commit message\"
                                             the same about what is piped to it
  agent -p < prompt.txt                      the prompt from standard input
  agent -p \"fix the tests\" --allow write --allow run --output-format json
  agent -c -p \"and now the docs\"             one more answer in the last session
  agent sessions                             list this folder's sessions
  agent models pull qwen3-coder:30b          get a model
  agent bench --models a,b                   measure which of them codes better here
  agent doctor                               look whether all is well, and examine the model";

/// What stands below the options: examples, and the one table of exit codes.
fn after_help() -> String {
    let (codes, order) = (agent_headless::exit_codes(), agent_headless::exit_order());
    format!("{EXAMPLES}\n\nExit codes of -p:\n{codes}\nWhere several are so, the first of: {order}")
}

const MODELS_CODES: &str = "\
Exit codes:
  0 done · 1 failed, or not agreed to · 2 wrong usage or config · 3 no server
  4 no such model · 130 interrupted

A download that was stopped goes on when the same command is given again. Without --host or
--server it is the server of your config, of AGENT_HOST or of OLLAMA_HOST.";

const DOCTOR_CODES: &str = "\
Exit codes:
  0 all passed, with help or left out · 1 the model failed at a question · 2 wrong usage
  3 no server · 4 no model · 130 interrupted

What is found is kept for this model, and used in later sessions.";

const INIT_CODES: &str = "\
Exit codes:
  0 written · 1 not agreed to, or it is there already · 2 wrong usage · 130 interrupted

What AGENTS.md says is told to the model at the start of every session in this folder, once the
folder is trusted. No model is asked for it: /init on the screen has one write it.";

/// A terminal coding agent for models that run on your own machine.
#[derive(Debug, Parser)]
#[command(name = "agent", version, about, after_help = after_help(), after_long_help = flags::help(&after_help()))]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Open the screen and say PROMPT, which has to be more than one word
    #[arg(value_name = "PROMPT", conflicts_with = "print")]
    pub(crate) words: Option<String>,

    /// Work in DIR instead of the current folder
    #[arg(short = 'C', value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,

    /// The model to talk to
    #[arg(short = 'm', long, value_name = "NAME")]
    pub(crate) model: Option<String>,

    #[command(flatten)]
    pub(crate) model_server: ModelServer,

    /// Context window in tokens; without it as last time with this model, or as it is loaded
    #[arg(long, value_name = "TOKENS", value_parser = window)]
    pub(crate) num_ctx: Option<u64>,

    #[command(flatten)]
    pub(crate) earlier: Earlier,

    #[command(flatten)]
    pub(crate) wishes: Wishes,
}

/// Which session the work goes on in; without any of it a new one begins.
#[derive(Debug, Clone, Group)]
pub(crate) struct Earlier {
    /// Go on with the last session of this project
    #[arg(short = 'c', long = "continue", conflicts_with = "resume")]
    last: bool,

    /// Go on with session ID, or the one that begins so; without ID pick it from a list
    #[arg(short = 'r', long, value_name = "ID", num_args = 0..=1, value_parser = NonEmptyStringValueParser::new())]
    resume: Option<Option<String>>,

    /// With -c or -r: go on in a copy, and leave that session as it is
    #[arg(long)]
    pub(crate) fork: bool,
}

/// An earlier session, as it is named on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Which {
    /// The last one of this project.
    Last,
    /// The one of this name, or that begins so.
    Named(String),
    /// The user picks it from a list.
    Picked,
}

impl Earlier {
    /// The session to go on with; `None`: a new one begins.
    pub(crate) fn which(&self) -> Option<Which> {
        match (&self.resume, self.last) {
            (Some(Some(name)), _) => Some(Which::Named(name.clone())),
            (Some(None), _) => Some(Which::Picked),
            (None, true) => Some(Which::Last),
            (None, false) => None,
        }
    }
}

/// How the work in a project begins; the demo is such work, too.
#[derive(Debug, Clone, Group)]
pub(crate) struct Wishes {
    /// Say PROMPT, print the answer, and leave. What is piped in goes along as other people's words; without PROMPT it is the
    /// prompt. Of a pipe, socket or file the first byte is waited for 3 seconds, then its end for as long as it takes
    #[arg(short = 'p', long = "print", value_name = "PROMPT", num_args = 0..=1)]
    pub(crate) print: Option<Option<String>>,

    /// Work in lines, for screen readers: no cursor movement, no colours, questions and changes in words
    #[arg(long, conflicts_with = "print")]
    pub(crate) screen_reader: bool,

    /// Draw the screen where the shell is: the conversation goes into the terminal's own scrollback, and stays there
    #[arg(long, conflicts_with_all = ["print", "screen_reader"])]
    pub(crate) inline: bool,

    /// With -p: do not read standard input
    #[arg(long, requires = "print")]
    pub(crate) no_stdin: bool,

    /// How -p prints: text, json (one object at the end) or stream-json (every event, one object a line; of a session that
    /// goes on only what is new)
    #[arg(long, value_name = "FORMAT", default_value = "text", requires = "print", hide_possible_values = true)]
    pub(crate) output_format: OutputFormat,

    /// Start in unsafe mode: inside the project nothing asks but protected files; commands run unasked, in the sandbox
    #[arg(long = "unsafe")]
    pub(crate) unsafe_mode: bool,

    /// Start in plan mode: nothing is changed, and the model ends with a plan that you decide on
    #[arg(long, conflicts_with = "unsafe_mode")]
    pub(crate) plan: bool,

    /// Offer the model only tools of these groups: core, plan, git, dev, code, batch, web; auto adds what the project calls for,
    /// all is all
    #[arg(long, value_name = "GROUPS", value_delimiter = ',', value_parser = tool_group)]
    pub(crate) tools: Vec<String>,

    /// The form in which the model works: calls, text (calls described in the prompt), files (no calls: it is shown files and
    /// answers with files), or auto (what suits it)
    #[arg(long, value_name = "FORM", value_parser = ["auto", "calls", "text", "files"], hide_possible_values = true)]
    pub(crate) form: Option<String>,

    /// Trust the project folder in this run: its AGENTS.md is told to the model, and git is not held for hostile
    #[arg(long)]
    pub(crate) trust: bool,

    /// With -p: let this happen inside the project without a question: write (files), run (commands), commit, net (pages
    /// and searches; wherever the model wants) or mcp (other servers' tools). write=DIR: in that folder too, by commands as
    /// well; hosts=HOST,… or hosts=any: hosts that commands may reach. --help shows what each covers
    #[arg(long, value_name = "WHAT", requires = "print", hide_possible_values = true, value_parser = AllowParser)]
    pub(crate) allow: Vec<Allowed>,

    /// On a machine that may be thrown away (container, CI): commands run without the sandbox, and nobody is asked. Elsewhere
    /// only when you type `disposable`. Refused with --plan, with sandbox.require and by every command
    #[arg(long, conflicts_with = "plan")]
    pub(crate) no_sandbox_no_questions: bool,

    /// With -p: stop after so many replies with tool calls, those of agents included
    #[arg(long, value_name = "N", requires = "print")]
    pub(crate) max_turns: Option<NonZeroU32>,

    /// With -p: so many tries, each from the files as they were, where the project's check still fails; the best stays
    #[arg(long, value_name = "N", requires = "print")]
    pub(crate) attempts: Option<NonZeroU32>,

    /// With -p: stop after so long, counted from the prompt: 90s, 10m, 1h30m. What was written and changed so far is kept
    #[arg(long, value_name = "TIME", requires = "print", value_parser = time::time)]
    pub(crate) max_time: Option<Duration>,
}

/// A group of tools by its name, as it is known.
fn tool_group(word: &str) -> Result<String, String> {
    let (name, known) = (word.trim().to_lowercase(), agent_tools::group_names());
    if known.contains(&name.as_str()) { Ok(name) } else { Err(format!("expected some of {}", known.join(", "))) }
}

/// What is read from the command line. Help and faults that go to a file or a pipe hold no colours, also where these are
/// forced.
pub(crate) fn command() -> clap::Command {
    let terminal = io::stdout().is_terminal() && io::stderr().is_terminal();
    // What is done with models stands between its name and these flags.
    let everywhere = |models: clap::Command| {
        ["host", "server", "api_key_env"]
            .into_iter()
            .fold(models, |models, flag| models.mut_arg(flag, |flag| flag.global(true)))
    };
    Args::command().mut_subcommand("models", everywhere).color(if terminal {
        ColorChoice::Auto
    } else {
        ColorChoice::Never
    })
}

impl Args {
    /// What the user said.
    pub(crate) fn read() -> Self {
        let read = |matches| Args::from_arg_matches(&matches).map_err(|wrong| wrong.format(&mut command()));
        read(command().get_matches()).and_then(Args::settled).unwrap_or_else(|wrong| wrong.exit())
    }

    /// What is said before and after `demo` is said of the same work.
    ///
    /// # Errors
    /// What cannot be said together; the words are those of wrong usage.
    pub(crate) fn settled(mut self) -> Result<Self, Error> {
        if let Some(Command::Demo(after)) = &self.command {
            self.wishes = after.clone().over(self.wishes);
        }
        if let Some(Command::Mcp(mcp)) = &self.command {
            self.wishes = mcp.over(self.wishes);
            self.directory = mcp.directory.clone().or(self.directory);
        }
        if let Some(Command::Acp(acp)) = &self.command {
            self.wishes = acp.over(self.wishes);
            self.model = acp.model.clone().or(self.model);
        }
        match self.contradiction() {
            Some((kind, words)) => Err(command().error(kind, words)),
            None => Ok(self),
        }
    }

    /// What cannot be said together and is not told by the parser.
    fn contradiction(&self) -> Option<(ErrorKind, String)> {
        let conflict = |words: String| Some((ErrorKind::ArgumentConflict, words));
        if let Some(word) = self.words.as_ref().filter(|words| !words.trim().contains(char::is_whitespace)) {
            let words =
                format!("there is no command `{word}`, and a message is more than one word; --help lists the commands");
            return Some((ErrorKind::InvalidSubcommand, words));
        }
        let which = self.earlier.which();
        match (&which, &self.command) {
            (Some(which), Some(command)) => {
                return conflict(format!("{} goes with no command, and `{}` is one", which.flag(), command.name()));
            }
            (None, _) if self.earlier.fork => {
                let words = "--fork goes with -c or -r, which say of what session it is a copy".to_owned();
                return Some((ErrorKind::MissingRequiredArgument, words));
            }
            (_, Some(command)) if self.wishes.print.is_some() && !matches!(command, Command::Demo(_)) => {
                return conflict(format!("-p goes with no command but demo, and `{}` is one", command.name()));
            }
            (Some(Which::Picked), None) if self.wishes.print.is_some() => {
                let words = "-r needs an ID where -p is; `agent sessions list` shows them, and -c is the last one";
                return Some((ErrorKind::MissingRequiredArgument, words.to_owned()));
            }
            (_, Some(command)) if self.wishes.no_sandbox_no_questions => {
                let flag = crate::disposable::FLAG;
                return conflict(format!("{flag} goes with no command, and `{}` is one", command.name()));
            }
            _ => {}
        }
        match &self.command {
            Some(Command::Sessions(sessions)) => sessions.contradiction().and_then(|words| conflict(words.to_owned())),
            _ => None,
        }
    }
}

impl Which {
    /// As it is said.
    fn flag(&self) -> &'static str {
        match self {
            Which::Last => "-c",
            Which::Named(_) | Which::Picked => "-r",
        }
    }
}

impl Wishes {
    /// All that is allowed, in the order in which it was said.
    pub(crate) fn allowed(&self) -> impl Iterator<Item = &Allow> {
        self.allow.iter().flat_map(|Allowed(said)| said)
    }

    /// Is this allowed?
    pub(crate) fn allows(&self, what: &Allow) -> bool {
        self.allowed().any(|allowed| allowed == what)
    }

    fn over(self, before: Wishes) -> Wishes {
        Wishes {
            output_format: if self.print.is_some() { self.output_format } else { before.output_format },
            print: self.print.or(before.print),
            screen_reader: self.screen_reader || before.screen_reader,
            inline: self.inline || before.inline,
            no_stdin: self.no_stdin || before.no_stdin,
            unsafe_mode: self.unsafe_mode || before.unsafe_mode,
            plan: self.plan || before.plan,
            tools: if self.tools.is_empty() { before.tools } else { self.tools },
            form: self.form.or(before.form),
            trust: self.trust || before.trust,
            allow: [before.allow, self.allow].concat(),
            no_sandbox_no_questions: self.no_sandbox_no_questions || before.no_sandbox_no_questions,
            max_turns: self.max_turns.or(before.max_turns),
            attempts: self.attempts.or(before.attempts),
            max_time: self.max_time.or(before.max_time),
        }
    }
}

/// What else `agent` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Try it on a sample project with a scripted model; needs no server
    Demo(Wishes),
    /// List, show, download or remove the server's models
    #[command(after_help = MODELS_CODES)]
    Models(Models),
    /// List, show or remove what was done in earlier sessions
    #[command(after_help = sessions::CODES)]
    Sessions(Sessions),
    /// Say what this program works with, and examine the model with a few short questions
    #[command(after_help = DOCTOR_CODES)]
    Doctor(Doctor),
    /// Measure which of your models codes best on this machine
    #[command(after_help = bench::CODES)]
    Bench(Box<Bench>),
    /// Offer the tools to another program over MCP, and approve servers whose tools you use
    #[command(after_help = mcp::CODES)]
    Mcp(Mcp),
    /// List the hooks of your config and of this project, and approve those of the project
    #[command(subcommand, after_help = hooks::CODES)]
    Hooks(HooksSubcommand),
    /// Work in an editor, over the Agent Client Protocol (Zed, JetBrains, Neovim, Emacs)
    #[command(after_help = acp::CODES)]
    Acp(Acp),
    /// Show which settings hold, and which file or variable each is from
    #[command(after_help = config::CODES)]
    Config(ConfigWish),
    /// Write an AGENTS.md from what can be told of this project, after showing it
    #[command(after_help = INIT_CODES)]
    Init {
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Print shell completions
    Completions {
        /// For which shell
        shell: Shell,
    },
    /// Write the manual pages, one for each command, into a folder
    Manual {
        /// Where; it is made where it is not there
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

impl Command {
    /// As it is said.
    fn name(&self) -> &'static str {
        match self {
            Command::Demo(_) => "demo",
            Command::Models(_) => "models",
            Command::Sessions(_) => "sessions",
            Command::Doctor(_) => "doctor",
            Command::Bench(_) => "bench",
            Command::Mcp(_) => "mcp",
            Command::Hooks(_) => "hooks",
            Command::Acp(_) => "acp",
            Command::Config(_) => "config",
            Command::Init { .. } => "init",
            Command::Completions { .. } => "completions",
            Command::Manual { .. } => "manual",
        }
    }
}

/// `agent models`
#[derive(Debug, Group)]
pub(crate) struct Models {
    #[command(subcommand)]
    pub(crate) subcommand: Option<ModelsSubcommand>,

    /// Print one JSON object
    #[arg(long, global = true)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model_server: ModelServer,
}

/// What is done with models.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum ModelsSubcommand {
    /// List what is installed (the same as `agent models`)
    List,
    /// Tell all that is known of a model
    Show {
        /// Its name
        name: String,
    },
    /// Download a model, or go on with a download that was stopped
    Pull {
        /// Its name in the library, like qwen3-coder:30b
        name: String,
    },
    /// Remove a model from the server's disk
    Rm {
        /// Its name
        name: String,

        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

/// `agent doctor`
#[derive(Debug, Group)]
pub(crate) struct Doctor {
    /// The model to examine; without it the one that a session would have
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    /// Only look; ask the model nothing, and load nothing
    #[arg(long)]
    pub(crate) no_probes: bool,

    #[command(flatten)]
    pub(crate) model_server: ModelServer,
}

/// The values of `--output-format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// The answer as text
    Text,
    /// One JSON object at the end
    Json,
    /// Every event, one JSON object a line
    StreamJson,
}

#[cfg(test)]
mod tests;
