"""Many runs, several at a time, in one thread: it sleeps until a child ends or the next is due to
be killed."""
from __future__ import annotations

import pathlib
import signal
from typing import Callable, Sequence

from .database import Record
from .planner import Planner, Run, Task

TICK = 1.0
"""Seconds at most between looks at the clock."""


def run_all(planner: Planner, tasks: Sequence[Task], jobs: int,
            instances: pathlib.Path,
            finished: Callable[[Record, Sequence[Task], Sequence[Run]], None],
            tick: Callable[[Sequence[Task], Sequence[Run]], None] = lambda *_: None) -> None:
    """Runs all tasks; `finished` gets every result at once, `tick` is called every second.

    When it is left by an exception, such as KeyboardInterrupt, all children are killed first.
    """
    # A blocked signal stays pending: no child can end unnoticed between a look and the wait.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    waiting = list(reversed(tasks))
    running: list[Run] = []
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                task = waiting.pop()
                problem = planner.problem_files(task.instance, instances)
                running.append(Run(planner, task, problem))
            tick(waiting, running)
            pause = min([TICK] + [run.task.limits.seconds / 4 for run in running]
                        + [max(0.0, run.seconds_left) for run in running])
            signal.sigtimedwait([signal.SIGCHLD], pause)
            for run in list(running):
                record = run.finished()
                if record is not None:
                    running.remove(run)
                    finished(record, waiting, running)
                else:
                    run.hold_to_limits()
    finally:
        for run in running:
            run.abandon()
