"""The paper's claims, one by one, held against our runs: its figure, ours, and whether that is the
same. A claim is judged only when all the rows and planners that it is about have been run; until
then its figure is that of the rows there are.

A planner that ends with the optimum without being able to certify it has solved the problem in the
sense of the paper, which says so of CARL with C-ROC; in the tables such runs are "open".
"""
from __future__ import annotations

import enum
import statistics
from dataclasses import dataclass, replace
from typing import Callable, Iterable, Sequence

from . import estimate, lambda_search, paper
from .aggregate import FEW, WORTH_COMPARING, Cell, best, cells, ended_open, multiple, solved
from .configurations import CONFIGURATIONS, LAMBDA_PAIRS, MAIN_TABLE, OF_LAMBDA_PAIRS
from .database import Record
from .document import Table
from .experiment import EXPERIMENTS, wanted_of
from .instances import PAPER_ROWS, Row
from .stuck import got_stuck
from .verdict import GAP

CARL = ("carl-paper-roc", "carl-paper-lmcut")
I_DUAL = ("i-dual-c-roc", "i-dual")
BASELINES = (*I_DUAL, "i2-dual")


class Verdict(enum.Enum):
    YES = "reproduced"
    PARTLY = "in part"
    NO = "**not reproduced**"
    OPEN = "not run in full"


@dataclass(frozen=True)
class Claim:
    claim: str
    paper: str
    ours: str
    verdict: Verdict


def rows_of(domain: str, **parameters: Callable[[float], bool]) -> list[Row]:
    """The paper's rows of a domain whose parameters are as wanted."""
    return [row for row in PAPER_ROWS if row.domain == domain
            and all(test(float(dict(row.parameters)[name])) for name, test in parameters.items())]


def believed(records: Sequence[Record]) -> list[Record]:
    """With the runs that ended with the optimum, which another planner has certified, as solved."""
    optima: dict[str, float] = {r["problem"]: r["objective"] for r in records
                                if r["status"] == "optimal"}

    def right(record: Record) -> bool:
        optimum = optima.get(record["problem"])
        return (optimum is not None and ended_open(record)
                and record["objective"] - optimum <= 2 * GAP * max(1.0, abs(optimum)))

    return [r | {"status": "optimal"} if right(r) else r for r in records]


class Evidence:
    """The runs on the paper's rows, and which of them are complete."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = believed(records)
        self.certified = records
        self.cells = cells(self.records)

    def cell(self, row: Row, name: str) -> Cell | None:
        """Only of a row that was run in full, or left."""
        cell = self.cells.get((row.name, name))
        complete = cell is not None and (cell.left or cell.runs >= wanted_of(row, name))
        return cell if complete else None

    def complete(self, rows: Iterable[Row], names: Iterable[str]) -> list[Row]:
        """The rows that all of these planners have run in full."""
        names = list(names)
        return [row for row in rows if all(self.cell(row, name) for name in names)]

    def full(self, row: Row, name: str) -> bool:
        cell = self.cell(row, name)
        return cell is not None and cell.coverage == cell.runs

    def none(self, row: Row, name: str) -> bool:
        cell = self.cell(row, name)
        return cell is not None and cell.coverage == 0

    def of(self, name: str, rows: Sequence[Row]) -> list[Record]:
        wanted = {row.name for row in rows}
        return [r for r in self.records if r["configuration"] == name and r["row"] in wanted]


def _judged(good: int, wanted: int, complete: bool) -> Verdict:
    """By the number of rows of which the claim is true, here and in the paper."""
    if not complete:
        return Verdict.OPEN
    if good >= wanted:
        return Verdict.YES
    return Verdict.PARTLY if 2 * good >= wanted else Verdict.NO


def _count(good: int, rows: Sequence[Row], wanted: Sequence[Row]) -> str:
    missing = f"; {len(wanted) - len(rows)} not run in full" if len(rows) < len(wanted) else ""
    return f"{good} of {len(rows)} rows{missing}"


def _few(count: int) -> str:
    rows = f"{count} row" if count == 1 else f"{count} rows"
    return f"{rows}: few" if count < FEW else rows


# --- coverage -------------------------------------------------------------------------------------

def _totals(evidence: Evidence, rows: Sequence[Row],
            names: Sequence[str]) -> tuple[float, float]:
    """The most that one of the planners solves, as if rows had 30 instances: as run, and
    extrapolated to the paper's limit."""
    limit = EXPERIMENTS["paper-rivals"].seconds
    own = [evidence.of(name, rows) for name in names]
    return (max(estimate.solved_within(r, limit) for r in own),
            max(estimate.extrapolated(r, limit, paper.SECONDS) for r in own))


