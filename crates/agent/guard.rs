//! What stands between a model and the user's things: gathered here, decided in `policy`, held up in `sandbox`.

use crate::config::policy::Rules;
use crate::config::{Config, SandboxMode};
use crate::session::Plan;
use crate::{servers, skills};
use agent_policy::{Grounds, Network, Setup};
use agent_protocol::{HostPattern, SandboxKind, SandboxSupport};
use agent_sandbox::Surroundings;
use anyhow::{Result, anyhow, bail};
use std::path::{Path, PathBuf};

/// Parts of a variable's name that say its value is a secret.
const SECRET: [&str; 8] = ["KEY", "TOKEN", "SECRET", "PASS", "_PWD", "CREDENTIAL", "COOKIE", "_PAT"];
/// Values shorter than this stand in too many texts by chance.
const SHORTEST_SECRET: usize = 8;

/// What holds commands in: what the system can do, unless the user switched it off.
pub(crate) fn sandbox(plan: &Plan) -> SandboxSupport {
    if plan.leave.disposable {
        return SandboxSupport {
            apart: false,
            kind: SandboxKind::Disposable,
            words: crate::disposable::FLAG.into(),
            details: vec![
                "commands can do whatever you can, and nothing is asked; start without the flag to end that".into(),
            ],
        };
    }
    match plan.config.sandbox.mode {
        SandboxMode::Auto => agent_sandbox::probe(),
        SandboxMode::Off => SandboxSupport {
            apart: false,
            kind: SandboxKind::Off,
            words: "in your config".into(),
            details: vec![
                "commands can do whatever you can; `mode = \"auto\"` under `[sandbox]` brings the sandbox back".into(),
            ],
        },
    }
}

/// What the policy of this session starts from.
pub(crate) fn setup(plan: &Plan, sandbox: SandboxKind, trusted: bool, (rules, inside): (Rules, Inside)) -> Setup {
    let Rules { kept, tightened, held_back: _, notices: _ } = rules;
    let (home, own) = (home(), own(plan));
    let Grounds { writable, ports, root: _ } = grounds(plan);
    let (network, hosts) = network(plan);
    let Inside { by_host, private_tmp, temporary } = inside;
    Setup {
        git_folder: agent_tools::outer_git_folder(&plan.project),
        allow_write: plan.allow_write,
        allow_run: plan.allow_run,
        allow_commit: plan.allow_commit,
        allow_call: plan.allow_call,
        allow_net: plan.allow_net,
        allow_write_in: plan.leave.folders.clone(),
        disposable: plan.leave.disposable,
        network,
        hosts,
        by_host,
        private_tmp,
        temporary,
        trusted,
        held_back: plan.config.held_back.clone(),
        sandbox,
        require_sandbox: plan.config.sandbox.require,
        writable,
        ports,
        kept,
        tightened,
        home,
        own,
        memories: ours(plan, "memory.md"),
        readable: ours(plan, skills::FOLDER),
        ..Setup::new(plan.project.clone(), plan.config.mode)
    }
}

/// What the sandbox of this session gives its commands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Inside {
    /// A network of their own.
    by_host: bool,
    /// A `/tmp` of their own.
    private_tmp: bool,
    /// Their temporary folder.
    temporary: Option<PathBuf>,
}

impl Inside {
    /// What `around` has. Where the trial of this system says that all of it can be had, it is made with the first command;
    /// else what there is of it is looked up now.
    pub(crate) fn of(around: &Surroundings, sandbox: &SandboxSupport) -> Self {
        let inside = || around.inside().filter(|_| sandbox.kind == SandboxKind::Kernel);
        let private_tmp = sandbox.apart || inside().is_some_and(|inside| inside.covers().is_ok());
        let by_host = sandbox.apart || inside().is_some();
        Inside { by_host, private_tmp, temporary: Some(resolved(around.temporary())) }
    }
}

/// What commands may reach by config and flags. In a session that is held back only what was said at its start counts; what
/// is denied stays so.
fn network(plan: &Plan) -> (Network, Vec<HostPattern>) {
    let (sandbox, leave) = (&plan.config.sandbox, &plan.leave);
    let held_back = plan.config.held_back.is_some();
    let network = match sandbox.network {
        Network::Deny => Network::Deny,
        Network::Ask | Network::Allow if leave.any_host => Network::Allow,
        Network::Allow if held_back => Network::Ask,
        Network::Ask | Network::Allow => sandbox.network,
    };
    let own = if held_back { &[][..] } else { &sandbox.hosts };
    (network, own.iter().chain(&leave.hosts).cloned().collect())
}

