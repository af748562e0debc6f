"""Commands that keep: games saved, loaded and resumed, records shown, and the way out.

Each takes the loop and the words after the command, and returns what to say. Imports errors and, of
play, files, game, records and saves.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fcfast.errors import FcfastError
from fcfast.play.files import path_of, read_file, write_new
from fcfast.play.game import Game
from fcfast.play.records import stats_text
from fcfast.play.saves import HEADING

if TYPE_CHECKING:
    from fcfast.play.loop import Loop

AGAIN = "Here is your game again."


class Quit(Exception):
    """The player leaves."""


def save(loop: Loop, words: list[str]) -> str:
    session = loop.session
    if not words:
        session.required_records()
        return "Kept: the next start offers it, and resume goes back to it." * session.keep()
    path = path_of(words)
    text = loop.game.to_text()
    if path.exists() and path.read_bytes().startswith(HEADING.encode()):
        question = f"{path} has a saved game already. Replace it? [yes/No] "
        if path != session.file and loop.ask(question, ("yes", "no"), "no") == "no":
            raise FcfastError("Nothing is saved.")
        path.write_text(text, encoding="utf-8")
    else:
        write_new(path, text)
    session.file = path
    session.mark_safe()
    return f"The game is saved in {path}."


def load(loop: Loop, words: list[str]) -> str:
    if not words:
        return resume(loop, words)
    path = path_of(words)
    text = read_file(path)
    if not text.startswith(HEADING):
        raise FcfastError(f"this is not a saved game; if it is a board, `import {path}` plays it")
    said = loop.deal(Game.from_text(text), AGAIN)
    loop.session.file = path
    return said


def resume(loop: Loop, words: list[str]) -> str:
    loop.session.required_records()
    games = loop.session.kept_games()
    if not games:
        return "No other game is kept." if loop.session.kept else "No game is kept."
    which = words[0] if words else "1"
    if not re.fullmatch("[1-9][0-9]{0,5}", which) or int(which) > len(games):
        raise FcfastError(f"{which[:20]!r} is no kept game; kept lists them")
    kept, game = games[int(which) - 1]
    return loop.deal(game, AGAIN, kept)


def kept(loop: Loop, _: list[str]) -> str:
    loop.session.required_records()
    games = loop.session.kept_games()
    if not games:
        return "This game is kept; no other is." if loop.session.kept else "No game is kept."
    listed = [f"{n}: {loop.screen.status(game, None)}" for n, (_, game) in enumerate(games, 1)]
    this = "This game is kept too; " if loop.session.kept else ""
    which = ", `resume 2` with the second" * (len(games) > 1)
    return "\n".join([*listed, f"{this}resume goes on with the first{which}."])


def stats(loop: Loop, _: list[str]) -> str:
    return stats_text(loop.session.required_records())


def quit_(loop: Loop, _: list[str]) -> str:
    session = loop.session
    if session.at_stake and session.kept is None and loop.asks:
        if session.records is None:
            question = "Without records this game cannot be kept. Leave it? [yes/No] "
            goes_on = loop.ask(question, ("yes", "no"), "no") == "no"
        else:
            question = "Keep this game (no gives it up)? [Yes/no/cancel] "
            answer = loop.ask(question, ("yes", "no", "cancel"), "cancel", "yes")
            goes_on = answer == "cancel"
            if answer == "no":
                session.record()
        if goes_on:
            raise FcfastError("This game goes on.")
    raise Quit
