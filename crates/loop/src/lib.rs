//! Carries out effects and brings results back.
