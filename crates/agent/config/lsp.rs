//! `[lsp.NAME]`: the user's own language servers.

use agent_tools::LanguageServer;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// All of them by name.
pub(crate) type Servers = BTreeMap<String, Spanned<Server>>;

/// One of them, as written.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Server {
    /// The program and its arguments.
    command: Vec<String>,
    /// Endings of the files it is for.
    extensions: Vec<String>,
}

impl Server {
    /// What is wrong with it, in words.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let relative = |program: &String| program.contains('/') && !program.starts_with('/');
        match self.command.first() {
            None => Some("`command` is empty; give the program and its arguments"),
            Some(program) if program.trim().is_empty() => Some("`command` names no program"),
            Some(program) if relative(program) => {
                Some("`command` begins with a path that is not whole; give a name on the PATH, or a path from /")
            }
            Some(_) if self.endings().next().is_none() => Some("`extensions` is empty; give endings like \"rs\""),
            Some(_) => None,
        }
    }

    fn endings(&self) -> impl Iterator<Item = String> {
        let endings = self.extensions.iter().map(|ending| ending.trim().trim_start_matches('.').to_lowercase());
        endings.filter(|ending| !ending.is_empty())
    }
}

/// As the tools take them.
pub(super) fn resolved(servers: Servers) -> Vec<LanguageServer> {
    let resolved = |(name, server): (String, Spanned<Server>)| {
        let server = server.into_inner();
        LanguageServer { name, extensions: server.endings().collect(), command: server.command }
    };
    servers.into_iter().map(resolved).collect()
}

#[cfg(test)]
mod tests {
    use super::super::file::File;

    fn parsed(text: &str) -> Result<String, String> {
        let file = File::parse(text).map_err(|fault| fault.to_string())?;
        let servers = super::resolved(file.lsp);
        Ok(servers.iter().map(|one| format!("{} {:?} {:?}", one.name, one.command, one.extensions)).collect())
    }

    #[test]
    fn a_server_has_a_command_and_endings() {
        let text = "[lsp.ruby]\ncommand = [\"solargraph\", \"stdio\"]\nextensions = [\".RB\", \"rake\"]\n";
        assert_eq!(parsed(text).unwrap(), r#"ruby ["solargraph", "stdio"] ["rb", "rake"]"#);
    }

    #[test]
    fn what_cannot_be_started_is_said() {
        for (text, said) in [
            ("\n[lsp.a]\ncommand = []\nextensions = [\"a\"]", "lsp.a: `command` is empty"),
            ("[lsp.a]\ncommand = [\"./x\"]\nextensions = [\"a\"]", "lsp.a: `command` begins with a path"),
            ("[lsp.a]\ncommand = [\"x\"]\nextensions = [\".\"]", "lsp.a: `extensions` is empty"),
            ("[lsp.a]\ncommand = [\"x\"]", "missing field `extensions`"),
            ("[lsp.a]\ncomand = [\"x\"]", "unknown field `comand`"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
