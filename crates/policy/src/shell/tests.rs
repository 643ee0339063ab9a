//! Lines that are run, reasons in words, and what changes with the place: one line a case. Which commands are proved
//! stands in `judge/tests/recorded.rs`.

mod agree;

use super::*;
use crate::{GitFacts, Led, PathKind, Secrets};

const ROOT: &str = "/home/ann/project";

fn site() -> Site<'static> {
    Site {
        root: Path::new(ROOT),
        cwd: Path::new(ROOT),
        trusted: true,
        home: Some(Path::new("/home/ann")),
        sandboxed: true,
    }
}

/// Everything leads where it says and is a file, but `src`; programs are where they usually are, but `rg`.
fn facts(command: &str, cwd: &Path) -> Facts {
    let mut facts = Facts::default();
    for query in queries(command, cwd) {
        match query {
            Query::Kind(path) | Query::Leads(path) => {
                let real = paths::lexical(&path).expect("no path of the cases leads above all");
                let kind = if real.ends_with("src") { PathKind::Folder } else { PathKind::File { names: 1 } };
                facts.set_led(path, Led { real, kind });
            }
            Query::Matches { folder, pattern } => facts.set_matches(folder, pattern, Vec::new()),
            Query::Secrets(folder) => facts.set_secrets(folder, Secrets::None),
            Query::Program(name) if name == "rg" => {}
            Query::Program(name) => facts.set_program(name.clone(), Path::new("/usr/bin").join(name)),
            Query::Git(folder) => {
                let keys = vec!["pager.log".into()];
                facts.set_git(folder, GitFacts { tree: Some(ROOT.into()), keys, ..GitFacts::default() });
            }
            Query::RunByGit => {}
        }
    }
    facts
}

fn proof(command: &str, site: &Site<'_>) -> Proof {
    read(command, site, &facts(command, site.cwd)).proof
}

fn line(command: &str) -> String {
    match proof(command, &site()) {
        Proof::ReadsOnly { line, .. } => line,
        Proof::No(why) => format!("no: {why}"),
        Proof::Incomplete(why) => format!("incomplete: {why}"),
    }
}

#[test]
fn the_line_that_is_run_is_written_anew() {
    let cases = [
        ("c\"\"at 'a b' it\\'s", "/usr/bin/cat 'a b' 'it'\\''s'"),
        ("ls;pwd\nls -la # all", "/usr/bin/ls; /usr/bin/pwd; /usr/bin/ls -la"),
        ("cat a|head -5&&ls||true", "/usr/bin/cat a | /usr/bin/head -5 && /usr/bin/ls || /usr/bin/true"),
        ("cd src && ls", "cd src && /usr/bin/ls"),
        ("/bin/wc -l <a 2>&1 >/dev/null", "/bin/wc -l < a 2>&1 >/dev/null"),
        ("wc *.txt src/*.rs '*'?", "/usr/bin/wc ./*.txt src/*.rs '*'?"),
        ("find . -name *.rs", "/usr/bin/find . -name '*.rs'"),
        ("echo *", "/usr/bin/echo *"),
        ("[ -f a ]", "'/usr/bin/[' -f a ']'"),
        ("rg x", "rg --no-config --glob='!.*' x"),
        ("git log -3", "/usr/bin/git --no-pager log --no-ext-diff --no-textconv -3"),
        ("git --no-pager stash show -p", "/usr/bin/git --no-pager stash show --no-ext-diff -p"),
        ("git blame a", "/usr/bin/git --no-pager blame --no-textconv a"),
        ("git status", "/usr/bin/git --no-pager status"),
        ("echo ''", "/usr/bin/echo ''"),
    ];
    for (command, expected) in cases {
        assert_eq!(line(command), expected, "{command}");
    }
}

/// `[ab]` matches `a` and `b`, and without those two it is a name like any other.
#[test]
fn a_pattern_that_may_stand_for_itself_is_judged_by_where_its_own_name_leads() {
    for name in ["[ab]", "?[ab]", "src/[ab]", "src/*"] {
        let command = format!("cat {name}");
        let path = Path::new(ROOT).join(name);
        let mut facts = facts(&command, Path::new(ROOT));
        assert!(matches!(read(&command, &site(), &facts).proof, Proof::ReadsOnly { .. }), "{name}");
        facts.set_led(path, Led { real: "/etc/shadow".into(), kind: PathKind::File { names: 1 } });
        let why = format!("`{name}` is outside the project");
        assert_eq!(read(&command, &site(), &facts).proof, Proof::No(why));
    }
}

