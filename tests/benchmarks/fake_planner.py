"""Behaves like `carl` towards the harness, and misbehaves as FAKE_PLANNER says:

honest    every problem has the optimum 6.75
liar      with --outer coordinate it claims 6.5, and to have proved it
sleeper   goes on for long after its time limit, and has a child that does the same
worker    computes for long, and says what it has when it is interrupted
hog       wants much more memory than it may have
crash     dies of a signal
garbage   ends well but writes no JSON
old       does not know the options
uneven    computes for as long as FAKE_PLANNER_CPU says of one of its options ("default": none), for
          ever where nothing is said, and does not know those of which it is to be null
"""
import json
import os
import signal
import subprocess
import sys
import time


def answer(cost: float) -> None:
    print(json.dumps({
        "format": "carl-result", "version": 1, "status": "optimal", "algorithm": "fake",
        "objective": cost, "lower_bound": cost, "gap": 0.0,
        "constraints": [{"cost": "fuel", "bound": 13, "value": 13.0}],
        "statistics": {"scalarised_ssps": 3, "seconds": {"total": 0.01}}}))


def uneven(options: list[str]) -> int:
    seconds = json.loads(os.environ["FAKE_PLANNER_CPU"])
    words = options if {"--inner", "--algorithm"} & set(options) else ["default"]
    known = [seconds[word] for word in words if word in seconds]
    if None in known:
        print(f"error: one of {words} is not known", file=sys.stderr)
        return 2
    try:
        while not known or time.process_time() < known[0]:
            pass
    except KeyboardInterrupt:
        print(json.dumps({"status": "interrupted", "objective": None, "lower_bound": 1.5}))
        return 3
    answer(6.75)
    return 0


def solve(options: list[str], mode: str) -> int:
    if mode == "old":
        print("--algorithm: i-dual not in {carl}", file=sys.stderr)
        return 2
    if mode == "sleeper":
        child = subprocess.Popen(["sleep", "1000"])
        with open(os.environ["FAKE_PLANNER_PIDS"], "a", encoding="utf-8") as pids:
            pids.write(f"{os.getpid()} {child.pid}\n")
        time.sleep(1000)
    if mode == "worker":
        try:
            while True:
                pass
        except KeyboardInterrupt:
            print(json.dumps({"status": "interrupted", "objective": None, "lower_bound": 1.5}))
            return 3
    if mode == "uneven":
        return uneven(options)
    if mode == "hog":
        hoard = [bytearray(200 << 20) for _ in range(20)]
        return len(hoard)
    if mode == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if mode == "garbage":
        print('{"status": ')
        return 0
    if mode == "honest":
        time.sleep(float(os.environ.get("FAKE_PLANNER_SECONDS", "0")))
    answer(6.5 if mode == "liar" and "coordinate" in options else 6.75)
    return 0


def main() -> int:
    if sys.argv[1] == "--version":
        print("carl 0.0.0")
    elif sys.argv[1] == "generate":
        print("; a problem:", *sys.argv[2:])
    else:
        return solve(sys.argv[2:], os.environ.get("FAKE_PLANNER", "honest"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
