//! A scripted server on loopback that speaks Ollama's wire.
