"""The help fits a screen of 80 columns, and completions and manual pages say the same as it.

Usage: help_test.py CARL MANUAL-FOLDER
"""

import os
import pty
import re
import shutil
import subprocess
import sys
import unittest

CARL, MANUAL = sys.argv[1], sys.argv[2]


def carl(*arguments, **options):
    return subprocess.run(
        [CARL, *arguments], capture_output=True, text=True, check=True, **options
    ).stdout


def commands():
    section = re.search(r"Commands:\n(.*?)\n\n", carl("help"), re.DOTALL)[1]
    return re.findall(r"^  ([a-z]+) ", section, re.MULTILINE)


def options_of(text):
    """The long names in the column of options."""
    return set(re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", text, re.MULTILINE))


def on_terminal(*arguments, **variables):
    """What is printed where standard output is a terminal."""
    parent, child = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", **variables}
    if "NO_COLOR" not in variables:
        environment.pop("NO_COLOR", None)
    process = subprocess.Popen([CARL, *arguments], stdout=child, stderr=child, env=environment)
    os.close(child)
    text = b""
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
    process.wait()
    os.close(parent)
    return text.decode()


class Help(unittest.TestCase):
    def test_fits_eighty_columns(self):
        for name in ["", *commands()]:
            for line in carl("help", *([name] if name else [])).splitlines():
                self.assertLessEqual(len(line), 80, f"carl help {name}: {line}")
                self.assertEqual(line, line.rstrip())

    def test_columns_are_aligned(self):
        for name in commands():
            for line in carl("help", name).splitlines():
                # What an option does begins in one column, beside it or below.
                entry = re.match(r"  (?:-\w, |    )--\S+(?: \S+)?  +(\S)", line)
                if entry:
                    self.assertEqual(entry.start(1), 28, line)

    def test_values_have_names_of_sense(self):
        for name in commands():
            for word in ("TEXT:", "FLOAT", "UINT", "INT in", "POSITIVE"):
                self.assertNotIn(word, carl("help", name))
            for value in re.findall(r"--[a-z-]+ ([A-Z]+)\b", carl("help", name)):
                self.assertNotEqual(value, "VALUE", f"carl help {name}")

    def test_alone_it_shows_the_help(self):
        self.assertEqual(carl(), carl("--help"))
        self.assertEqual(carl("help"), carl("-h"))

    def test_version(self):
        self.assertRegex(carl("-V"), r"^carl \d+\.\d+\.\d+\n$")
        self.assertEqual(carl("-V"), carl("--version"))

    def test_colours_only_where_they_are_wanted(self):
        self.assertNotIn("\033", carl("help"))
        self.assertIn("\033[1mCommands:\033[0m", on_terminal("help"))
        self.assertNotIn("\033", on_terminal("help", NO_COLOR="1"))
        self.assertNotIn("\033", on_terminal("help", TERM="dumb"))
        self.assertIn("\033[1;31merror:\033[0m", on_terminal("fly"))
        self.assertNotIn("\033", on_terminal("fly", NO_COLOR="1"))


class Agreement(unittest.TestCase):
    def read(self, name):
        with open(os.path.join(MANUAL, name), encoding="utf-8") as file:
            return file.read()

    def test_completions_have_every_option(self):
        bash, zsh, fish = (self.read(name) for name in ("carl.bash", "_carl", "carl.fish"))
        for name in commands():
            listed = options_of(carl("help", name))
            self.assertIn("--help", listed)
            in_bash = re.search(rf"^    {name}\) echo '(.*)' ;;$", bash, re.MULTILINE)[1]
            self.assertEqual(set(in_bash.split()), listed, name)
            block = re.search(rf"^    {name}\)\n(.*?)^      ;;", zsh, re.DOTALL | re.MULTILINE)[1]
            in_zsh = re.findall(r"^ +'\*?\(?(--[a-z-]+)", block, re.MULTILINE)
            self.assertEqual(set(in_zsh), listed, name)
            of_command = f"__fish_seen_subcommand_from {name}'"
            in_fish = [f"--{option}" for line in fish.splitlines() if of_command in line
                       for option in re.findall(r" -l (\S+)", line)]
            self.assertEqual(set(in_fish), listed, name)

    def test_manual_pages_have_every_option_and_no_fault(self):
        self.assertIn("carl\\-solve", self.read("man1/carl.1"))
        for name in ["", *commands()]:
            page = os.path.join(MANUAL, "man1", f"carl-{name}.1" if name else "carl.1")
            if shutil.which("groff"):
                run = subprocess.run(
                    ["groff", "-man", "-ww", "-k", "-Tutf8", "-P-cbou", page],
                    capture_output=True, text=True, check=True,
                )
                self.assertEqual(run.stderr, "", page)
                shown = run.stdout.replace("\u2010\n", "")
                for option in options_of(carl("help", name)) if name else ["solve"]:
                    self.assertIn(option, shown, page)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
