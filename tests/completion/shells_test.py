"""Presses TAB in the shells themselves, on a terminal that is none.

Usage: shells_test.py MANUAL-FOLDER
"""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

MANUAL = os.path.abspath(sys.argv[1])
FAILURE_SECONDS = 30  # only to end what hangs


class Terminal:
    """A shell that believes that somebody is typing."""

    def __init__(self, command, folder):
        self.parent, child = pty.openpty()
        environment = {
            "PATH": os.environ["PATH"], "TERM": "dumb", "HOME": folder, "LC_ALL": "C.UTF-8",
        }
        self.process = subprocess.Popen(
            command, stdin=child, stdout=child, stderr=child, cwd=folder, env=environment,
            start_new_session=True,
        )
        os.close(child)
        self.seen = ""

    def type(self, text):
        os.write(self.parent, text.encode())

    def wait_for(self, pattern):
        end = time.monotonic() + FAILURE_SECONDS
        while not re.search(pattern, self.seen):
            ready, _, _ = select.select([self.parent], [], [], 0.2)
            if ready:
                self.seen += os.read(self.parent, 65536).decode(errors="replace")
            if time.monotonic() > end:
                raise AssertionError(f"no {pattern!r} in {self.seen!r}")
        found = re.search(pattern, self.seen)
        self.seen = ""
        return found

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.parent)


class Shells(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        for name in ("model.json", "problem.pddl"):
            open(os.path.join(self.folder, name), "w").close()
        self.addCleanup(shutil.rmtree, self.folder)

    def press(self, command, prepare, expected):
        """Types beginnings, presses TAB, and looks at what has become of them: `echo` shows the
        words as the shell got them."""
        terminal = Terminal(command, self.folder)
        self.addCleanup(terminal.close)
        terminal.type(f"{prepare}; echo rea''dy\n")
        terminal.wait_for("ready")
        for typed, completed in expected.items():
            # Ctrl-A goes to the beginning of the line.
            terminal.type(f"{typed}\t")
            time.sleep(0.2)  # a completion in the middle of which more is typed is another one
            terminal.type("\001echo '<' \005 '>'\n")
            terminal.wait_for(re.escape(f"< {completed}") + r" *>")

    expected = {
        "carl sol": "carl solve",
        "carl solve --algo": "carl solve --algorithm",
        "carl solve --algorithm i2": "carl solve --algorithm i2-dual",
        "carl solve --progress al": "carl solve --progress always",
        "carl solve mod": "carl solve model.json",
        "carl convert model.json --outp": "carl convert model.json --output",
        "carl generate ele": "carl generate elevators",
        "carl help swe": "carl help sweep",
        "carl completion fi": "carl completion fish",
    }

    def test_bash(self):
        script = os.path.join(MANUAL, "carl.bash")
        self.press(["bash", "--norc", "--noprofile", "-i"], f"source {script}", self.expected)

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh")
    def test_zsh(self):
        prepare = f"fpath=({MANUAL} $fpath); autoload -U compinit; compinit -u -D; bindkey -e"
        self.press(["zsh", "-f", "-i"], prepare, self.expected)

    @unittest.skipUnless(shutil.which("fish"), "there is no fish")
    def test_fish(self):
        def offered(line):
            script = f"source {MANUAL}/carl.fish; complete -C '{line}'"
            environment = {**os.environ, "HOME": self.folder}
            run = subprocess.run(
                ["fish", "--no-config", "-c", script], capture_output=True, text=True, check=True,
                cwd=self.folder, env=environment,
            )
            return [row.split("\t")[0] for row in run.stdout.splitlines()]

        for typed, completed in self.expected.items():
            self.assertIn(completed.split()[-1], offered(typed), typed)
        self.assertEqual(offered("carl solve --algorithm i2"), ["i2-dual"])
        self.assertEqual(offered("carl solve --time-limit "), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
