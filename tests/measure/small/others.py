"""Lets other agents work on a set of tasks, so that they can be compared with `agent bench --dir SET` on the same machine.

    python3 others.py --agent aider --binary PATH --model NAME --set one --trials 3 --out rows.jsonl
    python3 others.py --agent older --binary PATH --model NAME --set one --trials 3 --out rows.jsonl --bench /path/to/agent

Each trial: the task is filled from its seed as bench fills it, a copy of start/ becomes a git repository with one commit, the
agent works there without a person until it ends or the task's minutes are over, the files that may change are taken over into
a fresh start/, hidden/ is laid on top, and the command that grades runs. What came of it is one line of --out. Rows that are
there already are not made again, so a run that was stopped goes on with the same command. The first trial of every task comes
before the second of any; a trial's seed is --seed and its number added, as in bench.

With --bench every task is also laid by `agent bench lay`, and the run stops if the two texts differ. What is graded runs without
a sandbox here: use a machine or container in which that does no harm. Needs Python 3.11, git, and what the tasks need.

aider is told of the files that the prompt names and that are there, as a person would `/add` them. `older` is an earlier build
of agent: version 0.1 speaks only Ollama's wire, builds since then the other one as well.
"""
import argparse
import fnmatch
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

CANARY = "<!-- agent-bench canary"
GRADING_SECONDS = 120
BUILT_FOLDERS = {".git", "__pycache__", "target", "node_modules", "dist", "build", ".pytest_cache"}
BUILT_ENDINGS = (".pyc", ".class", ".o", ".out")


# Files of a folder in memory: {"a/b.py": bytes}.

def read(folder):
    paths = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    return {name: path.read_bytes() for name, path in names.items() if not name.startswith(".git/")}


def lay(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o755 if content.startswith(b"#!") else 0o644)


# Filling, as crates/bench/src/task/filling.rs does it.

def remainder(name, count):
    return int.from_bytes(hashlib.sha256(name.encode()).digest()) % count


def chosen(seed, task, fill):
    values = {}
    for key, choice in sorted(fill.items()):
        name = f"{seed}/{task}/{key}"
        if isinstance(choice, list):
            values[key] = str(choice[remainder(name, len(choice))])
        else:
            values[key] = str(choice["from"] + remainder(name, choice["to"] - choice["from"] + 1))
    return values


def filled(text, values):
    for key, value in values.items():
        text = text.replace(f"@@{key}@@", value)
    return text


def filled_files(files, values):
    return {name: filled(content.decode(), values).encode() for name, content in files.items()}


class Task:
    """A task of the set, filled from a seed."""

    def __init__(self, folder, seed):
        text = (folder / "task.toml").read_text()
        values = chosen(seed, folder.name, tomllib.loads(text).get("fill", {}))
        prompt = filled((folder / "prompt.md").read_text(), values)
        if prompt.startswith(CANARY):
            prompt = prompt.split("\n", 1)[1]
        self.name = folder.name
        self.sheet = tomllib.loads(filled(text, values))
        self.prompt = prompt.strip()
        self.start = filled_files(read(folder / "start"), values)
        self.hidden = filled_files(read(folder / "hidden"), values)
        unknown = {"base", "max_changed_lines"} & self.sheet.keys()
        if unknown:
            sys.exit(f"{self.name}: {', '.join(unknown)} in task.toml is not known here; leave it out of tasks for others.py")


def same_as_bench(bench, folder, seed, task):
    """Stops where `agent bench lay` writes another text; an agent that cannot lay from a folder is told of, once."""
    with tempfile.TemporaryDirectory() as place:
        laid = Path(place, "laid")
        command = [bench, "bench", "lay", folder.name, str(laid), "--dir", str(folder.parent), "--seed", str(seed)]
        ran = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if ran.returncode != 0:
            words = (ran.stderr.strip().splitlines() or ["no word"])[0]
            print(f"--bench is not used: it could not lay {folder.name} ({words})", file=sys.stderr)
            return False
        prompt = (laid / "prompt.md").read_text().rsplit("\n---\n", 1)[0].strip()
        ours = (task.prompt, task.start, task.hidden)
        if ours != (prompt, read(laid / "start"), read(laid / "hidden")):
            sys.exit(f"{folder.name} with seed {seed}: `agent bench lay` writes another text than this script; mend it first")
    return True


# Grading, as crates/bench/src/grading.rs, readers.rs and class.rs do it.

