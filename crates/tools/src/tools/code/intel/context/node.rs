//! What a `package.json` says.

use serde_json::Value;

/// What it says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    /// Files that are run or loaded first: `main`, `module`, `bin`.
    pub(super) starts: Vec<String>,
    pub(super) scripts: Vec<(String, String)>,
    pub(super) workspaces: Vec<String>,
    /// `pnpm`, where it is said.
    pub(super) manager: Option<String>,
}

impl Node {
    pub(super) fn read(text: &str) -> Option<Self> {
        let package: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
        package.as_object()?;
        let said = |key: &str| package.get(key).and_then(Value::as_str).map(String::from);
        let scripts = package.get("scripts").and_then(Value::as_object).into_iter().flatten();
        let manager = said("packageManager").and_then(|manager| manager.split('@').next().map(String::from));
        Some(Node {
            name: said("name"),
            description: said("description").filter(|said| !said.is_empty()),
            starts: starts(&package),
            scripts: scripts.filter_map(|(name, line)| Some((name.clone(), line.as_str()?.to_owned()))).collect(),
            workspaces: workspaces(&package),
            manager,
        })
    }
}

fn starts(package: &Value) -> Vec<String> {
    let said = |key: &str| package.get(key).and_then(Value::as_str).map(|file| format!("{file} ({key})"));
    let mut starts: Vec<String> = ["main", "module"].into_iter().filter_map(said).collect();
    match package.get("bin") {
        Some(Value::String(file)) => starts.push(format!("{file} (bin)")),
        Some(Value::Object(bins)) => {
            let bins = bins.iter().filter_map(|(name, file)| Some(format!("{} (bin {name})", file.as_str()?)));
            starts.extend(bins);
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_)) | None => {}
    }
    starts
}

/// A list of patterns, or one within an object.
fn workspaces(package: &Value) -> Vec<String> {
    let list = package.get("workspaces").map(|found| found.get("packages").unwrap_or(found));
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|pattern| pattern.as_str().map(String::from)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_tells_what_starts_and_what_can_be_run() {
        let node = Node::read(
            r#"{"name": "a", "main": "index.js", "bin": {"x": "bin/x.js"}, "scripts": {"test": "vitest"},
                "workspaces": {"packages": ["packages/*"]}, "packageManager": "pnpm@9.1.0"}"#,
        );
        let node = node.unwrap();
        assert_eq!(node.starts, ["index.js (main)", "bin/x.js (bin x)"]);
        assert_eq!(node.scripts, [("test".into(), "vitest".into())]);
        assert_eq!((node.workspaces, node.manager.as_deref()), (vec!["packages/*".into()], Some("pnpm")));
        assert_eq!(Node::read("[]"), None);
        assert_eq!(Node::read("{"), None);
    }
}
