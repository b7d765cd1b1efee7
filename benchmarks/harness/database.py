"""Results as lines of JSON, appended one by one.

A record is one line, written by a single write and forced to the disk; whoever is killed in the
middle leaves at most a torn last line, which readers skip and the next writer removes. A lock keeps
two writers apart and is released by the system when its holder dies, however it dies.
"""
from __future__ import annotations

import fcntl
import json
import os
import pathlib
import sys
from typing import Any, Iterator

Record = dict[str, Any]


class DatabaseBusy(Exception):
    pass


def _parsed(line: bytes) -> Record | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) and "key" in record else None


def read(path: pathlib.Path) -> Iterator[Record]:
    """All whole records, in the order in which they were written."""
    if not path.exists():
        return
    lines = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, start=1):
        record = _parsed(line)
        if record is not None:
            yield record
        elif line and number < len(lines):
            print(f"{path}:{number}: not a result, skipped", file=sys.stderr)


def latest(path: pathlib.Path) -> dict[str, Record]:
    """The last record of every key."""
    return {record["key"]: record for record in read(path)}


class Writer:
    """Appends records; to be used in a `with` statement."""

    def __init__(self, path: pathlib.Path):
        path.parent.mkdir(parents=True, exist_ok=True)
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._descriptor)
            raise DatabaseBusy(f"{path}: another run is writing to it") from None
        self._remove_torn_line(path)

    def _remove_torn_line(self, path: pathlib.Path) -> None:
        content = path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.ftruncate(self._descriptor, whole)
            os.fsync(self._descriptor)

    def append(self, record: Record) -> None:
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        if os.write(self._descriptor, line) != len(line):
            raise OSError("the result was not written completely: is the disk full?")
        os.fsync(self._descriptor)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)
