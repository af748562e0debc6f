"""The judge: right solutions pass, and every kind of wrong one is refused by move and rule."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import case_text, random_board, seeds
from solutions import SOLUTIONS, each_solution, solution
from test_moves import staged

from fcfast import cards, rules
from fcfast.board import Board
from fcfast.deals import deal
from fcfast.errors import BadSolution, InvalidBoard, InvalidDeal
from fcfast.moves import CELLS, COLUMNS, HOME, Move, singles
from fcfast.rules import BAKERS_GAME, EIGHT_OFF, FORECELL, FREECELL, PRESETS
from fcfast.rules import RELAXED_FREECELL as RELAXED
from fcfast.verify import verify


@pytest.mark.parametrize("solved", **each_solution)
def test_solutions_pass(solved):
    verify(solved.board, solved.moves, solved.variant)


def test_a_board_may_be_a_number_or_text():
    moves = solution("freecell", 24).moves
    verify(24, moves)
    verify(case_text("03"), moves)
    verify(deal(24), iter(moves))
    with pytest.raises(InvalidDeal):
        verify(0, moves)
    with pytest.raises(InvalidBoard):
        verify("4C", moves)


def refused(board, moves, variant=FREECELL) -> BadSolution:
    with pytest.raises(BadSolution) as caught:
        verify(board, moves, variant)
    return caught.value


BOARD_75, BOARD_77 = (Board.parse(case_text(name)) for name in ("75", "77"))


@pytest.mark.parametrize(
    ("board", "move", "rule"),
    [
        # Source empty.
        (BOARD_75, Move("4", "b"), "no card there: 4 is empty"),
        (BOARD_75, Move("b", "1"), "no card there: b is empty"),
        # Not enough cards, not a run.
        (BOARD_75, Move("3", "2", 3), "not enough cards: 2 in column 3, not 3"),
        (BOARD_75, Move("1", "4", 3), "not a run: QS lies on 8C"),
        # No room; the target's cell, foundation, colour and rank.
        (BOARD_75, Move("5", "4", 5), "no room: 5 cards through 2 free cells and 0 empty columns"),
        (BOARD_75, Move("1", "a"), "cell a is occupied by 3D"),
        (BOARD_75, Move("1", "h"), "wrong rank for home: JD is not the next of its suit"),
        (BOARD_77, Move("a", "2"), "wrong colour: JD on QD"),
        (BOARD_77, Move("a", "3"), "wrong rank: JD on 3D"),
        # Forms.
        (BOARD_75, Move("h", "1"), "cards do not come back from home"),
        (BOARD_75, Move("1", "1"), "from a place to itself"),
        (BOARD_75, Move("1", "h", 2), "only one card at a time"),
        (BOARD_75, Move("1", "b", 2), "only one card at a time"),
        (BOARD_75, Move("a", "4", 2), "only one card at a time"),
        (BOARD_75, Move("1", "9"), "no such place: '9'"),
        (BOARD_75, Move("e", "1"), "no such place: 'e'"),
        (BOARD_75, Move("12", "b"), "no such place: '12'"),
        (BOARD_75, Move("", "b"), "no such place: ''"),
        (BOARD_75, Move(1, "b"), "no such place: 1"),
        (BOARD_75, Move(["1"], "b"), "no such place: ['1']"),
        (BOARD_75, Move("1", "b", 0), "not a number of cards: 0"),
        (BOARD_75, Move("1", "b", -1), "not a number of cards: -1"),
        (BOARD_75, Move("1", "b", True), "not a number of cards: True"),
        (BOARD_75, Move("1", "b", 1.0), "not a number of cards: 1.0"),
        (BOARD_75, Move("1", "b", None), "not a number of cards: None"),
        (BOARD_75, "1b", "not a move"),
        (BOARD_75, ("1", "b"), "not a move"),
        (BOARD_75, None, "not a move"),
        (BOARD_75, ["1", "b", 1], "not a move"),
    ],
)
def test_kinds_of_wrong_moves(board, move, rule):
    error = refused(board, [move])
    assert error.index == 0
    assert str(error).startswith("move 1 (")
    assert rule in str(error)


def test_the_cell_that_is_taken_already():
    """Case 77: from deal 24 the last card of column 7 goes to cell a, then that of column 3."""
    error = refused(24, [Move("7", "a"), Move("3", "a")])
    assert error.index == 1
    assert str(error) == "move 2 (3a): cell a is occupied by JD"


def test_a_right_move_alone_does_not_win():
    error = refused(BOARD_77, [Move("a", "1")])
    assert error.index is None
    assert str(error) == "not won: 50 cards are not home after 1 moves"
    assert str(refused(1, [])) == "not won: 52 cards are not home after 0 moves"


@pytest.mark.parametrize("solved", **each_solution)
def test_spoiled_solutions_are_refused(solved):
    board, moves, variant = solved.board, solved.moves, solved.variant
    assert refused(board, moves[:-1], variant).index is None
    after_win = refused(board, (*moves, Move("1", "a")), variant)
    assert after_win.index == len(moves)
    assert "the game is won already" in str(after_win)
    for index in range(len(moves)):
        assert refused(board, moves[:index] + moves[index + 1 :], variant)
        if moves[index].target in COLUMNS:
            longer = moves[index]._replace(count=moves[index].count + 1)
            assert refused(board, (*moves[:index], longer, *moves[index + 1 :]), variant)


def test_solutions_of_other_variants_and_deals_are_refused():
    wins = [
        (solved.variant.name, other.variant.name)
        for solved in SOLUTIONS
        for other in SOLUTIONS
        if other is not solved and does_win(other.board, solved.moves, other.variant)
    ]
    # Deal 2 lies alike in both, and Eight Off only adds cells.
    assert wins == [("forecell_same_suit", "eight_off")]


def does_win(board, moves, variant) -> bool:
    try:
        verify(board, moves, variant)
    except BadSolution:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "number", "variant", "rule"),
    [
        ("bakers_game", 3, FREECELL, "wrong colour"),
        ("freecell", 1, BAKERS_GAME, "wrong suit"),
        ("freecell", 1, FORECELL, "may not fill an empty column"),
        ("forecell", 2, EIGHT_OFF, "wrong suit"),
        ("eight_off", 2, FORECELL, "wrong colour"),
        ("penguin", 2, FORECELL, "wrong colour"),
        ("relaxed_freecell", 11982, FREECELL, "no room"),
        ("freecell", 1, FREECELL.replace(run_limit="single"), "only single cards move"),
    ],
)
def test_the_same_board_under_other_rules(name, number, variant, rule):
    solved = solution(name, number)
    error = refused(solved.board, solved.moves, variant)
    assert error.index is not None
    assert rule in str(error)


def test_runs_of_any_length_solve_an_impossible_deal_but_only_in_relaxed_freecell():
    """Case 43."""
    solved = solution("relaxed_freecell", 11982)
    verify(11982, solved.moves, RELAXED)
    error = refused(11982, solved.moves)
    over_long = solved.moves[error.index]
    assert over_long.count > 1
    assert str(error).startswith(f"move {error.index + 1} ({over_long}): no room: ")


def test_a_game_in_single_moves_passes_where_only_those_are_allowed():
    solved = solution("freecell", 2)
    board, spelled = solved.board, []
    for move in solved.moves:
        spelled += singles(board, move)
        board = board.moved(move)
    verify(solved.board, spelled, FREECELL.replace(run_limit="single"))


@pytest.mark.parametrize("onto_empty", [False, True])
@pytest.mark.parametrize("under", [0, 1])
@pytest.mark.parametrize("columns", range(4))
@pytest.mark.parametrize("cells", range(5))
def test_the_judge_carries_exactly_what_the_run_limits_allow(cells, columns, under, onto_empty):
    """Two accounts of one rule: the judge's hands and the formulas of rules.run_limit."""
    for limit in ("standard", "linear", "single", "unlimited"):
        for fill in ("any", "kings"):
            variant = FREECELL.replace(run_limit=limit, fill=fill)
            for count in range(1, 13):
                board, move = staged(count, cells, columns, under, onto_empty)
                reason = rules.check(board, move, variant)
                error = refused(board, [move], variant)
                assert (error.index is None) == (reason is None), (variant, count, reason, error)


