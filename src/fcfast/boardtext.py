"""Boards in and out of text. Imports board, cards, errors and rules.

Reading goes in two steps: lines or JSON are read into a _Draft, which holds cards by their printed
names and collects every fault with its line; then the draft becomes a Board, and find_faults names
the cards that are missing, doubled, or in play and home at once.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from fcfast import cards
from fcfast.board import Board, Style, find_faults
from fcfast.errors import FcfastError, InvalidBoard
from fcfast.rules import FREECELL, MAX_CELLS, MAX_COLUMNS, Variant

MAX_LENGTH = 10_000  # characters; JSON with every card on an indented line of its own takes 2,000

# Every spelling that is read; printed ranks are 0 (ace) .. 12 (king), as in cards.RANKS.
_RANKS = {name: rank for rank, name in enumerate(cards.RANKS)}
_RANKS |= {name.lower(): rank for name, rank in _RANKS.items()}
_RANKS |= {"1": 0, "10": 9, "0": 9, "11": 10, "12": 11, "13": 12}
_SUITS = {
    name: suit
    for names in (cards.SUITS, cards.SUITS.lower(), cards.GLYPHS, "♧♢♡♤")
    for suit, name in enumerate(names)
}
_CARDS = {
    name: cards.card_of(_RANKS[rank], _SUITS[suit])
    for rank in _RANKS
    for suit in _SUITS
    for name in (rank + suit, suit + rank)
}
_EMPTY = (None, "", "-", "--")
_FOUNDATION_ORDER = [cards.SUITS.index(suit) for suit in "HCDS"]  # fc-solve's
_FRESH = [7, 7, 7, 7, 6, 6, 6, 6]  # the heights of a fresh FreeCell deal's columns

_LABELS = {
    "": "column",
    **dict.fromkeys(("foundations", "foundation", "founds", "found", "decks", "deck"), "home"),
    **dict.fromkeys(("freecells", "freecell", "fc"), "cells"),
    "base": "base",
    "rows": "rows",
}
_CELL_COUNT = re.compile(r"\(([0-9]{1,2})\)$")
_FOUR_WIDE_CELLS = re.compile(r"(?:  (?:  |\S\S))*")
_VARIATION_SELECTORS = re.compile("[\ufe0e\ufe0f]")


def card_named(name: str, base: int = 0) -> int | None:
    """The card of any spelling that is read: ``7h``, ``10S``, ``♥7``; None for other texts.

    `base` is the board's, from which its cards are counted.
    """
    if name not in _CARDS:
        return None
    card = _CARDS[name]
    return cards.card_of((cards.rank(card) - base) % 13, cards.suit(card))


def read_board(
    text: str, variant: Variant = FREECELL, cells: int | None = None, columns: int | None = None
) -> tuple[Board, tuple[str, ...]]:
    """The board that `text` shows, and notes on what the reader should know was assumed.

    A text shows a column a line, deepest card first, or a row of cards a line (transposed, with a
    note), or is JSON. Labelled lines say the rest: ``Foundations:``, ``Freecells:``, ``Base:`` (the
    rank that Penguin's foundations start from). After a line ``Rows:`` all lines are rows, with
    ``--`` where a column has ended.

    The number of columns is `columns`, else the variant's; it is a fault to find another. The
    number of cells is `cells`; else what the text says in so many words (``(2)`` at the end of the
    Freecells line, the length of "cells" in JSON); else the variant's, or as many as are listed
    where that is more.

    Raises InvalidBoard with every fault: its line, the card, and what is wrong.
    """
    for name, count, low, high in (
        ("columns", columns, 1, MAX_COLUMNS),
        ("cells", cells, 0, MAX_CELLS),
    ):
        if count is not None and (type(count) is not int or not low <= count <= high):
            raise InvalidBoard(f"{name}={count!r}: a board has {low} to {high} {name}")
    if not isinstance(text, str):
        raise InvalidBoard(f"a board is read from str, not from {type(text).__name__}")
    if len(text) > MAX_LENGTH:
        raise InvalidBoard(f"{len(text)} characters of text: a board takes {MAX_LENGTH} at most")
    text = _VARIATION_SELECTORS.sub("", text.removeprefix("\ufeff"))
    if not text.strip():
        raise InvalidBoard("0 of 52 cards: the text is empty")

    draft = _Draft()
    expected = variant.columns if columns is None else columns
    if text.lstrip().startswith(("{", "[")):
        _read_json(draft, text)
    else:
        _read_lines(draft, text, expected, variant.cells if cells is None else cells)
    if len(draft.columns) not in (0, expected):
        found = len(draft.columns)
        draft.faults.append(f"{found} column{'s' * (found != 1)} found, {expected} expected")
    draft.settle_cells(variant, cells)
    return draft.board(), tuple(draft.notes)


class _Draft:
    """What was read so far: printed cards and ranks, faults and notes."""

    def __init__(self) -> None:
        self.columns: list[list[int]] = []
        self.cells: list[int | None] = []
        self.cells_said: int | None = None  # how many there are, where the text says so
        self.cells_where = "cells"
        self.tops: list[int | None] = [None] * 4  # per suit the rank on top of its foundation
        self.base = 0
        self.places: defaultdict[int, list[str]] = defaultdict(list)  # where a card was seen
        self.faults: list[str] = []
        self.notes: list[str] = []

    def fault(self, where: str, what: str) -> None:
        self.faults.append(f"{where}: {what}")

    def places_of(self, names: Iterable[object], where: str) -> list[int | None]:
        """Cards, and None for places named as empty; what is neither is a fault."""
        found: list[int | None] = []
        strange = []
        for name in names:
            if name in _EMPTY:
                found.append(None)
            elif isinstance(name, str) and name in _CARDS:
                found.append(_CARDS[name])
                self.places[_CARDS[name]].append(where)
            else:
                strange.append(name)
        if strange:
            listed = ", ".join(map(_quoted, strange[:8]))
            more = f" and {len(strange) - 8} more" if len(strange) > 8 else ""
            verb = "is not a card" if len(strange) == 1 else "are not cards"
            self.fault(where, f"{listed}{more} {verb}")
        return found

    def cards_of(self, places: Iterable[int | None], where: str) -> list[int]:
        """The same without empty places, which are a fault here."""
        found = []
        for card in places:
            if card is None:
                self.fault(where, "an empty place among the cards")
            else:
                found.append(card)
        return found

    def read_base(self, name: object, where: str) -> None:
        if isinstance(name, str) and name in _RANKS and name != "0":
            self.base = _RANKS[name]
        else:
            self.fault(where, f"{_quoted(name)} is not a rank A 2 .. K")

    def settle_cells(self, variant: Variant, asked: int | None) -> None:
        """Brings the cells to the number that was asked for, or said, or is usual."""
        said = self.cells_said
        count = max(variant.cells, len(self.cells)) if said is None else said
        if asked is not None:
            count = asked
        elif count != variant.cells:
            self.notes.append(
                f"{self.cells_where}: {count} cells, where {variant.name} has {variant.cells}"
            )
        held = [card for card in self.cells if card is not None]
        if len(held) > count:
            self.fault(self.cells_where, f"{len(held)} cards in {count} cells")
            self.cells = [*held]
        elif any(card is not None for card in self.cells[count:]):
            self.cells = [*held]
        else:
            self.cells = self.cells[:count]
        self.cells += [None] * (count - len(self.cells))

    def board(self) -> Board:
        """The Board, its cards counted from the base. Raises InvalidBoard."""
        base = self.base

        def counted(card: int) -> int:
            return cards.card_of((cards.rank(card) - base) % 13, cards.suit(card))

        columns = [[counted(card) for card in column] for column in self.columns]
        cells = [None if card is None else counted(card) for card in self.cells]
        foundations = [0 if top is None else (top - base) % 13 + 1 for top in self.tops]
        places = {counted(card): " and ".join(where) for card, where in self.places.items()}
        faults = self.faults + find_faults(columns, cells, foundations, base, places)
        if faults:
            raise InvalidBoard(faults)
        return Board(columns, cells, foundations, base)


def _quoted(name: object) -> str:
    """A name as it was read, cut to 20 characters; of other values, which JSON has, the type."""
    return repr(name[:20]) if isinstance(name, str) else type(name).__name__


# Lines


def _read_lines(draft: _Draft, text: str, expected: int, usual_cells: int) -> None:
    shown: list[tuple[str, list[int | None]] | None] = []  # lines of cards; None: a blank line
    labels = set()
    for number, line in enumerate(re.split("\r\n|\r|\n", text), start=1):
        where = f"line {number}"
        label, colon, content = line.partition(":")
        label = label.strip()
        if not colon or not (label == "" or label.replace(" ", "").isalpha()):
            label, content = "", line
        kind = _LABELS.get(label.replace(" ", "").lower())
        if kind == "column":
            row = draft.places_of(content.split(), where)
            shown.append((where, row) if line.strip() else None)
            continue
        if kind is None:
            draft.fault(where, f"no line is labelled {_quoted(label)}")
        elif kind in labels:
            draft.fault(where, f"a second line {label!r}")
        elif kind == "home":
            _read_foundations(draft, content, where)
        elif kind == "cells":
            _read_cells(draft, content, where, usual_cells)
        elif kind == "base":
            draft.read_base(content.strip(), where)
        elif content.strip():
            draft.fault(where, "rows begin on the line after 'Rows:'")
        labels.add(kind)

    lines = [line for line in shown if line is not None]
    lengths = [len(row) for _, row in lines]
    if "rows" in labels:
        _fill_by_rows(draft, lines)
    elif len(lines) != expected and lengths == _deal_by_rows(sum(lengths), expected):
        _fill_by_rows(draft, lines)
        draft.notes.append(f"read row by row: {' '.join(map(str, lengths))} cards")
    else:
        if len(lines) != expected:
            lines = _with_blank_columns(shown, expected)
        draft.columns = [draft.cards_of(row, where) for where, row in lines]


def _with_blank_columns(
    shown: list[tuple[str, list[int | None]] | None], expected: int
) -> list[tuple[str, list[int | None]]]:
    """Blank lines are empty columns, but not at the end, nor at the start if they are too many."""
    while shown and shown[-1] is None:
        shown.pop()
    while shown and shown[0] is None and len(shown) > expected:
        shown.pop(0)
    return [("", []) if line is None else line for line in shown]


def _deal_by_rows(count: int, columns: int) -> list[int]:
    """The lengths of the rows in which a whole deal fills the columns; [] if it is not one."""
    if count < 52 - MAX_CELLS:
        return []
    full, rest = divmod(count, columns)
    return [columns] * full + [rest] * (rest > 0)


def _fill_by_rows(draft: _Draft, rows: Sequence[tuple[str, Sequence[int | None]]]) -> None:
    draft.columns = [[] for _ in range(max((len(row) for _, row in rows), default=0))]
    ended = set()
    for where, row in rows:
        for index, card in enumerate(row):
            if card is None:
                ended.add(index)
            elif index in ended:
                draft.fault(where, f"{cards.name(card)} lies on an empty place")
            else:
                draft.columns[index].append(card)


def _read_foundations(draft: _Draft, content: str, where: str) -> None:
    seen = set()
    for name in content.split():
        suit_name, _, rank_name = name.partition("-")
        suit = _SUITS.get(suit_name)
        empty = rank_name in ("", "0")
        if suit is None or "-" not in name or not (empty or rank_name in _RANKS):
            draft.fault(where, f"{_quoted(name)} is not a foundation such as H-0, C-A or S-T")
            continue
        if suit in seen:
            draft.fault(where, f"a second foundation {cards.SUITS[suit]}")
        seen.add(suit)
        draft.tops[suit] = None if empty else _RANKS[rank_name]


def _read_cells(draft: _Draft, content: str, where: str, usual: int) -> None:
    draft.cells_where = where
    content = content.rstrip()
    said = _CELL_COUNT.search(content)
    if said:
        draft.cells_said = int(said[1])
        content = content[: said.start()].rstrip()
    names = content.split()
    # Two blanks and a card a cell, as fc-solve writes them: four blanks are an empty cell.
    if _FOUR_WIDE_CELLS.fullmatch(content) and len(content) <= 4 * usual:
        names = [content[start : start + 4].strip() for start in range(0, len(content), 4)]
    draft.cells = draft.places_of(names, where)


# JSON


def _read_json(draft: _Draft, text: str) -> None:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidBoard(f"not JSON: {error}") from None
    if not isinstance(document, dict) or "tableau piles" not in document:
        raise InvalidBoard('a board in JSON is {"tableau piles": [["JD", ...], ...]}')
    for where, names in _lists_of(draft, document, "tableau piles"):
        draft.columns.append(draft.cards_of(draft.places_of(names, where), where))
    if document.get("cells") is not None:
        draft.cells = draft.places_of(_list_of(draft, document["cells"], "cells"), "cells")
        draft.cells_said = len(draft.cells)
    if "base" in document:
        draft.read_base(document["base"], "base")
    for where, names in _lists_of(draft, document, "foundations"):
        home = draft.cards_of(draft.places_of(names, where), where)
        if not home:
            continue
        suit = cards.suit(home[0])
        if home != [cards.card_of((draft.base + n) % 13, suit) for n in range(len(home))]:
            draft.fault(where, f"not one suit in order from {cards.RANKS[draft.base]} up")
        elif draft.tops[suit] is not None:
            draft.fault(where, f"a second foundation {cards.SUITS[suit]}")
        else:
            draft.tops[suit] = cards.rank(home[-1])


def _list_of(draft: _Draft, value: object, where: str) -> list[object]:
    if isinstance(value, list):
        return value
    draft.fault(where, "not a list")
    return []


def _lists_of(
    draft: _Draft, document: dict[str, object], key: str
) -> Iterator[tuple[str, list[object]]]:
    for number, value in enumerate(_list_of(draft, document.get(key, []), key), start=1):
        where = f"{key.removesuffix('s')} {number}"
        yield where, _list_of(draft, value, where)


# Writing


def write_board(board: Board, style: Style = "fc-solve") -> str:
    """The board as text in one of four styles, which read_board reads back.

    "fc-solve"  a column a line;  "unicode"  the same with suit glyphs;  "rows"  as it lies on the
    table, a row a line;  "json"  one line of JSON. A fresh FreeCell deal is its columns or rows
    alone, as deal generators print it. Raises FcfastError for any other style.
    """
    if style == "json":
        return _write_json(board)
    if style not in ("fc-solve", "rows", "unicode"):
        raise FcfastError(f'style is "fc-solve", "rows", "json" or "unicode", not {style!r}')
    suits = cards.GLYPHS if style == "unicode" else cards.SUITS

    def name(card: int | None) -> str:
        return "--" if card is None else board.name(card)[0] + suits[cards.suit(card)]

    fresh = len(board.cells) == FREECELL.cells and [*map(len, board.columns)] == _FRESH
    lines = []
    if not fresh:
        if board.base:
            lines.append(f"Base: {cards.RANKS[board.base]}")
        tops = (f"{suits[suit]}-{_top(board, suit)}" for suit in _FOUNDATION_ORDER)
        lines.append(f"Foundations: {' '.join(tops)}")
        # Fewer cells than usual must be said, since many texts leave out cells that are empty.
        count = [f"({len(board.cells)})"] * (len(board.cells) < FREECELL.cells)
        lines.append(" ".join(["Freecells:", *map(name, board.cells), *count]))
    if style == "rows":
        if not fresh:
            lines.append("Rows:")
        for depth in range(max(1, *map(len, board.columns))):
            row = [column[depth] if depth < len(column) else None for column in board.columns]
            lines.append(" ".join(name(card) for card in row if card is not None or not fresh))
    else:
        colon = [] if fresh else [":"]
        lines += [" ".join([*colon, *map(name, column)]) for column in board.columns]
    return "\n".join(lines)


def _top(board: Board, suit: int) -> str:
    """The printed rank on top of a foundation, 0 if it is empty."""
    height = board.foundations[suit]
    return cards.RANKS[(height - 1 + board.base) % 13] if height else "0"


def _write_json(board: Board) -> str:
    document: dict[str, object] = {
        "tableau piles": [[board.name(card) for card in column] for column in board.columns],
        "cells": [None if card is None else board.name(card) for card in board.cells],
        "foundations": [
            [board.name(cards.card_of(rank, suit)) for rank in range(height)]
            for suit, height in enumerate(board.foundations)
        ],
    }
    if board.base:
        document["base"] = cards.RANKS[board.base]
    return json.dumps(document)
