//! A server of the user's settings.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// A server of the user's settings. Plain data, made by the door.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// What the user calls it.
    pub name: String,
    pub way: Way,
    /// How long it may take to be there, and then for each call.
    pub timeout: Duration,
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// A program that is started, and spoken with over its standard streams.
    Program {
        /// The program, absolute or by its name alone, with its arguments.
        argv: Vec<String>,
        /// Names of variables that it gets besides those every command gets.
        env: Vec<String>,
    },
    /// An address, by streamable HTTP.
    Address {
        /// The whole of it.
        url: String,
        /// What is sent along with every request.
        secrets: Vec<Secret>,
        /// A proxy of the environment may stand between.
        proxy: bool,
    },
}

/// A header whose value stands in a variable of the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    pub header: String,
    /// What stands before the value: `Bearer `, or nothing.
    pub before: &'static str,
    pub variable: String,
}

impl Display for Way {
    /// The command line, or the address, as it stands in the settings.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Way::Program { argv, .. } => f.write_str(&agent_policy::spelled(argv)),
            Way::Address { url, .. } => f.write_str(url),
        }
    }
}

impl Server {
    /// Names of the variables that it is given values of.
    pub fn variables(&self) -> Vec<&str> {
        match &self.way {
            Way::Program { env, .. } => env.iter().map(String::as_str).collect(),
            Way::Address { secrets, .. } => secrets.iter().map(|secret| secret.variable.as_str()).collect(),
        }
    }
}
