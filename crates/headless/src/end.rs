//! How a run ended, and what the shell learns of it. The one table of exit codes: `--help` is made of it, and the
//! documents are tested against it. Signals stand here too: what is under way can be stopped before they end a run.

use agent_protocol::{ServerError, ServerErrorScope};
use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// How it ended; each has an exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The model finished, what was wanted is done: 0.
    Answered,
    /// It did not work, or the session ended unexpectedly: 1.
    Failed,
    /// Wrong usage or config, or nothing to say: 2.
    WrongUsage,
    /// The session to go on with cannot be: 2, like wrong usage.
    NotRestored,
    /// No server: 3.
    NoServer,
    /// No model, or not installed: 4.
    NoModel,
    /// No such session: 4.
    NoSession,
    /// The reply broke off, or the conversation fills the window: 5.
    Broken,
    /// The step limit was reached: 6.
    StepLimit,
    /// The model went in circles: 7.
    Repeating,
    /// Every call was refused, and none was carried out: 8.
    NothingDone,
    /// A change was asked for, and nothing was changed: 9.
    NothingChanged,
    /// The check that ran after the last change still fails: 10.
    ChecksFail,
    /// The time limit was reached: 11.
    TimeLimit,
    /// Interrupted: 130.
    Interrupted,
    /// Ended by this signal: 128 and its number.
    Signalled(u8),
    /// Nobody reads our output any more: 141.
    PipeClosed,
}

/// One exit code of `-p`, and what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExitCode {
    /// The number; `128+n` stands for several.
    pub code: &'static str,
    pub words: &'static str,
}

/// **Invariant.** The exit codes of `-p`, all of them, in their order. What a subcommand like `agent models` ends with is a
/// choice of the same numbers.
pub const EXIT_CODES: [ExitCode; 15] = [
    row("0", "answered; with --plan: the plan is the answer"),
    row("1", "failed"),
    row("2", "wrong usage or config, no prompt, or no such session"),
    row("3", "no server"),
    row("4", "no model"),
    row("5", "reply broken, or window full"),
    row("6", "step limit (--max-turns)"),
    row("7", "going in circles"),
    row("8", "nothing could be done: every call was refused"),
    row("9", "a change was asked for and nothing was changed"),
    row("10", "the check after the last change still fails"),
    row("11", "time limit (--max-time)"),
    row("130", "interrupted"),
    row("141", "output closed"),
    row("128+n", "ended by signal n"),
];

/// Which of them is told where several are so: the first of these. [`End::first_of`] picks it.
const EXIT_ORDER: [u8; 11] = [130, 3, 4, 5, 6, 11, 7, 8, 10, 9, 0];

const fn row(code: &'static str, words: &'static str) -> ExitCode {
    ExitCode { code, words }
}

/// The table, a line for each.
pub fn exit_codes() -> String {
    let width = EXIT_CODES.iter().map(|row| row.code.len()).max().unwrap_or_default();
    EXIT_CODES
        .iter()
        .map(|row| format!("  {:<width$}  {}\n", row.code, row.words))
        .collect::<String>()
        .trim_end()
        .into()
}

/// The order in which they are told, in a line.
pub fn exit_order() -> String {
    EXIT_ORDER.map(|code| code.to_string()).join(", ")
}

impl End {
    pub fn code(self) -> u8 {
        match self {
            End::Answered => 0,
            End::Failed => 1,
            End::WrongUsage | End::NotRestored => 2,
            End::NoServer => 3,
            End::NoModel | End::NoSession => 4,
            End::Broken => 5,
            End::StepLimit => 6,
            End::Repeating => 7,
            End::NothingDone => 8,
            End::NothingChanged => 9,
            End::ChecksFail => 10,
            End::TimeLimit => 11,
            End::Interrupted => 130,
            End::Signalled(signal) => 128 + signal,
            End::PipeClosed => 141,
        }
    }

