//! A place that is known for sure: the only thing that rules about places of the system and of the home are held against.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A path that says by itself where it leads: absolute, without `.` and `..`. A name below some folder is none, so
/// `lib/a.js` of a project cannot be taken for the `/lib` of the system.
///
/// ```compile_fail
/// # use std::path::Path;
/// # use agent_policy::names::{Resolved, is_secret};
/// is_secret(Path::new("lib/a.js"), None);
/// ```
///
/// ```
/// # use std::path::Path;
/// # use agent_policy::names::{Resolved, is_secret};
/// assert!(Resolved::new(Path::new("lib/a.js")).is_none());
/// assert!(!is_secret(Resolved::new(Path::new("/home/ann/p/lib/a.js")).unwrap(), None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolved<'a>(&'a Path);

impl<'a> Resolved<'a> {
    /// `path`, if it is such a one. That no link stands in it is for the caller to know.
    pub fn new(path: &'a Path) -> Option<Self> {
        // By its bytes: `components` leaves out a `.` between two names.
        let leads_on = |name: &[u8]| name != b"." && name != b"..";
        let plain = path.as_os_str().as_bytes().split(|byte| *byte == b'/').all(leads_on);
        (path.is_absolute() && plain).then_some(Resolved(path))
    }

    pub fn path(self) -> &'a Path {
        self.0
    }
}
