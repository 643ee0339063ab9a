//! The window, end to end: what is sent only grows, what is estimated is what the server counts, and what does not fit
//! becomes shorter without a word being lost silently. Against a scripted server that counts in ways the client does not know.

mod counting;
mod fitting;
mod growing;
mod session;
mod texts;
mod waiting;
