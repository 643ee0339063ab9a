//! What a person puts in the place of what is asked about: another command, another text, another plan, another reach.

use super::{Approval, ApprovalStage, Matter};
use crate::cmd::{Cmd, Purpose};
use crate::composer::Editor;
use crate::dialogs::{Reply, Scroll, Then};
use agent_protocol::{Answer, AskId, CallOp, FileDiff, Op, PreviewBody, Profile, Proposal, SandboxKind};
use std::path::PathBuf;

/// The answer that puts an edited file text in the place of the proposed one.
pub(crate) fn instead(ask: AskId, path: PathBuf, text: String) -> Op {
    Op::Call(CallOp::Reply { ask, answer: Answer::Instead { proposal: Proposal::Text { path, text } } })
}

/// The answer that puts an edited command in the place of the proposed one.
pub(crate) fn command_instead(ask: AskId, command: String) -> Op {
    Op::Call(CallOp::Reply { ask, answer: Answer::Instead { proposal: Proposal::Command { command } } })
}

/// The answer that puts an edited plan in the place of the proposed one.
pub(crate) fn plan_instead(ask: AskId, text: String) -> Op {
    Op::Call(CallOp::Reply { ask, answer: Answer::Instead { proposal: Proposal::Plan { text } } })
}

impl Approval {
    pub(super) fn can_edit(&self) -> bool {
        match &self.question.preview.body {
            PreviewBody::Plain
            | PreviewBody::Choices { .. }
            | PreviewBody::Fetch { .. }
            | PreviewBody::Call { .. }
            | PreviewBody::Task { .. } => false,
            PreviewBody::Command { .. } | PreviewBody::Plan { .. } => true,
            PreviewBody::Diff { files } => self.edited_file(files).is_some(),
        }
    }

    /// The file that is looked at, with its text, where that can be edited: all of it is there, and will be.
    fn edited_file<'a>(&self, files: &'a [FileDiff]) -> Option<(&'a PathBuf, &'a String)> {
        let Matter::Files(shown) = &self.matter else { return None };
        match files.get(shown.at()) {
            Some(FileDiff { path, after: Some(text), skipped: 0, .. }) => Some((path, text)),
            Some(FileDiff { .. }) | None => None,
        }
    }

    /// In the editor, whatever it is; a file at the line that changes.
    pub(super) fn edit_outside(&mut self) -> Reply {
        let PreviewBody::Command { command, .. } = &self.question.preview.body else { return self.begin_edit() };
        let purpose = Purpose::Command { ask: self.id() };
        let edit = Cmd::Edit { text: command.clone(), extension: "sh".into(), line: None, purpose };
        Reply { cmds: vec![edit], then: Then::Stay }
    }

    /// The line that changes in the file that is looked at: the first one of the hunk, as it will be.
    fn changed_line(&self) -> Option<usize> {
        match &self.matter {
            Matter::Files(files) => files.diff.hunks.line_in(files.at()),
            Matter::Words | Matter::Plan(_) | Matter::Inquiry(_) => None,
        }
    }

    pub(super) fn begin_edit(&mut self) -> Reply {
        let (ask, line) = (self.id(), self.changed_line());
        let edit = |text: &String, extension: String, purpose| Reply {
            cmds: vec![Cmd::Edit { text: text.clone(), extension, line, purpose }],
            then: Then::Stay,
        };
        match &self.question.preview.body {
            PreviewBody::Command { command, .. } => {
                (self.stage, self.aside) = (ApprovalStage::Editing(Editor::holding(command)), Scroll::default());
                Reply::stay()
            }
            PreviewBody::Diff { files } => match self.edited_file(files) {
                Some((path, text)) => {
                    let extension = path.extension().map_or("txt".into(), |end| end.to_string_lossy().into_owned());
                    edit(text, extension, Purpose::Proposal { ask, path: path.clone() })
                }
                None => Reply::stay(),
            },
            PreviewBody::Plan { text } => edit(text, "md".into(), Purpose::Plan { ask }),
            PreviewBody::Plain
            | PreviewBody::Choices { .. }
            | PreviewBody::Fetch { .. }
            | PreviewBody::Call { .. }
            | PreviewBody::Task { .. } => Reply::stay(),
        }
    }

    pub(super) fn command_instead(&mut self, command: String) -> Reply {
        let same = matches!(&self.question.preview.body, PreviewBody::Command { command: old, .. } if *old == command);
        if same || command.trim().is_empty() {
            self.stage = ApprovalStage::Choosing;
            return self.stay_and_say(if same { "the command is unchanged" } else { "an empty command does nothing" });
        }
        let answer = Answer::Instead { proposal: Proposal::Command { command } };
        Reply::close_and(Op::Call(CallOp::Reply { ask: self.id(), answer }))
    }

    /// The next wider reach that a command could be given; none where nothing holds it in anyway.
    pub(super) fn wider(&self) -> Option<Profile> {
        match (&self.question.preview.body, self.sandbox) {
            (PreviewBody::Command { profile, .. }, SandboxKind::Kernel) => match profile {
                Profile::ReadOnly => Some(Profile::Project),
                Profile::Project => Some(Profile::Network),
                Profile::Network => Some(Profile::Unfenced),
                Profile::Unfenced => None,
            },
            (PreviewBody::Command { .. } | PreviewBody::Plain | PreviewBody::Diff { .. }, _) => None,
            (PreviewBody::Plan { .. } | PreviewBody::Choices { .. } | PreviewBody::Task { .. }, _) => None,
            (PreviewBody::Fetch { .. } | PreviewBody::Call { .. }, _) => None,
        }
    }

    /// Has the question come again, with a wider reach.
    pub(super) fn widen(&mut self) -> Reply {
        let Some(profile) = self.wider() else { return Reply::stay() };
        let answer = Answer::Instead { proposal: Proposal::Profile { profile } };
        Reply::close_and(Op::Call(CallOp::Reply { ask: self.id(), answer }))
    }
}
