"""What can be set."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    hosts: tuple = ()
    timeout: float = 5.0
    tries: int = 3