/// The variables of the user's list that commands get, and those that they do not: no command gets the key of an
/// interface, whoever lists it.
pub(crate) fn listed_variables(config: &Config) -> (Vec<String>, Vec<String>) {
    let keys: Vec<&str> = config.key_variables.iter().map(String::as_str).chain(servers::sent(config)).collect();
    let is_key = |name: &String| name.to_ascii_uppercase().ends_with("API_KEY") || keys.contains(&name.as_str());
    config.sandbox.env.iter().cloned().partition(|name| !is_key(name))
}

/// The password of the company's proxy, which no model is to see.
pub(crate) fn proxy_passwords(config: &Config) -> Vec<String> {
    let account = config.sandbox.upstream_proxy.as_deref().and_then(|proxy| proxy.rsplit_once('@'));
    let name = account.map(|(account, _)| account.split_once("://").map_or(account, |(_, name)| name));
    let password = name.and_then(|name| name.split_once(':')).map(|(_, password)| password.to_owned());
    password.filter(|password| password.len() >= SHORTEST_SECRET).into_iter().collect()
}

/// What the variables hold that are named for keys, whatever they are called: no model is to see it.
pub(crate) fn keys_of_servers(config: &Config, env: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let values = config.key_variables.iter().filter_map(|name| env(name));
    values.filter(|value| value.len() >= SHORTEST_SECRET).collect()
}

/// A folder of `--allow write=DIR`, links resolved.
///
/// # Errors
/// Why it cannot be one, for the user.
pub(crate) fn folder_to_write(folder: &Path, plan: &Plan) -> Result<PathBuf> {
    let shown = folder.display();
    let found =
        folder.canonicalize().map_err(|error| anyhow!("--allow write={shown}: {error}; the folder has to be there"))?;
    if !found.is_dir() {
        bail!("--allow write={shown}: that is not a folder");
    }
    if found.parent().is_none() {
        bail!("--allow write={shown}: that is the whole machine; name a folder below");
    }
    if home().is_some_and(|home| home.starts_with(&found)) {
        bail!("--allow write={shown}: that is your home or above it; name a folder below");
    }
    let own = own(plan);
    // What of ours lies in the project is closed there already, whatever is open around it.
    let around = plan.project.starts_with(&found) && plan.project != found;
    let within = |ours: &Path| ours.starts_with(&found) && !(around && ours.starts_with(&plan.project));
    let touches = |ours: &&PathBuf| within(ours) || found.starts_with(ours);
    if let Some(ours) = own.iter().find(touches) {
        bail!("--allow write={shown}: {} belongs to agent itself and stays closed", ours.display());
    }
    Ok(found)
}

/// What the fences of this session have in common.
pub(crate) fn grounds(plan: &Plan) -> Grounds {
    let (home, own, sandbox) = (home(), own(plan), &plan.config.sandbox);
    // Whoever could write there could write rules for the next session. What of ours lies in the project is closed by name,
    // whatever is opened around it.
    let elsewhere = |ours: &&PathBuf| !ours.starts_with(&plan.project);
    let holds_own = |folder: &PathBuf| own.iter().filter(elsewhere).any(|ours| ours.starts_with(folder));
    let writable = sandbox.writable.iter().filter_map(|path| writable(path, home.as_deref()));
    let writable = writable.chain(plan.leave.folders.iter().cloned());
    Grounds {
        root: plan.project.clone(),
        writable: writable.filter(|folder| !holds_own(folder)).collect(),
        ports: sandbox.ports.clone(),
    }
}

/// What to say where a command can write to our own files: the fence leaves the whole project open.
pub(crate) fn lies_within(plan: &Plan) -> Option<String> {
    let ours = own(plan).into_iter().find(|ours| ours.starts_with(&plan.project) && !ours.ends_with(".agent"))?;
    Some(format!(
        "{} lies in this project, so a command you let run could change your own rules; better start in a folder below",
        ours.display()
    ))
}

/// The user's home, links resolved as far as it is there: that of the account where `HOME` is not set or empty.
pub(crate) fn home() -> Option<PathBuf> {
    std::env::home_dir().filter(|home| home.is_absolute()).map(|home| resolved(&home))
}

