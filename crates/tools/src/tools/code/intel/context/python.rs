//! What a `pyproject.toml` says.

use toml::{Table, Value};

/// What it says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Python {
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    /// What builds it: `poetry`, `hatchling` …
    pub(super) backend: Option<String>,
    /// Commands: name and function.
    pub(super) scripts: Vec<(String, String)>,
    /// It has settings for pytest.
    pub(super) pytest: bool,
    /// Tools that have settings in it.
    pub(super) tools: Vec<String>,
}

impl Python {
    pub(super) fn read(text: &str) -> Option<Self> {
        let table: Table = text.parse().ok()?;
        let tools = table.get("tool").and_then(Value::as_table);
        let poetry = tools.and_then(|tools| tools.get("poetry")).and_then(Value::as_table);
        let project = table.get("project").and_then(Value::as_table);
        let said = |key: &str| {
            let of = |table: Option<&Table>| {
                table.and_then(|table| table.get(key)).and_then(Value::as_str).map(String::from)
            };
            of(project).or_else(|| of(poetry))
        };
        let builds = table.get("build-system").and_then(|system| system.get("build-backend")).and_then(Value::as_str);
        let scripts =
            [project, poetry].into_iter().flatten().filter_map(|table| table.get("scripts")?.as_table()).flatten();
        let names: Vec<String> = tools.into_iter().flatten().map(|(name, _)| name.clone()).collect();
        Some(Python {
            name: said("name"),
            description: said("description").filter(|said| !said.is_empty()),
            backend: builds.and_then(|builds| builds.split('.').next().map(String::from)),
            scripts: scripts.filter_map(|(name, at)| Some((name.clone(), at.as_str()?.to_owned()))).collect(),
            pytest: names.iter().any(|name| name == "pytest"),
            tools: names,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_tells_its_commands_and_what_builds_it() {
        let text = "[project]\nname = \"a\"\n[project.scripts]\nx = \"a.cli:main\"\n[build-system]\n\
            build-backend = \"hatchling.build\"\n[tool.pytest.ini_options]\n[tool.ruff]\n";
        let python = Python::read(text).unwrap();
        assert_eq!((python.name.as_deref(), python.backend.as_deref()), (Some("a"), Some("hatchling")));
        assert_eq!(python.scripts, [("x".into(), "a.cli:main".into())]);
        assert!(python.pytest && python.tools == ["pytest", "ruff"]);
        let poetry = Python::read("[tool.poetry]\nname = \"b\"\n[tool.poetry.scripts]\ny = \"b:run\"\n").unwrap();
        assert_eq!((poetry.name.as_deref(), poetry.scripts.len()), (Some("b"), 1));
    }
}
