//! Calls that the program makes itself, for the model or for what stands in a message. They go the way of every call; what
//! becomes of them where that differs from a model's call is decided in `dispatch`, by their origin.

pub(crate) mod add_imports;
pub(crate) mod check;
pub(crate) mod check_state;
pub(crate) mod context_files;
pub(crate) mod dispatch;
pub(crate) mod finish_rename;
pub(crate) mod message_commands;
pub(crate) mod pictures;
pub(crate) mod project_facts;

use crate::out::Out;
use agent_protocol::{CallEvent, ModelCall, Origin, ToolCall, Way};
use serde_json::Value;

/// Who made a call; of the program's own calls, what for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallOrigin {
    /// A model, or another program through `agent mcp`.
    Model,
    /// A command that the user typed after `!`.
    OwnCommand,
    /// A command in a slash command.
    MessageCommand,
    /// A picture that a message attaches from outside the project.
    MessagePicture,
    /// The project's own check after a change.
    Check,
    FinishRename,
    AddImports,
    /// Reads the files that a message names, before the model is asked.
    ContextFiles,
    ProjectFacts,
    /// Stands for files that went back before a task is begun again. It is only told, and never runs.
    RestoreFiles,
}

impl CallOrigin {
    pub(crate) fn from_call(call: &ToolCall) -> Self {
        match call.origin.way {
            Way::Outside if call.name() == CallOrigin::OwnCommand.tool() => CallOrigin::OwnCommand,
            Way::Server | Way::Text | Way::ServerError | Way::Retry | Way::Constrained | Way::Outside => {
                CallOrigin::Model
            }
            Way::Message if call.name() == CallOrigin::MessageCommand.tool() => CallOrigin::MessageCommand,
            Way::Message => CallOrigin::MessagePicture,
            Way::Program => {
                let own = [Self::Check, Self::FinishRename, Self::AddImports, Self::ContextFiles, Self::ProjectFacts];
                own.into_iter().find(|origin| origin.tool() == call.name()).unwrap_or(CallOrigin::RestoreFiles)
            }
        }
    }

    /// The tool that such a call names; empty: any.
    pub(crate) fn tool(self) -> &'static str {
        match self {
            CallOrigin::Model => "",
            // There is no tool of this name.
            CallOrigin::OwnCommand => "your_shell",
            CallOrigin::MessageCommand => "run_command",
            CallOrigin::MessagePicture => "read_file",
            CallOrigin::Check => "check_project",
            CallOrigin::FinishRename => "finish_rename",
            CallOrigin::AddImports => "add_imports",
            CallOrigin::ContextFiles => "gather_files",
            CallOrigin::ProjectFacts => "project_facts",
            CallOrigin::RestoreFiles => "restore_files",
        }
    }

    fn way(self) -> Way {
        match self {
            CallOrigin::Model | CallOrigin::OwnCommand => Way::Outside,
            CallOrigin::MessageCommand | CallOrigin::MessagePicture => Way::Message,
            CallOrigin::Check
            | CallOrigin::FinishRename
            | CallOrigin::AddImports
            | CallOrigin::ContextFiles
            | CallOrigin::ProjectFacts
            | CallOrigin::RestoreFiles => Way::Program,
        }
    }

    /// Made by the program for itself: no hook hears of it, and nobody is told before it is worth a word.
    pub(crate) fn is_of_program(self) -> bool {
        self.way() == Way::Program
    }

    /// Nothing of it is the model's doing: the turn does not count it as progress, or as a failure of the model.
    pub(crate) fn is_by_model(self) -> bool {
        self.way() == Way::Outside
    }

    /// A call of this origin, of which nobody hears yet.
    pub(crate) fn call(self, arguments: Value, out: &mut Out) -> ToolCall {
        let call = ModelCall { server_id: None, index: None, name: self.tool().to_owned(), arguments };
        ToolCall { id: out.next_call(), call, origin: Origin { way: self.way(), ..Origin::default() } }
    }

    /// The same for what stands in a message, questions included: it is proposed like a call that a model makes.
    pub(crate) fn proposed_call(self, arguments: Value, out: &mut Out) -> ToolCall {
        let call = self.call(arguments, out);
        out.emit(CallEvent::Proposed { call: call.clone() });
        call
    }
}