def matches(pattern, name):
    """`*` and `?` stay within one folder, `**/` spans folders."""
    if pattern.startswith("**/"):
        parts = name.split("/")
        return any(matches(pattern[3:], "/".join(parts[at:])) for at in range(len(parts)))
    if "**" in pattern:
        sys.exit(f"may_change = {pattern}: `**` is known only as `**/` at the beginning here")
    same_depth = pattern.count("/") == name.count("/")
    return same_depth and all(fnmatch.fnmatchcase(*pair) for pair in zip(name.split("/"), pattern.split("/")))


def reported(reader, output):
    """Whether each test that was reported passed."""
    found = []
    if reader == "unittest":
        heads = list(re.finditer(r"^(\w+) \(([\w.]+)\)(?:\n[^\n]*?)?? \.\.\. (.*)$", output, re.M))
        for head, following in zip(heads, heads[1:] + [None]):
            test, place, said = head.groups()
            name = place if place.endswith("." + test) else f"{place}.{test}"
            rest = output[head.start(3):following.start() if following else len(output)]
            verdict = re.search(r"\b(ok|FAIL|ERROR)$", rest, re.M)
            known = said.strip() in ("ok", "FAIL", "ERROR", "expected failure", "unexpected success") or said.startswith("skipped")
            found.append((name, said.strip() == "ok" if known else bool(verdict) and verdict[1] == "ok"))
    elif reader in ("node", "tap"):
        for verdict, name in re.findall(r"^(ok|not ok)(?: \d+)? - (.*)$", output, re.M):
            marked = re.search(r" # (SKIP|TODO)", name)
            found.append((name[:marked.start()] if marked else name.strip(), verdict == "ok" and not marked))
    else:
        sys.exit(f"reader = {reader} is not known here; use unittest, node or tap")
    return {name: all(good for other, good in found if other == name) for name, _ in found}


def grade(task, result):
    """Does `result`, the files as the agent left them, pass?"""
    taken = {name: content for name, content in result.items() if any(matches(it, name) for it in task.sheet["may_change"])}
    environment = os.environ | {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    with tempfile.TemporaryDirectory() as place:
        lay(Path(place), task.start | taken | task.hidden)
        code, output = run(["bash", "-c", task.sheet["hidden"]], Path(place), environment, GRADING_SECONDS)
    passed = reported(task.sheet["reader"], output) if "reader" in task.sheet else {}
    return code == 0 and all(passed.get(name) for name in task.sheet.get("tests", []))


def differing(task, result):
    """Files that are not as they were; what compilers, runners and aider itself leave behind is no change."""
    def built(name):
        parts = name.split("/")
        return bool(BUILT_FOLDERS & set(parts)) or name.endswith(BUILT_ENDINGS) or parts[0].startswith(".aider") or "." not in parts[-1]

    names = sorted(task.start.keys() | result.keys())
    return [name for name in names if task.start.get(name) != result.get(name) and (name in task.start or not built(name))]


def solved(task, result, answer):
    if task.sheet["kind"] != "cannot":
        return grade(task, result)
    return not differing(task, result) and any(piece in answer.lower() for piece in task.sheet["answer"]["says"])


# Agents: a command line each, and where the answer stands.

def named_files(task):
    """Files of start/ that the prompt names, by their path or last part."""
    def named(word):
        return re.search(rf"(?<![\w./-]){re.escape(word)}(?![\w-]|\.\w)", task.prompt)

    return [name for name in sorted(task.start) if named(name) or named(name.rsplit("/", 1)[-1])]


def aider(args, task, home):
    (home / "prompt").write_text(task.prompt + "\n")
    # aider asks the net for prices of models at each start unless a list of them, no matter which, is there.
    prices = home / ".aider" / "caches" / "model_prices_and_context_window.json"
    prices.parent.mkdir(parents=True, exist_ok=True)
    prices.write_text('{"nobody": {}}')
    return [
        args.binary, "--model", f"openai/{args.model}", "--openai-api-base", f"{args.url}/v1", "--openai-api-key", "x",
        "--edit-format", "whole", "--yes-always", "--no-auto-commits", "--no-show-model-warnings", "--no-check-update",
        "--analytics-disable", "--no-stream", "--no-gitignore", "--no-pretty", "--no-show-release-notes",
        "--map-tokens", "1024", "--message-file", str(home / "prompt"), *named_files(task),
    ]  # fmt: skip


def older(args, task, home):
    return [args.binary, "-p", task.prompt, "--unsafe", "--host", args.url, "--model", args.model]


AGENTS = {"aider": aider, "older": older}


def answer_of(agent, work, output):
    """What the model said. aider prints counts of tokens besides, so it is read from its history."""
    history = work / ".aider.chat.history.md"
    if agent == "aider" and history.is_file():
        lines = history.read_text(errors="replace").splitlines()
        return "\n".join(line for line in lines if not line.startswith(("> ", "#### ", "# aider chat")))
    return output


# A trial.

def run(command, folder, environment, seconds):
    """The exit code, none if the time was up, and what was printed."""
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=said,
                                 stderr=subprocess.STDOUT, start_new_session=True)  # fmt: skip
        try:
            code = child.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            # It may have left something running; the group is its own.
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
        said.seek(0)
        return code, said.read().decode(errors="replace")