#[test]
fn every_reason_is_in_words() {
    let cases = [
        ("sort -o a b", "`-o` writes a file"),
        ("ls; rm a", "`rm` writes"),
        ("cat ../x", "`../x` is outside the project"),
        ("ls && cat ../x", "`cat`: `../x` is outside the project"),
        ("cd .. && ls", "`cd ..` leaves the project"),
        ("cat .env", "the name of `.env` says that it holds secrets"),
        ("echo $HOME", "`$` is filled in only when it runs"),
        ("ls > a", "`>` writes to `a`"),
        ("./x.sh", "`./x.sh` is run as a file of its own"),
        ("blarg", "`blarg` is not among the programs that are known to only read"),
        ("grep --inclu=x y z", "`--inclu` is not among its flags that are known to only read"),
        ("git push", "`git push` is not among its subcommands that are known to only read"),
        ("sed -n 'w x' a", "the `sed` script `w x` writes a file"),
    ];
    for (command, expected) in cases {
        assert_eq!(proof(command, &site()), Proof::No(expected.into()), "{command}");
    }
}

#[test]
fn each_part_has_its_own_reason() {
    let read = read("ls; rm a | cat; cd .. && ls", &site(), &facts("ls; rm a | cat; cd .. && ls", Path::new(ROOT)));
    let parts: Vec<(String, Option<&str>)> =
        read.parts.iter().map(|part| (part.words.join(" "), part.why_not.as_deref())).collect();
    let expected = [
        ("ls", None),
        ("rm a", Some("`rm` writes")),
        ("cat", None),
        ("cd ..", Some("`cd ..` leaves the project")),
        ("ls", Some("it runs after a `cd` that is not proved")),
    ];
    assert_eq!(parts, expected.map(|(words, why)| (words.to_owned(), why)));
}

#[test]
fn without_a_sandbox_only_the_simplest_are_proved() {
    let open = Site { sandboxed: false, ..site() };
    for command in ["ls", "cat a", "head -3 a | wc -l", "pwd; echo hi", "stat a", "file a", "tail a"] {
        assert!(matches!(proof(command, &open), Proof::ReadsOnly { .. }), "{command}");
    }
    for command in ["grep x a", "git status", "sort a", "ls | sort", "cd src && ls", "find ."] {
        assert!(matches!(proof(command, &open), Proof::No(_)), "{command}");
    }
}

#[test]
fn git_is_proved_only_where_it_is_trusted_and_obeys_nothing() {
    let proves = |site: &Site<'_>, git: GitFacts| {
        let mut facts = facts("git status", site.cwd);
        facts.set_git(site.cwd.into(), git);
        matches!(read("git status", site, &facts).proof, Proof::ReadsOnly { .. })
    };
    let clean = GitFacts { tree: Some(ROOT.into()), ..GitFacts::default() };
    assert!(proves(&site(), clean.clone()));
    assert!(!proves(&Site { trusted: false, ..site() }, clean.clone()));
    assert!(!proves(&site(), GitFacts { tree: None, ..clean.clone() }));
    assert!(!proves(&site(), GitFacts { tree: Some("/home/ann".into()), ..clean.clone() }));
    assert!(!proves(&site(), GitFacts { tree: Some("/home/ann/project/src".into()), ..clean.clone() }));
    assert!(!proves(&site(), GitFacts { findings: vec!["core.fsmonitor".into()], ..clean }));
}

#[test]
fn git_runs_with_what_its_config_names_switched_off() {
    let Proof::ReadsOnly { env, .. } = proof("git log && ls", &site()) else { panic!("it only reads") };
    let value = |name: &str| env.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    assert_eq!(value("GIT_OPTIONAL_LOCKS"), Some("0"));
    let key = env.iter().find(|(_, value)| value == "pager.log").map(|(name, _)| name.replace("KEY", "VALUE"));
    assert_eq!(value(&key.expect("the key is named")), Some("false"));
    assert!(matches!(proof("ls", &site()), Proof::ReadsOnly { env, .. } if env.is_empty()));
}

#[test]
fn what_was_not_asked_is_not_proved() {
    for command in ["cat a", "grep -r x src", "cat *.rs", "git status", "cd src"] {
        assert!(matches!(read(command, &site(), &Facts::default()).proof, Proof::No(_)), "{command}");
    }
}

#[test]
fn a_program_of_the_project_is_not_taken_for_the_systems() {
    let mut facts = facts("ls", Path::new(ROOT));
    facts.set_program("ls".into(), format!("{ROOT}/bin/ls").into());
    assert_eq!(read("ls", &site(), &facts).proof, Proof::No("`ls` is found inside the project".into()));
}

#[test]
fn outside_the_project_nothing_is_proved() {
    let outside = Site { cwd: Path::new("/tmp"), ..site() };
    assert_eq!(proof("ls", &outside), Proof::No("it starts outside the project".into()));
}
