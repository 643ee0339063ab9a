//! The programs of languages, tests, formatters and linters.

pub(super) mod checks;
mod golang;
mod nodejs;
mod python;
mod shared;

use super::Listed;

/// The tools of this group, in the order in which the model is told of them.
pub(super) fn tools() -> Vec<Listed> {
    let mut tools: Vec<Listed> = vec![
        (&python::FORM, Box::new(python::PythonDev)),
        (&nodejs::FORM, Box::new(nodejs::NodejsDev)),
        (&golang::FORM, Box::new(golang::GolangDev)),
    ];
    tools.extend(checks::tools());
    tools
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Of the 2,400 characters that the group has; every one of them is prompt.
    #[test]
    fn the_tools_of_languages_leave_room_for_the_others() {
        let ours = tools()
            .into_iter()
            .take(3)
            .map(|(form, _)| agent_protocol::ToolSpec { aliases: Vec::new(), ..form.spec() });
        let sent: Vec<_> = ours.map(|spec| json!({ "type": "function", "function": spec })).collect();
        let length = |what: &serde_json::Value| what.to_string().chars().count();
        let each: Vec<usize> = sent.iter().map(length).collect();
        assert!(length(&json!(sent)) <= 1_500, "{each:?}");
    }
}
