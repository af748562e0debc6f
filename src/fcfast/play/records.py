"""Records: finished games, bests, streaks and kept games, in one sqlite file.

The file is opened for each call and every change is one transaction, so two games at once only ever
wait for each other, and a crash leaves the state before or after a change. Imports errors and, of
play, game and words.
"""

from __future__ import annotations

import sqlite3
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fcfast.errors import FcfastError
from fcfast.play.game import Game, Outcome
from fcfast.play.words import clock_text

WIDTH = 79  # characters in a line of stats_text()
WAIT = 10.0  # seconds for another game's transaction, which takes a few milliseconds

# The steps from one version of the schema to the next; the file's version is how many it has had.
_STEPS = (
    """
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        ended REAL NOT NULL,      -- seconds since 1970
        deal TEXT NOT NULL,       -- its number, or its key in hexadecimal
        rules TEXT NOT NULL,      -- house rules as text
        outcome TEXT NOT NULL,    -- won, stuck, given up
        own INTEGER NOT NULL,     -- 0 where hints, a solution or the cheat helped
        seconds REAL NOT NULL,
        moves INTEGER NOT NULL,
        points INTEGER NOT NULL,
        hints INTEGER NOT NULL
    );
    CREATE INDEX games_by_deal ON games (deal, rules);
    CREATE TABLE kept (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        since REAL NOT NULL,
        game TEXT NOT NULL
    );
    """,
)


class RecordsError(FcfastError):
    """The records cannot be read or written; the message says why and where."""


@dataclass(frozen=True)
class Best:
    """The best own wins of one deal under one set of house rules."""

    seconds: float
    moves: int


@dataclass(frozen=True)
class Kept:
    """A game kept for later, as text."""

    id: int
    text: str


def default_path() -> Path:
    """Where this user's records are."""
    import platformdirs

    return Path(platformdirs.user_data_dir("fcfast", appauthor=False)) / "records.sqlite3"