def more_instances(evidence: Evidence) -> Claim:
    claim = "CARL solves 50% more instances than the best baseline"
    figures = paper.figures()

    def total(name: str) -> int:
        counterpart = CONFIGURATIONS[name].paper or ""
        return sum(planners[counterpart]["coverage"] for planners in figures.values())

    theirs = max(map(total, CARL)), max(map(total, BASELINES))
    said = f"{theirs[0]} against {theirs[1]}: {100 * theirs[0] / theirs[1] - 100:+.0f}%"
    rows = evidence.complete(PAPER_ROWS, MAIN_TABLE)
    if not rows:
        return Claim(claim, said, "", Verdict.OPEN)
    (carl, later), (base, base_later) = (_totals(evidence, rows, n) for n in (CARL, BASELINES))
    if base == 0:
        return Claim(claim, said, f"{carl:.0f} against none", Verdict.OPEN)
    more = carl / base - 1
    ours = (f"{carl:.0f} against {base:.0f} of {paper.INSTANCES * len(rows)} within 60 s: "
            f"{100 * more:+.0f}%; extrapolated to 30 min {later:.0f} against {base_later:.0f}: "
            f"{100 * later / base_later - 100:+.0f}%")
    if len(rows) < len(PAPER_ROWS):
        return Claim(claim, said, f"{ours} ({len(rows)} of {len(PAPER_ROWS)} rows)", Verdict.OPEN)
    verdict = Verdict.YES if more >= 0.4 else Verdict.PARTLY if more >= 0.1 else Verdict.NO
    return Claim(claim, said, ours, verdict)


def only_carl(evidence: Evidence, claim: str, rows: Sequence[Row]) -> Claim:
    run = evidence.complete(rows, MAIN_TABLE)
    good = sum(all(evidence.full(row, name) for name in CARL)
               and all(evidence.none(row, name) for name in BASELINES) for row in run)
    full = [row.name for row in run if not all(evidence.full(row, name) for name in CARL)]
    some = {name: count for name in BASELINES
            if (count := sum(not evidence.none(row, name) for row in run))}
    ours = [_count(good, run, rows)]
    ours += [f"CARL does not solve all of {', '.join(full)}"] if full else []
    ours += [f"`{name}` solves some of {_few(count)}" for name, count in some.items()]
    return Claim(claim, f"{len(rows)} of {len(rows)} rows", "; ".join(ours),
                 _judged(good, len(rows), len(run) == len(rows)))


# --- who is ahead ---------------------------------------------------------------------------------

def ahead(evidence: Evidence, claim: str, rows: Sequence[Row], leaders: Sequence[str],
          others: Sequence[str]) -> Claim:
    """On how many rows the best planner is one of the leaders and none of the others, by the
    paper's rule: most coverage, then time, if confidence intervals do not meet."""
    names = (*leaders, *others)
    run = evidence.complete(rows, names)
    winners = [_winners(evidence, row, names) for row in run]
    good = sum(bool(won) and won.isdisjoint(others) for won in winners)
    lost = sum(bool(won) and won.isdisjoint(leaders) for won in winners)
    ours = _count(good, run, rows) + (f", behind on {lost}" if lost else "")
    theirs = _papers_count(rows, leaders, others)
    return Claim(claim, f"{theirs} of {len(rows)} rows", ours,
                 _judged(good, theirs, len(run) == len(rows)))


def ahead_with_one_lift(evidence: Evidence) -> Claim:
    """The paper's CARL loses these rows by instances on which coordinate search gets stuck; here
    such runs end. What if they did not?"""
    rows = rows_of("elevators", e=lambda e: e == 1)

    def judged(seen: Evidence) -> Claim:
        return ahead(seen, "i-dual is ahead of CARL on Elevators with one lift", rows, I_DUAL, CARL)

    claim = judged(evidence)
    if claim.verdict is Verdict.OPEN or not any(map(got_stuck, evidence.certified)):
        return claim
    unsolved = judged(Evidence([r | {"status": "limit", "objective": None} if got_stuck(r) else r
                                for r in evidence.certified]))
    return replace(claim, ours=f"{claim.ours}; {unsolved.ours} if runs in which coordinate search "
                   "gets stuck counted as unsolved, which they are in the paper")


