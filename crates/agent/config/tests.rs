//! Layers over layers, and what is said about wrong ones.

use super::*;
use agent_dialects::Form;
use std::fs;

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
    load(&Sources { user_folder: &folder.path().join("user"), project: &folder.path().join("project"), env })
}

#[test]
fn the_built_in_file_is_the_whole_of_the_defaults() {
    let config = load_from("", "", nothing).unwrap();
    assert_eq!((config.mode, config.limits, config.tools_mode), (Mode::Safe, Limits::default(), ToolsMode::Auto));
    assert_eq!(config.selections[0], Selection::default());
    assert_eq!((config.keep_alive.as_deref(), config.host, config.mouse), (Some("30m"), None, true));
}

#[test]
fn every_key_of_the_built_in_file_is_valid_when_uncommented() {
    let uncommented: String = DEFAULT
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(setting) if setting.contains(" = ") => format!("{setting}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    let file = File::parse(&uncommented).unwrap();
    assert!(file.host.is_some() && file.model.is_some() && file.think.is_some() && !file.keys.is_empty());
}

#[test]
fn a_higher_layer_covers_a_lower_one() {
    let env = |name: &str| (name == "AGENT_MODEL").then(|| "from-env".to_owned());
    let config = load_from("model = \"from-user\"\nnum_ctx = 4096\n[options]\ntemperature = 0.5", "", env).unwrap();
    assert_eq!((config.model.as_deref(), config.num_ctx), (Some("from-env"), Some(4096)));
    assert_eq!(config.options["temperature"], 0.5);
}

#[test]
fn a_wrong_key_names_file_line_and_the_nearest_valid_one() {
    let error = load_from("# mine\nmodle = \"x\"\n", "", nothing).unwrap_err().to_string();
    assert!(error.contains("user/config.toml:2: unknown field `modle`"), "{error}");
    assert!(error.ends_with("did you mean `model`?"), "{error}");
}

#[test]
fn a_wrong_value_names_its_line_and_what_is_valid() {
    let error = load_from("\n\nmode = \"saef\"\n", "", nothing).unwrap_err().to_string();
    assert!(error.contains("config.toml:3: unknown variant `saef`"), "{error}");
    assert!(error.ends_with("did you mean `safe`?"), "{error}");
    let error = load_from("num_ctx = \"many\"\n", "", nothing).unwrap_err().to_string();
    assert!(error.contains("config.toml:1: num_ctx: string \"many\", expected a whole number above 0"), "{error}");
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
    assert!(error.contains("config.toml:2: steps: integer `0`, expected a whole number above 0"), "{error}");
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
    assert_eq!(load_from(spelled, "", nothing).unwrap(), config);
    let chosen = Selection { core: vec!["read_file".into(), "edit".into()], exclude: vec!["bash".into()] };
    assert_eq!((config.tools_mode, &config.selections[0]), (ToolsMode::Text, &chosen));
    let error = load_from("[tools]\nmode = \"nativ\"\n", "", nothing).unwrap_err().to_string();
    assert!(error.contains("config.toml:2: ") && error.ends_with("did you mean `native`?"), "{error}");
}

#[test]
fn a_projects_choice_of_tools_can_only_narrow_the_persons() {
    let project = "[tools]\ncore = [\"*\"]\nexclude = [\"grep\"]\n";
    let config = load_from("coreTools = [\"read_file\", \"grep_search\"]", project, nothing).unwrap();
    assert_eq!(config.notices, Vec::<String>::new());
    let (tools, notices) = agent_tools::Toolbox::with("/p".into(), &config.selections);
    let left: Vec<String> = tools.specs().into_iter().map(|spec| spec.name).collect();
    assert_eq!((left, notices), (vec!["read_file".to_owned()], Vec::new()));
}

#[test]
fn the_persons_families_come_before_the_built_in_ones() {
    let folder = folders("", "");
    let sources =
        Sources { user_folder: &folder.path().join("user"), project: &folder.path().join("project"), env: nothing };
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
        ("mistral-small", None),
    ] {
        assert_eq!(form(name), calls, "{name}");
    }
    fs::write(sources.user_folder.join("models.toml"), "[[family]]\nmatch = [\"qwen3\"]\ncalls = \"json\"\n").unwrap();
    assert_eq!((form("qwen3-coder:30b"), form("gemma3")), (Some(Form::FencedJson), Some(Form::Gemma)));
    fs::write(sources.user_folder.join("models.toml"), "[[familly]]\n").unwrap();
    let error = load(&sources).unwrap_err().to_string();
    assert!(error.contains("user/models.toml:1: ") && error.ends_with("did you mean `family`?"), "{error}");
}

#[test]
fn the_built_in_files_name_every_form_and_every_limit() {
    for form in Form::names() {
        assert!(MODELS.contains(&format!("#                      {form:?} ")), "{form}");
    }
    for key in ["steps", "repeats", "alternations", "same_words", "core", "exclude"] {
        let at = DEFAULT.lines().position(|line| line.starts_with(&format!("{key} = ")));
        let before = at.and_then(|at| DEFAULT.lines().nth(at - 1)).unwrap_or_else(|| panic!("{key} is missing"));
        assert!(before.starts_with("# "), "{key} is not explained");
    }
}
