//! Programs planted in a repository: git commands that run them are found out before, and do not run them for us.

mod matrix;
pub(crate) mod plants;

use agent_policy::{Facts, GitFacts, Kept, Permit, Policy, Query, Setup, Verdict, queries};
use agent_protocol::{Action, Mode, Profile};
use matrix::{CASES, Case};
use plants::Plants;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What became of one command in one repository.
#[derive(Debug)]
struct Row {
    name: String,
    /// Plain git ran the program.
    ran: bool,
    /// The audit had something to say.
    flagged: bool,
    /// The audit itself ran the program.
    audit_ran: bool,
    /// With what is known: proved to only read?
    proved: bool,
    /// With an audit that is blind for the repository, so that the environment alone stands in the way: proved?
    proved_blind: bool,
    /// What was proved ran the program none the less.
    proved_ran: bool,
}

#[test]
fn nothing_planted_in_a_repository_runs_unasked() {
    let rows: Vec<Row> = std::thread::scope(|scope| {
        let halves = [0, 1].map(|half| scope.spawn(move || rows(half)));
        halves.into_iter().flat_map(|half| half.join().unwrap()).collect()
    });
    assert_eq!((CASES.len(), rows.len()), (31, 96));
    let which = |want: fn(&Row) -> bool| -> Vec<&str> {
        rows.iter().filter(|row| want(row)).map(|row| row.name.as_str()).collect()
    };
    assert_eq!(which(|row| row.audit_ran), Vec::<&str>::new(), "the audit ran a planted program");
    assert_eq!(which(|row| row.ran && !row.flagged), Vec::<&str>::new(), "the audit missed these");
    assert_eq!(which(|row| row.proved_ran), Vec::<&str>::new(), "proved to only read, and ran a planted program");
    assert_eq!(which(|row| row.ran && row.proved), Vec::<&str>::new(), "proved in spite of the audit");
    // The claims above are about something.
    let ran = which(|row| row.ran).len();
    assert!(ran >= 55, "only {ran} of 96 ran their program: this git is too new or too old for the table");
    let blind = which(|row| row.ran && row.proved_blind).len();
    assert!(blind >= 20, "the environment alone was tried on {blind} commands only");
}

/// Every second case, so that two processors have work.
fn rows(half: usize) -> Vec<Row> {
    let plants = Plants::new();
    CASES.iter().skip(half).step_by(2).flat_map(|case| case_rows(&plants, case)).collect()
}

fn case_rows(plants: &Plants, case: &Case) -> Vec<Row> {
    plants.prepare(case.setup);
    case.commands.iter().map(|command| row(plants, case, command)).collect()
}

fn row(plants: &Plants, case: &Case, command: &str) -> Row {
    let root = plants.fresh(if command.contains("stash show") { "git stash -q; echo e >> a.txt" } else { "" });
    let toolbox = plants.toolbox(&root);
    let folders = ["d", "w"]
        .iter()
        .filter(|sub| command.contains(&format!("-C {sub} ")) || command.contains(&format!("cd {sub} ")));
    let folders: Vec<PathBuf> = std::iter::once(root.clone()).chain(folders.map(|sub| root.join(sub))).collect();
    let asked: Vec<Query> = folders.iter().cloned().map(Query::Git).collect();
    let facts = toolbox.facts(&asked);
    let audited = folders.iter().map(|folder| facts.git(folder).expect("this test needs the package `git`"));
    let flagged = audited.clone().any(|git| !git.findings.is_empty());
    let audit_ran = plants.sprung();

    let action = Action::Run {
        command: command.into(),
        argv: Vec::new(),
        cwd: root.clone(),
        timeout_secs: 20,
        profile: Profile::Project,
        background: false,
        input: None,
    };
    let known = toolbox.facts(&queries(&action));
    let honest = proved(&root, &action, &known);
    let blind = proved(&root, &action, &blinded(known, &action));
    let proved_ran = [&honest, &blind].into_iter().flatten().any(|permit| {
        plants.run(&root, permit.line().expect("what is proved has a line"), permit.sandbox().env());
        plants.sprung()
    });
    plants.run(&root, command, &[]);
    Row {
        name: format!("{}: {command}", case.name),
        ran: plants.sprung(),
        flagged,
        audit_ran,
        proved: honest.is_some(),
        proved_blind: blind.is_some(),
        proved_ran,
    }
}

/// A permit, where a person who lets everything run that is proved to only read would not be asked.
fn proved(root: &Path, action: &Action, facts: &Facts) -> Option<Permit> {
    let kept = Kept { read_only: true, ..Kept::default() };
    let policy = Policy::new(Setup { kept, trusted: true, ..Setup::new(root.into(), Mode::Safe) });
    match policy.judge(action.clone(), facts) {
        Verdict::Allow(permit) => Some(permit),
        Verdict::Ask(_) | Verdict::Deny(_) | Verdict::Impossible(_) => None,
    }
}

/// The same facts as they would be if the repository's settings were the user's own.
fn blinded(mut facts: Facts, action: &Action) -> Facts {
    for query in queries(action) {
        let Query::Git(folder) = query else { continue };
        let Some(git) = facts.git(&folder).cloned() else { continue };
        let settings = git.findings.iter().filter(|finding| is_setting(finding)).cloned();
        let keys: BTreeSet<String> = git.keys.iter().cloned().chain(settings).collect();
        facts.set_git(folder, GitFacts { findings: Vec::new(), keys: keys.into_iter().collect(), ..git });
    }
    facts
}

/// One that can be overruled; what leads to other settings cannot.
fn is_setting(finding: &str) -> bool {
    let leads_on = ["include.", "extensions.", "core.worktree", "remote."].iter().any(|way| finding.starts_with(way));
    !finding.contains(' ') && finding.contains('.') && !leads_on
}
