//! One line a command: what becomes of it, and what a lasting yes would mean.

use super::*;
use crate::{RuleVerdict, StandingRule};
use agent_protocol::{Lasts, Profile, SandboxKind};

pub(super) fn setup(mode: Mode) -> Setup {
    let own = vec![PathBuf::from("/home/ann/.config/agent")];
    Setup { own, home: Some("/home/ann".into()), trusted: true, ..Setup::new(ROOT.into(), mode) }
}

pub(super) fn rule(verdict: RuleVerdict, words: &[&str]) -> StandingRule {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let folder = if words[0].contains('/') { ROOT } else { "/usr/bin" };
    let program = Some(Path::new(folder).join(words[0].trim_start_matches("./")));
    StandingRule { verdict, words, program, since: None, example: None }
}

fn becomes(setup: Setup, command: &str) -> String {
    let verdict = verdict(&Policy::new(setup), run(command, ROOT));
    verdict.split(':').next().unwrap().to_owned()
}

#[test]
fn commands_in_both_modes() {
    let rows = [
        ("ls", "ask", "allow"),
        ("cargo test", "ask", "allow"),
        ("rm -rf target", "ask", "allow"),
        ("curl http://example.com", "ask", "allow"),
        ("sudo ls", "ask", "ask"),
        ("echo x >> ~/.bashrc", "ask", "ask"),
        ("cp x .git/hooks/pre-push", "ask", "ask"),
        ("cp x ../y", "ask", "ask"),
        ("git push", "ask", "ask"),
        ("git config core.pager x", "ask", "ask"),
        ("rm -rf ~", "deny", "deny"),
        ("rm -rf .git", "deny", "deny"),
        ("sudo rm -rf /", "deny", "deny"),
        ("echo x > ~/.config/agent/config.toml", "deny", "deny"),
        ("ls\rrm a.txt", "deny", "deny"),
        ("ls \u{202e}", "deny", "deny"),
        ("", "deny", "deny"),
    ];
    for (command, safe, unsafe_) in rows {
        assert_eq!(becomes(setup(Mode::Safe), command), safe, "{command} in safe mode");
        assert_eq!(becomes(setup(Mode::Unsafe), command), unsafe_, "{command} in unsafe mode");
    }
}

#[test]
fn a_rule_that_tightens_holds_in_every_mode_and_behind_other_programs() {
    let tightened = vec![rule(RuleVerdict::Ask, &["terraform", "apply"]), rule(RuleVerdict::Deny, &["passwd"])];
    let with = |mode| Setup { tightened: tightened.clone(), ..setup(mode) };
    for command in
        ["terraform apply", "cd x; terraform apply -y", "sh -c 'terraform apply'", "/usr/bin/terraform apply"]
    {
        assert_eq!(becomes(with(Mode::Unsafe), command), "ask", "{command}");
        let held = ask(&Policy::new(with(Mode::Unsafe)), run(command, ROOT));
        assert!(held.warnings().contains(&"a rule asks about commands that begin with `terraform apply`".into()));
        assert!(held.offers().is_empty(), "{command}");
    }
    for command in ["passwd", "sudo passwd", "ls && /usr/bin/passwd ann"] {
        assert_eq!(becomes(with(Mode::Unsafe), command), "deny", "{command}");
    }
    assert_eq!(becomes(with(Mode::Unsafe), "terraform plan"), "allow");
}

#[test]
fn a_rule_allows_its_words_and_nothing_besides() {
    let kept = Kept { rules: vec![rule(RuleVerdict::Allow, &["cargo", "test"])], read_only: false, ..Kept::default() };
    let with = || Setup { kept: kept.clone(), ..setup(Mode::Safe) };
    let beside = ["cargo test 2>&1 | tail -5", "cargo test; ls src", "cd /home/ann/project && cargo test | grep -c ok"];
    for command in ["cargo test", "cargo test --workspace", "cargo test && cargo test --doc"].iter().chain(&beside) {
        assert_eq!(becomes(with(), command), "allow", "{command}");
    }
    let others = [
        "cargo build",
        "cargo",
        "cargo test > log",
        "cargo test $X",
        "cargo test `x`",
        "sudo cargo test",
        "env cargo test",
        "A=b cargo test",
        "./cargo test",
        "/tmp/cargo test",
        "cargo test &",
        "cargo test ../../.bashrc/../.git/config",
        "cargo test; make",
        "ls",
        "cd sub && cargo test",
        "cargo test; cat ../notes.txt",
        "cargo test; cat .env",
    ];
    for command in others {
        assert_eq!(becomes(with(), command), "ask", "{command}");
    }
    let outside = verdict(&Policy::new(with()), run("cargo test", "/tmp"));
    assert_eq!(outside, "ask: it asks in every mode");
}

