//! `--no-sandbox-no-questions`: may this machine be thrown away?
//!
//! In CI and in containers that is taken for granted. Elsewhere a person has to say so, in a word that nobody types by chance.

use crate::config::Config;
use agent_protocol::Mode;
use anyhow::{Context, Result, bail};
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

pub(crate) const FLAG: &str = "--no-sandbox-no-questions";

/// What has to be typed.
const WORD: &str = "disposable";

/// Variables that are set in CI and in containers, and in few other places.
const SET: [&str; 3] = ["CI", "container", "KUBERNETES_SERVICE_HOST"];

/// Files that container programs leave in each container.
const MARKS: [&str; 2] = [".dockerenv", "run/.containerenv"];

/// How the control groups of a container's first process begin.
const GROUPS: [&str; 9] =
    ["docker", "kubepods", "cri-containerd", "containerd", "libpod", "podman", "lxc", "crio", "buildkit"];

/// Makes sure that nothing speaks against it.
///
/// # Errors
/// What does, for the user.
pub(crate) fn agree(config: &Config) -> Result<()> {
    contradiction(config)?;
    if is_made_to_go(|name| std::env::var(name).ok(), Path::new("/")) {
        return Ok(());
    }
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        bail!(
            "{FLAG}: this is no container and no CI as far as can be told, and without a terminal nobody can type `{WORD}`; \
             leave the flag out, or set CI=true where that is so"
        );
    }
    // Locked for as long as one line takes: what is typed after it is for whoever comes next.
    confirm(&mut io::stdin().lock(), &mut io::stderr())
}

/// What may have been meant to forbid it.
///
/// # Errors
/// The session is held back, for a file that cannot be read may say just that.
pub(crate) fn is_readable(config: &Config) -> Result<()> {
    match &config.held_back {
        Some(fault) => bail!("{FLAG} is refused while this session is held back: {fault}"),
        None => Ok(()),
    }
}

/// Settings that want the opposite.
fn contradiction(config: &Config) -> Result<()> {
    is_readable(config)?;
    if config.sandbox.require {
        bail!("{FLAG} is refused: sandbox.require is set, so nothing runs without the sandbox");
    }
    if config.mode == Mode::Plan {
        bail!("{FLAG} is refused: plan mode is set, in which nothing is changed");
    }
    Ok(())
}

/// Do a variable, or the files that makers of containers leave below `root`, say that this machine goes when the work is done?
/// `CI=false` says that a person is here, whatever else is to be seen.
fn is_made_to_go(env: impl Fn(&str) -> Option<String>, root: &Path) -> bool {
    let no = |value: &str| ["0", "false", "no", "off"].contains(&value);
    let value = |name: &str| env(name).map(|value| value.trim().to_ascii_lowercase()).filter(|value| !value.is_empty());
    if value("CI").is_some_and(|value| no(&value)) {
        return false;
    }
    let says = |name: &&str| value(name).is_some_and(|value| !no(&value));
    let marked = MARKS.iter().any(|mark| root.join(mark).exists());
    let groups = || std::fs::read_to_string(root.join("proc/1/cgroup")).unwrap_or_default();
    let grouped =
        |groups: String| groups.split(['/', '\n', ':']).any(|group| GROUPS.iter().any(|of| group.starts_with(of)));
    SET.iter().any(says) || marked || grouped(groups())
}

/// Asks for the word, and reads one line.
fn confirm(input: &mut impl BufRead, out: &mut impl Write) -> Result<()> {
    let question = format!(
        "{FLAG}: the model's commands can do whatever you can on this machine, and nobody is asked.\n\
         This is no container and no CI as far as can be told. If it may be thrown away, type {WORD} and press Enter: "
    );
    out.write_all(question.as_bytes()).and_then(|()| out.flush()).context("cannot ask")?;
    let mut line = String::new();
    input.read_line(&mut line).context("cannot read the answer")?;
    if line.trim() == WORD {
        return Ok(());
    }
    bail!("that was not `{WORD}`, so nothing was started; without {FLAG} commands run in the sandbox")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing(_: &str) -> Option<String> {
        None
    }

    #[test]
    fn ci_and_containers_are_known_by_what_they_leave() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert!(!is_made_to_go(nothing, root));
        for (value, expected) in [("true", true), ("1", true), ("", false), ("false", false), ("0", false)] {
            let env = |name: &str| (name == "CI").then(|| value.to_owned());
            assert_eq!(is_made_to_go(env, root), expected, "CI={value}");
        }
        assert!(is_made_to_go(|name| (name == "container").then(|| "podman".to_owned()), root));
        assert!(is_made_to_go(|name| (name == "KUBERNETES_SERVICE_HOST").then(|| "192.0.2.1".to_owned()), root));
        for (file, text) in [
            (".dockerenv", ""),
            ("run/.containerenv", ""),
            ("proc/1/cgroup", "0::/kubepods/besteffort/pod1\n"),
            ("proc/1/cgroup", "1:name=systemd:/docker/abc\n"),
            ("proc/1/cgroup", "0::/system.slice/x\n1:name=systemd:/lxc.payload.box\n"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
            assert!(is_made_to_go(nothing, folder.path()), "{file}");
            let person = |name: &str| (name == "CI").then(|| "False".to_owned());
            assert!(!is_made_to_go(person, folder.path()), "{file}: a person says that they are here");
        }
        let host = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(host.path().join("proc/1")).unwrap();
        for groups in ["0::/init.scope\n", "0::/user.slice/my-docker-notes.scope\n", ""] {
            std::fs::write(host.path().join("proc/1/cgroup"), groups).unwrap();
            assert!(!is_made_to_go(nothing, host.path()), "{groups}");
        }
    }

    #[test]
    fn settings_that_want_the_opposite_refuse_it() {
        for (file, settings, told) in [
            ("config.toml", "[sandbox]\nrequire = true\n", "sandbox.require is set"),
            (".agent/config.toml", "[sandbox]\nrequire = true\n", "sandbox.require is set"),
            ("config.toml", "mode = \"plan\"\n", "plan mode is set"),
            (".agent/config.toml", "nobody_knows = 1\n", "held back"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::create_dir(folder.path().join(".agent")).unwrap();
            std::fs::write(folder.path().join(file), settings).unwrap();
            let sources = crate::config::Sources {
                user_folder: folder.path(),
                project: folder.path(),
                env: nothing,
                faulty: crate::config::Faulty::Refuse,
            };
            let error = contradiction(&crate::config::load(&sources).unwrap()).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn only_the_whole_word_starts_anything() {
        let said = |text: &str| confirm(&mut text.as_bytes(), &mut Vec::new()).is_ok();
        assert!(said("disposable\n") && said(" disposable \r\n"));
        for no in ["", "\n", "y\n", "yes\n", "Disposable\n", "disposable machine\n"] {
            assert!(!said(no), "{no:?}");
        }
        let mut input = "disposable\nmore".as_bytes();
        confirm(&mut input, &mut Vec::new()).unwrap();
        assert_eq!(input, b"more", "no more than a line is read");
        let mut out = Vec::new();
        drop(confirm(&mut "".as_bytes(), &mut out));
        assert!(String::from_utf8(out).unwrap().contains("type disposable and press Enter"));
    }
}
