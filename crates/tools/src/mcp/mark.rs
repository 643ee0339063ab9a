//! What a server is known by, so that another one in its place is noticed: its command line, the bytes of its program
//! and of the scripts that it is made of, the variables it gets; or its address and what is sent along.
//!
//! Does not know what a server says of itself: that is compared when it is there.

use crate::mcp::error::McpError;
use crate::mcp::server::{Server, Way};
use sha2::{Digest, Sha256};
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Ends of names of programs that another program runs.
const SCRIPTS: &[&str] = &[
    "py", "pyc", "pyz", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "sh", "bash", "zsh", "fish", "rb", "pl",
    "php", "phar", "lua", "jar", "exs", "wasm", "dll",
];

/// What a server is known by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Over all of it, in hexadecimal.
    pub whole: String,
    /// The same with what the file system says of the files in place of their bytes: quick to look at.
    pub glance: String,
    /// The program, with the hash of its bytes; then the scripts, likewise.
    pub files: Vec<(PathBuf, String)>,
}

impl Mark {
    /// Reads all files. Blocking. `programs` are the folders in which a program is looked for by its name.
    ///
    /// # Errors
    /// A [`McpError`] where its program is not there.
    pub fn of(server: &Server, programs: &[PathBuf]) -> Result<Self, McpError> {
        let mut files = Vec::new();
        for path in paths(server, programs)? {
            let hash = hash_of(&path).map_err(|error| unreadable(server, &path, &error))?;
            files.push((path, hash));
        }
        let shown = files.iter().map(|(path, hash)| format!("{}\0{hash}", path.display()));
        let whole = hashed(said(server).chain(shown));
        Ok(Mark { whole, glance: Mark::glance(server, programs)?, files })
    }

    /// [`Mark::glance`] alone: looks at files, and reads none.
    ///
    /// # Errors
    /// A [`McpError`] where its program is not there.
    pub fn glance(server: &Server, programs: &[PathBuf]) -> Result<String, McpError> {
        let mut seen = Vec::new();
        for path in paths(server, programs)? {
            let found = path.metadata().map_err(|error| unreadable(server, &path, &error))?;
            seen.push(format!("{}\0{}", path.display(), looks(&found)));
        }
        Ok(hashed(said(server).chain(seen)))
    }
}

/// The program of `argv`: as it is where it is a path, else the first of this name in `programs`.
pub(crate) fn program(server: &Server, argv: &[String], programs: &[PathBuf]) -> Result<PathBuf, McpError> {
    let name = argv.first().map_or("", String::as_str);
    let found = if name.starts_with('/') {
        Some(PathBuf::from(name)).filter(|path| path.is_file())
    } else {
        programs.iter().map(|folder| folder.join(name)).find(|path| path.is_file())
    };
    found.ok_or_else(|| McpError::NoProgram { server: server.name.clone(), program: name.to_owned() })
}

fn paths(server: &Server, programs: &[PathBuf]) -> Result<Vec<PathBuf>, McpError> {
    let Way::Program { argv, .. } = &server.way else { return Ok(Vec::new()) };
    let scripts = argv.iter().skip(1).map(|word| PathBuf::from(value(word))).filter(|path| is_script(path));
    Ok(std::iter::once(program(server, argv, programs)?).chain(scripts).collect())
}

/// Does `word`, an argument, name a script that is looked for in the folder in which the program is started?
pub fn names_script(word: &str) -> bool {
    let path = Path::new(value(word));
    !path.is_absolute() && !path.starts_with("~") && ends_as_script(path) && !word.contains(['*', ':'])
}

/// What an argument says: of `--require=a.js` the file.
fn value(word: &str) -> &str {
    word.split_once('=').filter(|(option, _)| option.starts_with('-')).map_or(word, |(_, value)| value)
}

/// A file that is run, as far as that can be told: by its name, or because it may be. One that the server writes in
/// (a database) has to stay out, or it would be another one after each call.
fn is_script(path: &Path) -> bool {
    let may_be_run = |found: Metadata| found.is_file() && found.mode() & 0o111 != 0;
    path.is_absolute()
        && path.is_file()
        && (path.extension().is_none() || ends_as_script(path) || path.metadata().is_ok_and(may_be_run))
}

fn ends_as_script(path: &Path) -> bool {
    path.extension().and_then(|end| end.to_str()).is_some_and(|end| SCRIPTS.contains(&end))
}

