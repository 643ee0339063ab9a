//! Tests, formatters and linters: the words each program is started with, and the whole way of a call with those that are
//! installed here.

mod formatting;
mod linting;
mod support;
mod testing;
mod words;
