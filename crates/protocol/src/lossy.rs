//! Writes paths down as text. Names that are no UTF-8 keep what can be read of them, for a face to show. What undo acts on
//! is never of such a name: such files are not covered.

use serde::Serializer;
use serde::ser::SerializeSeq;
use std::path::{Path, PathBuf};

pub(crate) fn path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

pub(crate) fn paths<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    let mut list = serializer.serialize_seq(Some(paths.len()))?;
    for path in paths {
        list.serialize_element(&path.to_string_lossy())?;
    }
    list.end()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it so")]
pub(crate) fn is_false(flag: &bool) -> bool {
    !*flag
}

#[cfg(test)]
mod tests {
    use crate::{Action, Profile};
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    #[test]
    fn a_name_that_is_no_text_can_be_written_down() {
        let odd = Path::new(OsStr::from_bytes(b"/p/b\xff.txt")).to_owned();
        let look = serde_json::to_value(Action::Read { paths: vec![odd.clone()] }).unwrap();
        assert_eq!(look["paths"][0], "/p/b\u{fffd}.txt");
        let run = Action::Run {
            command: "ls".into(),
            argv: Vec::new(),
            cwd: odd,
            timeout_secs: 1,
            profile: Profile::Project,
            background: false,
            input: None,
        };
        assert_eq!(serde_json::to_value(run).unwrap()["cwd"], "/p/b\u{fffd}.txt");
    }
}
