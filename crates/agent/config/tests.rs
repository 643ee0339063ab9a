//! Layers over layers, and what is said about wrong ones.

use super::*;
use agent_dialects::Form;
use std::fs;

mod server;
mod strict;

fn nothing(_: &str) -> Option<String> {
    None
}

fn folders(user: &str, project: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("user")).unwrap();
    fs::create_dir_all(folder.path().join("project/.agent")).unwrap();
    fs::write(folder.path().join("user/config.toml"), user).unwrap();
    fs::write(folder.path().join("project/.agent/config.toml"), project).unwrap();
    folder
}

fn load_from(user: &str, project: &str, env: fn(&str) -> Option<String>) -> Result<Config> {
    let folder = folders(user, project);
    let user = folder.path().join("user");
    load(&Sources { user_folder: &user, project: &folder.path().join("project"), env, faulty: Faulty::Refuse })
}

#[test]
fn the_built_in_file_is_the_whole_of_the_defaults() {
    let config = load_from("", "", nothing).unwrap();
    assert_eq!((config.mode, config.limits, config.tools_mode), (Mode::Safe, Limits::default(), ToolsMode::Auto));
    assert_eq!(config.selections[0], Selection::default());
    assert_eq!((config.keep_alive.as_deref(), config.host, config.mouse), (Some("30m"), None, true));
}

/// The built-in file with every setting said.
fn uncommented() -> File {
    File::parse(&spelled_out()).unwrap()
}

fn spelled_out() -> String {
    let lines = DEFAULT.lines().map(|line| match line.strip_prefix("# ") {
        Some(setting) if setting.contains(" = ") || setting.starts_with('[') => format!("{setting}\n"),
        _ => format!("{line}\n"),
    });
    lines.collect()
}

#[test]
fn every_key_of_the_built_in_file_is_valid_when_uncommented() {
    let file = uncommented();
    assert!(file.host.is_some() && file.model.is_some() && file.think.is_some());
    assert!(!file.keys.is_empty() && file.mcp.len() == 2 && file.lsp.len() == 1);
}

#[test]
fn every_key_of_a_layer_counts_above_another() {
    let mut below = File::default();
    below.cover_with(uncommented());
    assert_eq!(below, uncommented());
}

#[test]
fn a_higher_layer_covers_a_lower_one() {
    let env = |name: &str| (name == "AGENT_MODEL").then(|| "from-env".to_owned());
    let config = load_from("model = \"from-user\"\nnum_ctx = 4096\n[options]\ntemperature = 0.5", "", env).unwrap();
    assert_eq!((config.model.as_deref(), config.num_ctx), (Some("from-env"), Some(4096)));
    assert_eq!(config.options["temperature"], 0.5);
}

#[test]
fn the_servers_own_default_is_read_where_the_environment_names_it() {
    let named: fn(&str) -> Option<String> = |name| (name == "OLLAMA_CONTEXT_LENGTH").then(|| "65536".to_owned());
    assert_eq!(load_from("", "", named).unwrap().server_window, Some(65_536));
    let odd: fn(&str) -> Option<String> = |name| (name == "OLLAMA_CONTEXT_LENGTH").then(|| "large".to_owned());
    assert_eq!(load_from("", "", odd).unwrap().server_window, None);
}

#[test]
fn an_option_that_servers_ignore_is_told_and_sent_all_the_same() {
    let config = load_from("[options]\ntemprature = 0.5\nnum_gpu = 20\n", "", nothing).unwrap();
    assert_eq!((&config.options["temprature"], config.notices.len()), (&0.5.into(), 1));
    let notice = &config.notices[0];
    assert!(notice.contains("user/config.toml: servers know no option `temprature`"), "{notice}");
}

#[test]
fn a_model_is_let_go_at_the_end_only_where_the_person_says_so() {
    assert!(!load_from("", "", nothing).unwrap().release_on_exit);
    assert!(load_from("release_on_exit = true", "", nothing).unwrap().release_on_exit);
    let config = load_from("", "release_on_exit = true\n[options]\nnum_gpu = 0\n", nothing).unwrap();
    assert!(!config.release_on_exit && config.options.is_empty());
    assert!(config.notices[0].contains("sets release_on_exit, options;"), "{:?}", config.notices);
}

