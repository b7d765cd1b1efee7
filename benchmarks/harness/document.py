"""A page as a list of blocks, written as Markdown or as HTML that needs nothing else."""
from __future__ import annotations

import html
import pathlib
import re
from dataclasses import dataclass
from typing import Sequence, Union


@dataclass(frozen=True)
class Heading:
    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    text: str
    """`code` and **bold** are understood."""
    alarm: bool = False


@dataclass(frozen=True)
class Table:
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    """The first column is text, the others are figures."""
    prose: bool = False
    """All columns are text, of any length."""


@dataclass(frozen=True)
class Figure:
    name: str
    svg: str
    caption: str

    @property
    def text(self) -> str:
        """Of its file."""
        return self.svg + "\n"


Block = Union[Heading, Paragraph, Table, Figure]


def markdown(blocks: Sequence[Block], folder: str = "") -> str:
    """Figures are files of their own beside the page, see write(), or in a folder there."""
    return "\n\n".join(_markdown_block(block, folder) for block in blocks) + "\n"


def _markdown_block(block: Block, folder: str) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {block.text}"
    if isinstance(block, Paragraph):
        return f"> **{block.text}**" if block.alarm else block.text
    if isinstance(block, Figure):
        return f"![{block.caption}]({folder}{block.name}.svg)"
    others = "---" if block.prose else "---:"
    lines = [block.header, ["---"] + [others] * (len(block.header) - 1), *block.rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def plain(tables: Sequence[Table]) -> str:
    """For a terminal: columns side by side, the first to the left and figures to the right; nothing
    is bold there."""
    return "\n\n".join(_plain_table(table) for table in tables) + "\n"


def _plain_table(table: Table) -> str:
    lines = [[cell.replace("**", "") for cell in line] for line in (table.header, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join(cell.rjust(width) if i > 0 and not table.prose else cell.ljust(width)
                               for i, (cell, width) in enumerate(zip(line, widths))).rstrip()
                     for line in lines)


_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem;
       color: #1c1c1c; background: #fff; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid #ddd; text-align: right;
         white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.prose th, .prose td { text-align: left; white-space: normal; vertical-align: top; }
th { border-bottom: 2px solid #888; vertical-align: bottom; }
.alarm { background: #b00020; color: #fff; padding: .6rem 1rem; font-weight: bold; }
figure { margin: 1.5rem 0; } figcaption { color: #555; max-width: 46rem; }
svg { max-width: 100%; height: auto; }
"""


def _inline(text: str) -> str:
    escaped = html.escape(text, quote=False)
    escaped = re.sub(r"`([^`]*)`", r"<code>\1</code>", escaped)
    return re.sub(r"\*\*([^*]*)\*\*", r"<b>\1</b>", escaped)


def _html_block(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h{block.level}>{_inline(block.text)}</h{block.level}>"
    if isinstance(block, Paragraph):
        return f"<p{' class=alarm' if block.alarm else ''}>{_inline(block.text)}</p>"
    if isinstance(block, Figure):
        return f"<figure>{block.svg}<figcaption>{_inline(block.caption)}</figcaption></figure>"
    header = "".join(f"<th>{_inline(cell)}</th>" for cell in block.header)
    rows = "\n".join("<tr>" + "".join(f"<td>{_inline(cell)}</td>" for cell in row) + "</tr>"
                     for row in block.rows)
    kind = " class=prose" if block.prose else ""
    return f"<div class=wide><table{kind}><tr>{header}</tr>\n{rows}</table></div>"


def page(title: str, blocks: Sequence[Block]) -> str:
    body = "\n".join(_html_block(block) for block in blocks)
    return ("<!DOCTYPE html>\n<html lang=en><meta charset=utf-8>"
            "<meta name=viewport content='width=device-width'>\n"
            f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n{body}\n</html>\n")


def write(directory: pathlib.Path, title: str, blocks: Sequence[Block]) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "report.md").write_text(markdown(blocks), encoding="utf-8")
    (directory / "report.html").write_text(page(title, blocks), encoding="utf-8")
    for figure in figures_of(blocks):
        (directory / f"{figure.name}.svg").write_text(figure.text, encoding="utf-8")


def figures_of(blocks: Sequence[Block]) -> list[Figure]:
    return [block for block in blocks if isinstance(block, Figure)]
