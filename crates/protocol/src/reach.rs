//! What a command in the sandbox talks to: hosts outside, which the user is asked about, and ports of its own.

use crate::{BackgroundId, CallId};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// A place in the net that a command wants to reach: one host, whatever its name looks like. Written `example.org:443`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Host {
    /// The name as it goes over the wire (punycode, lower case, no dot at the end), or an address without brackets.
    pub name: String,
    pub port: u16,
}

impl Display for Host {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.name.contains(':') {
            true => write!(f, "[{}]:{}", self.name, self.port),
            false => write!(f, "{}:{}", self.name, self.port),
        }
    }
}

/// Which command wants to reach something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Reacher {
    /// The command of this call, which is held meanwhile.
    Call {
        call: CallId,
    },
    Job {
        job: BackgroundId,
    },
}

/// A port on which something listens on the loopback of the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortCard {
    pub port: u16,
    /// The command line of the program that listens; empty where it cannot be told.
    pub command: String,
    /// The user can reach it: 127.0.0.1 of their machine leads into it at this port, until the session ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forwarded: Option<u16>,
}

/// How one part of a command line ended: one program of a pipe, or one command of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartEnd {
    /// Its words, cut to a few: `cargo test`.
    pub words: String,
    /// Its exit code; 128 and the number where a signal ended it.
    pub code: i32,
}