class Records:
    """The records in one file, which is made when first written. Methods raise RecordsError."""

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        self.path = path
        self._now = now

    # Games

    def add(self, game: Game, kept: Kept | None = None) -> bool:
        """Records a game that is over or left, and drops what was `kept` of it.

        False, and nothing recorded, if that was dropped already: the game was ended elsewhere.
        """
        outcome = game.outcome
        if outcome is Outcome.PLAYING:
            outcome = Outcome.GIVEN_UP
        row = (
            *(self._now(), deal_of(game), str(game.house), str(outcome), not game.had_help),
            *(game.seconds, game.move_count, game.points, game.hints),
        )
        with self._open() as database:
            if kept is not None and not _drop(database, kept):
                return False
            database.execute(
                "INSERT INTO games VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
        return True

    def best(self, game: Game) -> Best | None:
        """The least time and the fewest moves of own wins of this deal under these rules."""
        with self._open() as database:
            seconds, moves = database.execute(
                "SELECT min(seconds), min(moves) FROM games"
                " WHERE deal = ? AND rules = ? AND outcome = 'won' AND own",
                (deal_of(game), str(game.house)),
            ).fetchone()
        return None if seconds is None else Best(seconds, moves)

    def stats(self) -> dict[str, Any]:
        """All of it as plain values: totals, streaks, per house rules, and bests per deal."""
        with self._open() as database:
            games = database.execute(
                "SELECT deal, rules, outcome, own, seconds, moves FROM games ORDER BY id"
            ).fetchall()
        by_rules: dict[str, list[Any]] = {}
        bests: dict[tuple[str, str], Best] = {}
        for game in games:
            deal, rules, outcome, own, seconds, moves = game
            by_rules.setdefault(rules, []).append(game)
            if outcome == "won" and own:
                best = bests.get((deal, rules), Best(seconds, moves))
                bests[deal, rules] = Best(min(seconds, best.seconds), min(moves, best.moves))
        return {
            **_totals(games),
            "rules": [{"rules": name, **_totals(rows)} for name, rows in by_rules.items()],
            "bests": [
                {"deal": deal, "rules": rules, "seconds": best.seconds, "moves": best.moves}
                for (deal, rules), best in bests.items()
            ],
        }

    # Kept games

    def keep(self, game: Game, instead: Kept | None = None) -> Kept:
        """Keeps a game for later, in place of an earlier state of it if that is given."""
        text = game.to_text()
        with self._open() as database:
            if instead is not None:
                _drop(database, instead)
            row = database.execute(
                "INSERT INTO kept (since, game) VALUES (?, ?)", (self._now(), text)
            ).lastrowid
        assert row is not None
        return Kept(row, text)

    def kept(self) -> list[Kept]:
        """The kept games, the last one first."""
        with self._open() as database:
            rows = database.execute("SELECT id, game FROM kept ORDER BY id DESC").fetchall()
        return [Kept(*row) for row in rows]

    def drop(self, kept: Kept) -> bool:
        """Takes a game out of those kept; False if another process was first."""
        with self._open() as database:
            return _drop(database, kept)

    # The file

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """The database in a transaction, of this version's schema."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, WAIT, isolation_level=None)) as database:
                if self._version(database) != len(_STEPS):
                    self._migrate(database)
                database.execute("BEGIN IMMEDIATE")
                try:
                    yield database
                except BaseException:
                    database.execute("ROLLBACK")
                    raise
                database.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            raise RecordsError(f"records in {self.path}: {error}") from None

    def _version(self, database: sqlite3.Connection) -> int:
        version: int = database.execute("PRAGMA user_version").fetchone()[0]
        if version > len(_STEPS):
            raise RecordsError(
                f"records in {self.path} are of version {version}, made by a newer fcfast; "
                f"this one knows {len(_STEPS)}"
            )
        return version

    def _migrate(self, database: sqlite3.Connection) -> None:
        """Brings the file to this version in one transaction; only one of two games does it."""
        database.execute("BEGIN IMMEDIATE")
        for step in _STEPS[self._version(database) :]:
            for statement in step.split(";"):
                database.execute(statement)
        database.execute(f"PRAGMA user_version = {len(_STEPS)}")
        database.execute("COMMIT")


def _drop(database: sqlite3.Connection, kept: Kept) -> bool:
    return database.execute("DELETE FROM kept WHERE id = ?", (kept.id,)).rowcount == 1


def deal_of(game: Game) -> str:
    """What tells deals apart: the number, or the start's key in hexadecimal."""
    return str(game.number) if game.number is not None else game.start.key().hex()


def stats_text(records: Records) -> str:
    """The records in lines."""
    stats = records.stats()
    place = f"The records are in {records.path}"
    if len(place) > WIDTH:
        place = f"The records are in\n{records.path}"
    if not stats["games"]:
        return f"No games are recorded yet.\n{place}"

    def totals(counts: dict[str, int]) -> str:
        played = counts["won"] + counts["lost"]
        share = f" ({100 * counts['won'] / played:.0f} %)" if played else ""
        return (
            f"{counts['won']} won of {played}{share}, {counts['helped']} more with help, "
            f"streak {counts['streak']}, longest {counts['longest_streak']}"
        )

    lines = [f"All games: {totals(stats)}"]
    lines += [f"{row['rules']}: {totals(row)}" for row in stats["rules"]]
    if stats["bests"]:
        lines += ["", "Bests:"]
    for best in stats["bests"][-20:]:
        deal = best["deal"] if len(best["deal"]) < 12 else "own deal"
        lines.append(
            f"Deal {deal}, {best['rules']}: {clock_text(best['seconds'])}, {best['moves']} moves"
        )
    wrapped = (textwrap.fill(line, WIDTH, subsequent_indent="  ") for line in lines)
    return "\n".join([*wrapped, "", place])


def _totals(games: list[Any]) -> dict[str, Any]:
    """Counts and streaks of rows of games, oldest first.

    A win with help counts for neither side and leaves the streak as it is; a loss is a loss.
    """
    won = lost = helped = streak = longest = 0
    for _, _, outcome, own, _, _ in games:
        if outcome != "won":
            lost, streak = lost + 1, 0
        elif not own:
            helped += 1
        else:
            won, streak = won + 1, streak + 1
            longest = max(longest, streak)
    return {
        "games": len(games),
        "won": won,
        "lost": lost,
        "helped": helped,
        "streak": streak,
        "longest_streak": longest,
    }