#[test]
fn the_files_that_were_read_are_known() {
    let folder = folders("", "");
    let (user, project) = (folder.path().join("user"), folder.path().join("project"));
    fs::remove_file(project.join(".agent/config.toml")).unwrap();
    fs::write(user.join("models.toml"), "[[").unwrap();
    let sources = Sources { user_folder: &user, project: &project, env: nothing, faulty: Faulty::Say };
    let config = load(&sources).unwrap();
    assert_eq!(config.files, [user.join("config.toml"), user.join("models.toml")], "the faulty one as well");
    assert!(config.notices[0].contains("user/models.toml:1:"), "{:?}", config.notices);
    assert!(!config.families.is_empty(), "the built-in ones hold");
}

#[test]
fn what_makers_recommend_goes_with_their_models_and_with_no_others() {
    let families = load_from("", "", nothing).unwrap().families;
    let options = |name: &str| {
        let family = families.iter().find(|family| family.matches(name, None));
        family.map(|family| family.options.get("temperature").and_then(Value::as_f64))
    };
    for (name, temperature) in [
        ("qwen3-coder:30b", Some(0.7)),
        ("qwen3-coder-next:80b", Some(1.0)),
        ("hf.co/x/Devstral-Small-2507-GGUF", Some(0.15)),
        ("gpt-oss:20b", Some(1.0)),
        ("deepseek-r1:8b", Some(0.6)),
        ("deepseek-coder-v2", None),
        ("qwen3:8b", Some(0.6)),
        ("qwen3.5:9b", Some(0.6)),
    ] {
        assert_eq!(options(name), Some(temperature), "{name}");
    }
    let direct = |name: &str| {
        let family = families.iter().find(|family| family.matches(name, None))?;
        family.options_direct.as_ref()?.get("temperature").and_then(Value::as_f64)
    };
    assert_eq!([direct("qwen3.6:35b"), direct("qwen3-coder:30b")], [Some(0.7), None], "without thinking");
    let never = |name: &str| families.iter().find(|family| family.matches(name, None)).is_some_and(|it| it.never_off);
    assert!(never("gpt-oss:20b") && never("qwq:32b") && !never("qwen3:8b"));
    let least = families.iter().filter_map(|family| Some((family.matches[0].as_str(), family.least_think?)));
    assert_eq!(least.collect::<Vec<_>>(), [("gpt-oss", Think::Low)]);
    assert_eq!(families.iter().find_map(|family| family.think), None, "how much is thought is the user's choice");
}

#[test]
fn a_wrong_key_names_file_line_and_the_nearest_valid_one() {
    let error = load_from("# mine\nmodle = \"x\"\n", "", nothing).unwrap_err().to_string();
    assert!(error.contains("user/config.toml:2:1: unknown field `modle`"), "{error}");
    assert!(error.ends_with("did you mean `model`?"), "{error}");
}

#[test]
fn a_wrong_value_names_its_line_and_what_is_valid() {
    let error = load_from("\n\nmode = \"saef\"\n", "", nothing).unwrap_err().to_string();
    assert!(error.contains("config.toml:3:8: unknown variant `saef`"), "{error}");
    assert!(error.ends_with("did you mean `safe`?"), "{error}");
    let error = load_from("num_ctx = \"many\"\n", "", nothing).unwrap_err().to_string();
    let tokens = "expected a whole number of tokens, at least 256";
    assert!(error.contains(&format!("config.toml:1:11: num_ctx: string \"many\", {tokens}")), "{error}");
    let error = load_from("num_ctx = 1\n", "", nothing).unwrap_err().to_string();
    assert!(error.contains(&format!("config.toml:1:11: num_ctx: integer `1`, {tokens}")), "{error}");
    let env = |name: &str| (name == "AGENT_NUM_CTX").then(|| "1".to_owned());
    let error = load_from("", "", env).unwrap_err().to_string();
    assert_eq!(error, format!("AGENT_NUM_CTX is \"1\"; {tokens}"));
}