    /// The one that is told where several are so; nothing else went wrong where none is.
    pub fn first_of(fits: impl IntoIterator<Item = End>) -> End {
        fits.into_iter().min_by_key(|end| end.rank()).unwrap_or(End::Answered)
    }

    /// What goes before what: whoever stopped it, then what kept it from beginning, then what ended it, then what came of
    /// it.
    fn rank(self) -> u8 {
        match self {
            End::Signalled(_) | End::Interrupted => 0,
            End::PipeClosed => 1,
            End::WrongUsage | End::NotRestored => 2,
            End::NoServer => 3,
            End::NoModel | End::NoSession => 4,
            End::Broken => 5,
            End::StepLimit => 6,
            End::TimeLimit => 7,
            End::Repeating => 8,
            End::Failed => 9,
            End::NothingDone => 10,
            End::ChecksFail => 11,
            End::NothingChanged => 12,
            End::Answered => 13,
        }
    }

    /// How it ends where a server or a model was asked for something and this came instead.
    pub(crate) fn from_trouble(trouble: &ServerError) -> Self {
        match trouble.scope() {
            ServerErrorScope::Server => End::NoServer,
            ServerErrorScope::Model => End::NoModel,
            ServerErrorScope::Request | ServerErrorScope::Reply => End::Failed,
        }
    }
}

/// Hears signals from the moment it is made.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl Signals {
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// How the next signal would have us end.
    pub(crate) async fn next(&mut self) -> End {
        tokio::select! {
            _ = self.interrupt.recv() => End::Interrupted,
            _ = self.terminate.recv() => End::Signalled(15),
            _ = self.hangup.recv() => End::Signalled(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of them, in the order in which they are told where several are so.
    const ORDER: [End; 17] = [
        End::Signalled(15),
        End::Interrupted,
        End::PipeClosed,
        End::WrongUsage,
        End::NotRestored,
        End::NoServer,
        End::NoModel,
        End::NoSession,
        End::Broken,
        End::StepLimit,
        End::TimeLimit,
        End::Repeating,
        End::Failed,
        End::NothingDone,
        End::ChecksFail,
        End::NothingChanged,
        End::Answered,
    ];

    #[test]
    fn where_several_fit_the_first_of_the_order_is_told_however_they_stand() {
        for (at, first) in ORDER.iter().enumerate() {
            let rest = &ORDER[at..];
            let forth = End::first_of(rest.iter().copied());
            let back = End::first_of(rest.iter().rev().copied());
            assert_eq!((forth.rank(), back.rank()), (first.rank(), first.rank()), "{first:?}");
        }
        let mut told: Vec<u8> = ORDER.iter().map(|end| end.code()).collect();
        told.retain(|code| EXIT_ORDER.contains(code));
        told.dedup();
        assert_eq!(told, EXIT_ORDER);
        assert_eq!(End::first_of([]), End::Answered);
    }

    #[test]
    fn every_end_has_its_row_in_the_table_and_every_row_its_end() {
        let rows: Vec<&str> = EXIT_CODES.iter().map(|row| row.code).collect();
        let of = |end: End| match end {
            End::Signalled(_) => "128+n".to_owned(),
            other => other.code().to_string(),
        };
        for end in ORDER {
            assert!(rows.contains(&of(end).as_str()), "{end:?}");
        }
        for row in rows {
            assert!(ORDER.iter().any(|end| of(*end) == row), "{row}");
        }
    }

    #[test]
    fn the_page_for_scripts_holds_the_table() {
        let page = include_str!("../../../docs/SCRIPTS.md");
        for ExitCode { code, words } in EXIT_CODES {
            assert!(page.contains(&format!("| {code} | {words} |")), "{code} {words}");
        }
        assert!(page.contains(&format!("the first of these counts: {}.", exit_order())));
        assert_eq!(
            page.lines().filter(|line| line.starts_with("| ") && line.ends_with(" |")).count(),
            EXIT_CODES.len() + 1
        );
    }
}