/// Our own config and state, which nobody touches for a model.
pub(crate) fn own(plan: &Plan) -> Vec<PathBuf> {
    let data = home().map(|home| home.join(".local/share/agent"));
    let folders = [Some(plan.user_folder.clone()), Some(plan.place.folder().to_owned()), data];
    let mut own: Vec<PathBuf> = folders.into_iter().flatten().map(|folder| resolved(&folder)).collect();
    own.push(plan.project.join(".agent"));
    own
}

/// What is called `name` in the user's folder, and in the project's, unless that leads elsewhere: a project does not
/// say what of the user's is its own.
fn ours(plan: &Plan, name: &str) -> Vec<PathBuf> {
    let theirs = plan.project.join(".agent").join(name);
    let theirs = Some(theirs).filter(|path| resolved(path) == *path);
    std::iter::once(resolved(&plan.user_folder.join(name))).chain(theirs).collect()
}

/// `folder` with the links in the part of it that is there followed.
fn resolved(folder: &Path) -> PathBuf {
    if let Ok(there) = folder.canonicalize() {
        return there;
    }
    match (folder.parent(), folder.file_name()) {
        (Some(parent), Some(name)) => resolved(parent).join(name),
        _ => folder.to_owned(),
    }
}

/// A folder of the user's list; what is not there can not be written in either.
fn writable(path: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let whole = match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    };
    whole.canonicalize().ok()
}

/// The values of variables whose names say that they are secrets: never to be seen by a model.
pub(crate) fn secret_values(env: impl Iterator<Item = (String, String)>) -> Vec<String> {
    env.filter(|(name, value)| {
        let name = name.to_ascii_uppercase();
        SECRET.iter().any(|part| name.contains(part))
            && value.len() >= SHORTEST_SECRET
            && !Path::new(value).is_absolute()
    })
    .map(|(_, value)| value)
    .collect()
}

