//! Pictures made here.
