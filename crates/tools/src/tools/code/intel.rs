//! What a project is made of, and what in it is dangerous.

mod context;
mod scan;

use super::Row;
use crate::arguments::{Kind, Need, Parameter};
use crate::program::Runner;

/// The tools of this file's folder.
pub(super) fn tools(runner: &Runner) -> Vec<Row> {
    let (one, other) = (runner.clone(), runner.clone());
    vec![
        (
            &context::FORM,
            include_str!("intel/project_context.md"),
            Box::new(move |arguments, place| context::plan(arguments, place, &one)),
        ),
        (
            &scan::FORM,
            include_str!("intel/security_scan.md"),
            Box::new(move |arguments, place| scan::plan(arguments, place, &other)),
        ),
    ]
}

/// Which part of the project; its name says enough.
const PATH: Parameter = Parameter {
    name: "path",
    aliases: "dir directory folder file filepath projectpath root target paths targetdirectory absolutepath relativepath cwd \
        workspace",
    kind: Kind::Text,
    need: Need::Unlisted,
    says: "",
    example: "\"src\"",
};

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::ToolSpec;
    use serde_json::json;

    /// Every character is prompt, in every request.
    #[test]
    fn our_schemas_stay_short() {
        let told = tools(&crate::tools::kit().runner).into_iter().map(|(form, says, _)| {
            let spec = ToolSpec { aliases: Vec::new(), ..crate::tools::spec(form, says) };
            json!({ "type": "function", "function": spec })
        });
        let length = serde_json::to_string(&told.collect::<Vec<_>>()).unwrap().chars().count();
        assert!(length <= 420, "{length} characters");
    }
}