#[test]
fn what_cannot_be_read_is_allowed_by_no_rule() {
    let kept = Kept { rules: vec![rule(RuleVerdict::Allow, &["cargo", "test"])], read_only: true, ..Kept::default() };
    for command in
        ["ls & ./x.sh", "{ ls; ./x.sh; }", "cargo test & cargo test", "if true; then cargo test; fi", "ls > x"]
    {
        assert_eq!(becomes(Setup { kept: kept.clone(), ..setup(Mode::Safe) }, command), "ask", "{command}");
    }
}

#[test]
fn a_rule_does_not_hold_for_another_program_of_the_same_name() {
    let other =
        StandingRule { program: Some("/home/ann/bin/cargo".into()), ..rule(RuleVerdict::Allow, &["cargo", "test"]) };
    let nowhere = StandingRule { program: None, ..other.clone() };
    for rule in [other, nowhere] {
        let kept = Kept { rules: vec![rule], read_only: false, ..Kept::default() };
        assert_eq!(becomes(Setup { kept, ..setup(Mode::Safe) }, "cargo test"), "ask");
    }
}

#[test]
fn a_rule_never_widens_the_sandbox() {
    let kept = Kept { rules: vec![rule(RuleVerdict::Allow, &["cargo", "test"])], read_only: true, ..Kept::default() };
    for profile in [Profile::Network, Profile::Unfenced] {
        for mode in [Mode::Safe, Mode::Unsafe] {
            let policy = Policy::new(Setup { kept: kept.clone(), ..setup(mode) });
            let Action::Run { command, cwd, timeout_secs, .. } = run("cargo test", ROOT) else { unreachable!() };
            let held = ask(
                &policy,
                Action::Run { command, argv: Vec::new(), cwd, timeout_secs, profile, background: false, input: None },
            );
            let words = |rule: &Rule| matches!(rule, Rule::Words { .. } | Rule::Command { .. });
            assert!(!held.offers().iter().any(|offer| words(&offer.rule)), "{profile:?} in {mode:?}");
        }
    }
}

#[test]
fn what_was_said_of_a_line_is_not_said_of_what_it_is_given_to_read() {
    let fed = |text: &str| {
        let Action::Run { command, argv, cwd, timeout_secs, profile, background, .. } = run("make all", ROOT) else {
            unreachable!()
        };
        Action::Run { command, argv, cwd, timeout_secs, profile, background, input: Some(text.into()) }
    };
    let kept = Kept { rules: vec![rule(RuleVerdict::Allow, &["make"])], read_only: false, ..Kept::default() };
    let mut policy = Policy::new(setup(Mode::Safe));
    let held = ask(&policy, run("make all", ROOT));
    let exact = Rule::Command { command: "make all".into(), cwd: ROOT.into() };
    policy.answer(held, Some(exact)).unwrap();
    assert_eq!(verdict(&policy, run("make all", ROOT)), "allow");
    assert!(ask(&policy, fed("{}")).offers().is_empty());
    assert!(verdict(&Policy::new(Setup { kept, ..setup(Mode::Safe) }), fed("{}")).starts_with("ask"));
    assert_eq!(verdict(&Policy::new(setup(Mode::Unsafe)), fed("{}")), "allow");
}

#[test]
fn what_is_proved_to_only_read_runs_so_once_the_person_chose_it() {
    let mut policy = Policy::new(setup(Mode::Safe));
    let held = ask(&policy, run("l\"s\"   src", ROOT));
    let rule = Rule::ReadOnly { lasts: Lasts::Session };
    assert!(held.offers().iter().any(|offer| offer.rule == rule));
    policy.answer(held, Some(rule.clone())).unwrap();
    let action = run("wc -l a.rs", ROOT);
    let facts = facts(&action);
    let Verdict::Allow(permit) = policy.judge(action, &facts) else { panic!("it only reads") };
    assert_eq!(permit.sandbox().profile(), Profile::ReadOnly);
    assert!(permit.line().is_some(), "what was judged is what runs");
    assert!(verdict(&policy, run("make", ROOT)).starts_with("ask"));
    policy.revoke(&rule);
    assert!(verdict(&policy, run("wc -l a.rs", ROOT)).starts_with("ask"));
}

#[test]
fn taking_the_session_s_leave_back_leaves_what_is_for_good() {
    let kept = Kept { rules: Vec::new(), read_only: true, ..Kept::default() };
    let mut policy = Policy::new(Setup { kept: kept.clone(), ..setup(Mode::Safe) });
    policy.revoke(&Rule::ReadOnly { lasts: Lasts::Session });
    assert_eq!(policy.kept(), kept);
    policy.revoke(&Rule::ReadOnly { lasts: Lasts::Always });
    assert_eq!(policy.kept(), Kept::default());
}

