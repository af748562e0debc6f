"""Boards as SVG, drawn with shapes of our own, so that no font and no file is needed for the suits.

page.py makes a page of them that moves. Imports cards and, for types, board.

Cards are 100 wide and 140 high; a card shows its rank and suit in its upper strip, which is all
that is left of it where others lie on it.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from fcfast import cards

if TYPE_CHECKING:
    from fcfast.board import Board

WIDTH, HEIGHT = 100, 140
PITCH = 106  # from one column to the next
STRIP = 38  # from a card to the one that lies on it
TOP = 166  # where columns begin, below cells and foundations
MARGIN = 10

# Each suit in a box of 32 by 32 about its middle.
SUIT_PATHS = (
    "M0-15a7.3 7.3 0 0 1 5.6 12 7.3 7.3 0 1 1-3.3 11.4q.8 4 4.7 6.6h-14q3.9-2.6 4.7-6.6"
    "a7.3 7.3 0 1 1-3.3-11.4 7.3 7.3 0 0 1 5.6-12z",
    "M0-16q5 9 11.5 16q-6.5 7-11.5 16q-5-9-11.5-16q6.5-7 11.5-16z",
    "M0 15q-3.5-6-9-11.5c-8-8-3-17.5 3-17.5q4.5 0 6 5q1.5-5 6-5c6 0 11 9.5 3 17.5q-5.5 5.5-9 11.5z",
    "M0-16q3.5 6 9.5 11c7.5 6.5 3.5 15-2.5 15q-3.5 0-5.7-3q.8 5 4.7 8h-12q3.9-3 4.7-8"
    "q-2.2 3-5.7 3c-6 0-10-8.5-2.5-15q6-5 9.5-11z",
)
STYLE = """
.table{fill:var(--table,#1f6b4a)}
.place{fill:none;stroke:#fff;stroke-opacity:.35;stroke-width:2}
.hint{fill:#fff;fill-opacity:.22}
.face{fill:var(--face,#fffdf8);stroke:#000;stroke-opacity:.28}
.caption{fill:#fff;fill-opacity:.9}
.red{fill:var(--red,#c3203a)}
.black{fill:var(--black,#1d2430)}
text{font-family:Georgia,'Times New Roman',serif;font-weight:600}
""".strip()


def symbols() -> str:
    """The four suits, to be used by cards and places in the same SVG."""
    return "".join(f'<path id="suit{suit}" d="{path}"/>' for suit, path in enumerate(SUIT_PATHS))


def card_svg(card: int, base: int = 0) -> str:
    """A card with its upper left corner at 0, 0."""
    colour = "red" if cards.is_red(card) else "black"
    rank = cards.name(card, base)[0].replace("T", "10")
    squeezed = ' textLength="34" lengthAdjust="spacingAndGlyphs"' if rank == "10" else ""
    use = f'<use href="#suit{cards.suit(card)}"'
    return (
        f'<rect class="face" x=".5" y=".5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="9"/>'
        f'<g class="{colour}"><text x="8" y="31" font-size="32"{squeezed}>{rank}</text>'
        f'{use} transform="translate(79 20) scale(.88)"/>'
        f'{use} transform="translate(50 90) scale(1.9)"/></g>'
    )


class Layout:
    """Where the places of a board are, for columns of up to `deepest` cards."""

    def __init__(self, columns: int, cells: int, deepest: int) -> None:
        self.columns, self.cells = columns, cells
        across = max(columns, cells + 4)
        self.width = 2 * MARGIN + across * PITCH - (PITCH - WIDTH)
        self.height = TOP + (deepest - 1) * STRIP + HEIGHT + MARGIN
        self._shift = (across - columns) * PITCH // 2

    def column(self, index: int, depth: int) -> tuple[int, int]:
        return MARGIN + self._shift + index * PITCH, TOP + depth * STRIP

    def cell(self, index: int) -> tuple[int, int]:
        return MARGIN + index * PITCH, MARGIN

    def home(self, suit: int) -> tuple[int, int]:
        return self.width - MARGIN - WIDTH - (3 - suit) * PITCH, MARGIN

    def positions(self, board: Board) -> dict[int, tuple[int, int]]:
        """Where each card lies, in the order in which cards lie on each other."""
        found = {
            cards.card_of(rank, suit): self.home(suit)
            for suit, height in enumerate(board.foundations)
            for rank in range(height)
        }
        for index, card in enumerate(board.cells):
            if card is not None:
                found[card] = self.cell(index)
        for index, column in enumerate(board.columns):
            for depth, card in enumerate(column):
                found[card] = self.column(index, depth)
        return found

    def places_svg(self, caption: str = "") -> str:
        """The table, the outlines of all places, and a caption at the lower edge."""
        spots = [self.cell(index) for index in range(self.cells)]
        spots += [self.column(index, 0) for index in range(self.columns)]
        outlines = [_outline(*spot) for spot in spots]
        for suit in range(4):
            x, y = self.home(suit)
            outlines.append(
                _outline(x, y) + f'<use class="hint" href="#suit{suit}" '
                f'transform="translate({x + WIDTH // 2} {y + HEIGHT // 2}) scale(1.9)"/>'
            )
        table = f'<rect class="table" width="{self.width}" height="{self.height}" rx="14"/>'
        written = ""
        if caption:
            written = (
                f'<text class="caption" x="{2 * MARGIN}" y="{self.height - 16}" '
                f'font-size="26">{escape(caption)}</text>'
            )
        return table + "".join(outlines) + written


def board_svg(board: Board, caption: str = "") -> str:
    """The board as an SVG document, with its text as description for those who cannot see it."""
    layout = Layout(len(board.columns), len(board.cells), max(7, *map(len, board.columns)))
    layout.height += 40 * bool(caption)
    positions = layout.positions(board)
    covered = {
        cards.card_of(rank, suit)
        for suit, height in enumerate(board.foundations)
        for rank in range(height - 1)
    }
    drawn = "".join(
        f'<g transform="translate({x} {y})">{card_svg(card, board.base)}</g>'
        for card, (x, y) in positions.items()
        if card not in covered
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {layout.width} {layout.height}" '
        f'width="100%" style="max-width:{layout.width * 2 // 3}px" role="img">'
        f"<title>{escape(caption) or 'FreeCell board'}</title><desc>{board}</desc>"
        f"<style>{STYLE}</style><defs>{symbols()}</defs>{layout.places_svg(caption)}{drawn}</svg>"
    )


def _outline(x: int, y: int) -> str:
    return (
        f'<rect class="place" x="{x + 1}" y="{y + 1}" width="{WIDTH - 2}" '
        f'height="{HEIGHT - 2}" rx="9"/>'
    )
