"""Settings as text."""


def show(settings):
    return "\n".join(
        [
            f"hosts = {' '.join(settings.hosts)}",
            f"timeout = {settings.timeout:g}",
            f"tries = {settings.tries}",
        ]
    )
