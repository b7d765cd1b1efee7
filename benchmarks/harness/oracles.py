"""Optima known from elsewhere: an LP solver (HiGHS) over all reachable states, or value iteration
under the best multiplier, by programs that share no code with the planner."""
from __future__ import annotations

from dataclasses import dataclass

TOLERANCE = 1e-4
"""Relative: as exact as the values below."""


@dataclass(frozen=True)
class Oracle:
    upper: float
    """The cost of a feasible policy."""
    is_optimum: bool = True


def _elevators(e: int, w: int, h: int, seed: int, time_steps: float) -> tuple[str, Oracle]:
    # A time step is one turn of every lift and person; the files count turns.
    return f"elevators({e},{w},{h})#{seed}", Oracle(time_steps * (e + w + h))


def _sar(row: str, optima: tuple[float, ...]) -> dict[str, Oracle]:
    return {f"sar({row})#{seed}": Oracle(value) for seed, value in enumerate(optima, start=1)}


def _parc() -> dict[str, Oracle]:
    by_f = {"0.0": (1100122, 1076125), "0.2": (1063998.588930, 1040001.588930)}
    by_f |= dict.fromkeys(("0.6", "0.8", "1.0"), (1015492.253162, 991495.253162))
    return {f"parc({f},{u})": Oracle(value)
            for f, values in by_f.items() for u, value in zip(("1", "inf"), values)}


def _tireworld(n: int, d: int) -> Oracle:
    return Oracle(4 * n + 2 * d - 5 + 2.0 ** (1 - 2 * n))


ORACLES: dict[str, Oracle] = {
    **_sar("3,2,.75", (6.75, 5.866667, 6.0)),
    **_sar("3,3,.50", (8.475, 7.166667, 9.5)),
    **_sar("3,3,.75", (6.25, 7.5, 9.666667)),
    **_sar("4,3,.75", (9.04375, 5.625, 7.56157, 7.37, 6.3)),
    **dict((
        _elevators(1, 1, 1, 1, 15.000001), _elevators(1, 1, 1, 2, 22.333659),
        _elevators(1, 1, 1, 3, 22), _elevators(1, 1, 1, 4, 23), _elevators(1, 1, 1, 5, 16.333333),
        _elevators(1, 1, 1, 6, 17.333335), _elevators(1, 1, 2, 2, 27.666664),
        _elevators(1, 2, 1, 4, 27.4), _elevators(1, 2, 2, 1, 22.728549),
        _elevators(2, 1, 1, 1, 15.50002))),
    "exbw(t2,2,.05)": Oracle(6.5), "exbw(t2,2,0)": Oracle(49), "exbw(t3,3,.05)": Oracle(46.5),
    "exbw(t4,4,.2)": Oracle(89.909434), "exbw(t4,4,.1)": Oracle(91.0),
    "exbw(t4,4,.05)": Oracle(113.1),
    "exbw(1,5,.1)": Oracle(52.375), "exbw(2,5,.07)": Oracle(166.5), "exbw(3,6,.91)": Oracle(74.6),
    "exbw(5,7,.01)": Oracle(103.5), "exbw(7,8,.5)": Oracle(12),
    "exbw(6,8,.3)": Oracle(92, is_optimum=False), "exbw(8,8,.63)": Oracle(142, is_optimum=False),
    "exbw(9,8,.4)": Oracle(99, is_optimum=False),
    **_parc(),
    "parc-BC(0.2,1)": Oracle(509938.588930), "parc-BC(0.2,inf)": Oracle(501939.588930),
    "ctw(2,2,2)": Oracle(7.125), "ctw(2,4,2)": Oracle(11.859375), "ctw(3,3,4)": Oracle(13.03125),
    "ctw(3,6,2)": Oracle(19.217773),
    "ctw-q(2,2,2)": Oracle(7.75), "ctw-q(2,2,3)": Oracle(8.375),
    **{f"ctw(4,{d},{c})": _tireworld(4, d) for d in (4, 5, 6) for c in (2, 4, 6)},
    # Of these only the formula is from elsewhere: all others with d < 2n agree with it.
    "ctw(5,5,4)": _tireworld(5, 5), "ctw(6,6,4)": _tireworld(6, 6), "ctw(8,8,2)": _tireworld(8, 8),
}
