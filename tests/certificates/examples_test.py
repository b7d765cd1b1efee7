"""Certificates of the examples, as a user gets them, judged by the other checker. Factored problems
go through `carl convert`.

    examples_test.py CARL EXAMPLES
"""

import pathlib
import subprocess
import sys
import tempfile

import checker

CASES = [  # example, changes, exit status of solve
    ("getting-to-work", [], 0),
    ("drone-delivery", [], 0),
    ("drone-delivery", ["--bound", "battery=20"], 10),
    ("drone-delivery", ["--bound", "battery=0"], 10),
    ("tireworld-two-currencies", [], 0),
    ("coordinate-search", [], 0),
    ("pathological", [], 0),
]


def run(*arguments):
    return subprocess.run(arguments, check=False, capture_output=True, text=True)


def model_files(folder):
    model = folder / "model.json"
    return [str(model)] if model.exists() else [str(folder / "domain.pddl"),
                                                str(folder / "problem.pddl")]


def check_example(carl, folder, changes, status, scratch):
    files = model_files(folder)
    proof, explicit = str(scratch / "proof.json"), str(scratch / "model.json")
    solved = run(carl, "solve", "-q", *files, *changes, "--certificate", proof)
    assert solved.returncode == status, solved
    checked = run(carl, "check", *files, *changes, "--certificate", proof)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    converted = run(carl, "convert", *files, *changes, "-o", explicit)
    assert converted.returncode == 0, converted.stderr
    verdict = checker.verdict(checker.Model(checker.load(explicit)), checker.load(proof))
    assert verdict == "proved", verdict


def main(carl, examples):
    with tempfile.TemporaryDirectory() as scratch:
        for example, changes, status in CASES:
            print(example, *changes)
            check_example(carl, pathlib.Path(examples) / example, changes, status,
                          pathlib.Path(scratch))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
