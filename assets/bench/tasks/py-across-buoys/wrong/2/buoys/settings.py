"""What can be set."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    hosts: tuple = ()
    @@NEW@@: int = 5000
    tries: int = 3
