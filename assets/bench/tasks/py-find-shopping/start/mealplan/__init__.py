"""Meals of a week and what to buy for them."""

__version__ = "1.4.0"
