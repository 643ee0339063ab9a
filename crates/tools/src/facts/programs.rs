//! Where a program is found.

use crate::Ground;
use rustix::fs::{Access, access};
use std::path::{Path, PathBuf};

/// The first program of this `name` in the folders that can be relied on. One that leads into the project is none: the
/// project can put another in its place.
pub(crate) fn find(ground: &Ground, name: &str) -> Option<PathBuf> {
    if name.is_empty() || name.contains('/') {
        return None;
    }
    let places = ground.surroundings.programs().iter().map(|folder| folder.join(name));
    let found = places.into_iter().find(|path| is_program(path))?;
    let real = found.canonicalize().ok()?;
    (!real.starts_with(&ground.root)).then_some(found)
}

fn is_program(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_sandbox::Surroundings;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::sync::Arc;
    use tempfile::TempDir;

    /// A house with programs in `one` and `two`, and a project.
    fn house() -> (TempDir, Ground) {
        let folder = TempDir::new().unwrap();
        let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
        for (name, mode) in [("one/text", 0o644), ("two/text", 0o755), ("two/both", 0o755), ("project/own", 0o755)] {
            std::fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            std::fs::write(at(name), "#!/bin/sh\n").unwrap();
            std::fs::set_permissions(at(name), PermissionsExt::from_mode(mode)).unwrap();
        }
        std::fs::create_dir(at("one/both")).unwrap();
        symlink("../project/own", at("two/own")).unwrap();
        for name in ["one", "two", "project"] {
            std::fs::set_permissions(at(name), PermissionsExt::from_mode(0o755)).unwrap();
        }
        let path = std::env::join_paths([at("one"), at("two")]).unwrap();
        let surroundings = Surroundings::new([("PATH".into(), path)], &[], &at("project")).unwrap();
        let (root, surroundings) = (at("project"), Arc::new(surroundings));
        (folder, Ground { home: None, surroundings, ..Ground::of_this_process(root).unwrap() })
    }

    #[test]
    fn the_first_file_that_can_be_run_is_it() {
        let (folder, ground) = house();
        let two = folder.path().canonicalize().unwrap().join("two");
        assert_eq!(find(&ground, "text"), Some(two.join("text")));
        assert_eq!(find(&ground, "both"), Some(two.join("both")));
        for none in ["nothing", "", "../two/text", "/bin/sh"] {
            assert_eq!(find(&ground, none), None, "{none}");
        }
    }

    #[test]
    fn a_program_that_the_project_holds_is_none() {
        let (_folder, ground) = house();
        assert_eq!(find(&ground, "own"), None);
    }
}
