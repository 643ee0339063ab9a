"""All buoys, one after the other."""

from buoys.link import Link, NoAnswer
from buoys.wave import wave_of


def ask_all(settings, opener):
    """Lines with what each buoy says."""
    for host in settings.hosts:
        link = Link(host, opener, @@NEW@@=settings.@@NEW@@, tries=settings.tries)
        try:
            wave = wave_of(link.read())
        except NoAnswer as error:
            yield f"no answer from {error}"
        else:
            yield f"{host}: {wave.height:.1f} m every {wave.period:g} s"
