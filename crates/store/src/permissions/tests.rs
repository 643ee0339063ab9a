//! What is written for one project, and what of the file stays as it is.

use super::*;
use agent_policy::{RuleVerdict, StandingReach, StandingRule};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

struct Case {
    folder: tempfile::TempDir,
}

impl Case {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("config")).unwrap();
        fs::set_permissions(folder.path().join("config"), fs::Permissions::from_mode(0o700)).unwrap();
        let case = Case { folder };
        if !text.is_empty() {
            fs::write(case.file(), text).unwrap();
            fs::set_permissions(case.file(), fs::Permissions::from_mode(0o600)).unwrap();
        }
        case
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("config/policy.toml")
    }

    fn permissions(&self, project: &str) -> Permissions {
        let path = self.folder.path().join(project);
        fs::create_dir_all(&path).unwrap();
        Permissions::new(self.file(), Folder::at(&path).unwrap())
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    fn kept(&self, project: &str) -> Kept {
        self.permissions(project).kept(&WrittenRules::parse(&self.text()).unwrap())
    }
}

fn rule(words: &[&str]) -> StandingRule {
    StandingRule {
        verdict: RuleVerdict::Allow,
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        program: Some("/usr/bin/cargo".into()),
        since: Some("2026-11-21".into()),
        example: Some("cargo test --workspace".into()),
    }
}

fn kept(rules: &[StandingRule]) -> Kept {
    Kept { rules: rules.to_vec(), read_only: false, ..Kept::default() }
}

#[test]
fn what_is_saved_comes_back_for_this_project_and_no_other() {
    let case = Case::new("");
    let mine = Kept { rules: vec![rule(&["cargo", "test"]), rule(&["make"])], read_only: true, ..Kept::default() };
    case.permissions("mine").save(&mine).unwrap();
    assert_eq!(case.kept("mine"), mine);
    assert_eq!(
        case.kept("other"),
        Kept { rules: vec![], read_only: true, ..Kept::default() },
        "what only reads may do so everywhere"
    );
    let mode = fs::metadata(case.file()).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    assert!(case.text().starts_with("# Your rules"), "{}", case.text());
}

fn reach(words: &[&str], hosts: &[&str]) -> StandingReach {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    StandingReach {
        words: owned(words),
        program: (!words.is_empty()).then(|| "/usr/bin/npm".into()),
        hosts: hosts.iter().map(|name| name.parse().unwrap()).collect(),
        since: Some("2026-11-23".into()),
        example: Some("npm install".into()),
    }
}

#[test]
fn what_commands_may_reach_comes_back_for_this_project_and_is_taken_out_alone() {
    let case = Case::new("");
    let some = reach(&["npm", "install"], &["packages.example", "cdn.example"]);
    let (any, all) = (reach(&[], &["packages.example"]), reach(&["cargo", "fetch"], &[]));
    let mine = Kept { reaches: vec![some.clone(), any.clone(), all], rules: vec![rule(&["make"])], read_only: false };
    case.permissions("mine").save(&mine).unwrap();
    assert_eq!(case.kept("mine"), mine);
    assert_eq!(case.kept("other"), Kept::default());
    case.permissions("other").save(&Kept { reaches: vec![any.clone()], ..Kept::default() }).unwrap();
    case.permissions("mine").save(&Kept { reaches: vec![some.clone()], ..Kept::default() }).unwrap();
    assert_eq!((case.kept("mine").reaches, case.kept("other").reaches), (vec![some], vec![any]));
    let before = case.text();
    case.permissions("mine").save(&case.kept("mine")).unwrap();
    assert_eq!(case.text(), before, "nothing is written that is there");
    case.permissions("mine").save(&Kept::default()).unwrap();
    assert_eq!(case.kept("other").reaches.len(), 1);
}

#[test]
fn what_a_folder_may_reach_dies_with_it() {
    let case = Case::new("");
    case.permissions("mine").save(&Kept { reaches: vec![reach(&[], &["a.example"])], ..Kept::default() }).unwrap();
    fs::rename(case.folder.path().join("mine"), case.folder.path().join("moved")).unwrap();
    assert_eq!(case.kept("mine"), Kept::default());
}

#[test]
fn a_rule_without_a_day_gets_today() {
    let case = Case::new("");
    case.permissions("mine").save(&kept(&[StandingRule { since: None, ..rule(&["make"]) }])).unwrap();
    let since = case.kept("mine").rules[0].since.clone().unwrap();
    assert_eq!((since.len(), since.matches('-').count()), (10, 2), "{since}");
    case.permissions("mine").save(&kept(&[StandingRule { since: None, ..rule(&["make"]) }])).unwrap();
    assert_eq!(case.kept("mine").rules.len(), 1, "it is the same rule");
}

