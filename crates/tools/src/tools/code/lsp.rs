//! `lsp`: what a language server knows of a symbol or a file. The first question of a language asks the user whether
//! its server may be started; it runs until the session ends.

mod answer;
mod asked;
mod kinds;
mod places;
mod rename;
mod start;
mod symbols;
#[cfg(test)]
mod tests;

use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter};
use crate::lsp::{Patience, Servers};
use crate::planning::Planning;
use crate::read_only_job::ReadOnlyJob;
use crate::tools::FILE_PATH;
use crate::tools::ToolContext;
use crate::workspace::Workspace;
use crate::{PlannedCall, Tool};
use agent_policy::{Leave, Permit};
use agent_protocol::{Action, Failure, FailureKind};
use asked::{LspAction, LspQuestion};
use start::ServerStart;
use std::sync::Arc;

/// Seconds for an answer of a server that runs.
const ANSWER: u64 = 30;
const REST: &str = "ask about one file or symbol";

pub(in crate::tools) static FORM: Form = Form {
    tool: "lsp",
    group: Group::Code,
    aliases: "language_server lsp_query lsp_tool code_intelligence",
    description: include_str!("lsp.md"),
    parameters: &[
        Parameter::new(
            "action",
            Kind::One(&["definition", "references", "hover", "symbols", "diagnostics", "rename", "completions"]),
            "\"definition\"",
        )
        .also("operation method command request op kind type")
        .required(),
        FILE_PATH,
        Parameter::new("line", Kind::Number, "12").also("linenumber lineno row startline").optional(),
        Parameter::new("symbol", Kind::Text, "\"parse_line\"")
            .also("query identifier symbolname word text oldname")
            .optional(),
        Parameter::new("new_name", Kind::Text, "\"read_line\"").also("to newsymbol replacement").optional(),
        Parameter::new("character", Kind::Number, "5").also("column col char position offset"),
    ],
    meant: &[
        (
            "action",
            "gotodefinition definitions findefinition godefinition declaration implementation finddefinition \
             textdocumentdefinition",
            "definition",
        ),
        ("action", "findreferences reference usages uses textdocumentreferences", "references"),
        ("action", "info type documentation signature textdocumenthover", "hover"),
        ("action", "documentsymbols documentsymbol workspacesymbols workspacesymbol outline symbol", "symbols"),
        ("action", "diagnostic errors check problems lint", "diagnostics"),
        ("action", "renamesymbol textdocumentrename", "rename"),
        ("action", "completion complete textdocumentcompletion", "completions"),
    ],
    ..BLANK
};

pub(super) struct Lsp {
    desk: Desk,
}

/// What every question is put with.
#[derive(Clone)]
struct Desk {
    workspace: Workspace,
    servers: Arc<Servers>,
    planning: Planning,
}

impl Lsp {
    pub(super) fn new(workspace: Workspace, servers: Arc<Servers>, planning: Planning) -> Self {
        Lsp { desk: Desk { workspace, servers, planning } }
    }
}

impl Tool for Lsp {
    /// The file; and where an answer shows lines of others, these.
    fn reach(&self, _kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        let asked = LspQuestion::read(arguments, &self.desk.workspace)?;
        Ok(Action::Read { paths: asked.paths(&self.desk.workspace) })
    }

    fn plan(&self, _kit: &ToolContext, arguments: &Arguments, look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let Desk { workspace, servers, planning: _ } = &self.desk;
        let asked = LspQuestion::read(arguments, workspace)?;
        let shown = workspace.shown(&asked.path);
        if look.leave() == Leave::Rule && workspace.is_secret(&asked.path) {
            let message = format!("the name of {shown} says that it holds secrets; no language server is told of it");
            return Err(Failure::new(FailureKind::Denied, message));
        }
        let choice = servers.choice(&asked.path, &shown)?;
        // What is wrong with the question is said before a server is started for it.
        asked.candidates(&crate::lsp::text_of(workspace, &asked.path)?, crate::lsp::Encoding::Utf8, &shown)?;
        let Some(server) = servers.running(&choice) else {
            return Ok(Box::new(ServerStart::new(self.desk.clone(), choice, asked)));
        };
        if asked.what == LspAction::Rename {
            return rename::planned(&self.desk, &server, &choice, &asked);
        }
        let (desk, title) = (self.desk.clone(), asked.title(&shown));
        Ok(Box::new(ReadOnlyJob {
            paths: asked.paths(workspace),
            title,
            rest: REST,
            work: Box::new(move |stop, room| {
                answer::answer(&desk, &server, (&choice, &asked), &Patience::secs(ANSWER, stop), room)
            }),
        }))
    }
}
