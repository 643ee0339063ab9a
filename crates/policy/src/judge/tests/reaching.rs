//! Which command may reach which host: by its yes, by config and flags, by rules for good.

use super::commands::setup;
use super::*;
use crate::{Invocation, Network, ReachVerdict, StandingReach, Wish};
use agent_protocol::{HostPattern, Profile};

const HOST: &str = "packages.example";

fn host(name: &str, port: u16) -> Host {
    Host { name: name.into(), port }
}

fn pattern(text: &str) -> HostPattern {
    text.parse().unwrap()
}

fn by_host(mode: Mode) -> Setup {
    Setup { by_host: true, ..setup(mode) }
}

fn words(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

/// The line as it is read when it is judged; whoever asked about it said yes.
fn invoked(policy: &mut Policy, line: &str) -> Invocation {
    permitted(policy, line).invocation().cloned().expect("it is a command")
}

fn permitted(policy: &mut Policy, line: &str) -> Permit {
    let action = run(line, ROOT);
    match policy.judge(action.clone(), &facts(&action)) {
        Verdict::Allow(permit) => permit,
        Verdict::Ask(held) => policy.answer(held, None).unwrap(),
        Verdict::Deny(why) | Verdict::Impossible(why) => panic!("{line}: {why}"),
    }
}

fn wish(by: Invocation, host: Host) -> Wish {
    Wish { by, host, sees_secrets: false, background: false }
}

fn reaches(policy: &mut Policy, line: &str, to: Host) -> ReachVerdict {
    let by = invoked(policy, line);
    policy.judge_reach(wish(by, to))
}

fn said(verdict: &ReachVerdict) -> String {
    match verdict {
        ReachVerdict::Allow => "allow".into(),
        ReachVerdict::Ask(held) => format!("ask: {}", held.why()),
        ReachVerdict::Deny(why) => format!("deny: {why}"),
    }
}

fn rule(line: &str, hosts: &[&str]) -> StandingReach {
    let words = words(line);
    StandingReach {
        program: words.first().map(|name| Path::new("/usr/bin").join(name)),
        words,
        hosts: hosts.iter().map(|name| pattern(name)).collect(),
        since: None,
        example: None,
    }
}

fn keeping(rules: &[StandingReach]) -> Setup {
    Setup { kept: Kept { reaches: rules.to_vec(), ..Kept::default() }, ..by_host(Mode::Unsafe) }
}

fn offers(held: &crate::HeldReach) -> Vec<(String, Vec<HostPattern>)> {
    let each = held.offers().iter().map(|offer| match &offer.rule {
        Rule::Reach { words, hosts } => (words.join(" "), hosts.clone()),
        other => panic!("{other:?}"),
    });
    each.collect()
}

fn asked(policy: &mut Policy, line: &str, to: Host) -> crate::HeldReach {
    match reaches(policy, line, to) {
        ReachVerdict::Ask(held) => *held,
        other => panic!("{line}: {}", said(&other)),
    }
}

#[test]
fn a_host_that_nothing_allows_is_asked_about_and_a_yes_holds_for_that_run_alone() {
    for mode in [Mode::Safe, Mode::AcceptEdits, Mode::Unsafe] {
        let mut policy = Policy::new(by_host(mode));
        let held = asked(&mut policy, "make fetch", host(HOST, 443));
        assert_eq!(held.why(), "nothing allows this host yet", "{mode:?}");
        let mut by = held.wish().by.clone();
        by.let_reach(policy.answer_reach(held, None).unwrap());
        assert_eq!(said(&policy.judge_reach(wish(by.clone(), host(HOST, 443)))), "allow");
        for other in [host(HOST, 80), host("other.example", 443)] {
            assert!(said(&policy.judge_reach(wish(by.clone(), other))).starts_with("ask"));
        }
        assert!(said(&reaches(&mut policy, "make fetch", host(HOST, 443))).starts_with("ask"), "the next run asks");
    }
}

#[test]
fn config_and_flags_allow_hosts_by_name_at_the_usual_ports_or_at_the_one_that_is_named() {
    let hosts = [HOST, ".cdn.example", "odd.example:8443"].map(pattern).to_vec();
    let mut policy = Policy::new(Setup { hosts, ..by_host(Mode::Unsafe) });
    for (to, allowed) in [
        (host(HOST, 443), true),
        (host(HOST, 80), true),
        (host(HOST, 22), false),
        (host("a.packages.example", 443), false),
        (host("a.cdn.example", 443), true),
        (host("a.b.cdn.example", 443), true),
        (host("cdn.example", 443), false),
        (host("evilcdn.example", 443), false),
        (host("odd.example", 8443), true),
        (host("odd.example", 443), false),
    ] {
        let verdict = said(&reaches(&mut policy, "curl x", to.clone()));
        assert_eq!(verdict == "allow", allowed, "{to}: {verdict}");
    }
    let mut any = Policy::new(Setup { network: Network::Allow, ..by_host(Mode::Unsafe) });
    assert_eq!(said(&reaches(&mut any, "curl x", host(HOST, 443))), "allow");
    assert!(said(&reaches(&mut any, "curl x", host(HOST, 25))).starts_with("ask"), "an unusual port asks");
}

#[test]
fn where_it_is_denied_in_plan_mode_and_in_the_background_nobody_is_asked() {
    let mut denied = Policy::new(Setup { network: Network::Deny, hosts: vec![pattern(HOST)], ..by_host(Mode::Unsafe) });
    let verdict = said(&reaches(&mut denied, "npm install", host(HOST, 443)));
    assert!(verdict.starts_with("deny: network = \"deny\" is set under [sandbox]"), "{verdict}");
    assert!(permitted(&mut denied, "npm install").sandbox().hosts().is_empty());
    let mut policy = Policy::new(Setup { hosts: vec![pattern(HOST)], ..by_host(Mode::Unsafe) });
    let by = invoked(&mut policy, "npm run dev");
    policy.set_mode(Mode::Plan);
    assert!(said(&policy.judge_reach(wish(by.clone(), host(HOST, 443)))).starts_with("deny: this is plan mode"));
    policy.set_mode(Mode::Unsafe);
    let background = |to| Wish { background: true, ..wish(by.clone(), to) };
    assert_eq!(said(&policy.judge_reach(background(host(HOST, 443)))), "allow");
    let verdict = said(&policy.judge_reach(background(host("other.example", 443))));
    assert!(verdict.starts_with("deny: `npm run dev` runs in the background"), "{verdict}");
}

#[test]
fn a_lasting_yes_holds_for_commands_that_begin_so_in_every_part() {
    let kept = [rule("npm install", &[HOST]), rule("cargo fetch", &[HOST, ".cdn.example"])];
    let mut policy = Policy::new(keeping(&kept));
    for (line, allowed) in [
        ("npm install", true),
        ("npm install && cargo fetch", true),
        ("npm install 2>&1 | tail -3", true),
        ("npm test", false),
        ("npm install && make", false),
        ("sh -c 'npm install'", false),
        ("npm install --prefix=../other", false),
        ("curl https://packages.example", false),
    ] {
        let verdict = said(&reaches(&mut policy, line, host(HOST, 443)));
        assert_eq!(verdict == "allow", allowed, "{line}: {verdict}");
    }
    assert!(said(&reaches(&mut policy, "npm install", host("a.cdn.example", 443))).starts_with("ask"));
    assert_eq!(said(&reaches(&mut policy, "cargo fetch", host("a.cdn.example", 443))), "allow");
    assert!(said(&reaches(&mut policy, "npm install", host(HOST, 8443))).starts_with("ask"), "an unusual port asks");
    let other = StandingReach { program: Some("/opt/npm".into()), ..rule("npm install", &[HOST]) };
    let mut policy = Policy::new(keeping(&[other]));
    assert!(said(&reaches(&mut policy, "npm install", host(HOST, 443))).starts_with("ask"), "another program");
}

#[test]
fn a_rule_that_no_longer_covers_a_command_asks_and_says_why() {
    let mut policy = Policy::new(keeping(&[rule("cargo fetch", &[HOST])]));
    let verdict = said(&reaches(&mut policy, "cargo fetch --config=x", host(HOST, 443)));
    assert_eq!(verdict, "ask: your rule for `cargo fetch` does not cover `--config=x`");
}

#[test]
fn what_is_offered_names_the_words_and_the_hosts_and_comes_back_as_a_rule() {
    let mut policy = Policy::new(by_host(Mode::Unsafe));
    let held = asked(&mut policy, "npm install", host(HOST, 443));
    let names = vec![pattern(HOST)];
    assert_eq!(offers(&held), [("npm install".to_owned(), names.clone()), (String::new(), names.clone())]);
    let spelled: Vec<&str> = held.offers().iter().map(|offer| offer.words.as_str()).collect();
    assert_eq!(
        spelled,
        [
            "always let commands that begin with `npm install` in this project reach packages.example",
            "always let any command of this project reach packages.example"
        ]
    );
    let rule = Rule::Reach { words: words("npm install"), hosts: names.clone() };
    policy.answer_reach(held, Some(rule.clone())).unwrap();
    assert_eq!(policy.kept().reaches[0].example.as_deref(), Some("npm install"));
    assert_eq!(policy.grants()[0].rule, rule);
    assert_eq!(said(&reaches(&mut policy, "npm install", host(HOST, 443))), "allow");
    assert_eq!(permitted(&mut policy, "npm install").sandbox().hosts(), [host(HOST, 80), host(HOST, 443)]);
    policy.revoke(&rule);
    assert!(said(&reaches(&mut policy, "npm install", host(HOST, 443))).starts_with("ask"));
    let held = asked(&mut policy, "npm install", host(HOST, 443));
    let wider = Rule::Reach { words: Vec::new(), hosts: vec![pattern("other.example")] };
    assert!(policy.answer_reach(held, Some(wider)).is_err());
    let held = asked(&mut policy, "npm install", host(HOST, 443));
    policy.answer_reach(held, Some(Rule::Reach { words: Vec::new(), hosts: names })).unwrap();
    assert_eq!(said(&reaches(&mut policy, "curl x", host(HOST, 443))), "allow", "any command of this project");
}

#[test]
fn nothing_that_lasts_is_offered_where_it_would_cover_what_nobody_can_know() {
    let mut policy = Policy::new(by_host(Mode::Unsafe));
    for line in [
        "curl https://packages.example/a",
        "wget x",
        "python3 -c 'print(1)'",
        "python3 fetch.py",
        "node -e 'x'",
        "bash -c 'npm i'",
        "npx cowsay",
        "npm install $(cat x)",
        "FOO=1 npm install; ./run.sh",
    ] {
        assert!(offers(&asked(&mut policy, line, host(HOST, 443))).is_empty(), "{line}");
    }
    for odd in [host("192.0.2.7", 443), host("2001:db8::7", 443), host(HOST, 8443)] {
        let held = asked(&mut policy, "npm install", odd.clone());
        assert!(held.offers().is_empty() && held.warnings().len() == 1, "{odd}: {held:?}");
    }
    let by = invoked(&mut policy, "npm install");
    let ReachVerdict::Ask(held) = policy.judge_reach(Wish { sees_secrets: true, ..wish(by, host(HOST, 443)) }) else {
        panic!("it asks")
    };
    assert!(held.offers().is_empty() && held.why().contains("hold secrets"), "{held:?}");
    let several = asked(&mut policy, "npm install && cargo fetch", host(HOST, 443));
    assert_eq!(offers(&several), [(String::new(), vec![pattern(HOST)])], "one list of words names no two commands");
    let back = Setup { held_back: Some("x".into()), ..by_host(Mode::Safe) };
    assert!(asked(&mut Policy::new(back), "npm install", host(HOST, 443)).offers().is_empty());
}

#[test]
fn a_lasting_yes_does_not_count_for_what_may_have_read_secrets_nor_where_the_session_is_held_back() {
    let kept = [rule("npm install", &[HOST])];
    let mut policy = Policy::new(keeping(&kept));
    let by = invoked(&mut policy, "npm install");
    let seeing = Wish { sees_secrets: true, ..wish(by, host(HOST, 443)) };
    assert!(said(&policy.judge_reach(seeing)).starts_with("ask: it may have read files"));
    let mut back = Policy::new(Setup { held_back: Some("x".into()), ..keeping(&kept) });
    let verdict = said(&reaches(&mut back, "npm install", host(HOST, 443)));
    assert_eq!(verdict, "ask: nothing allows this host yet; your rules are off in this session");
}

#[test]
fn after_tampering_whatever_was_allowed_beforehand_asks_and_offers_nothing() {
    let setup = Setup { network: Network::Allow, hosts: vec![pattern(HOST)], ..keeping(&[rule("", &[HOST])]) };
    let mut policy = Policy::new(setup);
    let held = asked(&mut policy, "npm install", host("other.example", 8443));
    policy.suspend();
    assert!(policy.answer_reach(held, Some(Rule::Reach { words: Vec::new(), hosts: vec![pattern(HOST)] })).is_err());
    let held = asked(&mut policy, "npm install", host(HOST, 443));
    assert!(held.offers().is_empty() && held.cause() == Cause::Suspended, "{held:?}");
    assert!(permitted(&mut policy, "make").sandbox().hosts().is_empty());
}

#[test]
fn a_question_about_a_package_manager_names_its_hosts_and_one_yes_does_for_both() {
    let mut policy = Policy::new(by_host(Mode::Safe));
    let held = ask(&policy, run("cargo fetch", ROOT));
    let named = held.hosts().to_vec();
    assert_eq!(named.len(), 2);
    let permit = policy.answer(held, None).unwrap();
    assert_eq!(permit.sandbox().hosts(), named);
    let by = permit.invocation().unwrap().clone();
    for to in &named {
        assert_eq!(said(&policy.judge_reach(wish(by.clone(), to.clone()))), "allow");
    }
    // In unsafe mode nobody was asked, so the first of them asks, and one answer does for all.
    let mut free = Policy::new(by_host(Mode::Unsafe));
    let held = asked(&mut free, "cargo fetch", named[1].clone());
    assert_eq!(held.hosts(), [named[1].clone(), named[0].clone()]);
    assert_eq!(offers(&held)[0].1.len(), 2);
    assert!(ask(&Policy::new(by_host(Mode::Safe)), run("make", ROOT)).hosts().is_empty());
    assert!(
        ask(&Policy::new(setup(Mode::Safe)), run("cargo fetch", ROOT)).hosts().is_empty(),
        "no network by host here"
    );
}

#[test]
fn whatever_is_let_reach_something_has_that_in_its_sandbox_from_the_start() {
    let setup = Setup {
        hosts: vec![pattern(".cdn.example"), pattern("odd.example:8443")],
        ports: vec![443],
        ..by_host(Mode::Unsafe)
    };
    let mut policy = Policy::new(setup);
    let fence_of = |policy: &mut Policy, line: &str| permitted(policy, line).sandbox().clone();
    let fence = fence_of(&mut policy, "make");
    assert_eq!(
        (fence.hosts(), fence.patterns()),
        (&[host("odd.example", 8443)][..], &[pattern(".cdn.example:443")][..])
    );
    assert!(fence.reaches());
    let mut any = Policy::new(Setup { network: Network::Allow, ports: vec![443], ..by_host(Mode::Unsafe) });
    assert_eq!(fence_of(&mut any, "make").patterns(), [HostPattern::any().at(443)]);
    assert!(!fence_of(&mut Policy::new(by_host(Mode::Unsafe)), "make").reaches());
}

fn with_network(line: &str) -> Action {
    match run(line, ROOT) {
        Action::Run { command, argv, cwd, timeout_secs, background, input, .. } => {
            Action::Run { command, argv, cwd, timeout_secs, profile: Profile::Network, background, input }
        }
        other => other,
    }
}

#[test]
fn without_a_network_of_its_own_the_question_for_the_network_can_be_answered_for_good() {
    let mut policy = Policy::new(setup(Mode::Unsafe));
    let held = ask(&policy, with_network("npm install"));
    assert_eq!((held.why(), held.cause()), ("it would reach the network", Cause::HostNotAllowed));
    let offered: Vec<&str> = held.offers().iter().map(|offer| offer.words.as_str()).collect();
    assert_eq!(
        offered,
        [
            "always let commands that begin with `npm install` in this project reach the network",
            "always let any command of this project reach the network"
        ]
    );
    let rule = held.offers()[0].rule.clone();
    policy.answer(held, Some(rule.clone())).unwrap();
    assert_eq!(permitted(&mut policy, "npm install").sandbox().profile(), Profile::Network, "no run is bound to fail");
    assert_eq!(permitted(&mut policy, "npm test").sandbox().profile(), Profile::Project);
    assert_eq!(verdict(&policy, with_network("npm install")), "allow");
    assert!(verdict(&policy, with_network("npm test")).starts_with("ask"));
    policy.revoke(&rule);
    assert!(verdict(&policy, with_network("npm install")).starts_with("ask"));
    assert!(ask(&policy, with_network("curl x")).offers().is_empty());
}

#[test]
fn a_rule_for_the_network_runs_nothing_by_itself() {
    let kept = Kept { reaches: vec![rule("", &[]), rule("npm install", &[])], ..Kept::default() };
    let mut policy = Policy::new(Setup { kept, ..setup(Mode::Safe) });
    for action in [run("npm install", ROOT), with_network("npm install")] {
        assert!(verdict(&policy, action).starts_with("ask: safe mode asks before every command"));
    }
    assert_eq!(permitted(&mut policy, "npm install").sandbox().profile(), Profile::Network);
    let denied = Policy::new(Setup { network: Network::Deny, ..setup(Mode::Unsafe) });
    assert!(verdict(&denied, with_network("make")).starts_with("deny: network = \"deny\""));
}

#[test]
fn a_rule_from_a_file_names_hosts_and_no_program_that_runs_what_it_is_given() {
    let may = |line: &str, hosts: &[&str]| {
        let hosts: Result<Vec<HostPattern>, _> = hosts.iter().map(|name| name.to_string().try_into()).collect();
        hosts.is_ok_and(|hosts| StandingReach::may_hold(&words(line), &hosts))
    };
    assert!(may("npm install", &[HOST]) && may("", &[".cdn.example"]) && may("cargo fetch", &[]));
    for (line, name) in [
        ("curl", HOST),
        ("python3", HOST),
        ("", "192.0.2.1"),
        ("", "*"),
        ("", "a.example:443"),
        ("", ""),
        ("", "."),
        ("", "A.example"),
        ("", "https://a.example"),
    ] {
        assert!(!may(line, &[name]), "{line} {name}");
    }
}

/// Names of hosts that would be patterns, if anything read them as such.
const LIKE_PATTERNS: [&str; 14] = [
    ".example",
    ".packages.example",
    "..example",
    "*",
    "*.example",
    ".",
    "",
    "packages.example:443",
    ".example:443",
    "*:443",
    "packages.example.",
    "Packages.example",
    "packages.example,.example",
    "packages.example\n.example",
];

#[test]
fn a_host_whose_name_looks_like_a_pattern_covers_no_other_and_is_offered_for_no_longer() {
    for name in LIKE_PATTERNS {
        let mut policy = Policy::new(by_host(Mode::Unsafe));
        let held = asked(&mut policy, "npm install", host(name, 443));
        assert!(held.offers().is_empty(), "{name:?}: {:?}", held.offers());
        let mut by = held.wish().by.clone();
        by.let_reach(policy.answer_reach(held, None).unwrap());
        for other in [HOST, "a.packages.example", "example", "other.example"] {
            let verdict = said(&policy.judge_reach(wish(by.clone(), host(other, 443))));
            assert!(verdict.starts_with("ask"), "{name:?} {other}: {verdict}");
        }
    }
}

#[test]
fn a_host_whose_name_looks_like_a_pattern_is_covered_by_none_of_those_that_it_looks_like() {
    let hosts = [".example", HOST, "packages.example:443"].map(pattern).to_vec();
    let mut policy = Policy::new(Setup { hosts, ..by_host(Mode::Unsafe) });
    for name in LIKE_PATTERNS {
        let verdict = said(&reaches(&mut policy, "curl x", host(name, 443)));
        assert!(verdict.starts_with("ask"), "{name:?}: {verdict}");
    }
}
