//! Names for things that answers come back to, so that a late answer cannot land in the wrong place.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    };
}

id!(
    /// One turn: from what a person says to the model's last word on it.
    TurnId
);
id!(
    /// One reply of the model; a turn holds as many as it takes.
    ReplyId
);
id!(
    /// One tool call, counted over the whole session.
    CallId
);
id!(
    /// One command in the background, counted from 1 over the whole session.
    BackgroundId
);
id!(
    /// One wish of a command to reach a host.
    ReachId
);
id!(
    /// One time that hooks are run: all that are for what happened.
    FiringId
);
id!(
    /// One question to the user.
    AskId
);
id!(
    /// One thing the user said, counted from 1 over the whole session: every `TurnStarted` with words and every
    /// `Steered`, in the order of the events. Never used twice, also after a rewind.
    SaidId
);
