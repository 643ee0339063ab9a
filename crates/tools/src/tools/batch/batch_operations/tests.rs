//! What is looked at before anything is planned.

use super::*;
use crate::read_tracker::Sight;
use crate::tools::batch::budget::Budget;
use agent_protocol::FailureKind;
use serde_json::{Value, json};
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};
use tempfile::TempDir;

struct House {
    _folder: TempDir,
    root: PathBuf,
    workspace: Workspace,
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
    let workspace = Workspace::new(&root);
    House { _folder: folder, root, workspace }
}

fn planned(
    workspace: &Workspace,
    operations: Vec<Operation>,
    leave: Leave,
    budget: Budget,
) -> Result<Box<dyn PlannedCall>, Failure> {
    let edits = edits(workspace, Overlay::within(budget, workspace, leave), operations, leave);
    edits.map(Edits::planned)
}

impl House {
    fn operations(&self, operations: &Value) -> Result<Vec<Operation>, Failure> {
        super::operations(&self.workspace, 250, &FORM.read(&json!({ "operations": operations })).unwrap())
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

#[test]
fn what_was_read_for_a_refused_batch_nobody_has_seen() {
    let house = house();
    let path = house.root.join("in/a.txt");
    let now = crate::apply::digest(b"alpha\n");
    let operations = json!([{"op": "read", "path": "in/a.txt"}, {"op": "write", "path": "b", "content": "b\n"}]);
    let operations = house.operations(&operations).unwrap();
    drop(planned(&house.workspace, operations, Leave::Person, Budget::default()).unwrap());
    assert_eq!(house.workspace.seen().sight(&path, &now), Sight::Never);
    let mut overlay = Overlay::new(&house.workspace, Leave::Person);
    let wanted = WantedLines { first: 1, lines: None, usual: 0, asked: AskedBy::Other };
    let reading = kept(&house.workspace, &mut overlay, path.clone(), wanted, Leave::Person).unwrap();
    beside(vec![reading]).unwrap()(1_000);
    assert_eq!(house.workspace.seen().sight(&path, &now), Sight::AsItIs, "what is told is seen");
}

#[test]
fn what_is_held_until_the_answer_has_an_end() {
    let house = house();
    std::fs::write(house.root.join("in/b.txt"), "beta\n").unwrap();
    let later = Instant::now() + Duration::from_secs(3600);
    let planned = |operations: &Value, most: u64| {
        let operations = house.operations(operations).unwrap();
        planned(&house.workspace, operations, Leave::Person, Budget::new(most, later))
            .err()
            .map(|failure| failure.message)
    };
    let too_large = |nth: usize, most: u64| {
        Some(format!(
            "operation {nth} of 2 failed, and nothing was changed: the files of this call are larger than {most} bytes \
             together; do fewer at a time"
        ))
    };
    let write = json!({"op": "write", "path": "new", "content": "new\n"});
    let (a, b) = (json!({"op": "delete", "path": "in/a.txt"}), json!({"op": "delete", "path": "in/b.txt"}));
    assert_eq!(planned(&json!([a, b]), 11), None);
    assert_eq!(planned(&json!([a, b]), 10), too_large(2, 10));
    let read = json!({"op": "read", "path": "in/a.txt"});
    assert_eq!(planned(&json!([b, read]), 10), too_large(2, 10));
    assert_eq!(planned(&json!([write, {"op": "read", "path": "new"}]), 3), too_large(2, 3));
    assert_eq!(planned(&json!([write, read]), 6), None);
}

#[test]
fn reading_for_a_question_does_not_go_on_for_ever() {
    let house = house();
    let planned = |operations: &Value| {
        let operations = house.operations(operations).unwrap();
        planned(&house.workspace, operations, Leave::Person, Budget::new(1_000, Instant::now())).err()
    };
    let (write, read) =
        (json!({"op": "write", "path": "b", "content": "b\n"}), json!({"op": "read", "path": "in/a.txt"}));
    assert_eq!(planned(&json!([write])), None, "without readings there is nothing to wait for");
    let failure = planned(&json!([write, read])).unwrap();
    assert_eq!(failure.kind, FailureKind::Timeout);
    assert!(failure.message.ends_with("takes too long; read fewer at a time"), "{}", failure.message);
}

#[test]
fn an_operation_refuses_what_its_own_tool_refuses() {
    let house = house();
    let write = json!({"operation": "create_file", "path": "log.md", "content": "x"});
    let edit = json!({"op": "edit", "path": "log.md", "old": "x", "new": "y"});
    for (operation, more, key) in [
        (&write, json!({"append": true}), "append"),
        (&write, json!({"mode": "a"}), "mode"),
        (&write, json!({"insert_line": 3}), "insert_line"),
        (&write, json!({"offset": 3}), "offset"),
        (&write, json!({"encoding": "latin-1"}), "encoding"),
        (&write, json!({"old": "y"}), "old"),
        (&write, json!({"dry_run": true}), "dry_run"),
        (&edit, json!({"regex": true}), "regex"),
        (&edit, json!({"mode": "insert"}), "mode"),
        (&edit, json!({"replace_all": true, "limit": 1}), "limit"),
    ] {
        let mut given = operation.as_object().unwrap().clone();
        given.extend(more.as_object().unwrap().clone());
        let said = house.alone(&Value::Object(given)).err().unwrap_or_default();
        assert!(said.starts_with(&format!("entry 1 of `operations`: `{key}` is not possible here: ")), "{said}");
    }
    for operation in [write, edit, json!({"operation": "read", "path": "a", "offset": 3, "limit": 2})] {
        assert!(house.alone(&operation).is_ok(), "{operation}");
    }
}

#[test]
fn what_was_left_out_of_an_operation_is_said_once() {
    let operation = json!({"op": "write", "path": "a", "text": "b", "colour": "red"});
    let given = json!({"operations": [operation, operation]});
    let (once, notes) = FORM.read(&given).unwrap().into_parts();
    let expected = [
        "entry 1 of operations: `colour` is not known here and was left out",
        "`op` and `text` were read as operation and content",
    ];
    assert_eq!(notes.in_words(), expected);
    assert_eq!(FORM.read(&once).unwrap().into_parts().1.in_words(), [""; 0]);
}
