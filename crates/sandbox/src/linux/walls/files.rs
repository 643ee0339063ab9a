//! The wall around files and ports: Landlock, as much of it as the kernel knows.
//!
//! What is not allowed here is refused, whatever path, link or descriptor leads to it. Not governed by Landlock, and so
//! not held here: modes, owners and times of files outside, and single names within a writable folder.

use crate::linux::apart::Apart;
use crate::linux::private::SHARED;
use crate::linux::walls::Plot;
use agent_protocol::Profile;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, NetPort, PathBeneath, PathFd, PathFdError, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use rustix::fs::{FileType, fstat};
use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

/// The newest we know; what the kernel does not know is left out.
const NEWEST: ABI = ABI::V9;
/// Devices that anybody may write to: what is written is gone.
const SINKS: &[&str] = &["/dev/null", "/dev/zero", "/dev/full"];
/// Devices that may be read, beside the sinks. Terminals are not among them: whoever reads one takes what the user
/// types.
const SOURCES: &[&str] = &["/dev/random", "/dev/urandom", "/dev/shm"];

/// The rules for `plot`, and what they are about that may be done where a command writes; restricting oneself with the
/// descriptor puts them in force.
pub(super) fn ruleset(plot: &Plot<'_>) -> Result<(Option<OwnedFd>, u64), RulesetError> {
    let readable = readable();
    let mut handled = AccessFs::from_write(NEWEST);
    if readable.is_some() {
        handled |= AccessFs::ReadFile;
    }
    let mut ruleset = Ruleset::default().handle_access(handled)?.scope(Scope::from_all(NEWEST))?;
    let network = plot.profile >= Profile::Network;
    if plot.apart.is_none() {
        // A command with network may also listen. One with a network of its own may do both: nobody else is there.
        let ports = if network { AccessNet::ConnectTcp.into() } else { AccessNet::from_all(NEWEST) };
        ruleset = ruleset.handle_access(ports)?;
    }
    let mut ruleset = ruleset.create()?;
    // What was put back in a place that is covered is reached by no rule for what lies around it.
    let put_back = plot.apart.map_or(&[][..], Apart::readable);
    for place in readable.iter().flat_map(|places| places.iter().chain(put_back)) {
        ruleset = allow(ruleset, place, AccessFs::ReadFile.into())?;
    }
    for sink in SINKS {
        ruleset = allow(ruleset, sink, AccessFs::from_file(NEWEST) & handled)?;
    }
    if plot.profile >= Profile::Project {
        ruleset = writable(ruleset, plot, handled)?;
    }
    if network {
        for port in plot.ports {
            ruleset = ruleset.add_rule(NetPort::new(*port, AccessNet::ConnectTcp))?;
        }
    }
    Ok((ruleset.into(), where_written(handled).bits()))
}

/// Who can make a device can make one that is a disk.
fn where_written(handled: BitFlags<AccessFs>) -> BitFlags<AccessFs> {
    handled & !(AccessFs::MakeBlock | AccessFs::MakeChar)
}

fn writable(
    mut ruleset: RulesetCreated,
    plot: &Plot<'_>,
    handled: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let rights = where_written(handled);
    for place in plot.writable {
        ruleset = allow_opened(ruleset, place, rights)?;
    }
    let shared =
        AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::MakeReg | AccessFs::RemoveFile;
    match plot.apart.and_then(Apart::shared) {
        Some(own) => allow_opened(ruleset, own, shared & handled),
        None => allow(ruleset, SHARED, shared & handled),
    }
}

/// Allows `rights` at and beneath `place`, if it is there.
fn allow(
    ruleset: RulesetCreated,
    place: impl AsRef<Path>,
    rights: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    match PathFd::new(place) {
        Ok(opened) => allow_opened(ruleset, opened, rights),
        // Nothing is allowed where nothing is.
        Err(PathFdError::OpenCall { .. } | _) => Ok(ruleset),
    }
}

/// The same where it is open already.
fn allow_opened(
    ruleset: RulesetCreated,
    place: impl AsFd,
    rights: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let folder = fstat(&place).is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::Directory);
    let rights = if folder { rights } else { rights & AccessFs::from_file(NEWEST) };
    ruleset.add_rule(PathBeneath::new(place, rights))
}

/// Everything but devices, and of those the harmless ones; `None` where the top folder cannot be listed, which leaves
/// reading free.
fn readable() -> Option<Vec<std::path::PathBuf>> {
    let top = std::fs::read_dir("/").ok()?.flatten();
    let rest = top.filter(|entry| entry.file_name() != OsStr::new("dev")).map(|entry| entry.path());
    Some(rest.chain(SOURCES.iter().map(Into::into)).collect())
}
