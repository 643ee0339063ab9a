//! Who may look, and whose folder is believed.

use super::*;
use std::os::unix::fs::symlink;

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn what_is_kept_is_for_the_person_alone() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::new(folder.path().join("a/state"));
    place.replace("whole", "a test", "x").unwrap();
    place.append("lines", "a test", "x").unwrap();
    place.open_log("log", 10).unwrap();
    let inside = |name: &str| mode(&place.folder().join(name));
    assert_eq!((mode(place.folder()), inside("whole"), inside("lines"), inside("log")), (0o700, 0o600, 0o600, 0o600));
    let names = fs::read_dir(place.folder()).unwrap().count();
    assert_eq!(names, 3, "nothing is left beside what is kept");
}

#[test]
fn a_file_that_others_could_read_is_closed_when_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::new(folder.path());
    for name in ["whole", "lines"] {
        fs::write(folder.path().join(name), "old\n").unwrap();
        fs::set_permissions(folder.path().join(name), Permissions::from_mode(0o644)).unwrap();
    }
    place.replace("whole", "a test", "new").unwrap();
    place.append("lines", "a test", "new").unwrap();
    assert_eq!((mode(&folder.path().join("whole")), mode(&folder.path().join("lines"))), (0o600, 0o600));
}

#[test]
fn a_folder_of_ours_that_others_could_look_into_is_closed() {
    for wide in [0o755, 0o750, 0o711, 0o705] {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path().join("state"));
        fs::create_dir(place.folder()).unwrap();
        fs::set_permissions(place.folder(), Permissions::from_mode(wide)).unwrap();
        place.replace("whole", "a test", "x").unwrap();
        assert_eq!(mode(place.folder()), 0o700, "{wide:o}");
    }
}

#[test]
fn what_a_link_leads_to_keeps_its_rights() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("real")).unwrap();
    fs::set_permissions(folder.path().join("real"), Permissions::from_mode(0o755)).unwrap();
    symlink(folder.path().join("real"), folder.path().join("state")).unwrap();
    Place::new(folder.path().join("state")).replace("whole", "a test", "x").unwrap();
    assert_eq!(mode(&folder.path().join("real")), 0o755);
}

#[test]
fn a_folder_that_others_can_write_is_not_used() {
    for wide in [0o770, 0o707, 0o722, 0o777] {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path());
        place.replace("whole", "a test", "x").unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(wide)).unwrap();
        let said = place.append("lines", "a test", "x").unwrap_err().to_string();
        assert!(said.contains("can be written by others") && said.contains("chmod go-w"), "{said}");
        assert_eq!(place.read("whole"), None, "{wide:o}");
        assert!(!folder.path().join("lines").exists());
        assert_eq!(mode(folder.path()), wide, "what is in it would look as if it could be believed");
        assert!(place.open_log("log", 10).is_err());
    }
}

#[test]
fn a_file_that_others_can_write_is_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::new(folder.path());
    place.replace("whole", "a test", "x").unwrap();
    assert_eq!(place.read("whole"), Some(b"x".to_vec()));
    fs::set_permissions(folder.path().join("whole"), Permissions::from_mode(0o666)).unwrap();
    assert_eq!(place.read("whole"), None);
}

#[test]
fn a_folder_of_another_user_is_not_used() {
    // Somebody else's folder is there on every system: for root one that root gave away, for others the root itself.
    let folder = tempfile::tempdir().unwrap();
    let mut theirs = PathBuf::from("/");
    if fs::metadata("/").unwrap().uid() == fs::metadata(folder.path()).unwrap().uid() {
        theirs = folder.path().join("theirs");
        fs::create_dir(&theirs).unwrap();
        std::os::unix::fs::chown(&theirs, Some(12_345), None).unwrap();
    }
    let said = Place::new(&theirs).check().unwrap_err().to_string();
    assert!(said.contains("belongs to another user"), "{said}");
}

#[test]
fn a_link_to_a_log_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("other"), "").unwrap();
    symlink(folder.path().join("other"), folder.path().join("lines")).unwrap();
    assert!(Place::new(folder.path()).append("lines", "a test", "x").is_err());
    assert_eq!(fs::read_to_string(folder.path().join("other")).unwrap(), "");
}

#[test]
fn a_link_of_ours_to_the_folder_is_fine() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("real")).unwrap();
    fs::set_permissions(folder.path().join("real"), Permissions::from_mode(0o700)).unwrap();
    symlink(folder.path().join("real"), folder.path().join("state")).unwrap();
    Place::new(folder.path().join("state")).replace("whole", "a test", "x").unwrap();
    assert!(folder.path().join("real/whole").exists());
}
