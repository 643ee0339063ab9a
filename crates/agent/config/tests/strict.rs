//! Which side of each setting is the stricter one: a project's file moves to that side or nowhere, and no file that cannot
//! be read moves to the other.

use super::*;
use std::collections::BTreeSet;

/// What a setting has to do with safety. Each text is a whole layer.
enum Side {
    /// One side is stricter, and a project may ask for it.
    Tightens { strict: &'static str, lax: &'static str },
    /// The list of a project narrows the user's own.
    Narrows(&'static str),
    /// One side is stricter, and only the user's own file decides.
    Yours { strict: &'static str, lax: &'static str },
    /// Neither side is; only the user's own file decides.
    Neither(&'static str),
    /// What a project says stands apart from the user's own, and counts only once it was approved.
    Apart(&'static str),
}

const fn tightens(strict: &'static str, lax: &'static str) -> Side {
    Side::Tightens { strict, lax }
}

const fn yours(strict: &'static str, lax: &'static str) -> Side {
    Side::Yours { strict, lax }
}

const TABLE: &[(&str, Side)] = &[
    ("host", Side::Neither("host = \"there:1\"")),
    ("proxy", yours("proxy = false", "proxy = true")),
    ("model", Side::Neither("model = \"m\"")),
    ("num_ctx", Side::Neither("num_ctx = 4096")),
    ("keep_alive", Side::Neither("keep_alive = \"1m\"")),
    ("release_on_exit", Side::Neither("release_on_exit = true")),
    ("think", Side::Neither("think = \"high\"")),
    ("mode", tightens("mode = \"plan\"", "mode = \"unsafe\"")),
    ("server.kind", Side::Neither("[server]\nkind = \"ollama\"")),
    ("server.api_key_env", Side::Neither("[server]\napi_key_env = \"KEY\"")),
    ("server.headers_env", Side::Neither("[server]\nheaders_env = { A = \"KEY\" }")),
    ("server.allow_plain_key", yours("[server]\nallow_plain_key = false", "[server]\nallow_plain_key = true")),
    ("servers.*.host", Side::Neither("[servers.x]\nhost = \"x.example\"")),
    ("servers.*.kind", Side::Neither("[servers.x]\nhost = \"x.example\"\nkind = \"openai\"")),
    ("servers.*.api_key_env", Side::Neither("[servers.x]\nhost = \"x.example\"\napi_key_env = \"KEY\"")),
    ("servers.*.headers_env", Side::Neither("[servers.x]\nhost = \"x.example\"\nheaders_env = { A = \"KEY\" }")),
    (
        "servers.*.allow_plain_key",
        yours("[servers.x]\nhost = \"x.example\"", "[servers.x]\nhost = \"x.example\"\nallow_plain_key = true"),
    ),
    ("servers.*.model", Side::Neither("[servers.x]\nhost = \"x.example\"\nmodel = \"m\"")),
    ("options.*", Side::Neither("[options]\ntemperature = 0.1")),
    ("limits.steps", tightens("[limits]\nsteps = 5", "[limits]\nsteps = 500")),
    ("limits.repeats", tightens("[limits]\nrepeats = 2", "[limits]\nrepeats = 20")),
    ("limits.alternations", tightens("[limits]\nalternations = 2", "[limits]\nalternations = 20")),
    ("limits.same_words", tightens("[limits]\nsame_words = 20", "[limits]\nsame_words = 200")),
    ("tools.mode", Side::Neither("[tools]\nmode = \"text\"")),
    ("checks.command", Side::Neither("[checks]\ncommand = \"make check\"")),
    ("checks.rounds", Side::Neither("[checks]\nrounds = 9")),
    ("harness.check_rounds", Side::Neither("[harness]\ncheck_rounds = 1")),
    ("harness.attempts", Side::Neither("[harness]\nattempts = 3")),
    ("harness.edit", Side::Neither("[harness]\nedit = \"whole\"")),
    ("harness.syntax", Side::Neither("[harness]\nsyntax = \"refuse\"")),
    ("harness.whole_file_lines", Side::Neither("[harness]\nwhole_file_lines = 50")),
    ("harness.read_lines", Side::Neither("[harness]\nread_lines = 90")),
    ("harness.search_hits", Side::Neither("[harness]\nsearch_hits = 9")),
    ("harness.working_tokens", Side::Neither("[harness]\nworking_tokens = 9000")),
    ("harness.fold_output", Side::Neither("[harness]\nfold_output = false")),
    ("harness.think_tokens", Side::Neither("[harness]\nthink_tokens = 900")),
    ("harness.facts", Side::Neither("[harness]\nfacts = false")),
    ("harness.unmade_changes", Side::Neither("[harness]\nunmade_changes = false")),
    ("harness.looks", Side::Neither("[harness]\nlooks = 3")),
    ("harness.idle", Side::Neither("[harness]\nidle = 3")),
    ("harness.longest_call", Side::Neither("[harness]\nlongest_call = 900")),
    ("harness.few_tools", Side::Neither("[harness]\nfew_tools = true")),
    ("harness.blocks", Side::Neither("[harness]\nblocks = true")),
    ("harness.diagnostics", Side::Neither("[harness]\ndiagnostics = false")),
    ("tools.groups", Side::Narrows("[tools]\ngroups = [\"core\"]")),
    ("tools.core", Side::Narrows("[tools]\ncore = [\"read_file\"]")),
    ("tools.exclude", Side::Narrows("[tools]\nexclude = [\"run_command\"]")),
    ("sandbox.mode", yours("[sandbox]\nmode = \"auto\"", "[sandbox]\nmode = \"off\"")),
    ("sandbox.require", tightens("[sandbox]\nrequire = true", "[sandbox]\nrequire = false")),
    ("sandbox.writable", yours("[sandbox]\nwritable = []", "[sandbox]\nwritable = [\"/srv\"]")),
    ("sandbox.network", tightens("[sandbox]\nnetwork = \"deny\"", "[sandbox]\nnetwork = \"allow\"")),
    ("sandbox.hosts", yours("[sandbox]\nhosts = []", "[sandbox]\nhosts = [\"packages.example\"]")),
    ("sandbox.upstream_proxy", Side::Neither("[sandbox]\nupstream_proxy = \"http://proxy.example:3128\"")),
    ("sandbox.ports", yours("[sandbox]\nports = []", "[sandbox]\nports = [22]")),
    ("sandbox.env", yours("[sandbox]\nenv = []", "[sandbox]\nenv = [\"TOKEN\"]")),
    ("sandbox.cache_gb", yours("[sandbox]\ncache_gb = 0", "[sandbox]\ncache_gb = 9")),
    ("undo.enabled", yours("[undo]\nenabled = true", "[undo]\nenabled = false")),
    ("undo.max_file_mb", yours("[undo]\nmax_file_mb = 9", "[undo]\nmax_file_mb = 2")),
    ("undo.max_files", yours("[undo]\nmax_files = 99999", "[undo]\nmax_files = 2")),
    ("undo.budget_mb", yours("[undo]\nbudget_mb = 999", "[undo]\nbudget_mb = 2")),
    ("undo.keep_days", yours("[undo]\nkeep_days = 99", "[undo]\nkeep_days = 2")),
    ("undo.store_mb", yours("[undo]\nstore_mb = 9999", "[undo]\nstore_mb = 2")),
    ("mcp.*.command", yours("", "[mcp.x]\ncommand = [\"x\"]")),
    ("mcp.*.env", yours("[mcp.x]\ncommand = [\"x\"]", "[mcp.x]\ncommand = [\"x\"]\nenv = [\"KEY\"]")),
    ("mcp.*.timeout", Side::Neither("[mcp.x]\ncommand = [\"x\"]\ntimeout = 5")),
    ("mcp.*.enabled", yours("[mcp.x]\ncommand = [\"x\"]\nenabled = false", "[mcp.x]\ncommand = [\"x\"]")),
    ("mcp.*.url", yours("", "[mcp.x]\nurl = \"https://x.example/\"")),
    ("mcp.*.bearer_env", Side::Neither("[mcp.x]\nurl = \"https://x.example/\"\nbearer_env = \"KEY\"")),
    ("mcp.*.headers_env", Side::Neither("[mcp.x]\nurl = \"https://x.example/\"\nheaders_env = { A = \"KEY\" }")),
    ("web.provider", Side::Neither("[web]\nprovider = \"ollama\"")),
    ("web.tavily_key", Side::Neither("[web]\ntavily_key = \"$NONE\"")),
    ("web.google_key", Side::Neither("[web]\ngoogle_key = \"$NONE\"")),
    ("web.google_cx", Side::Neither("[web]\ngoogle_cx = \"$NONE\"")),
    ("web.ollama_key", Side::Neither("[web]\nollama_key = \"$NONE\"")),
    ("web.searxng", Side::Neither("[web]\nsearxng = \"http://127.0.0.1:8888\"")),
    ("sessions.enabled", tightens("[sessions]\nenabled = false", "[sessions]\nenabled = true")),
    ("screen.mouse", Side::Neither("[screen]\nmouse = false")),
    ("screen.colour", Side::Neither("[screen]\ncolour = \"never\"")),
    ("composer.vim", Side::Neither("[composer]\nvim = true")),
    ("screen.theme", Side::Neither("[screen]\ntheme = \"light\"")),
    ("screen.screen_reader", Side::Neither("[screen]\nscreen_reader = true")),
    ("screen.reduced_motion", Side::Neither("[screen]\nreduced_motion = true")),
    ("screen.inline", Side::Neither("[screen]\ninline = true")),
    ("screen.notify", Side::Neither("[screen]\nnotify = \"bell\"")),
    ("screen.title", Side::Neither("[screen]\ntitle = false")),
    ("lsp.*.command", yours("", "[lsp.x]\ncommand = [\"x\"]\nextensions = [\"x\"]")),
    ("lsp.*.extensions", Side::Neither("[lsp.x]\ncommand = [\"x\"]\nextensions = [\"y\"]")),
    ("hooks", Side::Apart("[[hooks]]\nevent = \"pre_tool\"\ncommand = \"x\"")),
    ("keys.*", Side::Neither("[keys]\ndetails = \"f5\"")),
];

/// Sections of later versions, which no project may set either.
const LATER: [(&str, &str); 2] =
    [("checks", "[checks]\ntest = \"make test\""), ("check", "check = [\"make\", \"test\"]")];

/// The keys of the built-in file, those that anybody may name by a star.
fn keys() -> BTreeSet<String> {
    let text: String = spelled_out();
    let table: toml::Table = text.parse().unwrap();
    let mut keys = BTreeSet::new();
    for (name, value) in &table {
        let toml::Value::Table(section) = value else {
            keys.insert(name.clone());
            continue;
        };
        for (key, value) in section {
            match (name.as_str(), value) {
                ("options" | "keys", _) => drop(keys.insert(format!("{name}.*"))),
                ("mcp" | "lsp" | "servers", toml::Value::Table(one)) => {
                    keys.extend(one.keys().map(|key| format!("{name}.*.{key}")))
                }
                _ => drop(keys.insert(format!("{name}.{key}"))),
            }
        }
    }
    keys
}

/// All that counts of settings, without what is only told.
fn counting(user: &str, project: &str) -> Config {
    let config = load_from(user, project, nothing).unwrap_or_else(|error| panic!("{user}\n{project}\n{error}"));
    Config { files: Vec::new(), notices: Vec::new(), held_back: None, ..config }
}

/// The same where nothing but the project's tools could differ.
fn without_selections(config: Config) -> Config {
    Config { selections: Vec::new(), ..config }
}

/// In front of a layer that cannot be read whole.
const BROKEN: &str = "nothing_knows_this = 1\n";

/// What is left of `mode = "unsafe"` where the session is held back.
fn held_back(config: Config) -> Config {
    let asks_less = matches!(config.mode, Mode::AcceptEdits | Mode::Unsafe);
    let mode = if asks_less { Mode::Safe } else { config.mode };
    Config { mode, ..config }
}

#[test]
fn every_key_has_a_row() {
    let rows: BTreeSet<String> = TABLE.iter().map(|(key, _)| (*key).to_owned()).collect();
    assert_eq!(rows, keys());
    assert_eq!(rows.len(), TABLE.len(), "each once");
}

#[test]
fn a_projects_file_moves_to_the_stricter_side_or_nowhere() {
    for (key, side) in TABLE {
        match side {
            Side::Tightens { strict, lax } => {
                let strictly = without_selections(counting(strict, ""));
                assert_ne!(strictly, without_selections(counting(lax, "")), "{key}: the two sides differ");
                assert_eq!(without_selections(counting(lax, strict)), strictly, "{key}: it may tighten");
                assert_eq!(without_selections(counting(strict, lax)), strictly, "{key}: it may not loosen");
            }
            Side::Narrows(list) => {
                let narrowed = counting("", list).selections;
                assert_eq!(narrowed[0], Selection::default(), "{key}: the user's own choice stands");
                assert_eq!(narrowed[1..], counting(list, "").selections[..1], "{key}: and is narrowed");
            }
            Side::Yours { strict, lax } => {
                assert_ne!(counting(strict, ""), counting(lax, ""), "{key}: the two sides differ");
                for (user, project) in [(strict, lax), (lax, strict)] {
                    let (with, without) = (counting(user, project), counting(user, ""));
                    assert_eq!(without_selections(with), without_selections(without), "{key}: it changes nothing");
                }
            }
            Side::Neither(value) => {
                let without = without_selections(counting("", ""));
                assert_eq!(without_selections(counting("", value)), without, "{key}: it changes nothing");
            }
            Side::Apart(value) => {
                let (yours, theirs) = (counting(value, ""), counting("", value));
                assert_eq!((yours.hooks.len(), theirs.hooks.len()), (1, 0), "{key}");
                assert_eq!((yours.project_hooks.len(), theirs.project_hooks.len()), (0, 1), "{key}");
                let alone = Config { project_hooks: Vec::new(), ..theirs };
                assert_eq!(without_selections(alone), without_selections(counting("", "")), "{key}: nothing else");
            }
        }
    }
}

#[test]
fn what_a_project_could_not_set_is_named() {
    for (key, side) in TABLE {
        let (user, project) = match side {
            Side::Tightens { strict, lax } | Side::Yours { strict, lax } => (strict, lax),
            Side::Neither(value) => (&"", value),
            Side::Narrows(_) | Side::Apart(_) => continue,
        };
        // To require nothing is refused with a word as well.
        let notices = load_from(user, project, nothing).unwrap().notices;
        let name = key.split(".*").next().unwrap();
        let section = name.split('.').next().unwrap();
        assert!(notices.iter().any(|said| said.contains(name) || said.contains(section)), "{key}: {notices:?}");
    }
}

#[test]
fn what_a_later_version_knows_is_told_and_passed_over_in_a_projects_file_and_a_fault_in_ones_own() {
    for (name, layer) in LATER {
        // What stands behind it still counts.
        for text in [layer.to_owned(), format!("{layer}\n[limits]\nsteps = 5\n")] {
            let config = load_from("", &text, nothing).unwrap();
            assert_eq!(config.held_back, None, "{text}");
            assert!(config.notices.len() == 1 && config.notices[0].contains(name), "{text}: {:?}", config.notices);
            let expected = if text == layer { counting("", "") } else { counting("", "[limits]\nsteps = 5\n") };
            assert_eq!(without_selections(counting("", &text)), without_selections(expected), "{text}");
        }
        let error = load_from(&format!("\n{layer}"), "", nothing).map(drop).unwrap_err().to_string();
        assert!(error.contains(&format!("user/config.toml:2: unknown field `{name}")), "{layer}: {error}");
    }
    let error = load_from("hoks = 1\n", "", nothing).map(drop).unwrap_err().to_string();
    assert!(error.contains("did you mean `hooks`"), "{error}");
}

#[test]
fn a_project_asks_for_nothing_but_that_no_command_reaches_the_net() {
    for (user, project, expected) in [
        ("allow", "ask", Network::Allow),
        ("deny", "ask", Network::Deny),
        ("ask", "allow", Network::Ask),
        ("ask", "deny", Network::Deny),
    ] {
        let network = |value: &str| format!("[sandbox]\nnetwork = \"{value}\"\n");
        let config = load_from(&network(user), &network(project), nothing).unwrap();
        assert_eq!(config.sandbox.network, expected, "{user}, {project}");
        let told = config.notices.iter().any(|said| said.contains(&format!("sandbox.network = \"{project}\"")));
        assert_eq!(told, project != "deny", "{:?}", config.notices);
    }
}

#[test]
fn a_host_that_nobody_could_reach_is_a_fault_where_it_is_written() {
    for (text, place) in [
        ("[sandbox]\nhosts = [\"docs.example\", \"*.example\"]\n", "2:"),
        ("[sandbox]\nhosts = [\"https://docs.example/\"]\n", "2:"),
        ("[sandbox]\n\nupstream_proxy = \"proxy.example\"\n", "3:"),
        ("[sandbox]\n\nupstream_proxy = \"https://proxy.example:1\"\n", "3:"),
        ("[sandbox]\nupstream_proxy = \"http://proxy.example:3128/path\"\n", "2:"),
        ("[sandbox]\nnetwork = \"of course\"\n", "2:"),
    ] {
        let error = load_from(text, "", nothing).map(drop).unwrap_err().to_string();
        assert!(error.contains(&format!("user/config.toml:{place}")), "{text}: {error}");
    }
    let config = load_from("[sandbox]\nhosts = [\"Docs.Example.\", \".example:8443\"]\n", "", nothing).unwrap();
    let hosts: Vec<String> = config.sandbox.hosts.iter().map(ToString::to_string).collect();
    assert_eq!(hosts, ["docs.example", ".example:8443"]);
    for proxy in ["me:secret@proxy.example:1", "ftp://me:secret@proxy.example:1"] {
        let text = format!("[sandbox]\nupstream_proxy = \"{proxy}\"\n");
        let error = load_from(&text, "", nothing).map(drop).unwrap_err().to_string();
        assert!(error.contains("write it like http://proxy.example:3128") && !error.contains("secret"), "{error}");
    }
}

#[test]
fn a_projects_file_that_cannot_be_read_never_moves_to_the_laxer_side() {
    let broken = |layer: &str| format!("{BROKEN}{layer}");
    for (key, side) in TABLE {
        let (strict, lax) = match side {
            Side::Tightens { strict, lax } => {
                let strictly = held_back(without_selections(counting(strict, "")));
                let still = without_selections(counting(lax, &broken(strict)));
                assert_eq!(still, strictly, "{key}: what can be read still tightens");
                (strict, lax)
            }
            Side::Narrows(list) => {
                assert_eq!(counting("", &broken(list)).selections, counting("", list).selections, "{key}");
                continue;
            }
            Side::Yours { strict, lax } => (strict, lax),
            Side::Neither(value) | Side::Apart(value) => (&"", value),
        };
        for project in [broken(lax), "[[[".to_owned()] {
            let left = without_selections(counting(strict, &project));
            assert_eq!(left, held_back(without_selections(counting(strict, ""))), "{key}: {project}");
        }
    }
}

#[test]
fn a_file_of_ones_own_that_cannot_be_read_stops_the_start_whatever_else_it_says() {
    for (key, side) in TABLE {
        let (Side::Tightens { strict: layer, .. } | Side::Yours { lax: layer, .. }) = side else { continue };
        let error = load_from(&format!("{BROKEN}{layer}"), "", nothing).map(drop).unwrap_err().to_string();
        assert!(error.contains("user/config.toml:1:1: unknown field `nothing_knows_this`"), "{key}: {error}");
    }
}

#[test]
fn a_value_of_the_wrong_kind_is_found_at_every_key() {
    for key in keys().iter().filter(|key| *key != "options.*") {
        let whole = key.replace(".*.", ".x.").replace(".*", ".details");
        let error =
            load_from(&format!("\n{whole} = [[{{ a = 1 }}]]\n"), "", nothing).map(drop).unwrap_err().to_string();
        assert!(error.contains("user/config.toml:2:") && !error.contains('\n'), "{key}: {error}");
    }
}

#[test]
fn a_key_that_nobody_knows_is_found_in_every_table_and_the_nearest_is_named() {
    for (text, place, meant) in [
        ("modle = \"m\"\n", "1:1", "model"),
        ("[limits]\nstep = 3\n", "2:1", "steps"),
        ("[tools]\nexlude = [\"a\"]\n", "2:1", "exclude"),
        ("[sandbox]\nrequired = true\n", "2:1", "require"),
        ("[sandbx]\nrequire = true\n", "1:2", "sandbox"),
        ("sandbox.requires = true\n", "1:9", "require"),
        ("sandbox = { requires = true }\n", "1:13", "require"),
        ("[undo]\nenable = true\n", "2:1", "enabled"),
        ("[sessions]\nenable = false\n", "2:1", "enabled"),
        ("[web]\ntavily = \"x\"\n", "2:1", "tavily_key"),
        ("[screen]\nmouze = true\n", "2:1", "mouse"),
        ("[mcp.x]\ncomand = [\"x\"]\n", "2:1", "command"),
        ("[lsp.x]\ncomand = [\"x\"]\nextensions = [\"x\"]\n", "2:1", "command"),
        ("[keys]\ndetals = \"f2\"\n", "2", "details"),
        ("[[hooks]]\nevent = \"pre_tol\"\ncommand = \"x\"\n", "2:9", "pre_tool"),
        ("[[hooks]]\nevnt = \"pre_tool\"\ncommand = \"x\"\n", "2:1", "event"),
        ("mode = \"saef\"\n", "1:8", "safe"),
        ("[tools]\nmode = \"nativ\"\n", "2:8", "native"),
    ] {
        let error = load_from(text, "", nothing).map(drop).unwrap_err().to_string();
        assert!(error.contains(&format!("user/config.toml:{place}: ")), "{text}: {error}");
        assert!(error.replace('`', "").contains(&format!("did you mean {meant}?")), "{text}: {error}");
        assert!(!error.contains("expected one of"), "the nearest is enough: {error}");
        let config = load_from("mode = \"unsafe\"\n", text, nothing).unwrap();
        let fault = config.held_back.expect("a project's file holds back");
        assert!(fault.contains(&format!(".agent/config.toml:{place}: ")), "{fault}");
        assert_eq!(config.mode, Mode::Safe);
    }
}

#[test]
fn a_project_that_is_held_back_is_told_in_one_line() {
    let config = load_from("mode = \"unsafe\"\n", "[limits]\nsteps = 7\nsandbx = 1\n", nothing).unwrap();
    assert_eq!((config.mode, config.limits.steps, config.notices.len()), (Mode::Safe, 7, 1));
    let told = &config.notices[0];
    assert!(told.contains(".agent/config.toml:3:1: unknown field `sandbx`") && !told.contains('\n'), "{told}");
    assert!(told.contains("unsafe mode (also by --unsafe), your lasting rules and what the project brings"), "{told}");
    for text in ["mode = \"\u{0}", "a = \u{1}", "[[[", "mode = \"safe", "mode = [\n\"a\"\n"] {
        let config = load_from("", text, nothing).unwrap();
        assert!(config.held_back.is_some() && config.notices.len() == 1, "{text:?}");
        assert!(!config.notices[0].contains('\n'), "{:?}", config.notices);
    }
}

#[test]
fn what_is_no_text_or_no_file_is_a_fault_as_well() {
    let folder = folders("", "");
    let (user, project) = (folder.path().join("user"), folder.path().join("project"));
    let sources = Sources { user_folder: &user, project: &project, env: nothing, faulty: Faulty::Refuse };
    let theirs = project.join(".agent/config.toml");
    fs::write(&theirs, b"mode = \"safe\"\n# caf\xe9\n").unwrap();
    let fault = load(&sources).unwrap().held_back.unwrap();
    assert!(fault.ends_with(".agent/config.toml:2:6: this is no UTF-8 text"), "{fault}");
    fs::remove_file(&theirs).unwrap();
    fs::create_dir(&theirs).unwrap();
    assert!(load(&sources).unwrap().held_back.unwrap().starts_with("cannot read "));
    fs::remove_dir(&theirs).unwrap();
    assert_eq!(load(&sources).unwrap().held_back, None);
    fs::write(user.join("config.toml"), b"\xff").unwrap();
    let error = load(&sources).map(drop).unwrap_err().to_string();
    assert!(error.ends_with("user/config.toml:1:1: this is no UTF-8 text"), "{error}");
}
