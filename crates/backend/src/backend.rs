//! What the loop may ask of a model server: of every one, and of those that manage models.

use agent_protocol::{ChatRequest, LoadedModel, ModelCard, ModelEvent, PullState, ServerCard, ServerError};
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;

/// A model server of any kind.
pub trait Chat: Send + Sync {
    /// Is it there? What it is, and what it can do.
    fn card(&self) -> BoxFuture<'_, Result<ServerCard, ServerError>>;

    /// All models that it has.
    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelCard>, ServerError>>;

    /// What is known of one model.
    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelCard, ServerError>>;

    /// One reply. The stream ends in exactly one `Done` or `Broken`; dropping it cancels the request at once.
    fn chat(&self, request: ChatRequest) -> BoxStream<'static, ModelEvent>;

    /// `request` exactly as it would be sent: JSON.
    fn written(&self, request: &ChatRequest) -> String;

    /// Its hold on its models; `None` for a server that manages them itself.
    fn models_host(&self) -> Option<&dyn ModelHost>;
}

/// A server whose models are managed through it. Its card says which of this it can do; what it cannot is answered with
/// [`ServerError::Unsupported`].
pub trait ModelHost: Send + Sync {
    /// Loads the model of `request` with its very options, so that no later request of the session loads it again.
    /// Nothing is said to it, and it may take as long as it takes: drop it to stop waiting.
    fn load(&self, request: ChatRequest) -> BoxFuture<'_, Result<(), ServerError>>;

    /// The models in the server's memory. One that is being loaded is not among them.
    fn loaded(&self) -> BoxFuture<'_, Result<Vec<LoadedModel>, ServerError>>;

    /// Lets the server take `model` out of its memory, as soon as nobody uses it.
    fn unload<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<(), ServerError>>;

    /// Downloads a model. The stream ends in exactly one `Done` or `Failed`; dropping it stops the download.
    fn pull(&self, name: &str) -> BoxStream<'static, PullState>;

    /// Removes `model` from the server's disk.
    fn remove<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<(), ServerError>>;

    /// The text that the server makes of `request` for the model; nothing is generated. The model is loaded if need be.
    fn render(&self, request: ChatRequest) -> BoxFuture<'_, Result<String, ServerError>>;
}
