"""A solution as one HTML page to step through, complete in itself: no network, no other file.

page.html is its frame; the cards are svg.py's. Imports board, cards, moves, result, svg and, of
play, words.
"""

from __future__ import annotations

import json
from html import escape
from importlib import resources
from string import Template

from fcfast import svg
from fcfast.errors import FcfastError
from fcfast.play.words import move_in_words, moving_cards
from fcfast.result import Result


def write_page(result: Result, title: str = "FreeCell") -> str:
    """The page of a solved board. Raises FcfastError for a result without moves."""
    if not result.moves:
        raise FcfastError("there is no solution to show")
    boards = [result.board]
    for move in result.moves:
        boards.append(boards[-1].moved(move))
    deepest = max(len(column) for board in boards for column in board.columns)
    layout = svg.Layout(len(result.board.columns), len(result.board.cells), deepest)
    start = layout.positions(result.board)
    steps = []
    for before, after, move in zip(boards, boards[1:], result.moves, strict=False):
        positions = layout.positions(after)
        words = move_in_words(before, move)
        steps.append(
            {
                "text": str(move),
                "words": f"{words[0].upper()}{words[1:]}",
                "cards": [[card, *positions[card]] for card in moving_cards(before, move)],
            }
        )
    drawn = "".join(
        f'<g id="c{card}" class="card" style="transform:translate({x}px,{y}px)">'
        f"{svg.card_svg(card, result.board.base)}</g>"
        for card, (x, y) in start.items()
    )
    stats = result.stats
    frame = resources.files("fcfast").joinpath("page.html").read_text(encoding="utf-8")
    return Template(frame).substitute(
        title=escape(title),
        summary=escape(
            f"{stats.moves} moves with autoplay {result.autoplay}, {stats.singles} singles"
        ),
        style=svg.STYLE,
        width=layout.width,
        height=layout.height,
        symbols=svg.symbols(),
        places=layout.places_svg(),
        cards=drawn,
        start="The deal",
        last=len(steps),
        notation=escape(result.notation()),
        data=json.dumps({"start": [[card, *spot] for card, spot in start.items()], "steps": steps}),
    )
