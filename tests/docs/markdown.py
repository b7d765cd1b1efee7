"""What the tests look at in a Markdown file: fenced blocks with their marks, links and headings.

A mark is an HTML comment on the line above a block, which readers do not see:

  <!-- not run: installs packages -->     commands that no test runs, and why
  <!-- file: problem.pddl -->             the reader types this in; sessions below it find the file
  <!-- from: examples/…/domain.pddl -->   an excerpt of that file ('…' stands for what is left out)
"""
from __future__ import annotations

import dataclasses
import re

FENCE = re.compile(r"^```(\w*)\s*$")
MARK = re.compile(r"^<!-- (not run|file|from): (.+) -->$")
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:href|src)=\"([^\"]+)\"")


@dataclasses.dataclass
class Block:
    language: str
    line: int  # of its first line, from 1
    lines: list[str]
    mark: str = ""
    argument: str = ""  # of the mark

    @property
    def text(self) -> str:
        return "".join(line + "\n" for line in self.lines)

    @property
    def is_session(self) -> bool:
        return self.mark != "not run" and any(line.startswith("$ ") for line in self.lines)


class Unclosed(Exception):
    pass


def blocks(text: str) -> list[Block]:
    found: list[Block] = []
    current: Block | None = None
    mark, argument = "", ""
    for number, line in enumerate(text.splitlines(), start=1):
        if current is not None:
            if line.rstrip() == "```":
                found.append(current)
                current = None
            else:
                current.lines.append(line)
        elif fence := FENCE.match(line):
            current = Block(fence[1], number + 1, [], mark, argument)
            mark, argument = "", ""
        elif noted := MARK.match(line):
            mark, argument = noted[1], noted[2]
        elif line.strip():
            mark, argument = "", ""
    if current is not None:
        raise Unclosed(f"line {current.line - 1}: this block is never closed")
    return found


def prose(text: str) -> list[tuple[int, str]]:
    """The lines outside of blocks, with their numbers."""
    inside = {n for b in blocks(text) for n in range(b.line - 1, b.line + len(b.lines) + 1)}
    return [(n, line) for n, line in enumerate(text.splitlines(), start=1) if n not in inside]


def links(text: str) -> list[tuple[int, str]]:
    return [(n, match[1] or match[2]) for n, line in prose(text) for match in LINK.finditer(line)]


def anchors(text: str) -> set[str]:
    """The names that links to headings have, as web sites derive them."""
    names = set()
    for _, line in prose(text):
        if heading := re.match(r"#+ (.+)$", line):
            kept = re.sub(r"[^\w\- ]", "", heading[1].lower())
            names.add(kept.strip().replace(" ", "-"))
    return names
