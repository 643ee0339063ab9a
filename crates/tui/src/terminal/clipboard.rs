//! The picture on the clipboard, which no terminal hands over: a program of the desktop is asked for it.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// The programs that print it, each with what they are told.
const PROGRAMS: [(&str, &[&str]); 3] = [
    ("wl-paste", &["--no-newline", "--type", "image/png"]),
    ("xclip", &["-selection", "clipboard", "-target", "image/png", "-out"]),
    ("pngpaste", &["-"]),
];

/// How a PNG begins (its specification, section 5.2).
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

const LONGEST: u64 = 32 << 20;

/// So long a program may take.
const PATIENCE: Duration = Duration::from_secs(3);

#[derive(Debug, Default)]
pub(crate) struct PastedPictures {
    /// Where they lie, once there is one.
    folder: Option<TempDir>,
    /// So many were looked for.
    count: u32,
}

impl PastedPictures {
    /// The picture that is on it now, in a file that goes with us. Blocking.
    ///
    /// # Errors
    /// Why there is none, in words that name the next step.
    pub(crate) fn picture(&mut self) -> Result<PathBuf, String> {
        let made = || tempfile::Builder::new().prefix("agent-picture-").tempdir();
        let folder = match self.folder.take() {
            Some(folder) => folder,
            None => {
                made().map_err(|error| format!("a picture cannot be kept: {error}; see that TMPDIR is writable"))?
            }
        };
        self.count += 1;
        let to = self.folder.insert(folder).path().join(format!("clipboard-{}.png", self.count));
        picture(&std::env::var_os("PATH").unwrap_or_default(), &to)?;
        Ok(to)
    }
}

/// Puts the picture into the file at `to`, by one of the programs in the folders of `path`. Blocking.
///
/// # Errors
/// Why there is none, in words that name the next step.
fn picture(path: &OsStr, to: &Path) -> Result<(), String> {
    let installed: Vec<(PathBuf, &[&str])> =
        PROGRAMS.iter().filter_map(|(name, words)| Some((find(name, path)?, *words))).collect();
    if installed.is_empty() {
        return Err(
            "to paste pictures, install wl-clipboard (Wayland), xclip (X11) or pngpaste (macOS); or paste the path of \
                    one"
            .to_owned(),
        );
    }
    let picture = installed
        .iter()
        .find_map(|(program, words)| printed(program, words).filter(|bytes| bytes.starts_with(SIGNATURE)));
    let picture = picture.ok_or("no picture is on the clipboard; text is pasted by your terminal's own key")?;
    std::fs::write(to, picture).map_err(|error| format!("the picture cannot be kept in {}: {error}", to.display()))
}

/// The program of this name, in a folder that is named from the root.
fn find(name: &str, path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|it| it.is_file())
}

/// What a program prints, if it comes to an end in time.
fn printed(program: &Path, words: &[&str]) -> Option<Vec<u8>> {
    let quiet = || Stdio::null();
    let mut child =
        Command::new(program).args(words).stdin(quiet()).stdout(Stdio::piped()).stderr(quiet()).spawn().ok()?;
    let printed = heard(&mut child);
    // It may have ended by itself.
    let _ended = child.kill();
    drop(child.wait());
    printed
}

fn heard(child: &mut Child) -> Option<Vec<u8>> {
    let out = child.stdout.take()?;
    let (done, waits) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = out.take(LONGEST).read_to_end(&mut bytes);
        // Nobody may wait any more.
        drop(done.send(read.ok().map(|_| bytes)));
    });
    waits.recv_timeout(PATIENCE).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    /// What becomes of it where these programs are installed: scripts of a shell.
    fn pasted(programs: &[(&str, &str)]) -> Result<Vec<u8>, String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, script) in programs {
            let path = folder.path().join(name);
            fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let to = folder.path().join("a.png");
        picture(folder.path().as_os_str(), &to).map(|()| fs::read(to).unwrap())
    }

    const PRINTS: &str = "printf '\\211PNG\\r\\n\\032\\nrest'";

    #[test]
    fn the_first_program_that_has_one_hands_it_over() {
        let png = [SIGNATURE, b"rest"].concat();
        assert_eq!(pasted(&[("wl-paste", PRINTS)]), Ok(png.clone()));
        assert_eq!(pasted(&[("wl-paste", "exit 1"), ("xclip", PRINTS)]), Ok(png));
    }

    #[test]
    fn what_is_no_picture_is_said_with_what_to_do() {
        for programs in [&[("wl-paste", "echo text")][..], &[("xclip", "exit 1")], &[("xclip", "printf '\\211PN'")]] {
            assert!(pasted(programs).unwrap_err().starts_with("no picture is on the clipboard"), "{programs:?}");
        }
        assert!(pasted(&[]).unwrap_err().contains("install wl-clipboard"));
        assert!(
            picture(OsStr::new("bin:.:"), Path::new("/nowhere")).unwrap_err().contains("install"),
            "from the root only"
        );
    }
}