def _papers_count(rows: Sequence[Row], leaders: Sequence[str], others: Sequence[str]) -> int:
    """The same by the figures of the paper's tables."""
    winners = [_papers_winners(row, (*leaders, *others)) for row in rows]
    return sum(bool(won) and won.isdisjoint(others) for won in winners)


def _winners(evidence: Evidence, row: Row, names: Sequence[str]) -> set[str]:
    return best({name: cell for name in names if (cell := evidence.cell(row, name))})


def _papers_winners(row: Row, names: Sequence[str]) -> set[str]:
    entries = {name: paper.figures()[row.name][CONFIGURATIONS[name].paper or ""] for name in names}
    return best({name: Cell(e["coverage"], paper.INSTANCES, e.get("mean"), e.get("ci"))
                 for name, e in entries.items()})


def level(evidence: Evidence, claim: str, rows: Sequence[Row], names: Sequence[str]) -> Claim:
    """On how many rows all of them are among the best."""
    run = evidence.complete(rows, names)
    good = sum(_winners(evidence, row, names) == set(names) for row in run)
    theirs = sum(_papers_winners(row, names) == set(names) for row in rows)
    return Claim(claim, f"{theirs} of {len(rows)} rows", _count(good, run, rows),
                 _judged(good, theirs, len(run) == len(rows)))


def speed(evidence: Evidence, other: str, factor: float) -> Claim:
    """The arithmetic mean over rows and both heuristics of CARL, where both solve all instances:
    from the paper's table that makes 10.0, 18.7 and 45.3."""
    rows = [row for row in PAPER_ROWS if row.domain in ("sar", "exbw", "ctw")]
    run = evidence.complete(rows, (*CARL, other))
    ratios = []
    counted = set()
    for row in run:
        for name in CARL:
            ours, theirs = evidence.cell(row, name), evidence.cell(row, other)
            if (ours is None or theirs is None or ours.mean is None or theirs.mean is None
                    or ours.coverage < ours.runs or theirs.coverage < theirs.runs
                    or max(ours.mean, theirs.mean) < WORTH_COMPARING):
                continue
            ratios.append(multiple(ours.mean, theirs.mean))
            counted.add(row.name)
    claim = f"CARL is faster than `{other}` on SAR, ExBW and CTW, where both solve all instances"
    said = f"{factor:g} times"
    missing = f"; {len(rows) - len(run)} rows not run in full" if len(run) < len(rows) else ""
    if not ratios:
        return Claim(claim, said, f"no row takes long enough{missing}", Verdict.OPEN)
    mean = statistics.fmean(ratios)
    ours_text = (f"{mean:.1f} times (geometric {statistics.geometric_mean(ratios):.1f}; "
                 f"{_few(len(counted))} of 0.5 s or more){missing}")
    verdict = (Verdict.OPEN if missing else Verdict.YES if mean >= factor / 2
               else Verdict.PARTLY if mean > 1 else Verdict.NO)
    return Claim(claim, said, ours_text, verdict)


def competitive(evidence: Evidence) -> Claim:
    rows = rows_of("parc", f=lambda f: f <= 0.2)
    names = ("carl-paper-c-roc", "i2-dual")
    run = evidence.complete(rows, names)
    said = []
    good = 0
    for row in run:
        ours, theirs = (evidence.cell(row, name) for name in names)
        assert ours and theirs
        texts = ["unsolved" if c.mean is None else f"{c.coverage}/{c.runs} · {c.mean:.2f} s"
                 for c in (ours, theirs)]
        said.append(f"{row.name}: {texts[0]} against {texts[1]}")
        # Within a factor of three, as in three of the four rows of the paper.
        good += ours.mean is not None and (theirs.mean is None
                                           or multiple(theirs.mean, ours.mean) <= 3)
    return Claim("With C-ROC CARL is competitive with i²-dual on PARC, f ≤ 0.2",
                 "1.5, 0.1, 184.2 (13 of 30), 56.9 s against 42.8, 29.5, 65.1, 41.7 s",
                 ", ".join(said), _judged(good, len(rows), len(run) == len(rows)))


