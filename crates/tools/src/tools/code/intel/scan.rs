//! `security_scan`: keys and passwords in files, dangerous calls, rights that are too wide. With `audit` it looks for known
//! holes in dependencies instead, by the auditors that are installed: that needs the network and is asked about.

mod auditors;
mod look;
mod report;
mod rights;
mod secrets;

use super::PATH;
use crate::PlannedCall;
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::blocking::Stop;
use crate::pattern::Hidden;
use crate::program::Runner;
use crate::read_only_job::planned;
use crate::tools::ToolContext;
use crate::tools::code::reading::{CodePlace, Files};
use crate::walk::{Depth, walk};
use agent_protocol::{Failure, Outcome};
use agent_syntax::security::Severity;
use look::Looked;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long files are looked for whose dependencies are to be audited.
const PATIENCE: Duration = Duration::from_secs(20);

pub(in crate::tools::code) static FORM: Form = Form {
    tool: "security_scan",
    group: Group::Code,
    aliases: "scan_security security_check check_security security_audit security_review vulnerability_scan \
        scan_vulnerabilities scan_for_vulnerabilities find_vulnerabilities secret_scan scan_secrets scan_for_secrets",
    description: include_str!("security_scan.md"),
    parameters: &[
        PATH,
        Parameter::new("severity", Kind::One(&["critical", "high", "medium", "low"]), "\"high\"")
            .also("minseverity severitythreshold minimumseverity threshold level severitylevel"),
        Parameter::new("audit", Kind::Flag, "true")
            .also("auditdependencies dependencies checkdependencies scandependencies runaudit")
            .says("runs the installed auditors of dependencies"),
    ],
    ..BLANK
};

pub(in crate::tools::code) fn plan(
    kit: &ToolContext,
    arguments: &Arguments,
    place: CodePlace,
) -> Result<Box<dyn PlannedCall>, Failure> {
    let least = arguments.one("severity")?;
    let least = Severity::ALL.into_iter().find(|severity| Some(severity.name()) == least).unwrap_or(Severity::Low);
    let path = place.base.clone();
    let title = format!("Scan {} for secrets and dangerous code", place.workspace.shown(&path));
    let scan = Scan { place, runner: kit.runner.clone(), least };
    if arguments.flag("audit")? {
        return scan.audit();
    }
    let work = Box::new(move |stop: &Stop, room| scan.made(room, stop));
    Ok(planned(path, title, "narrow the path, or give a severity", work))
}

struct Scan {
    place: CodePlace,
    runner: Runner,
    least: Severity,
}

impl Scan {
    fn made(&self, room: usize, stop: &Stop) -> Result<Outcome, Failure> {
        let files = self.files(stop)?;
        let mut looked = Looked::at(&self.place.workspace, &files.paths, &files.closed, stop);
        stop.check()?;
        looked.findings.retain(|found| found.finding.severity >= self.least);
        let auditors = auditors::remark(&self.names_of(&files.paths), &|program| self.is_installed(program));
        Ok(report::outcome(looked, &auditors, room))
    }

    /// The run of what knows the holes in dependencies.
    fn audit(&self) -> Result<Box<dyn PlannedCall>, Failure> {
        let files = self.files(&Stop::at(Instant::now() + PATIENCE))?;
        let (files, root) = (self.names_of(&files.paths), self.place.workspace.root());
        Ok(self.runner.job(auditors::wanted(&files, root, &|program| self.is_installed(program))?))
    }

    fn is_installed(&self, program: &str) -> bool {
        self.runner.find(program).is_some()
    }

    /// The files to be looked into, hidden ones too.
    fn files(&self, stop: &Stop) -> Result<Files, Failure> {
        self.place.files_of(|| walk(self.place.area(), Hidden::Shown, Depth::All, stop))
    }

    /// As a command would name them that runs in the project.
    fn names_of(&self, files: &[PathBuf]) -> Vec<PathBuf> {
        let root = self.place.workspace.root();
        files.iter().map(|path| path.strip_prefix(root).unwrap_or(path).to_owned()).collect()
    }
}
