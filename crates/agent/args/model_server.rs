//! Which model server is meant, for every command that talks to one.

use crate::config::Config;
use anyhow::Result;
use clap::Args as Group;

/// Which model server is talked to; without any of it that of the settings.
#[derive(Debug, Clone, Default, Group)]
pub(crate) struct ModelServer {
    /// Where the model server listens: host, host:port or a whole address. It is asked of which kind it is: Ollama, or any
    /// that speaks /v1/chat/completions (llama.cpp, vLLM, SGLang, LM Studio …)
    #[arg(long, value_name = "HOST")]
    pub(crate) host: Option<String>,

    /// The model server that your config describes under [servers.NAME]
    #[arg(long, value_name = "NAME", conflicts_with = "host")]
    pub(crate) server: Option<String>,

    /// The variable of the environment that holds the server's key
    #[arg(long, value_name = "VARIABLE")]
    pub(crate) api_key_env: Option<String>,
}

impl ModelServer {
    /// Lets `config` talk to it.
    ///
    /// # Errors
    /// No server has the name.
    pub(crate) fn over(&self, config: &mut Config) -> Result<()> {
        if let Some(name) = &self.server {
            config.talk_to_named(name)?;
        }
        if let Some(host) = &self.host {
            config.talk_to(host.clone());
        }
        if let Some(variable) = &self.api_key_env {
            config.key_variables.push(variable.clone());
            config.access.api_key_env = Some(variable.clone());
        }
        Ok(())
    }
}
