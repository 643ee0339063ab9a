//! The screen driven by keys and events, and looked at as text.
