"""What the commands write about a PRISM model, other commands read: usage: commands_test.py CARL ROVER.prism"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

CARL, ROVER = sys.argv[1:3]
QUESTION = [ROVER, "--goal", "home", "--minimise", "time", "--bound", "energy=26", "--bound", "lost=6"]


def carl(*arguments, text=None):
    return subprocess.run([CARL, *arguments], input=text, capture_output=True, text=True, check=False)


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.policy, self.result, self.proof, self.explicit = (
            str(self.folder / name) for name in ("policy.json", "result.json", "proof.json", "explicit.json")
        )
        done = carl("solve", *QUESTION, "--quiet", "--json", self.result, "--policy", self.policy,
                    "--policy-all", "--certificate", self.proof)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_policy_is_checked_and_simulated(self):
        self.assertIn("The policy holds", carl("check", QUESTION[0], self.policy, *QUESTION[1:]).stdout)
        self.assertIn("10,000 runs", carl("simulate", QUESTION[0], self.policy, *QUESTION[1:]).stdout)

    def test_certificate_is_verified(self):
        self.assertIn("Certified", carl("check", *QUESTION, "--certificate", self.proof).stdout)

    def test_policy_is_acted_on(self):
        states = 'arrived=false dusty=false sampled=false site=0\n' \
                 '["arrived=false","dusty=true","sampled=false","site=5"]\narrived=maybe\n'
        acted = carl("act", self.policy, text=states)
        self.assertIn(acted.stdout.splitlines()[0], ("fast", "slow"))
        self.assertEqual(acted.stdout.splitlines()[1], "goal")
        self.assertIn("the policy knows no fact arrived=maybe", acted.stdout + acted.stderr)

    def test_states_are_explained(self):
        said = carl("explain", QUESTION[0], self.result, "arrived=true dusty=false sampled=false site=2", *QUESTION[1:])
        self.assertIn("sample", said.stdout)

    def test_converted_model_has_the_same_optimum(self):
        self.assertEqual(carl("convert", *QUESTION[:5], "-o", self.explicit).returncode, 0)
        other = str(self.folder / "other.json")
        carl("solve", self.explicit, *QUESTION[5:], "--quiet", "--json", other)
        costs = [json.loads(pathlib.Path(path).read_text())["costs"]["time"] for path in (self.result, other)]
        self.assertAlmostEqual(*costs, places=4)

    def test_constants(self):
        model = self.folder / "open.prism"
        model.write_text("mdp const int N; module m x : [0..N]; [] x<N -> (x'=x+1); endmodule label \"goal\" = x=N;")
        self.assertIn("Optimal: steps = 7", carl("solve", str(model), "--const", "N=7").stdout)
        self.assertIn("hint: give the value by --const N=...", carl("solve", str(model)).stderr)
        self.assertIn("--const N: expected NAME=VALUE", carl("solve", str(model), "--const", "N").stderr)
        self.assertIn("no state is a goal", carl("solve", ROVER).stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
