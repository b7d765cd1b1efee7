"""Many runs, several at a time, in one thread: it sleeps until a child ends or the next is due to
be killed."""
from __future__ import annotations

import pathlib
import signal
from typing import Callable, Sequence

from .database import Record
from .patience import Turn
from .planner import Planner, Run, Task

TICK = 1.0
"""Seconds at most between looks at the clock."""


def run_all(planner: Planner, tasks: Sequence[Task], jobs: int,
            instances: pathlib.Path,
            finished: Callable[[Record, Sequence[Task], Sequence[Run]], None],
            tick: Callable[[Sequence[Task], Sequence[Run]], None] = lambda *_: None,
            turn: Callable[[Task], Turn] = lambda _: Turn.NOW,
            left_out: Callable[[Sequence[Task]], None] = lambda _: None) -> None:
    """Runs all tasks; `finished` gets every result at once, `tick` is called every second. Before
    a task is started `turn` is asked for it, and `left_out` gets those whose turn never comes.

    When it is left by an exception, such as KeyboardInterrupt, all children are killed first.
    """
    # A blocked signal stays pending: no child can end unnoticed between a look and the wait.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    waiting = list(tasks)
    running: list[Run] = []
    try:
        while waiting or running:
            while len(running) < jobs and (task := _next(waiting, turn, left_out)) is not None:
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


def _next(waiting: list[Task], turn: Callable[[Task], Turn],
          left_out: Callable[[Sequence[Task]], None]) -> Task | None:
    """Takes the first whose turn it is from those that wait, and those whose turn never comes."""
    turns = [turn(task) for task in waiting]
    if never := [task for task, t in zip(waiting, turns) if t is Turn.NEVER]:
        waiting[:] = [task for task, t in zip(waiting, turns) if t is not Turn.NEVER]
        left_out(never)
        return _next(waiting, turn, left_out)
    return waiting.pop(turns.index(Turn.NOW)) if Turn.NOW in turns else None
