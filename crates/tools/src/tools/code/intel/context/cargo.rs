//! What a `Cargo.toml` says.

use toml::{Table, Value};

/// What it says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Cargo {
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    pub(super) is_workspace: bool,
    /// As they are written, patterns too.
    pub(super) members: Vec<String>,
    /// Programs: name and file, where the file is said.
    pub(super) bins: Vec<(String, Option<String>)>,
}

impl Cargo {
    pub(super) fn read(text: &str) -> Option<Self> {
        let table: Table = text.parse().ok()?;
        let package = table.get("package").and_then(Value::as_table);
        let said = |key: &str| package.and_then(|package| package.get(key)).and_then(Value::as_str).map(String::from);
        let workspace = table.get("workspace").and_then(Value::as_table);
        let members = workspace.and_then(|workspace| workspace.get("members")).and_then(Value::as_array);
        let bins = table.get("bin").and_then(Value::as_array).into_iter().flatten();
        Some(Cargo {
            name: said("name"),
            description: said("description"),
            is_workspace: workspace.is_some(),
            members: members.into_iter().flatten().filter_map(|member| member.as_str().map(String::from)).collect(),
            bins: bins.filter_map(bin).collect(),
        })
    }
}

fn bin(bin: &Value) -> Option<(String, Option<String>)> {
    let name = bin.get("name").and_then(Value::as_str)?;
    Some((name.into(), bin.get("path").and_then(Value::as_str).map(String::from)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_tells_its_programs_and_members() {
        let text = "[package]\nname = \"a\"\ndescription = \"does\"\n[workspace]\nmembers = [\"crates/*\"]\n\
            [[bin]]\nname = \"x\"\npath = \"src/x.rs\"\n[[bin]]\nname = \"y\"\n";
        let expected = Cargo {
            name: Some("a".into()),
            description: Some("does".into()),
            is_workspace: true,
            members: vec!["crates/*".into()],
            bins: vec![("x".into(), Some("src/x.rs".into())), ("y".into(), None)],
        };
        assert_eq!(Cargo::read(text), Some(expected));
        assert_eq!(Cargo::read("[package"), None);
        assert_eq!(Cargo::read("name.workspace = true\n[package]\nname.workspace = true\n"), Some(Cargo::default()));
    }
}
