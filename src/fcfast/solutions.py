"""Solutions as text: what `fcfast solve` prints and `fcfast verify` reads.

Imports board, deals, errors and rules. The notations of the moves themselves are notation.py's.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from fcfast.autoplay import POLICIES, Policy
from fcfast.board import Board
from fcfast.deals import deal
from fcfast.errors import FcfastError, InvalidBoard
from fcfast.notation import STYLES, Style
from fcfast.notation import read as read_moves
from fcfast.notation import write as write_moves
from fcfast.rules import PRESETS, Variant, preset

if TYPE_CHECKING:
    from fcfast.moves import Move
    from fcfast.result import Result
    from fcfast.shortest import AllShortest

EVERY_MOVE: tuple[Style, ...] = ("singles", "fc-solve")  # these write home moves too
HEADING = re.compile(r"Moves \(([\w-]+) notation, autoplay (\w+)\):")
CITATION = re.compile(r"Deal (-?\d+) \(Microsoft\)")


@dataclass(frozen=True)
class Solution:
    """What a text says: moves, and where it names them the board, rules, notation and autoplay."""

    moves: str
    board: Board | None = None
    variant: Variant | None = None
    deal: int | None = None
    notation: Style | None = None
    autoplay: Policy | None = None


def citation(number: int | None) -> str:
    """How a board is named to others: its number says all, with the shuffle it belongs to."""
    return "Board without a number" if number is None else f"Deal {number} (Microsoft)"


def describe(variant: Variant) -> str:
    """``freecell``, ``freecell, 8 columns, 2 cells``, or JSON where that does not say all."""
    known = PRESETS.get(variant.name)
    if known == variant:
        return variant.name
    if known and known.replace(columns=variant.columns, cells=variant.cells) == variant:
        return f"{variant.name}, {variant.columns} columns, {variant.cells} cells"
    return variant.to_json()


def read_variant(text: str) -> Variant:
    """Reads what describe() writes, names of presets included. Raises InvalidVariant."""
    if text.lstrip().startswith("{"):
        return Variant.from_json(text)
    found = re.fullmatch(r"([^,]+), (\d+) columns, (\d+) cells", text.strip())
    if found is None:
        return preset(text.strip())
    return preset(found[1]).replace(columns=int(found[2]), cells=int(found[3]))


def write_text(
    result: Result,
    number: int | None,
    notation: Style,
    boards: bool = False,
    others: AllShortest | None = None,
) -> str:
    """The board, the moves ten a line, the verdict; with `boards` every position on the way.

    `others` are counted and listed after that.
    """
    parts = [
        f"{citation(number)}\nVariant: {describe(result.variant)}",
        result.board.to_text(),
    ]
    if result.moves:
        heading = f"Moves ({notation} notation, autoplay {_left_out(result, notation)}):"
        parts.append(f"{heading}\n{_ten_a_line(_tokens(result, notation), notation)}")
    parts.append(_verdict(result))
    if boards:
        parts.append(_positions(result))
    if others is not None:
        parts += _counted(result, notation, others)
    return "\n\n".join(part.rstrip("\n") for part in parts)


def write_json(
    result: Result, number: int | None, notation: Style, others: AllShortest | None = None
) -> str:
    """One JSON object on one line."""
    stats = result.stats
    counted = {} if others is None else {"shortest": _counted_fields(result, notation, others)}
    return json.dumps(
        counted
        | {
            "deal": number,
            "variant": asdict(result.variant),
            "board": result.board.to_text(),
            "status": result.status.name.lower(),
            "limit": result.limit,
            "notation": notation,
            "autoplay": _left_out(result, notation),
            "moves": _tokens(result, notation),
            "counts": {
                "moves": stats.moves,
                "singles": stats.singles,
                "autoplay": result.autoplay,
            },
            "metric": stats.metric,
            "lower_bound": stats.lower_bound,
            "proved": stats.proved,
            "history": [mark._asdict() for mark in stats.history],
            "nodes": stats.nodes,
            "seconds": round(stats.seconds, 6),
            "table_bytes": stats.table_bytes,
            "stage": stats.stage,
        }
    )


def read(text: str) -> Solution:
    """Reads what write_text and write_json write; any other text is taken for moves alone.

    Raises InvalidBoard where the board is not the deal it is said to be, and for texts without
    moves.
    """
    solution = _read_json(text) if text.lstrip().startswith("{") else _read_text(text)
    if not solution.moves.strip():
        raise FcfastError("there are no moves in it")
    number, variant = solution.deal, solution.variant
    if number is not None and variant is not None and deal(number, variant) != solution.board:
        raise InvalidBoard(f"the board is not {citation(number)}")
    return solution


def moves_of(text: str, board: Board, variant: Variant) -> tuple[Move, ...]:
    """All moves of a solution of `board`, as read() and notation.read() understand the text.

    Raises what they raise.
    """
    said = read(text)
    if said.board is not None and said.board != board:
        raise InvalidBoard("the solution is of another board")
    return read_moves(board, said.moves, variant, said.autoplay, said.notation).moves


def _read_json(text: str) -> Solution:
    try:
        fields: dict[str, Any] = json.loads(text)
        variant = Variant.from_json(json.dumps(fields["variant"]))
        return Solution(
            moves="\n".join(fields["moves"]),
            board=Board.parse(fields["board"], variant),
            variant=variant,
            deal=fields["deal"],
            notation=_style(fields["notation"]),
            autoplay=_policy(fields["autoplay"]),
        )
    except (json.JSONDecodeError, KeyError, TypeError, RecursionError) as error:
        raise FcfastError(f"not the JSON that solve writes: {error!r}") from None


def _read_text(text: str) -> Solution:
    above, *below = re.split(r"^(Moves \(.*\):)\n", text, maxsplit=1, flags=re.MULTILINE)
    lines = above.splitlines()
    if len(lines) < 2 or not lines[1].startswith("Variant: "):
        return Solution(moves=text)
    heading = HEADING.fullmatch(below[0]) if below else None
    if heading is None:
        return Solution(moves="")
    variant = read_variant(lines[1].removeprefix("Variant: "))
    number = CITATION.fullmatch(lines[0])
    return Solution(
        moves=below[1].split("\n\n")[0],
        board=Board.parse("\n".join(lines[3:-1]), variant),
        variant=variant,
        deal=int(number[1]) if number else None,
        notation=_style(heading[1]),
        autoplay=_policy(heading[2]),
    )


def _style(name: str) -> Style:
    if name not in STYLES:
        raise FcfastError(f"no notation {name!r}; there are {', '.join(STYLES)}")
    return name


def _policy(name: str) -> Policy:
    if name not in POLICIES:
        raise FcfastError(f"no autoplay {name!r}; there are {', '.join(POLICIES)}")
    return name


def _left_out(result: Result, notation: Style) -> Policy:
    """The policy whose home moves are not among the moves as written."""
    return "off" if notation in EVERY_MOVE else result.autoplay


def _tokens(result: Result, notation: Style, moves: tuple[Move, ...] | None = None) -> list[str]:
    """The result's moves one by one, or others of its board."""
    moves = result.moves if moves is None else moves
    if not moves:
        return []
    text = write_moves(
        result.board, moves, notation, autoplay=result.autoplay, variant=result.variant
    )
    return text.splitlines() if notation == "fc-solve" else text.split()


