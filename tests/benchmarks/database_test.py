"""Whatever happens to the file of results, whole records are never lost."""
from __future__ import annotations

import contextlib
import io
import os
import pathlib
import unittest

from support import HarnessTest

from harness import database


def record(number: int) -> database.Record:
    return {"key": f"key {number}", "value": "λ" * number}


def keys(path: pathlib.Path) -> list[str]:
    return [r["key"] for r in database.read(path)]


class DatabaseTest(HarnessTest):
    def write(self, *numbers: int) -> None:
        with database.Writer(self.results) as writer:
            for number in numbers:
                writer.append(record(number))

    def test_reads_what_it_wrote(self) -> None:
        self.assertEqual(keys(self.results), [])
        self.write(1, 2)
        self.write(3)
        self.assertEqual(list(database.read(self.results)), [record(n) for n in (1, 2, 3)])

    def test_a_write_torn_anywhere_loses_that_record_only(self) -> None:
        self.write(1, 2)
        content = self.results.read_bytes()
        first = content.index(b"\n") + 1
        for end in range(first, len(content)):
            self.results.write_bytes(content[:end])
            with contextlib.redirect_stderr(io.StringIO()) as complaints:
                # A record that lacks nothing but its newline is as good as whole to a reader.
                self.assertIn(keys(self.results), (["key 1"], ["key 1", "key 2"]), end)
                self.write(3)
                self.assertEqual(keys(self.results), ["key 1", "key 3"], end)
            self.assertEqual(complaints.getvalue(), "")

    def test_a_damaged_line_is_skipped_and_reported(self) -> None:
        self.write(1)
        with open(self.results, "ab") as file:
            file.write(b"\0\0\0\n[]\n")
        self.write(2)
        with contextlib.redirect_stderr(io.StringIO()) as complaints:
            self.assertEqual(keys(self.results), ["key 1", "key 2"])
        self.assertIn("results.jsonl:2: not a result, skipped", complaints.getvalue())
        self.assertIn("results.jsonl:3: not a result, skipped", complaints.getvalue())

    def test_the_last_record_of_a_key_counts(self) -> None:
        self.write(1, 2)
        with database.Writer(self.results) as writer:
            writer.append({"key": "key 1", "value": "new"})
        self.assertEqual(database.latest(self.results)["key 1"]["value"], "new")

    def test_one_writer_at_a_time(self) -> None:
        with database.Writer(self.results):
            with self.assertRaisesRegex(database.DatabaseBusy, "another run is writing"):
                database.Writer(self.results)
        self.write(1)

    def test_the_lock_goes_with_its_holder(self) -> None:
        child = os.fork()
        if child == 0:
            database.Writer(self.results).append(record(1))
            os.kill(os.getpid(), 9)
        os.waitpid(child, 0)
        self.write(2)
        self.assertEqual(keys(self.results), ["key 1", "key 2"])


if __name__ == "__main__":
    unittest.main()
