//! Servers that speak OpenAI's `/v1/chat/completions`: llama.cpp, vLLM, SGLang, LM Studio and many more.
//!
//! They manage their models themselves. What each tells of itself is found out (`survey`), not assumed by product.

mod calls;
mod listed;
mod reply;
mod survey;
mod wire;

#[cfg(test)]
mod tests;

use crate::http::exchange::Exchange;
use crate::http::pace::Pace;
use crate::http::server::{Server, Way};
use crate::http::told::told;
use crate::{Chat, Credentials, Host, ModelHost};
use agent_protocol::{
    Capability, ChatRequest, LoadedModel, ModelCard, ModelEvent, PullState, ServerCard, ServerError, WindowsBy,
};
use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt};
use reply::reply_of;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use survey::{Survey, survey};
use wire::Progress;

/// A server at the address of its `/v1`.
pub struct OpenAi {
    server: Arc<Server>,
    pace: Pace,
    /// It said that it is one that tells how far it has read a prompt.
    tells_progress: AtomicBool,
}

impl OpenAi {
    /// The server at `host`, with these headers in every request. Connects to nothing before it is asked for something.
    pub(crate) fn at(host: Host, way: Way, credentials: Credentials) -> OpenAi {
        let server = Server::at(host, way, None).with_headers(credentials.headers);
        OpenAi { server: Arc::new(server), pace: Pace::default(), tells_progress: AtomicBool::new(false) }
    }

    /// The same, with waits of other lengths.
    #[cfg(test)]
    pub(crate) fn with_pace(self, pace: Pace) -> OpenAi {
        OpenAi { pace, ..self }
    }

    /// What it tells of itself; what that means for requests is kept.
    async fn survey(&self) -> Result<Survey, ServerError> {
        let survey = survey(&self.server).await?;
        self.tells_progress.store(survey.tells_progress, Ordering::Relaxed);
        Ok(survey)
    }

    fn progress(&self) -> Progress {
        if self.tells_progress.load(Ordering::Relaxed) { Progress::Told } else { Progress::NotTold }
    }
}

impl Chat for OpenAi {
    fn card(&self) -> BoxFuture<'_, Result<ServerCard, ServerError>> {
        Box::pin(async {
            let survey = self.survey().await?;
            let tells_windows = survey.models.iter().any(|model| model.window.is_some());
            Ok(ServerCard {
                version: survey.version,
                product: survey.product,
                can: tells_windows.then_some(Capability::ListLoaded).into_iter().collect(),
                windows: WindowsBy::Server { setting: survey.window_setting.map(str::to_owned) },
                slots: survey.slots,
                ..ServerCard::default()
            })
        })
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelCard>, ServerError>> {
        Box::pin(async { Ok(self.survey().await?.models.into_iter().map(|model| model.card).collect()) })
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelCard, ServerError>> {
        Box::pin(async move {
            let survey = self.survey().await?;
            let found = survey.model(model).map(|found| found.card.clone());
            found.ok_or_else(|| ServerError::ModelMissing { model: model.to_owned() })
        })
    }

    fn chat(&self, request: ChatRequest) -> BoxStream<'static, ModelEvent> {
        let (server, pace, progress) = (Arc::clone(&self.server), self.pace, self.progress());
        told(move |out| async move {
            let model = request.model.as_str();
            let body = wire::chat_body(&request, progress);
            let exchange = Exchange { server: &server, pace: &pace, path: "chat/completions", body, model };
            // Whoever lists a model here has it: what is waited for is the prompt being read.
            exchange.carry_out(reply_of(model), || std::future::ready(Some(true)), &out).await;
        })
    }

    fn written(&self, request: &ChatRequest) -> String {
        String::from_utf8_lossy(&wire::chat_body(request, self.progress())).into_owned()
    }

    fn models_host(&self) -> Option<&dyn ModelHost> {
        Some(self)
    }
}

/// Tells how large the windows are; nothing else is done for a person here.
impl ModelHost for OpenAi {
    fn load(&self, _: ChatRequest) -> BoxFuture<'_, Result<(), ServerError>> {
        unsupported(Capability::Load)
    }

    fn loaded(&self) -> BoxFuture<'_, Result<Vec<LoadedModel>, ServerError>> {
        Box::pin(async { Ok(self.survey().await?.loaded()) })
    }

    fn unload<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), ServerError>> {
        unsupported(Capability::Unload)
    }

    fn pull(&self, _: &str) -> BoxStream<'static, PullState> {
        let trouble = ServerError::Unsupported { what: Capability::Pull };
        stream::iter([PullState::Failed { trouble }]).boxed()
    }

    fn remove<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), ServerError>> {
        unsupported(Capability::Remove)
    }

    fn render(&self, _: ChatRequest) -> BoxFuture<'_, Result<String, ServerError>> {
        unsupported(Capability::Render)
    }
}

fn unsupported<'a, T: Send + 'a>(what: Capability) -> BoxFuture<'a, Result<T, ServerError>> {
    Box::pin(std::future::ready(Err(ServerError::Unsupported { what })))
}
