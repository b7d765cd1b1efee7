"""The checks of documents_test.py can fail: a document with every kind of mistake in turn."""
from __future__ import annotations

import pathlib
import tempfile
import unittest

import markdown
import sessions
from documents_test import (PLANNER, SOURCE, faults_of_blocks, faults_of_links,
                            faults_of_sessions)


def console(*lines: str) -> str:
    return "```console\n" + "".join(line + "\n" for line in lines) + "```\n"


class SessionTest(unittest.TestCase):
    def faults(self, text: str) -> list[str]:
        return faults_of_sessions(text, SOURCE, PLANNER)

    def test_right_output(self) -> None:
        self.assertEqual(self.faults(console("$ echo one; echo two", "one", "two")), [])

    def test_wrong_output(self) -> None:
        for shown in ("one", "one two three", "two one", "one twos", ""):
            with self.subTest(shown):
                text = console("$ echo one; echo two", *shown.split())
                self.assertEqual(len(self.faults(text)), 1)

    def test_left_out_lines(self) -> None:
        self.assertEqual(self.faults(console("$ seq 9", "1", "…", "8", "9")), [])
        self.assertEqual(len(self.faults(console("$ seq 9", "1", "…", "8"))), 1)
        self.assertEqual(len(self.faults(console("$ seq 9", "1", "…", "7", "9"))), 1)

    def test_a_planner_that_says_something_else(self) -> None:
        model = "examples/coordinate-search/model.json"
        right = ["Optimal: time = 4", "…"]
        self.assertEqual(self.faults(console(f"$ carl solve {model}", *right)), [])
        self.assertEqual(len(self.faults(console(f"$ carl solve {model} --bound fuel=16", *right))),
                         1)

    def test_unknown_command_and_missing_file(self) -> None:
        shown = "bash: line 1: crl: command not found"
        self.assertEqual(len(self.faults(console("$ crl solve", shown))), 1)
        self.assertEqual(len(self.faults(console("$ carl info no-such.json"))), 1)

    def test_no_planner(self) -> None:
        with self.assertRaises(FileNotFoundError):
            faults_of_sessions(console("$ true"), SOURCE, SOURCE / "no-such-planner")

    def test_shell_goes_on_from_block_to_block(self) -> None:
        text = console("$ cd examples") + "words\n" + console("$ ls -d user-model", "user-model",
                                                             "$ false", "$ echo $?", "1")
        self.assertEqual(self.faults(text), [])

    def test_typed_files(self) -> None:
        text = "<!-- file: note.txt -->\n```\na 'quoted' $word\n```\n"
        self.assertEqual(self.faults(text + console("$ cat note.txt", "a 'quoted' $word")), [])
        self.assertEqual(len(self.faults(text + console("$ cat note.txt", "other"))), 1)

    def test_blocks_that_are_not_run(self) -> None:
        self.assertEqual(self.faults("<!-- not run: why -->\n" + console("$ false", "nothing")), [])

    def test_continued_command(self) -> None:
        self.assertEqual(self.faults(console("$ echo a \\", "    b", "a b")), [])

    def test_numbers_that_vary(self) -> None:
        for a, b in [("0.00 s; peak memory 9.7 MB", "1.25 s; peak memory 10 MB"),
                     ("at 4.69e+06 state-actions/s", "at 1e+07 state-actions/s"),
                     ('"total": 0.25', '"total": 3e-05'),
                     ("0.6000000000085962", "0.6000000000085111")]:
            self.assertTrue(sessions.agree([a], [b]), a)
        for a, b in [("time = 40.3", "time = 40.4"), ("64 states", "65 states"),
                     ("0.6000000000085962", "0.6000020000085962"), ("1.5 s", "1.5"),
                     ('"objective": 0.25', '"objective": 3e-05')]:
            self.assertFalse(sessions.agree([a], [b]), a)


class BlockTest(unittest.TestCase):
    def faults(self, text: str) -> list[str]:
        return faults_of_blocks(text, SOURCE)

    def test_excerpts(self) -> None:
        mark = "<!-- from: examples/getting-to-work/problem.pddl -->\n"
        self.assertEqual(self.faults(mark + "```lisp\n(:init (at-home))\n```\n"), [])
        self.assertEqual(self.faults(mark + "```lisp\n(:init\n…\n(at-work)\n```\n"), [])
        self.assertEqual(len(self.faults(mark + "```lisp\n(:init (at-work))\n```\n")), 1)

    def test_json(self) -> None:
        self.assertEqual(self.faults("```json\n{\"a\": 1}\n```\n"), [])
        self.assertEqual(len(self.faults("```json\n{\"a\": 1,}\n```\n")), 1)

    def test_commands_that_nobody_runs(self) -> None:
        self.assertEqual(len(self.faults("```\ncarl solve model.json\n```\n")), 1)
        self.assertEqual(len(self.faults("```sh\nls\n```\n")), 1)
        self.assertEqual(self.faults("<!-- not run: long -->\n```sh\nls\n```\n"), [])
        self.assertEqual(self.faults("```\nrepeat\n  solve the LP\n```\n"), [])

    def test_unclosed(self) -> None:
        with self.assertRaises(markdown.Unclosed):
            self.faults("```\nls\n")


class LinkTest(unittest.TestCase):
    def faults(self, text: str) -> int:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.md"
            (pathlib.Path(folder) / "other.md").write_text("# One two, three\n")
            path.write_text(text)
            return len(faults_of_links(path))

    def test_links(self) -> None:
        self.assertEqual(self.faults("[a](other.md) [b](other.md#one-two-three)"), 0)
        self.assertEqual(self.faults("[c](https://x.y/z)"), 0)
        self.assertEqual(self.faults("# Here\n[a](#here)"), 0)
        self.assertEqual(self.faults("[a](another.md)"), 1)
        self.assertEqual(self.faults("[a](other.md#two) [b](#nowhere)"), 2)
        self.assertEqual(self.faults('<a href="gone.md"><img src="gone.png"></a>'), 2)
        self.assertEqual(self.faults("```\n[a](another.md)\n```"), 0)


if __name__ == "__main__":
    unittest.main()
