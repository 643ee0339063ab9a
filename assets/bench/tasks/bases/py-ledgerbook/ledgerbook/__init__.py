"""Plain-text double-entry bookkeeping."""

__version__ = "1.4.0"
