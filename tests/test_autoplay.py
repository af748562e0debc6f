"""Autoplay: what each policy takes home, and that "safe" keeps a game winnable."""

import itertools
import random

import pytest
from hypothesis import given
from positions import any_boards

from fcfast import cards
from fcfast.autoplay import POLICIES, free_cards, goes_by_itself, play_home
from fcfast.board import Board
from fcfast.deals import deal
from fcfast.moves import Move
from fcfast.rules import BAKERS_GAME, EIGHT_OFF, FORECELL, FREECELL


def card(name: str) -> int:
    """The card of a name such as 5H."""
    return cards.card_of(cards.RANKS.index(name[0]), cards.SUITS.index(name[1]))


@pytest.mark.parametrize(
    ("name", "foundations", "policies"),
    [
        # Aces and twos always; foundations are clubs, diamonds, hearts, spades.
        ("AS", (0, 0, 0, 0), "horne safe all"),
        ("2S", (0, 0, 0, 1), "horne safe all"),
        # Threes and up: both suits of the other colour one rank below.
        ("3S", (0, 2, 2, 2), "horne safe all"),
        ("3S", (0, 1, 2, 2), "safe all"),
        ("3S", (0, 1, 1, 2), "safe all"),
        ("3S", (0, 0, 1, 2), "all"),
        # Two ranks below only if the other suit of the same colour is no more than three below.
        ("6H", (4, 3, 5, 4), "safe all"),
        ("6H", (4, 2, 5, 4), "all"),
        ("6H", (4, 3, 5, 3), "all"),
        ("6H", (5, 0, 5, 5), "horne safe all"),
        ("6H", (5, 0, 5, 4), "all"),
        ("KC", (12, 12, 12, 0), "horne safe all"),
        # Not the next of its suit.
        ("6H", (13, 13, 4, 13), ""),
        ("6H", (13, 13, 6, 13), ""),
    ],
)
def test_policies_card_by_card(name, foundations, policies):
    wanted = [policy for policy in POLICIES if goes_by_itself(policy, card(name), foundations)]
    assert wanted == policies.split()


def test_each_policy_takes_all_that_the_one_before_takes():
    taken = dict.fromkeys(POLICIES, 0)
    for foundations in itertools.product(range(0, 14, 2), range(1, 14, 2), range(14), range(5, 9)):
        for one in (0, 7, 13, 18, 22, 23, 30, 37, 51):
            does = [goes_by_itself(policy, one, foundations) for policy in POLICIES]
            assert does == sorted(does)
            for policy, taking in zip(POLICIES, does, strict=True):
                taken[policy] += taking
    assert taken["off"] == 0 < taken["horne"] < taken["safe"] < taken["all"]


def test_unknown_policies_are_refused():
    with pytest.raises(ValueError, match=r"no autoplay policy 'max'; there are off, horne"):
        goes_by_itself("max", 0, (0, 0, 0, 0))


@pytest.mark.parametrize("policy", ["horne", "safe"])
def test_only_the_ace_of_spades_goes_home_in_deal_24(policy):
    board, moves = play_home(deal(24), policy)
    assert moves == (Move("4", "h"),)
    assert board.foundations == (0, 0, 0, 1)


def test_columns_first_then_cells_one_card_each_time():
    board = Board(
        columns=[
            [card(name) for name in ("4C", "3C")],
            [card("AC")],
            [card(rank + "C") for rank in "KQJT98765"],
        ],
        cells=[None, card("2C")],
        foundations=(0, 13, 13, 13),
    )
    end, moves = play_home(board, "horne")
    assert end.is_won
    assert "".join(move.source for move in moves) == "2b1133" + "3" * 7


@given(any_boards)
def test_the_end_is_reached_by_legal_moves_and_nothing_is_left_to_take(board):
    for policy in POLICIES:
        end, moves = play_home(board, policy)
        replayed = board
        for move in moves:
            assert move.target == "h"
            one = dict(free_cards(replayed))[move.source]
            assert goes_by_itself(policy, one, replayed.foundations)
            replayed = replayed.apply(move)
        assert replayed == end
        assert play_home(end, policy) == (end, ())


def test_where_columns_are_built_by_suit_safe_takes_everything():
    foundations = (9, 0, 0, 0)
    assert not goes_by_itself("safe", card("TC"), foundations)
    assert goes_by_itself("safe", card("TC"), foundations, BAKERS_GAME)
    assert not goes_by_itself("horne", card("TC"), foundations, BAKERS_GAME)
    assert not goes_by_itself("safe", card("JC"), foundations, BAKERS_GAME)


def endgame(rng: random.Random, columns: int, cells: int, left: int) -> Board:
    """The highest cards of each suit, `left` in all, shuffled into columns."""
    foundations, play = [13] * 4, []
    while len(play) < left:
        suit = rng.randrange(4)
        if foundations[suit]:
            foundations[suit] -= 1
            play.append(cards.card_of(foundations[suit], suit))
    rng.shuffle(play)
    return Board([play[start::columns] for start in range(columns)], [None] * cells, foundations)


def winnable(board: Board, variant) -> bool:
    """By looking at every position that can be reached."""
    seen, todo = {board.key()}, [board]
    while todo:
        board = todo.pop()
        if board.is_won:
            return True
        for move in board.legal_moves(variant):
            after = board.moved(move)
            if after.key() not in seen:
                seen.add(after.key())
                todo.append(after)
    return False


@pytest.mark.parametrize(
    "variant",
    [FREECELL, FREECELL.replace(fill="none"), FORECELL, BAKERS_GAME, EIGHT_OFF],
    ids=["freecell", "no column filled", "forecell", "bakers_game", "eight_off"],
)
@pytest.mark.parametrize("shape", [(3, 0, 11), (3, 1, 12), (4, 0, 13)], ids=str)
def test_horne_and_safe_never_lose_a_winnable_endgame(variant, shape):
    rng = random.Random(1)
    acted, lost_by_all = 0, 0
    for _ in range(200):
        board = endgame(rng, *shape)
        if not winnable(board, variant):
            continue
        for policy in ("horne", "safe"):
            after, moves = play_home(board, policy, variant)
            assert winnable(after, variant), board.to_text()
            acted += bool(moves)
        lost_by_all += not winnable(play_home(board, "all", variant)[0], variant)
    # Both numbers show that the boards put the policies to the test.
    assert acted >= 10
    assert (lost_by_all > 0) == (variant.build == "alternate")
