//! What texts cost in tokens and how conversations become shorter, through the crate's own door.

mod any_server;
mod estimate;
mod fit;
mod servers;
