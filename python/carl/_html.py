"""How a result is shown: as text, and as cards in a notebook."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .result import Result

HEADINGS = {"optimal": "Optimal", "infeasible": "Infeasible", "limit": "Limit reached",
            "no-proper-policy": "No proper policy", "interrupted": "Interrupted"}
COLOURS = {"optimal": "#1a7f37", "infeasible": "#b42318", "no-proper-policy": "#b42318"}


def _heading(result: Result) -> str:
    heading = HEADINGS.get(result.status, result.status)
    if result.costs is None or result.objective is None:
        return heading
    return f"{heading}: {next(iter(result.costs))} = {result.objective:.6g}"


def _rows(result: Result) -> list[list[str]]:
    rows = []
    for cost, value in (result.costs or {}).items():
        bound = result.bounds.get(cost)
        price = result.shadow_prices.get(cost)
        rows.append([cost, f"{value:.6g}", "" if bound is None else f"{bound:.6g}",
                     "" if bound is None else f"{_slack(bound, value):.4g}",
                     "" if price is None else f"{price:.6g}"])
    return rows


def _slack(bound: float, value: float) -> float:
    slack = bound - value
    return 0.0 if abs(slack) <= 1e-9 * abs(bound) else slack


TITLES = ["cost", "expected", "bound", "slack", "shadow price"]


def as_text(result: Result) -> str:
    lines = [_heading(result)]
    if result.lower_bound is not None and result.gap is not None:
        lines.append(f"  lower bound {result.lower_bound:.6g}, gap {result.gap:.2g}")
    table = [TITLES, *_rows(result)]
    if len(table) > 1:
        widths = [max(len(row[i]) for row in table) for i in range(len(TITLES))]
        lines.append("")
        lines += ["  " + "   ".join([row[0].ljust(widths[0]),
                                     *(c.rjust(w) for c, w in zip(row[1:], widths[1:]))]).rstrip()
                  for row in table]
    lines += [f"  {reason}" for reason in result.reasons]
    if result.note:
        lines.append(f"  {result.note}")
    return "\n".join(lines)


def as_cards(result: Result) -> str:
    """Plain HTML with styles of its own: notebooks strip scripts and style sheets."""
    colour = COLOURS.get(result.status, "#9a6700")
    parts = [f'<div style="font-family:sans-serif;max-width:44em"><div style="font-size:1.2em;'
             f'font-weight:600;color:{colour}">{html.escape(_heading(result))}</div>']
    if result.lower_bound is not None and result.gap is not None:
        parts.append(f'<div style="opacity:.75">lower bound {result.lower_bound:.6g}, '
                     f'gap {result.gap:.2g}</div>')
    for cost, value in (result.costs or {}).items():
        parts.append(_card(result, cost, value))
    if result.costs is not None:
        stochastic = "" if result.policy.is_deterministic else ", with random choices"
        states = f"{len(result.policy):,} state{'' if len(result.policy) == 1 else 's'}"
        parts.append(f'<div style="opacity:.75">Policy: {states}{stochastic}</div>')
    for line in [*result.reasons, result.note]:
        if line:
            parts.append(f"<div>{html.escape(line)}</div>")
    return "".join(parts) + "</div>"


def _card(result: Result, cost: str, value: float) -> str:
    bound = result.bounds.get(cost)
    gauge = note = ""
    if bound is not None:
        share = 100.0 if bound <= 0 else min(100.0, 100 * value / bound)
        price = result.shadow_prices.get(cost, 0.0)
        note = f' of {bound:.6g}; one more unit saves {price:.4g}'
        gauge = (f'<div style="background:#8884;height:6px;border-radius:3px;margin-top:4px"><div '
                 f'style="background:#2563eb;height:6px;border-radius:3px;width:{share:.1f}%"></div>'
                 f'</div>')
    return (f'<div style="display:inline-block;border:1px solid #8886;border-radius:6px;padding:'
            f'.5em .8em;margin:.3em .4em .3em 0;min-width:9em"><div style="opacity:.75">'
            f'{html.escape(cost)}</div><span style="font-size:1.2em">{value:.6g}</span>'
            f'<span style="opacity:.75">{html.escape(note)}</span>{gauge}</div>')