#[test]
fn a_time_to_stay_loaded_that_no_server_takes_is_refused_by_its_key() {
    let keep_alive = |value: &str| load_from(&format!("\nkeep_alive = {value}\n"), "", nothing);
    for (value, taken) in [("\"1h30m\"", "1h30m"), ("300", "300"), ("-1", "-1"), ("0", "0"), ("\"0s\"", "0")] {
        assert_eq!(keep_alive(value).unwrap().keep_alive.as_deref(), Some(taken));
    }
    for (value, shown) in [("\"soon\"", "string \"soon\""), ("true", "boolean `true`"), ("1.5", "floating point `1.5`")]
    {
        let error = keep_alive(value).unwrap_err().to_string();
        assert!(
            error.contains(&format!("config.toml:2:14: keep_alive: {shown}, expected a time like \"10m\"")),
            "{error}"
        );
        assert!(error.ends_with("or \"1h30m\", seconds, -1 (for ever) or 0 (not at all)"), "{error}");
    }
}

#[test]
fn a_project_can_only_make_things_safer_and_it_is_said_where_it_tries() {
    let project =
        "mode = \"unsafe\"\nhost = \"evil:1\"\n[limits]\nsteps = 10\nrepeats = 99\n[tools]\nmode = \"text\"\n";
    let config = load_from("", project, nothing).unwrap();
    assert_eq!((config.mode, config.host, config.tools_mode), (Mode::Safe, None, ToolsMode::Auto));
    assert_eq!((config.limits.steps, config.limits.repeats), (10, 3));
    let notice = &config.notices[0];
    assert!(notice.contains("mode = \"unsafe\", limits.repeats, host, tools.mode;"), "{notice}");
    let config = load_from("mode = \"unsafe\"", "mode = \"safe\"", nothing).unwrap();
    assert_eq!((config.mode, config.notices.len()), (Mode::Safe, 0));
}

#[test]
fn undo_is_measured_in_whole_amounts_above_0() {
    let undo = load_from("", "", nothing).unwrap().undo;
    let days = |days: u64| Duration::from_secs(days * 86_400);
    let defaults = UndoConfig {
        enabled: true,
        max_file: 1 << 20,
        max_files: 50_000,
        budget: 512 << 20,
        keep: days(14),
        store: 2 << 30,
    };
    assert_eq!(undo, defaults);
    let mine = "[undo]\nenabled = false\nmax_file_mb = 8\nmax_files = 9\nbudget_mb = 16\nkeep_days = 1\nstore_mb = 4294967295\n";
    let undo = load_from(mine, "", nothing).unwrap().undo;
    let store = u64::from(u32::MAX) << 20;
    assert_eq!(
        undo,
        UndoConfig { enabled: false, max_file: 8 << 20, max_files: 9, budget: 16 << 20, keep: days(1), store }
    );
    for key in ["max_file_mb", "max_files", "budget_mb", "keep_days", "store_mb"] {
        for value in ["0", "-1", "\"1\"", "1.5"] {
            let error = load_from(&format!("[undo]\n{key} = {value}\n"), "", nothing).unwrap_err().to_string();
            assert!(error.contains(&format!("config.toml:2:{}: {key}: ", key.len() + 4)), "{error}");
            assert!(error.ends_with("expected a whole number above 0"), "{error}");
        }
    }
    let error = load_from("[undo]\nkeep_day = 3\n", "", nothing).unwrap_err().to_string();
    assert!(error.contains("config.toml:2:1: ") && error.ends_with("did you mean `keep_days`?"), "{error}");
}

