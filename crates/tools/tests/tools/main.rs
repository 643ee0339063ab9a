//! Tests of the whole way of a call: reach, judge, plan, judge, perform.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod agents;
mod cases;
mod executor;
mod plans;
mod stage;
mod support;
mod web;
