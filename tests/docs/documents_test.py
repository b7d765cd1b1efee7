"""What the documents say is so: commands print what is shown, excerpts are current, links lead
somewhere. See markdown.py for the marks on blocks, update.py for how to bring sessions up to date.
"""
from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import markdown
import sessions

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
PLANNER = pathlib.Path(os.environ.get("CARL", SOURCE / "build/release/carl"))

CHECKED = ["README.md", "examples/README.md",
           *sorted(str(p.relative_to(SOURCE)) for p in (SOURCE / "docs").glob("*.md"))]
LINKED = [*CHECKED, "CONTRIBUTING.md", "CHANGELOG.md",
          *sorted(str(p.relative_to(SOURCE)) for p in (SOURCE / "benchmarks").rglob("*.md")
                  if "results" not in p.parts)]

LOOKS_LIKE_A_COMMAND = re.compile(
    r"^\s*(carl|cmake|ctest|apt-get|npm|git|cd|benchmarks/run|\./\w+) ")


def squeezed(text: str) -> str:
    return " ".join(text.split())


def faults_of_blocks(text: str, source: pathlib.Path) -> list[str]:
    """Everything that can be told without running anything."""
    faults = []
    for block in markdown.blocks(text):
        place = f"line {block.line}"
        if block.mark == "from":
            whole = squeezed((source / block.argument).read_text())
            for piece in re.split(r"^\s*…\s*$", block.text, flags=re.MULTILINE):
                if squeezed(piece) not in whole:
                    faults.append(f"{place}: this is not in {block.argument}:\n{piece}")
        if block.language == "json" and not block.mark and "…" not in block.text:
            try:
                json.loads(block.text)
            except json.JSONDecodeError as error:
                faults.append(f"{place}: {error}")
        is_command = block.language in ("console", "sh", "bash") or (
            not block.language and any(LOOKS_LIKE_A_COMMAND.match(line) for line in block.lines))
        if is_command and block.mark != "not run" and not block.is_session:
            faults.append(f"{place}: commands that nobody runs: begin them with '$ ', or mark the "
                          "block as not run")
    return faults


def faults_of_sessions(text: str, source: pathlib.Path, planner: pathlib.Path) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        clone = pathlib.Path(folder) / "carl"
        sessions.make_clone(clone, source, planner)
        return [f"line {c.line}: $ {c.text}\n--- shown\n" + "\n".join(c.shown)
                + f"\n--- printed (exit status {c.status})\n" + "\n".join(c.printed)
                for c in sessions.run(markdown.blocks(text), clone) if not c.agrees]


def faults_of_links(path: pathlib.Path) -> list[str]:
    faults = []
    for number, link in markdown.links(path.read_text()):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        file = (path.parent / target).resolve() if target else path
        if not file.exists():
            faults.append(f"line {number}: there is no {link}")
        elif anchor and file.suffix == ".md" and anchor not in markdown.anchors(file.read_text()):
            faults.append(f"line {number}: {target or 'this file'} has no heading #{anchor}")
    return faults


class DocumentsTest(unittest.TestCase):
    def check(self, faults: list[str]) -> None:
        if faults:
            self.fail("\n\n" + "\n\n".join(faults))

    def test_blocks(self) -> None:
        for name in CHECKED:
            with self.subTest(name):
                self.check(faults_of_blocks((SOURCE / name).read_text(), SOURCE))

    def test_sessions(self) -> None:
        for name in CHECKED:
            with self.subTest(name):
                self.check(faults_of_sessions((SOURCE / name).read_text(), SOURCE, PLANNER))

    def test_links(self) -> None:
        for name in LINKED:
            with self.subTest(name):
                self.check(faults_of_links(SOURCE / name))

    def test_index_lists_every_document(self) -> None:
        listed = {link for _, link in markdown.links((SOURCE / "docs/README.md").read_text())}
        there = {path.name for path in (SOURCE / "docs").glob("*.md")} - {"README.md"}
        self.assertFalse(there - listed)

    def test_every_field_of_a_result_is_explained(self) -> None:
        explained = set(re.findall(r"`([a-z_0-9]+)`",
                                   (SOURCE / "docs/reading-results.md").read_text()))
        for option in ("--gap=1e-4", "--bound=fuel=0.5", "--outer=coordinate", "--algorithm=lp"):
            solved = subprocess.run(
                [PLANNER, "solve", SOURCE / "examples/pathological/model.json", option, "--json=-",
                 "--quiet"], stdout=subprocess.PIPE, text=True, check=False)
            self.assertFalse(keys(json.loads(solved.stdout)) - explained - {"time", "fuel", "toll"},
                             option)


def keys(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(keys, value.values()))
    if isinstance(value, list):
        return set().union(*map(keys, value))
    return set()


if __name__ == "__main__":
    unittest.main()
