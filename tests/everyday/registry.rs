//! The package registries on loopback: `registry.py`, as a child that ends with us.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The running registries.
pub(crate) struct Registry {
    folder: TempDir,
    child: Child,
    port: u16,
}

impl Registry {
    /// Starts them; `None` where what they need is not installed.
    pub(crate) fn start() -> Option<Self> {
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/everyday/registry.py");
        let mut command = Command::new("python3");
        command.arg(script).arg(folder.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().ok()?;
        let mut said = String::new();
        BufReader::new(child.stdout.take()?).read_line(&mut said).ok()?;
        let port = said.trim().parse().ok()?;
        Some(Registry { folder, child, port })
    }

    /// The proxy behind which they are.
    pub(crate) fn proxy(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The certificate of whoever signed theirs.
    pub(crate) fn authority(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
