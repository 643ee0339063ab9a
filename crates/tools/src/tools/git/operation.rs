//! `git_operation`: what is done with git most of the time.

use super::asked::{GitRequest, Operation};
use super::brief;
use super::outgoing::outgoing;
use super::preview::{self, Preview};
use super::repository::Repository;
use super::{commands, replies, staging};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter, Refusal, When};
use crate::open::{Found, open};
use crate::program::{LONGEST, Runner, WantedRun};
use crate::read_only_job;
use crate::tools::ToolContext;
use crate::tools::list_directory::require_folder;
use crate::workspace::Workspace;
use crate::{PlannedCall, Tool};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, Profile, ToolSpec};
use std::path::{Path, PathBuf};

/// What a question says of every commit and checkout.
const NO_HOOKS: &str = "hooks and filters of this repository do not run";

pub(super) static FORM: Form = Form {
    tool: "git_operation",
    group: Group::Git,
    aliases: "git git_op git_ops git_operations git_command git_cmd git_action git_tool run_git execute_git git_exec \
        git_run version_control vcs",
    description: include_str!("git_operation.md"),
    parameters: &[
        Parameter::new("operation", Kind::Text, "\"status\"")
            .also("op subcommand command cmd gitcommand gitoperation verb")
            .required(),
        Parameter::new("files", Kind::Texts, "\".\"")
            .also("file path paths filepath filepaths filename filenames filelist pathspec pathspecs filepattern")
            .optional(),
        Parameter::new("message", Kind::Text, "\"Fix the parser\"").also("msg commitmessage m").optional(),
        Parameter::new("branch", Kind::Text, "\"main\"").also("branchname newbranch targetbranch").optional(),
        Parameter::new("commit", Kind::Text, "\"HEAD~1\"").also(
            "ref reference rev revision commithash commitid hash sha commitish object target stash stashref \
                startpoint base",
        ),
        Parameter::new("remote", Kind::Text, "\"origin\"").also("remotename repository"),
        Parameter::new("action", Kind::Text, "\"pop\"").also("stashaction branchaction stashoperation subaction"),
        Parameter::new("count", Kind::Number, "5").also("limit n maxcount maxcommits numcommits number max"),
        Parameter::new("staged", Kind::Flag, "true").also("cached stagedonly"),
        Parameter::new("create", Kind::Flag, "true").also("createbranch new isnew"),
        Parameter::new("all", Kind::Flag, "true").also("addall stageall"),
        Parameter::new("directory", Kind::Text, "\"lib\"")
            .also("workingdirectory workdir cwd dir folder repopath repo"),
    ],
    refused: &[
        Refusal {
            names: "force f forcepush forcewithlease",
            when: When::Yes,
            advice: "git_operation forces nothing: leave it out, or use run_command if the user wants that",
        },
        Refusal {
            names: "amend fixup squash signoff allowempty",
            when: When::Yes,
            advice: "git_operation makes a plain new commit: leave it out, or use run_command",
        },
        Refusal {
            names: "rebase ffonly merge dryrun dry delete track hard",
            when: When::Yes,
            advice: "git_operation does not have it: leave it out, give `action` \"delete\" to delete a branch, or use \
                     run_command",
        },
        Refusal {
            names: "args flags flag options option extraargs gitargs additionalargs extra",
            when: When::Given,
            advice: "git_operation takes none of git's own flags: leave it out, or use run_command",
        },
    ],
    habits: &[("count", crate::arguments::Habit::Limit)],
    ..BLANK
};

pub(super) struct GitOperation;

impl Tool for GitOperation {
    fn spec(&self, form: &Form) -> ToolSpec {
        brief(form)
    }

    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        GitRequest::read(arguments)?;
        Ok(read_only_job::action(folder(kit, arguments)?))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let asked = GitRequest::read(arguments)?;
        planned(asked, folder(kit, arguments)?, &kit.workspace, &kit.runner)
    }
}

fn folder(kit: &ToolContext, arguments: &Arguments) -> Result<PathBuf, Failure> {
    kit.workspace.resolve(&arguments.optional_text("directory")?.unwrap_or_default())
}

/// The job that does what is `asked` in `folder`.
pub(super) fn planned(
    asked: GitRequest,
    folder: PathBuf,
    workspace: &Workspace,
    runner: &Runner,
) -> Result<Box<dyn PlannedCall>, Failure> {
    require_folder(workspace, &folder)?;
    let asked = GitRequest { files: parted(asked.files, &folder, workspace), ..asked };
    let repository = Repository::at(runner, workspace, &folder)?;
    let wanted = wanted(&asked, &repository, workspace, &folder)?;
    Ok(runner.job(wanted))
}

fn wanted(
    asked: &GitRequest,
    repository: &Repository<'_>,
    workspace: &Workspace,
    folder: &Path,
) -> Result<WantedRun, Failure> {
    let plain = || WantedRun {
        title: Some(commands::title(asked)),
        reading: replies::reading(asked),
        ..WantedRun::argv(commands::argv(asked), folder.to_owned())
    };
    let far = |wanted| WantedRun { profile: Profile::Network, timeout_secs: LONGEST, ..wanted };
    Ok(match asked.operation {
        Operation::Commit => shown(plain(), preview::staged(repository, workspace)?),
        Operation::Checkout if !asked.files.is_empty() => {
            shown(plain(), preview::discarded(repository, workspace, asked.target(), &asked.files))
        }
        Operation::Checkout => WantedRun { note: Some(NO_HOOKS.into()), ..plain() },
        Operation::Push => {
            let push = outgoing(asked, repository)?;
            let (title, note) = (Some(push.title()), Some(push.note()));
            far(WantedRun { title, note, ..WantedRun::argv(push.argv(), folder.to_owned()) })
        }
        Operation::Pull => far(WantedRun { note: Some(NO_HOOKS.into()), ..plain() }),
        Operation::Add => {
            staging::unfiltered(repository, &asked.files)?;
            staging::no_repository_inside(repository, &asked.files)?;
            plain()
        }
        Operation::Stash => {
            staging::no_repository_inside(repository, &asked.files)?;
            plain()
        }
        Operation::Status | Operation::Diff | Operation::Log | Operation::Branch | Operation::Show => plain(),
    })
}

fn shown(wanted: WantedRun, preview: Preview) -> WantedRun {
    let note = match preview.note {
        Some(note) => format!("{note}; {NO_HOOKS}"),
        None => NO_HOOKS.into(),
    };
    WantedRun { files: preview.files, note: Some(note), ..wanted }
}

/// One text may name several files, with blanks between them; it does not where there is a file of just that name.
fn parted(files: Vec<String>, folder: &Path, workspace: &Workspace) -> Vec<String> {
    let [only] = files.as_slice() else { return files };
    let several = only.split_whitespace().count() > 1;
    let one =
        || workspace.contains(&folder.join(only)) && !matches!(open(workspace, &folder.join(only)), Ok(Found::Missing));
    if !several || one() {
        return files;
    }
    only.split_whitespace().map(str::to_owned).collect()
}
