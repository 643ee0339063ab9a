"""The opener that is used when no other is given."""

import urllib.request


def radio(host, seconds):
    with urllib.request.urlopen(f"http://{host}/wave", timeout=seconds) as answer:
        return answer.read().decode()
