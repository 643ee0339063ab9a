//! The model server, its models, and what is known of them.

use crate::{
    LoadedModel, ModelCard, ModelProfile, ModelsReason, NearbyServer, Probe, ProbeFinding, PullState, ServerError,
    ServerState, Think,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::VariantNames;

/// What is known of the server and of its models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "type", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ServerEvent {
    /// How it stands with the server.
    Server {
        state: ServerState,
    },
    Models {
        models: Vec<ModelCard>,
        reason: ModelsReason,
    },
    /// This model is talked to from now on.
    ModelSet {
        /// What is known of it.
        card: ModelCard,
        /// The window asked for, in tokens.
        window: u64,
    },
    /// Options that the server would use for this model by itself, and that its maker says otherwise.
    Overruled {
        options: Vec<OverruledOption>,
    },
    /// What is known of one installed model.
    ModelDescribed {
        /// Its name, as it was asked for.
        name: String,
        /// What is known; `None`: it is not known, for this reason.
        card: Option<ModelCard>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trouble: Option<ServerError>,
        /// How it lies in memory, if it does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        loaded: Option<LoadedModel>,
    },
    /// What the server has in memory.
    Loaded {
        models: Vec<LoadedModel>,
        /// Why it is not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trouble: Option<ServerError>,
    },
    /// A model is gone from the server's disk, or is not.
    ModelRemoved {
        name: String,
        /// Why it is still there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trouble: Option<ServerError>,
    },
    /// How much the model thinks from now on.
    ThinkSet {
        /// So much; `None`: as the server decides.
        think: Option<Think>,
    },
    Pulling {
        name: String,
        state: PullState,
    },
    /// The server does not answer, and no other was named: these run on this machine.
    Nearby {
        /// At least one.
        servers: Vec<NearbyServer>,
    },
    /// One question of the examination is put to the model.
    Examining {
        probe: Probe,
    },
    /// One question of the examination is answered.
    Probed {
        finding: ProbeFinding,
    },
    Diagnosed {
        /// What is known of the model now; kept for later sessions.
        profile: Box<ModelProfile>,
    },
}

/// An option of sampling that is sent as the model's maker recommends it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OverruledOption {
    /// Its name, as servers know it: `presence_penalty`.
    pub name: String,
    pub sent: Value,
    /// What the server would use by itself.
    pub own: Value,
}
