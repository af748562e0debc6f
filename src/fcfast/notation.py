"""Lists of moves as text, in the four notations that are in use, and the two counts of moves.

standard  ``52 3a 4h``: source and target. ``52`` moves the run that fits; to an empty column the
          largest, unless ``v`` and a hexadecimal count follow: ``52v3``. Autoplay is not written.
singles   the same pairs, one card each; home moves are written.
macro     ``52 7r a4``: ``r`` is the first free cell (as a source: the first whose card goes there),
          and ``a``, ``b``.. count the cards in cells in the order they came. Else like standard.
fc-solve  ``Move 3 cards from stack 1 to stack 4``, counted from 0; home moves are written.

Autoplay acts on the deal and after every move. Microsoft FreeCell waits for the first move; the
reader tries that too. Imports autoplay, board, cards, errors, moves and rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, get_args

from fcfast import cards, rules
from fcfast.autoplay import POLICIES, Policy, play_home
from fcfast.board import Board
from fcfast.errors import AutoplayConflict, FcfastError, IllegalMove, InvalidMove
from fcfast.moves import CELLS, COLUMNS, HOME, Move, singles
from fcfast.rules import FREECELL, Variant

Style = Literal["standard", "singles", "macro", "fc-solve"]
STYLES: tuple[Style, ...] = get_args(Style)

ANY_CELL = "r"


class Reading(NamedTuple):
    """What a text says: all moves, home moves included, and the policy and style that fitted."""

    moves: tuple[Move, ...]
    autoplay: Policy
    style: Style


# Writing


def write(
    board: Board,
    moves: Iterable[Move],
    style: Style = "standard",
    autoplay: Policy = "safe",
    variant: Variant = FREECELL,
) -> str:
    """The text of a full list of moves, home moves included, as made on `board`.

    In standard and macro notation the text leads where the list leads when it is replayed under
    the `autoplay` policy: what the policy takes home earlier than the list does is left out.
    singles and fc-solve write every move, so that no autoplay is needed.

    Raises IllegalMove for a list that breaks the rules, AutoplayConflict where the policy takes
    home a card that the list still builds on, ValueError for a style or policy that does not exist.
    """
    _require_style(style)
    if style == "fc-solve":
        return "\n".join(_sentence(move) for _, move in _replayed(board, moves, variant))
    if style == "singles":
        return " ".join(str(move) for move in _spelled_out(board, moves, variant))

    texts = []
    order: list[str] = []
    for before, move in played(board, moves, autoplay, variant):
        order = _cells_by_arrival(order, before)
        source, target = move.source, move.target
        if style == "macro":
            source = CELLS[order.index(source)] if source in order else source
            target = ANY_CELL if target in CELLS else target
        usual = most(before, move.source, move.target, variant)
        texts.append(source + target + (f"v{move.count:x}" if move.count != usual else ""))
    return " ".join(texts)


def played(
    board: Board, moves: Iterable[Move], autoplay: Policy, variant: Variant = FREECELL
) -> Iterator[tuple[Board, Move]]:
    """The moves that a player makes to follow a full list while autoplay takes cards home.

    Yields each with the board it is made on. That board always equals the list's own with some
    more cards home, so a run may be shorter than in the list, and a move may not be needed at all.
    Under "horne" and "safe" that always works out: what could still be put on a card that these
    take home goes home itself. Raises IllegalMove and AutoplayConflict as write() does.
    """
    real, _ = play_home(board, autoplay, variant)
    for number, (planned, move) in enumerate(_replayed(board, moves, variant), 1):
        left = [card for card in _cards_of(planned, move) if not _is_home(card, real)]
        if not left:
            continue
        step = move._replace(count=len(left))
        reason = rules.check(real, step, variant)
        if reason is not None:
            raise AutoplayConflict(
                f"move {number} ({move}) cannot be made under autoplay {autoplay!r}: {reason}"
            )
        yield real, step
        real, _ = play_home(real.moved(step), autoplay, variant)


def count_moves(
    board: Board, moves: Iterable[Move], autoplay: Policy = "safe", variant: Variant = FREECELL
) -> int:
    """The metric "moves": what a player does; a run is 1, and what the policy takes home is free.

    Raises what write() raises.
    """
    return sum(1 for _ in played(board, moves, autoplay, variant))


def count_singles(board: Board, moves: Iterable[Move], variant: Variant = FREECELL) -> int:
    """The metric "singles": every movement of a card, home moves included.

    A run counts its cheapest expansion; one that only house rules move at all counts its cards.
    Raises IllegalMove for a list that breaks the rules.
    """
    total = 0
    for before, move in _replayed(board, moves, variant):
        try:
            total += len(singles(before, move, variant))
        except IllegalMove:
            total += move.count
    return total


def _replayed(
    board: Board, moves: Iterable[Move], variant: Variant
) -> Iterator[tuple[Board, Move]]:
    """The moves, each with the board it is made on. Raises IllegalMove with its number."""
    for number, move in enumerate(moves, 1):
        reason = rules.check(board, move, variant)
        if reason is not None:
            raise IllegalMove(f"move {number} ({move}): {reason}")
        yield board, move
        board = board.moved(move)


def _spelled_out(board: Board, moves: Iterable[Move], variant: Variant) -> Iterator[Move]:
    """All moves card by card. Raises IllegalMove with the number of the move."""
    for number, (before, move) in enumerate(_replayed(board, moves, variant), 1):
        try:
            yield from singles(before, move, variant)
        except IllegalMove as error:
            raise IllegalMove(f"move {number}, {error}") from None


def _cards_of(board: Board, move: Move) -> tuple[int, ...]:
    if move.source in CELLS:
        return tuple(card for card in (board.cells[CELLS.index(move.source)],) if card is not None)
    return board.columns[COLUMNS.index(move.source)][-move.count :]


def _is_home(card: int, board: Board) -> bool:
    return cards.rank(card) < board.foundations[cards.suit(card)]


def _sentence(move: Move) -> str:
    source, target, count = move
    from_cell, to_cell = source in CELLS, target in CELLS
    many = f"{count} cards" if not from_cell and target in COLUMNS else "a card"
    origin = f"freecell {CELLS.index(source)}" if from_cell else f"stack {COLUMNS.index(source)}"
    if target == HOME:
        end = "the foundations"
    else:
        end = f"freecell {CELLS.index(target)}" if to_cell else f"stack {COLUMNS.index(target)}"
    return f"Move {many} from {origin} to {end}"


# Reading


def read(
    board: Board,
    text: str,
    variant: Variant = FREECELL,
    autoplay: Policy | None = None,
    style: Style | None = None,
) -> Reading:
    """Reads a list of moves made on `board`; case, blanks, commas and # comments do not matter.

    Style and policy are found out where they are not given: those count under which every move is
    legal, better those that win, and of these the one that takes least home by itself. The list
    need not win; verify() judges that. fc-solve's own output may be given whole.

    Raises InvalidMove for text that is no move, IllegalMove for a list that no policy fits: the
    number of the move, its text and the rule it breaks under the policy that gets furthest;
    ValueError for a style or policy that does not exist.
    """
    text = re.sub(r"#.*", "", text).lower()
    best: _Attempt | None = None
    for steps, tried_style in _parsed(text, style):
        for policy in POLICIES if autoplay is None else (autoplay,):
            for start in _starts(board, policy, variant):
                attempt = _attempt(board, start, steps, tried_style, policy, variant)
                if best is None or attempt.rank() > best.rank():
                    best = attempt
    assert best is not None
    if best.fault is not None:
        raise best.fault
    return Reading(tuple(best.moves), best.policy, best.style)


class _Step(NamedTuple):
    """One move of a text. `many` is None where the style says how many cards it moves."""

    text: str
    source: str
    target: str
    many: int | None


class _Attempt(NamedTuple):
    """How far a text replays under one style and policy."""

    policy: Policy
    style: Style
    moves: list[Move]
    steps_made: int
    won: bool
    fault: FcfastError | None

    def rank(self) -> tuple[bool, bool, int]:
        return self.fault is None, self.won, self.steps_made


_PLACES = COLUMNS + CELLS + HOME + ANY_CELL
_PAIR = re.compile(rf"([{_PLACES}])([{_PLACES}])(?:v([1-9a-d]))?")
_SENTENCE = re.compile(
    r"move (?:a|([0-9]{1,3})) cards? from (stack|freecell) ([0-9]{1,3})"
    r" to (?:(stack|freecell) ([0-9]{1,3})|the foundations)"
)
# What fc-solve prints around its moves: boards, rules, and how the search went.
_AROUND = re.compile(r"(?:[-=:]|foundations:|freecells:|this game is|total number|this scan).*|")


def _parsed(text: str, style: Style | None) -> list[tuple[list[_Step], Style]]:
    """The steps of a text, with the style or styles they may be in."""
    if style is not None:
        _require_style(style)
    if style == "fc-solve" or (style is None and re.search(r"\bmove\b", text)):
        return [(_parse_sentences(text), "fc-solve")]
    steps = _parse_pairs(text)
    if style is not None:
        return [(steps, style)]
    if any(ANY_CELL in (step.source, step.target) for step in steps):
        return [(steps, "macro")]
    if any(step.many for step in steps):
        return [(steps, "standard")]
    return [(steps, "standard"), (steps, "singles")]


def _parse_pairs(text: str) -> list[_Step]:
    steps: list[_Step] = []
    for word in text.replace(",", " ").split():
        start = 0
        while start < len(word):
            pair = _PAIR.match(word, start)
            if pair is None:
                raise InvalidMove(f"move {len(steps) + 1} ({word[start : start + 20]}): not a move")
            source, target, count = pair.groups()
            steps.append(_Step(pair[0], source, target, int(count, 16) if count else None))
            start = pair.end()
    return steps


def _parse_sentences(text: str) -> list[_Step]:
    steps: list[_Step] = []
    for line in text.splitlines():
        line = " ".join(line.split())
        if _AROUND.fullmatch(line):
            continue
        number = f"move {len(steps) + 1}"
        sentence = _SENTENCE.fullmatch(line)
        if sentence is None:
            raise InvalidMove(f"{number} ({line[:60]}): not a move")
        count, *places = sentence.groups()
        names = []
        for kind, index in (places[:2], places[2:]):
            known = CELLS if kind == "freecell" else COLUMNS
            if kind is not None and int(index) >= len(known):
                raise InvalidMove(f"{number} ({line}): no {kind} {index}")
            names.append(HOME if kind is None else known[int(index)])
        steps.append(_Step(line, names[0], names[1], int(count or 1)))
    return steps


def _starts(board: Board, policy: Policy, variant: Variant) -> list[tuple[Move, ...]]:
    """What autoplay may do before the first move: all it can, or nothing."""
    made = play_home(board, policy, variant)[1]
    return [made, ()] if made else [()]


def _attempt(
    board: Board,
    start: tuple[Move, ...],
    steps: list[_Step],
    style: Style,
    policy: Policy,
    variant: Variant,
) -> _Attempt:
    """Replays the steps, autoplay between them, up to the first that breaks a rule."""
    moves = list(start)
    for move in start:
        board = board.moved(move)
    order: list[str] = []
    for made, step in enumerate(steps):
        order = _cells_by_arrival(order, board)
        try:
            move = _meant(board, step, style, order, variant)
            reason = rules.check(board, move, variant)
            if reason is not None:
                raise IllegalMove(reason)
        except (InvalidMove, IllegalMove) as error:
            label = f"move {made + 1} ({step.text}), autoplay {policy}"
            fault = type(error)(f"{label}: {error}")
            return _Attempt(policy, style, moves, made, False, fault)
        board, home = play_home(board.moved(move), policy, variant)
        moves += (move, *home)
    return _Attempt(policy, style, moves, len(steps), board.is_won, None)


def _meant(board: Board, step: _Step, style: Style, order: list[str], variant: Variant) -> Move:
    """The move that a step stands for on a board; it need not be legal.

    Raises IllegalMove where macro notation finds no cell for it.
    """
    source, target = step.source, step.target
    if style == "macro":
        if source in CELLS[: len(order)]:
            source = order[CELLS.index(source)]
        if target == ANY_CELL:
            if None not in board.cells:
                raise IllegalMove("no cell is free")
            target = CELLS[board.cells.index(None)]
        if source == ANY_CELL:
            for cell in order:
                if rules.check(board, Move(cell, target), variant) is None:
                    source = cell
                    break
            else:
                raise IllegalMove("no card in a cell goes there")
    many = step.many
    if many is None:
        many = 1 if style == "singles" else most(board, source, target, variant)
    return Move(source, target, many)


def most(board: Board, source: str, target: str, variant: Variant = FREECELL) -> int:
    """How many cards a move without a count means: the run that fits, else the largest, else 1."""
    if source not in COLUMNS[: len(board.columns)] or target not in COLUMNS[: len(board.columns)]:
        return 1
    column = board.columns[COLUMNS.index(source)]
    onto = board.columns[COLUMNS.index(target)]
    if column and onto:
        count = cards.rank(onto[-1]) - cards.rank(column[-1])
        return count if 1 <= count <= len(column) else 1
    legal = (
        count
        for count in range(len(column), 1, -1)
        if rules.check(board, Move(source, target, count), variant) is None
    )
    return next(legal, 1)


def _cells_by_arrival(order: list[str], board: Board) -> list[str]:
    """The cells with cards, those that were already in `order` first."""
    occupied = [place for place, card in zip(CELLS, board.cells, strict=False) if card is not None]
    return [place for place in order if place in occupied] + [
        place for place in occupied if place not in order
    ]


def _require_style(style: Style) -> None:
    if style not in STYLES:
        raise FcfastError(f"no style {style!r}; there are {', '.join(STYLES)}")
