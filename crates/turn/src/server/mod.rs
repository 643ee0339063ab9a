//! What is known of the server and the model.

pub(crate) mod exam;
pub(crate) mod link;
pub(crate) mod measure;
pub(crate) mod offer;
pub(crate) mod window;
