//! How a command with all it started came to its end, or why it had no beginning.

use std::io;
use std::process::ExitStatus;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Finish {
    pub(crate) status: ExitStatus,
    /// The leader ended only after we had asked it to.
    pub(crate) asked: bool,
    /// Others were still there when the leader had ended, and were ended.
    pub(crate) remained: bool,
    /// Others may be there still.
    pub(crate) escaped: bool,
}

/// Why it was not started.
#[derive(Debug)]
pub(crate) enum NotStarted {
    /// A wall of the sandbox could not be raised.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there are no walls elsewhere"))]
    NoSandbox(String),
    NoFolder,
    /// It is longer than the system hands to a program.
    TooLong,
    System(io::Error),
}

impl From<io::Error> for NotStarted {
    fn from(source: io::Error) -> Self {
        NotStarted::System(source)
    }
}
