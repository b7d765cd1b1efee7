#!/usr/bin/env python3
"""UMB as others write it: what `carl` reads of it is compared with what was written, number by number, in all the
ways in which the format can say it; and what is not solved, or lies, is refused with a reason.

Usage: umb_test.py CARL
"""
from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import pathlib
import random
import struct
import subprocess
import sys
import tarfile
import tempfile
import unittest
from fractions import Fraction
from typing import Any, Callable, Optional

from umb import Branch, Choice, Files, Model, Reward, Style

CARL = pathlib.Path(sys.argv.pop(1)).resolve()
MODELS = max(10, int(150 * float(os.environ.get("CARL_TEST_SCALE", "1"))))


def carl(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess:
    return subprocess.run([str(CARL), *arguments], input=stdin, capture_output=True, timeout=120, check=False)


def random_model(chance: random.Random, simple: bool = False) -> Model:
    """One in which a path leads from state 0 to the goal, and all sorts of things beside it."""
    size = chance.randint(2, 7)
    goal = size - 1
    actions = None if chance.random() < 0.3 else ["a", "b", "", "a#2"][:chance.randint(1, 4)]
    states: list[list[Choice]] = []
    for state in range(size):
        number = 1 if simple else chance.randint(1, 3)
        if state != 0 and chance.random() < 0.1 and not simple:
            number = 0
        choices = []
        for place in range(number):
            targets = [chance.randrange(size) for _ in range(1 if simple else chance.randint(1, 4))]
            if place == 0 and state < goal:
                targets[0] = state + 1
            weights = [chance.randint(1, 8) for _ in targets]
            choices.append(Choice([Branch(target, Fraction(weight, sum(weights)))
                                   for target, weight in zip(targets, weights)],
                                  chance.randrange(len(actions)) if actions else 0))
        states.append(choices)
    model = Model(states, [0], actions=actions, players=0 if simple else 1)

    def amounts(number: int) -> Optional[list[Fraction]]:
        return [Fraction(chance.choice([0, 0, 1, 2, 3, 7]), chance.choice([1, 2, 3])) for _ in range(number)] \
            if chance.random() < 0.6 else None

    for name in ["time", "fuel", "risk"][:chance.randint(0, 3)]:
        reward = Reward(amounts(size), amounts(len(model.choices())), amounts(len(model.branches())))
        if reward.states is None and reward.choices is None and reward.branches is None:
            reward.states = [Fraction(1)] * size
        model.rewards[name] = reward
    model.labels = {"init": {0}, chance.choice(["goal", "target"]): {goal}, "odd": set(range(1, size, 2)), "never": set()}
    return model


def random_style(chance: random.Random, model: Model) -> Style:
    style = Style(compression=chance.choice(["", "", "gz", "xz"]),
                  tar_format=chance.choice([tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT]),
                  prefix=chance.choice(["", "", "./"]), leave_out_defaults=chance.random() < 0.5,
                  index_last=chance.random() < 0.2, without_strings=chance.random() < 0.1,
                  extras=chance.random() < 0.4,
                  number=chance.choice([{"type": "double"}, {"type": "double", "size": 64}, {"type": "rational"},
                                        {"type": "rational", "size": 128}, {"type": "rational", "size": 384}]))
    for name in [*model.rewards, *model.labels]:
        if chance.random() < 0.3:
            style.aliases[name] = f"id_{len(style.aliases)}"
    return style


def action_names(model: Model, state: int, style: Style) -> list[str]:
    """As docs/formats.md says: by place where there is no name, numbered where there are several."""
    names: list[str] = []
    for place, choice in enumerate(model.states[state]):
        named = model.actions is not None and not style.without_strings
        wanted = (model.actions or [""])[choice.action] if named else ""
        name, times = wanted or f"a{place}", 1
        while name in names:
            times += 1
            name = f"{wanted or f'a{place}'}#{times}"
        names.append(name)
    return names


def expected_actions(model: Model, goal: set[int], style: Style) -> dict[tuple[str, str], tuple[list[float], dict[str, float]]]:
    """By state and name: the cost vector and what may come of it, for all states that can be reached."""
    choice_number = branch_number = 0
    first_choice, first_branch = [], []
    for state in model.states:
        first_choice.append(choice_number)
        for choice in state:
            choice_number += 1
            first_branch.append(branch_number)
            branch_number += len(choice.branches)
    result = {}
    todo, seen = [model.initial[0]], {model.initial[0]}
    while todo:
        state = todo.pop()
        if state in goal:
            continue
        for place, (choice, name) in enumerate(zip(model.states[state], action_names(model, state, style))):
            number = first_choice[state] + place
            outcomes: dict[str, Fraction] = {}
            for branch in choice.branches:
                outcomes[str(branch.target)] = outcomes.get(str(branch.target), Fraction(0)) + branch.probability
                if branch.target not in seen:
                    seen.add(branch.target)
                    todo.append(branch.target)
            costs = [Fraction(1)] if not model.rewards else []
            for reward in model.rewards.values():
                cost = (reward.states[state] if reward.states else Fraction(0)) + \
                       (reward.choices[number] if reward.choices else Fraction(0))
                for place_of, branch in enumerate(choice.branches):
                    if reward.branches:
                        cost += branch.probability * reward.branches[first_branch[number] + place_of]
                costs.append(cost)
            result[str(state), name] = ([float(c) for c in costs], {t: float(p) for t, p in outcomes.items()})
    return result


def written_actions(document: dict[str, Any]) -> dict[tuple[str, str], tuple[list[float], dict[str, float]]]:
    result = {}
    for action in document["actions"]:
        outcomes = action["outcomes"]
        if isinstance(outcomes, list):
            sums: dict[str, float] = {}
            for outcome in outcomes:
                sums[outcome["state"]] = sums.get(outcome["state"], 0) + outcome["probability"]
            outcomes = sums
        result[action["state"], action["name"]] = (action["cost"], outcomes)
    return result


class Accepted(unittest.TestCase):
    maxDiff = None

    def read(self, packed: bytes, *options: str) -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "model.umb")
            path.write_bytes(packed)
            done = carl("convert", str(path), "-o", "-", "--format", "json", *options)
            self.assertEqual(done.stderr.decode(), "")
            again = carl("convert", "-", "-o", "-", "--format", "json", *options, stdin=packed)
            self.assertEqual(done.stdout, again.stdout, "from standard input")
            return json.loads(done.stdout)

    def same(self, one: dict, other: dict) -> None:
        self.assertEqual(sorted(one), sorted(other))
        for key, (cost, outcomes) in one.items():
            for a, b in zip(cost, other[key][0], strict=True):
                self.assertAlmostEqual(a, b, delta=1e-13 * max(1, abs(a)))
            self.assertEqual(sorted(outcomes), sorted(other[key][1]))
            for state, probability in outcomes.items():
                self.assertAlmostEqual(probability, other[key][1][state], delta=1e-15)

    def test_random_models_in_all_styles(self):
        for seed in range(MODELS):
            with self.subTest(seed=seed):
                chance = random.Random(seed)
                model = random_model(chance, simple=chance.random() < 0.2)
                style = random_style(chance, model)
                goal = next(name for name in model.labels if name in ("goal", "target"))
                document = self.read(Files(model, style).pack())
                self.assertEqual(document["costs"], list(model.rewards) or ["steps"])
                self.assertEqual(document["initial"], "0")
                self.same(written_actions(document), expected_actions(model, model.labels[goal], style))

    def test_branches_without_probabilities(self):
        model = Model([[Choice([Branch(1, Fraction(1))])], [Choice([Branch(1, Fraction(1))])]], [0],
                      {"time": Reward(states=[Fraction(1), Fraction(0)])}, {"goal": {1}})
        document = self.read(Files(model, Style(without_probabilities=True)).pack())
        self.assertEqual(document["actions"], [{"state": "0", "name": "a0", "cost": [1], "outcomes": {"1": 1}}])

    def test_goal_and_cost_are_chosen(self):
        chance = random.Random(7)
        model = random_model(chance)
        model.rewards = {"time": Reward(states=[Fraction(1)] * len(model.states)),
                         "fuel": Reward(states=[Fraction(2)] * len(model.states))}
        packed = Files(model, Style()).pack()
        document = self.read(packed, "--goal", "odd", "--minimise", "fuel")
        self.assertEqual(document["costs"], ["fuel", "time"])
        self.same(written_actions(document),
                  {key: (cost[::-1], outcomes) for key, (cost, outcomes)
                   in expected_actions(model, model.labels["odd"], Style()).items()})

    def test_written_again_it_is_the_same(self):
        for seed in range(MODELS // 5):
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as folder:
                chance = random.Random(1000 + seed)
                model = random_model(chance)
                first, second, third = (pathlib.Path(folder, f"{n}.umb") for n in "abc")
                first.write_bytes(Files(model, random_style(chance, model)).pack())
                for source, target in ((first, second), (second, third)):
                    done = carl("convert", str(source), "-o", str(target), "--compression",
                                chance.choice(["none", "gzip", "xz"]))
                    self.assertEqual(done.stderr.decode(), "")
                documents = [json.loads(carl("convert", str(path), "-o", "-", "--format", "json").stdout)
                             for path in (first, second, third)]
                # Dead ends have become states in which one stays.
                dead = {str(s) for s, choices in enumerate(model.states) if not choices}
                documents[1]["actions"] = [a for a in documents[1]["actions"] if a["state"] not in dead]
                self.same(written_actions(documents[0]), written_actions(documents[1]))
                documents[2]["actions"] = [a for a in documents[2]["actions"] if a["state"] not in dead]
                self.assertEqual(documents[1], documents[2])

    def test_the_same_bytes_each_time(self):
        for compression in ("none", "gzip", "xz"):
            one, other = (carl("generate", "queues", "--seed", "3", "-o", "-", "--format", "umb",
                               "--compression", compression).stdout for _ in range(2))
            self.assertEqual(one, other)
            self.assertGreater(len(one), 1000)


def small() -> Model:
    return Model([[Choice([Branch(1, Fraction(1, 2)), Branch(0, Fraction(1, 2))])], [Choice([Branch(1, Fraction(1))])]],
                 [0], {"time": Reward(states=[Fraction(1), Fraction(0)])}, {"goal": {1}}, actions=["go"])


class Refused(unittest.TestCase):
    maxDiff = None

    def refuse(self, packed: bytes, *said: str, options: tuple[str, ...] = ()) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "model.umb")
            path.write_bytes(packed)
            done = carl("solve", str(path), *options)
        message = done.stderr.decode()
        self.assertEqual(done.returncode, 2, message or done.stdout.decode())
        for part in said:
            self.assertIn(part, message)

    def changed(self, change: Callable[[Files], None], *said: str, model: Optional[Model] = None,
                style: Optional[Style] = None) -> None:
        files = Files(model or small(), style or Style(leave_out_defaults=False))
        change(files)
        self.refuse(files.pack(), *said)

    def index(self, path: str, value: Any, *said: str) -> None:
        def change(files: Files) -> None:
            place = files.index
            *way, last = path.split("/")
            for step in way:
                place = place[step]
            if value is None:
                del place[last]
            else:
                place[last] = value
        self.changed(change, *said)

    def array(self, path: str, content: Optional[bytes], *said: str) -> None:
        def change(files: Files) -> None:
            if content is None:
                del files.arrays[path]
            else:
                files.arrays[path] = content
        self.changed(change, *said)

    def test_kinds_of_models(self):
        system = "transition-system/"
        self.index(system + "time", "stochastic", "models with continuous time are not solved")
        self.index(system + "time", "urgent-stochastic", "models with continuous time are not solved")
        self.index(system + "#players", 2, "games of several players are not solved")
        self.index(system + "#observations", 3, "partially observable models are not solved")
        self.index(system + "#initial-states", 2, "there are 2 initial states, but one is expected")
        self.index(system + "#initial-states", 0, "there are 0 initial states")
        for kind in ("double-interval", "rational-interval"):
            self.index(system + "branch-probability-type", {"type": kind}, "intervals of probabilities are not solved")
            self.index("annotations/rewards/time/type", {"type": kind}, "intervals of rewards are not solved")
        self.index(system + "branch-probability-type", {"type": "string"}, "probabilities cannot be of the type 'string'")
        self.index(system + "branch-probability-type", {"type": "double", "size": 32}, "a double cannot have 32 bits")
        self.index(system + "branch-probability-type", {"type": "rational", "size": 64}, "a rational cannot have 64 bits")
        self.index(system + "branch-probability-type", {"type": "rational", "size": 0}, "a rational cannot have 0 bits")

    def test_annotations(self):
        self.index("annotations/rewards/time/type", {"type": "int"}, "rewards cannot be of the type 'int'")
        self.index("annotations/rewards/time/probability-type", {"type": "double"},
                   "annotations that are drawn at random are not read")
        self.index("annotations/aps/goal/type", {"type": "int"}, "an atomic proposition must be of the type 'bool'")
        self.index("annotations/aps/goal/applies-to", ["states", "choices"],
                   "an atomic proposition must apply to states and nothing else")
        self.index("annotations/rewards/other", {"alias": "time", "applies-to": ["states"], "type": {"type": "double"}},
                   "there are two rewards named 'time'")
        self.index("annotations/aps/other", {"alias": "goal", "applies-to": ["states"], "type": {"type": "bool"}},
                   "there are two atomic propositions named 'goal'")
        self.index("annotations/aps", None, "no state is labelled 'goal' or 'target'", "the model has no labels")
        self.refuse(Files(small(), Style()).pack(), "--goal: there is no label named 'x'", "the labels are: goal",
                    options=("--goal", "x"))
        self.refuse(Files(small(), Style()).pack(), "--minimise: there is no cost named 'x'", options=("--minimise", "x"))
        self.refuse(Files(small(), Style()).pack(), "--problem: a UMB model has no problems to choose from",
                    options=("--problem", "x"))

    def test_the_index(self):
        self.index("format-version", 2, "this version of the format is not known")
        self.index("format-version", None, 'the key "format-version" is missing')
        self.index("transition-system", None, 'the key "transition-system" is missing')
        for key in ("time", "#players", "#states", "#initial-states", "#choices", "#branches"):
            self.index("transition-system/" + key, None, f'the key "{key}" is missing')
        self.index("transition-system/#states", 0, "there are no states")
        self.index("transition-system/#states", 1.5, "expected a whole number that is not negative")
        self.index("transition-system/#states", -1, "expected a whole number that is not negative")
        self.index("transition-system/#states", 2**63, "the model is too large: at most")
        self.index("transition-system/#choices", 2**63, "the model is too large: at most")
        self.index("transition-system/#branches", 2**63, "the model is too large: at most")
        self.changed(lambda files: files.index["file-data"].update(
            {"tool": "carl", "parameters": {"bounds": {"fuel": 3}}}), "there is a bound on 'fuel', which is no reward")
        self.changed(lambda files: files.index["file-data"].update(
            {"tool": "carl", "parameters": {"bounds": {"time": -3}}}), "must not be negative")

    def test_sizes_that_lie(self):
        for key, path in (("#states", "state-to-choices.bin"), ("#choices", "choice-to-branches.bin"),
                          ("#branches", "branch-to-target.bin")):
            for size in (1, 4, 2**31, 2**32 - 4):
                self.index("transition-system/" + key, size, "bytes, but must have")
            self.array(path, b"", f"{path} has 0 bytes, but must have")
        self.array("annotations/rewards/time/states/values.bin", bytes(8),
                   "annotations/rewards/time/states/values.bin has 8 bytes, but must have 16")
        self.array("branch-to-probability.bin", None, "branch-to-probability.bin is missing")
        self.array("choice-to-branches.bin", None, "choice-to-branches.bin is missing, though it maps 2 to 3")
        # A few bytes that speak of billions of states.
        files = Files(small(), Style())
        files.arrays = {"state-is-initial.bin": files.arrays["state-is-initial.bin"]}
        for key in ("#states", "#choices", "#branches"):
            files.index["transition-system"][key] = 4_000_000_000
        del files.index["transition-system"]["branch-probability-type"]
        self.refuse(files.pack(), "bytes, but must have")
        files.arrays = {}
        self.refuse(files.pack(), "branch-to-target.bin is missing")

    def test_offsets_and_numbers(self):
        def numbers(*values: int) -> bytes:
            return struct.pack(f"<{len(values)}Q", *values)
        for wrong in ((1, 1, 2), (0, 2, 1), (0, 3, 2), (0, 1, 1), (0, 2**63, 2)):
            self.array("state-to-choices.bin", numbers(*wrong),
                       "state-to-choices.bin must begin with 0, never fall, and end with 2")
        self.array("choice-to-branches.bin", numbers(0, 3, 2), "state 0, choice 0: probabilities sum to 2")
        for wrong in ((1, 2, 3), (0, 2, 1), (0, 4, 3), (0, 2, 4), (0, 2**64 - 1, 3)):
            self.array("choice-to-branches.bin", numbers(*wrong),
                       "choice-to-branches.bin must begin with 0, never fall, and end with 3")
        self.array("branch-to-target.bin", numbers(1, 2, 1), "state 0, choice 0: a branch leads to state 2, but there are 2")
        self.array("branch-to-target.bin", numbers(1, 2**63, 1), "a branch leads to state 9223372036854775808")
        self.array("branch-to-probability.bin", struct.pack("<3d", 0.5, 0.4, 1), "state 0, choice 0: probabilities sum to 0.9")
        self.array("branch-to-probability.bin", struct.pack("<3d", 1.5, -0.5, 1), "must be between 0 and 1")
        self.array("branch-to-probability.bin", struct.pack("<3d", float("nan"), 1, 1), "must be between 0 and 1")
        self.array("annotations/rewards/time/states/values.bin", struct.pack("<2d", -1, 0),
                   "state 0, choice 0: the cost is -1, but must not be negative")
        self.array("annotations/rewards/time/states/values.bin", struct.pack("<2d", float("inf"), 0), "must not be above")
        self.array("annotations/rewards/time/states/values.bin", struct.pack("<2d", float("nan"), 0), "is not a number")
        self.array("state-is-initial.bin", numbers(3), "state-is-initial.bin marks 2 states as initial, but one is expected")
        self.array("state-is-initial.bin", numbers(4), "state-is-initial.bin marks 0 states as initial")
        self.array("actions/choices/values.bin", struct.pack("<2I", 0, 1), "there is no choice action 1, only 1")
        for wrong in ((1, 2), (0, 3), (0, 2**63)):
            self.array("actions/choices/string-mapping.bin", numbers(*wrong),
                       "actions/choices/string-mapping.bin must begin with 0, never fall, and end within")
        self.array("actions/choices/string-mapping.bin", numbers(0, 9), "end within")
        self.array("actions/choices/strings.bin", b"\xff\xfe", "the name of choice action 0 is not UTF-8 text")
        def zero(files: Files) -> None:
            files.arrays["branch-to-probability.bin"] = bytes(16 * 3)
        self.changed(zero, "a denominator is 0", style=Style(number={"type": "rational"}))
        self.changed(lambda files: None, "there are several branches without probabilities",
                     style=Style(without_probabilities=True))
        chain = small()
        chain.players = 0
        chain.states[0].append(Choice([Branch(1, Fraction(1))]))
        self.changed(lambda files: None, "state 0: there are 2 choices, but nobody chooses", model=chain)
        forbidden = small()
        forbidden.actions = ["(give-up)"]
        self.changed(lambda files: None, "'(give-up)' cannot be the name of an action", model=forbidden)

    def test_archives(self):
        packed = Files(small(), Style()).pack()
        self.refuse(b"", "cannot be unpacked")
        self.refuse(b"not a tar file" * 100, "cannot be unpacked", "expected is a tar file")
        for length in range(512, len(packed.rstrip(b"\0")), 512):
            self.refuse(packed[:length - 100], "model.umb")
            self.refuse(packed[:length], "model.umb")
        end = len(packed.rstrip(b"\0"))
        self.refuse(packed[:(end + 511) // 512 * 512], "the end of the tar file is missing")
        self.refuse(gzip.compress(packed)[:-30], "cannot be unpacked")
        self.refuse(lzma.compress(packed)[:-30], "cannot be unpacked")
        empty = io.BytesIO()
        with tarfile.open(fileobj=empty, mode="w"):
            pass
        self.refuse(empty.getvalue(), "there is no index.json in it")

    def test_hostile_archives(self):
        def packed(entries: list[tuple[str, bytes]], compression: str = "") -> bytes:
            out = io.BytesIO()
            with tarfile.open(fileobj=out, mode=f"w:{compression}") as tar:
                for path, content in entries:
                    info = tarfile.TarInfo(path)
                    info.size = len(content)
                    tar.addfile(info, io.BytesIO(content))
            return out.getvalue()
        files = Files(small(), Style(leave_out_defaults=False))
        entries = [("index.json", json.dumps(files.index).encode()), *files.arrays.items()]
        self.refuse(packed([*entries, ("state-to-choices.bin", files.arrays["state-to-choices.bin"])]),
                    "there are two files 'state-to-choices.bin' in it")
        # A header that speaks of 2^62 bytes, in the one way in which tar can.
        lying = bytearray(packed(entries))
        at = lying.index(b"state-to-choices.bin")
        lying[at + 124:at + 136] = b"\x80" + (2**62).to_bytes(11, "big")
        lying[at + 148:at + 156] = b" " * 8
        lying[at + 148:at + 156] = b"%06o\0 " % sum(lying[at:at + 512])
        self.refuse(bytes(lying), "state-to-choices.bin has 4611686018427387904 bytes, but must have 24")
        index = bytearray(packed([("index.json", b"{}")]))
        index[124:136] = b"%011o\0" % 2**30
        index[148:156] = b" " * 8
        index[148:156] = b"%06o\0 " % sum(index[:512])
        self.refuse(bytes(index), "index.json has 1073741824 bytes, which is too much")

    def test_a_bomb(self):
        """More than a gigabyte of nothing in a megabyte, which no part of the model is."""
        files = Files(small(), Style(leave_out_defaults=False))
        head = io.BytesIO()
        with tarfile.open(fileobj=head, mode="w") as tar:
            content = json.dumps(files.index).encode()
            info = tarfile.TarInfo("index.json")
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
            at = tar.offset
        bomb = tarfile.TarInfo("bomb.bin")
        bomb.size = 20 * 2**26
        packed = gzip.compress(head.getvalue()[:at] + bomb.tobuf()) + 20 * gzip.compress(bytes(2**26))
        self.assertLess(len(packed), 2_000_000)
        self.refuse(packed, "GB of it are not part of the model")

    def test_a_bomb_that_is_part_of_the_model(self):
        """The header says that an array has all the memory of this machine and more, and the index agrees."""
        states = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 8 + 10**6
        if states > 4_000_000_000:
            self.skipTest("this machine has more memory than a model can have states")
        files = Files(small(), Style(leave_out_defaults=False))
        files.index["transition-system"]["#states"] = states
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
            content = json.dumps(files.index).encode()
            info = tarfile.TarInfo("index.json")
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
            info = tarfile.TarInfo("state-to-choices.bin")
            info.size = (states + 1) * 8
            out.write(info.tobuf(tarfile.GNU_FORMAT))
            out.write(bytes(4096))
        self.refuse(gzip.compress(out.getvalue()), "GB, for which this machine has no memory")


class CommandLine(unittest.TestCase):
    maxDiff = None

    def test_the_grid_is_that_of_the_benchmarks(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        for size in ("2", "3", "7"):
            script = subprocess.run([sys.executable, str(root / "benchmarks/model"), "grid", size],
                                    capture_output=True, check=True, timeout=60)
            theirs, ours = json.loads(script.stdout), json.loads(carl("generate", "grid", size).stdout)
            for key in ("costs", "bounds"):
                self.assertEqual(theirs[key], ours[key])
            self.assertEqual(str(theirs["initial"]), ours["initial"])
            self.assertEqual([str(goal) for goal in theirs["goals"]], ours["goals"])

            def actions(document: dict[str, Any]) -> dict:
                return {(str(a["state"]), a["name"]): (a["cost"], {s: p for s, p in a["outcomes"].items()})
                        for a in document["actions"]}
            self.assertEqual(actions(theirs), actions(ours))

    def test_what_does_not_go_together(self):
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder, "model.json")
            model.write_text(json.dumps({"format": "cssp", "version": 1, "costs": ["time"], "initial": "s", "goals": ["g"],
                                         "actions": [{"state": "s", "name": "go", "cost": [1], "outcomes": {"g": 1}}]}))
            for said, arguments in (
                    ("--compression gzip: only UMB files are compressed",
                     ("convert", str(model), "-o", f"{folder}/x.json", "--compression", "gzip")),
                    ("--compression xz: only UMB files are compressed",
                     ("generate", "grid", "3", "--compression", "xz")),
                    ("--domain: 'grid' is no PPDDL domain", ("generate", "grid", "3", "--domain", f"{folder}/d.pddl")),
                    ("'sar' is written as PPDDL", ("generate", "sar", "--format", "umb")),
                    ("model.json' has no labels, its goals are written in it", ("solve", str(model), "--goal", "g")),
                    ("parameter 'n' of 'grid' is given twice", ("generate", "grid", "3", "--param", "n=4")),
                    ("must be a whole number from 2 to 23000", ("generate", "grid", "1")),
                    ("gives more than 500 million states", ("generate", "queues", "6")),
                    ("cannot tell the format of", ("convert", str(model), "-o", f"{folder}/x.what"))):
                with self.subTest(said=said):
                    done = carl(*arguments)
                    self.assertEqual(done.returncode, 2)
                    self.assertIn(said, done.stderr.decode())

    def test_files_of_prism_are_found_beside_each_other(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("x.tra", "2 3\n0 0 0.5\n0 1 0.5\n1 1 1\n"), ("x.lab", '0="init" 1="goal"\n0: 0\n1: 1\n'),
                               ("x1.srew", "2 1\n0 1\n"), ("x2.srew", "2 1\n0 5\n"), ("x2.trew", "2 1\n0 1 4\n"),
                               ("x4.srew", "2 1\n0 9\n")):
                pathlib.Path(folder, name).write_text(text)
            document = json.loads(carl("convert", f"{folder}/x.tra", "-o", "-", "--format", "json").stdout)
            self.assertEqual(document["costs"], ["reward1", "reward2"])
            self.assertEqual(document["actions"][0]["cost"], [1, 7])

    def test_a_policy_is_a_chain(self):
        """Its costs, by fixpoint iteration over what is written."""
        with tempfile.TemporaryDirectory() as folder:
            umb, policy, chain = (f"{folder}/{name}" for name in ("m.umb", "p.json", "c.drn"))
            carl("generate", "grid", "5", "-o", umb)
            solved = json.loads(carl("solve", umb, "--json", "-", "--quiet", "--policy", policy).stdout)
            self.assertEqual(carl("convert", umb, policy, "-o", chain).stderr.decode(), "")
            costs = chain_costs(pathlib.Path(chain).read_text())
            for name, cost in zip(("time", "fuel", "risk"), costs, strict=True):
                self.assertAlmostEqual(cost, solved["costs"][name], delta=1e-6)


def chain_costs(text: str) -> list[float]:
    """Expected rewards until `goal` from `init`, of a chain in DRN."""
    rewards, goal, rows, initial = [], [], [], 0
    for line in text[text.index("@model"):].splitlines()[1:]:
        words = line.replace("[", " ").replace("]", " ").replace(",", " ").split()
        if words[0] == "state":
            rewards.append([float(word) for word in words[2:5]])
            goal.append("goal" in words)
            initial = len(goal) - 1 if "init" in words else initial
            rows.append([])
        elif words[0] != "action":
            rows[-1].append((int(words[0]), float(words[2])))
    values = [[0.0] * 3 for _ in rows]
    for _ in range(5000):
        values = [[0.0] * 3 if goal[s] else [rewards[s][i] + sum(p * values[t][i] for t, p in rows[s]) for i in range(3)]
                  for s in range(len(rows))]
    return values[initial]


if __name__ == "__main__":
    unittest.main()
