"""One run of the planner: a process of its own, held to its limits from inside and from outside.

The planner gets the limits as options and should end by itself with the best it has. If it does
not, its process group is killed a little later; and it cannot allocate much more than its limit.

On a busy machine a limit on the clock cuts off who had to wait for a processor. There the limit may
be on CPU time instead: the planner, which knows only the clock, is then interrupted from here.
"""
from __future__ import annotations

import ctypes
import hashlib
import json
import os
import pathlib
import platform
import resource
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from typing import Any, Sequence

from .configurations import Configuration
from .database import Record
from .instances import SOURCE, Instance

MEGABYTE = 1 << 20
SOLVED = ("optimal", "infeasible", "no-proper-policy")
"""Answers; what else a planner says of itself is "limit" or "interrupted"."""
ERRORS = ("unsupported", "crashed")
ANSWERED = (0, 3, 10, 11)
"""Exit statuses that come with a result; 3 is a limit."""


class PlannerError(Exception):
    pass


@dataclass(frozen=True)
class Limits:
    seconds: float = 1800
    memory_mb: int = 4096
    grace: float = 10
    """Seconds beyond the limit, and beyond a tenth of it, after which the planner is killed."""
    of_cpu: bool = False
    """The limit is on CPU time."""

    @property
    def kill_after(self) -> float:
        return 1.1 * self.seconds + self.grace

    @property
    def patience(self) -> float:
        """How much longer than the limit it may take by the clock."""
        return 20 if self.of_cpu else 1

    @property
    def by_the_clock(self) -> float:
        """What the planner is told. A tiny limit on CPU time leaves time to get a processor."""
        return self.patience * max(self.seconds, 1) if self.of_cpu else self.seconds

    def __str__(self) -> str:
        return f"{self.seconds:g} s{' CPU' if self.of_cpu else ''}, {self.memory_mb} MB"

    @property
    def address_space(self) -> int:
        """Bytes. The planner's limit is on resident memory, of which this is a multiple: room to
        stop in an orderly way before an allocation fails."""
        return (self.memory_mb * 5 // 4 + 512) * MEGABYTE


def commit() -> str:
    """The last that changed the sources which the planner is built from, if they are under version
    control: "+" says that they have been changed since."""
    def git(*arguments: str) -> str:
        run = subprocess.run(["git", "-C", str(SOURCE), *arguments], capture_output=True, text=True,
                             check=False)
        return run.stdout.strip() if run.returncode == 0 else ""

    try:
        sources = ("--", "CMakeLists.txt", "cmake", "apps", "include", "src")
        changed = git("status", "--porcelain", *sources)
        return git("log", "-1", "--abbrev=10", "--format=%h", *sources) + ("+" if changed else "")
    except FileNotFoundError:
        return ""


class Planner:
    """The binary, known by its version and a hash of its content."""

    def __init__(self, path: pathlib.Path):
        self.path = path.absolute()
        try:
            content = self.path.read_bytes()
            version = self.call(["--version"]).strip()
        except OSError as error:
            raise PlannerError(f"{path}: {error.strerror}; build it with ./bootstrap build, "
                               "or name another one with --planner") from error
        self.identity = f"{version} {hashlib.sha256(content).hexdigest()[:12]}"
        self.commit = commit()

    def call(self, arguments: list[str]) -> str:
        run = subprocess.run([self.path, *arguments], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise PlannerError(f"{self.path} {' '.join(arguments)}: status {run.returncode}\n"
                               f"{run.stderr.strip()}")
        return run.stdout

    def problem_files(self, instance: Instance, directory: pathlib.Path) -> list[pathlib.Path]:
        """The instance as files, written unless they are there; a file is there whole or not."""
        if instance.row.files:
            return [SOURCE / file for file in instance.row.files]
        edition = instance.edition or self.identity.replace(" ", "-")
        path = directory / edition / instance.file_name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            text = instance.model_text() or self.call(instance.generate_arguments())
            draft = path.with_suffix(f".{os.getpid()}")
            draft.write_text(text)
            draft.replace(path)
        return [path]

    def solve_command(self, task: Task, problem: Sequence[pathlib.Path]) -> list[str]:
        limits = task.limits
        return [str(self.path), "solve", *map(str, problem), *task.configuration.options,
                *task.instance.solve_arguments(), "--time-limit", f"{limits.by_the_clock:g}",
                "--memory-limit", f"{limits.memory_mb}", "--quiet", "--progress", "never",
                "--json", "-"]


def key_of(configuration: str, options: str, instance: str, planner: str, limits: Limits) -> str:
    """What makes two runs the same experiment."""
    return "|".join((configuration, options, instance, planner, str(limits)))


@dataclass(frozen=True)
class Task:
    configuration: Configuration
    instance: Instance
    limits: Limits = Limits()
    repetition: int = 0
    """Above 0: the same once more, to know how much its time varies."""

    def key(self, planner: Planner) -> str:
        parts = [key_of(self.configuration.name, " ".join(self.configuration.options),
                        self.instance.name, planner.identity, self.limits)]
        if self.instance.edition:
            parts.append(self.instance.edition)
        if self.repetition:
            parts.append(f"repetition {self.repetition}")
        return "|".join(parts)


_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


class Run:
    """A task under way."""

    def __init__(self, planner: Planner, task: Task, problem: Sequence[pathlib.Path]):
        self.task = task
        self._planner = planner
        self._limits = task.limits
        self._killed: str | None = None
        self._interrupted = False
        # Files without names: nothing is left behind, whoever is killed.
        self._stdout = tempfile.TemporaryFile()
        self._stderr = tempfile.TemporaryFile()
        self._harness = os.getpid()
        self.started = time.monotonic()
        self._process = subprocess.Popen(
            planner.solve_command(task, problem), stdin=subprocess.DEVNULL,
            stdout=self._stdout, stderr=self._stderr,
            preexec_fn=self._prepare_child)  # noqa: PLW1509  (this program has one thread)
        self.pid = self._process.pid

    def _prepare_child(self) -> None:
        os.setpgid(0, 0)
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != self._harness:  # it died before this took effect
            os._exit(1)
        resource.setrlimit(resource.RLIMIT_AS, (self._limits.address_space,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])

    @property
    def seconds_left(self) -> float:
        """By the clock, until it is to be killed."""
        return self.started + self._limits.kill_after * self._limits.patience - time.monotonic()

    def hold_to_limits(self) -> None:
        """Interrupts or kills it if it is time."""
        used = self._cpu_seconds() if self._limits.of_cpu else 0.0
        if self.seconds_left <= 0 or used > self._limits.kill_after:
            self._killed = "went on well beyond its time limit"
            self._signal(signal.SIGKILL)
        elif used > self._limits.seconds and not self._interrupted:
            self._interrupted = True
            self._signal(signal.SIGINT)

    def _cpu_seconds(self) -> float:
        try:
            stat = pathlib.Path(f"/proc/{self.pid}/stat").read_text()
        except FileNotFoundError:
            return 0.0
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def _signal(self, number: signal.Signals) -> None:
        try:
            os.killpg(self.pid, number)
        except ProcessLookupError:
            pass

    def abandon(self) -> None:
        self._signal(signal.SIGKILL)
        self._process.wait()

    def finished(self) -> Record | None:
        """The result once the process has ended."""
        pid, status, usage = os.wait4(self.pid, os.WNOHANG)
        if pid == 0:
            return None
        wall = time.monotonic() - self.started
        # Popen must not wait for it again, and nobody of its group may outlive it.
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._signal(signal.SIGKILL)
        record = self._identification()
        record |= self._outcome(self._process.returncode)
        record |= {"cpu_seconds": round(usage.ru_utime + usage.ru_stime, 6),
                   "wall_seconds": round(wall, 6),
                   "peak_memory_mb": round(usage.ru_maxrss * 1024 / MEGABYTE, 1)}
        return record

    def _identification(self) -> Record:
        instance = self.task.instance
        return {"key": self.task.key(self._planner),
                "configuration": self.task.configuration.name,
                "options": " ".join(self.task.configuration.options),
                "row": instance.row.name, "instance": instance.name, "problem": instance.problem,
                "planner": self._planner.identity, "commit": self._planner.commit,
                "time_limit": self._limits.seconds,
                "clock": "cpu" if self._limits.of_cpu else "wall",
                "memory_limit_mb": self._limits.memory_mb, "host": platform.node(),
                "repetition": self.task.repetition,
                "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}

    def _outcome(self, exit_status: int) -> Record:
        self._stdout.seek(0)
        self._stderr.seek(0)
        text = self._stdout.read()
        errors = self._stderr.read(2000).decode(errors="replace").strip()
        self._stdout.close()
        self._stderr.close()
        record = outcome(exit_status, text, errors, self._killed)
        if self._interrupted and record["status"] in ("interrupted", "crashed"):
            record |= {"status": "limit", "note": "the limit on CPU time was reached"}
        return record


def outcome(exit_status: int, text: bytes, errors: str, killed: str | None) -> Record:
    """What a run amounts to, from its exit status, what it wrote, and whether it was killed."""
    result = _json_object(text)
    if killed:
        return {"status": "killed", "note": killed}
    if result is not None and exit_status in ANSWERED:
        kept = ("status", "objective", "lower_bound", "gap", "costs", "constraints", "policy",
                "infeasibility", "statistics", "note", "algorithm", "outer", "heuristic")
        record = {name: result[name] for name in kept if name in result}
        if isinstance(record.get("policy"), dict):
            record["policy"].pop("mixture", None)
        return record | {"exit_status": exit_status}
    if exit_status == 2:
        return {"status": "unsupported", "exit_status": 2, "note": errors}
    if exit_status == 3:
        return {"status": "limit", "exit_status": 3, "note": errors}
    if "bad_alloc" in errors or "memory" in errors.lower():
        return {"status": "out-of-memory", "exit_status": exit_status, "note": errors}
    what = f"signal {-exit_status}" if exit_status < 0 else f"exit status {exit_status}"
    return {"status": "crashed", "exit_status": exit_status, "note": f"{what}; {errors}"}


def _json_object(text: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) and "status" in value else None
