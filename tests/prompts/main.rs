//! What a model is sent in a whole session: how much it costs, how often the server has to read it anew, and what a model can
//! do that has only what it is sent. The built binary without a person, against the replay server.

#[path = "../measure/cost/mod.rs"]
mod cost;
mod costs;
mod pairs;
