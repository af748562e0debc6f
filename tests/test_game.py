"""Game: moves under house rules, undo and redo, points, counts, outcomes, and its text."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcfast import cards
from fcfast.board import Board
from fcfast.errors import IllegalMove, InvalidDeal, InvalidMove, InvalidSave
from fcfast.moves import HOME, Move
from fcfast.play.game import Game, Outcome
from fcfast.play.houserules import PRESETS
from fcfast.solve import solve

PUBLISHED = Path(__file__).parent / "data" / "cases" / "50.moves"


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def card(name: str) -> int:
    return cards.card_of(cards.RANKS.index(name[0]), cards.SUITS.index(name[1]))


def board(text: str, **counts: int) -> Board:
    """A board from columns separated by `/`; the other cards are home."""
    lines = text.split("/")
    columns = [line.strip() for line in lines]
    shown = {name for line in columns for name in line.split()}
    tops = []
    for suit in cards.SUITS:
        ranks = [cards.RANKS.index(name[0]) for name in shown if name[1] == suit]
        tops.append(f"{suit}-{cards.RANKS[min(ranks) - 1] if min(ranks, default=13) else 0}")
    founds = "Foundations: " + " ".join(tops)
    columns += [":"] * (8 - len(columns))
    return Board.parse("\n".join([founds, *columns]), **counts)


def random_game(house: str, seed: int, turns: int = 40) -> Game:
    """A game of random moves, undos and redos."""
    rng = random.Random(f"{house} {seed}")
    game = Game(rng.randint(1, 32000), house, clock=Clock())
    for _ in range(turns):
        what = rng.random()
        legal = game.legal_moves()
        if what < 0.7 and legal:
            home = [move for move in legal if move.target == HOME]
            game.move(rng.choice(home or legal))
        elif what < 0.85 and game.turns and game.undos_left != 0:
            game.undo(rng.randint(1, 3))
        elif game.future:
            game.redo(rng.randint(1, 3))
    return game


# The five published games


def published():
    games = []
    for line in PUBLISHED.read_text().splitlines():
        if not line.startswith("#"):
            number, policies, home, moves = line.split("|")
            games.append((int(number), policies.split(","), int(home), moves.split()))
    return games


@pytest.mark.parametrize(("number", "policies", "home", "moves"), published())
def test_published_games_replay_under_the_policies_of_the_case(number, policies, home, moves):
    names = {"raymond": "safe", "max": "all", "horne": "horne"}
    fitting = {names[policy] for policy in policies}
    assert "horne" in fitting
    for policy in ("off", "horne", "safe", "all"):
        game = Game(number, f"windows autoplay={policy}")
        try:
            for text in moves:
                game.move(text)
        except IllegalMove:
            assert policy not in fitting
        else:
            assert policy in fitting
            assert sum(game.board.foundations) >= home
            if policy == "horne":
                assert sum(game.board.foundations) == home
                assert (game.outcome is Outcome.WON) == (home == 52)
                assert game.move_count == len(moves)


# Moves


def test_a_refused_move_changes_nothing():
    game = Game(617)
    for text, error, says in [
        ("12", IllegalMove, "JD does not go on KS: it is not one rank lower"),
        ("9a", InvalidMove, "no column 9"),
        ("1e", InvalidMove, "no cell e"),
        ("1", InvalidMove, "not a move"),
        ("xyzzy", InvalidMove, "not a move"),
        ("1a2", InvalidMove, "not a move"),
        ("é1", InvalidMove, "not a move"),
        ("h5", IllegalMove, "cards do not come back"),
        ("5h", IllegalMove, "cannot go home before"),
    ]:
        with pytest.raises(error, match=says):
            game.move(text)
    assert game.turns == () and game.board == game.start


def test_a_run_moves_as_one_and_an_empty_column_takes_a_count():
    start = board("KS QH JS TH / KD QS JH TS / KC / KH QD QC JD JC TD TC")
    game = Game(start, "tap")
    assert game.read("15") == Move("1", "5", 4)
    game.move("15v2")
    assert game.board.columns[4] == (card("JS"), card("TH"))
    assert game.read("15", 1) == Move("1", "5", 1)
    assert game.read("51") == Move("5", "1", 2)
    assert game.move_count == 1


def test_the_run_limits_have_their_numbers():
    column = "KS QH JS TH 9S 8H 7S 6H"
    rest = "KC KD KH QS QC QD JH JD JC TS TD TC 9H 9D 9C 8S 8D 8C 7H 7D 7C 6S 6D 6C"
    start = board(f"{column} / {rest[:35]} / {rest[36:]}")
    assert start.empty_columns == 5
    # No free cell, five empty columns, one of them the target.
    for house, limit in [("tap", 8), ("linear", 5), ("strict", 1)]:
        game = Game(start, f"{house} cells=0")
        assert game.read("14").count == limit
        if limit < 8:
            with pytest.raises(IllegalMove, match=f"at most {limit} can move"):
                game.move(Move("1", "4", limit + 1))


# Back from the foundations


def test_back_from_a_foundation_only_where_the_house_says():
    start = board("KS QH / KD QS / KC QD / KH QC")
    for house, to_cell, to_column in [
        ("web", False, False),
        ("strict", False, False),
        ("linear", True, False),
        ("app", False, True),
        ("app take_back=anywhere", True, True),
    ]:
        for target, allowed in [("a", to_cell), ("5", to_column)]:
            game = Game(start, house)
            move = Move("S", target)
            if not allowed:
                no_such_place = house in ("web", "strict")
                with pytest.raises(InvalidMove if no_such_place else IllegalMove):
                    game.move(move)
                assert move not in game.legal_moves()
                continue
            assert move in game.legal_moves()
            game.move(move)
            assert game.board.foundations[3] == 10
            game.undo()
            assert game.board == start


def test_h_names_the_only_card_that_fits_and_asks_where_two_do():
    game = Game(board("KS QD / KD QS / KC / KH QC QH JS"), "app")
    with pytest.raises(IllegalMove, match="JD or JH"):
        game.read("h2")
    game.move(Move("D", "2"))
    assert game.board.columns[1][-1] == card("JD")
    assert game.read("h1") == Move("C", "1")
    with pytest.raises(IllegalMove, match="cards come back from the foundations to columns only"):
        game.read("ha")
    with pytest.raises(IllegalMove, match="no card is home"):
        Game(1, "app").read("h1")


def test_a_foundation_is_no_target_and_no_letter_is_a_source_by_chance():
    with pytest.raises(IllegalMove, match="cards do not come back"):
        Game(617, "web").move("h5")
    game = Game(1, "app take_back=anywhere")
    for move in [Move("1", "S"), Move("CD", "1"), Move("", "1"), Move("T", "1")]:
        with pytest.raises(InvalidMove):
            game.move(move)
    with pytest.raises(IllegalMove, match="no card of suit S is home"):
        game.move(Move("S", "a"))


# Sending a card by name


def test_the_best_place_is_home_then_a_column_then_a_cell_then_an_empty_column():
    low = "TD TS TC TH JD JC JS"  # nothing goes home but from the first board
    ready = board("KS QD / KD QS / KC / KH QC QH")
    queens = board(f"{low} / KS QD / KD QC / KC QS / QH KH JH")
    king = board(f"{low} / KS QH / KD QC / QS KC / QD JH KH")
    for house, start, named, target in [
        ("tap send=best", ready, "QS", "h"),
        ("tap send=best", queens, "JH", "3"),
        ("tap send=best", king, "KH", "a"),
        ("tap send=best cells=0", king, "KH", "6"),
        ("tap", ready, "QS", "h"),
        ("tap", queens, "JH", "3"),
        ("tap", king, "KH", "6"),
    ]:
        assert Game(start, house).best_place(card(named)).target == target, (house, named)


def test_a_card_takes_along_what_lies_on_it():
    start = board("KS QD JS / KC QH / KD JD / KH QC QS JC JH")
    game = Game(start, "web")
    assert game.best_place(card("QD")) == Move("1", "5", 2)
    with pytest.raises(IllegalMove, match="QC is covered: QS on QC is no run"):
        game.best_place(card("QC"))
    with pytest.raises(IllegalMove, match="TH is home"):
        game.best_place(card("TH"))
    with pytest.raises(InvalidMove):
        game.best_place(52)


# Undo, redo, autoplay


def test_one_undo_takes_back_a_move_with_its_autoplay():
    game = Game(24, "web")
    moved = False
    for move in game.legal_moves():
        turn = game.move(move)
        if turn.followed:
            moved = True
            after = game.board
            assert game.undo() == 1
            assert game.board == game.start and game.turns == ()
            game.redo()
            assert game.board == after and game.turns == (turn,)
        game.undo()
    assert moved


def test_undo_at_the_start_and_redo_at_the_end_are_messages():
    game = Game(1)
    with pytest.raises(IllegalMove, match="nothing to undo"):
        game.undo()
    with pytest.raises(IllegalMove, match="nothing to redo"):
        game.redo()


def test_undo_twice_redo_twice_is_the_same_position_under_every_policy():
    for policy in ("off", "horne", "safe", "all"):
        game = Game(11724, f"web autoplay={policy}")
        for text in ("74", "7a", "7b"):
            game.move(text)
        boards = [turn.board for turn in game.turns]
        game.undo(2)
        assert game.board == boards[0]
        game.redo()
        assert game.board == boards[1]
        game.redo()
        assert game.board == boards[2]


def test_autoplay_waits_for_the_first_move():
    """Microsoft FreeCell does; deal 24 shows an ace at once."""
    for number in range(1, 50):
        game = Game(number, "web autoplay=all")
        assert game.board == game.start


def test_a_new_move_ends_the_redo_and_the_same_move_keeps_it():
    game = Game(617)
    game.move("7a"), game.move("7b"), game.move("7c")
    game.undo(3)
    game.move("7a")
    assert len(game.future) == 2
    game.move("8b")
    assert game.future == ()


def test_undos_can_be_limited_and_counted():
    game = Game(617, "app undo=2")
    for text in ("7a", "7b", "7c"):
        game.move(text)
    assert game.undo(5) == 2
    assert game.undos_left == 0
    with pytest.raises(IllegalMove, match="all 2 undos"):
        game.undo()
    counted = Game(617, "linear")
    counted.move("7a"), counted.move("7b"), counted.undo(), counted.redo()
    # Two moves, an undo, and the second move again.
    assert counted.move_count == 4
    free = Game(617, "web")
    free.move("7a"), free.move("7b"), free.undo()
    assert free.move_count == 1


def test_restart_keeps_a_way_back():
    game = Game(617, "web", clock=(clock := Clock()))
    game.move("7a"), game.move("7b")
    clock.now += 5
    game.restart()
    assert game.board == game.start and game.move_count == 0 and game.seconds == 0
    assert game.redo(9) == 2


# Points, clock, outcomes


def test_points_ten_for_home_five_for_cell_to_table_and_undo_takes_them_back():
    start = board("KS QD / KD QS / KC / KH QC QH")
    game = Game(start, "app")
    points = [0]
    for text, more in [("4a", 0), ("4h", 10), ("a5", 5), ("53", 0), ("2h", 10)]:
        game.move(text)
        points.append(points[-1] + more)
        assert game.points == points[-1]
    while game.turns:
        points.pop()
        game.undo()
        assert game.points == points[-1]
    assert Game(start, "web").points == 0


def test_the_clock_stops_at_the_win_and_runs_on_after_undo():
    clock = Clock()
    game = Game(board("KS / KD / KC / KH"), "tap", clock)
    clock.now += 10
    game.auto()
    assert game.outcome is Outcome.WON and game.seconds == 10
    clock.now += 10
    assert game.seconds == 10
    game.undo()
    clock.now += 1
    assert game.seconds == 11


def test_stuck_means_no_legal_move_at_all():
    game = Game(1, "web autoplay=off")
    for text in ("1a", "2b", "3c"):
        game.move(text)
    assert game.outcome is Outcome.PLAYING
    assert {move.target for move in game.legal_moves()} == {"d"}
    game.move("4d")
    assert game.outcome is Outcome.STUCK and game.legal_moves() == []
    game.undo()
    assert game.outcome is Outcome.PLAYING


def test_not_stuck_while_a_move_is_left_that_changes_nothing():
    """Only kings fill columns, so the one king may only change its column."""
    start = board("KS / TS TC TD TH KC KD KH QC QD QH QS JC JH JS JD", cells=0)
    game = Game(start, "web variant=kings_only_bakers_game cells=0 autoplay=off")
    assert game.legal_moves() == []
    assert game.outcome is Outcome.PLAYING
    game.move("15")
    assert game.board.columns[4] == (card("KS"),)


def test_not_stuck_while_a_card_may_come_back():
    game = Game(1, "app autoplay=off")
    assert game.moves_back(game.board) == []
    start = board("KS QD / KD QH / KC QC / KH QS")
    game = Game(start, "app cells=0 take_back=columns")
    assert any(move.source in "CDHS" for move in game.legal_moves())


def test_giving_up_and_the_cheat_end_a_game_and_undo_takes_that_back():
    game = Game(617, "windows")
    game.cheat(win=True)
    assert game.outcome is Outcome.WON
    game.undo()
    game.cheat(win=False)
    assert game.outcome is Outcome.GIVEN_UP
    game.undo()
    game.give_up()
    assert game.outcome is Outcome.GIVEN_UP
    game.undo()
    assert game.outcome is Outcome.PLAYING
    with pytest.raises(IllegalMove, match="web has no cheat"):
        Game(617, "web").cheat(win=True)


# Finishing


def test_finishing_is_offered_done_at_once_or_done_when_ordered():
    start = board("KS QD JS / KD QS JD / KC JC / KH QC QH JH")
    for house, finishes in [("tap", False), ("tap finish=always", True), ("linear", False)]:
        game = Game(start, house)
        assert game.can_finish
        game.move("3a")
        assert (game.outcome is Outcome.WON) == finishes
    game = Game(start, "linear")
    assert game.move("3h").followed  # the cells are empty, and every column is ordered
    assert game.outcome is Outcome.WON and game.move_count == 1
    game.undo()
    assert game.board == start
    unordered = board("KD QS JS / JD KS / QD / KC QC JC / KH QH JH")
    game = Game(unordered, "linear")
    assert game.can_finish
    assert game.move("1h").followed == ()
    game.auto()
    assert game.outcome is Outcome.WON


def test_auto_sends_home_all_that_goes_as_one_turn():
    game = Game(board("KS QD JS / KD QS JD / KC JC / KH QC QH JH"), "tap")
    assert len(game.auto().made) == 12
    assert game.move_count == 1
    game.undo()
    with pytest.raises(IllegalMove, match="no card can go home"):
        Game(617).auto()


# A planned line


@pytest.mark.parametrize("house", sorted(PRESETS))
def test_a_plan_is_stepped_through_by_redo_and_undo(house):
    game = Game(1, house)
    solution = solve(game.board, variant=game.house.variant)
    from fcfast.play.guide import Guide

    line = Guide().advise(game, 10).line
    assert solution.moves and line
    game.plan(line)
    assert game.board == game.start and len(game.future) == len(line)
    game.redo(len(line) - 1)
    assert game.outcome is Outcome.PLAYING
    game.undo(), game.redo(2)
    assert game.outcome is Outcome.WON and game.helped


# Sources


def test_sources():
    assert Game("617").start == Game(617).start
    coded = Game("fc1-c2-AAAAAKH", "app")
    assert coded.number == 327 and coded.house.variant.cells == 2
    assert coded.code == "FC1-C2-AAAAAKH"
    text = Game(617).board.to_text()
    assert Game(text).start == Game(617).start and Game(text).number is None
    assert Game(-1, "windows").start != Game(-2, "windows").start
    assert Game(-1, "windows").code is None
    assert Game(617, "web variant=eight_off").code is None
    assert Game(Board.parse(text, cells=2)).house.variant.cells == 2
    for source, house in [(0, "web"), ("no", "web"), (1_000_001, "web"), (-1, "web"), (-3, "tap")]:
        with pytest.raises(InvalidDeal):
            Game(source, house)
    assert Game(3_000_000_000, "tap").code is not None


# Text


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(PRESETS)), st.integers(0, 10**6))
def test_a_game_reads_back_exactly(house, seed):
    game = random_game(house, seed)
    read = Game.from_text(game.to_text(), Clock())
    assert read.turns == game.turns and read.future == game.future
    assert (read.number, read.start, read.house) == (game.number, game.start, game.house)
    assert (read.undos, read.points, read.move_count) == (game.undos, game.points, game.move_count)
    assert read.seconds == pytest.approx(game.seconds, abs=0.001)
    assert read.to_text() == game.to_text()


def test_every_end_and_every_kind_of_board_reads_back():
    games = [Game(617, "windows"), Game(board("KS QD / KD QS / KC / KH QC QH", cells=2), "app")]
    games += [Game(9, "web variant=penguin"), Game(9, "strict columns=7 cells=10")]
    for game in games:
        game.give_up()
        assert Game.from_text(game.to_text()).outcome is Outcome.GIVEN_UP
    games[0].undo()
    games[0].cheat(win=True)
    assert Game.from_text(games[0].to_text()).ended == "cheated to win"


def test_a_damaged_save_is_refused_wherever_it_is_damaged():
    game = random_game("app", 3)
    text = game.to_text()
    for index in range(0, len(text), 7):
        changed = chr(ord(text[index]) ^ 1)
        for damaged in (text[:index], text[:index] + changed + text[index + 1 :]):
            with pytest.raises(InvalidSave):
                Game.from_text(damaged)
    for strange in ("", "\0", "fcfast game 2\n", text * 2, "x" * 2_000_000, text.upper()):
        with pytest.raises(InvalidSave):
            Game.from_text(strange)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("deal 617", "deal 618"),
        ("turns 7a", "turns 9a"),
        ("turns 7a", "turns 7h"),
        ("turns 7a", "turns zz9"),
        ("rules web", "rules wob"),
        ("ended no", "ended badly"),
        ("undos 0", "undos x"),
        ("undos 0", "undoes 0"),
        ("seconds 0.000", "seconds nan?"),
    ],
)
def test_a_forged_save_is_refused_with_the_reason(old, new):
    from fcfast.play import saves

    game = Game(617, clock=Clock())
    game.move("7a")
    body = game.to_text().rpartition("check ")[0]
    assert old in body
    forged = body.replace(old, new)
    with pytest.raises(InvalidSave, match=r"does not replay|has no line"):
        Game.from_text(f"{forged}check {saves._checksum(forged)}\n")


def test_boards_of_turns_follow_from_each_other():
    game = random_game("web", 11, turns=80)
    boards = [game.start, *(turn.board for turn in game.turns)]
    for (before, after), turn in zip(pairwise(boards), game.turns, strict=True):
        for move in turn.moves:
            before = before.apply(move, game.house.variant)
        assert before == after