def _counted(result: Result, notation: Style, others: AllShortest) -> list[str]:
    if others.count is None:
        return [f"Limit of {others.limit} reached before all shortest solutions were counted"]
    parts = [f"Different shortest solutions: {others.count:,}"]
    for index, moves in enumerate(others.solutions, 1):
        rows = _ten_a_line(_tokens(result, notation, moves), notation)
        parts.append(f"Solution {index}:\n{rows}")
    return parts


def _counted_fields(result: Result, notation: Style, others: AllShortest) -> dict[str, Any]:
    return {
        "count": others.count,
        "limit": others.limit,
        "solutions": [_tokens(result, notation, moves) for moves in others.solutions],
    }


def _ten_a_line(tokens: list[str], notation: Style) -> str:
    a_line = 1 if notation == "fc-solve" else 10
    rows = (tokens[start : start + a_line] for start in range(0, len(tokens), a_line))
    return "\n".join(" ".join(row) for row in rows)


def _verdict(result: Result) -> str:
    stats = result.stats
    verdict = result.status.name.capitalize()
    if result.moves:
        verdict += f" of {result.limit} reached" if result.limit else ""
        verdict += f": {stats.moves} moves with autoplay {result.autoplay}, {stats.singles} singles"
        if stats.proved:
            verdict += " (proved shortest)"
        elif stats.lower_bound:
            verdict += f" (none has fewer {stats.metric} than {stats.lower_bound})"
    elif result.limit:
        verdict += f" of {result.limit} reached: neither solved nor proved impossible"
    else:
        verdict += ": every position was searched"
    return f"{verdict}\n{stats.nodes:,} nodes, {stats.seconds:.3f} seconds"


def _positions(result: Result) -> str:
    board = result.board
    parts = ["Boards:"]
    for index, move in enumerate(result.moves, 1):
        board = board.moved(move)
        cards_moved = f" ({move.count} cards)" if move.count > 1 else ""
        parts.append(f"{index}. {move}{cards_moved}\n{board.to_text()}".rstrip("\n"))
    return "\n\n".join(parts)
