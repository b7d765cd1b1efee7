#!/usr/bin/env python3
"""Every error message that a user's input can cause occurs in some test.

The messages are the first texts in what is thrown or reported as an error, in the longest piece between their
placeholders. Those that no test can cause are listed here, each with the reason.
"""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
THROWS = re.compile(r"\b(?:InputError|OptionError|ZeroCostLoopError|DuplicateAction|fail|fail_at|error_at|too_many|complain)\(")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
SHORTEST = 6  # pieces below this are punctuation around names

CANNOT_BE_TESTED = {
    # It takes an input of gigabytes.
    "the file is larger than 4 GB",
    "the model has more than four billion actions",
    "the text is too long",
    # The command line checks it before the library does.
    "there is no text to read",
    "there is no bound on '",
    # It takes a defect of the planner.
    "carl: internal error:",
    # It takes a disk that fills up just then.
    "it had to be written in place and is now incomplete",
    # It takes a policy that doubles cannot tell from one that never ends.
    "numerical trouble: a policy of the front reaches a goal too rarely",
    # It takes 200,000 states that a policy hardly ever leaves.
    "what the policy costs cannot be computed: the equations of",
    # It takes ranks that share a model of 100,000 states.
    "a loop at zero primary cost that never needs to reach the goal",
    # It takes a system without random numbers.
    "the system has no random numbers, and without a secret address studio is not safe",
    # It takes a failure of the LP solver.
    "the LP solver failed",
    "the LP's duals do not certify the requested gap",
    "the LP's policy does not reach a goal for certain",
    "the LP's policy misses a bound by more than rounding explains",
    "the bounds are so close to infeasible that the LP cannot tell",
}


def sources() -> list[pathlib.Path]:
    return [path for folder in ("apps", "include", "src") for ending in ("*.cc", "*.h")
            for path in sorted((ROOT / folder).rglob(ending))]


def call(text: str, start: int) -> str:
    """What is between the parentheses that open at `start`."""
    depth, at = 0, start
    while at < len(text):
        if text[at] == '"':
            at = STRING.match(text, at).end()
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return text[start:at]
        at += 1
    return text[start:]


def joined(text: str) -> str:
    """Adjacent string literals as one, white space as one blank, quotes without their escapes."""
    text = re.sub(r'"\s*\n\s*"', "", text).replace('\\"', '"').replace("\\n", " ")
    return re.sub(r"\s+", " ", text)


def messages(path: pathlib.Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    found = []
    for match in THROWS.finditer(text):
        literals = STRING.findall(re.sub(r'"\s*\n\s*"', "", call(text, match.end() - 1)))
        if not literals:
            continue
        pieces = re.split(r"\{[^}]*\}", literals[0].replace('\\"', '"').replace("\\n", " "))
        piece = re.sub(r"\s+", " ", max(pieces, key=len)).strip()
        if len(piece) >= SHORTEST:
            found.append(piece)
    return found


class Messages(unittest.TestCase):
    maxDiff = None

    def test_every_error_has_a_test(self):
        tests = "\n".join(joined(path.read_text(encoding="utf-8", errors="replace"))
                          for path in sorted((ROOT / "tests").rglob("*"))
                          if path.is_file() and path != pathlib.Path(__file__).resolve())
        everything = {(piece, path) for path in sources() for piece in messages(path)}
        self.assertGreater(len(everything), 150)
        pieces = {piece for piece, _ in everything}
        untested = sorted(f"{path.relative_to(ROOT)}: {piece}" for piece, path in everything
                          if piece not in tests and piece not in CANNOT_BE_TESTED)
        self.assertEqual(untested, [])
        self.assertEqual(sorted(CANNOT_BE_TESTED - pieces), [], "listed, but not in the source")

    def test_the_library_knows_no_flags(self):
        """Options have names of their own there; the command line says which flags they are."""
        flags = re.compile(r"--[a-z][a-z-]+")
        spoken = [f"{path.relative_to(ROOT)}: {literal}" for path in sources() if "apps" not in path.parts
                  for line in path.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith(("//", "#"))
                  for literal in STRING.findall(line) if flags.search(literal)]
        self.assertEqual(spoken, [])


if __name__ == "__main__":
    unittest.main()