/// What the settings say of it.
fn said(server: &Server) -> impl Iterator<Item = String> {
    let said: Vec<String> = match &server.way {
        Way::Program { argv, env } => std::iter::once("program".to_owned())
            .chain(argv.clone())
            .chain(["env".to_owned()])
            .chain(env.clone())
            .collect(),
        Way::Address { url, secrets, proxy: _ } => {
            let sent = secrets.iter().map(|secret| format!("{}: {}${}", secret.header, secret.before, secret.variable));
            ["address".to_owned(), url.clone()].into_iter().chain(sent).collect()
        }
    };
    std::iter::once(server.name.clone()).chain(said)
}

fn looks(found: &Metadata) -> String {
    let (seconds, nanos) = (found.mtime(), found.mtime_nsec());
    format!("{} {} {} {seconds}.{nanos:09}", found.dev(), found.ino(), found.size())
}

/// Over words, each with its length, so that no two lists are the same.
fn hashed(words: impl IntoIterator<Item = String>) -> String {
    let mut hash = Sha256::new();
    for word in words {
        hash.update((word.len() as u64).to_le_bytes());
        hash.update(word);
    }
    spelled(&hash.finalize())
}

/// A hash in hexadecimal digits.
fn spelled(hash: &[u8]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn hash_of(path: &Path) -> io::Result<String> {
    let (mut file, mut hash, mut buffer) = (File::open(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(spelled(&hash.finalize()));
        }
        hash.update(&buffer[..read]);
    }
}

fn unreadable(server: &Server, path: &Path, error: &io::Error) -> McpError {
    McpError::NotThere { server: server.name.clone(), why: format!("{} cannot be read ({error})", path.display()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::time::Duration;

    fn server(argv: &[&str], env: &[&str]) -> Server {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let way = Way::Program { argv: owned(argv), env: owned(env) };
        Server { name: "notes".into(), way, timeout: Duration::from_secs(9) }
    }

    fn whole(server: &Server, programs: &[PathBuf]) -> String {
        Mark::of(server, programs).unwrap().whole
    }

    #[test]
    fn a_server_is_known_by_its_words_its_program_and_its_scripts() {
        let folder = tempfile::tempdir().unwrap();
        let programs = [folder.path().to_owned()];
        let script = folder.path().join("serve.py");
        let data = folder.path().join("notes.db");
        fs::write(folder.path().join("python"), "one").unwrap();
        fs::write(&script, "one").unwrap();
        fs::write(&data, "one").unwrap();
        let (script, data) = (script.to_str().unwrap(), data.to_str().unwrap());
        let known = server(&["python", script, data], &["KEY"]);
        let mark = Mark::of(&known, &programs).unwrap();
        assert_eq!(mark.files.len(), 2);
        assert_eq!(Mark::of(&known, &programs).unwrap(), mark);
        fs::write(data, "two").unwrap();
        assert_eq!(Mark::of(&known, &programs).unwrap(), mark, "what it writes itself is no part of it");
        assert_ne!(whole(&server(&["python", script, data], &[]), &programs), mark.whole);
        assert_ne!(whole(&server(&["python", script], &["KEY"]), &programs), mark.whole);
        fs::write(script, "other").unwrap();
        assert_ne!(whole(&known, &programs), mark.whole);
        assert_ne!(Mark::glance(&known, &programs).unwrap(), mark.glance);
        fs::write(script, "one").unwrap();
        assert_eq!(whole(&known, &programs), mark.whole);
        fs::write(folder.path().join("python"), "two").unwrap();
        assert_ne!(whole(&known, &programs), mark.whole);
    }

    #[test]
    fn a_script_is_known_whatever_it_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let programs = [folder.path().to_owned()];
        fs::write(folder.path().join("python"), "one").unwrap();
        for name in ["serve", "serve.mts", "serve.app"] {
            let path = folder.path().join(name);
            fs::write(&path, "one").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            for word in [path.display().to_string(), format!("--run={}", path.display())] {
                assert_eq!(Mark::of(&server(&["python", &word], &[]), &programs).unwrap().files[1].0, path, "{word}");
            }
        }
        for (word, expected) in [
            ("serve.py", true),
            ("./bin/serve.js", true),
            ("-r=a.js", true),
            ("/a.py", false),
            ("notes", false),
            ("*.py", false),
        ] {
            assert_eq!(names_script(word), expected, "{word}");
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = Mark::of(&server(&["missing"], &[]), &[]).unwrap_err();
        assert_eq!(error, McpError::NoProgram { server: "notes".into(), program: "missing".into() });
        assert!(matches!(Mark::glance(&server(&["/no/such"], &[]), &[]), Err(McpError::NoProgram { .. })));
    }
}
