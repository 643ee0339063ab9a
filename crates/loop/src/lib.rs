//! The one room where mind and hands meet: carries out the machine's effects and brings the answers back.
//!
//! Decides nothing. Everything asynchronous runs in tasks that answer through one inbox, so the machine sees one
//! input after the other.

mod driver;
mod jobs;
mod keeping;
mod reaching;
mod replies;
mod servers;

pub use driver::{Parts, StartServer, drive};
pub use keeping::{Archive, KeptContents};
