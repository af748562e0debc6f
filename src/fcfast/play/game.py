"""Game: one game under house rules, without a terminal. saves.py is its text.

A Turn is what one command did: the player's move and all that followed by itself. Turns never
change; undo and redo move them between two tuples, so one undo takes back a move with its autoplay.
Imports autoplay, board, boardtext, deals, errors, moves, notation, rules and, of play, codes and
houserules.
"""

from __future__ import annotations

import enum
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, get_args

from fcfast import cards, rules
from fcfast.autoplay import play_home
from fcfast.board import Board
from fcfast.boardtext import card_named
from fcfast.deals import deal, parse_number
from fcfast.errors import IllegalMove, InvalidDeal, InvalidMove, InvalidVariant, shown
from fcfast.moves import CELLS, COLUMNS, FOUNDATIONS, HOME, Move
from fcfast.notation import most
from fcfast.play import codes
from fcfast.play.houserules import HouseRules

Ended = Literal["", "given up", "cheated to win", "cheated to lose"]
ENDED: tuple[Ended, ...] = get_args(Ended)


class Outcome(enum.Enum):
    """How a game stands."""

    PLAYING = "playing"
    WON = "won"
    STUCK = "stuck"
    """Not one legal move is left; undo may still help."""
    GIVEN_UP = "given up"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Turn:
    """What one command did.

    made      the player's moves: one, or all those of auto()
    followed  what autoplay and finishing did after it
    board     the position after both; points, the points after both
    """

    made: tuple[Move, ...]
    followed: tuple[Move, ...]
    board: Board
    points: int

    @property
    def moves(self) -> tuple[Move, ...]:
        """Every movement in order."""
        return self.made + self.followed


