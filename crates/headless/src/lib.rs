//! One question, one answer, no screen.
