//! The programs of languages, tests, formatters and linters.

mod checks;
mod golang;
mod nodejs;
mod python;
mod shared;

use super::{Kit, Listed};

/// The tools of this group, in the order in which the model is told of them.
pub(super) fn tools(kit: &Kit) -> Vec<Listed> {
    let mut tools: Vec<Listed> = vec![
        (&python::FORM, Box::new(python::PythonDev::new(kit))),
        (&nodejs::FORM, Box::new(nodejs::NodejsDev::new(kit))),
        (&golang::FORM, Box::new(golang::GolangDev::new(kit))),
    ];
    tools.extend(checks::tools(kit));
    tools
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Of the 2,400 characters that the group has; every one of them is prompt.
    #[test]
    fn the_tools_of_languages_leave_room_for_the_others() {
        let kit = crate::tools::kit();
        let ours = tools(&kit)
            .into_iter()
            .take(3)
            .map(|(_, tool)| agent_protocol::ToolSpec { aliases: Vec::new(), ..tool.spec() });
        let sent: Vec<_> = ours.map(|spec| json!({ "type": "function", "function": spec })).collect();
        let length = |what: &serde_json::Value| what.to_string().chars().count();
        let each: Vec<usize> = sent.iter().map(length).collect();
        assert!(length(&json!(sent)) <= 1_500, "{each:?}");
    }
}
