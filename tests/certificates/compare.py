"""Compares the two checkers: what `check_certificate` says of thousands of certificates, right ones
and corrupted ones (certificate_batch makes them), with what checker.py says.

    compare.py CERTIFICATE_BATCH

The number of problems is scaled by CARL_TEST_SCALE.
"""

import collections
import json
import os
import subprocess
import sys
from fractions import Fraction

import checker

PROBLEMS = 3000
LARGEST_GAP = Fraction(1001, 10**7)  # what `carl solve` calls optimal


def main(batch):
    problems = max(1, int(PROBLEMS * float(os.environ.get("CARL_TEST_SCALE", "1"))))
    seen = collections.Counter()
    wrong = []
    with subprocess.Popen([batch, "1", str(problems)], stdout=subprocess.PIPE,
                          encoding="utf-8") as process:
        for line in process.stdout:
            problem = json.loads(line, parse_float=Fraction, parse_int=Fraction)
            model = checker.Model(problem["model"])
            for case in problem["cases"]:
                judge(problem["seed"], model, case, seen, wrong)
    if process.returncode != 0:
        wrong.append(f"the batch ended with {process.returncode}")
    for key, number in sorted(seen.items()):
        print(f"{number:6} {key}")
    for message in wrong[:20]:
        print(message)
    if problems == PROBLEMS:
        wrong += missing(seen)
    print(f"{sum(seen.values())} certificates, {len(wrong)} disagreements")
    return 1 if wrong else 0


def judge(seed, model, case, seen, wrong):
    where = f"seed {seed}, {case['way']}"
    if case["verdict"] == "none":
        wrong.append(f"{where}: no certificate: {case['certificate']}")
        return
    verdict = checker.verdict(model, case["certificate"])
    kind = "corrupted" if case["way"].startswith("corrupted") else case["certificate"]["kind"]
    seen[f"{kind}, {verdict.split()[0].rstrip(':')}"] += 1
    if verdict.split(":")[0] != case["verdict"]:
        wrong.append(f"{where}: carl says {case['verdict']}, the other checker {verdict}")
    elif kind != "corrupted" and verdict.startswith("refuted"):
        wrong.append(f"{where}: a certificate is refuted: {verdict}")
    elif kind == "optimal" and gap(case["certificate"]) > LARGEST_GAP:
        wrong.append(f"{where}: the gap is {float(gap(case['certificate']))}")


def gap(certificate):
    objective = certificate["objective"]
    difference = objective - certificate["lower_bound"]
    return difference / objective if objective else difference


def missing(seen):
    """All kinds of answers must have occurred, and corruptions that matter and that do not."""
    wanted = ["optimal, proved", "infeasible, proved", "infeasible-zero-bounds, proved",
              "no-proper-policy, proved", "optimal, up-to", "corrupted, proved",
              "corrupted, refuted", "corrupted, up-to"]
    return [f"no case of: {key}" for key in wanted if seen[key] < 5]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
