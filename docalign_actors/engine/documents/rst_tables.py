"""Reads the tables of reStructuredText: simple, grid, `list-table` and `csv-table`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from docalign_actors.engine.documents.model import Cell
from docalign_actors.engine.documents.places import Piece
from docalign_actors.engine.documents.rst_spans import plain_rst, read_rst_spans

if TYPE_CHECKING:
    from docalign_actors.engine.documents.rst import RstReader

Row = list[list[Piece]]
_RULE = re.compile(r"^\s*=+(?:\s+=+)*\s*$")
_SPAN_RULE = re.compile(r"^\s*-+(?:\s+-+)*\s*$")
_LIST_ROW = re.compile(r"^\s*\*\s+-(?:\s+|$)")
_LIST_CELL = re.compile(r"^\s*-(?:\s+|$)")


def add_rows(reader: RstReader, header: Row | None, rows: Sequence[Row]) -> None:
    """Rows of cells, each a list of source pieces, become blocks."""
    group = reader.builder.new_group()
    titles = [plain_rst(" ".join(piece.text for piece in cell)) for cell in header or []]
    for row in rows:
        cells = [Cell(titles[i] if i < len(titles) else "", tuple(read_rst_spans(cell))) for i, cell in enumerate(row)]
        lines = [piece.line for cell in row for piece in cell]
        if lines:
            reader.builder.row(min(lines), cells, group, max(lines))


def read_simple_table(reader: RstReader, start: int, end: int) -> int:
    """A table ruled with `====  ====`; returns the line after it."""
    rule = reader.lines[start]
    columns = [match.start() for match in re.finditer("=+", rule)]
    rows: list[Row] = []
    header: Row | None = None
    index, rules = start + 1, 1
    while index < end:
        line = reader.lines[index]
        if _RULE.match(line):
            rules += 1
            following = reader.lines[index + 1] if index + 1 < end else ""
            if rules >= 3 or not following.strip():
                index += 1
                break
            header, rows = _merged(rows), []
        elif line.strip() and not _SPAN_RULE.match(line):
            cells = _slices(line, index, columns)
            if rows and not cells[0] and len(cells) > 1:
                _extend(rows[-1], cells)
            else:
                rows.append(cells)
        index += 1
    add_rows(reader, header, rows)
    return index


def _slices(line: str, index: int, columns: Sequence[int]) -> Row:
    """A line cut at the columns; the last cell may run on."""
    bounds = [*columns[1:], len(line)]
    return [_cell(line, index, first, last) for first, last in zip(columns, bounds, strict=True)]


def _cell(line: str, index: int, first: int, last: int) -> list[Piece]:
    raw = line[first:last]
    text = raw.strip()
    return [Piece(text, index + 1, first + 1 + len(raw) - len(raw.lstrip()))] if text else []


def _extend(row: Row, cells: Row) -> None:
    for cell, more in zip(row, cells, strict=False):
        cell.extend(more)


def _merged(rows: Sequence[Row]) -> Row:
    """The lines of a header as one row."""
    merged: Row = [[] for _ in rows[0]] if rows else []
    for row in rows:
        _extend(merged, row)
    return merged


def read_grid_table(reader: RstReader, start: int, end: int, margin: int) -> int:
    """A table drawn with `+---+`; returns the line after it."""
    stop = start
    while stop < end and reader.lines[stop][margin : margin + 1] in ("+", "|"):
        stop += 1
    columns = [margin + i for i, character in enumerate(reader.lines[start][margin:]) if character == "+"]
    rows: list[Row] = []
    header: Row | None = None
    current: Row | None = None
    for index in range(start, stop):
        line = reader.lines[index]
        if line[margin] == "+":
            if current:
                rows.append(current)
            current = None
            if "=" in line:
                header, rows = _merged(rows), []
            continue
        cells = _grid_cells(line, index, columns)
        if current is None:
            current = cells
        else:
            _extend(current, cells)
    add_rows(reader, header, rows)
    return stop


def _grid_cells(line: str, index: int, columns: Sequence[int]) -> Row:
    """A line cut at the bars that stand on a column; a cell over several columns fills the first."""
    bars = [(number, column) for number, column in enumerate(columns) if line[column : column + 1] == "|"]
    found: Row = [[] for _ in columns[1:]]
    for (number, first), (_, last) in pairwise(bars):
        found[number].extend(_cell(line, index, first + 1, last))
    return found


def read_list_table(reader: RstReader, start: int, end: int, header_rows: int) -> None:
    """The content of a `list-table`: an item for each row, an item in it for each cell."""
    rows: list[Row] = []
    for index in range(start, end):
        line = reader.lines[index]
        row, cell = _LIST_ROW.match(line), _LIST_CELL.match(line)
        if row:
            rows.append([_cell(line, index, row.end(), len(line))])
        elif not rows or not line.strip():
            continue
        elif cell:
            rows[-1].append(_cell(line, index, cell.end(), len(line)))
        else:
            rows[-1][-1].extend(_cell(line, index, 0, len(line)))
    add_rows(reader, _merged(rows[:header_rows]) if header_rows and rows else None, rows[header_rows:])


def read_csv_table(reader: RstReader, start: int, end: int, titles: Sequence[str]) -> None:
    """The content of a `csv-table`: a line for each row, cells in quotes or not."""
    group = reader.builder.new_group()
    for index in range(start, end):
        line = reader.lines[index]
        cells = []
        for number, match in enumerate(re.finditer(r'\s*(?:"((?:[^"]|"")*)"|([^",][^,]*|))(?:,|$)', line)):
            if match.start() == len(line):
                break
            which = 1 if match[1] is not None else 2
            header = titles[number] if number < len(titles) else ""
            cells.append(Cell(header, tuple(read_rst_spans(_cell(line, index, *match.span(which))))))
        reader.builder.row(index + 1, cells, group)
