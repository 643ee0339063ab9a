//! Tables as text with separators between fields.

pub mod reader;
pub mod writer;

pub use reader::read;
pub use writer::write;
