//! What a project is made of, and what in it is dangerous.

mod context;
mod scan;

use super::{Kit, Listed};
use crate::arguments::{Kind, Need, Parameter};

/// The tools of this file's folder.
pub(super) fn tools(kit: &Kit) -> Vec<Listed> {
    vec![
        (&context::FORM, Box::new(context::ProjectContext::new(kit.workspace.clone(), kit.runner.clone()))),
        (&scan::FORM, Box::new(scan::SecurityScan::new(kit.workspace.clone(), kit.runner.clone()))),
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
        let told = tools(&crate::tools::kit()).into_iter().map(|(form, tool)| {
            let spec = ToolSpec { aliases: Vec::new(), ..tool.spec(form) };
            json!({ "type": "function", "function": spec })
        });
        let length = serde_json::to_string(&told.collect::<Vec<_>>()).unwrap().chars().count();
        assert!(length <= 420, "{length} characters");
    }
}
