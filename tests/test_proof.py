"""The proof search: exact counts, whatever the memory and the number of threads."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from fcfast import cards, rules
from fcfast.board import Board
from fcfast.deals import deal
from fcfast.native import engine
from fcfast.proving import ALL_APART
from fcfast.rules import FREECELL, PRESETS, Variant

pytestmark = pytest.mark.native

MIB = 2**20
VERDICTS = {engine.SOLVED: True, engine.IMPOSSIBLE: False}


def small_board(variant: Variant, seed: int) -> Board:
    """12 to 32 cards in three or four columns, two cells at most, the rest home."""
    rng = random.Random(f"{variant.name} {seed}")
    columns: list[list[int]] = [[] for _ in range(rng.randint(3, 4))]
    foundations = [rng.randint(5, 10) for _ in range(4)]
    in_play = [card for card in cards.DECK if cards.rank(card) >= foundations[cards.suit(card)]]
    rng.shuffle(in_play)
    for card in in_play:
        rng.choice(columns).append(card)
    return Board(columns, [None] * rng.choice((0, 1, 1, 2)), foundations)


def prover_for(
    board: Board,
    variant: Variant = FREECELL,
    memory: int = MIB,
    workers: int = 1,
    twins_from: int = ALL_APART,
):
    tables = rules.tables(variant, len(board.columns), len(board.cells))
    prover = engine.Prover(tables, memory, workers)
    prover.begin(board.pack(), twins_from=twins_from)
    return prover


def verdict_of(board: Board, variant: Variant) -> bool:
    status, limit, _, _ = prover_for(board, variant).run()
    assert limit is None
    return VERDICTS[status]


@pytest.mark.parametrize("variant", PRESETS.values(), ids=PRESETS)
def test_the_reductions_lose_no_win_on_2000_small_boards(variant: Variant) -> None:
    plain_verdicts: Counter[bool | None] = Counter()
    for seed in range(2000):
        board = small_board(variant, seed)
        tables = rules.tables(variant, len(board.columns), len(board.cells))
        plain = engine.plain_verdict(board.pack(), tables, 5000)
        plain_verdicts[plain] += 1
        if plain is not None:
            assert verdict_of(board, variant) is plain, seed
    assert plain_verdicts[True] > 300
    assert plain_verdicts[False] > 300
    assert plain_verdicts[None] < 40


@pytest.mark.parametrize("variant", PRESETS.values(), ids=PRESETS)
def test_with_twins_alike_no_win_is_lost_on_2000_small_boards(variant: Variant) -> None:
    proved = fewer = impossible = 0
    for seed in range(2000):
        board = small_board(variant, seed)
        apart, alike = prover_for(board, variant), prover_for(board, variant, twins_from=seed % 10)
        verdict, _, positions, _ = apart.run(node_limit=5000)
        found, _, fewer_positions, _ = alike.run(node_limit=5000)
        if verdict == engine.SOLVED:
            assert found != engine.IMPOSSIBLE, seed
        elif verdict == engine.IMPOSSIBLE:
            impossible += 1
            proved += found == engine.IMPOSSIBLE
            fewer += found == engine.IMPOSSIBLE and fewer_positions < positions
    assert proved > 0.9 * impossible > 300
    assert fewer > 100 or variant.build == "suit"


@pytest.mark.parametrize("limit", ["standard", "linear", "single", "unlimited"])
@pytest.mark.parametrize("fill", ["any", "kings", "none"])
@pytest.mark.parametrize("build", ["alternate", "suit"])
def test_every_rule_of_a_variant(build: str, fill: str, limit: str) -> None:
    variant = Variant(build=build, fill=fill, run_limit=limit)  # type: ignore[arg-type]
    seen = set()
    for seed in range(200):
        board = small_board(variant, seed)
        tables = rules.tables(variant, len(board.columns), len(board.cells))
        plain = engine.plain_verdict(board.pack(), tables, 5000)
        if plain is not None:
            assert verdict_of(board, variant) is plain, seed
            seen.add(plain)
    assert seen == {True, False}


RULES = {
    f"{build}-{fill}-{limit}": Variant(build=build, fill=fill, run_limit=limit)  # type: ignore[arg-type]
    for build in ("alternate", "suit")
    for fill in ("any", "kings", "none")
    for limit in ("standard", "linear", "single", "unlimited")
}


@pytest.mark.parametrize("twins_from", [0, ALL_APART])
@pytest.mark.parametrize("variant", [*PRESETS.values(), *RULES.values()], ids=[*PRESETS, *RULES])
def test_what_is_enclosed_is_not_met_again(variant: Variant, twins_from: int) -> None:
    enclosed = 0
    for seed in range(150):
        board = small_board(variant, seed)
        verdict, _, count, _ = prover_for(board, variant, twins_from=twins_from).run(
            node_limit=3000
        )
        if verdict != engine.IMPOSSIBLE:
            continue
        runs: list[bytes] = []
        prover = prover_for(board, variant, 2**17, twins_from=twins_from)
        status, expanded = engine.STOPPED, 0
        while status == engine.STOPPED:
            status, _, nodes, _ = prover.run(node_limit=3, dropped=runs.append)
            expanded += nodes
            assert expanded <= count
            prover.drop_enclosed(runs.append)
        runs += prover.positions()
        keys = [run[at : at + 15] for run in runs for at in range(0, len(run), 15)]
        assert (status, expanded) == (verdict, count)
        assert len(keys) == len(set(keys)) == count
        enclosed += prover.enclosed
    assert enclosed > 50


# Complete searches of these deals by other programs held as many positions.
COUNTS = {
    11982: 61_643,
    146692: 8_603,
    186216: 16_606,
    455889: 11_806,
    495505: 27_688,
    512118: 22_482,
    517776: 67_016,
    781948: 4_381,
}


@pytest.mark.parametrize("number", COUNTS)
def test_impossible_deals_of_the_first_million(number: int) -> None:
    prover = prover_for(deal(number))
    assert prover.run()[:3] == (engine.IMPOSSIBLE, None, COUNTS[number])
    assert prover.peak < COUNTS[number] * 2 // 3


@pytest.mark.parametrize("number", COUNTS)
def test_twins_alike_leave_fewer_positions(number: int) -> None:
    prover = prover_for(deal(number), twins_from=3)
    status, _, positions, _ = prover.run()
    assert status == engine.IMPOSSIBLE
    assert positions < COUNTS[number]
    for memory, workers in ((128 * 1024, 1), (16 * MIB, 4)):
        prover = prover_for(deal(number), memory=memory, workers=workers, twins_from=3)
        assert prover.run()[2] == positions


def test_a_deal_that_has_793_million_positions_if_twins_are_told_apart() -> None:
    prover = prover_for(deal(982).with_cells(2), memory=16 * MIB, twins_from=3)
    assert prover.run()[:3] == (engine.IMPOSSIBLE, None, 312_596)


def test_twins_are_told_apart_where_columns_build_in_suit() -> None:
    assert prover_for(deal(1), twins_from=3).twins_from == 3
    assert prover_for(deal(1), PRESETS["bakers_game"], twins_from=3).twins_from == ALL_APART


def test_memory_is_exact_and_changes_no_count() -> None:
    for memory in (256 * 1024, 300_001, MIB, 16 * MIB):
        prover = prover_for(deal(11982), memory=memory)
        assert prover.run()[:3] == (engine.IMPOSSIBLE, None, 61_643)
        assert prover.table_bytes <= memory
    prover = prover_for(deal(11982), memory=128 * 1024)
    assert prover.run()[:2] == (engine.STOPPED, "memory")
    assert prover.table_bytes <= 128 * 1024


def test_threads_share_one_table() -> None:
    # Threads start at 2**15 positions.
    for _ in range(3):
        prover = prover_for(deal(7484159), memory=16 * MIB, workers=4)
        assert prover.run()[:3] == (engine.IMPOSSIBLE, None, 545_504)


def test_the_node_limit_is_exact_and_a_later_run_goes_on() -> None:
    prover = prover_for(deal(11982))
    assert prover.run(node_limit=0)[:3] == (engine.STOPPED, "nodes", 0)
    assert prover.run(node_limit=40_000)[:3] == (engine.STOPPED, "nodes", 40_000)
    assert prover.run()[:3] == (engine.IMPOSSIBLE, None, 21_643)


def test_dropped_and_held_positions_are_the_whole_set_once() -> None:
    runs: list[bytes] = []
    prover = prover_for(deal(11982), memory=256 * 1024)
    prover.run(dropped=runs.append)
    dropped = sum(map(len, runs)) // 15
    assert dropped > 40_000
    runs += prover.positions()
    split = [[run[at : at + 15] for at in range(0, len(run), 15)] for run in runs]
    assert all(run == sorted(run) for run in split)
    keys = [key for run in split for key in run]
    assert len(keys) == len(set(keys)) == 61_643


def test_positions_put_back_find_a_table_of_their_size() -> None:
    # Grown as they came, it would take hours for a hundred million.
    prover = prover_for(deal(7484159), memory=16 * MIB)
    prover.run(node_limit=200_000)
    waiting, *_ = prover.waiting
    other = prover_for(deal(7484159), memory=16 * MIB)
    other.keep(1000, 1000)
    held = sum(len(keys) for keys in prover.positions()) // 15
    other.expect(held)
    size = other.table_bytes
    assert size < 16 * MIB
    for expanded in (False, True):
        assert all(other.put_back(keys, expanded) for keys in prover.positions(expanded=expanded))
    assert other.table_bytes == size
    assert other.waiting[0] == waiting
    assert other.run()[:3] == (engine.IMPOSSIBLE, None, 545_504 - 200_000)


def test_it_can_be_cancelled() -> None:
    class Later:
        asked = 0

        def is_set(self) -> bool:
            self.asked += 1
            return self.asked > 2

    for workers in (1, 2):
        prover = prover_for(deal(1), memory=64 * MIB, workers=workers)
        assert prover.run(cancel=Later())[:2] == (engine.STOPPED, "cancelled")


def test_what_a_callback_raises_comes_out() -> None:
    def complain(*_: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        prover_for(deal(1), memory=64 * MIB, workers=2).run(progress=complain)
