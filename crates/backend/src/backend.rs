//! What the loop may ask of a model server.

use agent_protocol::{ChatRequest, ModelCard, ModelEvent, PullState, Trouble};
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

    /// All installed models.
    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelCard>, Trouble>>;

    /// Downloads a model. The stream ends in exactly one `Done` or `Failed`; dropping it stops the download.
    fn pull(&self, name: &str) -> BoxStream<'static, PullState>;
}
