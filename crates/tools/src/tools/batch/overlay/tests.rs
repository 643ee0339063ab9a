//! Operations in a row against a plain map of names to texts.

use super::*;
use crate::apply::apply;
use crate::blocking::Stop;
use crate::replace::Which;
use agent_protocol::Change;
use proptest::prelude::*;
use std::collections::BTreeMap;
use tempfile::TempDir;

const NAMES: [&str; 5] = ["a.txt", "b.txt", "c.txt", "in/d.txt", "in/e.txt"];
const WORDS: [&str; 4] = ["alpha", "bravo", "charlie", "delta"];

#[derive(Debug, Clone)]
enum Op {
    Write(&'static str, &'static str),
    Edit(&'static str, &'static str, &'static str),
    Delete(&'static str),
    Move(&'static str, &'static str),
    Copy(&'static str, &'static str),
}

type Model = BTreeMap<String, String>;

fn op() -> impl Strategy<Value = Op> {
    let name = || prop::sample::select(&NAMES[..]);
    let word = || prop::sample::select(&WORDS[..]);
    prop_oneof![
        (name(), word()).prop_map(|(name, word)| Op::Write(name, word)),
        (name(), word(), word()).prop_map(|(name, old, new)| Op::Edit(name, old, new)),
        name().prop_map(Op::Delete),
        (name(), name()).prop_map(|(from, to)| Op::Move(from, to)),
        (name(), name()).prop_map(|(from, to)| Op::Copy(from, to)),
    ]
}

fn line(word: &str) -> String {
    format!("{word}\n")
}

/// Carries it out; false where it cannot be.
fn on_model(model: &mut Model, op: &Op) -> bool {
    match op {
        Op::Write(name, word) => drop(model.insert((*name).into(), line(word))),
        Op::Edit(name, old, new) => match model.get_mut(*name) {
            Some(text) if *text == line(old) && old != new => *text = line(new),
            Some(_) | None => return false,
        },
        Op::Delete(name) => return model.remove(*name).is_some(),
        Op::Move(from, to) => match model.get(*from).cloned() {
            Some(text) if !model.contains_key(*to) => {
                model.remove(*from);
                model.insert((*to).into(), text);
            }
            Some(_) | None => return false,
        },
        Op::Copy(from, to) => match model.get(*from).cloned() {
            Some(text) if !model.contains_key(*to) => drop(model.insert((*to).into(), text)),
            Some(_) | None => return false,
        },
    }
    true
}

fn on_overlay(overlay: &mut Overlay, root: &Path, op: &Op) -> bool {
    let at = |name: &str| root.join(name);
    let made = match op {
        Op::Write(name, word) => overlay.write(&at(name), line(word)),
        Op::Edit(name, old, new) => {
            let swap = Swap { old: (*old).into(), new: (*new).into(), which: Which::TheOnly };
            overlay.swap(&at(name), swap)
        }
        Op::Delete(name) => overlay.delete(&at(name)),
        Op::Move(from, to) => overlay.carry(&at(from), &at(to), CarriedFrom::Goes),
        Op::Copy(from, to) => overlay.carry(&at(from), &at(to), CarriedFrom::Stays),
    };
    made.is_ok()
}

fn on_disk(root: &Path) -> Model {
    let read = |name: &&str| Some(((*name).to_owned(), std::fs::read_to_string(root.join(name)).ok()?));
    NAMES.iter().filter_map(read).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_batch_comes_to_what_its_operations_come_to_one_by_one(ops in prop::collection::vec(op(), 1..12)) {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let workspace = Workspace::new(&root);
        let mut model = Model::new();
        for (name, word) in NAMES.iter().zip(WORDS).take(2) {
            std::fs::write(root.join(name), line(word)).unwrap();
            model.insert((*name).into(), line(word));
        }
        let before = model.clone();
        let mut overlay = Overlay::new(&workspace, Leave::Person);
        for op in &ops {
            let possible = on_model(&mut model, op);
            prop_assert_eq!(on_overlay(&mut overlay, &root, op), possible, "{:?}", op);
            if !possible {
                break;
            }
        }
        prop_assert_eq!(on_disk(&root), before, "nothing is written before it is permitted");
        let changes = overlay.into_parts().into_iter().map(|part| Change {
            path: part.path,
            before: part.before.map(|before| before.digest),
            after: part.after,
        });
        let changes: Vec<Change> = changes.collect();
        let bytes = changes.iter().map(|change| change.after.clone().unwrap_or_default().into_bytes()).collect();
        apply(&changes, bytes, &workspace, &Stop::default()).unwrap();
        // An operation that cannot be done leaves what those before it came to.
        prop_assert_eq!(on_disk(&root), model);
    }
}
