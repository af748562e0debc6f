"""Watch: plays a solution by itself, with keys to pause, step and change speed.

Imports, of play, game, guide, reader and screen.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from fcfast.play.game import Game, Outcome
from fcfast.play.guide import Guide, Verdict
from fcfast.play.reader import key_reader
from fcfast.play.screen import Screen

SEARCH_SECONDS = 60.0
FASTER = 1.5
NOTHING: dict[Verdict, str] = {
    "won": "The game is won already.",
    "lost": "This deal cannot be won under these rules: that is proved.",
    "lost but for cards back": "This deal cannot be won unless cards come back from home: that is "
    "proved, and no win with cards coming back was found.",
    "unknown": f"No solution was found in {SEARCH_SECONDS:g} s.",
}
KEYS = "space: pause   left right: step   up down: faster, slower   q: quit"


def watch(game: Game, screen: Screen, pause: float = 1.0) -> Verdict:
    """Shows a solution of a game's position, a move every `pause` seconds.

    Where nobody can press keys the moves follow each other at once. Where there is nothing to
    show it says why. Returns what is known of the position.
    """
    progress = screen.thinking() if screen.redraws else None
    advice = Guide().advise(game, SEARCH_SECONDS, progress)
    if advice.verdict != "winnable":
        screen.say(NOTHING[advice.verdict])
        return advice.verdict
    game.plan(advice.line)
    with key_reader() as key:
        screen.clear()
        screen.show(game)
        _play(game, screen, pause, key if screen.redraws else lambda seconds: "")
    return advice.verdict


def _play(game: Game, screen: Screen, pause: float, key: Callable[[float], str]) -> None:
    moving, due = True, time.monotonic() + pause
    said = ""
    while True:
        pressed = ""
        if screen.redraws:
            screen.say(f"{said}\n{KEYS}")
            pressed = key(max(0.0, due - time.monotonic()) if moving else 3600.0)
        if pressed == "q" or not (screen.redraws or game.future):
            return
        if pressed == " ":
            moving = not moving and bool(game.future)
        elif pressed in ("up", "+", "down", "-"):
            pause *= FASTER if pressed in ("down", "-") else 1 / FASTER
        elif pressed == "left" and game.turns:
            moving = False
            game.undo()
            said = f"Back to move {len(game.turns)}."
        elif pressed in ("right", "") and game.future:
            moving = moving and not pressed
            before = game.board
            game.redo()
            said = f"{len(game.turns)}. {screen.turn(before, game.turns[-1], game.house.face_down)}"
            if game.outcome is Outcome.WON:
                moving, said = False, f"{said} Won."
        due = time.monotonic() + pause
        if screen.redraws:
            screen.clear()
            screen.show(game)
        else:
            screen.say(said)
            if not screen.plain:
                screen.show(game)