class Game:
    """A game in progress.

    >>> game = Game(617, house_rules="web")
    >>> game.move("7a").board.name(game.board.cells[0])
    '3S'

    source       a deal number, a deal code, a Board, or the text of one of these; a Board keeps
                 its number of cells unless the house rules say another
    house_rules  a HouseRules, or its text: ``"linear"``, ``"web cells=2"``
    clock        counts the seconds, as time.monotonic does

    Moves that cannot be made raise IllegalMove with the reason, or InvalidMove for what is no move
    at all, and change nothing.
    """

    def __init__(
        self,
        source: int | str | Board = 1,
        house_rules: str | HouseRules = "web",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        house = HouseRules.parse(house_rules) if isinstance(house_rules, str) else house_rules
        if not isinstance(house, HouseRules):
            raise InvalidVariant(f"{shown(house)} is not HouseRules, nor their text")
        self.number: int | None = None
        if isinstance(source, str):
            source, house = _read_source(source, house)
        if isinstance(source, Board):
            if house.variant.cells != rules.preset(house.variant.name).cells:
                source = source.with_cells(house.variant.cells)
            self.start = source
            variant = house.variant.replace(columns=len(source.columns), cells=len(source.cells))
            house = house.replace(variant=variant)
        else:
            self.start = deal(source, house.variant)
            self.number = int(source)
            _require_dealt(self.number, house)
        self.house = house
        self.turns: tuple[Turn, ...] = ()
        self.future: tuple[Turn, ...] = ()
        self.undos = 0  # all that were made, for house rules that limit or count them
        self.hints = 0
        self.helped = False  # was a solution stepped through?
        self.ended: Ended = ""
        self._clock = clock
        self._spent = 0.0
        self._since: float | None = clock()
        self._left_by_restart: dict[str, Any] | None = None  # what redo brings back as a whole

    # How it stands

    @property
    def board(self) -> Board:
        """The position now."""
        return self.turns[-1].board if self.turns else self.start

    @property
    def points(self) -> int:
        """The points now; 0 where the house rules have none."""
        return self.turns[-1].points if self.turns else 0

    @property
    def move_count(self) -> int:
        """The player's moves: a run counts 1 and autoplay nothing.

        Where undos count, so does the move that was undone: each adds two.
        """
        return len(self.turns) + (2 * self.undos if self.house.undo_counts else 0)

    @property
    def seconds(self) -> float:
        """Time spent so far; stands still once the game is won or given up."""
        return self._spent + (0 if self._since is None else self._clock() - self._since)

    @seconds.setter
    def seconds(self, spent: float) -> None:
        self._spent, self._since = spent, None
        self._run_clock()

    @property
    def outcome(self) -> Outcome:
        """Won, stuck (no legal move at all), given up, or still being played."""
        if self.ended == "cheated to win" or self.board.is_won:
            return Outcome.WON
        if self.ended:
            return Outcome.GIVEN_UP
        return Outcome.PLAYING if self._can_move() else Outcome.STUCK

    @property
    def had_help(self) -> bool:
        """Did hints, a solution or the cheat help?"""
        return self.helped or self.hints > 0 or "cheat" in self.ended

    @property
    def restarted(self) -> bool:
        """Does redo bring back what restart() left?"""
        return self._left_by_restart is not None

    @property
    def undos_left(self) -> int | None:
        """How many undos the house rules still allow; None for any number."""
        return None if self.house.undo is None else max(0, self.house.undo - self.undos)

    @property
    def can_finish(self) -> bool:
        """Is all that is left going home?"""
        board, moves = play_home(self.board, "all", self.house.variant)
        return board.is_won and bool(moves)

    @property
    def code(self) -> str | None:
        """The deal's code, where it has one: numbered deals of plain FreeCell."""
        if self.number is None or self.number < 1 or not self._is_plain_freecell():
            return None
        return codes.write_code(self.number, self.house.variant.cells)

    def legal_moves(self) -> list[Move]:
        """Every legal move that changes the position, cards back from the foundations included."""
        return self.board.legal_moves(self.house.variant) + self.moves_back(self.board)

    def moves_back(self, board: Board) -> list[Move]:
        """The moves from foundations that the house rules allow on a board, one to a cell each."""
        if self.house.take_back == "none":
            return []
        targets = COLUMNS[: len(board.columns)]
        if None in board.cells:
            targets += CELLS[board.cells.index(None)]
        moves = (Move(suit, target) for suit in FOUNDATIONS for target in targets)
        return [move for move in moves if self.reason(board, move) is None]

    def reason(self, board: Board, move: Move) -> str | None:
        """Why the house rules forbid a move on a board; None if they do not. Cards that lie face
        down are not named."""
        reason = rules.check(board, move, self.house.variant, self.house.take_back)
        if reason is not None and self.house.face_down and move.source in COLUMNS:
            under = board.columns[COLUMNS.index(move.source)][-move.count : -1]
            if any(re.search(rf"\b{board.name(card)}\b", reason) for card in under):
                return f"those {move.count} cards do not go there as a run"
        return reason

    # Moving

    def read(self, text: str, count: int | None = None) -> Move:
        """The move that a text means now; it need not be legal.

        ``52`` moves the run that fits, or the largest into an empty column; ``52v3`` or `count`
        says how many. ``h5`` brings back the card that fits. Raises InvalidMove, and IllegalMove
        where ``h5`` fits no card or two.
        """
        found = re.fullmatch(r"(\w)(\w)(?:v([1-9a-d]))?", text.strip(), re.IGNORECASE | re.ASCII)
        if found is None:
            raise InvalidMove(f"{text[:20]!r} is not a move such as 4a, a5, 5h or 52")
        source, target = found[1].lower(), found[2].lower()
        count = int(found[3], 16) if found[3] else count
        for place in (source, target):
            self.board.require_place(place)
        if source == HOME:
            return self._read_back(target)
        if count is None:
            count = most(self.board, source, target, self.house.variant)
            if source in COLUMNS and self.reason(self.board, Move(source, target, count)):
                # A refusal should speak of cards that lie in order, and that are seen.
                column = self.board.columns[COLUMNS.index(source)]
                run = 1 if self.house.face_down else rules.end_run(self.house.variant, column)
                count = min(count, max(1, run))
        return Move(source, target, count)

    def card_named(self, text: str) -> int | None:
        """The card that a text names; None if none."""
        return card_named(text.replace("\ufe0f", "").lower(), self.board.base)

    def typed(self, board: Board, move: Move) -> str:
        """The text that read() takes for a move on a board."""
        if move.source in FOUNDATIONS:
            return f"{HOME}{move.target}"
        usual = most(board, move.source, move.target, self.house.variant)
        return f"{move}" if move.count == usual else f"{move}v{move.count:x}"

    def move(self, move: Move | str) -> Turn:
        """Makes a move, with all that follows by itself. Raises IllegalMove or InvalidMove."""
        if isinstance(move, str):
            move = self.read(move)
        return self.make_turn((move,))

    def make_turn(self, moves: Sequence[Move]) -> Turn:
        """Makes moves as one turn. Raises IllegalMove or InvalidMove, and then makes none."""
        if self.ended:
            raise IllegalMove(f"the game is over ({self.ended}); undo goes on with it")
        board, points = self.board, self.points
        for move in moves:
            reason = self.reason(board, move)
            if reason is not None:
                raise IllegalMove(f"{move}: {reason}")
            board = board.moved(move)
        board, followed = self.settled(board)
        if self.house.points:
            points += sum(map(_points, (*moves, *followed)))
        turn = Turn(tuple(moves), followed, board, points)
        self.turns += (turn,)
        # A move that was planned or undone keeps what comes after it.
        self.future = self.future[1:] if self.future[:1] == (turn,) else ()
        self._left_by_restart = None
        self._run_clock()
        return turn

    def best_place(self, card: int) -> Move:
        """The move of a card, with those that lie on it, to its best place. Raises IllegalMove."""
        board, name = self.board, self.board.name(card)
        if cards.rank(card) < board.foundations[cards.suit(card)]:
            raise IllegalMove(f"{name} is home")
        source, count = _find(board, card)
        if count > 1 and self.house.face_down:
            raise IllegalMove(f"{name} lies face down")
        if count > 1:
            for onto, above in pairwise(board.columns[COLUMNS.index(source)][-count:]):
                if not rules.fits(self.house.variant, above, onto):
                    raise IllegalMove(
                        f"{name} is covered: {board.name(above)} on {board.name(onto)} is no run"
                    )
        refusal = ""
        for target in self._targets(source, count):
            move = Move(source, target, count)
            reason = self.reason(board, move)
            if reason is None:
                return move
            if "too many" in reason:
                refusal = f" ({reason})"
        raise IllegalMove(f"there is no place for {name}{refusal}")

    def auto(self) -> Turn:
        """Sends home all that can go. Raises IllegalMove where nothing can."""
        moves = play_home(self.board, "all", self.house.variant)[1]
        if not moves:
            raise IllegalMove("no card can go home now")
        return self.make_turn(moves)

    def undo(self, count: int = 1) -> int:
        """Takes back up to `count` turns, each with its autoplay; says how many.

        Raises IllegalMove where there is none, or none is allowed any more.
        """
        if self.ended:
            self.ended = ""
            self._run_clock()
            return 1
        if not self.turns:
            raise IllegalMove("there is nothing to undo")
        if self.undos_left == 0:
            raise IllegalMove(f"all {self.house.undo} undos of this game are used")
        count = min(count, len(self.turns))
        if self.undos_left is not None:
            count = min(count, self.undos_left)
        self.future = self.turns[-count:] + self.future
        self.turns = self.turns[:-count]
        self.undos += count
        self._run_clock()
        return count

    def redo(self, count: int = 1) -> int:
        """Makes up to `count` undone turns again; says how many. Raises IllegalMove if none.

        After restart() the first one brings back all that was left, its clock and counts too.
        """
        if self._left_by_restart is not None:
            for name, value in self._left_by_restart.items():
                setattr(self, name, value)
            self._left_by_restart = None
            return len(self.turns)
        if not self.future or self.ended:
            raise IllegalMove("there is nothing to redo")
        count = min(count, len(self.future))
        self.turns += self.future[:count]
        self.future = self.future[count:]
        self._run_clock()
        return count

    def restart(self) -> None:
        """Begins the same deal again, clock and counts too; redo leads back, until a move."""
        if not self.turns and not self.ended:
            raise IllegalMove("the game is at its start")
        names = ("turns", "future", "undos", "hints", "helped", "ended", "seconds")
        left = {name: getattr(self, name) for name in names}
        self.turns, self.future = (), ()
        self.undos, self.hints, self.helped, self.ended = 0, 0, False, ""
        self.seconds = 0.0
        self._left_by_restart = left

    def give_up(self) -> None:
        """Ends the game as not won; undo takes that back."""
        self._end("given up")

    def cheat(self, win: bool) -> None:
        """Ends the game as the player likes. Raises IllegalMove unless the house rules cheat."""
        if not self.house.cheat:
            raise IllegalMove(f"{self.house.name} has no cheat; windows has")
        self._end("cheated to win" if win else "cheated to lose")

    def plan(self, moves: Iterable[Move]) -> None:
        """Puts a line of moves where redo finds it, to be stepped through."""
        made = self.turns
        ahead = [self.make_turn((move,)) for move in moves]
        self.turns, self.future, self.helped = made, tuple(ahead), True
        self._run_clock()

    def settled(self, board: Board) -> tuple[Board, tuple[Move, ...]]:
        """A board when all has happened that follows a move by itself, and the moves made."""
        variant, finish = self.house.variant, self.house.finish
        board, moves = play_home(board, self.house.autoplay, variant)
        if finish == "always" or (finish == "ordered" and _is_ordered(board)):
            finished, more = play_home(board, "all", variant)
            if finished.is_won:
                return finished, moves + more
        return board, moves

    # Text

    def to_text(self) -> str:
        """The game as text that from_text() reads back exactly."""
        from fcfast.play.saves import write_game

        return write_game(self)

    @classmethod
    def from_text(cls, text: str, clock: Callable[[], float] = time.monotonic) -> Game:
        """Reads what to_text() writes, replaying every move. Raises InvalidSave."""
        from fcfast.play.saves import read_game

        return read_game(text, clock)

    # Details

    def _run_clock(self) -> None:
        """Stops the clock where the game is over, starts it where it is not."""
        over = bool(self.ended) or self.board.is_won
        if over and self._since is not None:
            self._spent, self._since = self.seconds, None
        elif not over and self._since is None:
            self._since = self._clock()

    def _end(self, how: Ended) -> None:
        if self.board.is_won:
            raise IllegalMove("the game is won already")
        self.ended = how
        self._run_clock()

    def _can_move(self) -> bool:
        """Is anything legal, be it a move that changes nothing?"""
        if self.legal_moves():
            return True
        places = COLUMNS[: len(self.board.columns)] + CELLS[: len(self.board.cells)]
        return any(
            self.reason(self.board, Move(source, target, count)) is None
            for source in places
            for target in places
            for count in {1, most(self.board, source, target, self.house.variant)}
        )

    def _targets(self, source: str, count: int) -> Iterator[str]:
        """Where the card at the head of a moving run may go, best first."""
        columns = dict(zip(COLUMNS, self.board.columns, strict=False))
        whole = count == len(columns.pop(source, ()))  # into another empty column: no change
        filled = [place for place, column in columns.items() if column]
        empty = [] if whole else [place for place, column in columns.items() if not column]
        cells = []
        if source in COLUMNS and None in self.board.cells:
            cells = [CELLS[self.board.cells.index(None)]]
        if count == 1:
            yield HOME
        if self.house.send == "first":
            yield from sorted(filled + empty, key=COLUMNS.index)
        else:
            yield from filled
        if count == 1:
            yield from cells
        if self.house.send == "best":
            yield from empty

    def _read_back(self, target: str) -> Move:
        if self.house.take_back == "none":
            raise IllegalMove(f"h{target}: cards do not come back from the foundations")
        moves = [Move(suit, target) for suit in FOUNDATIONS]
        reasons = {move: self.reason(self.board, move) for move in moves}
        legal = [move for move in moves if reasons[move] is None]
        if len(legal) == 1:
            return legal[0]
        if legal:
            names = [self._top(move.source) for move in legal]
            raise IllegalMove(f"h{target}: {' or '.join(names)}? Say `back {names[0]} {target}`")
        likely = [reason for move, reason in reasons.items() if "no card" not in (reason or "")]
        raise IllegalMove(f"h{target}: {likely[0] if likely else 'no card is home'}")

    def _top(self, suit: str) -> str:
        index = FOUNDATIONS.index(suit)
        return self.board.name(cards.card_of(self.board.foundations[index] - 1, index))

    def _is_plain_freecell(self) -> bool:
        return (
            self.house.variant.replace(
                name=rules.FREECELL.name,
                cells=rules.FREECELL.cells,
                run_limit=rules.FREECELL.run_limit,
            )
            == rules.FREECELL
        )


def _read_source(text: str, house: HouseRules) -> tuple[int | Board, HouseRules]:
    if codes.is_code(text):
        number, cells = codes.read_code(text)
        return number, house.replace(variant=rules.FREECELL, cells=cells)
    try:
        return parse_number(text), house
    except InvalidDeal:
        if len(text.split()) < 2 and not text.startswith(("{", "[")):
            raise
    return Board.parse(text, house.variant), house


def _require_dealt(number: int, house: HouseRules) -> None:
    if number < 0 and not house.jokes:
        raise InvalidDeal(
            f"{house.name} does not deal {number}; windows does (`rules windows` or "
            "`rules jokes=on`; at the shell --rules windows or --jokes)"
        )
    if number > house.last_deal:
        raise InvalidDeal(
            f"{house.name} deals 1..{house.last_deal}, not {number} (`rules last_deal=all` deals "
            "more; at the shell --last-deal all)"
        )


def _find(board: Board, card: int) -> tuple[str, int]:
    """The place of a card in play, and how many cards there are from it to the end."""
    if card in board.cells:
        return CELLS[board.cells.index(card)], 1
    for place, column in zip(COLUMNS, board.columns, strict=False):
        if card in column:
            return place, len(column) - column.index(card)
    raise InvalidMove(f"no card {card!r}")


def _is_ordered(board: Board) -> bool:
    """Are the cells empty, and does no card lie on a lower one?"""
    return board.cells.count(None) == len(board.cells) and all(
        cards.rank(below) >= cards.rank(above)
        for column in board.columns
        for below, above in pairwise(column)
    )


def _points(move: Move) -> int:
    if move.target == HOME:
        return 10
    return 5 if move.source in CELLS and move.target in COLUMNS else 0
