"""How far it is: a line that is rewritten on a terminal, plain lines elsewhere."""
from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from typing import Iterable, Sequence, TextIO

from .database import Record
from .planner import Run, Task


def clock(seconds: float) -> str:
    """3:05, or 1:02:03."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


class Durations:
    """Expected wall time of a task: the mean of runs like it, the closer the better."""

    def __init__(self, default: float) -> None:
        self._default = default
        self._seen: dict[tuple[str, ...], list[float]] = defaultdict(list)

    def add(self, configuration: str, row: str, seconds: float) -> None:
        for kind in ((configuration, row), (row,), (configuration, ""), ()):
            self._seen[kind].append(seconds)

    def expected(self, task: Task) -> float:
        row, configuration = task.instance.row.name, task.configuration.name
        for kind in ((configuration, row), (row,), (configuration, ""), ()):
            if self._seen[kind]:
                return sum(self._seen[kind]) / len(self._seen[kind])
        return self._default


def result_text(record: Record) -> str:
    objective = record.get("objective")
    value = f" {objective:.6g}" if record["status"] == "optimal" and objective is not None else ""
    return (f"{record['configuration']:<17} {record['instance']:<22} {record['status']}{value}  "
            f"{record['cpu_seconds']:.2f} s")


class Progress:
    def __init__(self, total: int, done: Iterable[Record], jobs: int, limit: float,
                 stream: TextIO = sys.stderr) -> None:
        self._total = total
        self._jobs = jobs
        self._stream = stream
        self._live = stream.isatty()
        self._durations = Durations(limit / 4)
        self._done = 0
        for record in done:
            self._count(record)
        if self._done:
            self.say(f"{self._done} of {total} runs are known already")

    def _count(self, record: Record) -> None:
        self._done += 1
        # Of runs that are kept in the repository the CPU time alone is known.
        seconds = record.get("wall_seconds", record["cpu_seconds"])
        self._durations.add(record["configuration"], record["row"], seconds)

    def say(self, text: str) -> None:
        """A line that stays."""
        if self._live:
            self._stream.write("\r\x1b[K")
        print(text, file=self._stream, flush=True)

    def finished(self, record: Record, waiting: Sequence[Task], running: Sequence[Run]) -> None:
        self._count(record)
        count = f"[{self._done:>{len(str(self._total))}}/{self._total}]"
        self.say(f"{count} {result_text(record)}  ETA {self._eta(waiting, running)}")

    def left_out(self, tasks: Sequence[Task]) -> None:
        """They will not be run."""
        self._total -= len(tasks)
        pairs = Counter((t.configuration.name, t.instance.row.name) for t in tasks)
        for (configuration, row), count in pairs.items():
            self.say(f"{configuration} {row}: {count} more not tried, the first ran out of time "
                     "or memory")

    def tick(self, waiting: Sequence[Task], running: Sequence[Run]) -> None:
        if not self._live:
            return
        now = time.monotonic()
        under_way = ", ".join(f"{r.task.configuration.name} {r.task.instance.name} "
                              f"{now - r.started:.0f} s" for r in running)
        line = f"{self._done}/{self._total}, ETA {self._eta(waiting, running)}: {under_way}"
        self._stream.write("\r\x1b[K" + line[:110])
        self._stream.flush()

    def close(self) -> None:
        if self._live:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _eta(self, waiting: Sequence[Task], running: Sequence[Run]) -> str:
        now = time.monotonic()
        left = sum(self._durations.expected(task) for task in waiting)
        left += sum(max(0.0, self._durations.expected(run.task) - (now - run.started))
                    for run in running)
        return clock(left / self._jobs)
