//! `agent bench`, as it is said.

use super::ModelServer;
use super::time::time;
use agent_bench::ImportProtocol;
use clap::{Args as Group, Subcommand};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

pub(super) const CODES: &str = "\
Exit codes:
  0 done · 1 no result, or a task of the self-test does not hold · 2 wrong usage · 3 no server
  4 no model, or no such run · 7 compare: the second is worse than the first · 130 interrupted

Whatever stops it, the trials that were made are kept, and `agent bench resume` makes the others.
Trials work in the sandbox, without network and with nothing of your own settings but the model's.
docs/BENCH.md says how to read the figures, and how to write tasks of your own.";

/// `agent bench`
#[derive(Debug, Group)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Bench {
    #[command(subcommand)]
    pub(crate) subcommand: Option<BenchSubcommand>,

    #[command(flatten)]
    pub(crate) wish: BenchWish,
}

/// What a new run is made of.
#[derive(Debug, Clone, Group)]
pub(crate) struct BenchWish {
    /// The models to compare, with commas between; without it you are asked which of those installed, and without a terminal it
    /// is the one that a session would have
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) models: Vec<String>,

    /// Show it with two scripted models and seven small tasks, in about a minute; needs no server, and nothing of it is kept
    #[arg(long, conflicts_with_all = ["models", "ab", "tune", "course", "dir", "import", "trials", "seed", "no_exam"])]
    pub(crate) demo: bool,

    /// Compare two or more values of one setting with the same model, like think=off,on or options.temperature=0.2,0.8; any key of
    /// the config. Said several times, each value is held against the model as it is, one setting after the other
    #[arg(long, value_name = "KEY=VALUES", value_parser = setting)]
    pub(crate) ab: Vec<Setting>,

    /// The form in which every model works: calls, text, files, or auto (what suits it)
    #[arg(long, value_name = "FORM", conflicts_with_all = ["demo", "tune"], hide_possible_values = true,
        value_parser = ["auto", "calls", "text", "files"])]
    pub(crate) form: Option<String>,

    /// Try some settings with one model on the course, one after the other, and keep with what was learned of the model those
    /// that are better beyond doubt; sessions use them below your own settings
    #[arg(long, conflicts_with = "ab")]
    pub(crate) tune: bool,

    /// The tasks: quick (a dozen), core (some forty, quick among them) or long (the core and a dozen in larger projects)
    #[arg(long, value_name = "COURSE", default_value = "quick", conflicts_with_all = ["dir", "import"])]
    pub(crate) course: String,

    /// The tasks in the folders within DIR, instead of those that are built in
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) import: Import,

    /// Only tasks whose names begin so, with commas between
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) tasks: Vec<String>,

    /// Trials of each task by each model
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) trials: NonZeroU32,

    /// Begin no more trials after so long, examinations included: 45m, 2h, 1h30m
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    pub(crate) time: Option<Duration>,

    /// What names and numbers in the tasks are chosen from
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,

    /// Let each trial take so many times as long as its task says, on a slow machine
    #[arg(long, value_name = "X", default_value = "1", value_parser = factor)]
    pub(crate) time_factor: f64,

    /// Examine no model first that was never examined: its trials begin with what its family and size suggest
    #[arg(long)]
    pub(crate) no_exam: bool,

    #[command(flatten)]
    pub(crate) model_server: ModelServer,
}

/// Exercises of others.
#[derive(Debug, Clone, PartialEq, Eq, Group)]
pub(crate) struct Import {
    /// The exercises of an Exercism track, or of Aider's polyglot tree, in DIR; each is first held to its own example
    #[arg(long, value_name = "DIR", conflicts_with = "dir")]
    pub(crate) import: Option<PathBuf>,

    /// Only these languages of them: python, rust, go, javascript, cpp, java
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "import")]
    pub(crate) lang: Vec<String>,

    /// What a model sees of their tests: aider (unseen, no commands, all of their output before the second try) or open (there
    /// and runnable, the end of their output before the second try)
    #[arg(long, value_name = "PROTOCOL", default_value = "open", value_parser = protocol, requires = "import")]
    pub(crate) protocol: ImportProtocol,
}

/// A key of the config and values to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) key: String,
    pub(crate) values: Vec<String>,
}

/// What else is done with runs.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(crate) enum BenchSubcommand {
    /// Make the trials that a run still lacks
    Resume {
        /// Its ID, or the beginning of it; without it the last
        id: Option<String>,

        /// Begin no more trials after so long: 45m, 2h, 1h30m
        #[arg(long = "for", value_name = "TIME", value_parser = time)]
        time: Option<Duration>,
    },
    /// Take back what --tune keeps with a model
    Untune {
        /// Its name
        model: String,
    },
    /// List runs, the newest last
    List,
    /// Print what a run found
    Show {
        /// Its ID, or the beginning of it; without it the last
        id: Option<String>,

        /// All that is known, as one JSON object
        #[arg(long, conflicts_with = "markdown")]
        json: bool,

        /// Two tables, as Markdown
        #[arg(long)]
        markdown: bool,
    },
    /// Compare the models of two runs of the same tasks: is the second run worse?
    Compare {
        /// The ID of the first
        one: String,
        /// The ID of the second
        other: String,
    },
    /// Write a task's prompt, files and hidden tests into a new folder, to be given to another agent
    Lay {
        /// Its name
        task: String,

        /// The folder, which is made
        #[arg(value_name = "DIR")]
        to: PathBuf,

        /// The folder of tasks that it is in, instead of those that are built in
        #[arg(long, value_name = "TASKS")]
        dir: Option<PathBuf>,

        /// What names and numbers in it are chosen from; trial 1 of a run with seed 1 has 2
        #[arg(long, value_name = "N", default_value = "2")]
        seed: u64,
    },
    /// Hold tasks to what they say, without a model
    Selftest {
        /// Only these
        #[arg(value_name = "TASK")]
        ids: Vec<String>,

        /// A folder of tasks of your own; without it the built-in ones
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,

        /// What names and numbers in the tasks are chosen from
        #[arg(long, value_name = "N", default_value = "1")]
        seed: u64,

        #[command(flatten)]
        import: Import,
    },
}

/// Reads `aider`, `open`.
fn protocol(text: &str) -> Result<ImportProtocol, String> {
    let known = [ImportProtocol::Aider, ImportProtocol::Open];
    known.into_iter().find(|known| known.word() == text).ok_or_else(|| format!("expected aider or open, not {text}"))
}

/// Reads `think=off,on`.
fn setting(text: &str) -> Result<Setting, String> {
    let wrong = || format!("expected a key and at least two values, like think=off,on, not {text}");
    let (key, values) = text.split_once('=').ok_or_else(wrong)?;
    let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
    let repeated = values.iter().enumerate().any(|(at, value)| values[..at].contains(value));
    if key.trim().is_empty() || values.len() < 2 || values.contains(&String::new()) || repeated {
        return Err(wrong());
    }
    Ok(Setting { key: key.trim().to_owned(), values })
}

/// A number above 0 that leaves a trial's time a time.
fn factor(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok().filter(|number| (0.01..=1000.0).contains(number));
    number.ok_or_else(|| format!("expected a number from 0.01 to 1000, not {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_and_factors_are_read() {
        assert_eq!(setting("think=off,on").unwrap().values, ["off", "on"]);
        for wrong in ["think", "think=off", "=a,b", "think=off,", "think=on,on"] {
            assert!(setting(wrong).is_err(), "{wrong}");
        }
        assert!(factor("2").is_ok() && factor("0").is_err() && factor("NaN").is_err());
    }
}
