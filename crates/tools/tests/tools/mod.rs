//! Tests of the whole way of a call: reach, judge, plan, judge, perform.

mod agents;
mod executor;
mod plans;
mod web;
