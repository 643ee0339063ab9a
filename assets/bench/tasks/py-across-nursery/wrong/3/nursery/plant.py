"""What is known of a plant."""

from dataclasses import dataclass


@dataclass
class Plant:
    number: int
    name: str
    pots: int
    price: int
    @@FIELD@@: str = ""  # may be empty

    @property
    def worth(self):
        return self.pots * self.price
