"""Guide: hints that win. Finds a winning line and keeps to it while the player does.

Imports board, moves, rules, solve and, of play, game and words.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from fcfast import cards
from fcfast.board import Board
from fcfast.moves import Move, singles
from fcfast.play.game import Game
from fcfast.play.words import moving_cards
from fcfast.result import Result, Status
from fcfast.solve import solve

if TYPE_CHECKING:
    from fcfast.native.engine import Progress

Verdict = Literal["won", "winnable", "lost", "lost but for cards back", "unknown"]
MEMORY = 512 * 2**20  # bytes; a second's search fills less


@dataclass(frozen=True)
class Advice:
    """What is known of a position.

    won       nothing is left to do
    winnable  line is a way to win, as the player makes it; autoplay is left out
    lost      proved: no way to win is left
    lost but for cards back
              proved for those who bring no card back from the foundations, as house rules allow;
              no such way to win was found
    unknown   neither was found in time
    """

    verdict: Verdict
    line: tuple[Move, ...] = ()


class Guide:
    """Advice on the positions of games under one set of house rules.

    Each line found is kept as the move to make on each of its boards, and the board that follows.
    Another line found later overwrites those it meets, so from any board that is known, following
    leads along one line, perhaps onto a later one, and so to the win.
    """

    def __init__(self) -> None:
        self._next: dict[Board, tuple[Move, Board]] = {}

    def advise(self, game: Game, seconds: float, progress: Progress | None = None) -> Advice:
        """A winning line from the game's position, or a proof that there is none.

        `progress` is called every 20 ms of a search, as solve() calls it.
        """
        known = self._known_line(game)
        if known is not None:
            return known
        due = time.monotonic() + seconds
        advice = self._search(game, game.board, seconds, progress)
        if advice.verdict == "lost" and game.house.take_back != "none":
            advice = self._search_with_moves_back(game, due, progress)
        board = game.board
        for move in advice.line:
            after = game.settled(board.moved(move))[0]
            self._next[board] = move, after
            board = after
        return self._known_line(game) or advice

    def _known_line(self, game: Game) -> Advice | None:
        board, line = game.board, []
        while not board.is_won:
            if board not in self._next:
                return None
            move, board = self._next[board]
            line.append(move)
        return Advice("winnable" if line else "won", tuple(line))

    def _search(
        self, game: Game, board: Board, seconds: float, progress: Progress | None
    ) -> Advice:
        plays_all = game.house.autoplay == "all"
        variant = game.house.variant
        if variant.run_limit == "single" and not plays_all:
            # What moves as a run also moves card by card, and runs are found far sooner.
            variant = variant.replace(run_limit="standard")
        result = solve(
            board,
            variant=variant,
            autoplay="all" if plays_all else "safe",
            time_limit=max(0.0, seconds),
            memory_limit=MEMORY,
            progress=progress,
        )
        if result.status is Status.SOLVED:
            return Advice("winnable", _as_played(game, board, result))
        if result.status is Status.LIMIT:
            return Advice("unknown")
        # Before the first move nothing has gone home by itself, so the proof is of another game.
        unsettled = plays_all and game.settled(board)[1]
        return Advice("unknown" if unsettled else "lost")

    def _search_with_moves_back(self, game: Game, due: float, progress: Progress | None) -> Advice:
        """Tries to win after bringing back one card, two cards, and so on."""
        seen = {game.board.key()}
        lines: list[tuple[Board, tuple[Move, ...]]] = [(game.board, ())]
        for board, line in lines:
            for move in game.moves_back(board):
                after = game.settled(board.moved(move))[0]
                if after.key() in seen:
                    continue
                seen.add(after.key())
                left = due - time.monotonic()
                advice = self._search(game, after, left, progress)
                if advice.verdict == "winnable":
                    return Advice("winnable", (*line, move, *advice.line))
                if advice.verdict == "unknown" or left < 0:
                    return Advice("unknown")
                lines.append((after, (*line, move)))
        return Advice("lost but for cards back")


def _as_played(game: Game, board: Board, result: Result) -> tuple[Move, ...]:
    """The moves of a solution that the player makes himself, where autoplay takes some home.

    The real board is always the solution's with some more cards home; what they could still carry
    is home too (notation.played says why), so all that a move may lack is some of its cards.
    """
    real, line = board, []
    for whole in result.moves:
        parts: tuple[Move, ...] = (whole,)
        if game.house.variant.run_limit == "single":
            parts = singles(board, whole, result.variant)
        for move in parts:
            left = [
                card
                for card in moving_cards(board, move)
                if cards.rank(card) >= real.foundations[cards.suit(card)]
            ]
            board = board.moved(move)
            if left:
                line.append(move._replace(count=len(left)))
                real = game.settled(real.moved(line[-1]))[0]
    return tuple(line)
