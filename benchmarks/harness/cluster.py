"""The same runs on a Slurm cluster.

A submission is a directory with the list of its tasks. Each element of the job array runs one of
them, with the code that also runs it here, and writes its result to a file of its own, so that no
two machines write to one file; collecting appends those files to the results. The directory must be
seen by all machines under the same path, as home directories are.
"""
from __future__ import annotations

import argparse
import dataclasses
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time
from typing import Sequence

from . import database, scheduler
from .configurations import Configuration
from .database import Record
from .instances import instance_named
from .planner import Limits, Planner, Task
from .runner import known_runs

RUN = pathlib.Path(__file__).resolve().parent.parent / "run"


class ClusterError(Exception):
    pass


def task_reference(text: str) -> tuple[pathlib.Path, int]:
    directory, _, number = text.rpartition(":")
    try:
        return pathlib.Path(directory), int(number)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not DIR:N") from None


def _call(command: Sequence[str]) -> str:
    if shutil.which(command[0]) is None:
        raise ClusterError(f"there is no {command[0]} here: is this a machine of the cluster?")
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise ClusterError(f"{shlex.join(command)}: {run.stderr.strip()}")
    return run.stdout


def _largest_array() -> int:
    found = re.search(r"MaxArraySize\s*=\s*(\d+)", _call(["scontrol", "show", "config"]))
    return int(found.group(1)) if found else 1000


def submit(results: pathlib.Path, planner: Planner, tasks: Sequence[Task], limits: Limits,
           jobs: int | None, sbatch_options: str, fresh: bool) -> int:
    largest = _largest_array()
    known = {} if fresh else known_runs(results / "results.jsonl")
    tasks = [task for task in tasks if task.key(planner) not in known]
    if not tasks:
        print("All these runs are known already.")
        return 0
    directory = _new_submission(results.absolute(), planner, tasks, limits)
    for first in range(0, len(tasks), largest):
        count = min(largest, len(tasks) - first)
        job = _call(_sbatch(directory, first, count, limits, jobs, sbatch_options)).strip()
        print(f"job {job}: {count} runs")
    print(f"When they are done, or some of them: {RUN} --collect --results {results}")
    return 0


def _new_submission(results: pathlib.Path, planner: Planner, tasks: Sequence[Task],
                    limits: Limits) -> pathlib.Path:
    directory = results / "slurm" / time.strftime(f"%Y%m%d-%H%M%S-{os.getpid()}")
    (directory / "results").mkdir(parents=True)
    (directory / "logs").mkdir()
    for instance in dict.fromkeys(task.instance for task in tasks):
        planner.problem_files(instance, results / "instances")
    description = {
        "planner": str(planner.path), "identity": planner.identity,
        "instances": str(results / "instances"),
        "limits": dataclasses.asdict(limits),
        "tasks": [[t.configuration.name, list(t.configuration.options), t.instance.name]
                  for t in tasks]}
    (directory / "submission.json").write_text(json.dumps(description, indent=1))
    return directory


def _sbatch(directory: pathlib.Path, first: int, count: int, limits: Limits,
            jobs: int | None, more_options: str) -> list[str]:
    # Slurm's own limits are the outermost ones: a minute and some memory for the harness itself.
    minutes = math.ceil(limits.kill_after * limits.patience / 60) + 1
    memory = limits.address_space // (1 << 20) + 256
    program = (f"exec {shlex.quote(sys.executable)} {shlex.quote(str(RUN))} "
               f"--task {shlex.quote(str(directory))}:$(({first} + SLURM_ARRAY_TASK_ID))")
    at_a_time = f"%{jobs}" if jobs else ""
    return ["sbatch", "--parsable", "--job-name=carl", f"--array=0-{count - 1}{at_a_time}",
            "--ntasks=1", "--cpus-per-task=1", f"--time={minutes}", f"--mem={memory}M",
            f"--chdir={directory}", f"--output={directory}/logs/%A_%a.log",
            *shlex.split(more_options), f"--wrap={program}"]


def run_task(directory: pathlib.Path, number: int) -> int:
    """What an element of the array does."""
    description = json.loads((directory / "submission.json").read_text())
    planner = Planner(pathlib.Path(description["planner"]))
    if planner.identity != description["identity"]:
        raise ClusterError("the planner has been built anew since these jobs were submitted")
    name, options, instance = description["tasks"][number]
    task = Task(Configuration(name, tuple(options), ""), instance_named(instance),
                Limits(**description["limits"]))
    path = directory / "results" / f"{number}.json"

    def finished(record: Record, *_: object) -> None:
        with open(path.with_suffix(".draft"), "w", encoding="utf-8") as draft:
            json.dump(record, draft)
            draft.flush()
            os.fsync(draft.fileno())
        path.with_suffix(".draft").replace(path)

    scheduler.run_all(planner, [task], 1, pathlib.Path(description["instances"]), finished)
    return 0


def collect(results: pathlib.Path) -> list[Record]:
    """Adds to the database what is new in all submissions; returns the results of all of them."""
    path = results / "results.jsonl"
    records: dict[str, Record] = {}
    with database.Writer(path) as writer:
        known = database.latest(path)
        for directory in sorted((results / "slurm").glob("*")):
            count, new = 0, 0
            for file in sorted(directory.glob("results/*.json"), key=lambda f: int(f.stem)):
                record = json.loads(file.read_text())
                count += 1
                records[record["key"]] = record
                if known.get(record["key"]) != record:
                    writer.append(record)
                    known[record["key"]] = record
                    new += 1
            total = len(json.loads((directory / "submission.json").read_text())["tasks"])
            print(f"{directory.name}: {count} of {total} runs finished, {new} of them new")
    if not records:
        raise ClusterError(f"{results}/slurm: no results of submitted runs there")
    return list(records.values())
