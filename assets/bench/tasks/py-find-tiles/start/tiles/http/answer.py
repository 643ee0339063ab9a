from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    status: int
    body: str
