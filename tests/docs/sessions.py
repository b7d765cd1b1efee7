"""Runs the console sessions of a document and compares what comes out with what is shown.

A session is a block with lines that begin with '$ ': commands, each followed by its output, errors
included. All sessions of a document run in one shell, in a folder that looks like a clone in which
carl has been built. A line '…' stands for lines left out.
"""
from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import shlex
import shutil
import subprocess

from markdown import Block

# What differs from run to run or from machine to machine.
VARYING = [
    (re.compile(r"\b\d+(\.\d+)? (s|ms|µs|min)\b"), "TIME"),
    (re.compile(r"\b\d+(\.\d+)? [kKMG]B\b"), "SIZE"),
    (re.compile(r"\S+ state-actions/s\b"), "SPEED"),
    (re.compile(r"\bgap(\"?:)? \S+e-\d+\b"), "gap TINY"),
    (re.compile(r"\b\d+(\.\d+)?e-1\d\b"), "TINY"),
    (re.compile(r"[\d,]+ pairs? in rational arithmetic"), "SOME in rational arithmetic"),
    (re.compile(r'("(?:seconds|parse|ground|heuristic|search|extract|total|peak_memory_mb)":)'
                r" ?[\d.e-]+"), r"\1 MEASURED"),
    (re.compile(r'("scalarised_ssps":) ?\d+(\.[\d.e-]+|e-\d+)'), r"\1 MEASURED"),  # seconds of them
]
# The last digits are the compiler's business.
LONG_NUMBER = re.compile(r"\b\d+\.\d{10,}(e-?\d+)?")
END = "\036"
CANNOT_RUN = (126, 127)  # what a shell says of a command that it does not find


@dataclasses.dataclass
class Command:
    line: int
    text: str
    shown: list[str]
    printed: list[str] = dataclasses.field(default_factory=list)
    status: int = 0

    @property
    def agrees(self) -> bool:
        return self.status not in CANNOT_RUN and agree(self.shown, self.printed)


def normalised(line: str) -> str:
    for pattern, word in VARYING:
        line = pattern.sub(word, line)
    return LONG_NUMBER.sub(lambda number: f"{float(number[0]):.6g}", line).rstrip()


def agree(shown: list[str], printed: list[str]) -> bool:
    """Empty lines at the end do not count."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "…" else re.escape(normalised(line)) + r"\n"
                      for line in shown)
    text = "".join(normalised(line) + "\n" for line in printed)
    return re.fullmatch(pattern + r"\n*", text) is not None


def commands(block: Block) -> list[Command]:
    found: list[Command] = []
    for number, line in enumerate(block.lines, start=block.line):
        if line.startswith("$ "):
            found.append(Command(number, line[2:], []))
        elif not found:
            raise ValueError(f"line {number}: output without a command")
        elif found[-1].text.endswith("\\") and not found[-1].shown:
            found[-1].text = found[-1].text[:-1] + line.strip()
        else:
            found[-1].shown.append(line)
    return found


def script(steps: list[Block | Command]) -> str:
    """Files are written and commands run in the order of the document, in one shell."""
    parts = []
    for step in steps:
        if isinstance(step, Block):
            parts.append(f"printf %s {shlex.quote(step.text)} > {shlex.quote(step.argument)}\n")
        else:
            parts.append(f"eval {shlex.quote(step.text)} 2>&1 </dev/null\n"
                         f"status=$?; printf '{END}%d\\n' $status; (exit $status)\n")
    return "".join(parts)


def make_clone(folder: pathlib.Path, source: pathlib.Path, planner: pathlib.Path) -> None:
    shutil.copytree(source / "examples", folder / "examples")
    (folder / "build/release").mkdir(parents=True)
    (folder / "build/release/carl").symlink_to(planner.resolve(strict=True))


def run(document_blocks: list[Block], clone: pathlib.Path, timeout: float = 240) -> list[Command]:
    steps: list[Block | Command] = []
    for block in document_blocks:
        if block.mark == "file":
            steps.append(block)
        elif block.is_session:
            steps.extend(commands(block))
    found = [step for step in steps if isinstance(step, Command)]
    path = f"{clone / 'build/release'}:{os.environ['PATH']}"
    shell = subprocess.run(["bash", "-c", script(steps)], cwd=clone, text=True, timeout=timeout,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                           env=dict(os.environ, PATH=path, LC_ALL="C.UTF-8"))
    outputs = re.findall(rf"(.*?){END}(\d+)\n", shell.stdout, flags=re.DOTALL)
    if len(outputs) != len(found):
        raise ValueError(f"the shell ended early:\n{shell.stdout}{shell.stderr}")
    for command, (output, status) in zip(found, outputs):
        command.printed = output.splitlines()
        command.status = int(status)
    return found
