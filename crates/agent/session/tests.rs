//! How a session is put together from its settings.

use super::*;

#[test]
fn commands_go_through_the_proxy_of_the_settings_and_reach_no_model_server_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let settings = "host = \"own.example:8080\"\n[sandbox]\nupstream_proxy = \"socks5://proxy.example:1080\"\n";
    std::fs::write(folder.path().join("config.toml"), settings).unwrap();
    let sources = crate::config::Sources {
        user_folder: folder.path(),
        project: folder.path(),
        env: |name: &str| (name == "AGENT_HOST").then(|| "https://used.example".to_owned()),
        faulty: Faulty::Refuse,
    };
    let config = crate::config::load(&sources).unwrap();
    let demo = crate::demo::Demo::start().unwrap();
    let plan = Plan { config, ..demo.plan(&crate::config::load(&sources).unwrap()).unwrap() };
    let Outside { rules, own } = outside(&plan).unwrap();
    assert_eq!(rules.upstream, Some(Upstream::read("socks5://proxy.example:1080").unwrap()));
    let mut refused: Vec<String> = rules.refused.iter().map(ToString::to_string).collect();
    refused.sort();
    refused.dedup();
    assert_eq!(refused, ["own.example:8080", "used.example:443"]);
    assert!(own.iter().any(|folder| folder.ends_with("state")), "{own:?}");
}

#[test]
fn what_a_trusted_project_brings_along_is_started_for_work_alone() {
    for (purpose, counts) in
        [(Purpose::Work, true), (Purpose::Serve, true), (Purpose::Examine, false), (Purpose::Server, false)]
    {
        assert_eq!(Standing::Trusted.counts_for(purpose), counts, "{purpose:?}");
        assert!(!Standing::Unknown(Vec::new()).counts_for(purpose) && !Standing::HeldBack.counts_for(purpose));
    }
}
