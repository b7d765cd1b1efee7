"""The runs of the paper's experiments that are kept in the repository, so that tables can be made
again without running anything, and that whoever builds the same planner goes on where others have
stopped.

A line of JSON for each run, sorted, with those fields that tables need: nothing about the machine
but times and memory. Runs with the same limits are one experiment and are all of one planner:
whatever is divided by another time was measured with the same program.
"""
from __future__ import annotations

import json
import pathlib
from typing import Any, Iterable, Sequence

from . import database
from .configurations import ALL_CONFIGURATIONS
from .database import Record
from .experiment import EXPERIMENTS, Experiment
from .instances import ALL_ROWS, SOURCE, instance_named
from .planner import Limits, key_of

FILE = SOURCE / "benchmarks/paper_runs.jsonl"
EXPERIMENTS_KEPT = ("paper-default", "paper-rivals", "paper-lambda")

_PLAIN = ("configuration", "instance", "options", "planner", "commit", "time_limit", "clock",
          "memory_limit_mb", "status", "objective", "lower_bound", "note", "cpu_seconds",
          "peak_memory_mb")
_STATISTICS = ("scalarised_ssps", "expanded")
_MULTIPLIER_SEARCH = ("seconds", "distinct", "nonzero")
_DIGITS = 4
"""Of seconds, after the point."""

Group = tuple[float, str, int]
"""Limits on time and memory, and by which clock."""


class KeptError(Exception):
    pass


def group_of(record: Record) -> Group:
    return record["time_limit"], record.get("clock", "wall"), record["memory_limit_mb"]


def group(experiment: Experiment) -> Group:
    return experiment.seconds, "cpu" if experiment.cpu_time else "wall", Limits.memory_mb


def default_runs(records: Iterable[Record]) -> list[Record]:
    """At full strength."""
    return _runs_of("paper-default", records)


def rival_runs(records: Iterable[Record]) -> list[Record]:
    """Of the default and its rivals, and of those that differ in the search for λ*."""
    return _runs_of("paper-rivals", records)


def _runs_of(name: str, records: Iterable[Record]) -> list[Record]:
    return [r for r in records if group_of(r) == group(EXPERIMENTS[name])]


def _rounded(seconds: dict[str, float]) -> dict[str, float]:
    return {name: round(value, _DIGITS) for name, value in seconds.items()}


def compact(record: Record) -> Record:
    kept = {name: record[name] for name in _PLAIN if record.get(name) is not None}
    kept["cpu_seconds"] = round(kept["cpu_seconds"], _DIGITS)
    statistics: dict[str, Any] = record.get("statistics", {})
    few: dict[str, Any] = {name: statistics[name] for name in _STATISTICS if name in statistics}
    if search := statistics.get("multiplier_search"):
        few["multiplier_search"] = _rounded({name: search[name] for name in _MULTIPLIER_SEARCH})
    if "seconds" in statistics:
        few["seconds"] = _rounded(statistics["seconds"])
    return kept | ({"statistics": few} if few else {})


def expanded(kept: Record) -> Record:
    """As a run has written it, as far as that is known, and known by the same key."""
    instance = instance_named(kept["instance"])
    limits = Limits(kept["time_limit"], kept["memory_limit_mb"],
                    of_cpu=kept.get("clock") == "cpu")
    return kept | {"row": instance.row.name, "problem": instance.problem,
                   "key": key_of(kept["configuration"], kept["options"], kept["instance"],
                                 kept["planner"], limits)}


def _place(record: Record) -> tuple[Any, ...]:
    """Where a run stands in the file; no two stand in the same place."""
    row, _, seed = record["instance"].rpartition("#")
    return (*group_of(record), record["configuration"], list(ALL_ROWS).index(row), int(seed))


def read(path: pathlib.Path = FILE) -> list[Record]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [expanded(json.loads(line)) for line in lines]


def write(records: Iterable[Record], path: pathlib.Path = FILE) -> None:
    lines = [json.dumps(compact(r), ensure_ascii=False, separators=(",", ":"))
             for r in sorted(records, key=_place)]
    draft = path.with_suffix(".draft")
    draft.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    draft.replace(path)


def worth_keeping(records: Iterable[Record]) -> list[Record]:
    """Runs of the experiments that are kept, with the options that configurations have now; with
    the same limits only those of the planner that ran last."""
    wanted = {(task.configuration.name, task.instance.name, group(EXPERIMENTS[name]))
              for name in EXPERIMENTS_KEPT for task in EXPERIMENTS[name].tasks()}
    found = [r for r in records
             if (r["configuration"], r["instance"], group_of(r)) in wanted
             and r["options"] == " ".join(ALL_CONFIGURATIONS[r["configuration"]].options)
             and r["status"] != "unsupported"]
    last = {group_of(r): r["planner"] for r in found}
    return [r for r in found if r["planner"] == last[group_of(r)]]


def merge(kept: Sequence[Record], new: Sequence[Record], replace: bool = False) -> list[Record]:
    """Both; of two runs in one place the new one. A planner takes the place of another only if it
    is told to, and then of all its runs."""
    planners = {group_of(r): r["planner"] for r in new}
    others = [r for r in kept if planners.get(group_of(r), r["planner"]) != r["planner"]]
    if others and not replace:
        raise KeptError(
            f"{len(others)} runs of another planner are kept ({_origin(others[0])}); --replace puts "
            f"those of {_origin(_with_limits_of(others[0], new))} with the same limits in their "
            "place")
    by_place = {_place(r): r for r in kept if r not in others}
    return list((by_place | {_place(r): r for r in new}).values())


def _with_limits_of(record: Record, records: Sequence[Record]) -> Record:
    return next(r for r in records if group_of(r) == group_of(record))


def _origin(record: Record) -> str:
    return f"{record['planner']}, commit {record.get('commit') or 'unknown'}"


def keep(results: pathlib.Path, path: pathlib.Path = FILE, replace: bool = False) -> int:
    """Adds what is new in a folder of results; how many runs that is."""
    before = read(path)
    new = worth_keeping(database.latest(results / "results.jsonl").values())
    after = merge(before, new, replace)
    known = {_place(r): compact(r) for r in before}
    fresh = sum(known.get(_place(r)) != compact(r) for r in after)
    if fresh or len(before) != len(after):
        write(after, path)
    return fresh
