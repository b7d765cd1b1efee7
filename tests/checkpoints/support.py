"""What the tests of checkpoints and of policies in parts share. Takes the planner from the command line."""
from __future__ import annotations

import pathlib
import subprocess
import sys

CARL = pathlib.Path(sys.argv.pop(1)).resolve()
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
DRONE = [str(EXAMPLES / "drone-delivery" / name) for name in ("domain.pddl", "problem.pddl")]
TREATMENT = [str(EXAMPLES / "treatment" / "model.json")]


def carl(*arguments: str, text: str = "") -> subprocess.CompletedProcess:
    return subprocess.run([str(CARL), *arguments], input=text, capture_output=True, text=True, timeout=60, check=False)


def fnv1a(data: bytes) -> str:
    """As an index and a checkpoint have it."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"
