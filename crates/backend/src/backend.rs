//! What the loop may ask of a model server.

use agent_protocol::{ChatRequest, LoadedModel, ModelCard, ModelEvent, PullState, Trouble};
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;

/// A model server.
pub trait Backend: Send + Sync {
    /// Its address, as a person would write it.
    fn host(&self) -> &str;

    /// One reply. The stream ends in exactly one `Done` or `Broken`; dropping it cancels the request at once.
    fn chat(&self, request: ChatRequest) -> BoxStream<'static, ModelEvent>;

    /// Is it there? Its version, as it says.
    fn version(&self) -> BoxFuture<'_, Result<String, Trouble>>;

    /// What is known of one model.
    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelCard, Trouble>>;

    /// Loads the model of `request` with its very options, so that no later request of the session loads it again.
    /// Nothing is said to it, and it may take as long as it takes: drop it to stop waiting.
    fn load(&self, request: ChatRequest) -> BoxFuture<'_, Result<(), Trouble>>;

    /// The models in the server's memory. One that is being loaded is not among them.
    fn loaded(&self) -> BoxFuture<'_, Result<Vec<LoadedModel>, Trouble>>;

    /// Lets the server take `model` out of its memory, as soon as nobody uses it.
    fn release<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<(), Trouble>>;

    /// Removes `model` from the server's disk.
    fn remove<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<(), Trouble>>;

    /// `request` exactly as it would be sent: JSON.
    fn written(&self, request: &ChatRequest) -> String;

    /// The text that the server makes of `request` for the model; nothing is generated.
    ///
    /// Source: `_debug_render_only` of Ollama's `/api/chat`. It loads the model if need be. A server that does not know
    /// it begins a reply of one token, of which the first line is read and dropped: `Trouble::Garbage`.
    fn render(&self, request: ChatRequest) -> BoxFuture<'_, Result<String, Trouble>>;

    /// All installed models.
    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelCard>, Trouble>>;

    /// Downloads a model. The stream ends in exactly one `Done` or `Failed`; dropping it stops the download.
    fn pull(&self, name: &str) -> BoxStream<'static, PullState>;
}
