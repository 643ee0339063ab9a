//! `security_scan`: keys and passwords in files, dangerous calls, rights that are too wide. With `audit` it looks for known
//! holes in dependencies instead, by the auditors that are installed: that needs the network and is asked about.

mod auditors;
mod look;
mod report;
mod rights;
mod secrets;

use super::PATH;
use crate::Job;
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Need, Parameter};
use crate::blocking::Stop;
use crate::look::Look;
use crate::open::{Found, open};
use crate::pattern::Hidden;
use crate::program::Runner;
use crate::tools::code::reading::Place;
use crate::tools::read_file::missing;
use crate::walk::{self, Depth, walk};
use agent_code::security::Severity;
use agent_policy::Leave;
use agent_protocol::{Failure, Outcome};
use look::Looked;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long files are looked for whose dependencies are to be audited.
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) static FORM: Form = Form {
    tool: "security_scan",
    group: Group::Code,
    aliases: "scan_security security_check check_security security_audit security_review vulnerability_scan \
        scan_vulnerabilities scan_for_vulnerabilities find_vulnerabilities secret_scan scan_secrets scan_for_secrets",
    parameters: &[
        PATH,
        Parameter {
            name: "severity",
            aliases: "minseverity severitythreshold minimumseverity threshold level severitylevel",
            kind: Kind::One(&["critical", "high", "medium", "low"]),
            need: Need::Unlisted,
            says: "",
            example: "\"high\"",
        },
        Parameter {
            name: "audit",
            aliases: "auditdependencies dependencies checkdependencies scandependencies runaudit",
            kind: Kind::Flag,
            need: Need::Unlisted,
            says: "runs the installed auditors of dependencies",
            example: "true",
        },
    ],
    ..BLANK
};

pub(super) fn plan(arguments: &Arguments, place: Place, runner: &Runner) -> Result<Box<dyn Job>, Failure> {
    let least = arguments.one("severity")?;
    let least = Severity::ALL.into_iter().find(|severity| Some(severity.name()) == least).unwrap_or(Severity::Low);
    let path = place.base.clone();
    let title = format!("Scan {} for secrets and dangerous code", place.workspace.shown(&path));
    let scan = Scan { place, runner: runner.clone(), least };
    if arguments.flag("audit")? {
        return scan.audit();
    }
    let work = Box::new(move |stop: &Stop, room| scan.made(room, stop));
    Ok(Box::new(Look { path, title, rest: "narrow the path, or give a severity", work }))
}

struct Scan {
    place: Place,
    runner: Runner,
    least: Severity,
}

impl Scan {
    fn made(&self, room: usize, stop: &Stop) -> Result<Outcome, Failure> {
        let (files, closed) = self.files(stop)?;
        let mut looked = Looked::at(&self.place.workspace, &files, &closed, stop);
        stop.check()?;
        looked.findings.retain(|found| found.finding.severity >= self.least);
        let auditors = auditors::remark(&self.names_of(&files), &|program| self.is_installed(program));
        Ok(report::outcome(looked, &auditors, room))
    }

    /// The run of what knows the holes in dependencies.
    fn audit(&self) -> Result<Box<dyn Job>, Failure> {
        let (files, _) = self.files(&Stop::at(Instant::now() + PATIENCE))?;
        let (files, root) = (self.names_of(&files), self.place.workspace.root());
        Ok(self.runner.job(auditors::wanted(&files, root, &|program| self.is_installed(program))?))
    }

    fn is_installed(&self, program: &str) -> bool {
        self.runner.find(program).is_some()
    }

    /// The files to be looked into, and those that are not, for their names say that they hold secrets.
    fn files(&self, stop: &Stop) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Failure> {
        let files = match open(&self.place.workspace, &self.place.base)? {
            Found::Missing => return Err(missing(&self.place.workspace, &self.place.base)),
            // The person said that the model may look at this very file.
            Found::File(..) if self.place.leave == Leave::Person => {
                return Ok((vec![self.place.base.clone()], Vec::new()));
            }
            Found::File(..) => vec![self.place.base.clone()],
            Found::Folder => {
                let entries = walk(&self.place.base, Hidden::Shown, Depth::All, stop).into_iter();
                entries.filter(|entry| entry.kind == walk::Kind::File).map(|entry| entry.path).collect()
            }
        };
        let (closed, open) = files.into_iter().partition(|path| self.place.workspace.is_secret(path));
        Ok((open, closed))
    }

    /// As a command would name them that runs in the project.
    fn names_of(&self, files: &[PathBuf]) -> Vec<PathBuf> {
        let root = self.place.workspace.root();
        files.iter().map(|path| path.strip_prefix(root).unwrap_or(path).to_owned()).collect()
    }
}