#[test]
fn offers_name_each_part_and_none_is_made_for_what_runs_anything() {
    let offered = |command: &str| {
        let held = ask(&Policy::new(setup(Mode::Safe)), run(command, ROOT));
        let words = held.offers().iter().filter_map(|offer| match &offer.rule {
            Rule::Words { words } => Some(words.join(" ")),
            _ => None,
        });
        words.collect::<Vec<_>>()
    };
    assert_eq!(offered("cargo test --workspace"), ["cargo test"]);
    assert_eq!(offered("cargo test -q && make lint; ls"), ["cargo test", "make lint"]);
    for command in
        ["bash x.sh", "python3 x.py", "env make", "xargs make", "git -c a=b commit", "make > log", "make $X", "./x.sh"]
    {
        assert_eq!(offered(command), Vec::<String>::new(), "{command}");
    }
}

#[test]
fn an_offer_can_be_narrowed_but_not_widened() {
    let words = |words: &[&str]| Rule::Words { words: words.iter().map(|word| (*word).to_owned()).collect() };
    let answer = |rule: Rule| {
        let mut policy = Policy::new(setup(Mode::Safe));
        let held = ask(&policy, run("cargo test --workspace -q", ROOT));
        policy.answer(held, Some(rule)).map(|_| policy.kept().rules)
    };
    let kept = answer(words(&["cargo", "test", "--workspace"])).unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].program.as_deref(), Some(Path::new("/usr/bin/cargo")));
    assert_eq!(kept[0].example.as_deref(), Some("cargo test --workspace -q"));
    for wider in [words(&["cargo"]), words(&[]), words(&["cargo", "build"]), words(&["cargo", "test", "--doc"])] {
        assert_eq!(answer(wider.clone()), Err(Refused), "{wider:?}");
    }
}

#[test]
fn nothing_allowed_beforehand_counts_once_protected_files_were_changed() {
    let kept = Kept { rules: vec![rule(RuleVerdict::Allow, &["cargo", "test"])], read_only: true, ..Kept::default() };
    let mut policy = Policy::new(Setup { kept: kept.clone(), ..setup(Mode::Safe) });
    policy.suspend();
    for command in ["ls", "cargo test"] {
        assert!(verdict(&policy, run(command, ROOT)).starts_with("ask"), "{command}");
    }
    assert_eq!(policy.kept(), kept, "the file of rules stays as it is");
}

#[test]
fn without_a_sandbox_commands_ask_in_every_mode() {
    let without = |mode| Setup { sandbox: SandboxKind::None, ..setup(mode) };
    assert_eq!(becomes(without(Mode::Unsafe), "make"), "ask");
    let required = Setup { require_sandbox: true, ..without(Mode::Unsafe) };
    assert_eq!(becomes(required, "ls"), "deny");
}

#[test]
fn a_permit_asks_for_no_more_sandbox_than_there_is() {
    let kept = crate::Kept { read_only: true, ..crate::Kept::default() };
    let rows = [
        (SandboxKind::Kernel, "pwd", Profile::ReadOnly),
        (SandboxKind::None, "pwd", Profile::Project),
        (SandboxKind::Off, "pwd", Profile::Unfenced),
        (SandboxKind::Kernel, "make", Profile::Project),
        (SandboxKind::Off, "make", Profile::Unfenced),
    ];
    for (sandbox, command, profile) in rows {
        let policy = Policy::new(Setup { sandbox, kept: kept.clone(), ..setup(Mode::Unsafe) });
        let action = run(command, ROOT);
        let facts = facts(&action);
        let Verdict::Allow(permit) = policy.judge(action, &facts) else { panic!("{command} runs unasked") };
        assert_eq!(permit.sandbox().profile(), profile, "{command}, {sandbox:?}");
    }
}

#[test]
fn a_rule_for_words_reaches_no_secret_and_no_place_outside() {
    let kept = Kept { rules: vec![rule(RuleVerdict::Allow, &["pytool"])], read_only: false, ..Kept::default() };
    let with = || Setup { kept: kept.clone(), ..setup(Mode::Safe) };
    for command in ["pytool", "pytool src/a.rs build/x", "pytool /home/ann/project/a", "pytool /dev/null"] {
        assert_eq!(becomes(with(), command), "allow", "{command}");
    }
    for command in
        ["pytool /etc/passwd", "pytool ../x", "pytool --in=/home/ann/.ssh/id_rsa", "pytool -C/tmp", "pytool .env"]
    {
        assert_eq!(becomes(with(), command), "ask", "{command}");
    }
}

#[test]
fn readers_get_no_rule_of_words_for_what_they_name_is_what_is_asked_about() {
    let held = ask(&Policy::new(setup(Mode::Safe)), run("cat .env", ROOT));
    assert!(!held.offers().iter().any(|offer| matches!(offer.rule, Rule::Words { .. })), "{:?}", held.offers());
}

