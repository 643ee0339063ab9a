"""Settings as text."""


def show(settings):
    return "\n".join(
        [
            f"hosts = {' '.join(settings.hosts)}",
            f"@@NEW@@ = {settings.@@NEW@@}",
            f"tries = {settings.tries}",
        ]
    )
