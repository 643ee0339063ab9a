//! What a weak model does, with nobody looking and with somebody; and that a strong one hears nothing of it.

use super::{Case, Project};
use agent_protocol::{FailureKind, LeverChanges, SyntaxGate};
use std::collections::BTreeSet;

fn cases() -> Vec<Case> {
    Case::all(include_str!("pairs.txt"))
}

impl Case {
    /// The project as the weak model finds it.
    fn project(&self, levers: &LeverChanges) -> Project {
        let mut project = Project::new(levers, self.path(), self.section("before"));
        if self.head("unread").is_none() {
            project.read(self.path());
        }
        project
    }

    fn levers(&self) -> LeverChanges {
        let mut levers = LeverChanges::off();
        levers.cover_with(serde_json::from_str(self.head("levers").unwrap()).unwrap());
        levers
    }

    fn want(&self) -> &str {
        self.section("want").unwrap()
    }
}

/// Is the file worse than it was: broken, or with functions gone?
fn is_worse(case: &Case, now: &str) -> bool {
    let before = case.section("before").unwrap();
    let broken = agent_syntax::new_fault(case.path(), Some(before), now).is_some();
    broken || agent_syntax::vanishing(case.path(), before, now).is_some()
}

#[test]
fn with_nobody_looking_the_file_is_broken_or_loses_code() {
    let cases = cases();
    assert!(cases.len() >= 20);
    let languages: BTreeSet<&str> = cases.iter().map(|case| case.name.split(':').next().unwrap()).collect();
    assert!(["Go", "JavaScript", "Python", "Rust"].iter().all(|language| languages.contains(language)));
    for case in cases {
        let mut project = case.project(&LeverChanges::off());
        project.make(&case.call("weak")).map_err(|failure| failure.message).unwrap();
        assert!(is_worse(&case, &project.text(case.path())), "{}", case.name);
    }
}

#[test]
fn with_somebody_looking_it_is_mended_or_refused_and_done_right_then() {
    for case in cases() {
        let mut project = case.project(&case.levers());
        match project.make(&case.call("weak")) {
            Ok(made) => assert!(!made.remarks().is_empty(), "{}: it is said", case.name),
            Err(failure) => {
                assert!([FailureKind::Syntax, FailureKind::NotReady].contains(&failure.kind), "{}", case.name);
                assert_eq!(project.text(case.path()), case.section("before").unwrap(), "{}", case.name);
                project.read(case.path());
                project.make(&case.call("then")).map_err(|failure| failure.message).unwrap();
            }
        }
        assert_eq!(project.text(case.path()), case.want(), "{}", case.name);
    }
}

#[test]
fn a_strong_model_hears_nothing_of_it() {
    for case in cases() {
        let mut project = case.project(&case.levers());
        let made = project.make(&case.call("then")).map_err(|failure| failure.message).unwrap();
        assert_eq!(made.remarks(), Vec::<String>::new(), "{}", case.name);
        assert_eq!(project.text(case.path()), case.want(), "{}", case.name);
    }
}

#[test]
fn a_change_in_two_halves_is_made_when_it_comes_again() {
    let levers = LeverChanges { syntax: Some(SyntaxGate::Refuse), ..LeverChanges::off() };
    let text = "fn a() {\n    b();\n}\n";
    let mut project = Project::new(&levers, "a.rs", Some(text));
    let edit = |old: &str, new: &str| {
        super::call("edit_file", serde_json::json!({ "file_path": "a.rs", "old_string": old, "new_string": new }))
    };
    let half = edit("    b();", "    if x {\n    b();");
    assert_eq!(project.make(&half).err().map(|failure| failure.kind), Some(FailureKind::Syntax));
    let told = project.make(&half).unwrap().outcome.told;
    assert!(told.contains("does not parse since this change"), "{told}");
    let rest = project.make(&edit("    b();\n", "        b();\n    }\n")).unwrap();
    assert_eq!(rest.remarks(), Vec::<String>::new());
    assert_eq!(project.text("a.rs"), "fn a() {\n    if x {\n        b();\n    }\n}\n");
    let again = project.make(&edit("    if x {\n", ""));
    assert!(again.is_err(), "what was refused once can be refused again after a good change");
}
