"""Games as text, exactly: deal, house rules and every move; read back by replaying them.

    fcfast game 1
    deal 617
    rules web cells=2
    ...
    check 5d1a0f3e

Imports board, errors, moves and, of play, game and houserules.
"""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Callable

from fcfast.board import Board
from fcfast.errors import FcfastError, InvalidSave
from fcfast.moves import Move
from fcfast.play.game import ENDED, Game, Turn
from fcfast.play.houserules import HouseRules

HEADING = "fcfast game 1"
MAX_LENGTH = 1_000_000
_MOVE = re.compile(r"([0-9a-zA-Z])([0-9a-z])(?:v([2-9a-d]))?")


def write_game(game: Game) -> str:
    """The text of a game."""
    fields = {
        "deal": "none" if game.number is None else str(game.number),
        "board": game.start.to_text("json"),
        "rules": str(game.house),
        "seconds": f"{game.seconds:.3f}",
        "undos": str(game.undos),
        "hints": str(game.hints),
        "helped": "yes" if game.helped else "no",
        "ended": game.ended or "no",
        "turns": " ".join(map(_write_turn, game.turns)),
        "redo": " ".join(map(_write_turn, game.future)),
    }
    lines = [HEADING, *(f"{name} {value}".rstrip() for name, value in fields.items())]
    text = "\n".join(lines) + "\n"
    return f"{text}check {_checksum(text)}\n"


def read_game(text: str, clock: Callable[[], float] = time.monotonic) -> Game:
    """The game of a text. Raises InvalidSave for text that write_game did not write."""
    if len(text) > MAX_LENGTH:
        raise InvalidSave(f"{len(text)} characters are too many for a saved game")
    text = text.replace("\r\n", "\n")
    if not text.startswith(HEADING + "\n"):
        raise InvalidSave(f"this is not a saved game: it should begin with {HEADING!r}")
    body, found, check = text.rstrip("\n").rpartition("\ncheck ")
    if not found or check != _checksum(body + "\n"):
        raise InvalidSave("the saved game was changed or cut off: its check does not fit")
    words = (line.partition(" ") for line in body.splitlines()[1:])
    fields = {name: value for name, _, value in words}
    try:
        return _replayed(fields, clock)
    except KeyError as error:
        raise InvalidSave(f"the saved game has no line {error}") from None
    except (FcfastError, ValueError) as error:
        raise InvalidSave(f"the saved game does not replay: {error}") from None


def _replayed(fields: dict[str, str], clock: Callable[[], float]) -> Game:
    house = HouseRules.parse(fields["rules"])
    board = Board.parse(fields["board"], house.variant)
    game = Game(board, house, clock)
    if fields["deal"] != "none":
        game = Game(int(fields["deal"]), house, clock)
    if game.start != board:
        raise InvalidSave(f"its board is not deal {fields['deal']}")
    for name in ("turns", "redo"):
        for word in fields[name].split():
            _make(game, word)
    undone = len(fields["redo"].split())
    if undone:
        game.future, game.turns = game.turns[-undone:], game.turns[:-undone]
    game.undos, game.hints = int(fields["undos"]), int(fields["hints"])
    game.helped = fields["helped"] == "yes"
    game.ended = ENDED[ENDED.index(fields["ended"].replace("no", ""))]
    game.seconds = max(0.0, float(fields["seconds"]))
    return game


def _write_turn(turn: Turn) -> str:
    return "+".join(f"{move}v{move.count:x}" if move.count > 1 else f"{move}" for move in turn.made)


def _make(game: Game, word: str) -> None:
    moves = []
    for text in word.split("+"):
        found = _MOVE.fullmatch(text)
        if found is None:
            raise InvalidSave(f"{text[:20]!r} is not a move")
        moves.append(Move(found[1], found[2], int(found[3] or "1", 16)))
    game.make_turn(moves)


def _checksum(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}"
