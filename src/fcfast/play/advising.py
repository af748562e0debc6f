"""Commands that advise: hints, verdicts, reasons, what is legal, and the guard.

Each takes the loop and the words after the command, and returns what to say. Imports board, errors,
moves, rules and, of play, game and guide.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fcfast.board import Board
from fcfast.errors import IllegalMove, InvalidMove
from fcfast.moves import Move
from fcfast.play.game import Outcome
from fcfast.play.guide import Advice
from fcfast.rules import RunLimit

if TYPE_CHECKING:
    from fcfast.play.loop import Loop

HINT_SECONDS = 10.0
VERDICT_SECONDS = 1.0
_ABOUT_RUNS: dict[RunLimit, str] = {
    "standard": "The limit is (free cells + 1), doubled for every empty column that is not the "
    "target.",
    "linear": "The limit is free cells + empty columns + 1, the target not counted.",
    "single": "Only single cards move.",
    "unlimited": "",
}


def hint(loop: Loop, _: list[str]) -> str:
    if loop.game.outcome is Outcome.STUCK:
        return "No legal move is left: the game is over unless you undo."
    advice = loop.advise(HINT_SECONDS)
    if advice.verdict != "winnable":
        return _verdict(loop, advice, HINT_SECONDS)
    loop.game.hints += 1
    left = "the last move" if len(advice.line) == 1 else f"{len(advice.line)} moves to win"
    return f"Hint: {_shown(loop, advice.line[0])} ({left})."


def is_winnable(loop: Loop, _: list[str]) -> str:
    advice = loop.advise(VERDICT_SECONDS)
    if advice.verdict != "winnable":
        return _verdict(loop, advice, VERDICT_SECONDS)
    if loop.game.house.face_down:
        return "Yes, it can be won; solve tells how."
    loop.game.hints += 1
    return f"Yes, it can be won: {_written(loop, advice.line)}"


def solve(loop: Loop, _: list[str]) -> str:
    advice = loop.advise(HINT_SECONDS)
    if advice.verdict != "winnable":
        return _verdict(loop, advice, HINT_SECONDS)
    loop.game.plan(advice.line)
    return (
        f"{_written(loop, advice.line)}\n"
        "redo (or r) steps forward through it, undo (or u) back; redo 99 goes to the end."
    )


def _verdict(loop: Loop, advice: Advice, seconds: float) -> str:
    undo = " undo may help." if loop.game.turns else ""
    return {
        "won": "The game is won.",
        "lost": f"No, this position is lost: that is proved.{undo}",
        "lost but for cards back": "Lost, unless cards come back from the foundations: that is "
        "proved, and no win with cards coming back was found.",
        "unknown": f"Not known: neither a win nor a proof was found in {seconds:g} s.",
    }[advice.verdict]


def why(loop: Loop, words: list[str]) -> str:
    if not words:
        raise InvalidMove("Say a move too, such as `why 52`, or `why 52 3` for three cards.")
    count = int(words[1]) if words[1:] and re.fullmatch("[1-9]", words[1]) else None
    card = loop.game.card_named(words[0])
    try:
        move = loop.game.read(words[0], count)
    except InvalidMove:
        if card is None:
            raise
        move, card = loop.game.best_place(card), None
    reason = loop.game.reason(loop.game.board, move)
    if reason is not None and card is not None:  # then the card is what it means
        try:
            move, reason = loop.game.best_place(card), None
        except IllegalMove as error:
            reason = f"{reason}; {error}"
    if reason is None:
        return f"{_shown(loop, move)} is allowed."
    about = _ABOUT_RUNS[loop.game.house.variant.run_limit] if "too many" in reason else ""
    return loop.screen.with_cards(f"{move}: {reason}. {about}".rstrip())


def moves(loop: Loop, words: list[str]) -> str:
    found: dict[str, list[str]] = {}
    for move in loop.game.legal_moves():
        if not words or move.source in "".join(words).lower():
            found.setdefault(move.source, []).append(_shown(loop, move))
    if not found:
        return "No legal move" + (" from there." if words else " is left.")
    return "\n".join("; ".join(listed) for listed in found.values())


def _written(loop: Loop, line: tuple[Move, ...]) -> str:
    """A line as the player can type it."""
    words, game = [], loop.game
    board = game.board
    for move in line:
        words.append(game.typed(board, move))
        board = game.settled(board.moved(move))[0]
    return " ".join(words)


def _shown(loop: Loop, move: Move) -> str:
    """A move that can be made now, as it is typed and what it does."""
    game = loop.game
    said = loop.screen.move(game.board, move, game.house.face_down)
    return f"{game.typed(game.board, move)}: {said}"


# The guard


def guard(loop: Loop, words: list[str]) -> str:
    if words and words[0].lower() not in ("on", "off"):
        raise InvalidMove("guard on, or guard off?")
    loop.guard = not words or words[0].lower() == "on"
    return f"The guard is {'on' if loop.guard else 'off'}."


def look_before(loop: Loop) -> None:
    """Learns whether the game can be won, before a move."""
    if loop.game.board not in loop.session.verdicts:
        loop.session.verdicts[loop.game.board] = loop.advise(VERDICT_SECONDS).verdict


def look_after(loop: Loop, before: Board, move: Move) -> str:
    """A warning if a move from the board `before` has lost a game that could be won."""
    verdicts = loop.session.verdicts
    verdicts[loop.game.board] = verdict = loop.advise(VERDICT_SECONDS).verdict
    if verdicts[before] != "winnable" or not verdict.startswith("lost"):
        return ""
    loop.game.hints += 1
    typed = loop.game.typed(before, move)
    return f"Careful: {typed} lost the game (proved). undo takes it back."