#[test]
fn a_project_can_ask_for_no_traces_but_neither_take_undo_away_nor_have_more_kept() {
    assert!(load_from("", "", nothing).unwrap().sessions);
    assert!(!load_from("[sessions]\nenabled = false\n", "", nothing).unwrap().sessions);
    let config = load_from("", "[sessions]\nenabled = false\n", nothing).unwrap();
    assert_eq!((config.sessions, config.notices.len()), (false, 0));
    let config = load_from("[sessions]\nenabled = false\n", "[sessions]\nenabled = true\n", nothing).unwrap();
    assert!(!config.sessions && config.notices[0].contains("sets sessions.enabled;"), "{:?}", config.notices);
    for undo in ["enabled = false", "keep_days = 1", "store_mb = 1", "max_file_mb = 100"] {
        let config = load_from("", &format!("[undo]\n{undo}\n"), nothing).unwrap();
        assert_eq!(config.undo, load_from("", "", nothing).unwrap().undo, "{undo}");
        assert!(config.notices[0].contains("sets undo; a project can only make things safer"), "{:?}", config.notices);
    }
}

#[test]
fn the_servers_own_variable_comes_last_of_all_hosts() {
    let env = |name: &str| (name == "OLLAMA_HOST").then(|| "0.0.0.0".to_owned());
    assert_eq!(load_from("", "", env).unwrap().host.as_deref(), Some("0.0.0.0"));
    assert_eq!(load_from("host = \"mine\"", "", env).unwrap().host.as_deref(), Some("mine"));
}

#[test]
fn a_wrong_key_binding_names_its_line() {
    let error = load_from("[keys]\ndetails = \"ctrl+o\"\ndetals = \"f2\"\n", "", nothing).unwrap_err().to_string();
    assert!(error.contains("config.toml:3: there is no key setting detals"), "{error}");
}

#[test]
fn limits_of_zero_are_refused() {
    let error = load_from("[limits]\nsteps = 0\n", "", nothing).unwrap_err().to_string();
    assert!(error.contains("config.toml:2:9: steps: integer `0`, expected a whole number above 0"), "{error}");
}

#[test]
fn the_built_in_file_lists_every_key_with_its_default() {
    for (name, keys, words) in agent_tui::keymap::defaults() {
        let line = DEFAULT.lines().find(|line| line.starts_with(&format!("# {name} = ")));
        let line = line.unwrap_or_else(|| panic!("{name} is missing"));
        assert!(line.contains(&format!("\"{keys}\"")) && line.ends_with(words), "{line}");
    }
}

#[test]
fn tools_are_chosen_in_the_section_or_in_the_other_spelling() {
    let section = "[tools]\nmode = \"text\"\ncore = [\"read_file\", \"edit\"]\nexclude = [\"bash\"]\n";
    let config = load_from(section, "", nothing).unwrap();
    let spelled = "coreTools = [\"read_file\", \"edit\"]\nexcludeTools = [\"bash\"]\n[tools]\nmode = \"text\"\n";
    let files = config.files.clone();
    assert_eq!(Config { files, ..load_from(spelled, "", nothing).unwrap() }, config);
    let chosen =
        Selection { core: vec!["read_file".into(), "edit".into()], exclude: vec!["bash".into()], groups: Vec::new() };
    assert_eq!((config.tools_mode, &config.selections[0]), (ToolsMode::Text, &chosen));
    let error = load_from("[tools]\nmode = \"nativ\"\n", "", nothing).unwrap_err().to_string();
    assert!(error.contains("config.toml:2:8: ") && error.ends_with("did you mean `native`?"), "{error}");
}

#[test]
fn a_projects_choice_of_tools_can_only_narrow_the_persons() {
    let project = "[tools]\ncore = [\"*\"]\nexclude = [\"grep\"]\n";
    let config = load_from("coreTools = [\"read_file\", \"grep_search\"]", project, nothing).unwrap();
    assert_eq!(config.notices, Vec::<String>::new());
    let (tools, notices) =
        agent_tools::Toolbox::with(agent_tools::Ground::of_this_process("/p".into()).unwrap(), &config.selections);
    let left: Vec<String> = tools.specs().into_iter().map(|spec| spec.name).collect();
    assert_eq!((left, notices), (vec!["read_file".to_owned()], Vec::new()));
}

