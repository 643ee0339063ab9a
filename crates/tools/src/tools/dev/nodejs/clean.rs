//! `clean`: what an install brings, and nothing else.

use super::project::LOCKS;
use crate::program::{Runner, WantedRun};
use crate::read_only_job;
use crate::tools::dev::shared::{Call, argv, is_there};
use crate::workspace::Workspace;
use crate::{PlannedCall, words};
use agent_protocol::Failure;

/// It is published with a package, so an install does not bring it back.
const KEPT: &str = "npm-shrinkwrap.json";

/// Removes `node_modules` and lock files, as far as they are there.
pub(super) fn job(call: &Call<'_>, workspace: &Workspace, runner: &Runner) -> Result<Box<dyn PlannedCall>, Failure> {
    let names = ["node_modules"].into_iter().chain(LOCKS.iter().map(|(file, _)| *file)).filter(|name| *name != KEPT);
    let there: Vec<String> =
        names.filter(|name| is_there(workspace, &call.cwd.join(name))).map(str::to_owned).collect();
    if there.is_empty() {
        let told = format!("nothing to clean: {} holds no node_modules and no lock file", workspace.shown(&call.cwd));
        let title = "Look for node_modules and lock files".to_owned();
        let work = Box::new(move |_: &_, _| Ok(words::done(told.clone(), "nothing to clean".into(), told)));
        return Ok(read_only_job::planned(call.cwd.clone(), title, "", work));
    }
    if !call.args()?.is_empty() {
        return Err(call.invalid("clean takes no `args`; use run_command to remove anything else".to_owned()));
    }
    let title = format!("Remove {}", there.join(", "));
    let mut words = argv(["rm", "-rf", "--"]);
    words.extend(there);
    let timeout_secs = call.timeout_secs()?;
    Ok(runner.job(WantedRun { timeout_secs, title: Some(title), ..WantedRun::argv(words, call.cwd.clone()) }))
}
