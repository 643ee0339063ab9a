//! The ratatui screen.
