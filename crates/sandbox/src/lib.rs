//! Starts a child inside a fence, with limits.
