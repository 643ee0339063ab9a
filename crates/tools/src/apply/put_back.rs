//! What somebody else wrote while we did goes back to its place.
//!
//! Each exchange tells what it took out. If that is what we put in last, nobody came between, and all is as it was; if not,
//! it is newer than what was put in just now, and is put back in turn. Nothing that is not ours is ever removed.

use super::step::unsupported;
use super::temporary::{Temporary, set_aside};
use super::thing::Thing;
use rustix::fd::OwnedFd;
use rustix::fs::{RenameFlags, renameat_with};
use rustix::io::Errno;
use std::ffi::OsStr;

/// Exchanges after which it is given up: somebody writes without a pause.
const ROUNDS: usize = 1000;

/// Puts what lies under the temporary name, which was `taken` out, back under `name`, where we put `ours`. Gives the name
/// under which something else was kept that has no place any more.
pub(super) fn put_back(
    folder: &OwnedFd,
    name: &OsStr,
    temporary: Temporary<'_>,
    mut taken: Option<Thing>,
    ours: Option<Thing>,
    limit: u64,
) -> Option<String> {
    let mut put_in = ours.clone();
    let aside = OsStr::new(&temporary.name).to_owned();
    for _ in 0..ROUNDS {
        match renameat_with(folder, &*aside, folder, name, RenameFlags::EXCHANGE) {
            Ok(()) => {
                let out = Thing::at(folder, &aside, limit);
                if out == put_in {
                    return if out == ours { gone(temporary) } else { kept(folder, name, &temporary) };
                }
                put_in = taken;
                taken = out;
            }
            // Somebody took ours away, or moved it; theirs is not lost for that.
            Err(Errno::NOENT) => match renameat_with(folder, &*aside, folder, name, RenameFlags::NOREPLACE) {
                Ok(()) => return None,
                Err(Errno::EXIST) => {}
                Err(_) => break,
            },
            Err(error) if unsupported(error) => break,
            Err(_) => break,
        }
    }
    kept(folder, name, &temporary)
}

fn gone(temporary: Temporary<'_>) -> Option<String> {
    temporary.remove();
    None
}

fn kept(folder: &OwnedFd, name: &OsStr, temporary: &Temporary<'_>) -> Option<String> {
    // Where even that fails it stays under the name it has, which nobody sweeps: it holds something else.
    Some(set_aside(folder, &temporary.name, &name.to_string_lossy()).unwrap_or_else(|_| temporary.name.clone()))
}
