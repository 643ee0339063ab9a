//! A home, a project of one kind, and the environment that both have: what a person's machine would have, and nothing of
//! the one that this runs on but its programs.

use crate::cases::{self, Mode, Row};
use crate::registry::Registry;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// By which programs find the authority that signed for the registries; a company's machine has the same.
const AUTHORITIES: [&str; 7] = [
    "SSL_CERT_FILE",
    "PIP_CERT",
    "NODE_EXTRA_CA_CERTS",
    "CARGO_HTTP_CAINFO",
    "GIT_SSL_CAINFO",
    "CURL_CA_BUNDLE",
    "npm_config_cafile",
];

/// Set where the sandbox is switched off, which shows that the hostile rows can fail.
const OFF: &str = "AGENT_BATTERY_NO_SANDBOX";

/// A home and a project.
pub(crate) struct Stage {
    folder: TempDir,
    authority: Option<PathBuf>,
}

impl Stage {
    /// Makes the project called `name`; without what it needs: the name of that.
    pub(crate) fn set(name: &str, registry: Option<&Registry>) -> Result<Self, String> {
        let project = cases::project(name);
        project.missing().map_or(Ok(()), Err)?;
        let folder = tempfile::Builder::new().prefix("everyday-").tempdir().unwrap();
        let stage = Stage { folder, authority: registry.map(Registry::authority) };
        for place in ["home/config/agent", "home/config/go", "code/project", "tmp"] {
            std::fs::create_dir_all(stage.top().join(place)).unwrap();
        }
        for (path, text) in &project.files {
            let path = stage.project().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        std::fs::write(stage.top().join("home/config/go/env"), "GOSUMDB=off\n").unwrap();
        std::fs::write(stage.top().join("home/config/agent/config.toml"), settings(registry)).unwrap();
        for line in &project.before {
            let mut shell = Command::new("/bin/sh");
            shell.env_clear().envs(stage.environment()).args(["-c", line]).current_dir(stage.project());
            assert!(shell.stdin(Stdio::null()).status().unwrap().success(), "{name}: {line}");
        }
        Ok(stage)
    }

    /// Links resolved.
    pub(crate) fn top(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.top().join("code/project")
    }

    /// The arguments for `row` in `mode`.
    pub(crate) fn arguments(&self, row: &Row, mode: Mode) -> Vec<String> {
        let mut words: Vec<String> = ["--model", "m", "--trust"].map(String::from).into();
        match mode {
            Mode::Safe => {}
            Mode::Unsafe => words.push("--unsafe".into()),
            Mode::Alone => {
                words.extend(["-p", "go", "--allow", "run", "--allow", "write"].map(String::from));
                if row.net && knows("hosts=") {
                    words.extend(["--allow", "hosts=any"].map(String::from));
                }
                let pairs =
                    row.flags.chunks(2).filter(|pair| pair.iter().all(|word| !word.contains('=') || knows("write=")));
                words.extend(
                    pairs.flatten().map(|flag| flag.replace("{top}", self.top().join("code").to_str().unwrap())),
                );
            }
        }
        words
    }

    pub(crate) fn environment(&self) -> Vec<(String, String)> {
        let home = self.top().join("home");
        let own = |name: &str| home.join(name).display().to_string();
        let mut all: Vec<(String, String)> = vec![
            ("HOME".into(), home.display().to_string()),
            ("TMPDIR".into(), self.top().join("tmp").display().to_string()),
            ("XDG_CONFIG_HOME".into(), own("config")),
            ("XDG_STATE_HOME".into(), own("state")),
            ("PATH".into(), std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".into())),
            ("TERM".into(), "xterm-256color".into()),
            ("LANG".into(), "C.UTF-8".into()),
        ];
        // Programs that find their own home by that of the user.
        let theirs = [("RUSTUP_HOME", ".rustup"), ("PYENV_ROOT", ".pyenv"), ("NVM_DIR", ".nvm")];
        let real = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
        for (name, usual) in theirs {
            let place = std::env::var_os(name).map_or_else(|| real.join(usual), PathBuf::from);
            if place.is_dir() {
                all.push((name.into(), place.display().to_string()));
            }
        }
        if let Some(authority) = &self.authority {
            all.extend(AUTHORITIES.map(|name| (name.to_owned(), authority.display().to_string())));
        }
        all
    }
}

/// The user's own settings: the certificates, and the company's proxy where the binary knows of such.
fn settings(registry: Option<&Registry>) -> String {
    let listed = AUTHORITIES.map(|name| format!("{name:?}")).join(", ");
    let proxy = registry.filter(|_| knows_proxies()).map(Registry::proxy);
    let proxy = proxy.map(|proxy| format!("upstream_proxy = {proxy:?}\n")).unwrap_or_default();
    let off = if std::env::var_os(OFF).is_some() { "mode = \"off\"\n" } else { "" };
    format!("[sandbox]\n{off}env = [{listed}]\n{proxy}")
}

/// The binary that is tried.
pub(crate) fn binary() -> PathBuf {
    std::env::var_os("AGENT_BATTERY_BINARY").map_or_else(|| env!("CARGO_BIN_EXE_agent").into(), PathBuf::from)
}

/// Does the binary speak of `word` where it lists its flags? `hosts=` and `write=` are newer than it may be.
pub(crate) fn knows(word: &str) -> bool {
    static HELP: OnceLock<String> = OnceLock::new();
    let help = HELP.get_or_init(|| {
        let help = Command::new(binary()).arg("--help").output().unwrap();
        String::from_utf8_lossy(&help.stdout).into_owned()
    });
    help.contains(word)
}

/// Does the binary have `[sandbox] upstream_proxy`?
fn knows_proxies() -> bool {
    static KNOWS: OnceLock<bool> = OnceLock::new();
    *KNOWS.get_or_init(|| {
        let home = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let config = home.path().join("config/agent");
        std::fs::create_dir_all(&config).unwrap();
        std::fs::write(config.join("config.toml"), "[sandbox]\nupstream_proxy = \"http://127.0.0.1:9\"\n").unwrap();
        let mut doctor = Command::new(binary());
        doctor.env_clear().env("HOME", home.path()).env("XDG_CONFIG_HOME", home.path().join("config"));
        doctor.env("AGENT_HOST", "127.0.0.1:1").args(["doctor", "--no-probes"]).current_dir(home.path());
        let said = doctor.stdin(Stdio::null()).output().unwrap();
        let said = [said.stdout, said.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        !said.contains("unknown field `upstream_proxy`") && !said.contains("upstream_proxy`")
    })
}
