"""Gives every benchmark the node signature, in extra_info.

It is the nodes searched over a fixed set of deals: where two runs that are compared differ in it,
the search itself is another.
"""

import pytest

import fcfast

DEALS = range(50_001, 50_021)


@pytest.fixture(scope="session")
def signature():
    return sum(fcfast.solve(number, node_limit=200_000).stats.nodes for number in DEALS)


@pytest.fixture(autouse=True)
def signed(request, signature):
    if "benchmark" in request.fixturenames:
        request.getfixturevalue("benchmark").extra_info["signature"] = signature
