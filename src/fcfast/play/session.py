"""Session: the game being played, and what becomes of it: recorded, kept for later, or forgotten.

A game is recorded once: when it is won, given up, or left for another. One that was kept is never
lost by leaving it: the records then keep it as it stands. Nothing here reads or prints; trouble
with the records is told by trouble(), and ends their use. Imports errors and, of play, game, guide
and records.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from fcfast.board import Board
from fcfast.errors import FcfastError
from fcfast.play.game import Game, Outcome
from fcfast.play.guide import Guide
from fcfast.play.records import Best, Kept, Records, RecordsError

T = TypeVar("T")


class Session:
    """Games one after another, the records of them, and what is known of the one being played.

    game      the one being played
    kept      where the records keep it, if they do; file, the file it was saved in or loaded from
    recorded  how it was recorded: won, won with help, stuck, given up; None if it is not
    best      the best so far of its deal and house rules
    guide     its hints; verdicts, what the guard knows of its boards
    """

    def __init__(self, records: Records | None) -> None:
        self._records = records
        self._trouble = ""

    def begin(self, game: Game, kept: Kept | None = None) -> None:
        """Makes a game the one being played; the one before is forgotten."""
        self.game = game
        self.kept = kept
        self.file: Path | None = None
        self.recorded: str | None = None
        if game.ended or game.outcome is Outcome.WON:  # saved when it was over
            self.recorded = _ended_as(game)
        self.guide = Guide()
        self.verdicts: dict[Board, str] = {}
        self.best: Best | None = self._tried(lambda records: records.best(game))
        self.mark_safe()

    def mark_safe(self) -> None:
        """The game as it stands can be had again: from its deal, from a file, from the records."""
        self._safe = self.game.turns

    @property
    def at_stake(self) -> bool:
        """Would something be lost with this game?"""
        return (
            self.recorded is None
            and self.game.outcome in (Outcome.PLAYING, Outcome.STUCK)
            and bool(self.game.turns)
            and self.game.turns != self._safe
        )

    def record(self) -> None:
        """Records the game, once; it is not kept any more."""
        if self.recorded is not None:
            return
        self.recorded = _ended_as(self.game)
        kept, self.kept = self.kept, None
        if self._tried(lambda records: records.add(self.game, kept)) is False:
            self._trouble = "This game was ended elsewhere meanwhile; it is recorded only once."

    def keep(self) -> bool:
        """Keeps the game for later, in place of what was kept of it; False if that fails."""
        kept = self._tried(lambda records: records.keep(self.game, self.kept))
        if kept is None:
            return False
        self.kept = kept
        self.mark_safe()
        return True

    def kept_games(self) -> list[tuple[Kept, Game]]:
        """The games that are kept, but for the one being played; the last one first.

        What cannot be read is dropped, and told as trouble.
        """
        found = []
        for kept in self._tried(Records.kept) or []:
            try:
                game = Game.from_text(kept.text)
            except FcfastError as error:
                self.drop(kept)
                self._trouble = f"A kept game could not be read and is dropped: {error}."
            else:
                if self.kept is None or kept.id != self.kept.id:
                    found.append((kept, game))
        return found

    def drop(self, kept: Kept) -> None:
        """Keeps a game no longer."""
        self._tried(lambda records: records.drop(kept))

    @property
    def records(self) -> Records | None:
        """The records, as long as there are any."""
        return self._records

    def required_records(self) -> Records:
        """The records. Raises FcfastError where there are none."""
        if self._records is None:
            raise FcfastError("there are no records; save FILE and load FILE work")
        return self._records

    def trouble(self) -> str:
        """What went wrong with the records since the last call, if anything did."""
        trouble, self._trouble = self._trouble, ""
        return trouble

    def _tried(self, action: Callable[[Records], T]) -> T | None:
        """What `action` does with the records; None without them, and where they fail."""
        if self._records is None:
            return None
        try:
            return action(self._records)
        except RecordsError as error:
            self._records = None
            self._trouble = f"{error}. Nothing is recorded from here on."
            return None


def _ended_as(game: Game) -> str:
    helped = game.outcome is Outcome.WON and game.had_help
    return f"{game.outcome}{' with help' * helped}"