def test_a_run_to_an_empty_column_where_only_kings_may_go():
    """Two free cells carry three cards; the second empty column is of no use to queens."""
    run = [cards.card_of(rank, 3 if rank % 2 else 2) for rank in range(12, 8, -1)]
    rest = [card for card in range(52) if card not in run]
    for length, fine in ((3, True), (4, False)):
        board = Board([[rest[0], *run[:length]], [], [], rest[1:] + run[length:]], [None] * 2)
        error = refused(board, [Move("1", "2", length)], FORECELL)
        assert (error.index is None) == fine
        assert (rules.check(board, Move("1", "2", length), FORECELL) is None) == fine


@given(st.sampled_from(sorted(PRESETS)), seeds, st.integers(0, 120), st.randoms())
def test_judge_and_check_agree_on_any_move(name, seed, moves, rng):
    variant = PRESETS[name]
    board = random_board(variant, seed, moves)
    places = COLUMNS[: len(board.columns)] + CELLS[: len(board.cells)] + HOME
    candidates = [
        Move(rng.choice(places), rng.choice(places), rng.choice((1, 1, 1, 2, 3))) for _ in range(30)
    ]
    for move in (*candidates, *board.legal_moves(variant)):
        legal = rules.check(board, move, variant) is None
        if legal and board.moved(move).is_won:
            verify(board, [move], variant)
        else:
            assert (refused(board, [move], variant).index is None) == legal


def test_the_judge_loads_no_native_code():
    """In a package that runs no code of its own, so that only the judge's imports count."""
    script = (
        "import sys, types\n"
        "package = types.ModuleType('fcfast')\n"
        f"package.__path__ = {list(sys.modules['fcfast'].__path__)!r}\n"
        "sys.modules['fcfast'] = package\n"
        "from fcfast.verify import verify\n"
        "from fcfast.errors import BadSolution\n"
        "try:\n"
        "    verify(1, [])\n"
        "except BadSolution:\n"
        "    print(*sorted(name for name in sys.modules if name.startswith('fcfast')))\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = run.stdout.split()
    assert "fcfast.verify" in loaded
    assert not [name for name in loaded if name.startswith("fcfast.native")]