def finds_optimum(evidence: Evidence) -> Claim:
    """Whatever it has ended with, certified or not."""
    ended = [(r, b) for r, b in zip(evidence.certified, evidence.records)
             if r["configuration"] == "carl-paper-c-roc" and (solved(r) or ended_open(r))]
    wrong = [b["instance"] for _, b in ended if not solved(b)]
    certified = sum(solved(r) for r, _ in ended)
    complete = evidence.complete(PAPER_ROWS, ("carl-paper-c-roc",))
    ours = (f"{len(ended) - len(wrong)} of {len(ended)} runs that ended, {certified} of them "
            "certified" + (f"; not {', '.join(wrong)}" if wrong else "")
            + f" ({len(complete)} of {len(PAPER_ROWS)} rows run)") if ended else ""
    verdict = (Verdict.OPEN if len(complete) < len(PAPER_ROWS)
               else Verdict.NO if wrong else Verdict.YES)
    return Claim("Wherever CARL with C-ROC ends, it has the optimum", "always", ours, verdict)


# --- the search for λ* ----------------------------------------------------------------------------

def _searches(evidence: Evidence) -> tuple[list[lambda_search.Search], bool]:
    found = [s for name in CARL for s in lambda_search.searches(evidence.certified, name)]
    return found, len(evidence.complete(PAPER_ROWS, CARL)) == len(PAPER_ROWS)


def _apart(found: Sequence[lambda_search.Search]) -> tuple[list[lambda_search.Search],
                                                           list[lambda_search.Search]]:
    """Where coordinate search finds λ*, which is what the paper's figures are about, and where it
    gets stuck."""
    return [s for s in found if not s.stuck], [s for s in found if s.stuck]


def few_problems(evidence: Evidence) -> Claim:
    claim, said = "CARL solves few λ-SSPs in its search", "6.7 in the mean, 30 at most"
    found, complete = _searches(evidence)
    own, stuck = _apart(found)
    if not own:
        return Claim(claim, said, "", Verdict.OPEN)
    mean, most = statistics.fmean(s.distinct for s in own), max(s.distinct for s in own)
    ours = (f"{mean:.1f} distinct λ in the mean, {most} at most ({len(own)} solved runs in which "
            "coordinate search finds λ*)")
    if stuck:
        ours += (f"; {statistics.fmean(s.distinct for s in stuck):.0f} in the mean in {len(stuck)} "
                 "more, in which it gets stuck: such runs of the paper's did not end in time")
    verdict = Verdict.YES if mean <= 2 * 6.7 and most <= 2 * 30 else Verdict.PARTLY
    return Claim(claim, said, ours, verdict if complete else Verdict.OPEN)


def sparse(evidence: Evidence) -> Claim:
    claim, said = "λ* is sparse", "0.62 non-zero entries in the mean, 2 at most"
    found, complete = _searches(evidence)
    own, stuck = _apart(found)
    if not own:
        return Claim(claim, said, "", Verdict.OPEN)
    mean, most = statistics.fmean(s.nonzero for s in own), max(s.nonzero for s in own)
    ours = (f"{mean:.2f} in the mean, {most} at most ({len(own)} solved runs in which coordinate "
            "search finds λ*)")
    if stuck:
        ours += (f"; {statistics.fmean(s.nonzero for s in stuck):.2f} in the mean, "
                 f"{max(s.nonzero for s in stuck)} at most in {len(stuck)} more, in which it gets "
                 "stuck")
    verdict = Verdict.YES if mean <= 1 and most <= 2 else Verdict.PARTLY
    return Claim(claim, said, ours, verdict if complete else Verdict.OPEN)


def zero_on_ctw(evidence: Evidence) -> Claim:
    found = [s for name in CARL for s in lambda_search.searches(evidence.certified, name, "ctw")]
    zero = sum(s.nonzero == 0 for s in found)
    rows = rows_of("ctw")
    complete = len(evidence.complete(rows, CARL)) == len(rows)
    verdict = Verdict.YES if found and zero >= 0.9 * len(found) else Verdict.NO
    return Claim("On CTW λ* = 0 for almost all problems", "almost all",
                 f"{zero} of {len(found)} solved runs" if found else "",
                 verdict if found and complete else Verdict.OPEN)


def dominant(evidence: Evidence) -> Claim:
    claim, said = "Solving λ-SSPs takes most of CARL's time", "most"
    found, complete = _searches(evidence)
    shares = [s.share for s in found if s.share is not None]
    if not shares:
        return Claim(claim, said, "", Verdict.OPEN)
    most = sum(share > 0.5 for share in shares)
    verdict = Verdict.YES if 2 * most > len(shares) else Verdict.NO
    return Claim(claim, said, f"{100 * statistics.fmean(shares):.0f}% in the mean, more than half "
                 f"in {most} of {len(shares)} solved runs", verdict if complete else Verdict.OPEN)


