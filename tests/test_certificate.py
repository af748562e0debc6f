"""Certificates confirm what is so and refuse everything else, plainly and natively."""

from __future__ import annotations

import json
import random
import zlib
from pathlib import Path

import pytest
from test_proof import small_board

from fcfast import cards, certificate
from fcfast.board import Board
from fcfast.certificate import KEY_BYTES, check, write_closed_set
from fcfast.deals import deal
from fcfast.errors import BadCertificate
from fcfast.proving import prove
from fcfast.result import Status
from fcfast.rules import FREECELL, PENGUIN, PRESETS, Variant

PLAIN = pytest.mark.parametrize("plain", [False, True], ids=["native", "plain"])


@pytest.fixture(scope="module")
def impossible(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The certificate of deal 781948."""
    path = tmp_path_factory.mktemp("certificates") / "781948.fcc"
    assert prove(781948, certificate=path).status is Status.IMPOSSIBLE
    return path


def keys_of(path: Path) -> list[bytes]:
    return list(certificate.read(path).positions())


def written(path: Path, keys: list[bytes], number: int = 781948) -> Path:
    write_closed_set(path, deal(number), FREECELL, [b"".join(keys)], twins_from=3)
    return path


@PLAIN
def test_an_impossible_deal(impossible: Path, plain: bool) -> None:
    found = check(impossible, 781948, FREECELL, plain=plain)
    assert found.status is Status.IMPOSSIBLE
    assert len(keys_of(impossible)) == 3746
    assert impossible.stat().st_size < 4 * 3746


@PLAIN
def test_a_winnable_deal(tmp_path: Path, plain: bool) -> None:
    result = prove(617, certificate=tmp_path / "617.fcc")
    found = check(tmp_path / "617.fcc", 617, plain=plain)
    assert found.status is result.status is Status.SOLVED
    assert found.moves == result.moves


def test_a_wrong_solution(tmp_path: Path) -> None:
    result = prove(617)
    path = tmp_path / "617.fcc"
    certificate.write_solution(path, result.board, result.variant, result.moves[:-1])
    with pytest.raises(BadCertificate, match="cards are not home"):
        check(path)
    certificate.write_solution(path, deal(618), result.variant, result.moves)
    with pytest.raises(BadCertificate, match="solution is wrong"):
        check(path)


@PLAIN
def test_a_position_removed(impossible: Path, tmp_path: Path, plain: bool) -> None:
    keys = keys_of(impossible)
    for index in range(0, len(keys), 200 if not plain else 1500):
        path = written(tmp_path / "less.fcc", keys[:index] + keys[index + 1 :])
        with pytest.raises(BadCertificate, match=r"leads out|itself is not|near win"):
            check(path, plain=plain)


@PLAIN
def test_a_position_changed(impossible: Path, tmp_path: Path, plain: bool) -> None:
    keys = keys_of(impossible)
    known = set(keys)
    tried = 0
    for index in range(0, len(keys), 600 if not plain else 2200):
        for bit in (0, 7, 31, 62, 119):
            other = (int.from_bytes(keys[index], "big") ^ 1 << bit).to_bytes(KEY_BYTES, "big")
            if other in known:
                continue
            path = written(tmp_path / "changed.fcc", [*keys[:index], other, *keys[index + 1 :]])
            with pytest.raises(BadCertificate):
                check(path, plain=plain)
            tried += 1
    assert tried > 5


@PLAIN
def test_made_for_another_deal(impossible: Path, tmp_path: Path, plain: bool) -> None:
    with pytest.raises(BadCertificate, match="another board"):
        check(impossible, 146692, plain=plain)
    path = written(tmp_path / "other.fcc", keys_of(impossible), number=146692)
    with pytest.raises(BadCertificate):
        check(path, 146692, plain=plain)


@PLAIN
@pytest.mark.parametrize(
    "change",
    [{"cells": 5}, {"build": "suit"}, {"run_limit": "unlimited"}, {"columns": 9}],
    ids=str,
)
def test_made_for_other_rules(
    impossible: Path, tmp_path: Path, plain: bool, change: dict[str, object]
) -> None:
    other = FREECELL.replace(**change)
    if "columns" not in change:
        with pytest.raises(BadCertificate, match=r"other rules|another board"):
            check(impossible, deal(781948).with_cells(other.cells), other, plain=plain)
    # The same positions under a header that names the other rules.
    board = deal(781948)
    board = Board(
        [*board.columns, *[[]] * (other.columns - 8)], [None] * other.cells, board.foundations
    )
    path = tmp_path / "rules.fcc"
    alike = 3 if other.build == "alternate" else 13
    write_closed_set(path, board, other, [b"".join(keys_of(impossible))], twins_from=alike)
    with pytest.raises(BadCertificate):
        check(path, plain=plain)


def test_fewer_rules_need_no_more_positions(impossible: Path, tmp_path: Path) -> None:
    # A proof under easier rules is none of harder ones only where they are about another board.
    path = tmp_path / "single.fcc"
    single = FREECELL.replace(run_limit="single")
    write_closed_set(path, deal(781948), single, [b"".join(keys_of(impossible))], twins_from=3)
    check(path, 781948, single)


@PLAIN
@pytest.mark.parametrize("twins_from", [9, 13])
def test_other_twins_alike_than_in_the_proof(
    impossible: Path, tmp_path: Path, plain: bool, twins_from: int
) -> None:
    path = tmp_path / "other.fcc"
    write_closed_set(
        path, deal(781948), FREECELL, [b"".join(keys_of(impossible))], twins_from=twins_from
    )
    with pytest.raises(BadCertificate, match=r"leads out|near win|one move"):
        check(path, plain=plain)


def test_the_names_of_loose_twins_do_not_matter(impossible: Path) -> None:
    rng = random.Random(1)
    table = certificate._Table(deal(781948), FREECELL, 3)
    renamed = 0
    for key in rng.sample(keys_of(impossible), 1000):
        number = int.from_bytes(key, "big")
        table.set_up(number)
        loose = table.loose_cards()
        for card in loose:
            if cards.twin(card) in loose and rng.random() < 0.5:
                table.exchange(card, cards.twin(card))
                renamed += 1
        assert table.number_after_autoplay() == number
    assert renamed > 300


def test_damaged_files(impossible: Path, tmp_path: Path) -> None:
    whole = impossible.read_bytes()
    path = tmp_path / "damaged.fcc"
    body = whole.index(b"\n") + 1
    header = json.loads(whole[:body])
    for damaged in (
        b"",
        b"\n",
        b"[]\n",
        b"\xff\xfe\n",
        b"{}\n",
        whole[: body // 2],
        whole[:body],
        whole[:-1],
        whole[:body] + whole[body + 100 :],
        whole[:body] + b"not zlib",
        whole[:body] + zlib.compress(b"\x00" * 9),
        whole[:body] + zlib.compress(b"\x10" * 40),
        *(
            json.dumps({**header, **change}).encode() + b"\n" + whole[body:]
            for change in (
                {"format": "fcfast certificate 99"},
                {"status": "limit"},
                {"twins_from": 14},
                {"twins_from": 3.0},
                {"twins_from": None},
                {"variant": {"build": "suit"}},
                {"status": "perhaps"},
                {"columns": [[1]]},
                {"columns": 7},
                {"variant": {"cells": 99}},
                {"variant": {"gravity": 1}},
                {"status": "solved", "moves": []},
                {"status": "solved", "moves": [1]},
                {"status": "solved", "moves": [["1", "q", 1]]},
            )
        ),
    ):
        path.write_bytes(damaged)
        with pytest.raises(BadCertificate):
            check(path)
    with pytest.raises(FileNotFoundError):
        check(tmp_path / "none.fcc")


@pytest.mark.parametrize("variant", [*PRESETS.values(), Variant(run_limit="linear", fill="kings")])
def test_every_variant_plainly_and_natively(variant: Variant, tmp_path: Path) -> None:
    proofs = 0
    path = tmp_path / "small.fcc"
    for seed in range(30):
        board = small_board(variant, seed)
        rules = variant.replace(dealt_to_cells=0)
        result = prove(board, variant=rules, cells=len(board.cells), certificate=path)
        assert check(path, board).status is result.status
        if result.status is Status.IMPOSSIBLE and len(keys_of(path)) < 300:
            check(path, board, plain=True)
            proofs += 1
            keys, twins_from = keys_of(path), certificate.read(path).twins_from
            for index in range(0, len(keys), 1 + len(keys) // 8):
                less = keys[:index] + keys[index + 1 :]
                write_closed_set(
                    path, board, result.variant, [b"".join(less)], twins_from=twins_from
                )
                for plain in (False, True):
                    with pytest.raises(BadCertificate):
                        check(path, board, plain=plain)
    assert proofs > 5


def test_penguin_counts_from_its_beak(tmp_path: Path) -> None:
    path = tmp_path / "penguin.fcc"
    board = deal(1, PENGUIN).with_cells(0)
    result = prove(board, variant=PENGUIN, cells=0, certificate=path)
    assert check(path, board, PENGUIN, plain=True).status is result.status
