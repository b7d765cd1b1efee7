#!/usr/bin/env python3
"""Usage: tests/docs/update.py FILE.md…

Replaces outputs in console sessions that are no longer right by what the commands print now. What
was left out ('…') has to be left out anew. The planner is build/release/carl, or $CARL.
docs/library.md also needs an installed library ($CMAKE_PREFIX_PATH).
"""
from __future__ import annotations

import pathlib
import sys
import tempfile

import markdown
import sessions
from documents_test import PLANNER, SOURCE


def updated(text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        clone = pathlib.Path(folder) / "carl"
        sessions.make_clone(clone, SOURCE, PLANNER)
        found = sessions.run(markdown.blocks(text), clone)
    lines = text.splitlines()
    for command in reversed(found):  # from the end, so that line numbers stay right
        if not command.agrees:
            begin = command.line
            while lines[begin - 1].endswith("\\"):
                begin += 1
            lines[begin:begin + len(command.shown)] = [line.rstrip() for line in command.printed]
    return "".join(line + "\n" for line in lines)


for name in sys.argv[1:]:
    path = pathlib.Path(name)
    path.write_text(updated(path.read_text()))
