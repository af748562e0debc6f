"""solve_range() on a dask cluster of two worker processes, one of them killed in mid-run."""

import os
import signal

import pytest
from batches import LIMIT
from test_batch_folder import rows_in

from fcfast import solve_many, solve_range

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="kill")


@pytest.fixture
def client():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_a_worker_is_killed(client, tmp_path):
    """What it was at goes to the other one; rows and files are those of an undisturbed run."""
    expected = solve_range(1, 20_000, **LIMIT)
    workers = client.run(os.getpid).values()
    assert len(set(workers)) == 2
    killed = []

    def report(total):
        if total.deals >= 2000 and not killed:
            killed.append(next(iter(workers)))
            os.kill(killed[0], signal.SIGKILL)

    total = solve_range(
        1,
        20_000,
        executor=client.get_executor(),
        out=tmp_path,
        chunk=500,
        progress=report,
        **LIMIT,
    )
    assert killed and killed[0] not in client.run(os.getpid).values()
    assert total.deals == 20_000
    assert rows_in(tmp_path).digest() == expected.digest()

    options = {"steps": True, **LIMIT}
    found = solve_range(1, 500, executor=client.get_executor(), workers=2, **options)
    assert found.digest() == solve_range(1, 500, **options).digest()
    results = solve_many(range(1, 50), executor=client.get_executor(), **LIMIT)
    assert [result.steps for result in results] == [
        result.steps for result in solve_many(range(1, 50), **LIMIT)
    ]
