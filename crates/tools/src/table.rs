//! The table of all tools for people, as `docs/TOOLS.md` holds it.

use crate::Ground;
use crate::arguments::{Form, Group, Kind, Need, Parameter};
use crate::tools::{ToolContext, all, unoffered};
use crate::undo::Undo;
use crate::workspace::Workspace;
use agent_protocol::ToolSpec;

const HEAD: &str = "\
# Tools

What the model can be offered, group by group. Made from the registry by `cargo run -p agent-tools --example table`; a
test holds this page to it.

A tool is called by its name, or by any of the other names below it, which the model is not told of; so are its
parameters (for those, see the forms in `crates/tools/src/tools/`). Parameters in *italics* are taken but not advertised:
every word of a schema is part of every prompt. How many characters a group costs stands beside its name; `/tools` shows
the tokens, and switches groups on and off. Which are on at the start: `[tools] groups` in the config, or `--tools`.

Listing and searching show what git tracks, and otherwise what no ignore file names. Ignore files above the repository
do not count (without a repository: those above the project), and a folder that `path` names is searched even if it is
ignored. Names, and the text that an edit replaces, are also found in another Unicode form. A search compares the text
of a file that is not UTF-8 byte by byte, so a pattern with letters beyond ASCII finds nothing there. A file that is not
UTF-8 is read and edited in the encoding that its bytes look like; bytes outside the edit stay the same, and characters
that the encoding lacks are refused.
";

const UNOFFERED: &str = "
## Never offered

What other agents have under these names is taken when a model writes it, and asked about like any other change. No model is
told of it, so it costs no prompt. `multi_edit` and `read_many_files` are answered in the same way where their group is off.
";

pub fn table() -> String {
    let ground = Ground::of_this_process("/".into()).expect("there is a temporary folder");
    let workspace = Workspace::with(&ground.root, None);
    let tools = all(&ToolContext::new(&workspace, &ground, &Undo::new(&workspace, &ground)));
    let mut page = HEAD.to_owned();
    for group in Group::ALL {
        let of_group: Vec<(&Form, ToolSpec)> = tools
            .iter()
            .filter(|(form, _)| form.group == group && !form.open)
            .map(|(form, tool)| (*form, tool.spec(form)))
            .collect();
        if of_group.is_empty() {
            continue;
        }
        let characters: usize = of_group.iter().map(|(_, spec)| characters(spec)).sum();
        page.push_str(&format!("\n## {} ({characters} characters)\n", group.name()));
        of_group.iter().for_each(|(form, spec)| page.push_str(&described(form, spec)));
    }
    page.push_str(UNOFFERED);
    for (form, tool) in unoffered() {
        let serve: Vec<String> = form.stands_for.iter().map(|name| format!("`{name}`")).collect();
        page.push_str(&described(form, &tool.spec(form)));
        page.push_str(&format!("\nAnswered where {} can be called.\n", serve.join(" and ")));
    }
    page
}

/// Characters of a tool as it is sent.
fn characters(spec: &ToolSpec) -> usize {
    let spec = ToolSpec { aliases: Vec::new(), ..spec.clone() };
    serde_json::json!({ "type": "function", "function": spec }).to_string().chars().count()
}

fn described(form: &Form, spec: &ToolSpec) -> String {
    let names: Vec<String> = form.aliases.split_whitespace().map(|name| format!("`{name}`")).collect();
    let names = if names.is_empty() { String::new() } else { format!("\nAlso called {}.\n", names.join(", ")) };
    let mut text = format!("\n### {}\n\n{}\n{names}", form.tool, cell(&spec.description));
    if !form.parameters.is_empty() {
        text.push_str("\n| parameter | type | |\n|---|---|---|\n");
    }
    form.parameters.iter().for_each(|parameter| rows(parameter, "", &mut text));
    text
}

fn rows(parameter: &Parameter, above: &str, text: &mut String) {
    let name = format!("`{above}{}`", parameter.name);
    let (name, need) = match parameter.need {
        Need::Required => (name, "required"),
        Need::Optional => (name, ""),
        Need::Unlisted => (format!("*{name}*"), ""),
    };
    let says = [need, parameter.says].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("; ");
    text.push_str(&format!("| {name} | {} | {} |\n", kind(parameter.kind), cell(&says)));
    if let Kind::Items(form) = parameter.kind {
        form.parameters.iter().for_each(|inner| rows(inner, &format!("{above}{}[].", parameter.name), text));
    }
}

fn kind(kind: Kind) -> String {
    match kind {
        Kind::Text | Kind::Body => "text".into(),
        Kind::Line => "line for the shell".into(),
        Kind::Number => "number".into(),
        Kind::Flag => "yes or no".into(),
        Kind::One(words) => words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" "),
        Kind::Texts => "list of texts".into(),
        Kind::Items(_) => "list of objects".into(),
    }
}

/// Text that a table's cell can hold.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_of_tools_is_made_from_the_registry() {
        let page = include_str!("../../../docs/TOOLS.md");
        assert!(
            page == super::table(),
            "docs/TOOLS.md is not up to date; cargo run -p agent-tools --example table > docs/TOOLS.md"
        );
    }
}
