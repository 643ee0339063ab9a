//! The one room where mind and hands meet: carries out the machine's effects and brings the answers back.
//!
//! Decides nothing. Everything asynchronous runs in tasks that answer through one inbox, so the machine sees one
//! input after the other.

mod arrival;
mod driver;
mod hooks;
mod jobs;
mod keeping;
mod reaching;
mod replies;
mod servers;

pub use arrival::StartServer;
pub use driver::{Parts, drive};
pub use keeping::{Archive, KeptContents};
