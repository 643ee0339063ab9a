//! A store of goods in lots, and the orders taken from it.

mod lot;
mod order;
mod store;

pub use lot::Lot;
pub use order::{Order, Refused};
pub use store::Store;
