//! `security_scan`: keys and passwords in files, dangerous calls, rights that are too wide. With `audit` it looks for known
//! holes in dependencies instead, by the auditors that are installed: that needs the network and is asked about.

mod auditors;
mod look;
mod report;
mod rights;
mod secrets;

use super::PATH;
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Need, Parameter};
use crate::blocking::Stop;
use crate::look::{action, planned};
use crate::open::{Found, open};
use crate::pattern::Hidden;
use crate::program::Runner;
use crate::tools::Kit;
use crate::tools::read_file::missing;
use crate::walk::{self, Depth, walk};
use crate::workspace::Workspace;
use crate::{Job, Tool};
use agent_code::security::Severity;
use agent_policy::{Leave, Permit};
use agent_protocol::{Action, Failure, Outcome};
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
    description: include_str!("security_scan.md"),
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

pub(super) struct SecurityScan {
    workspace: Workspace,
    runner: Runner,
}

impl SecurityScan {
    pub(super) fn new(workspace: Workspace, runner: Runner) -> Self {
        SecurityScan { workspace, runner }
    }

    fn path(&self, arguments: &Arguments) -> Result<PathBuf, Failure> {
        self.workspace.resolve(&arguments.optional_text("path")?.unwrap_or_default())
    }
}

impl Tool for SecurityScan {
    fn reach(&self, _kit: &Kit, arguments: &Arguments) -> Result<Action, Failure> {
        Ok(action(self.path(arguments)?))
    }

    fn plan(&self, _kit: &Kit, arguments: &Arguments, look: Permit) -> Result<Box<dyn Job>, Failure> {
        let path = self.path(arguments)?;
        let least = arguments.one("severity")?;
        let least = Severity::ALL.into_iter().find(|severity| Some(severity.name()) == least).unwrap_or(Severity::Low);
        let title = format!("Scan {} for secrets and dangerous code", self.workspace.shown(&path));
        let scan = Scan {
            workspace: self.workspace.clone(),
            runner: self.runner.clone(),
            base: path.clone(),
            least,
            leave: look.leave(),
        };
        if arguments.flag("audit")? {
            return scan.audit();
        }
        let work = Box::new(move |stop: &Stop, room| scan.made(room, stop));
        Ok(planned(path, title, "narrow the path, or give a severity", work))
    }
}

struct Scan {
    workspace: Workspace,
    runner: Runner,
    base: PathBuf,
    least: Severity,
    leave: Leave,
}

impl Scan {
    fn made(&self, room: usize, stop: &Stop) -> Result<Outcome, Failure> {
        let (files, closed) = self.files(stop)?;
        let mut looked = Looked::at(&self.workspace, &files, &closed, stop);
        stop.check()?;
        looked.findings.retain(|found| found.finding.severity >= self.least);
        let auditors = auditors::remark(&self.names_of(&files), &|program| self.is_installed(program));
        Ok(report::outcome(looked, &auditors, room))
    }

    /// The run of what knows the holes in dependencies.
    fn audit(&self) -> Result<Box<dyn Job>, Failure> {
        let (files, _) = self.files(&Stop::at(Instant::now() + PATIENCE))?;
        let (files, root) = (self.names_of(&files), self.workspace.root());
        Ok(self.runner.job(auditors::wanted(&files, root, &|program| self.is_installed(program))?))
    }

    fn is_installed(&self, program: &str) -> bool {
        self.runner.find(program).is_some()
    }

    /// The files to be looked into, and those that are not, for their names say that they hold secrets.
    fn files(&self, stop: &Stop) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Failure> {
        let files = match open(&self.workspace, &self.base)? {
            Found::Missing => return Err(missing(&self.workspace, &self.base)),
            // The person said that the model may look at this very file.
            Found::File(..) if self.leave == Leave::Person => return Ok((vec![self.base.clone()], Vec::new())),
            Found::File(..) => vec![self.base.clone()],
            Found::Folder => {
                let entries = walk(&self.base, Hidden::Shown, Depth::All, stop).into_iter();
                entries.filter(|entry| entry.kind == walk::EntryKind::File).map(|entry| entry.path).collect()
            }
        };
        let (closed, open) = files.into_iter().partition(|path| self.workspace.is_secret(path));
        Ok((open, closed))
    }

    /// As a command would name them that runs in the project.
    fn names_of(&self, files: &[PathBuf]) -> Vec<PathBuf> {
        let root = self.workspace.root();
        files.iter().map(|path| path.strip_prefix(root).unwrap_or(path).to_owned()).collect()
    }
}
