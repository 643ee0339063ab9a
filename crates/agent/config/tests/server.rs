//! Which server is talked to, of which kind, and who sees a key.

use super::*;
use agent_backend::Kind;

const TEAM: &str = "host = \"127.0.0.1:8080\"\n[server]\nkind = \"openai\"\napi_key_env = \"OWN_KEY\"\n\
    [servers.team]\nhost = \"https://gpu.example/v1\"\napi_key_env = \"TEAM_KEY\"\nmodel = \"coder\"\n\
    [servers.open]\nhost = \"http://10.0.0.7:8000/v1\"\nheaders_env = { \"X-Team\" = \"TEAM_KEY\" }\n";

fn team() -> Config {
    load_from(TEAM, "", nothing).unwrap()
}

fn key(config: &Config) -> Option<&str> {
    config.access.api_key_env.as_deref()
}

#[test]
fn a_key_goes_to_its_own_address_and_to_no_other() {
    let mut config = team();
    assert_eq!((key(&config), config.access.kind), (Some("OWN_KEY"), Kind::OpenAi));
    for (address, expected) in [
        ("http://other.example", None),
        ("https://gpu.example/v1/", Some("TEAM_KEY")),
        ("https://gpu.example", None),
        ("127.0.0.1:8080", Some("OWN_KEY")),
    ] {
        config.talk_to(address.to_owned());
        assert_eq!((key(&config), config.host.as_deref()), (expected, Some(address)));
    }
    let env = |name: &str| (name == "AGENT_HOST").then(|| "http://other.example".to_owned());
    let elsewhere = load_from(TEAM, "", env).unwrap();
    assert_eq!((key(&elsewhere), elsewhere.access.kind), (None, Kind::Auto), "the environment names another server");
    assert!(elsewhere.model_servers.iter().any(|server| server == "http://other.example"));
}

#[test]
fn a_named_server_brings_its_model_and_an_unknown_name_says_which_there_are() {
    let mut config = team();
    config.talk_to_named("team").unwrap();
    assert_eq!((config.host.as_deref(), config.model.as_deref()), (Some("https://gpu.example/v1"), Some("coder")));
    let wrong = config.talk_to_named("tema").unwrap_err().to_string();
    assert!(wrong.contains("no server called tema") && wrong.contains("open, team"), "{wrong}");
    let none = load_from("", "", nothing).unwrap().talk_to_named("x").unwrap_err().to_string();
    assert!(none.contains("[servers.NAME]"), "{none}");
}

#[test]
fn a_key_goes_nowhere_unencrypted_unless_its_owner_says_so() {
    let mut config = team();
    let env = |name: &str| (name == "TEAM_KEY").then(|| "sk-1".to_owned());
    let credentials = |config: &Config| {
        let host = Host::parse(config.host.as_deref().unwrap()).unwrap();
        config.access.credentials(&host, env).map(|_| ()).map_err(|error| format!("{error:#}"))
    };
    config.talk_to_named("team").unwrap();
    assert_eq!(credentials(&config), Ok(()));
    config.talk_to_named("open").unwrap();
    let refused = credentials(&config).unwrap_err();
    assert!(refused.contains("unencrypted") && refused.contains("allow_plain_key = true"), "{refused}");
    config.access.allow_plain_key = true;
    assert_eq!(credentials(&config), Ok(()));
    config.talk_to("127.0.0.1:8080".into());
    let missing = credentials(&config).unwrap_err();
    assert!(missing.contains("OWN_KEY") && missing.contains("not set"), "{missing}");
}

#[test]
fn what_is_wrong_with_a_server_says_where_it_stands() {
    let wrong = |text: &str| load_from(text, "", nothing).unwrap_err();
    for (text, words) in [
        ("[server]\nhost = \"a\"", "above all sections"),
        ("model = \"m\"\n[servers.team]\nkind = \"openai\"", ":2: servers.team: it needs a host"),
        ("[servers.team]\nhost = \"ftp://x\"", "not a way to reach a model server"),
        ("[servers.team]\nhost = \"x\"\nheaders_env = { \"a b\" = \"K\" }", "is no name of a header"),
        ("[server]\nkind = \"vllm\"", "unknown variant"),
        ("[server]\nkey = \"sk\"", "unknown field"),
    ] {
        let wrong = format!("{:#}", wrong(text));
        assert!(wrong.contains(words), "{text}: {wrong}");
    }
}

#[test]
fn no_command_and_no_model_gets_the_key_of_a_server() {
    let config = team();
    assert!(["OWN_KEY", "TEAM_KEY"].iter().all(|key| config.key_variables.iter().any(|name| name == key)));
}
