class BadRequest(Exception):
    """The path or one of its options makes no sense."""
