//! What can be said on the command line.

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  agent                                      start in this folder
  agent -C ~/src/thing --model qwen3-coder   somewhere else, with this model
  agent demo                                 try it without a model server
  agent -p \"what does main.rs do?\"           one answer to standard output
  git diff | agent -p                        the prompt from standard input
  agent -p \"fix the tests\" --allow write --allow run --output-format json

Exit codes of -p:
  0 answered · 1 failed · 2 wrong usage or config · 3 no server · 4 no model · 5 reply broken
  6 step limit · 7 going in circles · 130 interrupted · 141 output closed · 128+n ended by signal n";

/// A terminal coding agent for models that run on your own machine.
#[derive(Debug, Parser)]
#[command(name = "agent", version, about, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Say PROMPT (or standard input), print the answer, and leave
    #[arg(short = 'p', long = "print", value_name = "PROMPT", num_args = 0..=1, global = true)]
    pub(crate) print: Option<Option<String>>,

    /// How -p prints: text, json (one object at the end) or stream-json (every event, one object a line)
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        requires = "print",
        global = true,
        hide_possible_values = true
    )]
    pub(crate) output_format: OutputFormat,

    /// Work in DIR instead of the current folder
    #[arg(short = 'C', value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,

    /// The model to talk to
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,

    /// Where Ollama listens: host, host:port or a whole address
    #[arg(long, value_name = "HOST")]
    pub(crate) host: Option<String>,

    /// Context window in tokens
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(256..))]
    pub(crate) num_ctx: Option<u64>,

    /// Start in unsafe mode: ask only before files outside the project; commands run unasked
    #[arg(long = "unsafe", global = true)]
    pub(crate) unsafe_mode: bool,

    /// With -p: let this happen inside the project without a question: write (files) or run (commands)
    #[arg(long, value_name = "WHAT", requires = "print", global = true, hide_possible_values = true)]
    pub(crate) allow: Vec<Allow>,
}

/// What else `agent` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Try it on a sample project with a scripted model; needs no server
    Demo,
    /// Print shell completions
    Completions {
        /// For which shell
        shell: Shell,
    },
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

/// The values of `--allow`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Allow {
    /// Changes to files
    Write,
    /// Shell commands
    Run,
}
