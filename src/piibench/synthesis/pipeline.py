"""The whole synthesis: subsets are made in order, by any number of workers, and written with a manifest.

What is made depends on seed, partition, subset and number of samples alone, byte for byte. A stopped run goes
on with the subset it was at: finished files stay, an unfinished one is begun anew in a temporary file.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from piibench.data.files import write_records
from piibench.data.output import explain_write_errors, write_lines
from piibench.errors import InputError
from piibench.processes import open_pool
from piibench.synthesis.partition import BLOCK, choose_hard, list_candidates
from piibench.synthesis.samples import Order, make_sample
from piibench.synthesis.shares import hold_shares
from piibench.synthesis.threads import make_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterable, Iterator
    from concurrent.futures import Executor, Future
    from pathlib import Path

    from piibench.data.schema import Sample
    from piibench.generators.base import Partition
    from piibench.synthesis.shares import Mapper

SIZES: dict[str, int] = {"single": 1214, "multi": 1228, "hard": 200, "distract": 200}
"""Samples a subset in PII-Bench (Table 3), in the paper's order."""

MANIFEST = "manifest.json"

_CHUNK = 16
_CHUNKS_AHEAD = 4
"""Samples made together, and by how many such chunks for each process a run is ahead of what is written."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is to be made.

    Attributes:
        sizes: Number of samples a subset, in the order in which they are made.
        seed: Of everything.
        partition: Whose frames, templates and rare values are used.
        writer: "frames", or the name of the model that writes.
    """

    sizes: dict[str, int]
    seed: int = 7
    partition: Partition = "test"
    writer: str = "frames"


class Author(Protocol):
    """Makes samples in another way than from frames alone."""

    def map(self, make: Callable[[Order], Sample], orders: Iterable[Order]) -> Iterator[Sample]:
        """Yield a sample for each order, in order; `make` is what the frames would do."""
        ...

    def take_counts(self) -> dict[str, Any]:
        """What became of the orders since the last call."""
        ...


def synthesize(
    recipe: Recipe,
    out: Path,
    *,
    workers: int,
    advance: Callable[[int], None],
    author: Author | None = None,
) -> dict[str, str]:
    """Make a data set: one gzipped file a subset, and a manifest with their hashes.

    Args:
        recipe: What is to be made.
        out: The folder; made where it does not exist. Files of the same recipe that are there are kept.
        workers: Processes, where frames alone write.
        advance: Called with the number of samples that are finished.
        author: Who writes instead; what it counts is noted in the manifest, by file.

    Returns:
        SHA-256 of each file, by its name.

    Raises:
        InputError: The folder holds a data set of another recipe, or a file that is of none.
        SystemFailureError: A process died.
    """
    with explain_write_errors(out.resolve().name):
        out.mkdir(parents=True, exist_ok=True)
    noted = _resume(recipe, out)
    hashes, done = noted["sha256"], 0
    with _mapper(workers) if author is None else nullcontext(author.map) as mapper:
        for subset, n in recipe.sizes.items():
            name = f"{subset}.jsonl.gz"
            if name not in hashes:
                samples = make_subset(subset, n, recipe, mapper)
                write_records(out / name, _count(samples, done, advance))
                hashes[name] = _hash(out / name)
                if author is not None:
                    noted.setdefault("writing", {})[name] = author.take_counts()
                write_lines(out / MANIFEST, json.dumps(noted, indent=2).splitlines())
            done += n
            advance(done)
    return hashes


def make_subset(subset: str, n: int, recipe: Recipe, mapper: Mapper) -> Iterator[Sample]:
    """Yield the samples of one subset in order."""
    if subset == "hard":
        for first in range(0, n, BLOCK):
            wanted = min(BLOCK, n - first)
            orders = list_candidates(wanted, recipe.seed, recipe.partition, first=first)
            yield from choose_hard(hold_shares(mapper, make_sample, orders), wanted, first=first)
        return
    make = make_thread if subset == "distract" else make_sample
    all_orders = (Order(subset, index, recipe.seed, recipe.partition) for index in range(n))
    yield from hold_shares(mapper, make, all_orders)


def _count(samples: Iterable[Sample], done: int, advance: Callable[[int], None]) -> Iterator[Sample]:
    for number, sample in enumerate(samples, done + 1):
        yield sample
        advance(number)


@contextmanager
def _mapper(workers: int) -> Generator[Mapper]:
    if workers == 1:
        yield map
        return
    with open_pool(workers) as pool:
        yield partial(map_in_order, pool, workers * _CHUNKS_AHEAD)


def map_in_order(
    pool: Executor, ahead: int, make: Callable[[Order], Sample], orders: Iterable[Order]
) -> Iterator[Sample]:
    """As the pool's own `map`, which would take in all orders at once and keep what is not yet written.

    Args:
        pool: Makes samples.
        ahead: How many chunks of samples may be under way or wait to be written.
        make: Makes one sample.
        orders: Which ones.
    """
    coming = iter(orders)
    waiting: deque[Future[list[Sample]]] = deque()
    while chunk := list(islice(coming, _CHUNK)):
        waiting.append(pool.submit(_make_chunk, make, chunk))
        if len(waiting) > ahead:
            yield from waiting.popleft().result()
    while waiting:
        yield from waiting.popleft().result()


def _make_chunk(make: Callable[[Order], Sample], orders: list[Order]) -> list[Sample]:
    return [make(order) for order in orders]


def _resume(recipe: Recipe, out: Path) -> dict[str, Any]:
    """The manifest as far as a run of the same recipe has come: recipe, hashes, and counts of an author."""
    manifest = out / MANIFEST
    if not manifest.exists():
        _refuse_foreign(recipe, out, ())
        return {"recipe": asdict(recipe), "sha256": {}}
    try:
        noted = json.loads(manifest.read_text("utf-8"))
        made_by, hashes = noted["recipe"], dict(noted["sha256"])
    except (OSError, ValueError, KeyError, TypeError):
        msg = f"{out.resolve().name}: its {MANIFEST} is not of a data set; choose another --out, or delete it"
        raise InputError(msg) from None
    if made_by != asdict(recipe):
        msg = f"{out.resolve().name}: holds a data set of another recipe; choose another --out, or delete it"
        raise InputError(msg)
    _refuse_foreign(recipe, out, hashes)
    noted["sha256"] = {name: digest for name, digest in hashes.items() if (out / name).exists()}
    for name, digest in noted["sha256"].items():
        if _hash(out / name) != digest:
            msg = f"{out.resolve().name}: its {name} was changed since; choose another --out, or delete it"
            raise InputError(msg)
    return noted


def _refuse_foreign(recipe: Recipe, out: Path, noted: Collection[str]) -> None:
    """Nothing is written over that the manifest does not name."""
    for name in (f"{subset}.jsonl.gz" for subset in recipe.sizes):
        if name not in noted and (out / name).exists():
            place = out.resolve().name
            msg = f"{place}: its {name} was not made by this recipe; choose another --out, or delete it"
            raise InputError(msg)


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
