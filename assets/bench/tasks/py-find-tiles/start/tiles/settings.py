from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    kept: int = 500
    """How many tiles are kept at most."""
