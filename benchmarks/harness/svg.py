"""Just enough SVG for plots: shapes, and axes that map values to places."""
from __future__ import annotations

import html
import math
from dataclasses import dataclass

COLOURS = ("#1b6ca8", "#d1495b", "#66a182", "#8d5a97", "#edae49", "#2e4057", "#7a7a7a", "#00798c",
           "#a26769")


@dataclass(frozen=True)
class Axis:
    """Maps low … high to the pixels start … end; start may be above end."""
    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def place(self, value: float) -> float:
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[float]:
        if self.logarithmic:
            first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(
                math.log10(self.high) + 1e-9)
            return [10.0 ** power for power in range(first, last + 1)]
        step = 10.0 ** math.floor(math.log10(self.high - self.low))
        for divisor in (1, 2, 5):
            if (self.high - self.low) / (step / divisor) >= 4:
                step /= divisor
                break
        count = math.floor((self.high - self.low) / step + 1e-9)
        return [self.low + i * step for i in range(count + 1)]


class Canvas:
    def __init__(self, width: int, height: int, title: str):
        self._size = width, height
        self._title = title
        self._parts: list[str] = []

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str = "#333",
             dashes: str = "") -> None:
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        self._parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                           f'stroke="{colour}"{dash}/>')

    def path(self, points: list[tuple[float, float]], colour: str) -> None:
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._parts.append(f'<polyline points="{text}" fill="none" stroke="{colour}" '
                           'stroke-width="2"/>')

    def dot(self, x: float, y: float, colour: str, hint: str, radius: float = 3.5) -> None:
        self._parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}" '
                           f'fill-opacity="0.75"><title>{html.escape(hint)}</title></circle>')

    def box(self, x: float, y: float, width: float, height: float, colour: str,
            hint: str = "") -> None:
        title = f"<title>{html.escape(hint)}</title>" if hint else ""
        self._parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
                           f'height="{height:.1f}" fill="{colour}">{title}</rect>')

    def text(self, x: float, y: float, text: str, anchor: str = "middle", turn: float = 0) -> None:
        turned = f' transform="rotate({turn:g} {x:.1f} {y:.1f})"' if turn else ""
        self._parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{turned}>'
                           f"{html.escape(text)}</text>")

    def legend(self, x: float, y: float, entries: list[tuple[str, str]]) -> None:
        """Pairs of text and colour, one below the other."""
        for i, (text, colour) in enumerate(entries):
            self.box(x, y + 18 * i, 12, 12, colour)
            self.text(x + 18, y + 18 * i + 10, text, "start")

    def axes(self, horizontal: Axis, vertical: Axis, x_title: str, y_title: str,
             x_ticks: bool = True) -> None:
        for tick in horizontal.ticks() if x_ticks else ():
            x = horizontal.place(tick)
            self.line(x, vertical.start, x, vertical.end, "#e4e4e4")
            self.text(x, vertical.start + 16, f"{tick:g}")
        for tick in vertical.ticks():
            y = vertical.place(tick)
            self.line(horizontal.start, y, horizontal.end, y, "#e4e4e4")
            self.text(horizontal.start - 6, y + 4, f"{tick:g}", "end")
        self.line(horizontal.start, vertical.start, horizontal.end, vertical.start)
        self.line(horizontal.start, vertical.start, horizontal.start, vertical.end)
        middle = (horizontal.start + horizontal.end) / 2
        if x_title:
            self.text(middle, vertical.start + 34, x_title)
        self.text(horizontal.start - 44, (vertical.start + vertical.end) / 2, y_title, turn=-90)

    def __str__(self) -> str:
        width, height = self._size
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
                f'width="{width}" height="{height}" role="img" '
                'font-family="system-ui, sans-serif" font-size="12" fill="#222">\n'
                f"<title>{html.escape(self._title)}</title>\n"
                f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
                + "\n".join(self._parts) + "\n</svg>")
