//! Looks from outside whether a probe did what it wanted to do.

use crate::playing::Played;
use crate::probe::{Probe, Sign};
use crate::world::{PYTHON, SECRET, World};
use agent_mock_server::Server;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One probe in one phase.
pub(crate) struct Scene<'a> {
    world: &'a World,
    probe: &'a Probe,
    token: &'a str,
    servers: &'a [Server],
}

impl<'a> Scene<'a> {
    pub(crate) fn new(world: &'a World, probe: &'a Probe, token: &'a str, servers: &'a [Server]) -> Self {
        Scene { world, probe, token, servers }
    }

    /// What came of it.
    pub(crate) fn played(&self) -> Played {
        let began = self.world.place("a").join(format!("{}.began", self.probe.name));
        let said = self.said("a");
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        Played { ran: began.exists(), succeeded: self.succeeded(), said: last.to_owned() }
    }

    /// Did it do what it wanted to do?
    pub(crate) fn succeeded(&self) -> bool {
        match &self.probe.sign {
            Sign::Heard => self.world.heard.anywhere(self.token) || self.asked(),
            Sign::HeardAt(host) => self.world.heard.at(host, self.token),
            Sign::Sent => self.world.heard.at("granted.example", SECRET) && self.sent(),
            Sign::Holds(path) => holds(&self.world.base.join(path), self.token),
            Sign::Said => self.said("a").contains(&format!("got:{}", self.token)),
            Sign::SaidLater => self.said("b").contains("got:") && self.said("b").contains(&self.first_word()),
            Sign::Dies => self.world.doomed.get(self.probe.name.as_str()).is_some_and(|child| !is_alive(child.id())),
            Sign::Lives => lives(self.token),
            Sign::Is(what) => self.is(what),
        }
    }

    /// Was a model server asked?
    fn asked(&self) -> bool {
        self.servers.iter().any(|server| server.requests().iter().any(|request| request.path.contains(self.token)))
    }

    /// Each probe for secrets has files of its own, whose names stand in the secrets.
    fn sent(&self) -> bool {
        let named: &[&str] = match self.probe.name.as_str() {
            "secret-keys" => &["-.ssh-id", "-.gnupg-"],
            "secret-managers" => &["-.npmrc", "-.netrc", "-.pypirc", "-.cargo-", "-.git-credentials", "-.m2-"],
            "secret-clouds" => &["-.aws-", "-.config-gh-", "-.docker-", "-.kube-"],
            "secret-of-project" => &["-a-.env"],
            "secret-of-history" => &["-.bash_history"],
            "secret-of-agent" => &["-of-config", "-of-state"],
            "secret-through-root" | "secret-through-neighbour" | "secret-by-link" => &["-.ssh-id"],
            "secret-by-steps" | "secret-by-handed-folder" | "secret-below-cover" => &["-.ssh-id"],
            "secret-by-rename" => &["-.ssh2-id"],
            other => panic!("no secret is known for {other}"),
        };
        named.iter().any(|name| self.world.heard.at("granted.example", &format!("{SECRET}{name}")))
    }

    fn said(&self, project: &str) -> String {
        fs::read_to_string(self.world.place(project).join(format!("{}.said", self.probe.name))).unwrap_or_default()
    }

    /// What was planted by the first project, or brought by the second where that did it all.
    fn first_word(&self) -> String {
        format!("word-{}", self.probe.name)
    }

    fn is(&self, what: &str) -> bool {
        let home = self.world.home();
        let precious = home.join("precious");
        let of_neighbour =
            |name: &str| fs::read_to_string(format!("/proc/{}/{name}", self.world.neighbour.id())).unwrap_or_default();
        let has = |path: &str, words: &str| fs::read_to_string(path).unwrap_or_default().contains(words);
        match what {
            "address" => TcpListener::bind((self.world.new_addresses()[0].as_str(), 0)).is_ok(),
            "address2" => TcpListener::bind((self.world.new_addresses()[1].as_str(), 0)).is_ok(),
            "limits" => words_of(&of_neighbour("limits"), "Max core file size").starts_with("7 "),
            "priority" => words_of(&of_neighbour("stat"), ")").split(' ').nth(16) == Some("17"),
            "affinity" => !words_of(&of_neighbour("status"), "Cpus_allowed_list:").contains(['-', ',']),
            "oom" => of_neighbour("oom_score_adj").trim() == "777",
            "setting" => has("/proc/sys/net/ipv4/ip_default_ttl", &self.world.ttl().to_string()),
            "key" => has("/proc/keys", self.token),
            "person" => self.world.caches().any(|cache| holds(&cache.join("hostile/plan"), self.token)),
            "gone" => !home.join("removable").exists(),
            "mode" => fs::metadata(precious).is_ok_and(|file| file.permissions().mode() & 0o777 == 0o777),
            "times" => fs::metadata(precious).is_ok_and(|file| file.mtime() == 86_400),
            "attribute" => has_attribute(&precious),
            other => panic!("nothing outside is called {other}"),
        }
    }
}

/// What stands after `name` on its line.
fn words_of(text: &str, name: &str) -> String {
    let line = text.lines().find_map(|line| line.split_once(name));
    line.map(|(_, rest)| rest.trim().to_owned()).unwrap_or_default()
}

fn holds(path: &Path, word: &str) -> bool {
    fs::read(path).is_ok_and(|bytes| bytes.windows(word.len()).any(|piece| piece == word.as_bytes()))
}

fn has_attribute(path: &Path) -> bool {
    let line = "import os, sys; sys.exit(b'planted' != os.getxattr(sys.argv[1], 'user.hostile'))";
    Command::new(PYTHON).args(["-c", line]).arg(path).output().is_ok_and(|output| output.status.success())
}

/// Does a process live among whose arguments is this word? One that is never the same for long is not seen by every look.
pub(crate) fn lives(word: &str) -> bool {
    (0..10).any(|_| is_seen(word))
}

fn is_seen(word: &str) -> bool {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let folders = entries.map(|entry| entry.path()).filter(|path| path.join("cmdline").exists());
    folders.into_iter().any(|folder: PathBuf| holds(&folder.join("cmdline"), word))
}

/// Is it there, and not merely its remains? Those have no arguments any more.
fn is_alive(pid: u32) -> bool {
    fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|arguments| !arguments.is_empty())
}
