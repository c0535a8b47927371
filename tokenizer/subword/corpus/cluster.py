"""Counting a corpus on many machines: a map over its parts and a reduce, on Dask (extra `cluster`).

The workers read the files themselves, so the paths must be the same for all of them, as on a
shared file system. The result is that of counting on one machine, order included; only it, the
distinct pre-tokens, comes back.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from .reading import CorpusError, Part, add_counts, count_part, parts_of

# How many counts are added up in one step of the reduce.
_FAN_IN = 8


class ClusterError(RuntimeError):
    """The cluster can't be used; the message says what to do."""


def count_on_cluster(
    files: Iterable[str | os.PathLike[str]],
    pattern: str | None = None,
    address: str | None = None,
    part_size: int = 1 << 25,
) -> dict[str, int]:
    """Count the pre-tokens of files on a Dask cluster, in parts of about `part_size` bytes.

    `address` is that of a running scheduler, such as `tcp://10.0.0.5:8786`; without one, a
    cluster is started on this machine. Raises `ClusterError`, and `CorpusError` for a file that
    a worker can't read.
    """
    distributed = _distributed()
    parts = parts_of((Path(file).absolute() for file in files), pattern, part_size)
    with _client(distributed, address) as client:
        return counted(client, parts, pattern)


def counted(client: Any, parts: list[Part], pattern: str | None) -> dict[str, int]:
    """Count parts with a Dask client, and add the counts up, neighbours first."""
    counts = client.map(partial(count_part, pattern=pattern), parts, pure=False)
    while len(counts) > 1:
        groups = [counts[at : at + _FAN_IN] for at in range(0, len(counts), _FAN_IN)]
        counts = [client.submit(add_counts, group, pure=False) for group in groups]
    if not counts:
        return {}
    try:
        result: dict[str, int] = counts[0].result()
    except CorpusError as error:
        raise CorpusError(f"on a worker: {error}") from None
    return result


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise ClusterError(
            "a cluster needs Dask; install promptls with the extra cluster: "
            "pip install 'promptls[cluster]'"
        ) from None
    return distributed


def _client(distributed: Any, address: str | None) -> Any:
    if address is None:
        return distributed.Client(processes=True, threads_per_worker=1, dashboard_address=None)
    try:
        return distributed.Client(address, timeout="10s")
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(f"no Dask scheduler answers at {address} ({error})") from None
