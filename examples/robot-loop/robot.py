#!/usr/bin/env python3
"""Usage: robot.py POLICY SEED. A drone that asks its policy what to do, again and again."""
import subprocess
import sys

from world import World

policy, seed = sys.argv[1:]
world = World(int(seed))
brain = subprocess.Popen(["carl", "act", policy, "--seed", seed], text=True,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
answer = ""
while answer != "goal":
    print(*world.facts, file=brain.stdin, flush=True)
    answer = brain.stdout.readline().strip()
    if answer.startswith("error"):
        sys.exit(answer)
    print(answer if answer == "goal" else answer + world.do(answer), flush=True)
