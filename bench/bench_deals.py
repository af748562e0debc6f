"""Dealing in bulk, and finding the number of a layout."""

from fcfast import deals


def test_deal_packed(benchmark):
    """The promise is a million deals a second on one core."""
    numbers = range(1, 500_001)
    benchmark(deals.deal_packed, numbers)
    benchmark.extra_info["deals_per_second"] = round(len(numbers) / benchmark.stats.stats.median)


def test_find_deal(benchmark):
    """All 2**33 - 1 numbers; the promise is under a minute on two cores."""
    assert benchmark.pedantic(deals.find_deal, (deals.deal(617),), rounds=5) == [617]


def test_find_deal_permuted(benchmark):
    board = deals.deal(617)
    assert benchmark.pedantic(deals.find_deal, (board, True), rounds=3) == [617]
