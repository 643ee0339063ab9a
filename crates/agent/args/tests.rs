//! What can be said together on the command line, and what cannot.

use super::*;
use std::collections::BTreeSet;
use std::time::Duration;

fn read(words: &[&str]) -> Result<Args, String> {
    let all = std::iter::once(&"agent").chain(words);
    let read = command().try_get_matches_from(all).and_then(|matches| Args::from_arg_matches(&matches));
    read.and_then(Args::settled).map_err(|error| error.to_string())
}

#[test]
fn wishes_stand_before_demo_or_after_it() {
    let after = read(&["demo", "-p", "hi", "--allow", "run", "--output-format", "json"]).unwrap().wishes;
    let before = read(&["-p", "hi", "--allow", "run", "--output-format", "json", "demo"]).unwrap().wishes;
    for wishes in [before, after] {
        assert_eq!((wishes.print, wishes.output_format), (Some(Some("hi".into())), OutputFormat::Json));
        assert_eq!(wishes.allow, [Allowed(vec![Allow::Run])]);
    }
}

#[test]
fn commands_that_need_no_project_take_nothing_of_a_turn() {
    for words in [["models", "-p"], ["doctor", "--unsafe"], ["models", "--max-turns=1"]] {
        assert!(read(&words).unwrap_err().contains("unexpected argument"), "{words:?}");
    }
    assert!(read(&["--max-turns", "3"]).unwrap_err().contains("--print"), "it goes with -p");
    assert!(read(&["-p", "x", "--max-turns", "0"]).is_err());
}

#[test]
fn a_window_that_holds_nothing_is_refused() {
    assert_eq!(read(&["--num-ctx", "256"]).unwrap().num_ctx, Some(256));
    for text in ["1", "255", "-1", "32k"] {
        let error = read(&[&format!("--num-ctx={text}")]).unwrap_err();
        assert!(error.contains(&format!("invalid value '{text}' for '--num-ctx <TOKENS>'")), "{error}");
        assert!(error.contains("expected a whole number of tokens, at least 256"), "{error}");
    }
}

#[test]
fn a_server_is_named_anywhere_behind_models() {
    for words in [["models", "--host=far", "list"], ["models", "list", "--host=far"]] {
        let Some(Command::Models(models)) = read(&words).unwrap().command else { panic!("{words:?}") };
        assert_eq!(models.model_server.host.as_deref(), Some("far"));
    }
    let both = read(&["--host", "far", "--server", "team"]).unwrap_err();
    assert!(both.contains("cannot be used with"), "{both}");
}

fn which(words: &[&str]) -> Option<Which> {
    read(words).unwrap_or_else(|error| panic!("{words:?}: {error}")).earlier.which()
}

#[test]
fn an_earlier_session_is_the_last_one_a_named_one_or_a_picked_one_with_and_without_p() {
    let named = Some(Which::Named("20261122".into()));
    for before in [&[][..], &["-p", "hi"], &["--unsafe"]] {
        let with = |words: &[&str]| which(&[before, words].concat());
        assert_eq!((with(&[]), with(&["-c"]), with(&["--continue"])), (None, Some(Which::Last), Some(Which::Last)));
        assert_eq!((with(&["-r", "20261122"]), with(&["--resume=20261122"])), (named.clone(), named.clone()));
    }
    assert_eq!((which(&["-r"]), which(&["-r", "--unsafe"])), (Some(Which::Picked), Some(Which::Picked)));
    let args = read(&["-r", "2026", "--fork", "-p"]).unwrap();
    assert!(args.earlier.fork && args.wishes.print == Some(None), "the prompt comes from standard input");
    assert!(!read(&["-c"]).unwrap().earlier.fork);
}

#[test]
fn what_makes_no_sense_with_an_earlier_session_is_refused_with_a_way_out() {
    for (words, told) in [
        (&["-c", "-r"][..], "cannot be used with"),
        (&["-p", "hi", "-r"], "`agent sessions list` shows them"),
        (&["-r", "-p", "hi"], "-r needs an ID"),
        (&["-r", ""], "a value is required"),
        (&["--fork"], "--fork goes with -c or -r"),
        (&["--fork", "sessions"], "--fork goes with -c or -r"),
        (&["-c", "demo"], "-c goes with no command, and `demo` is one"),
        (&["-r", "2026", "demo"], "-r goes with no command"),
        (&["demo", "-c"], "unexpected argument '-c'"),
        (&["-c", "doctor"], "`doctor` is one"),
        (&["-p", "hi", "sessions"], "-p goes with no command but demo"),
        (&["-c", "sessions"], "`sessions` is one"),
    ] {
        let error = read(words).unwrap_err();
        assert!(error.contains(told), "{words:?}: {error}");
        assert!(error.contains("Usage:") || error.contains("--help"), "{words:?}: {error}");
    }
}

fn sessions(words: &[&str]) -> Sessions {
    match read(&[&["sessions"], words].concat()).unwrap_or_else(|error| panic!("{words:?}: {error}")).command {
        Some(Command::Sessions(sessions)) => sessions,
        other => panic!("{other:?}"),
    }
}

