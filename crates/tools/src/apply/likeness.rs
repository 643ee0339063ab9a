//! Makes a new file like the one it takes the place of: owner, rights, access lists and other attributes.

use rustix::fs::{XattrFlags, fgetxattr, fgetxattr_query, flistxattr, flistxattr_query, fremovexattr, fsetxattr};
use rustix::io::Errno;
use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

/// Attributes that belong to the very bytes: the system drops or makes them anew with every write.
const OF_THE_BYTES: [&str; 3] = ["security.capability", "security.ima", "security.evm"];
/// The list of who may do what, beyond the rights.
const ACCESS: &str = "system.posix_acl_access";

/// Gives `new` what `old`, of which `was` is known, has; of rights those of `mode`, where it says any. Says in words what
/// could not be kept.
pub(super) fn like(new: &File, old: &File, was: &Metadata, mode: Option<u32>) -> io::Result<Vec<String>> {
    let mut lost = Vec::new();
    let mut mode = mode.unwrap_or(was.mode() & 0o7777);
    if !own(new, was)? {
        // To run as its owner was right for the owner it had.
        mode &= 0o1777;
        lost.push("its owner could not be kept".to_owned());
    }
    attributes(new, old, &mut lost);
    new.set_permissions(Permissions::from_mode(mode))?;
    Ok(lost)
}

/// Gives it the owner and the group, or at least the group. Did both succeed?
fn own(new: &File, was: &Metadata) -> io::Result<bool> {
    let is = new.metadata()?;
    if (is.uid(), is.gid()) == (was.uid(), was.gid()) || fchown(new, Some(was.uid()), Some(was.gid())).is_ok() {
        return Ok(true);
    }
    // Only the superuser may give files away, but one may give them to a group of one's own.
    let _ = fchown(new, None, Some(was.gid()));
    Ok(false)
}

fn attributes(new: &File, old: &File, lost: &mut Vec<String>) {
    // What cannot be listed is not there, or the file system has no attributes.
    let names = names(old).unwrap_or_default();
    for name in names.iter().filter(|name| !OF_THE_BYTES.contains(&name.as_str())) {
        let Ok(value) = value(old, name) else { continue };
        if self::value(new, name).as_ref() == Ok(&value) {
            continue;
        }
        if fsetxattr(new, name.as_str(), &value, XattrFlags::empty()).is_err() {
            lost.push(match name.as_str() {
                ACCESS => "its access list could not be kept".to_owned(),
                name => format!("its attribute {name} could not be kept"),
            });
        }
    }
    if !names.iter().any(|name| name == ACCESS) {
        // New files may be born with a list that their folder hands out.
        let _ = fremovexattr(new, ACCESS);
    }
}

fn names(file: &File) -> Result<Vec<String>, Errno> {
    let mut list = vec![0; flistxattr_query(file)?];
    let length = flistxattr(file, &mut list[..])?;
    let names = list[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.filter_map(|name| String::from_utf8(name.to_vec()).ok()).collect())
}

fn value(file: &File, name: &str) -> Result<Vec<u8>, Errno> {
    let mut value = vec![0; fgetxattr_query(file, name)?];
    let length = fgetxattr(file, name, &mut value[..])?;
    value.truncate(length);
    Ok(value)
}
