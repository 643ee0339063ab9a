"""Where the server listens."""
import os

PUBLIC_PORT = 8000
LOCAL_PORT = @@PORT@@


def address(public):
    """The host and the port."""
    host = "0.0.0.0" if public else "127.0.0.1"
    usual = PUBLIC_PORT if public else LOCAL_PORT
    return host, int(os.environ.get("PORT", usual))