#[test]
fn a_rule_that_asks_asks_about_readers_too() {
    let tightened = vec![rule(RuleVerdict::Ask, &["cat"])];
    let kept = Kept { rules: Vec::new(), read_only: true, ..Kept::default() };
    for mode in [Mode::Safe, Mode::Unsafe] {
        let with = Setup { tightened: tightened.clone(), kept: kept.clone(), ..setup(mode) };
        assert_eq!(becomes(with, "ls && cat a.rs"), "ask");
    }
    let unreadable = vec![rule_about_everything()];
    assert_eq!(becomes(Setup { tightened: unreadable, ..setup(Mode::Unsafe) }, "make"), "ask");
}

fn rule_about_everything() -> StandingRule {
    StandingRule { verdict: RuleVerdict::Ask, words: Vec::new(), program: None, since: None, example: None }
}

#[test]
fn an_alarm_ends_what_the_mode_allowed_too() {
    let mut policy = Policy::new(setup(Mode::Unsafe));
    assert_eq!(verdict(&policy, run("make", ROOT)), "allow");
    policy.suspend();
    assert!(verdict(&policy, run("make", ROOT)).starts_with("ask"));
}

#[test]
fn where_a_sandbox_is_required_none_runs_without_one() {
    let policy = Policy::new(Setup { require_sandbox: true, ..setup(Mode::Unsafe) });
    let Action::Run { command, cwd, timeout_secs, .. } = run("make", ROOT) else { unreachable!() };
    let action = Action::Run {
        command,
        argv: Vec::new(),
        cwd,
        timeout_secs,
        profile: Profile::Unfenced,
        background: false,
        input: None,
    };
    assert!(verdict(&policy, action).starts_with("deny"));
}

#[test]
fn a_question_about_git_names_what_the_folder_would_have_it_run() {
    let policy = Policy::new(Setup { trusted: false, ..setup(Mode::Safe) });
    let action = run("git status", ROOT);
    let mut facts = facts(&action);
    let findings = vec!["core.fsmonitor".to_owned()];
    facts.set_git(ROOT.into(), GitFacts { tree: Some(ROOT.into()), findings, ..GitFacts::default() });
    let Verdict::Ask(held) = policy.judge(action, &facts) else { panic!("it asks") };
    assert_eq!(held.warnings(), ["git obeys what this folder names: core.fsmonitor"]);
    assert!(!held.offers().iter().any(|offer| matches!(offer.rule, Rule::Words { .. })));
}

fn in_background(command: &str) -> Action {
    match run(command, ROOT) {
        Action::Run { command, argv, cwd, profile, input, .. } => {
            Action::Run { command, argv, cwd, timeout_secs: 0, profile, background: true, input }
        }
        other => other,
    }
}

#[test]
fn what_goes_on_in_the_background_is_never_let_through_as_a_mere_look() {
    let verdict_of = |setup: Setup, command: &str| {
        let verdict = verdict(&Policy::new(setup), in_background(command));
        verdict.split(':').next().unwrap().to_owned()
    };
    let reader = |mode| {
        let mut setup = setup(mode);
        setup.kept.read_only = true;
        setup
    };
    for command in ["ls", "tail -f a.txt", "npm run dev"] {
        assert_eq!(verdict_of(reader(Mode::Safe), command), "ask", "{command}");
        assert_eq!(verdict_of(reader(Mode::Plan), command), "deny", "{command}");
        assert_eq!(verdict_of(reader(Mode::Unsafe), command), "allow", "{command}");
    }
    assert_eq!(verdict_of(reader(Mode::Unsafe), "rm -rf ~"), "deny");
}

#[test]
fn a_yes_to_a_run_that_ends_is_none_to_one_in_the_background() {
    let mut with = setup(Mode::Safe);
    with.kept.rules.push(rule(RuleVerdict::Allow, &["npm", "run"]));
    let mut policy = Policy::new(with);
    let held = ask(&policy, run("make serve", ROOT));
    let exact = held.offers()[0].rule.clone();
    policy.answer(held, Some(exact)).expect("an offered rule is taken");
    for command in ["npm run dev", "make serve"] {
        assert_eq!(verdict(&policy, run(command, ROOT)), "allow", "{command}");
        let held = ask(&policy, in_background(command));
        assert_eq!(held.offers(), [], "a yes to this would be one to the run that ends, too");
    }
    let mut with = setup(Mode::Unsafe);
    with.kept.rules.push(rule(RuleVerdict::Allow, &["npm", "run"]));
    assert_eq!(verdict(&Policy::new(with), in_background("npm run dev")), "allow", "the mode lets it happen");
}
