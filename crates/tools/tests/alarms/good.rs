//! Changes that are all right: none is refused, and of next to none is anything said.

use super::{Case, Project};
use agent_protocol::{LeverChanges, SyntaxGate};

const GOOD: [(&str, &str); 5] = [
    ("python", include_str!("good/python.txt")),
    ("script", include_str!("good/script.txt")),
    ("rust", include_str!("good/rust.txt")),
    ("go", include_str!("good/go.txt")),
    ("others", include_str!("good/others.txt")),
];

/// Remarks that need not have been made, of all.
const NEEDLESS: usize = 2;

#[test]
fn good_changes_are_made_and_next_to_nothing_is_said_of_them() {
    let levers = LeverChanges { syntax: Some(SyntaxGate::Refuse), ..LeverChanges::default() };
    let (mut refused, mut needless, mut all) = (Vec::new(), Vec::new(), 0);
    for (kind, text) in GOOD {
        let cases = Case::all(text);
        assert!(cases.len() >= 10, "{kind}");
        for case in cases {
            all += 1;
            let before = case.section("before").filter(|before| !before.is_empty());
            let mut project = Project::new(&levers, case.path(), before);
            project.read(case.path());
            match project.make(&case.call("")) {
                Ok(made) if made.outcome.changed.is_empty() => refused.push(format!("{kind}: {}: nothing", case.name)),
                Ok(made) => {
                    let remarks = made.remarks();
                    needless.extend((!remarks.is_empty()).then(|| format!("{kind}: {}: {remarks:?}", case.name)));
                }
                Err(failure) => refused.push(format!("{kind}: {}: {}", case.name, failure.message)),
            }
        }
    }
    assert!(all >= 95, "{all}");
    assert_eq!(refused, Vec::<String>::new());
    assert!(needless.len() <= NEEDLESS, "{needless:#?}");
}
