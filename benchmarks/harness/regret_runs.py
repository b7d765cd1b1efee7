"""The runs of `benchmarks/run regret`: the default everywhere, then the options for as long as the
default's time makes them interesting, then once more what looks bad for the default."""
from __future__ import annotations

import dataclasses

from . import regret
from .configurations import ALL_CONFIGURATIONS, BASELINE
from .database import Record
from .document import plain
from .experiment import Experiment
from .instances import Instance
from .planner import ERRORS, Limits, Task
from .runner import Runner

GRACE = 2
"""Seconds beyond its cut-off after which an option that will not end is killed."""


def run(experiment: Experiment, runner: Runner, limits: Limits) -> None:
    """Prints what came out."""
    tasks = experiment.tasks(limits)
    default_tasks = [task for task in tasks if task.configuration.name == BASELINE]
    defaults = {record["instance"]: record for record in runner.run(default_tasks)}
    runner.run([held for task in tasks if task.configuration.name != BASELINE
                if (held := _held_to(defaults[task.instance.name], task)) is not None])
    for task in default_tasks:
        _settle(experiment, runner, task, defaults[task.instance.name])
    _print(experiment, runner)


def _held_to(default: Record, task: Task) -> Task | None:
    """None: whatever it takes, the default is quick enough."""
    seconds = 0.0 if default["status"] in ERRORS else regret.cut_off(default)
    if seconds == 0:
        return None
    return dataclasses.replace(task, limits=_shortened(task.limits, seconds))


def _shortened(limits: Limits, seconds: float) -> Limits:
    return dataclasses.replace(limits, seconds=seconds, grace=min(GRACE, limits.grace))


def _judgement(experiment: Experiment, runner: Runner, instance: Instance) -> regret.Judgement:
    judged = regret.judgements_of((r for r in runner.records if r["instance"] == instance.name),
                                  [instance.row], experiment.configurations)
    return judged[instance.name]


def _settle(experiment: Experiment, runner: Runner, default: Task, first: Record) -> None:
    """Measures again until no option is quick enough to tell, or one certainly is."""
    repetition = 0
    while name := _judgement(experiment, runner, default.instance).disputed:
        # Longer than before: a median should not depend on a run that was cut off.
        seconds = round(first["cpu_seconds"] + regret.ALLOWANCE, 2)
        option = Task(ALL_CONFIGURATIONS[name], default.instance,
                      _shortened(default.limits, seconds))
        tasks = []
        for _ in range(regret.REPETITIONS):
            repetition += 1
            tasks += [dataclasses.replace(task, repetition=repetition)
                      for task in (default, option)]
        runner.run(tasks, jobs=1)


def _print(experiment: Experiment, runner: Runner) -> None:
    judgements = regret.judgements_of(runner.records, experiment.rows, experiment.configurations)
    for title, table in regret.groups(judgements):
        print(f"\n{title}\n\n{plain([table])}", end="")
    print(f"\n{regret.summary(judgements)}")
    if failed := regret.failed_options(runner.records):
        print(failed)
