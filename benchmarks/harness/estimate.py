"""What a longer time limit would add, from how the number of solved instances has grown with time.

Over the last two powers of ten before the limit, solved instances grow roughly in proportion to the
logarithm of time; the line is drawn on to the longer limit. This is an extrapolation and shown as
one. How good it is can be seen by the same from a shorter limit to the one that was run: hindsight().

Rows count alike: one of which three of five instances were solved counts as 18 of 30.
"""
from __future__ import annotations

import math
from collections import Counter
from typing import Sequence

from . import paper
from .aggregate import solved
from .database import Record

SPAN = 100.0
"""The line is drawn through what is solved within the limit, and within the limit divided by this."""


def solved_within(records: Sequence[Record], seconds: float) -> float:
    """By one planner, as if every row had as many instances as in the paper."""
    runs = Counter(r["row"] for r in records)
    return sum(paper.INSTANCES / runs[r["row"]] for r in records
               if solved(r) and r["cpu_seconds"] <= seconds)


def extrapolated(records: Sequence[Record], limit: float, longer: float) -> float:
    """By one planner, as if every row had as many instances as in the paper."""
    now = solved_within(records, limit)
    slope = (now - solved_within(records, limit / SPAN)) / math.log(SPAN)
    most = paper.INSTANCES * len({r["row"] for r in records})
    return min(float(most), now + slope * math.log(longer / limit))


def hindsight(records: Sequence[Record], limit: float, longer: float) -> float:
    """What would have been predicted for the limit, as many times shorter before as the longer one
    is longer."""
    return extrapolated(records, limit * limit / longer, limit)
