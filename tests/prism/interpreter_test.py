"""Compares the planner with the interpreter on random programs, state by state.

usage: interpreter_test.py DUMP_MODELS [--programs NUMBER] [--first SEED]
"""

import argparse
import json
import os
import subprocess
import sys

from interpreter import Error, Model, NoValue, Tokens, expression
from random_programs import Program

PARTS = ("mdp", "dtmc", "system", "renamed", "init", "error", "no value", "deadlock", "several")


def close(a, b):
    return abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))


def differences(model, tree, found):
    """Yields what is not as the interpreter says."""
    space = model.space()
    if found["initial"] != model.state_name(model.initial):
        yield f"initial state {found['initial']}"
    costs = [name for name, _ in model.rewards] or ["steps"]
    if found["costs"] != costs:
        yield f"costs {found['costs']}"
    names = {model.state_name(s): s for s in space}
    if set(names) != set(found["states"]):
        yield f"other states: {sorted(set(names) ^ set(found['states']))[:5]}"
        return
    for name, state in names.items():
        there = found["states"][name]
        actions = space[state]
        if there["labels"] != model.labels(state):
            yield f"labels of {name}: {there['labels']}"
        if there["formula"] != model.holds(tree, state, actions):
            yield f"formula in {name}: {there['formula']}"
        if set(there["actions"]) != set(actions):
            yield f"actions of {name}: {sorted(there['actions'])}, not {sorted(actions)}"
            continue
        for action, (expected_costs, outcomes) in actions.items():
            entry = there["actions"][action]
            if not all(close(a, b) for a, b in zip(entry["costs"], expected_costs)):
                yield f"costs of {action} in {name}: {entry['costs']}, not {expected_costs}"
            expected = {model.state_name(s): p for s, p in outcomes.items()}
            if set(expected) != set(entry["outcomes"]) or not all(
                close(p, entry["outcomes"][s]) for s, p in expected.items()
            ):
                yield f"outcomes of {action} in {name}: {entry['outcomes']}, not {expected}"


def given_value(text):
    if text in ("true", "false"):
        return text == "true"
    if "/" in text:
        a, b = text.split("/")
        return int(a) / int(b)
    return float(text) if "." in text else int(text)


def judge(program, found, counts):
    """What is wrong, or nothing."""
    for part in ("mdp", "dtmc"):
        counts[part] += part == ("dtmc" if program.kind in ("dtmc", "probabilistic") else "mdp")
    counts["system"] += "endsystem" in program.text
    counts["renamed"] += " = m" in program.text
    counts["init"] += "endinit" in program.text
    try:
        model = Model(program.text, {k: given_value(v) for k, v in program.constants.items()})
        tree = expression(Tokens(program.formula))
        if "error" in found:
            model.space()
            for state in model.space():
                model.labels(state)
                model.holds(tree, state, {})
            return f"an error where there is none: {found['error']}"
        wrong = next(differences(model, tree, found), None)
        counts["deadlock"] += any(not s["actions"] for s in found["states"].values())
        counts["several"] += any("(" in a for s in found["states"].values() for a in s["actions"])
        return wrong
    except NoValue:
        # The planner may get by without it: a guard is not needed if another one fails.
        counts["no value"] += 1
        return None
    except Error as error:
        counts["error"] += 1
        return None if "error" in found else f"no error, but: {error}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dump_models")
    parser.add_argument("--programs", type=int, default=2500)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    number = max(20, int(options.programs * float(os.environ.get("CARL_TEST_SCALE", 1))))
    programs = [Program(options.first + i) for i in range(number)]
    lines = [
        json.dumps({"text": p.text, "constants": p.constants, "formula": p.formula}) for p in programs
    ]
    run = subprocess.run(
        [options.dump_models], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False
    )
    answers = run.stdout.splitlines()
    failures = 0
    counts = dict.fromkeys(PARTS, 0)
    for i, (program, answer) in enumerate(zip(programs, answers)):
        wrong = judge(program, json.loads(answer), counts)
        if wrong:
            failures += 1
            print(f"program {options.first + i}: {wrong}\n{program.text}\nconstants: {program.constants}")
            print(f"formula: {program.formula}\n")
            if failures == 5:
                break
    if run.returncode != 0 or len(answers) != number:
        print(f"the planner's side ended with {run.returncode} after {len(answers)} programs")
        print(run.stderr[-2000:])
        failures += 1
    print(f"{len(answers)} programs: {counts}")
    # A suite that meets nothing of a kind tests nothing of it.
    if not failures and number >= 1000 and min(counts.values()) == 0:
        print("some parts of the language never occur")
        failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