def gets_stuck(evidence: Evidence) -> Claim:
    claim = "Coordinate search fails only on Elevators with one lift"
    own = [r for r in evidence.certified if r["configuration"] in CARL]
    stuck = [r for r in own if got_stuck(r)]
    elsewhere = sorted({r["row"] for r in stuck
                        if not r["row"].startswith("elevators(1,")})
    complete = len(evidence.complete(PAPER_ROWS, CARL)) == len(PAPER_ROWS)
    ours = f"it gets stuck in {len(stuck)} of {len(own)} runs" if own else ""
    if elsewhere:
        ours += f", also on {', '.join(elsewhere)}"
    verdict = Verdict.NO if elsewhere else Verdict.YES if stuck else Verdict.PARTLY
    return Claim(claim, "some instances there, none elsewhere", ours,
                 verdict if complete else Verdict.OPEN)


def sooner(evidence: Evidence) -> Claim:
    claim, said = "CG-iLAO* finds λ* sooner than iLAO*", "2 times in the mean, 4.7 at most"
    found = [p for ours, theirs in LAMBDA_PAIRS.items()
             for p in lambda_search.pairs(evidence.certified, ours, theirs)]
    complete = len(evidence.complete(PAPER_ROWS, OF_LAMBDA_PAIRS)) == len(PAPER_ROWS)
    ratios = [p.ratio for p in found if p.counts]
    if not ratios:
        return Claim(claim, said, "", Verdict.OPEN)
    mean = statistics.fmean(ratios)
    verdict = Verdict.YES if mean >= 1.5 else Verdict.PARTLY if mean > 1.05 else Verdict.NO
    return Claim(claim, said, lambda_search.ratio_text(found),
                 verdict if complete else Verdict.OPEN)


def claims(records: Sequence[Record]) -> list[Claim]:
    """Of runs with the limits of `paper-rivals`, on the paper's rows."""
    evidence = Evidence(records)
    dominated = [row for row in PAPER_ROWS if row.domain in ("sar", "exbw", "ctw")]
    return [
        more_instances(evidence),
        speed(evidence, "i-dual-c-roc", 10), speed(evidence, "i-dual", 19),
        speed(evidence, "i2-dual", 42),
        ahead(evidence, "CARL is the best on SAR, ExBW and CTW", dominated, CARL, BASELINES),
        only_carl(evidence, "On ExBW (6, 8, .3) CARL solves all instances, the baselines none",
                  [row for row in PAPER_ROWS if row.name == "exbw(6,8,.3)"]),
        level(evidence, "Neither λ-ROC nor λ-LM-cut is ahead on SAR", rows_of("sar"), CARL),
        ahead(evidence, "λ-LM-cut is ahead of λ-ROC on ExBW", rows_of("exbw"), CARL[1:], CARL[:1]),
        ahead(evidence, "λ-ROC is ahead of λ-LM-cut on CTW", rows_of("ctw"), CARL[:1], CARL[1:]),
        ahead_with_one_lift(evidence),
        ahead(evidence, "CARL is ahead on Elevators with two lifts",
              rows_of("elevators", e=lambda e: e == 2), CARL, BASELINES),
        ahead(evidence, "i²-dual is ahead on PARC, f ≤ 0.2", rows_of("parc", f=lambda f: f <= 0.2),
              ("i2-dual",), (*CARL, *I_DUAL)),
        ahead(evidence, "CARL is ahead on PARC, f ≥ 0.4", rows_of("parc", f=lambda f: f >= 0.4),
              CARL, BASELINES),
        only_carl(evidence, "On PARC (f, 1), f ≥ 0.6, CARL solves all instances, the baselines none",
                  rows_of("parc", f=lambda f: f >= 0.6, u=lambda u: u == 1)),
        competitive(evidence), finds_optimum(evidence), few_problems(evidence), sparse(evidence),
        zero_on_ctw(evidence), dominant(evidence), gets_stuck(evidence), sooner(evidence)]


def table(records: Sequence[Record]) -> Table:
    return Table(["claim", "the paper", "here", "verdict"],
                 [[c.claim, c.paper, c.ours, c.verdict.value] for c in claims(records)], prose=True)
