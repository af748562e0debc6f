"""prove() and fewest_cells(): verdicts, disk, going on after a limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcfast.certificate import check
from fcfast.deals import deal
from fcfast.errors import FcfastError
from fcfast.proving import Proving, fewest_cells, prove
from fcfast.result import Status
from fcfast.rules import FREECELL
from fcfast.verify import verify

DATA = Path(__file__).parent / "data"
# One digit a deal, from deal 1: the fewest cells with which it can be won (a public data set).
FEWEST = (DATA / "fewest_cells_1_8000.txt").read_text().replace("\n", "")


def test_an_impossible_and_a_winnable_deal() -> None:
    impossible = prove(11982)
    assert impossible.status is Status.IMPOSSIBLE
    assert impossible.stats.nodes == 30_446  # 61,643 with twins told apart
    assert impossible.stats.stage == "proof"
    won = prove(11982, cells=5)
    assert won.status is Status.SOLVED
    verify(won.board, won.moves, won.variant)


def test_joke_game_minus_one() -> None:
    assert prove(-1).status is Status.IMPOSSIBLE


@pytest.mark.parametrize("workers", [1, 2])
def test_disk_takes_what_memory_cannot(tmp_path: Path, workers: int) -> None:
    folder, path = tmp_path / "work", tmp_path / "541799454.fcc"
    memory = 400_000
    assert prove(541799454, memory_limit=memory).limit == "memory"
    result = prove(541799454, memory_limit=memory, folder=folder, certificate=path, workers=workers)
    assert result.status is Status.IMPOSSIBLE
    assert result.stats.nodes == 198_915
    assert result.stats.table_bytes <= memory
    assert list(folder.iterdir()) == []
    assert sum(1 for _ in check(path, 541799454).positions()) == 198_915


def test_going_on_after_a_limit(tmp_path: Path) -> None:
    folder, path = tmp_path / "work", tmp_path / "11982.fcc"
    nodes = []
    for _ in range(9):
        result = prove(
            11982, node_limit=10_000, memory_limit=300_000, folder=folder, certificate=path
        )
        nodes.append(result.stats.nodes)
        if result.status is not Status.LIMIT:
            break
        assert result.limit == "nodes"
    assert result.status is Status.IMPOSSIBLE
    # 320 and 2,340 of the first call went into attempts to find a win; a proof counts its own.
    assert nodes == [10_000, 17_340, 27_340, 30_446]
    assert sum(1 for _ in check(path, 11982).positions()) == 30_446


def test_going_on_with_a_proof_after_the_one_that_was_stopped(tmp_path: Path) -> None:
    folder, path = tmp_path / "work", tmp_path / "4055965.fcc"
    calls = 0
    status = Status.LIMIT
    while status is Status.LIMIT:
        result = prove(4055965, node_limit=100_000, folder=folder, certificate=path)
        status, calls = result.status, calls + 1
        assert calls < 10
    assert status is Status.IMPOSSIBLE
    assert calls > 3
    assert check(path, 4055965).twins_from == 5


def test_going_on_with_more_memory(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    assert prove(541799454, memory_limit=300_000, folder=folder).limit == "memory"
    assert prove(541799454, memory_limit=800_000, folder=folder).status is Status.IMPOSSIBLE


def test_going_on_after_an_interruption(tmp_path: Path) -> None:
    folder, path = tmp_path / "work", tmp_path / "541799454.fcc"
    reports: list[Proving] = []

    def interrupt(proving: Proving) -> None:
        reports.append(proving)
        if len(reports) == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prove(541799454, folder=folder, certificate=path, progress=interrupt)
    assert 0 < reports[-1].positions < 198_915
    assert reports[-1].level <= reports[-1].last
    assert "positions" in str(reports[-1])
    assert prove(541799454, folder=folder, certificate=path).stats.nodes == 198_915
    assert check(path, 541799454).status is Status.IMPOSSIBLE


def test_a_folder_belongs_to_one_proof(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    assert prove(11982, node_limit=20_000, folder=folder).limit == "nodes"
    with pytest.raises(FcfastError, match="another proof"):
        prove(517776, folder=folder)
    with pytest.raises(FcfastError, match="another proof"):
        prove(11982, cells=3, folder=folder)
    (folder / "proof.json").write_text("{")
    with pytest.raises(FcfastError, match="damaged"):
        prove(11982, folder=folder)
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter.txt").write_text("dear")
    with pytest.raises(FcfastError, match="other files"):
        prove(11982, folder=other)
    assert (other / "letter.txt").read_text() == "dear"


def test_going_on_needs_the_memory_of_the_checkpoint(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    assert prove(541799454, node_limit=150_000, folder=folder).limit == "nodes"
    with pytest.raises(FcfastError, match="more memory"):
        prove(541799454, memory_limit=2**16, folder=folder)


def test_limits_out_of_range() -> None:
    for wrong in ({"node_limit": -1}, {"time_limit": -1.0}, {"workers": 0}):
        with pytest.raises(FcfastError):
            prove(1, **wrong)  # type: ignore[arg-type]


def test_limits_are_kept() -> None:
    for nodes in (0, 1, 30_000, 50_000):  # for attempts and proof together
        result = prove(11982, node_limit=nodes)
        assert (result.limit, result.stats.nodes) == ("nodes", nodes)
    assert prove(11982, node_limit=100_000).status is Status.IMPOSSIBLE
    assert prove(11982, time_limit=0).limit == "time"


def test_a_proof_that_meets_no_win_of_the_deal(tmp_path: Path) -> None:
    # With twins alike from the fours on 4055965 has millions of positions and a win; from the sixes
    # on it has none.
    path = tmp_path / "4055965.fcc"
    assert prove(4055965, certificate=path).status is Status.IMPOSSIBLE
    assert check(path, 4055965).twins_from == 5


@pytest.mark.parametrize("cells", range(4))
def test_verdicts_with_few_cells_are_right_or_honest(cells: int) -> None:
    definite = 0
    for number in range(1, 201):
        # Not the usual 2 GiB: sanitizers take half a second to let go of them.
        result = prove(number, cells=cells, node_limit=100_000, memory_limit=2**27)
        if result.status is Status.LIMIT:
            continue
        definite += 1
        assert (result.status is Status.SOLVED) == (int(FEWEST[number - 1]) <= cells), number
        verify_if_solved(result)
    assert definite >= 190


def verify_if_solved(result) -> None:
    if result.status is Status.SOLVED:
        verify(result.board, result.moves, result.variant)


@pytest.mark.parametrize("number", [164, 892, 2, 3, 1, 169, 11982])
def test_fewest_cells(number: int) -> None:
    fewest = fewest_cells(number)
    expected = 5 if number == 11982 else int(FEWEST[number - 1])
    assert fewest == expected
    assert fewest is not None
    assert fewest.solution.status is Status.SOLVED
    assert len(fewest.solution.board.cells) == expected
    verify(fewest.solution.board, fewest.solution.moves, fewest.solution.variant)
    if expected == 0:
        assert fewest.proof is None
    else:
        assert fewest.proof is not None
        assert fewest.proof.status is Status.IMPOSSIBLE
        assert len(fewest.proof.board.cells) == expected - 1


def test_fewest_cells_says_when_it_does_not_know() -> None:
    assert fewest_cells(1, node_limit=10) is None


def test_fewest_cells_starts_at_the_cells_in_use() -> None:
    board = deal(1)
    for column in "123":
        board = board.apply(
            next(m for m in board.legal_moves() if m.source == column and m.target in "abcd")
        )
    assert fewest_cells(board, memory_limit=2**28) == 4
    assert FREECELL.cells == 4
