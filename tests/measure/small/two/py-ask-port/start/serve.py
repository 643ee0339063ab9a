"""Serves a folder to the browsers of this machine: python3 serve.py [--folder DIR] [--public]"""
import argparse
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from settings import address


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", default=".")
    parser.add_argument("--public", action="store_true", help="other machines may look, too")
    args = parser.parse_args()

    def handler(*words):
        return SimpleHTTPRequestHandler(*words, directory=args.folder)

    ThreadingHTTPServer(address(args.public), handler).serve_forever()


if __name__ == "__main__":
    main()
