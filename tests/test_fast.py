"""The fast search: wins are judged, nodes and moves the same each time, limits exact."""

import threading
from array import array

import pytest

import fcfast
from fcfast import rules
from fcfast.native import engine
from fcfast.result import Status
from fcfast.solve import solve
from fcfast.verify import verify
from fcfast.weights import weights_for

pytestmark = pytest.mark.native

SIGNATURE = 121_351


def solver(variant=rules.FREECELL, memory=1 << 28):
    tables = rules.tables(variant, variant.columns, variant.cells)
    return engine.Solver(tables, memory, weights_for(variant))


def test_signature():
    """Moves with the weights or the search only, never in a refactor (or on another machine)."""
    columns = solver().solve_deals(array("Q", range(1, 2001)))
    assert set(columns["status"]) == {engine.SOLVED}
    assert sum(columns["nodes"]) == SIGNATURE


def test_stages_can_be_replaced():
    first = (320, 2, 3, 16, 48, 0, True)  # as fast.pxd begins
    mine, numbers = solver(), array("Q", range(1, 301))
    plain = mine.solve_deals(numbers)
    mine.set_stages([first])
    alone = mine.solve_deals(numbers, node_limit=320)
    by_first = [nodes < 320 for nodes in plain["nodes"]]
    assert 280 < sum(by_first) < 300
    for index, (was, is_now) in enumerate(zip(plain["nodes"], alone["nodes"], strict=True)):
        assert is_now == (was if by_first[index] else 320)
    mine.set_stages([])
    assert set(mine.solve_deals(numbers[:5])["stage"]) == {1}
    with pytest.raises(ValueError, match="9 stages"):
        mine.set_stages([first] * 9)


def test_the_judge_accepts_the_solutions_of_1_to_500():
    for number in range(1, 501):
        result = solve(number)
        assert result.status is Status.SOLVED, number
        verify(result.board, result.moves)


def test_equal_results_in_threads_and_whatever_was_solved_before():
    numbers = array("Q", range(300, 0, -1))
    rows = {}

    def work(first):
        mine = solver()
        mine.solve_deals(array("Q", range(first, first + 20)))
        columns = mine.solve_deals(numbers, with_steps=True)
        rows[first] = columns["steps"], columns["nodes"]

    threads = [threading.Thread(target=work, args=(first,)) for first in (1, 5000, 11970)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rows[1] == rows[5000] == rows[11970]


@pytest.mark.parametrize("limit", [0, 1, 10, 319, 320, 321, 1000, 30000])
def test_the_node_limit_counts_all_stages_exactly(limit):
    result = solve(11982, node_limit=limit)
    assert (result.status, result.limit) == (Status.LIMIT, "nodes")
    assert result.stats.nodes == limit


def test_the_complete_search_has_the_last_word():
    result = solve(11982)
    assert (result.status, result.stats.stage) == (Status.IMPOSSIBLE, "complete")


def test_deal_1941_needs_a_card_kept_from_home():
    assert solve(1941).status is Status.SOLVED
    assert solve(1941, autoplay="all").status is Status.IMPOSSIBLE


@pytest.mark.parametrize("variant", rules.PRESETS.values(), ids=rules.PRESETS)
def test_every_variant_is_solved_and_judged(variant):
    solved = 0
    for number in range(1, 21):
        result = solve(number, variant=variant, node_limit=20_000)
        if result.status is Status.SOLVED:
            verify(result.board, result.moves, variant=variant)
            solved += result.stats.stage == "fast"
    assert solved


@pytest.mark.parametrize("columns", [4, 5, 7, 9, 10, 13])
@pytest.mark.parametrize("cells", [3, 6, 10])
def test_other_numbers_of_columns_and_cells(columns, cells):
    variant = rules.FREECELL.replace(columns=columns, cells=cells)
    for number in range(1, 6):
        result = solve(number, variant=variant, node_limit=20_000)
        if result.status is Status.SOLVED:
            verify(result.board, result.moves, variant=variant)


def test_autoplay_all_plays_every_card_home_at_once():
    for number in range(1, 101):
        result = solve(number, autoplay="all")
        board = result.board
        for move in result.moves:
            due = [m for m in board.legal_moves() if m.target == "h"]
            assert not due or move.target == "h", (number, move)
            board = board.moved(move)


def test_a_full_table_of_seen_positions_ends_the_stage():
    """Deal 494428 fills the first stage's: looking for a free slot once went round for ever."""
    assert fcfast.solve(494428, time_limit=20).status is fcfast.Status.SOLVED