#[test]
fn sessions_are_listed_where_nothing_else_is_said() {
    assert_eq!(sessions(&[]).subcommand(), SessionsSubcommand::List { all: false });
    assert_eq!(sessions(&["--all"]).subcommand(), SessionsSubcommand::List { all: true });
    assert_eq!(sessions(&["list", "--all", "--json"]).subcommand(), SessionsSubcommand::List { all: true });
    assert!(sessions(&["--json"]).json && sessions(&["list", "--json"]).json && sessions(&["--json", "list"]).json);
}

#[test]
fn sessions_are_named_and_ages_have_a_unit() {
    let ids = vec!["a".to_owned(), "b".to_owned()];
    assert_eq!(sessions(&["rm", "a", "b", "--yes"]).subcommand(), SessionsSubcommand::Rm { ids, yes: true });
    let show = |json: bool| SessionsSubcommand::Show { id: "a".into(), markdown: json };
    assert_eq!(
        (sessions(&["show", "a"]).subcommand(), sessions(&["show", "a", "--markdown"]).subcommand()),
        (show(false), show(true))
    );
    for (text, hours) in [("12h", 12), ("30d", 720), ("8w", 1_344), ("0d", 0)] {
        let older_than = Duration::from_secs(hours * 3_600);
        let expected = SessionsSubcommand::Prune { older_than, yes: false, dry_run: true };
        assert_eq!(sessions(&["prune", "--dry-run", "--older-than", text]).subcommand(), expected, "{text}");
    }
}

#[test]
fn wrong_words_about_sessions_are_refused() {
    for (words, told) in [
        (&["rm"][..], "<ID>..."),
        (&["show"], "<ID>"),
        (&["show", "a", "b"], "unexpected argument 'b'"),
        (&["show", "a", "--markdown", "--json"], "cannot be used with"),
        (&["--json", "show", "a", "--markdown"], "--markdown"),
        (&["--all", "rm", "a"], "--all goes with `list` alone"),
        (&["prune"], "--older-than <AGE>"),
        (&["prune", "--older-than", "30"], "expected a number with h, d or w, like 12h, 30d or 8w"),
        (&["prune", "--older-than", "-3d"], "-3"),
        (&["prune", "--older-than", "d"], "expected a number with h, d or w"),
        (&["prune", "--older-than", "9999999999999999999w"], "expected a number with h, d or w"),
        (&["prune", "--older-than", "1d", "--yes", "--dry-run"], "cannot be used with"),
        (&["--host", "x"], "unexpected argument"),
    ] {
        let error = read(&[&["sessions"], words].concat()).unwrap_err();
        assert!(error.contains(told), "{words:?}: {error}");
    }
}

#[test]
fn wishes_for_other_programs_stand_before_mcp_or_behind_it() {
    let after = read(&["mcp", "-C", "there", "--allow", "write,run", "--tools", "core,git", "--trust"]).unwrap();
    assert_eq!(after.directory, Some("there".into()));
    assert_eq!((after.wishes.allow, after.wishes.trust), (vec![Allowed(vec![Allow::Write, Allow::Run])], true));
    assert_eq!(after.wishes.tools, ["core", "git"]);
    let before = read(&["-C", "there", "--unsafe", "mcp", "serve"]).unwrap();
    assert!(before.wishes.unsafe_mode && before.directory == Some("there".into()));
    for (words, told) in [
        (&["mcp", "--unsafe", "--plan"][..], "cannot be used with"),
        (&["mcp", "--allow", "all"], "invalid value"),
        (&["-p", "hi", "mcp"], "-p goes with no command but demo"),
        (&["-c", "mcp"], "-c goes with no command"),
    ] {
        let error = read(words).unwrap_err();
        assert!(error.contains(told), "{words:?}: {error}");
    }
}

#[test]
fn the_long_help_shows_what_each_flag_covers_and_what_none_does() {
    let help = command().render_long_help().to_string();
    let flat = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for row in agent_policy::flags::TABLE {
        let said = format!("{} {}", row.spelled(), row.in_words());
        assert!(flat.contains(&said), "{said}: {help}");
    }
    for kind in agent_policy::flags::never().chain(agent_policy::flags::disposable_only()) {
        assert!(flat.contains(kind.in_words()), "{kind:?}: {help}");
    }
    let short = command().render_help().to_string();
    assert!(!short.contains("What no flag covers") && short.contains("Exit codes of -p"), "{short}");
}

#[test]
fn every_value_of_allow_is_a_flag_of_the_table() {
    let flags = agent_policy::flags::Flag::ALL.iter().filter_map(|flag| flag.spelled().strip_prefix("--allow "));
    let word = |text: &str| text.split_once('=').map_or(text.to_owned(), |(word, _)| format!("{word}="));
    let spelled: BTreeSet<String> = flags.map(word).collect();
    let values: BTreeSet<String> = Allow::words().map(word).collect();
    assert_eq!(values, spelled);
    assert!(read(&["--no-sandbox-no-questions"]).unwrap().wishes.no_sandbox_no_questions);
}

