//! What is looked at before anything is planned.

use super::*;
use serde_json::json;
use std::os::unix::fs::symlink;
use tempfile::TempDir;

struct House {
    _folder: TempDir,
    root: PathBuf,
    tool: BatchOperations,
}

/// `in/a.txt`, and a link to it by a name that is shown in other words.
fn house() -> House {
    let folder = TempDir::new().unwrap();
    let root = folder.path().canonicalize().unwrap();
    std::fs::create_dir(root.join("in")).unwrap();
    std::fs::write(root.join("in/a.txt"), "alpha\n").unwrap();
    symlink("in/a.txt", root.join("l.txt")).unwrap();
    symlink("in/a.txt", root.join("a\nb")).unwrap();
    symlink("in", root.join("way")).unwrap();
    let tool = BatchOperations::new(Workspace::new(&root));
    House { _folder: folder, root, tool }
}

impl House {
    fn operations(&self, operations: &Value) -> Result<Vec<Operation>, Failure> {
        self.tool.operations(&FORM.read(&json!({ "operations": operations })).unwrap())
    }

    fn alone(&self, operation: &Value) -> Result<Vec<Operation>, String> {
        self.operations(&json!([operation])).map_err(|failure| failure.message)
    }
}

#[test]
fn a_link_is_not_what_it_leads_to_however_it_is_named() {
    let house = house();
    let (long, target) = (house.root.join("l.txt").display().to_string(), house.root.join("in/a.txt"));
    for given in ["l.txt", "l.txt/", "l.txt/.", "./l.txt", "in/../l.txt", "way/../l.txt//", "a\nb", "a\\nb", &long] {
        for operation in [json!({"op": "delete", "path": given}), json!({"op": "move", "path": given, "to": "b"})] {
            let said = house.alone(&operation).err().unwrap_or_default();
            assert!(said.ends_with("is a link; use run_command to move or delete it"), "{given:?}: {said}");
        }
    }
    for given in ["l.txt/x/..", "l.txt/..", "/"] {
        let said = house.alone(&json!({"op": "delete", "path": given})).err().unwrap_or_default();
        assert!(said.ends_with("names a folder; give the path of a file"), "{given}: {said}");
    }
    for given in ["in/a.txt", "way/a.txt", "way/./a.txt/", "l.txt/../a.txt"] {
        let found = house.alone(&json!({"op": "delete", "path": given})).unwrap();
        assert_eq!(found[0].path, target, "the way there may lead through links: {given}");
    }
    assert!(house.alone(&json!({"op": "copy", "path": "l.txt", "to": "b"})).is_ok(), "a copy takes nothing away");
}
