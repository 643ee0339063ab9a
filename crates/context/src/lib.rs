//! What the model gets to see when the window is small.
