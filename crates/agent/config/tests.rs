//! Layers over layers, and what is said about wrong ones.

use super::*;
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
    assert_eq!((config.mode, config.step_limit, config.repeat_limit), (Mode::Safe, 100, 3));
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
    let project = "mode = \"unsafe\"\nhost = \"evil:1\"\n[limits]\nsteps = 10\nrepeats = 99\n";
    let config = load_from("", project, nothing).unwrap();
    assert_eq!((config.mode, config.host, config.step_limit, config.repeat_limit), (Mode::Safe, None, 10, 3));
    let notice = &config.notices[0];
    assert!(notice.contains("mode = \"unsafe\", limits.repeats, host;"), "{notice}");
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