#[test]
fn the_persons_families_come_before_the_built_in_ones() {
    let folder = folders("", "");
    let sources = Sources {
        user_folder: &folder.path().join("user"),
        project: &folder.path().join("project"),
        env: nothing,
        faulty: Faulty::Refuse,
    };
    let form = |name: &str| {
        let families = load(&sources).unwrap().families;
        families.iter().find(|family| family.matches(name, None)).map(|family| family.form)
    };
    for (name, calls) in [
        ("qwen3-coder:30b", Some(Form::QwenCoder)),
        ("qwen2.5-coder:7b", Some(Form::Hermes)),
        ("hf.co/someone/Hermes-3-Llama-3.1-8B-GGUF", Some(Form::Hermes)),
        ("deepseek-r1:7b", Some(Form::FencedJson)),
        ("llama3.2", Some(Form::Llama)),
        ("gemma3:12b", Some(Form::Gemma)),
        ("mistral-small", Some(Form::FencedJson)),
        ("starcoder2:7b", None),
    ] {
        assert_eq!(form(name), calls, "{name}");
    }
    fs::write(sources.user_folder.join("models.toml"), "[[family]]\nmatch = [\"qwen3\"]\ncalls = \"json\"\n").unwrap();
    assert_eq!((form("qwen3-coder:30b"), form("gemma3")), (Some(Form::FencedJson), Some(Form::Gemma)));
    fs::write(sources.user_folder.join("models.toml"), "[[familly]]\n").unwrap();
    let error = load(&sources).unwrap_err().to_string();
    assert!(error.contains("user/models.toml:1:3: ") && error.ends_with("did you mean `family`?"), "{error}");
}

#[test]
fn the_built_in_files_name_every_form_and_every_limit() {
    for form in Form::names() {
        assert!(MODELS.contains(&format!("#                      {form:?} ")), "{form}");
    }
    let undo = ["max_file_mb", "max_files", "budget_mb", "keep_days", "store_mb", "enabled"];
    for key in ["steps", "repeats", "alternations", "same_words", "core", "exclude"].into_iter().chain(undo) {
        let at = DEFAULT.lines().position(|line| line.starts_with(&format!("{key} = ")));
        let before = at.and_then(|at| DEFAULT.lines().nth(at - 1)).unwrap_or_else(|| panic!("{key} is missing"));
        assert!(before.starts_with("# "), "{key} is not explained");
    }
}

#[test]
fn a_faulty_file_of_ones_own_stops_everything_but_who_says_what_is_wrong() {
    let folder = folders("mode = [[[\0", "");
    let (user, project) = (folder.path().join("user"), folder.path().join("project"));
    let sources = Sources { user_folder: &user, project: &project, env: nothing, faulty: Faulty::Say };
    let config = load(&sources).unwrap();
    assert_eq!((config.mode, config.notices.len()), (Mode::Safe, 1));
    let notice = &config.notices[0];
    assert!(notice.contains("user/config.toml:1:"), "{notice}");
    assert!(notice.ends_with("nothing else starts before that is mended"), "{notice}");
    assert!(load(&Sources { faulty: Faulty::Refuse, ..sources }).is_err());
}

#[test]
fn accept_edits_mode_is_a_persons_to_begin_with_and_not_a_projects() {
    for spelled in ["accept_edits", "accept-edits"] {
        let config = load_from(&format!("mode = \"{spelled}\"\n"), "", nothing).unwrap();
        assert_eq!((config.mode, config.notices.len()), (Mode::AcceptEdits, 0));
        let config = load_from("", &format!("mode = \"{spelled}\"\n"), nothing).unwrap();
        assert_eq!(config.mode, Mode::Safe);
        assert!(config.notices[0].contains("mode = \"accept_edits\""), "{:?}", config.notices);
    }
    let config = load_from("mode = \"accept_edits\"\n", "mode = \"safe\"\n", nothing).unwrap();
    assert_eq!((config.mode, config.notices.len()), (Mode::Safe, 0), "a project may ask more");
}

#[test]
fn a_session_that_is_held_back_does_not_begin_in_accept_edits_mode() {
    let config = load_from("mode = \"accept_edits\"\n", "nothing_knows_this = 1\n", nothing).unwrap();
    assert!(config.held_back.is_some());
    assert_eq!(config.mode, Mode::Safe);
}

