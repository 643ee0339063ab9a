//! Looks at the servers of a run around its trials, by the same code that a session uses.

use crate::config::Config;
use crate::session::{host, server};
use agent_backend::{Chat, Kind};
use agent_bench::{Look, ServerFacts, Variant, Watch};
use agent_protocol::{LoadedModel, ServerError};
use std::sync::Arc;

/// Reaches the servers of arms.
pub(super) struct Watching {
    config: Config,
}

impl Watching {
    pub(super) fn of(config: &Config) -> Self {
        Watching { config: config.clone() }
    }

    /// What the server of `arm` tells of itself and of the model.
    pub(super) async fn ask(&self, arm: &Variant) -> anyhow::Result<Result<ServerFacts, ServerError>> {
        Ok(facts(self.server(arm)?.as_ref(), &arm.model).await)
    }

    /// The server of `arm`, as its trials reach it.
    fn server(&self, arm: &Variant) -> anyhow::Result<Arc<dyn Chat>> {
        let config = settled(&self.config, arm);
        server(&host(&config)?, &config)
    }
}

/// The settings with which `arm` is reached: nothing of the user's own but the variables of its keys.
pub(super) fn settled(config: &Config, arm: &Variant) -> Config {
    let mut config = config.clone();
    config.host = Some(arm.host.clone());
    config.proxy = false;
    config.access.kind = match arm.kind.as_str() {
        "ollama" => Kind::Ollama,
        "openai" => Kind::OpenAi,
        _ => Kind::Auto,
    };
    config.access.api_key_env.clone_from(&arm.api_key_env);
    config.access.headers_env.clone_from(&arm.headers_env);
    config.access.allow_plain_key = arm.allow_plain_key;
    config
}

impl Watch for Watching {
    fn look<'a>(&'a self, arm: &'a Variant) -> Look<'a> {
        Box::pin(async move {
            let told = self.ask(arm).await.map_err(|error| format!("{error:#}"))?;
            told.map_err(|error| error.to_string())
        })
    }
}

/// What `server` tells of itself and of `model`.
async fn facts(server: &dyn Chat, model: &str) -> Result<ServerFacts, ServerError> {
    let (card, model) = (server.card().await?, server.describe(model).await?);
    let loaded = match server.models_host() {
        // What it does not tell is no fault of it.
        Some(models) => models.loaded().await.unwrap_or_default(),
        None => Vec::new(),
    };
    let loaded = LoadedModel::of_answering(loaded, &model);
    Ok(ServerFacts {
        product: card.product,
        version: card.version,
        window: loaded.as_ref().and_then(|loaded| loaded.context_length),
        gpu_percent: loaded.as_ref().and_then(LoadedModel::gpu_percent),
        digest: model.digest,
        quantization: model.quantization,
        parameters: model.parameter_size,
    })
}
