"""Runs test_ticket.py against ticket.py as it should be, and against versions of it that are broken."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def passes(version):
    with tempfile.TemporaryDirectory(dir=HERE) as folder:
        shutil.copy(version, pathlib.Path(folder, "ticket.py"))
        shutil.copy(HERE / "test_ticket.py", folder)
        command = [sys.executable, "-m", "unittest", "test_ticket"]
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL)
        return ran.returncode == 0 and "Ran 0 tests" not in ran.stderr


def say(number, name, good):
    print("ok" if good else "not ok", number, "-", name)
    return good


there = (HERE / "test_ticket.py").is_file()
versions = sorted((HERE / "versions").glob("broken_*.py"))
good = [say(1, "passes with the code as it should be", there and passes(HERE / "ticket.py"))]
for number, version in enumerate(versions, 2):
    good.append(say(number, "finds " + version.stem, there and not passes(version)))
sys.exit(0 if all(good) else 1)
