"""Tables for terminals: columns of text, with cells of several lines."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from typing import List, Optional, Sequence, Union

Cell = Union[str, Sequence[str]]

GAP = "  "
RULE = object()


@dataclass
class Column:
    head: str = ""
    right: bool = False
    """Aligned to the right, as amounts are."""
    shrinks: bool = False
    """It may be cut when the table is too wide."""


@dataclass
class Table:
    columns: List[Column]
    rows: List[object] = field(default_factory=list)

    def add(self, *cells: Cell) -> None:
        """A row. A cell that is a list has a line for each item."""
        if len(cells) != len(self.columns):
            raise ValueError(f"{len(cells)} cells in a table of {len(self.columns)} columns")
        self.rows.append([[cell] if isinstance(cell, str) else list(cell) for cell in cells])

    def rule(self) -> None:
        """A line across, as above sums."""
        self.rows.append(RULE)

    def is_empty(self) -> bool:
        return not any(row is not RULE for row in self.rows)

    # -- text

    def text(self, width: Optional[int] = None) -> str:
        """The table as people read it, no wider than `width` if columns can be cut."""
        widths = self._widths(width)
        lines = []
        if any(column.head for column in self.columns):
            heads = [column.head for column in self.columns]
            lines.append(self._line(heads, widths))
            lines.append(self._across(widths))
        for row in self.rows:
            if row is RULE:
                lines.append(self._across(widths))
            else:
                lines.extend(self._row_lines(row, widths))  # type: ignore[arg-type]
        return "".join(line + "\n" for line in lines)

    def _widths(self, limit: Optional[int]) -> List[int]:
        widths = []
        for at, column in enumerate(self.columns):
            longest = len(column.head)
            for row in self.rows:
                if row is not RULE:
                    longest = max([longest, *(len(line) for line in row[at])])  # type: ignore[index]
            widths.append(longest)
        if limit is not None:
            self._shrink(widths, limit)
        return widths

    def _shrink(self, widths: List[int], limit: int) -> None:
        """Takes from the widest column that may be cut, letter by letter."""
        able = [at for at, column in enumerate(self.columns) if column.shrinks]
        while able and sum(widths) + len(GAP) * (len(widths) - 1) > limit:
            widest = max(able, key=lambda at: widths[at])
            if widths[widest] <= 8:
                return
            widths[widest] -= 1

    def _row_lines(self, row: List[List[str]], widths: List[int]) -> List[str]:
        tall = max(len(cell) for cell in row)
        lines = []
        for number in range(tall):
            cells = []
            for column, cell in zip(self.columns, row):
                # Amounts sit on the last line, beside the total; text on the first.
                at = number - (tall - len(cell)) if column.right else number
                cells.append(cell[at] if 0 <= at < len(cell) else "")
            lines.append(self._line(cells, widths))
        return lines

    def _line(self, cells: Sequence[str], widths: List[int]) -> str:
        pieces = []
        for column, cell, width in zip(self.columns, cells, widths):
            text = cut(cell, width)
            pieces.append(text.rjust(width) if column.right else text.ljust(width))
        return GAP.join(pieces).rstrip()

    @staticmethod
    def _across(widths: List[int]) -> str:
        return "-" * (sum(widths) + len(GAP) * (len(widths) - 1))

    # -- for other programs

    def csv(self) -> str:
        """The same for spreadsheets; lines of a cell are joined by commas."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([column.head.lower() for column in self.columns])
        for row in self.rows:
            if row is not RULE:
                writer.writerow([", ".join(cell).strip() for cell in row])  # type: ignore[attr-defined]
        return out.getvalue()


def cut(text: str, width: int) -> str:
    """At most `width` letters; two dots show that something is missing."""
    if len(text) <= width:
        return text
    return text[: max(width - 2, 0)] + ".."[:width]
