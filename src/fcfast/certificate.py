"""Certificates: files from which a verdict can be confirmed without trusting the search.

Imports autoplay, board, cards, errors, moves, rules and verify, and of the native core only its
second checker. The search shares nothing with check() but the predicates over cards.

A certificate is one line of JSON, its header, and for a proof of impossibility a body.

    {"format": "fcfast certificate 2", "status": "solved" or "impossible",
     "variant": the rules, "columns": [[card..]..], "cells": [card or null..],
     "foundations": [n, n, n, n], "base": rank, "moves": [[source, target, count]..],
     "twins_from": rank}

Cards are numbers, 0 the ace of clubs to 51 the king of spades, four a rank. A solved board has
`moves`, its solution; verify() confirms it.

For an impossible board the body, compressed by zlib, is a set of positions. It proves that the
board cannot be won because it is *closed*: it holds the board itself, no position in it is one move
from a win, and every move from a position in it leads to a position in it. So no sequence of moves
leaves the set, and none wins. Four things are left out of the set, each without losing a win:

- The order of columns and of cells. No rule knows a column or a cell by its number.
- Cards that are safe at home. Before a position is looked up, every card goes home that the policy
  "safe" (autoplay.py) lets go. The claim behind it: if a position can be won in n movements of
  single cards, so can the one with that card home, in n or fewer; the card goes home once anyway,
  and what could have been put on it can go home instead (Blake and Gent, JAIR 85:21, appendix B).
  So a win in n movements from a position in the set, if there were one, would give a win in fewer
  from another position in the set, and so on down to none.
- Runs moved in one go, where single cards could be carried one by one to the same end. Where the
  rules let longer runs go (moves_runs() below) all of those moves are checked too.
- Which is which of twins, the two cards of one rank and colour, from the rank `twins_from` on (13:
  none). Only in variants that build in alternate colours, and only as long as both twins are loose:
  not home, not on a card that they were dealt on and do not fit on (or, dealt deepest in a column
  that they may not fill, still there), and without such a card on them. Loose twins fit on the same
  cards and the same cards fit on them, so a move onto a card, into a cell or an empty column is a
  move whichever is which. Home goes a card that is due or whose loose twin is due: then it is that
  twin, and what was called by that name is the other. By itself a card goes home only if it had no
  loose twin when the move was made. So one position stands for all that differ from it in the names
  of loose twins, and what follows after any move from any of these is in the set. That allows more
  than the rules do (which twin is which may be settled late), never less: what cannot be won so
  cannot be won.
  In the set's positions the names of loose twins are in order: from the kings down, the lower suit
  lies on the lower place, cards before the table before a cell. Of two twins both deepest in their
  columns the lower suit has less on it: in the first place, upwards, where the columns differ,
  loose twins being alike, it has the lower card, or none.

A position is a number of 120 bits in 15 bytes, most significant byte first; each is preceded by a
byte that says how many of the leading bytes are those of the position before, and are left out. The
number is 30 bits for each suit, clubs lowest. A suit with h cards home has the value

    first(h) + digit(h) * w(h) + ... + digit(12) * w(12)

over its cards in play, with w(12) = 1, w(11) = 3, w(r) = 5 * w(r + 1), and first(13) = 0, first(12)
= 1, first(h) = first(h + 1) + the number of values with h + 1 cards home. A card's digit says what
it lies on: 0, what it lies on in the header's board; 1 or 2, the lower or higher of the cards it
fits on; 3 (a king: 1) a cell; 4 (a king: 2) the table, deepest in its column. 0 goes first.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from fcfast import cards
from fcfast.autoplay import goes_by_itself
from fcfast.board import Board
from fcfast.errors import BadCertificate, BadSolution, FcfastError
from fcfast.moves import Move
from fcfast.result import Status
from fcfast.rules import Variant, as_variant, fills, fits, goes_home, run_limit, tables
from fcfast.verify import verify

FORMAT = "fcfast certificate 2"
KEY_BYTES = 15
SUIT_BITS = 30
FLOOR, CELL, HOME, NOWHERE = 52, 53, 54, 255
AS_TWIN = 56  # beside these: home, by the name of the loose twin
ALL_APART = len(cards.RANKS)  # twins_from, where all cards are told apart


# Writing


def write_solution(
    path: str | os.PathLike[str], board: Board, variant: Variant, moves: Iterable[Move]
) -> None:
    """A certificate that a board can be won."""
    with Path(path).open("wb") as file:
        file.write(_header(board, variant, "solved", moves=list(moves)))


def write_closed_set(
    path: str | os.PathLike[str],
    board: Board,
    variant: Variant,
    runs: Iterable[bytes],
    *,
    twins_from: int = ALL_APART,
) -> None:
    """A certificate that a board cannot be won. `runs` are positions end to end, best sorted."""
    import zlib  # only here: importing fcfast stays quick

    with Path(path).open("wb") as file:
        file.write(_header(board, variant, "impossible", twins_from=twins_from))
        packer = zlib.compressobj()
        last = bytes(KEY_BYTES)
        for run in runs:
            file.write(packer.compress(_without_shared(run, last)))
            last = run[-KEY_BYTES:]
        file.write(packer.flush())


def _header(board: Board, variant: Variant, status: str, **claim: object) -> bytes:
    header = {
        "format": FORMAT,
        "status": status,
        "variant": dataclasses.asdict(variant),
        "columns": board.columns,
        "cells": board.cells,
        "foundations": board.foundations,
        "base": board.base,
        **claim,
    }
    return json.dumps(header).encode() + b"\n"


def _without_shared(run: bytes, last: bytes) -> bytes:
    """Positions end to end as the body has them, `last` the one before."""
    packed = bytearray()
    for at in range(0, len(run), KEY_BYTES):
        key = run[at : at + KEY_BYTES]
        shared = 0
        while shared < KEY_BYTES - 1 and key[shared] == last[shared]:
            shared += 1
        packed.append(shared)
        packed += key[shared:]
        last = key
    return bytes(packed)


# Reading


@dataclasses.dataclass(frozen=True)
class Certificate:
    """What a certificate claims: a header, and where its positions are."""

    path: Path
    board: Board
    variant: Variant
    status: Status
    moves: tuple[Move, ...]
    twins_from: int

    def positions(self) -> Iterator[bytes]:
        """The positions, 15 bytes each. Raises BadCertificate for a damaged body."""
        import zlib

        key, data, packer = bytes(KEY_BYTES), b"", zlib.decompressobj()
        with self.path.open("rb") as file:
            file.readline()
            while not packer.eof:
                chunk = file.read(1 << 20)
                if not chunk:
                    raise BadCertificate("the body is damaged: it ends too soon")
                try:
                    data += packer.decompress(chunk)
                except zlib.error as error:
                    raise BadCertificate(f"the body is damaged: {error}") from None
                at = 0
                while at < len(data):
                    shared = data[at]
                    end = at + 1 + KEY_BYTES - shared
                    if shared >= KEY_BYTES:
                        raise BadCertificate("the body is damaged: not a position")
                    if end > len(data):
                        break
                    key = key[:shared] + data[at + 1 : end]
                    yield key
                    at = end
                data = data[at:]
        if data:
            raise BadCertificate("the body is damaged: a position is incomplete")


def read(path: str | os.PathLike[str]) -> Certificate:
    """The header of a certificate. Raises BadCertificate, or OSError for the file."""
    with Path(path).open("rb") as file:
        line = file.readline(1 << 20)
    try:
        header = json.loads(line)
        if header["format"] != FORMAT:
            raise BadCertificate(f"not a certificate of a format known here: {header['format']!r}")
        board = Board(
            header["columns"], header["cells"], header["foundations"], base=header["base"]
        )
        moves = tuple(Move(*move) for move in header.get("moves", ()))
        variant, twins_from = Variant(**header["variant"]), header.get("twins_from", ALL_APART)
        if type(twins_from) is not int or not 0 <= twins_from <= ALL_APART:
            raise BadCertificate(f"not a rank: {twins_from!r}")
        if twins_from < ALL_APART and variant.build != "alternate":
            raise BadCertificate("twins are not alike where columns build in suit")
        return Certificate(
            Path(path), board, variant, Status(header["status"]), moves, twins_from
        )
    except BadCertificate:
        raise
    except (FcfastError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise BadCertificate(f"not a certificate: {error}") from None


# Checking


def check(
    path: str | os.PathLike[str],
    source: int | Board | str | None = None,
    variant: Variant | str | None = None,
    *,
    plain: bool = False,
) -> Certificate:
    """Confirms a certificate, without the search; returns what it proves.

    source   the deal number, Board or text that it must be about; any if not given
    variant  the rules that it must be about; those of the certificate if not given
    plain    check in plain Python; else native code does the same, about 50 times faster

    Raises BadCertificate, saying what is wrong, if it does not prove its claim.
    """
    from fcfast.solve import as_board

    found = read(path)
    rules = found.variant
    if variant is not None:
        variant = as_variant(variant, cells=len(found.board.cells))
        variant = variant.replace(columns=len(found.board.columns))
        if dataclasses.replace(variant, name=rules.name) != rules:
            raise BadCertificate(f"it is about other rules: {rules}")
    if source is not None:
        named = source if isinstance(source, Board) else as_board(source, rules)
        if named.key() != found.board.key() or len(named.cells) != len(found.board.cells):
            raise BadCertificate("it is about another board")
    if found.status is Status.SOLVED:
        try:
            verify(found.board, found.moves, rules)
        except BadSolution as error:
            raise BadCertificate(f"the solution is wrong: {error}") from None
    elif found.status is Status.IMPOSSIBLE:
        (_check_closed if plain else _check_closed_natively)(found)
    else:
        raise BadCertificate("it claims nothing")
    return found


def _check_closed(found: Certificate) -> None:
    """The check in full: every position in the set, every move from it."""
    known = {int.from_bytes(key, "big") for key in found.positions()}
    table = _Table(found.board, found.variant, found.twins_from)
    if table.number_after_autoplay() not in known:
        raise BadCertificate("the board itself is not in the set")
    for number in known:
        table.set_up(number)
        for card, onto in table.moves():
            before = table.under.copy(), table.home.copy()
            table.move(card, onto)
            reached = table.number_after_autoplay()
            if sum(table.home) == 52:
                raise BadCertificate("a position in the set is one move from a win")
            if reached not in known:
                raise BadCertificate("a move leads out of the set")
            table.under, table.home = before


def _check_closed_natively(found: Certificate) -> None:
    """The same in native code (native/closed.pxd)."""
    from fcfast.native import engine

    board, variant = found.board, found.variant
    count = sum(1 for _ in found.positions())
    known = engine.ClosedSet(
        board.pack(),
        tables(variant, len(board.columns), len(board.cells)),
        count,
        moves_runs(variant),
        found.twins_from,
    )
    keys = found.positions()
    while batch := b"".join(islice(keys, 10_000)):
        known.add(batch)
    for fault in known.faults():
        raise BadCertificate(fault)


class _Table:
    """A position as what lies under each card, and its number."""

    def __init__(self, board: Board, variant: Variant, twins_from: int) -> None:
        self.variant, self.twins_from = variant, twins_from
        self.columns, self.cells = len(board.columns), len(board.cells)
        self.under = [HOME] * 52
        self.home = list(board.foundations)
        for column in board.columns:
            for below, card in zip((FLOOR, *column), column, strict=False):
                self.under[card] = below
        for held in board.cells:
            if held is not None:
                self.under[held] = CELL
        self.places = [self._digits(card) for card in cards.DECK]
        self.misfits = [card for card in cards.DECK if self._is_misfit(card)]
        self.weights = [1] * 13
        self.first = [0] * 14
        for rank in range(11, -1, -1):
            self.weights[rank] = self.weights[rank + 1] * (3 if rank == 11 else 5)
        for rank in range(12, -1, -1):
            values = 1 if rank == 12 else self.weights[rank + 1] * (3 if rank == 11 else 5)
            self.first[rank] = self.first[rank + 1] + values

    def _digits(self, card: int) -> list[int]:
        """What each digit of a card says it lies on; its place in the deal also stands as 0."""
        takers = [onto for onto in cards.DECK if fits(self.variant, card, onto)]
        if cards.rank(card) < 12:
            takers += [NOWHERE] * (2 - len(takers))
        return [self.under[card], *takers, CELL, FLOOR]

    def _is_misfit(self, card: int) -> bool:
        """Was the card dealt where it could not be put?"""
        below = self.under[card]
        if below == FLOOR:
            return not fills(self.variant, card)
        return below < 52 and not fits(self.variant, card, below)

    def number_after_autoplay(self) -> int:
        """The number of the position once all that is safe has gone home."""
        free = set(self.free_cards())
        loose = self.loose_cards()
        gone = True
        while gone:
            gone = False
            for card in list(free):
                may_be_twin = {card, cards.twin(card)} <= loose
                if not may_be_twin and goes_by_itself("safe", card, self.home, self.variant):
                    free.discard(card)
                    free.add(self.under[card])
                    free -= {FLOOR, CELL}
                    self.move(card, HOME)
                    gone = True
        self.order_twins()
        number = 0
        for suit in range(4):
            value = self.first[self.home[suit]]
            for rank in range(self.home[suit], 13):
                card = cards.card_of(rank, suit)
                value += self.places[card].index(self.under[card]) * self.weights[rank]
            number |= value << SUIT_BITS * suit
        return number

    def set_up(self, number: int) -> None:
        """The position of a number. Raises BadCertificate where no position has that number."""
        for suit in range(4):
            value = number >> SUIT_BITS * suit & (1 << SUIT_BITS) - 1
            home = next(home for home in range(14) if value >= self.first[home])
            value -= self.first[home]
            self.home[suit] = home
            for rank in range(13):
                card = cards.card_of(rank, suit)
                if rank < home:
                    self.under[card] = HOME
                    continue
                digit, value = divmod(value, self.weights[rank])
                places = self.places[card]
                if digit >= len(places) or places[digit] == NOWHERE:
                    raise BadCertificate("a number in the set stands for no position")
                self.under[card] = places[digit]
        if self.under.count(CELL) > self.cells or self.under.count(FLOOR) > self.columns:
            raise BadCertificate("a number in the set stands for no position")

    def free_cards(self) -> list[int]:
        """The cards that can move: those in play that no other lies on."""
        covered = set(self.under)
        return [c for c in cards.DECK if self.under[c] != HOME and c not in covered]

    def loose_cards(self) -> set[int]:
        """The cards that may be taken for their twins, if these are loose, too."""
        loose = {c for c in cards.DECK if cards.rank(c) >= self.twins_from}
        loose -= {c for c in loose if self.under[c] == HOME}
        for card in self.misfits:
            if self.under[card] == self.places[card][0]:
                loose -= {card, self.under[card]}
        return loose

    def order_twins(self) -> None:
        """Gives loose twins the names that go with their places."""
        loose = self.loose_cards()
        lower = [card for card in reversed(cards.DECK) if card < cards.twin(card)]
        over = {below: card for card, below in enumerate(self.under) if below < 52}

        def upwards(card: int) -> list[int]:
            """What lies on a card, by names that twins share."""
            above = []
            while (card := over.get(card, NOWHERE)) != NOWHERE:
                other = cards.twin(card)
                above.append(min(card, other) if {card, other} <= loose else card)
            return above

        for one in lower:
            other = cards.twin(one)
            if not {one, other} <= loose:
                continue
            below, other_below = self.under[one], self.under[other]
            if below > other_below or (
                below == other_below == FLOOR and upwards(one) > upwards(other)
            ):
                self.exchange(one, other)
                over = {below: card for card, below in enumerate(self.under) if below < 52}

    def exchange(self, one: int, other: int) -> None:
        """Each of two cards takes the other's name."""
        names = {one: other, other: one}
        under = self.under
        under[one], under[other] = under[other], under[one]
        under[:] = [names.get(below, below) for below in under]

    def moves(self) -> Iterator[tuple[int, int]]:
        """Every move as a card and what it is put on; what lies on the card goes with it."""
        runs = moves_runs(self.variant)
        free, loose = self.free_cards(), self.loose_cards()
        tops = [card for card in free if self.under[card] != CELL]
        free_cells = self.cells - self.under.count(CELL)
        empty = self.columns - self.under.count(FLOOR)
        onto_card = run_limit(self.variant, free_cells, empty)
        into_empty = run_limit(self.variant, free_cells, empty, to_empty=True) if empty else 0
        for card in free:
            if goes_home(card, self.home):
                yield card, HOME
            if goes_home(cards.twin(card), self.home) and {card, cards.twin(card)} <= loose:
                yield card, AS_TWIN
            if free_cells > 0 and self.under[card] != CELL:
                yield card, CELL
            head, length = card, 1
            while True:
                if length == 1 or length <= onto_card:
                    yield from ((head, top) for top in tops if fits(self.variant, head, top))
                fit_in = empty > 0 and (length == 1 or length <= into_empty)
                if fit_in and fills(self.variant, head) and self.under[head] != FLOOR:
                    yield head, FLOOR
                below = self.under[head]
                if not runs or below >= 52 or not fits(self.variant, head, below):
                    break
                head, length = below, length + 1

    def move(self, card: int, onto: int) -> None:
        """Puts a card, with all that lies on it, somewhere else."""
        if onto == AS_TWIN:
            self.exchange(card, cards.twin(card))
            card, onto = cards.twin(card), HOME
        self.under[card] = onto
        if onto == HOME:
            self.home[cards.suit(card)] += 1


def moves_runs(variant: Variant) -> bool:
    """May a run go in one piece that could not be carried one card at a time?"""
    if variant.run_limit == "linear":
        return variant.fill != "any"
    return variant.run_limit == "unlimited"