#[test]
fn all_else_in_the_file_stays_byte_for_byte() {
    let text = "# mine\nread_only = \"ask\" # for now\n\n[[rule]] # a\nverdict = \"ask\"\nwords = [ 'git',\"push\" ]\n\n\
                # theirs\n[[rule]]\nverdict = \"allow\"\nwords = [\"make\"]\nproject = \"/elsewhere\"\ndevice = 1\ninode = 2\n\
                program = \"/usr/bin/make\"\n";
    let case = Case::new(text);
    case.permissions("mine").save(&kept(&[rule(&["cargo", "test"])])).unwrap();
    assert!(case.text().starts_with(text), "{}", case.text());
    assert_eq!(case.kept("mine").rules, [rule(&["cargo", "test"])]);
    case.permissions("mine").save(&kept(&[])).unwrap();
    assert_eq!(case.text(), text);
    case.permissions("mine").save(&Kept { rules: vec![], read_only: true, ..Kept::default() }).unwrap();
    assert_eq!(case.text(), text.replace("\"ask\" # for", "\"always\" # for"));
}

#[test]
fn a_rule_that_is_taken_back_is_gone_and_the_others_stay() {
    let case = Case::new("");
    let (one, two) = (rule(&["cargo", "test"]), rule(&["make"]));
    case.permissions("mine").save(&kept(&[one.clone(), two.clone()])).unwrap();
    case.permissions("other").save(&kept(std::slice::from_ref(&one))).unwrap();
    case.permissions("mine").save(&kept(std::slice::from_ref(&two))).unwrap();
    assert_eq!((case.kept("mine").rules, case.kept("other").rules), (vec![two], vec![one]));
}

#[test]
fn rules_die_with_their_folder() {
    let case = Case::new("");
    case.permissions("mine").save(&kept(&[rule(&["make"])])).unwrap();
    fs::rename(case.folder.path().join("mine"), case.folder.path().join("moved")).unwrap();
    assert_eq!(case.kept("mine"), Kept::default());
}

#[test]
fn rules_do_not_pass_to_a_folder_that_got_the_number_of_theirs() {
    let case = Case::new("");
    let mut permissions = case.permissions("mine");
    permissions.project.born = Some(1_763_725_380_123_456_789);
    permissions.save(&kept(&[rule(&["make"])])).unwrap();
    let held = |born| {
        let project = Folder { born, ..permissions.project.clone() };
        let permissions = Permissions { project, ..permissions.clone() };
        permissions.kept(&WrittenRules::parse(&case.text()).unwrap()).rules.len()
    };
    assert_eq!([held(permissions.project.born), held(Some(2)), held(None)], [1, 0, 0]);
    let old = case.text().lines().filter(|line| !line.starts_with("born")).collect::<Vec<_>>().join("\n");
    fs::write(case.file(), old).unwrap();
    assert_eq!([held(Some(2)), held(None)], [0, 1], "a rule from before births were written");
}

#[test]
fn a_file_that_cannot_be_read_is_left_alone() {
    for text in ["[[rule]\n", "rule = 3\n"] {
        let case = Case::new(text);
        let said = case.permissions("mine").save(&kept(&[rule(&["make"])])).unwrap_err().to_string();
        assert!(said.contains("mend it by hand"), "{said}");
        assert_eq!(case.text(), text);
    }
}

#[test]
fn saving_does_not_make_what_others_wrote_the_persons_own() {
    let case = Case::new("read_only = \"always\"\n");
    fs::set_permissions(case.file(), fs::Permissions::from_mode(0o666)).unwrap();
    let said = case.permissions("mine").save(&kept(&[rule(&["make"])])).unwrap_err().to_string();
    assert!(said.contains("can be written by others"), "{said}");
    assert_eq!(case.text(), "read_only = \"always\"\n");
}

#[test]
fn a_link_to_the_file_is_kept_and_written_through() {
    let case = Case::new("");
    let real = case.folder.path().join("real.toml");
    fs::write(&real, "# real\n").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    fs::set_permissions(case.folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    symlink(&real, case.file()).unwrap();
    case.permissions("mine").save(&kept(&[rule(&["make"])])).unwrap();
    assert!(fs::symlink_metadata(case.file()).unwrap().is_symlink());
    assert!(fs::read_to_string(real).unwrap().starts_with("# real\n"));
}

#[test]
fn rules_in_one_line_are_understood_and_kept() {
    let case = Case::new("rule = [{ verdict = \"deny\", words = [\"git\", \"push\"] }]\n");
    case.permissions("mine").save(&kept(&[rule(&["make"])])).unwrap();
    let rules = WrittenRules::parse(&case.text()).unwrap().rules;
    let verdicts: Vec<WrittenVerdict> = rules.iter().map(|rule| rule.get_ref().verdict).collect();
    assert_eq!(verdicts, [WrittenVerdict::Deny, WrittenVerdict::Allow]);
}

#[test]
fn two_sessions_that_save_at_once_lose_nothing() {
    let case = Case::new("");
    let projects: Vec<String> = (0..8).map(|number| format!("project{number}")).collect();
    std::thread::scope(|scope| {
        for project in &projects {
            let permissions = case.permissions(project);
            scope.spawn(move || permissions.save(&kept(&[rule(&["make"])])).unwrap());
        }
    });
    for project in &projects {
        assert_eq!(case.kept(project).rules.len(), 1, "{project}");
    }
}
