"""Commands that move cards: moves and cards by name, turns, ends of games.

Each takes the loop and the words after the command, and returns what to say. Imports board,
errors, moves and, of play, advising, game and words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fcfast.errors import FcfastError, IllegalMove, InvalidMove
from fcfast.moves import CELLS, COLUMNS, FOUNDATIONS, HOME, Move
from fcfast.play import advising
from fcfast.play.game import Game, Outcome
from fcfast.play.words import clock_text

if TYPE_CHECKING:
    from fcfast.play.loop import Loop

_MOVE = re.compile(r"([0-9a-kxyz])([0-9a-kxyz])(v[1-9a-d])?", re.IGNORECASE)


# Moves and cards


def make_moves(loop: Loop, words: list[str]) -> str:
    """Plays several moves or cards; stops at the first that cannot be made."""
    if len(words) % 2 == 0 and all(len(word) == 1 for word in words):  # 4 a
        words = [source + target for source, target in zip(words[::2], words[1::2], strict=True)]
    steps: list[tuple[str, int | None]] = []  # a count is one digit: 12 is a move
    for word in words:
        if steps and re.fullmatch("[1-9]", word) and steps[-1][1] is None:
            steps[-1] = (steps[-1][0], int(word))
        elif is_move_or_card(loop.game, word):
            steps.append((word, None))
        else:
            raise InvalidMove(_unknown(word))
    said, hints = [], loop.game.hints  # a warning of the guard is one, and ends the line
    for word, count in steps:
        try:
            said.append(_step(loop, word, count))
        except FcfastError as error:
            said.append(loop.screen.with_cards(sentence(error)))
            break
        if loop.game.outcome is not Outcome.PLAYING or loop.game.hints > hints:
            break
    return "\n".join(filter(None, said))


def sentence(error: FcfastError) -> str:
    """What an error says, as a sentence."""
    said = str(error)
    if re.match("[a-z]+ ", said):  # but not a move
        said = said[0].upper() + said[1:]
    return said if said.endswith((".", "?", "`")) else f"{said}."


def is_move_or_card(game: Game, word: str) -> bool:
    """Is a word a move, if need be one to a place that this board has not, or a card?"""
    found = _MOVE.fullmatch(word)
    some_place = found is not None and (_is_place(game, found[1]) or _is_place(game, found[2]))
    return some_place or game.card_named(word) is not None


def _unknown(word: str) -> str:
    from fcfast.play.commands import like

    meant = like(word)
    hint = "Moves are like 4a, cards like 7h; help lists the rest."
    return f"I do not know {word[:20]!r}. {f'Did you mean {meant}?' if meant else hint}"


def _step(loop: Loop, word: str, count: int | None) -> str:
    """One move, or the card of that name if there is no such legal move."""
    game = loop.game
    card = game.card_named(word)
    found = _MOVE.fullmatch(word)
    if found is None or (
        card is not None and not all(_is_place(game, at) for at in found.group(1, 2))
    ):
        assert card is not None
        return _made(loop, game.best_place(card))
    try:
        return _made(loop, game.read(word, count), _other(game, word, card))
    except FcfastError as refusal:
        if card is None:
            raise
        try:
            return _made(loop, game.best_place(card))
        except FcfastError as error:
            raise IllegalMove(f"{refusal}; {error}") from None


def _other(game: Game, word: str, card: int | None) -> int | None:
    """The card of a word that is a move, if it could go somewhere too and is not what moves."""
    if card is None:
        return None
    try:
        place = game.best_place(card)
    except FcfastError:
        return None
    return None if place.source == word[0].lower() else card


def _made(loop: Loop, move: Move, other: int | None = None) -> str:
    """Makes a move and says so; `other` is a card that the player may have meant."""
    before = loop.game.board
    if loop.guard:
        advising.look_before(loop)
    turn = loop.game.move(move)
    said = loop.screen.turn(before, turn, loop.game.house.face_down)
    if other is not None:
        name = before.name(other).replace("T", "10").lower()
        said += f" For {loop.screen.card(before, other)} say `card {name}`."
    warning = advising.look_after(loop, before, move) if loop.guard else ""
    return "\n".join(filter(None, [said, warning, _after_turn(loop)]))


def _after_turn(loop: Loop) -> str:
    """What a player should know after a move."""
    game = loop.game
    if game.outcome is Outcome.WON:
        return _won(loop)
    if game.outcome is Outcome.STUCK:
        return "No legal move is left. undo, restart or new?"
    if game.can_finish:
        return "All that is left is going home: type auto to finish."
    if not game.legal_moves():
        return "Only moves that change nothing are left."
    return ""


def _won(loop: Loop) -> str:
    game, recorded, best = loop.game, loop.session.recorded, loop.session.best
    said = f"You have won, in {game.move_count} moves and {clock_text(game.seconds)}."
    if game.ended:
        said = "You have won, as you asked."
    elif recorded is not None and loop.session.records is not None:
        said += f" It was recorded before, as {recorded}."
    elif game.had_help:
        said += " You had help, so it counts as a win with help."
    elif best is not None:
        if game.seconds < best.seconds:
            said += " Your best time for this deal!"
        if game.move_count < best.moves:
            said += " Your fewest moves for this deal!"
    loop.session.record()
    return f"{said} new deals another."


def _is_place(game: Game, place: str) -> bool:
    place = place.lower()
    held = COLUMNS[: len(game.board.columns)] + CELLS[: len(game.board.cells)] + HOME
    return place in held


# Turns


def undo(loop: Loop, words: list[str]) -> str:
    over = loop.game.ended
    count = loop.game.undo(_count(words))
    if over:
        stays = loop.session.recorded is not None and loop.session.records is not None
        return f"The game goes on{'; in the records it stays as it ended' * stays}."
    return f"{count} move{'s' * (count != 1)} taken back."


def redo(loop: Loop, words: list[str]) -> str:
    if loop.game.restarted:
        loop.game.redo()
        return "Back to where you were before the restart."
    said = ""
    for _ in range(_count(words)):
        before = loop.game.board
        loop.game.redo()
        said = loop.screen.turn(before, loop.game.turns[-1], loop.game.house.face_down)
        if not loop.game.future:
            break
    return "\n".join(filter(None, [said, _after_turn(loop)]))


def restart(loop: Loop, _: list[str]) -> str:
    game = loop.game
    if loop.session.recorded is not None:  # that game is over; this is another
        source = game.start if game.number is None else game.number
        return loop.deal(Game(source, game.house), "From the start again.")
    game.restart()
    return "From the start again; redo leads back."


def auto(loop: Loop, _: list[str]) -> str:
    before = loop.game.board
    turn = loop.game.auto()
    return "\n".join(filter(None, [loop.screen.turn(before, turn), _after_turn(loop)]))


def card(loop: Loop, words: list[str]) -> str:
    named = loop.game.card_named(words[0]) if words else None
    if named is None:
        raise InvalidMove("Say a card too, such as `card 7h`.")
    return _made(loop, loop.game.best_place(named))


def back(loop: Loop, words: list[str]) -> str:
    named = loop.game.card_named(words[0]) if len(words) == 2 else None
    if named is None:
        raise InvalidMove("Say a card and a place, such as `back 7h 5` or `back 7h a`.")
    board = loop.game.board
    if loop.game.house.take_back == "none":
        raise IllegalMove("cards do not come back from the foundations under these rules")
    if board.foundations[named % 4] != named // 4 + 1:
        raise IllegalMove(f"{board.name(named)} is not on top of its foundation")
    return _made(loop, Move(FOUNDATIONS[named % 4], words[1].lower()))


def _count(words: list[str]) -> int:
    if not words:
        return 1
    if not re.fullmatch("[1-9][0-9]{0,3}", words[0]):
        raise InvalidMove(f"{words[0][:20]!r} is not a number of moves")
    return int(words[0])


# Ends


def give_up(loop: Loop, _: list[str]) -> str:
    before = loop.session.recorded
    loop.game.give_up()
    loop.session.record()
    if loop.session.records is None:
        recorded = ""
    elif before is None:
        recorded = " and recorded as lost"
    else:
        recorded = f"; it was recorded before, as {before}"
    return f"Given up{recorded}. new deals another; undo plays on."


def cheat(loop: Loop, _: list[str]) -> str:
    if not loop.game.house.cheat:
        raise IllegalMove(f"{loop.game.house.name} has no cheat; windows has")
    answer = loop.ask("Win, lose or cancel? ", ("win", "lose", "cancel"), "cancel")
    if answer == "cancel":
        return "Cancelled."
    loop.game.cheat(answer == "win")
    if answer == "win":
        return _won(loop)
    loop.session.record()
    return "You have lost, as you asked."
