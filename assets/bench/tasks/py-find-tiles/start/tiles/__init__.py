"""A small map server."""
