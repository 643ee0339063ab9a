"""Harbor runs `agent` with this class: `harbor run -a agent_harbor:Agent …`. README.md says how.

It installs the binary in the task's environment, runs `agent -p` there with every event as a line of JSON, writes the
session as an ATIF trajectory, and puts token counts into the context. It decides nothing about the task.
"""

import json
import os
import shlex
from pathlib import Path

from harbor.agents.capabilities import AgentCapabilities
from harbor.agents.installed.base import BaseInstalledAgent, with_prompt_template
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext

PROGRAM = "/usr/local/bin/agent"
EVENTS = "agent.jsonl"
WORDS = "agent.stderr.txt"
CODE = "agent.exit"
TRAJECTORY = "trajectory.json"
DEFAULT_HOST = "http://host.docker.internal:11434"

# The agent came to an end, good or bad: the verifier decides. All others say that it could not work at all.
# 5 reply broken or window full, 6 step limit, 7 circles, 8 all refused, 9 nothing changed, 10 checks fail, 11 time limit.
FINISHED = (0, 5, 6, 7, 8, 9, 10, 11)

# Seconds that it may take to leave, once it was asked to.
LEAVING = 10


class Agent(BaseInstalledAgent):
    """`agent`, with a model server that the environment can reach."""

    capabilities = AgentCapabilities(atif=True, resume=True)

    @staticmethod
    def name() -> str:
        return "agent"

    def get_version_command(self) -> str | None:
        return f"{PROGRAM} --version"

    def parse_version(self, stdout: str) -> str:
        return stdout.strip().split()[-1]

    def _setting(self, name: str) -> str | None:
        """What `--ae NAME=…` gave, or what the variable holds where Harbor runs."""
        return self._extra_env.get(name) or os.environ.get(name) or None

    async def install(self, environment: BaseEnvironment) -> None:
        binary, url = self._setting("AGENT_BINARY"), self._setting("AGENT_URL")
        if binary:
            if not Path(binary).is_file():
                raise ValueError(f"AGENT_BINARY is {binary}, and there is no such file")
            await environment.upload_file(binary, PROGRAM)
        elif url:
            await self.ensure_system_dependencies(environment, ("curl", "ca_certificates"))
            await self.exec_as_root(environment, f"curl -fsSL {shlex.quote(url)} -o {PROGRAM}")
        else:
            raise ValueError("set AGENT_BINARY to the path of a static build of agent, or AGENT_URL to where there is one")
        await self.exec_as_root(environment, f"chmod 755 {PROGRAM}")

    def _arguments(self, instruction: str) -> list[str]:
        model = self._setting("AGENT_MODEL") or self.model_name
        if not model:
            raise ValueError("no model: give `-m NAME`, or set AGENT_MODEL")
        arguments = ["-p", instruction, "--no-stdin", "--output-format", "stream-json", "--model", model]
        # The environment goes when the task is done: nothing is asked, and commands run as they would by hand.
        arguments += ["--trust", "--no-sandbox-no-questions"]
        arguments += ["--host", self._setting("AGENT_HOST") or DEFAULT_HOST]
        if steps := self._setting("AGENT_MAX_TURNS"):
            arguments += ["--max-turns", steps]
        if variable := self._setting("AGENT_API_KEY_ENV"):
            arguments += ["--api-key-env", variable]
        if self._resume:
            arguments.append("-c")
        return arguments + shlex.split(self._setting("AGENT_ARGS") or "")

    def _variables(self) -> dict[str, str]:
        # Some environments are containers and do not look like one.
        variables = {"container": "harbor"}
        names = ["AGENT_NUM_CTX", self._setting("AGENT_API_KEY_ENV")]
        for name in filter(None, names):
            if value := self._setting(name):
                variables[name] = value
        return variables

    def _line(self, instruction: str) -> str:
        """Runs it with its number written down, so that whoever is cut off can end it; its exit code decides."""
        logs = shlex.quote(self.environment_logs_dir.as_posix())
        command = shlex.join([PROGRAM, *self._arguments(instruction)])
        finished = "|".join(map(str, FINISHED))
        return (
            f"mkdir -p {logs} && cd . && {{ {command} </dev/null >>{logs}/{EVENTS} 2>{logs}/{WORDS} & "
            f"echo $! >{logs}/agent.pid; wait $!; code=$?; echo $code >{logs}/{CODE}; rm -f {logs}/agent.pid; "
            f"case $code in {finished}) ;; *) tail -n 20 {logs}/{WORDS} >&2; exit $code ;; esac; }}"
        )

    async def _leave(self, environment: BaseEnvironment) -> None:
        """Ends what still runs, and writes the trajectory of what was done. That it fails is no fault of the trial."""
        logs = shlex.quote(self.environment_logs_dir.as_posix())
        command = (
            f"if [ -f {logs}/agent.pid ]; then pid=$(cat {logs}/agent.pid); kill -TERM $pid 2>/dev/null; "
            f"for i in $(seq {LEAVING}); do kill -0 $pid 2>/dev/null || break; sleep 1; done; "
            f"kill -KILL $pid 2>/dev/null; rm -f {logs}/agent.pid; fi; "
            f"{PROGRAM} sessions export --format atif --output {logs}/{TRAJECTORY}"
        )
        try:
            await environment.exec(command=command, env=self._variables(), timeout_sec=LEAVING * 3)
        except Exception as error:
            self.logger.warning(f"no trajectory was written: {error}")

    @with_prompt_template
    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        try:
            await self.exec_as_agent(environment, self._line(instruction), env=self._variables())
        finally:
            # Also where Harbor's time is up: it waits for this.
            await self._leave(environment)

    def populate_context_post_run(self, context: AgentContext) -> None:
        counts = counted(self.logs_dir / EVENTS)
        if counts["replies"] == 0:
            return
        context.n_input_tokens = counts["prompt_tokens"]
        context.n_cache_tokens = counts["cached_tokens"]
        context.n_output_tokens = counts["reply_tokens"]
        code = self.logs_dir / CODE
        exit_code = int(code.read_text()) if code.is_file() else None
        context.metadata = {"replies": counts["replies"], "calls": counts["calls"], "exit_code": exit_code}


def counted(path: Path) -> dict[str, int]:
    """Sums over all replies, those of agents of the agent included. The prompt's tokens include the cached ones."""
    counts = {"replies": 0, "calls": 0, "prompt_tokens": 0, "cached_tokens": 0, "reply_tokens": 0}
    if not path.is_file():
        return counts
    for line in path.read_text(errors="replace").splitlines():
        try:
            event = json.loads(line)
        except json.JSONDecodeError:
            # The last line of one that was ended.
            continue
        while isinstance(event, dict) and event.get("type") == "delegated":
            event = event.get("event")
        if not isinstance(event, dict):
            continue
        if event.get("type") == "proposed":
            counts["calls"] += 1
        if event.get("type") == "replied":
            counts["replies"] += 1
            for name in ("prompt_tokens", "cached_tokens", "reply_tokens"):
                counts[name] += (event.get("usage") or {}).get(name) or 0
    return counts
