//! Rights that are too wide, and files with secrets that git would take in.

use agent_syntax::security::{Confidence, Finding, Severity};
use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Everybody may write.
const WRITTEN_BY_ALL: u32 = 0o002;
/// The group or everybody may read.
const READ_BY_OTHERS: u32 = 0o044;
/// Runs with the rights of its owner or group.
const AS_ANOTHER: u32 = 0o6000;

/// Endings of files that are private keys, or keep them.
const KEYS: &[&str] = &["key", "pem", "p8", "p12", "pfx", "ppk", "jks", "keystore", "kdbx"];

pub(super) fn findings(metadata: &Metadata, path: &Path) -> Vec<Finding> {
    let mode = metadata.permissions().mode();
    let mut findings = Vec::new();
    if mode & AS_ANOTHER != 0 {
        let why = "it runs with its owner's or group's rights, whoever starts it";
        findings.push(finding("rights-setuid", Severity::High, Confidence::Sure, why, "chmod ug-s"));
    }
    if mode & WRITTEN_BY_ALL != 0 {
        let why = "everybody on the machine may change it";
        findings.push(finding("rights-world-writable", Severity::Medium, Confidence::Sure, why, "chmod o-w"));
    }
    if mode & READ_BY_OTHERS != 0
        && let Some(confidence) = is_key(path)
    {
        let why = "a private key that others on the machine may read";
        findings.push(finding("rights-key", Severity::Medium, confidence, why, "chmod 600"));
    }
    findings
}

/// How sure it is that the file at `path` is a private key.
fn is_key(path: &Path) -> Option<Confidence> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let ssh = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"].iter().any(|key| name.starts_with(key));
    if ssh && !name.ends_with(".pub") {
        return Some(Confidence::Sure);
    }
    match name.rsplit_once('.')?.1 {
        // Certificates, which anybody may read, are called so as well.
        "pem" | "key" => Some(Confidence::Maybe),
        kind => KEYS.contains(&kind).then_some(Confidence::Likely),
    }
}

/// A file whose name says that it holds secrets, and that git does not leave out: the walk would not have found it.
pub(super) fn not_ignored(root: &Path, path: &Path) -> Option<Finding> {
    let mut folders = path.parent()?.ancestors().take_while(|folder| folder.starts_with(root));
    let in_git = folders.any(|folder| folder.join(".git").symlink_metadata().is_ok());
    let why = "its name says that it holds secrets, and git does not ignore it";
    let fix = "add it to .gitignore; if it was committed, replace what is in it";
    in_git.then(|| finding("secret-file", Severity::Medium, Confidence::Likely, why, fix))
}

fn finding(
    rule: &'static str,
    severity: Severity,
    confidence: Confidence,
    why: &'static str,
    fix: &'static str,
) -> Finding {
    Finding { rule, severity, confidence, line: 0, what: String::new(), why, fix }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;

    fn rules(name: &str, mode: u32) -> Vec<(&'static str, Confidence)> {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, "").unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        let found = findings(&path.metadata().unwrap(), &path);
        found.into_iter().map(|finding| (finding.rule, finding.confidence)).collect()
    }

    #[test]
    fn rights_are_held_against_what_the_file_is() {
        assert_eq!(rules("a.sh", 0o755), []);
        assert_eq!(rules("a.sh", 0o646), [("rights-world-writable", Confidence::Sure)]);
        assert_eq!(rules("a", 0o4755), [("rights-setuid", Confidence::Sure)]);
        assert_eq!(rules("id_ed25519", 0o644), [("rights-key", Confidence::Sure)]);
        assert_eq!(rules("id_ed25519", 0o600), []);
        assert_eq!(rules("id_ed25519.pub", 0o644), []);
        assert_eq!(rules("ca.pem", 0o644), [("rights-key", Confidence::Maybe)]);
    }
}
