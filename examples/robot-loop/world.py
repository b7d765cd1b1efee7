"""The city of examples/drone-delivery as it really is: now and then the wind takes the drone somewhere else."""
import pathlib
import random
import re

PROBLEM = (pathlib.Path(__file__).parents[1] / "drone-delivery" / "problem.pddl").read_text()
ROUTES = re.findall(r"\(route (\S+) (\S+)\)", PROBLEM)


class World:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.facts = {"(at depot)", "(on-board vaccine)", "(on-board letter)"}

    def change(self, removed: str, added: str) -> None:
        self.facts = self.facts - {removed} | {added}

    def do(self, action: str) -> str:
        """Does it, and says what came of it if that was not to be expected."""
        name, *objects = action.strip("()").split()
        gusty = "(gusty)" in self.facts
        if name == "wait-for-calm" and self.random.random() < 0.5:
            self.facts.discard("(gusty)")
        elif name == "charge":
            self.facts.add("(charged)")
        elif name == "lower" and (not gusty or self.random.random() < 0.6):
            self.change(f"(on-board {objects[0]})", f"(delivered {objects[0]})")
        elif name == "fly":
            return self.fly(*objects)
        return ""

    def fly(self, start: str, end: str) -> str:
        # What the plan knows nothing of: one flight in six ends at another neighbour of its start.
        others = [b for a, b in ROUTES if a == start and b != end]
        arrived = self.random.choice(others) if others and self.random.random() < 1 / 6 else end
        self.change(f"(at {start})", f"(at {arrived})")
        self.facts.discard("(charged)")
        self.facts.discard("(gusty)")
        if self.random.random() < 0.3:
            self.facts.add("(gusty)")
        return "" if arrived == end else f" ... and was blown to {arrived}"
