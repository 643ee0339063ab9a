//! What a project is made of, and what in it is dangerous.

pub(super) mod context;
pub(super) mod scan;

use crate::arguments::{Kind, Need, Parameter};

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
        let told = [&context::FORM, &scan::FORM].map(|form| {
            let spec = ToolSpec { aliases: Vec::new(), ..form.spec() };
            json!({ "type": "function", "function": spec })
        });
        let length = serde_json::to_string(&told).unwrap().chars().count();
        assert!(length <= 420, "{length} characters");
    }
}
