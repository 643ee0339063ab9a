//! What is run, and what it is given.

use crate::HeldFolder;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::path::Path;

/// A program with its arguments, environment, folder and streams.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    pub(crate) path: &'a Path,
    /// Its arguments, without its name.
    pub(crate) arguments: Vec<&'a OsStr>,
    pub(crate) environment: BTreeMap<&'a OsStr, &'a OsStr>,
    /// Where it runs.
    pub(crate) folder: &'a Path,
    /// That folder itself; `None`: what is there when it starts.
    pub(crate) held: Option<&'a HeldFolder>,
    /// Standard input; `None`: nothing.
    pub(crate) input: Option<OwnedFd>,
    pub(crate) output: OwnedFd,
    /// Standard error; `None`: nowhere.
    pub(crate) errors: Option<OwnedFd>,
}
