//! Any tree, any changes: taking them back gives exactly the tree that was, and making them again the other.

use super::*;
use proptest::prelude::*;

/// What a name holds.
#[derive(Debug, Clone)]
enum Holds {
    File(Vec<u8>, u32),
    Link(String),
}

const NAMES: [&str; 8] = ["a", "b", "a/x", "a/y", "a/y/z", "b/x", "c/d/e", "c"];

fn holds() -> impl Strategy<Value = Holds> {
    let mode = prop_oneof![Just(0o644), Just(0o755), Just(0o600), Just(0o444)];
    let bytes = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40),
        "[ab]\r?\n?[cd]{0,3}\n?".prop_map(String::into_bytes),
        Just(Vec::new())
    ];
    prop_oneof![4 => (bytes, mode).prop_map(|(bytes, mode)| Holds::File(bytes, mode)), 1 => "[abx/.]{1,6}".prop_map(Holds::Link)]
}

/// Of names that contradict each other, the first stands.
fn tree() -> impl Strategy<Value = Vec<(&'static str, Holds)>> {
    prop::collection::vec((prop::sample::select(&NAMES[..]), holds()), 0..8)
}

/// Makes the project exactly this.
fn make(project: &Project, tree: &[(&'static str, Holds)]) {
    for name in project.tree().into_keys().rev() {
        let path = project.at(&name);
        let gone = if look::is_folder(&path) { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
        gone.unwrap();
    }
    for (name, holds) in tree {
        let around = project.at(name);
        let around = around.parent().unwrap();
        let real = around
            .ancestors()
            .take_while(|folder| *folder != project.root)
            .all(|folder| look::is_folder(folder) || folder.symlink_metadata().is_err());
        if !real || project.at(name).symlink_metadata().is_ok() {
            continue;
        }
        std::fs::create_dir_all(around).unwrap();
        match holds {
            Holds::File(bytes, mode) => {
                project.put(name, bytes);
                project.rights(name, *mode);
            }
            Holds::Link(target) => project.link(name, target),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn back_and_forth_are_exact(one in tree(), other in tree()) {
        let project = Project::new();
        make(&project, &one);
        let before = project.tree();
        let wanted = project.changed(|project| make(project, &other));
        let after = project.tree();
        prop_assert_eq!(project.undo(&wanted), NOTHING_LEFT);
        prop_assert_eq!(project.tree(), before);
        prop_assert_eq!(project.undo(&forth(&wanted)), NOTHING_LEFT);
        prop_assert_eq!(project.tree(), after);
    }
}