def repository(folder, environment):
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "start"]):
        subprocess.run(["git", *words], cwd=folder, env=environment, check=True)
    # What aider writes beside is none of the project's, as if a person had told git so.
    with open(folder / ".git" / "info" / "exclude", "a") as file:
        file.write(".aider*\n__pycache__/\n")


def surroundings(home):
    """A home of its own: no settings, no keys, nothing learned before."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "TERM", "TMPDIR", "PYENV_ROOT", "PYENV_VERSION")}
    folders = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    person = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "t"), ("EMAIL", "t@example.org"))}
    # The library that aider speaks through would ask the net for such a list, too.
    quiet = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "GIT_CONFIG_GLOBAL": os.devnull}
    return kept | folders | person | quiet | {"HOME": str(home), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}


def trial(args, task, home):
    environment = surroundings(home)
    with tempfile.TemporaryDirectory() as place:
        work = Path(place, "project")
        lay(work, task.start)
        repository(work, environment)
        began = time.monotonic()
        code, output = run(AGENTS[args.agent](args, task, home), work, environment, task.sheet.get("minutes", 5) * 60 * args.time_factor)
        seconds = round(time.monotonic() - began, 1)
        result = read(work)
        answer = answer_of(args.agent, work, output)
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
        (args.keep / f"{args.agent}-{task.name}-{args.seed_of_trial}.txt").write_text(output + "\n--- answer\n" + answer)
    return {"solved": solved(task, result, answer), "secs": seconds, "exit": code, "changed": differing(task, result)}


def server_answers(url):
    there = urlsplit(url)
    try:
        socket.create_connection((there.hostname, there.port or 80), timeout=5).close()
    except OSError:
        return False
    return True


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", choices=AGENTS, required=True)
    parser.add_argument("--binary", required=True, help="the program of that agent")
    parser.add_argument("--url", default="http://127.0.0.1:8080", help="the model server, without /v1")
    parser.add_argument("--model", required=True)
    parser.add_argument("--set", type=Path, required=True, help="a folder of tasks")
    parser.add_argument("--tasks", default="", help="only tasks whose names begin so, with commas between")
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time-factor", type=float, default=1, help="times the minutes of each task")
    parser.add_argument("--out", type=Path, required=True, help="where rows are added, one JSON object a line")
    parser.add_argument("--keep", type=Path, help="a folder for what the agent printed")
    parser.add_argument("--bench", help="an agent whose `bench lay` has to write the same texts")
    args = parser.parse_args()
    args.url = args.url.rstrip("/")
    args.binary = shutil.which(args.binary) or sys.exit(f"{args.binary} is no program")
    args.binary = os.path.abspath(args.binary)
    return args


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()] if path.exists() else []


def main():
    args = arguments()
    wanted = tuple(args.tasks.split(","))
    folders = sorted(path.parent.resolve() for path in args.set.glob("*/task.toml") if path.parent.name.startswith(wanted))
    if not folders:
        sys.exit(f"there is no task in {args.set}")
    key = lambda row: (row["agent"], row["model"], row["task"], row["trial"], row["seed"])
    made = {key(row) for row in rows(args.out)}
    with tempfile.TemporaryDirectory() as home:
        for number in range(1, args.trials + 1):
            for folder in folders:
                args.seed_of_trial = args.seed + number
                row = {"agent": args.agent, "model": args.model, "task": folder.name, "trial": number, "seed": args.seed_of_trial}
                if key(row) in made:
                    continue
                task = Task(folder, args.seed_of_trial)
                if args.bench and not same_as_bench(args.bench, folder, args.seed_of_trial, task):
                    args.bench = None
                began = server_answers(args.url)
                row |= trial(args, task, Path(home)) if began else {}
                if not began or not server_answers(args.url):
                    sys.exit(f"no server answers at {args.url}; this trial is not counted, the same command goes on from here")
                with open(args.out, "a") as out:
                    out.write(json.dumps(row) + "\n")
                print(f"{folder.name} {number}: {'solved' if row['solved'] else 'not solved'}, {row['secs']} s", flush=True)
    ours = [row for row in rows(args.out) if (row["agent"], row["model"]) == (args.agent, args.model)]
    print(f"{sum(row['solved'] for row in ours)} of {len(ours)} solved by {args.agent} with {args.model}")


if __name__ == "__main__":
    main()