#[test]
fn ports_of_an_old_config_are_still_read() {
    let old = include_str!("../../../tests/home/0.1/.config/agent/config.toml");
    assert_eq!(load_from(old, "", nothing).unwrap().sandbox.ports, [80, 443, 8443]);
}

#[test]
fn what_others_can_write_widens_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folders("mode = \"unsafe\"\n[limits]\nsteps = 5\n[sandbox]\nmode = \"off\"\nrequire = true\n", "");
    let (user, project) = (folder.path().join("user"), folder.path().join("project"));
    fs::set_permissions(user.join("config.toml"), fs::Permissions::from_mode(0o666)).unwrap();
    let sources = Sources { user_folder: &user, project: &project, env: nothing, faulty: Faulty::Refuse };
    let config = load(&sources).unwrap();
    assert_eq!((config.mode, config.limits.steps), (Mode::Safe, 5), "what tightens is taken");
    assert_eq!((config.sandbox.mode, config.sandbox.require), (SandboxMode::Auto, true));
    assert!(config.notices[0].contains("others can write to") && config.notices[0].contains("chmod 600"));
}

#[test]
fn a_project_can_require_a_fence_and_not_widen_it() {
    let project = "[sandbox]\nmode = \"off\"\nrequire = true\nwritable = [\"/\"]\nports = [11434]\nenv = [\"TOKEN\"]\ncache_gb = 9\n";
    let config = load_from("[sandbox]\nports = [443]\n", project, nothing).unwrap();
    let Sandbox { mode, require, writable, ports, env, caches, .. } = config.sandbox;
    assert_eq!(caches, 5_000_000_000);
    assert_eq!((mode, require, ports), (SandboxMode::Auto, true, vec![443]));
    assert!(writable.is_empty() && env.is_empty());
    assert!(
        config.notices[0].contains("sandbox.mode, sandbox.writable, sandbox.ports, sandbox.env, sandbox.cache_gb;")
    );
}

#[test]
fn every_model_server_that_is_named_is_known_whichever_is_used() {
    let env = |name: &str| match name {
        "AGENT_HOST" => Some("one.example:1".to_owned()),
        "OLLAMA_HOST" => Some("two.example:2".to_owned()),
        _ => None,
    };
    let config = load_from("host = \"three.example:3\"\n", "host = \"far.example\"\n", env).unwrap();
    assert_eq!(config.host.as_deref(), Some("one.example:1"));
    assert_eq!(config.model_servers, ["three.example:3", "two.example:2", "one.example:1"]);
}

#[test]
fn two_actions_on_one_key_stop_with_both_names_and_the_line() {
    let error = load_from("[keys]\ndetails = \"f5\"\ntodos = \"f5\"\n", "", nothing).unwrap_err().to_string();
    assert!(
        error.ends_with("config.toml:3: F5 is set for details and for todos; give one of them another key"),
        "{error}"
    );
}

#[test]
fn the_theme_is_the_one_that_is_named_unless_no_colour_is_wanted() {
    let theme = |user, env| load_from(user, "", env).unwrap().theme;
    let light = "[screen]\ntheme = \"light\"";
    assert_eq!(theme("", nothing), Theme::terminal());
    assert_eq!(theme(light, nothing), Theme::named("light").unwrap());
    assert_eq!(theme("[screen]\ntheme = \"light\"\ncolour = \"never\"", nothing), Theme::plain());
    assert_eq!(theme(light, |name| (name == "NO_COLOR").then(|| "1".into())), Theme::plain());
}

#[test]
fn an_unknown_theme_stops_with_its_line_and_those_there_are() {
    let error = load_from("[screen]\nmouse = true\ntheme = \"solarized\"", "", nothing).unwrap_err().to_string();
    let told = "user/config.toml:3:9: there is no theme \"solarized\"; there are auto, terminal, ansi-16, dark, light, high-contrast, \
                colour-blind, plain; one of your own is themes/solarized.toml beside this file";
    assert!(error.contains(told), "{error}");
}
