#!/usr/bin/env python3
"""What cannot be asked, and what is wrong: each with its place, the reason and, where possible, what to write."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

CARL = sys.argv.pop(1)

MODEL = {"format": "cssp", "version": 1, "costs": ["time", "fuel", "c0", "c1", "c2", "c3", "c4"], "initial": "s",
         "labels": {"done": ["t"], "safe": ["s"]},
         "actions": [{"state": "s", "name": "go", "cost": [1, 2, 0, 0, 0, 0, 0.5], "outcomes": {"t": 0.5, "s": 0.5}}]}

# A property, the column that the message points at, and a part of the message.
PROPERTIES = [
    ("", None, ": there is no property in it"),
    ("Xmax=? [F true]", 1, "expected P or R but found 'Xmax'"),
    ('P=? [F "done"]', 2, "it depends on the policy, so there is no single value"),
    ('P [F "done"]', 3, "expected min=?, max=? or a bound but found '['"),
    ('Pmax? [F "done"]', 5, "expected '=' and '?' but found '?'"),
    ('P>=0.5 [F "done"]', 1, "a bound on its own asks whether it holds for every policy"),
    ('P>=0.5 [F "done"]', 1, 'write multi(P>=0.5 [F "done"]) to ask for a policy that meets it'),
    ('Pmax=? [F "done"] & Pmin=? [F "done"]', 19, "properties cannot be combined by operators"),
    ('S>=0.5 ["done"]', 1, "long-run averages (S) are no question of total costs"),
    ("R{\"time\"}min=? [S]", 17, "long-run averages (S) are no question of total costs"),
    ('A [F "done"]', 1, "'A' is not about probabilities or rewards"),
    ('filter(min, Pmax=? [F "done"], "safe")', 1, "filters are not supported"),
    ('R{"time"}max=? [F "done"]', 1, "a reward cannot be maximised: it may grow for ever"),
    ('multi(R{"time"}>=3 [C])', 7, "a reward cannot be bounded from below: it may grow for ever"),
    ('Pmax=? [X "done"]', 9, "X is not supported"),
    ("R{\"time\"}min=? [I=3]", 17, "rewards at one point in time (I) are no totals"),
    ('Pmax=? ["done"]', 9, "this is about the initial state alone, not about what follows"),
    ('R{"time"}min=? [G "done"]', 17, "rewards are counted until a target (F) or in total (C)"),
    ('R{"time"}min=? [F<=3 "done"]', 17, "rewards until a target have no limit"),
    ("Pmax=? [C]", 9, "C is about rewards"),
    ('R{"time"}min=? [C{"fuel"}<=3]', 17, "rewards in total may have a limit on steps only"),
    ('Pmax=? [F{fuel}<=3 "done"]', 11, "expected the name of a reward in quotes but found 'fuel'"),
    ('Pmax=? [F{"fuel"} "done"]', 19, "expected '<=' after the reward that is limited"),
    ('Pmax=? [F{"money"}<=3 "done"]', 10, 'there is no reward named "money"'),
    ("multi(" + ", ".join(f'P<=0.5 [F{{"c{k}"}}<=3 "done"]' for k in range(5)) + ")", 1,
     "there are limits on more than 4 things"),
    ('Pmax=? [F>=3 "done"]', 10, "only upper limits are supported"),
    ('Pmax=? [F[1,3] "done"]', 10, "only upper limits are supported"),
    ('Pmax=? [F "done" & P>=0.5 [F "safe"]]', 20, "P, R and S cannot be nested in each other"),
    ('Pmax=? [G F "done"]', 11, "'F' cannot be nested: of temporal logic there are F φ, G φ and φ1 U φ2 with φ about states"),
    ('Pmax=? [F ("safe" U "done")]', 19, "'U' cannot be nested"),
    ('Pmax=? [F "done"', 17, "expected ']' after the formula but found the end of the text"),
    ('Pmax=? F "done"', 8, "expected '[' after what is asked but found 'F'"),
    ('multi(Pmax=? [F "done"]', 24, "expected ')' after the parts of multi"),
    ('Pmax=? [F "dome"]', 11, "there is no label named 'dome'"),
    ("Pmax=? [F x=3]", 11, "x"),
    ('multi(P>=1.5 [F "done"])', 10, "1.5 is not a probability"),
    ('multi(R{"time"}<=-1 [C])', 18, "the bound is -1, but rewards are 0 or more"),
    ('multi(P>="done" [F "done"])', 10, "the bound"),
    ('R{"money"}min=? [C]', 3, 'there is no reward named "money"'),
    ("R{8}min=? [C]", 3, "there is no reward 8: they are numbered from 1 to 7"),
    ('Pmax=? [F<=-1 "done"]', 12, "the limit must be 0 or more and at most 1000000000"),
    ('Pmax=? [F<0 "done"]', 11, "the limit must be 0 or more and at most 1000000000"),
    ("multi(" + ", ".join(['P<=0.5 [F "done"]'] * 32) + ")", 1, "there are more than 31 parts"),
    ("multi(" + ", ".join(f'P<=0.5 [F<={k} "done"]' for k in range(17)) + ")", 1,
     "there are more than 16 different formulas"),
    ("Pmax=? [F $]", 11, "'$' has no meaning in PRISM's language"),
]

# A file of properties, further options, the line and column, and a part of the message.
FILES = [
    ('const int k;\nPmax=? [F<=k "done"];', [], (1, 1), "the constant 'k' has no value"),
    ('const int k=3;\nPmax=? [F<=k "done"];', ["--const", "k=4"], (1, 1),
     "the constant 'k' has a value here and is given another one"),
    ('const int k;\nPmax=? [F<=k "done"];', ["--const", "k=4 5"], None, "expected the end of the value but found '5'"),
    ("const int k=1;\nconst int k=2;\nPmax=? [F true];", [], (2, 1), "the name 'k' is taken already"),
    ("const int = 3;", [], (1, 11), "expected the constant but found '='"),
    ('label "done" = true;\nPmax=? [F true];', [], (1, 1), 'there is a label named "done" already'),
    ("label done = true;", [], (1, 7), "expected the name of a label in quotes but found 'done'"),
    ('label "x" true;', [], (1, 11), "expected '=' after the name of the label"),
    ('"a": Pmax=? [F true];\n"b": Pmin=? [F true];', [], (2, 6), 
     "there are several properties, and it is not said which one is asked"),
    ('"a": Pmax=? [F true];', ["--property-name", "c"], None, "there is no property named 'c'"),
]


class Errors(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.model = pathlib.Path(folder.name) / "model.json"
        self.file = pathlib.Path(folder.name) / "questions.props"
        self.model.write_text(json.dumps(MODEL), encoding="utf-8")

    def carl(self, *arguments, command="solve"):
        return subprocess.run([CARL, command, self.model, *map(str, arguments)], capture_output=True, text=True,
                              check=False)

    def expect(self, message, *arguments, command="solve"):
        result = self.carl(*arguments, command=command)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertIn(message, result.stderr)
        return result.stderr

    def test_properties(self):
        for text, column, message in PROPERTIES:
            with self.subTest(text=text):
                if not text:
                    self.file.write_text("// nothing\n", encoding="utf-8")
                    self.expect(message, "--properties", self.file)
                    continue
                said = self.expect(message, "--property", text)
                self.assertIn(f"--property:1:{column}: error: ", said)

    def test_files(self):
        for text, options, place, message in FILES:
            with self.subTest(text=text):
                self.file.write_text(text, encoding="utf-8")
                said = self.expect(message, "--properties", self.file, *options)
                if place is not None:
                    self.assertIn(f"questions.props:{place[0]}:{place[1]}: error: ", said)

    def test_options(self):
        self.expect("--property is one property, --properties a file of them: give one of both", "--property",
                    "Pmax=? [F true]", "--properties", self.file)
        self.expect("--const: an explicit model has no constants", "--const", "k=3")
        self.expect("--property-name goes with --properties FILE", "--property-name", "a")
        self.expect("a property says itself what is asked: --goal, --give-up and --goal-probability do not go with it",
                    "--property", "Pmax=? [F true]", "--give-up", "time=3")
        self.expect("--const k: expected NAME=VALUE", "--property", "Pmax=? [F true]", "--const", "k")
        self.expect("the property asks for a trade-off, not for one policy", "--property",
                    'multi(Pmax=? [F "done"], R{"fuel"}min=? [C])')
        self.expect("the property does not ask for two things at once", "--property", "Pmax=? [F true]",
                    command="pareto")
        self.expect("--costs is missing", command="pareto")
        self.expect("--const: there is no constant named 'k'", "--property", "Pmax=? [F true]", "--const", "k=3")
        self.expect("limits on rewards count in whole numbers, but 'go' has 0.5 of \"c4\" in s", "--property",
                    'Pmax=? [F{"c4"}<=3 "done"]')

    def test_labels(self):
        for labels, message in [({"x": ["u"]}, "the state 'u' occurs in no action and is no goal"),
                                ({"": ["t"]}, "the name of a label is empty")]:
            self.model.write_text(json.dumps({**MODEL, "labels": labels}), encoding="utf-8")
            self.expect(message)
        text = json.dumps(MODEL).replace('"safe"', '"done"')
        self.model.write_text(text, encoding="utf-8")
        self.expect("this key is repeated")


if __name__ == "__main__":
    unittest.main()
