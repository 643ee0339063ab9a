//! The turn machine: input in, effects out.
