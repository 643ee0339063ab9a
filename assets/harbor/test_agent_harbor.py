"""Tries agent_harbor.py against Harbor's own code, without a container: `AGENT_BINARY=… python3 test_agent_harbor.py`.

Commands of the environment run in a temporary folder of this machine. The model is a small server of this file that speaks
/v1/chat/completions from a script. Where Harbor is not installed nothing is tried, which is said.
"""

import asyncio
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path, PurePosixPath

try:
    from agent_harbor import Agent
    from harbor.environments.base import ExecResult
    from harbor.models.agent.context import AgentContext
    from harbor.models.trajectories import Trajectory
except ImportError as error:
    print(f"skipped: Harbor is not installed here ({error})")
    sys.exit(0)

BINARY = os.environ.get("AGENT_BINARY", "")


class Script(http.server.BaseHTTPRequestHandler):
    """Answers each chat with the next of `replies`; `None`: it never answers."""

    replies: list = []

    def log_message(self, *_):
        pass

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path.endswith("/models"):
            self._send(json.dumps({"object": "list", "data": [{"id": "m", "object": "model"}]}).encode(), "application/json")
        else:
            self.send_error(404)

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not self.path.endswith("/chat/completions"):
            self.send_error(404)
            return
        reply = self.replies.pop(0) if self.replies else {"content": "Done."}
        if reply is None:
            threading.Event().wait(60)
            return
        chunk = {"id": "1", "object": "chat.completion.chunk", "model": "m"}
        first = {**chunk, "choices": [{"index": 0, "delta": {"role": "assistant", **reply}, "finish_reason": None}]}
        reason = "tool_calls" if "tool_calls" in reply else "stop"
        last = {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}
        details = {"cached_tokens": 60}
        usage = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107, "prompt_tokens_details": details}
        last_of_all = {**chunk, "choices": [], "usage": usage}
        lines = [f"data: {json.dumps(part)}\n\n" for part in (first, last, last_of_all)] + ["data: [DONE]\n\n"]
        self._send("".join(lines).encode(), "text/event-stream")


class Here:
    """An environment that is a folder of this machine. Paths of a container lead into it."""

    default_user = None
    inside = ("/installed-agent", "/usr/local/bin/agent", "/logs")

    def __init__(self, root: Path):
        self.root, self.lines = root, []
        for name in ("app", "usr/local/bin", "home"):
            (root / name).mkdir(parents=True)

    def path(self, text: str) -> str:
        for name in self.inside:
            text = text.replace(name, f"{self.root}{name}")
        return text

    async def upload_file(self, source_path, target_path):
        shutil.copy(source_path, self.path(str(target_path)))

    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None):
        command = self.path(command)
        self.lines.append(command)
        around = {"PATH": os.environ["PATH"], "HOME": str(self.root / "home"), "LANG": "C.UTF-8", **(env or {})}
        process = await asyncio.create_subprocess_exec(
            "bash", "-c", command, cwd=self.root / "app", env=around,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        out, err = await asyncio.wait_for(process.communicate(), timeout_sec)
        return ExecResult(stdout=out.decode(), stderr=err.decode(), return_code=process.returncode)


def call(name: str, **arguments) -> dict:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": function}]}


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="agent-harbor-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Script)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def agent(self, replies: list, **settings) -> tuple[Agent, Here]:
        Script.replies = replies
        host = f"http://127.0.0.1:{self.server.server_port}"
        extra = {"AGENT_BINARY": BINARY, "AGENT_HOST": host, **settings}
        # What a mount would do: the environment's folder of logs is the host's.
        logs = self.root / "logs" / "agent"
        return Agent(logs_dir=logs, model_name="m", extra_env=extra, environment_logs_dir=PurePosixPath("/logs/agent")), Here(self.root)

    def trajectory(self) -> Trajectory:
        return Trajectory.model_validate_json((self.root / "logs/agent/trajectory.json").read_text())

    def test_a_task_is_done_counted_and_written_down_as_harbor_reads_it(self):
        agent, here = self.agent([call("run_command", command="echo out > ../out.txt"), {"content": "Written."}])
        context = AgentContext()

        async def trial():
            await agent.setup(here)
            await agent.run("Write out.txt beside the project.", here, context)

        asyncio.run(trial())
        agent.populate_context_post_run(context)
        self.assertEqual((self.root / "out.txt").read_text(), "out\n", "nothing is held in, nothing is asked")
        self.assertRegex(agent.version() or "", r"^\d+\.\d+")
        counts = (context.n_input_tokens, context.n_cache_tokens, context.n_output_tokens)
        self.assertEqual(counts, (200, 120, 14))
        self.assertEqual(context.metadata, {"replies": 2, "calls": 1, "exit_code": 0})
        whole = self.trajectory()
        self.assertEqual([step.source for step in whole.steps], ["system", "user", "agent", "agent"])
        self.assertEqual(whole.steps[2].tool_calls[0].function_name, "run_command")
        self.assertEqual(whole.final_metrics.total_prompt_tokens, 200)

    def test_an_end_that_is_no_success_is_left_to_the_verifier(self):
        agent, here = self.agent([call("list_directory", path="."), {"content": "x"}], AGENT_MAX_TURNS="1")
        context = AgentContext()

        async def trial():
            await agent.setup(here)
            await agent.run("Look around, and change nothing.", here, context)

        asyncio.run(trial())
        agent.populate_context_post_run(context)
        self.assertEqual(context.metadata["exit_code"], 6)

    def test_a_server_that_is_not_there_is_an_error(self):
        agent, here = self.agent([], AGENT_HOST="http://127.0.0.1:9")

        async def trial():
            await agent.setup(here)
            await agent.run("Do it.", here, AgentContext())

        with self.assertRaises(RuntimeError) as raised:
            asyncio.run(trial())
        self.assertIn("exit 3", str(raised.exception))

    def test_when_the_time_is_up_it_is_ended_and_what_was_done_is_written_down(self):
        agent, here = self.agent([call("run_command", command="echo one > one.txt"), None])
        context = AgentContext()

        async def trial():
            await agent.setup(here)
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(agent.run("Go.", here, context), 8)

        asyncio.run(trial())
        agent.populate_context_post_run(context)
        self.assertEqual(context.n_input_tokens, 100)
        self.assertTrue((self.root / "app/one.txt").exists())
        self.assertEqual(self.trajectory().steps[1].message, "Go.")
        left = subprocess.run(["pgrep", "-f", f"{self.root}/usr/local/bin/agent -p"], stdout=subprocess.PIPE)
        self.assertEqual(left.stdout, b"", "nothing is left running")


if __name__ == "__main__":
    if not BINARY or not Path(BINARY).is_file():
        print("skipped: AGENT_BINARY names no binary of agent")
        sys.exit(0)
    unittest.main()
