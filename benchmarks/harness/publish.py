"""The command line of benchmarks/publish."""
from __future__ import annotations

import argparse
import pathlib
import sys
from typing import Sequence

from . import kept, published, verdict
from .instances import SOURCE


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="benchmarks/publish",
        description="Adds new runs of the paper's experiments to those kept in the repository, "
                    f"{kept.FILE.relative_to(SOURCE)}, and makes the tables of "
                    f"{' and '.join(published.PAGES)} anew.",
        epilog="exit status: 0 all well; 1 a wrong answer among the runs, or with --check a page "
               "that is out of date; 2 bad usage")
    parser.add_argument("--results", type=pathlib.Path, metavar="DIR",
                        default=SOURCE / "build/benchmarks",
                        help="where benchmarks/run has put new ones [%(default)s]")
    parser.add_argument("--replace", action="store_true",
                        help="in place of those of another planner with the same limits")
    parser.add_argument("--check", action="store_true",
                        help="change nothing, only say which pages are out of date")
    arguments = parser.parse_args(argv)
    if not arguments.check:
        try:
            print(f"{kept.keep(arguments.results, replace=arguments.replace)} new runs")
        except kept.KeptError as error:
            print(f"benchmarks/publish: {error}", file=sys.stderr)
            return 2
    records = kept.read()
    wrong = verdict.check(records)
    for sentence in wrong:
        print(f"WRONG ANSWER: {sentence}", file=sys.stderr)
    old = [path for path, text in published.pages(records).items()
           if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in old:
        print(f"{path.relative_to(SOURCE)}{': out of date' if arguments.check else ''}")
    if not arguments.check:
        published.write(records)
    return 1 if wrong or (arguments.check and old) else 0
