import sys

from tiles.app import make_app


def main():
    app = make_app()
    for path in sys.argv[1:]:
        answer = app.get(path)
        print(answer.status)
        print(answer.body)


main()
