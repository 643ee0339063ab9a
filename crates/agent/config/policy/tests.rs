//! Which layer may say what, and what is said about wrong ones.

use super::*;
use agent_store::Folder;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

struct House {
    folder: tempfile::TempDir,
}

impl House {
    fn new(user: &str, project: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let house = House { folder };
        for (name, text) in [("user", user), ("project/.agent", project)] {
            let path = house.at(name);
            fs::create_dir_all(&path).unwrap();
            fs::write(path.join(FILE), text).unwrap();
            fs::set_permissions(path.join(FILE), fs::Permissions::from_mode(0o600)).unwrap();
        }
        fs::set_permissions(house.at("user"), fs::Permissions::from_mode(0o700)).unwrap();
        house
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn permissions(&self) -> Permissions {
        Permissions::new(self.at("user").join(FILE), Folder::at(&self.at("project")).unwrap())
    }

    fn load_with(&self, faulty: Faulty) -> Result<Rules> {
        let (user, project, permissions) = (self.at("user"), self.at("project"), self.permissions());
        load(&Layers { user_folder: &user, project: &project, permissions: &permissions, faulty })
    }

    fn load(&self) -> Rules {
        self.load_with(Faulty::Refuse).unwrap()
    }

    fn wrong(&self) -> String {
        self.load_with(Faulty::Refuse).unwrap_err().to_string()
    }
}

fn allow(house: &House, words: &[&str]) -> String {
    let Folder { path, device, inode, born } = Folder::at(&house.at("project")).unwrap();
    let born = born.map_or(String::new(), |born| format!("born = {born}\n"));
    format!(
        "[[rule]]\nverdict = \"allow\"\nwords = {words:?}\nproject = {path:?}\ndevice = {device}\ninode = {inode}\n\
         {born}program = \"/usr/bin/x\"\nsince = \"2026-11-21\"\n"
    )
}

fn write(house: &House, text: &str) {
    fs::write(house.at("user").join(FILE), text).unwrap();
}

#[test]
fn the_built_in_rules_hold_their_own_examples() {
    let written = parse(BUILT_IN).unwrap();
    assert!(written.rules.iter().all(|rule| {
        let rule = rule.get_ref();
        rule.verdict != WrittenVerdict::Allow && !rule.matches.is_empty() && !rule.not_match.is_empty()
    }));
    let rules = House::new("", "").load();
    assert_eq!(rules.tightened.len(), written.rules.len());
    assert_eq!((rules.kept, rules.notices), (Kept::default(), vec![]));
}

#[test]
fn the_example_in_the_words_of_the_built_in_file_is_a_rule() {
    let from = BUILT_IN.lines().skip_while(|line| *line != "#     [[rule]]");
    let example: Vec<&str> = from.map_while(|line| line.strip_prefix("#     ")).collect();
    let example = example.join("\n");
    let rule = parse(&example).unwrap().rules[0].get_ref().standing();
    assert!(rule.is_about("cargo test --workspace") && StandingRule::may_allow(&rule.words));
}

#[test]
fn what_was_kept_is_read_back() {
    let house = House::new("", "");
    let kept = Kept {
        rules: vec![StandingRule {
            verdict: RuleVerdict::Allow,
            words: vec!["cargo".into(), "test".into()],
            program: Some("/usr/bin/cargo".into()),
            since: Some("2026-11-21".into()),
            example: Some("cargo test -q".into()),
        }],
        reaches: vec![StandingReach {
            words: vec!["cargo".into(), "fetch".into()],
            program: Some("/usr/bin/cargo".into()),
            hosts: vec!["packages.example".parse().unwrap()],
            since: Some("2026-11-23".into()),
            example: Some("cargo fetch".into()),
        }],
        read_only: true,
    };
    house.permissions().save(&kept).unwrap();
    assert_eq!(house.load().kept, kept);
    house.permissions().save(&Kept::default()).unwrap();
    assert_eq!(house.load().kept, Kept::default());
}

#[test]
fn what_is_written_of_hosts_must_be_names_for_words_that_run_nothing_else() {
    let reach = |words: &str, program: &str, host: &str| {
        format!(
            "[[reach]]\nwords = [{words}]\nhosts = [\"{host}\"]\nproject = \"/p\"\ndevice = 1\ninode = 2\n{program}"
        )
    };
    let npm = "program = \"/usr/bin/npm\"\n";
    assert_eq!(parse(&reach("\"npm\", \"install\"", npm, ".packages.example")).unwrap().reaches.len(), 1);
    assert_eq!(parse(&reach("", "", "packages.example")).unwrap().reaches.len(), 1);
    for (words, program, host, told) in [
        ("\"npm\", \"install\"", "", "a.example", "names the program too"),
        ("", npm, "a.example", "names the program too"),
        ("\"curl\"", "program = \"/usr/bin/curl\"\n", "a.example", "no rule can let `curl` reach a.example"),
        ("", "", "192.0.2.1", "give names of hosts"),
        ("", "", "*", "expected a host like"),
        ("", "", "a.example:443", "give names of hosts"),
    ] {
        let error = parse(&reach(words, program, host)).unwrap_err();
        assert!(error.contains(told), "{words} {host}: {error}");
    }
}

#[test]
fn a_project_lets_no_command_reach_anything() {
    let house = House::new("", "");
    let loose = "[[reach]]\nwords = []\nhosts = [\"evil.example\"]\nproject = \"/p\"\ndevice = 1\ninode = 2\n";
    fs::write(house.at("project/.agent").join(FILE), loose).unwrap();
    let rules = house.load();
    assert_eq!(rules.kept, Kept::default());
    assert!(rules.notices.iter().any(|said| said.contains("commands to reach hosts")), "{:?}", rules.notices);
}

#[test]
fn anybody_may_tighten_and_a_project_may_not_allow() {
    let deny = |word: &str| format!("[[rule]]\nverdict = \"deny\"\nwords = [\"{word}\"]\n");
    let house = House::new(&deny("mine"), "");
    let loose = format!("read_only = \"always\"\n{}{}", deny("theirs"), allow(&house, &["make"]));
    fs::write(house.at("project/.agent").join(FILE), loose).unwrap();
    let rules = house.load();
    for word in ["mine", "theirs"] {
        assert!(rules.tightened.iter().any(|rule| rule.words == [word]), "{word}");
    }
    assert_eq!(rules.kept, Kept::default());
    assert_eq!(
        rules.notices,
        ["this project's .agent/policy.toml allows `make`, commands that only read; a project can only make things \
          safer, so that was not taken"]
    );
}

#[test]
fn a_file_that_others_can_write_tightens_and_allows_nothing() {
    let house = House::new("", "");
    let deny = "[[rule]]\nverdict = \"deny\"\nwords = [\"mine\"]\n";
    write(&house, &format!("read_only = \"always\"\n{deny}{}", allow(&house, &["make"])));
    assert_eq!(house.load().kept.rules.len(), 1);
    fs::set_permissions(house.at("user").join(FILE), fs::Permissions::from_mode(0o620)).unwrap();
    let rules = house.load();
    assert_eq!(rules.kept, Kept::default());
    assert!(rules.tightened.iter().any(|rule| rule.words == ["mine"]));
    assert!(rules.notices[0].starts_with("others can write to ") && rules.notices[0].contains("chmod 600"));
}

#[test]
fn no_rule_allows_what_can_run_anything() {
    let house = House::new("", "");
    write(&house, &format!("{}{}", allow(&house, &["bash"]), allow(&house, &["make"])));
    let rules = house.load();
    assert_eq!(rules.kept.rules.iter().map(|rule| rule.words.join(" ")).collect::<Vec<_>>(), ["make"]);
    assert_eq!(rules.notices, ["no rule can allow `bash`, which can run anything; that was not taken"]);
}

#[test]
fn rules_of_a_folder_that_is_gone_do_not_hold_and_it_is_said() {
    let house = House::new("", "");
    write(&house, &allow(&house, &["make"]));
    fs::rename(house.at("project"), house.at("moved")).unwrap();
    fs::create_dir(house.at("project")).unwrap();
    let rules = house.load();
    assert_eq!(rules.kept, Kept::default());
    assert!(rules.notices[0].contains("another folder that had this one's name"), "{:?}", rules.notices);
}

#[test]
fn a_wrong_file_names_itself_its_line_and_the_nearest_word() {
    let rows = [
        (
            "# mine\n[[rule]]\nword = [\"a\"]\nverdict = \"ask\"\n",
            "policy.toml:3:1: unknown field `word`",
            "mean `words`?",
        ),
        ("[[rule]]\nwords = [\"a\"]\nverdict = \"aks\"\n", "policy.toml:3:11: unknown variant `aks`", "mean `ask`?"),
        ("\nread_only = \"alway\"\n", "policy.toml:2:13: unknown variant `alway`", "mean `always`?"),
        ("[[rule]]\nwords = []\nverdict = \"ask\"\n", "policy.toml:1: words: names at least", "no empty word"),
        (
            "\n[[rule]]\nwords = [\"a\"]\nverdict = \"allow\"\n",
            "policy.toml:2: verdict: a rule that allows names",
            "for you",
        ),
        (
            "[[rule]]\nwords = [\"a\"]\nverdict = \"ask\"\nproject = \"/x\"\n",
            "policy.toml:1: project: only a rule that allows",
            "and program",
        ),
        (
            "[[rule]]\nwords = [\"git\", \"push\"]\nverdict = \"ask\"\nmatch = [\"git push\", \"git pull\"]\n",
            "policy.toml:1: match: the rule for `git push` is not about",
            "`git pull`",
        ),
        (
            "# a\n\n[[rule]]\nwords = [\"git\"]\nverdict = \"deny\"\nnot_match = [\"ls; git pull\"]\n",
            "policy.toml:3: not_match: the rule for `git` is about",
            "`ls; git pull`",
        ),
    ];
    for (text, begins, ends) in rows {
        let project = House::new("", text).load().held_back.expect("a project's file holds the session back");
        for wrong in [House::new(text, "").wrong(), project] {
            assert!(wrong.contains(begins) && wrong.ends_with(ends), "{text:?}: {wrong}");
        }
    }
}

#[test]
fn who_says_what_is_wrong_goes_on_with_the_built_in_rules() {
    let rules = House::new("[[rule]\n", "").load_with(Faulty::Say).unwrap();
    assert!(asks_always(&rules) && rules.tightened.len() > 1, "the built-in rules hold");
    assert!(rules.notices[0].ends_with("nothing else starts before that is mended"), "{:?}", rules.notices);
}

fn asks_always(rules: &Rules) -> bool {
    rules.tightened.iter().any(|rule| rule.verdict == RuleVerdict::Ask && rule.words.is_empty())
}

#[test]
fn one_bad_rule_of_a_project_takes_none_that_refuses_with_it() {
    let deny = "[[rule]]\nverdict = \"deny\"\nwords = [\"theirs\"]\n";
    let bad = [
        "[[rule]]\nverdict = \"dney\"\nwords = [\"other\"]\n",
        "[[rule]]\nverdict = \"ask\"\nwords = []\n",
        "[[rule]]\nverdict = \"ask\"\nwords = [\"git\"]\nmatch = [\"ls\"]\n",
        "[[rule]]\nverdict = \"ask\"\nwrods = [\"git\"]\n",
    ];
    for bad in bad {
        for text in [format!("{deny}{bad}"), format!("{bad}{deny}"), format!("read_onyl = \"ask\"\n{deny}")] {
            let rules = House::new("", &text).load();
            assert!(rules.tightened.iter().any(|rule| rule.verdict == RuleVerdict::Deny && rule.words == ["theirs"]));
            assert!(asks_always(&rules) && rules.held_back.is_some(), "what is not known may refuse as well: {text}");
            assert_eq!(rules.notices.len(), 1);
            assert!(rules.notices[0].ends_with("are off; every command asks"), "{:?}", rules.notices);
        }
    }
    let nothing_left = House::new("", "[[rule]\n").load();
    assert!(asks_always(&nothing_left) && nothing_left.held_back.is_some());
}

#[test]
fn nothing_that_a_broken_file_of_a_project_allows_is_taken() {
    let house = House::new("", "");
    let text = format!("bad = 1\n{}", allow(&house, &["make"]));
    fs::write(house.at("project/.agent").join(FILE), text).unwrap();
    let rules = house.load();
    assert_eq!(rules.kept, Kept::default());
    assert!(rules.tightened.iter().all(|rule| rule.verdict != RuleVerdict::Allow));
}
