//! How the parts of a line ended: a line that can hide a failure reports to a file of the session, which is read and
//! removed when it has ended.

use agent_policy::{Permit, Watched, watched};
use agent_protocol::{PartEnd, Profile};
use agent_sandbox::{Ended, Ending, Shell, Surroundings};
use std::fs::File;
use std::io::Read;
use tempfile::NamedTempFile;

/// Bytes of a report that are read: a loop could go on for ever.
const LONGEST: u64 = 64 * 1024;

/// A command, and where it tells how its parts end.
pub(super) struct Parts(Option<(Watched, NamedTempFile)>);

impl Parts {
    /// Has `shell` report, where its exit code would not say it all. What was proved is run as it was read, and what may
    /// not write can report nothing.
    pub(super) fn watch(shell: &mut Shell, permit: &Permit, around: &Surroundings) -> Self {
        let writes = permit.sandbox().profile() > Profile::ReadOnly;
        if permit.line().is_some() || !shell.argv.is_empty() || !writes {
            return Parts(None);
        }
        let Ok(report) = NamedTempFile::with_prefix_in(".ends-", around.temporary()) else { return Parts(None) };
        let watched = watched(&shell.line, report.path());
        if let Some(watched) = &watched {
            shell.line.clone_from(&watched.line);
        }
        Parts(watched.map(|watched| (watched, report)))
    }

    pub(super) fn hidden(&self, ended: &Ended) -> Vec<PartEnd> {
        let (Some((watched, report)), Ending::Exited(code)) = (&self.0, ended.ending) else { return Vec::new() };
        let mut told = Vec::new();
        let read = File::open(report.path()).and_then(|file| file.take(LONGEST).read_to_end(&mut told));
        if read.is_err() {
            return Vec::new();
        }
        let output = format!("{}{}", ended.output.head, ended.output.tail);
        watched.hidden(&String::from_utf8_lossy(&told), code, &output)
    }
}
