"""When to leave it: a planner whose first instances of a row all run out of time or memory is not
tried on the others. They differ by a seed, so the others would run out of time as well, for hours.

Later instances wait until the first ones have ended: what is run does not depend on how many runs
go on at a time, or on how often the whole was interrupted.
"""
from __future__ import annotations

import enum
from collections import defaultdict
from typing import Mapping

from .aggregate import ran_out
from .database import Record
from .planner import Task

class Turn(enum.Enum):
    NOW = "now"
    LATER = "later"
    NEVER = "never"


class Patience:
    """For tasks known by their keys; `tries` instances of a row that run out are enough. 0: no
    number of them is."""

    def __init__(self, tasks: Mapping[str, Task], tries: int) -> None:
        self._first: dict[tuple[str, str], list[str]] = defaultdict(list)
        for key, task in tasks.items():
            first = self._first[_pair(task)]
            if len(first) < tries:
                first.append(key)

    def turn(self, key: str, task: Task, known: Mapping[str, Record]) -> Turn:
        first = self._first[_pair(task)]
        if key in first or not first:
            return Turn.NOW
        if any(other in known and not ran_out(known[other]) for other in first):
            return Turn.NOW
        return Turn.NEVER if all(other in known for other in first) else Turn.LATER


def _pair(task: Task) -> tuple[str, str]:
    return task.configuration.name, task.instance.row.name