/// Is this a folder nobody would call a project?
pub(crate) fn is_doubtful(project: &Path) -> bool {
    project.parent().is_none() || home().is_some_and(|home| home == project)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Faulty;
    use crate::session::Leave;

    /// These settings of the user's own, for work in `folder/project`.
    fn config(folder: &Path, settings: &str) -> Config {
        let (user, project) = (folder.join("user"), folder.join("project"));
        for made in [&user, &project] {
            std::fs::create_dir_all(made).unwrap();
        }
        std::fs::write(user.join("config.toml"), settings).unwrap();
        let sources = crate::config::Sources {
            user_folder: &user,
            project: &project,
            env: |_: &str| None,
            faulty: Faulty::Refuse,
        };
        crate::config::load(&sources).unwrap()
    }

    /// A plan for that.
    fn plan(folder: &Path, settings: &str) -> Plan {
        let config = config(folder, settings);
        Plan {
            project: folder.join("project").canonicalize().unwrap(),
            user_folder: folder.join("user"),
            ..crate::demo::Demo::start().unwrap().plan(&config).unwrap()
        }
    }

    #[test]
    fn a_folder_to_write_in_is_there_and_holds_neither_the_home_nor_our_own_files() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(folder.path(), "");
        let top = folder.path().canonicalize().unwrap();
        std::fs::create_dir(top.join("data")).unwrap();
        std::fs::write(top.join("file"), "").unwrap();
        std::os::unix::fs::symlink(top.join("data"), top.join("link")).unwrap();
        assert_eq!(folder_to_write(&top.join("link"), &plan).unwrap(), top.join("data"));
        let refused = |path: &Path| folder_to_write(path, &plan).map(drop).unwrap_err().to_string();
        assert!(refused(&top.join("file")).ends_with("that is not a folder"));
        assert!(refused(&top.join("missing")).ends_with("the folder has to be there"));
        for ours in [&top, &top.join("user")] {
            assert!(refused(ours).contains("belongs to agent itself"), "{}", ours.display());
        }
        assert!(refused(Path::new("/")).contains("the whole machine"));
        if let Some(home) = home() {
            assert!(refused(&home).contains("your home or above it"));
        }
    }

    #[test]
    fn commands_may_write_in_a_folder_that_holds_the_project_but_not_in_one_that_holds_our_own_files() {
        let folder = tempfile::tempdir().unwrap();
        let mut plan = plan(folder.path(), "");
        let top = folder.path().canonicalize().unwrap();
        let code = top.join("code");
        std::fs::create_dir_all(code.join("project")).unwrap();
        plan.project = code.join("project");
        plan.leave.folders = vec![code.clone(), top];
        assert_eq!(grounds(&plan).writable, [code], "the other one holds the folder of the settings");
    }

    #[test]
    fn what_commands_reach_by_config_and_flags_is_joined_and_what_is_denied_stays_so() {
        let folder = tempfile::tempdir().unwrap();
        let with = |settings: &str, any_host: bool, held_back: bool| {
            let mut plan = plan(folder.path(), settings);
            plan.leave = Leave { hosts: vec!["flag.example".parse().unwrap()], any_host, ..Leave::default() };
            plan.config.held_back = held_back.then(|| "x".to_owned());
            network(&plan)
        };
        let names = |names: &[&str]| names.iter().map(|name| name.parse().unwrap()).collect::<Vec<_>>();
        let own = "[sandbox]\nnetwork = \"allow\"\nhosts = [\"own.example\"]\n";
        assert_eq!(with(own, false, false), (Network::Allow, names(&["own.example", "flag.example"])));
        assert_eq!(with(own, false, true), (Network::Ask, names(&["flag.example"])), "what was said now counts");
        assert_eq!(with("", true, true).0, Network::Allow);
        assert_eq!(with("", false, false).0, Network::Ask);
        assert_eq!(with("[sandbox]\nnetwork = \"deny\"\n", true, false).0, Network::Deny);
    }

    #[test]
    fn no_command_gets_the_variable_of_a_key_though_it_is_listed() {
        let folder = tempfile::tempdir().unwrap();
        let settings = "[sandbox]\nenv = [\"EDITION\", \"SOME_API_KEY\", \"my_api_key\", \"SEARCH\", \"NOTES\", \"HEADER\"]\n\
                        [web]\ntavily_key = \"$SEARCH\"\n\
                        [mcp.far]\nurl = \"https://notes.example/mcp\"\nbearer_env = \"NOTES\"\nheaders_env = { A = \"HEADER\" }\n";
        let (given, kept_back) = listed_variables(&config(folder.path(), settings));
        assert_eq!(given, ["EDITION"]);
        assert_eq!(kept_back, ["SOME_API_KEY", "my_api_key", "SEARCH", "NOTES", "HEADER"]);
    }

    #[test]
    fn the_password_of_a_proxy_is_a_secret() {
        let folder = tempfile::tempdir().unwrap();
        let passwords = |proxy: &str| {
            let settings = format!("[sandbox]\nupstream_proxy = \"{proxy}\"\n");
            proxy_passwords(&config(folder.path(), &settings))
        };
        let long = "long:enough";
        assert_eq!(passwords(&format!("http://me:{long}@proxy.example:3128")), [long]);
        assert_eq!(passwords("socks5://me@proxy.example:1080"), Vec::<String>::new());
        assert_eq!(passwords("http://proxy.example:3128"), Vec::<String>::new());
    }

    #[test]
    fn a_value_is_a_secret_by_its_variables_name() {
        let env = [
            ("GITHUB_TOKEN", "ghp_0123456789"),
            ("my_api_key", "abcdefghij"),
            ("AWS_SECRET_ACCESS_KEY", "abc123secret"),
            ("HOME", "/home/me/and/more"),
            ("SSH_KEY_FILE", "/home/me/.ssh/id"),
            ("KEYMAP", "us"),
        ];
        let values = secret_values(env.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(values, ["ghp_0123456789", "abcdefghij", "abc123secret"]);
    }

    #[test]
    fn a_folder_that_is_not_there_yet_is_resolved_as_far_as_it_goes() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        std::os::unix::fs::symlink(&top, top.join("link")).unwrap();
        assert_eq!(resolved(&top.join("link/new/deep")), top.join("new/deep"));
    }

    #[test]
    fn the_persons_list_may_begin_with_a_tilde_and_what_is_not_there_is_left_out() {
        let home = tempfile::tempdir().unwrap();
        let top = home.path().canonicalize().unwrap();
        std::fs::create_dir(top.join("cache")).unwrap();
        assert_eq!(writable(Path::new("~/cache"), Some(&top)), Some(top.join("cache")));
        assert_eq!(writable(Path::new("~/missing"), Some(&top)), None);
    }
}
