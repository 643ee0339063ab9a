//! `--no-sandbox-no-questions`: may this machine be thrown away?
//!
//! In CI and in containers that is taken for granted. Elsewhere a person has to say so, in a word that nobody types by chance.

use crate::config::Config;
use agent_protocol::Mode;
use anyhow::{Context, Result, bail};
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

/// What has to be typed.
const WORD: &str = "disposable";

/// What a container's own group of processes is called by those who make them.
const MAKERS: [&str; 7] = ["docker", "kubepods", "containerd", "libpod", "podman", "lxc", "crio"];

/// Makes sure that nothing speaks against it.
///
/// # Errors
/// What does, for the person.
pub(crate) fn agree(config: &Config) -> Result<()> {
    contradiction(config)?;
    if is_made_to_go(|name| std::env::var(name).ok(), Path::new("/")) {
        return Ok(());
    }
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        bail!(
            "--no-sandbox-no-questions: this is no container and no CI as far as can be told, and without a terminal nobody \
             can type `{WORD}`; leave the flag out, or set CI=true where that is so"
        );
    }
    confirm(&mut io::stdin().lock(), &mut io::stderr())
}

/// Settings that want the opposite.
fn contradiction(config: &Config) -> Result<()> {
    if config.sandbox.require {
        bail!("--no-sandbox-no-questions: sandbox.require is set, so nothing runs without the sandbox");
    }
    if config.mode == Mode::Plan {
        bail!("--no-sandbox-no-questions: plan mode is set, in which nothing is changed");
    }
    Ok(())
}

/// Do a variable, or the files that makers of containers leave below `root`, say that this machine goes when the work is done?
fn is_made_to_go(env: impl Fn(&str) -> Option<String>, root: &Path) -> bool {
    let says = |name: &str| env(name).is_some_and(|value| !matches!(value.trim(), "" | "0" | "false" | "no"));
    let marked = [".dockerenv", "run/.containerenv"].iter().any(|mark| root.join(mark).exists());
    let group = || std::fs::read_to_string(root.join("proc/1/cgroup")).unwrap_or_default();
    says("CI") || says("container") || marked || MAKERS.iter().any(|maker| group().contains(maker))
}

/// Asks for the word.
fn confirm(input: &mut impl BufRead, out: &mut impl Write) -> Result<()> {
    let question = format!(
        "--no-sandbox-no-questions lets a model do whatever you can on this machine, and asks nothing.\nThis does not look like a \
         container or CI. If it may be thrown away, type {WORD} and press Enter: "
    );
    out.write_all(question.as_bytes()).and_then(|()| out.flush()).context("cannot ask")?;
    let mut line = String::new();
    input.read_line(&mut line).context("cannot read the answer")?;
    if line.trim() == WORD { Ok(()) } else { bail!("that was not `{WORD}`, so nothing was started") }
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
        for (file, text) in [
            (".dockerenv", ""),
            ("run/.containerenv", ""),
            ("proc/1/cgroup", "0::/kubepods/besteffort/pod1\n"),
            ("proc/1/cgroup", "1:name=systemd:/docker/abc\n"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
            assert!(is_made_to_go(nothing, folder.path()), "{file}");
        }
        let host = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(host.path().join("proc/1")).unwrap();
        std::fs::write(host.path().join("proc/1/cgroup"), "0::/init.scope\n").unwrap();
        assert!(!is_made_to_go(nothing, host.path()));
    }

    #[test]
    fn settings_that_want_the_opposite_refuse_it() {
        for (settings, told) in
            [("[sandbox]\nrequire = true\n", "sandbox.require is set"), ("mode = \"plan\"\n", "plan mode is set")]
        {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("config.toml"), settings).unwrap();
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
        let mut out = Vec::new();
        drop(confirm(&mut "".as_bytes(), &mut out));
        assert!(String::from_utf8(out).unwrap().contains("type disposable and press Enter"));
    }
}
