//! What texts cost in tokens and how conversations become shorter, through the crate's own door.

mod any_server;
mod compaction;
mod estimate;
mod servers;