#[test]
fn shells_complete_what_allow_takes() {
    let mut script = Vec::new();
    clap_complete::generate(Shell::Bash, &mut command(), "agent", &mut script);
    let script = String::from_utf8(script).unwrap();
    assert!(script.contains("write run commit net mcp write= hosts= hosts=any"), "{script}");
}

#[test]
fn hosts_and_folders_are_named_behind_allow_and_what_is_neither_is_refused() {
    let allow = |words: &str| read(&["-p", "x", "--allow", words]).map(|args| args.wishes.allow[0].0.clone());
    let host = |name: &str| Allow::Host(name.parse().unwrap());
    assert_eq!(allow("hosts=a.example,B.Example:8443").unwrap(), [host("a.example"), host("b.example:8443")]);
    assert_eq!(allow("hosts=.cdn.example").unwrap(), [host(".cdn.example")]);
    assert_eq!(allow("hosts=any").unwrap(), [Allow::AnyHost]);
    assert_eq!(allow("write=/srv/a,b").unwrap(), [Allow::WriteIn("/srv/a,b".into())]);
    assert_eq!(allow("net,run").unwrap(), [Allow::Net, Allow::Run]);
    for wrong in
        ["hosts=", "hosts=*", "hosts=https://a.example", "hosts=a.example:x", "hosts=a b", "write=", "host=a", "all"]
    {
        let error = allow(wrong).unwrap_err();
        let named = error.contains(&format!("invalid value '{wrong}' for '--allow <WHAT>': expected "));
        assert!(named, "{wrong}: {error}");
    }
    let whole = "expected some of write, write=DIR, run, commit, hosts=HOST,…, hosts=any, net, mcp";
    assert!(allow("net=a.example").unwrap_err().contains(whole));
    assert!(read(&["--allow", "hosts=any"]).unwrap_err().contains("--print"), "it goes with -p");
    let twice = read(&["-p", "x", "--allow", "write=/a", "--allow", "write=/b", "--allow", "run"]).unwrap();
    assert_eq!(twice.wishes.allow.len(), 3);
}

#[test]
fn a_machine_is_thrown_away_by_a_whole_session_alone() {
    assert!(read(&["--no-sandbox-no-questions"]).unwrap().wishes.no_sandbox_no_questions);
    assert!(read(&["-p", "x", "--no-sandbox-no-questions"]).unwrap().wishes.no_sandbox_no_questions);
    for (words, told) in [
        (&["--no-sandbox-no-questions", "--plan"][..], "cannot be used with"),
        (&["--no-sandbox-no-questions", "mcp"], "goes with no command, and `mcp` is one"),
        (&["--no-sandbox-no-questions", "demo"], "goes with no command, and `demo` is one"),
        (&["demo", "--no-sandbox-no-questions"], "goes with no command"),
        (&["mcp", "--no-sandbox-no-questions"], "unexpected argument"),
        (&["--no-sandbox-no-questions", "doctor"], "goes with no command, and `doctor` is one"),
    ] {
        let error = read(words).unwrap_err();
        assert!(error.contains(told), "{words:?}: {error}");
    }
}

#[test]
fn help_holds_the_one_table_of_exit_codes_and_the_subcommands_use_no_other_numbers() {
    let help = command().render_long_help().to_string();
    for agent_headless::ExitCode { code, words } in agent_headless::EXIT_CODES {
        let row = |line: &str| line.trim_start().starts_with(&format!("{code} ")) && line.ends_with(words);
        assert!(help.lines().any(row), "{code} {words}: {help}");
    }
    let known: Vec<&str> = agent_headless::EXIT_CODES.iter().map(|row| row.code).collect();
    for codes in [MODELS_CODES, DOCTOR_CODES, sessions::CODES, mcp::CODES] {
        let (_, codes) = codes.split_once("Exit codes:").unwrap();
        let codes = codes.split("\n\n").next().unwrap();
        for entry in codes.split(['·', '\n']).map(str::trim).filter(|entry| !entry.is_empty()) {
            let number = entry.split_whitespace().next().unwrap();
            assert!(known.contains(&number), "{number} in {codes}");
        }
    }
}

#[test]
fn standard_input_is_left_alone_only_where_something_is_said() {
    assert!(read(&["-p", "hi", "--no-stdin"]).unwrap().wishes.no_stdin);
    assert!(read(&["demo", "--no-stdin", "-p", "hi"]).unwrap().wishes.no_stdin);
    assert!(!read(&["-p", "hi"]).unwrap().wishes.no_stdin);
    assert!(read(&["--no-stdin"]).unwrap_err().contains("--print"));
}

#[test]
fn groups_of_tools_are_those_there_are() {
    let groups = |words: &str| read(&["--tools", words]).map(|args| args.wishes.tools);
    assert_eq!(groups("Core, git").unwrap(), ["core", "git"]);
    assert_eq!(groups("auto").unwrap(), ["auto"]);
    for words in ["magic", "core,magic", "", "core,"] {
        let error = groups(words).unwrap_err();
        assert!(error.contains("expected some of core, plan") || error.contains("a value is required"), "{error}");
    }
    assert!(read(&["mcp", "--tools", "magic"]).is_err());
}
