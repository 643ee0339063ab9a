//! `agent bench`, as it is said.

use super::ModelServer;
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
    /// The models to compare, with commas between; without it the one that a session would have
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) models: Vec<String>,

    /// Compare two or more values of one setting with the same model, like think=off,on or options.temperature=0.2,0.8; any key of
    /// the config
    #[arg(long, value_name = "KEY=VALUES", value_parser = setting)]
    pub(crate) ab: Option<Setting>,

    /// The tasks: quick (a dozen), core (forty, quick among them) or all
    #[arg(long, value_name = "COURSE", default_value = "quick", conflicts_with = "dir")]
    pub(crate) course: String,

    /// The tasks in the folders within DIR, instead of those that are built in
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,

    /// Only tasks whose names begin so, with commas between
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) tasks: Vec<String>,

    /// Trials of each task by each model
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) trials: NonZeroU32,

    /// Begin no more trials after so long: 45m, 2h, 1h30m
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    pub(crate) time: Option<Duration>,

    /// What names and numbers in the tasks are chosen from
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,

    /// Let each trial take so many times as long as its task says, on a slow machine
    #[arg(long, value_name = "X", default_value = "1", value_parser = factor)]
    pub(crate) time_factor: f64,

    #[command(flatten)]
    pub(crate) model_server: ModelServer,
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

        /// What names and numbers in it are chosen from; trial 1 of a run with seed 1 has 2
        #[arg(long, value_name = "N", default_value = "2")]
        seed: u64,
    },
    /// Hold tasks to what they say, without a model
    Selftest {
        /// Only these
        #[arg(value_name = "TASK")]
        ids: Vec<String>,

        /// The folder of tasks; without it assets/bench/tasks of the sources, where you are in them
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,

        /// What names and numbers in the tasks are chosen from
        #[arg(long, value_name = "N", default_value = "1")]
        seed: u64,
    },
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

/// Reads `45m`, `2h`, `1h30m`.
fn time(text: &str) -> Result<Duration, String> {
    let wrong = || format!("expected a time like 45m, 2h or 1h30m, not {text}");
    let (mut seconds, mut number) = (0_u64, String::new());
    for letter in text.chars() {
        let unit = match letter {
            'h' => 3600,
            'm' => 60,
            's' => 1,
            digit if digit.is_ascii_digit() => {
                number.push(digit);
                continue;
            }
            _ => return Err(wrong()),
        };
        let count: u64 = number.parse().map_err(|_| wrong())?;
        seconds = count.checked_mul(unit).and_then(|more| seconds.checked_add(more)).ok_or_else(wrong)?;
        number.clear();
    }
    if number.is_empty() && seconds > 0 { Ok(Duration::from_secs(seconds)) } else { Err(wrong()) }
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
    fn times_settings_and_factors_are_read() {
        let secs = |text: &str| time(text).map(|time| time.as_secs());
        assert_eq!((secs("45m"), secs("1h30m"), secs("90s")), (Ok(2700), Ok(5400), Ok(90)));
        for wrong in ["", "45", "m", "1x", "0m", "1h30", "99999999999999999999h", "18446744073709551615h"] {
            assert!(secs(wrong).is_err(), "{wrong}");
        }
        assert_eq!(setting("think=off,on").unwrap().values, ["off", "on"]);
        for wrong in ["think", "think=off", "=a,b", "think=off,", "think=on,on"] {
            assert!(setting(wrong).is_err(), "{wrong}");
        }
        assert!(factor("2").is_ok() && factor("0").is_err() && factor("NaN").is_err());
    }
}
