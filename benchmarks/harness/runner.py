"""Runs what is not known yet, keeps what comes out, and checks it as it comes."""
from __future__ import annotations

import pathlib
import sys
from typing import Sequence

from . import database, kept, scheduler, verdict
from .database import Record
from .patience import Patience, Turn
from .planner import Planner, Run, Task
from .progress import Progress


def known_runs(path: pathlib.Path) -> dict[str, Record]:
    """Runs by their keys: those that are kept with the source, and those made here."""
    return {record["key"]: record for record in kept.read()} | database.latest(path)


class Runner:
    """To be used in a `with` statement: nobody else writes to the results meanwhile."""

    def __init__(self, planner: Planner, results: pathlib.Path, jobs: int, fresh: bool) -> None:
        path = results / "results.jsonl"
        self._planner = planner
        self._instances = results / "instances"
        self._jobs = jobs
        self._writer = database.Writer(path)
        self._known: dict[str, Record] = {} if fresh else known_runs(path)
        self._records: dict[str, Record] = {}

    @property
    def records(self) -> list[Record]:
        """Of all tasks that were asked for."""
        return list(self._records.values())

    def run(self, tasks: Sequence[Task], jobs: int | None = None, tries: int = 0) -> list[Record]:
        """The results of these tasks, as far as they were known, or have ended before an
        interruption; without those that are not worth a try after `tries` others, see Patience."""
        by_key = {task.key(self._planner): task for task in tasks}
        done = {key: self._known[key] for key in by_key if key in self._known}
        self._records |= done
        jobs = jobs or self._jobs
        longest = max((task.limits.seconds for task in tasks), default=0.0)
        progress = Progress(len(by_key), done.values(), jobs, longest)
        patience = Patience(by_key, tries)

        def turn(task: Task) -> Turn:
            return patience.turn(task.key(self._planner), task, done)

        def finished(record: Record, waiting: Sequence[Task], running: Sequence[Run]) -> None:
            self._writer.append(record)
            done[record["key"]] = self._known[record["key"]] = record
            self._records[record["key"]] = record
            progress.finished(record, waiting, running)
            same = [r for r in self.records if r["problem"] == record["problem"]]
            for sentence in verdict.check(same):
                progress.say(f"WRONG ANSWER: {sentence}")

        try:
            scheduler.run_all(self._planner, [t for k, t in by_key.items() if k not in done], jobs,
                              self._instances, finished, progress.tick, turn, progress.left_out)
        except KeyboardInterrupt:
            progress.close()
            print(f"\nInterrupted with {len(done)} of {len(by_key)} runs done; "
                  "the same command goes on from here.", file=sys.stderr)
            raise
        progress.close()
        return [done[key] for key in by_key if key in done]

    def __enter__(self) -> Runner:
        self._writer.__enter__()
        return self

    def __exit__(self, *details: object) -> None:
        self._writer.__exit__(*details)
