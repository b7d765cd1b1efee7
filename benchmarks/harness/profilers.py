"""Two programs that say where a process spends its time: perf looks at it some thousand times a
second, valgrind counts its instructions and takes fifty times as long."""
from __future__ import annotations

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass
from typing import Iterable, NamedTuple, Protocol, Sequence


class ProfilerError(Exception):
    pass


class Frame(NamedTuple):
    function: str
    """Demangled, without parameters."""
    file: str = ""
    """The program or library that it is part of, if that is known."""


@dataclass(frozen=True)
class Sample:
    stack: tuple[Frame, ...]
    """The function that was running, then its caller and so on, as far as they are known."""
    cost: float
    """In the profiler's unit."""


class Profiler(Protocol):
    name: str
    unit: str
    parts: str
    """What its samples are."""
    slowdown: float
    """How many times as long a process takes under it, about."""

    def usable(self) -> bool: ...

    def run(self, command: Sequence[str]) -> tuple[int, list[Sample]]:
        """The exit status of the command and where its time went."""


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace",
                          process_group=0) as process:
        try:
            output, errors = process.communicate()
        except BaseException:  # the planner must not outlive its profiler
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


class Perf:
    name = "perf"
    unit = "CPU seconds"
    parts = "samples"
    slowdown = 1.0

    def __init__(self, frequency: int):
        self._frequency = frequency

    def _record(self, file: str, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        # The event of a clock, since virtual machines often have no counters of cycles. Release
        # builds have no frame pointers: callers are found by the tables for exceptions, on a copy
        # of the topmost part of the stack.
        return _run(["perf", "record", "-q", "-N", "-B", "-e", "cpu-clock", "-F",
                     str(self._frequency), "--call-graph", "dwarf,4096", "-m", "8M", "-o", file,
                     "--", *command])

    def usable(self) -> bool:
        """It may be there but not be allowed to look."""
        return (shutil.which("perf") is not None
                and self._record("/dev/null", ["true"]).returncode == 0)

    def run(self, command: Sequence[str]) -> tuple[int, list[Sample]]:
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/perf.data"
            recorded = self._record(file, command)
            script = _run(["perf", "script", "-i", file, "--no-inline", "-F", "period,ip,sym,dso"])
            if script.returncode != 0:
                raise ProfilerError(f"perf script: {script.stderr.strip()}\n"
                                    f"{recorded.stderr.strip()}")
        return recorded.returncode, list(perf_samples(script.stdout))


_PERF_FRAME = re.compile(r"\s+[0-9a-f]+ (.*) \((.*)\)$")


def perf_samples(script: str) -> Iterable[Sample]:
    """Samples are paragraphs: nanoseconds, then a line per frame."""
    for paragraph in script.split("\n\n"):
        period, *lines = paragraph.strip("\n").split("\n")
        if not period.strip():
            continue
        frames = filter(None, map(_PERF_FRAME.match, lines))
        stack = tuple(Frame(m[1], pathlib.PurePath(m[2]).name) for m in frames)
        yield Sample(stack, int(period) * 1e-9)


class Callgrind:
    name = "valgrind"
    unit = "billion instructions"
    parts = "call paths"
    slowdown = 50.0

    def usable(self) -> bool:
        return shutil.which("valgrind") is not None and shutil.which("c++filt") is not None

    def run(self, command: Sequence[str]) -> tuple[int, list[Sample]]:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "callgrind.out"
            run = _run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={file}",
                        "--separate-callers=8", "--demangle=no", *command])
            if not file.exists():
                raise ProfilerError(f"valgrind: {run.stderr.strip()}")
            samples = list(callgrind_samples(file.read_text(errors="replace")))
        return run.returncode, _demangled(samples)


_CALLGRIND_NAME = re.compile(r"(c?)(ob|fn)=\((\d+)\)(?: (.*))?$")
_CALLGRIND_COST = re.compile(r"(?:[+-]?\d+|\*) (\d+)$")


def callgrind_samples(text: str) -> Iterable[Sample]:
    """A sample per function and callers, `f'caller'its-caller` or `f'2` where it calls itself. A
    name is written out once and then known by its number; the line after a call has the cost of
    what was called, which is counted there."""
    names: dict[tuple[str, str], str] = {}
    current = {"ob": "", "fn": ""}
    costs: Counter[tuple[str, str]] = Counter()
    after_call = False
    for line in text.splitlines():
        if match := _CALLGRIND_NAME.match(line):
            called, kind, number, name = match.groups()
            if name is not None:
                names[kind, number] = name
            if not called:
                current[kind] = names[kind, number]
        elif line.startswith("calls="):
            after_call = True
        elif match := _CALLGRIND_COST.match(line):
            if not after_call:
                costs[current["fn"], current["ob"]] += int(match[1])
            after_call = False
    for (name, file), cost in costs.items():
        function, *callers = (part for part in name.split("'") if not part.isdigit())
        yield Sample((Frame(function, pathlib.PurePath(file).name), *map(Frame, callers)),
                     cost * 1e-9)


def _demangled(samples: Sequence[Sample]) -> list[Sample]:
    mangled = sorted({frame.function for sample in samples for frame in sample.stack})
    text = subprocess.run(["c++filt", "--no-params"], input="\n".join(mangled),
                          capture_output=True, text=True, check=True).stdout
    names = dict(zip(mangled, text.splitlines(), strict=True))
    return [Sample(tuple(Frame(names[frame.function], frame.file) for frame in sample.stack),
                   sample.cost) for sample in samples]


def find_profiler(frequency: int, name: str | None = None) -> Profiler:
    """The one of that name, or the first that works here."""
    candidates: tuple[Profiler, ...] = Perf(frequency), Callgrind()
    for profiler in candidates:
        if name in (None, profiler.name) and profiler.usable():
            return profiler
    if name is not None:
        raise ProfilerError(f"{name} is not installed, or not allowed to look at processes")
    raise ProfilerError("neither perf nor valgrind works here; Debian has them as linux-perf and "
                        "valgrind (perf may be there but not be allowed to look: see "
                        "/proc/sys/kernel/perf_event_paranoid)")
