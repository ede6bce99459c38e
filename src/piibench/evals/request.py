"""From what somebody asks for to a grid and its samples."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from piibench import __version__
from piibench.data.datasets import SUBSETS, load
from piibench.data.files import read_samples
from piibench.data.runs import SHORT_NAMES, TASKS, Task, read_data
from piibench.errors import DataError, InputError
from piibench.evals.arms import DEFAULT_ARMS, MASKER, choose_arms, fingerprint_system, name_arm
from piibench.evals.grid import GOLD, OWN, Grid, hash_asking, hash_samples, is_claimed, read_grid
from piibench.evals.judging import BOTH_ORDERS
from piibench.evals.tasks import DEFAULT_STRATEGY
from piibench.evals.tradeoff import JUDGE, RESPONDER
from piibench.llm.embed import DEFAULT_EMBEDDER
from piibench.strategies.registry import get_strategy, list_strategies
from piibench.systems.llm.system import DEFAULT_STRATEGY as MASKING_STRATEGY
from piibench.systems.registry import DEFAULT_SYSTEM

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from piibench.data.schema import Sample

DEFAULT_DATA = "pii-bench-v1"
ALL = "all"
_MODEL_SYSTEM = "llm"
_TRADEOFF: Task = "tradeoff"


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody asks for; what is empty or None is left to the defaults.

    Attributes:
        tasks: "detection", "query", "masking", "tradeoff", or the tasks' whole names; "all" holds
            the last only where a responder is named.
        systems: Names of the registry.
        models: As `--model` takes them.
        strategies: Names of the registry, or "all".
        candidates: "gold", "own", or a system's name.
        subsets: Those of the data that are wanted.
        limit: Samples of each subset.
        data: A file of samples, or a data set's name or folder.
        seed: Of all choices.
        responder: Model that answers the prompts of a trade-off.
        judge: Model that rates the answers.
        masker: Model that masks in an arm of its own, "llm", asked by the one strategy that is named.
        arms: "none", "all", "gold", and systems' names.
        orders: In how many orders the judge sees each pair of answers.
        embedder: What compares the answers, by the names of `llm.embed`.
    """

    tasks: Sequence[str] = ()
    systems: Sequence[str] = ()
    models: Sequence[str] = ()
    strategies: Sequence[str] = ()
    candidates: str | None = None
    subsets: Sequence[str] = ()
    limit: int | None = None
    data: str | None = None
    seed: int = 7
    responder: str | None = None
    judge: str | None = None
    masker: str | None = None
    arms: Sequence[str] = ()
    orders: Literal[1, 2] | None = None
    embedder: str | None = None


def create_grid(request: Request) -> tuple[Grid, tuple[Sample, ...]]:
    """Fill the defaults in, check every name, and read the samples.

    Raises:
        InputError: A name is unknown, or the data cannot be used.
    """
    tasks, strategies = _choose_tasks(request), _choose_strategies(request)
    tradeoff = _plan_tradeoff(request, tasks)
    fingerprinted = tuple(_fingerprint(name) for name in _choose_systems(request, tasks))
    samples = read_chosen(request.data, request.subsets, request.limit)
    grid = Grid(
        tasks=tasks,
        systems=fingerprinted,
        models=tuple(request.models),
        strategies=strategies,
        candidates=request.candidates,
        detector=_fingerprint_detector(request.candidates),
        data=hash_samples(samples),
        n=len(samples),
        limit=request.limit,
        seed=request.seed,
        asking=hash_asking() if request.models or tradeoff else None,
        **tradeoff,
    )
    return grid, samples


def resume_grid(out: Path) -> tuple[Grid, tuple[Sample, ...]]:
    """The grid of a folder, and its samples.

    Raises:
        InputError: There is none, it is damaged, or its systems or how it asks models have changed since.
    """
    grid = read_grid(out)
    if grid is None:
        msg = f"--resume: {out.resolve().name} holds no evaluation; leave --resume out to begin one"
        raise InputError(msg)
    asked = {name: strategy for name, _, strategy in (arm.partition("@") for arm in grid.arms)}
    now = {
        "systems": tuple(_fingerprint(name_arm(system)) for system in grid.systems),
        "detector": _fingerprint_detector(grid.candidates),
        "arms": choose_arms(asked, asked.get(_MODEL_SYSTEM)) if asked else (),
        "asking": hash_asking() if grid.asking else None,
        "version": __version__,
    }
    is_claimed(out, grid.model_copy(update=now))
    return grid, tuple(read_data(out))


def read_chosen(data: str | None, subsets: Sequence[str], limit: int | None) -> tuple[Sample, ...]:
    """Read samples.

    Args:
        data: A file, or a data set's name or folder; the benchmark where None.
        subsets: Those that are wanted, in this order; all where empty.
        limit: The first so many of each subset.

    Raises:
        InputError: There is no such data.
        DataError: It lacks a subset, or is malformed.
    """
    source = data or DEFAULT_DATA
    by_subset: defaultdict[str, list[Sample]] = defaultdict(list)
    owners: dict[str, str] = {}
    for sample in _read(source):
        if (other := owners.setdefault(sample.id, sample.subset)) != sample.subset:
            problem = f'the subsets "{other}" and "{sample.subset}" hold a sample of the same id; rename one'
            raise DataError(problem, place=Path(source).name)
        by_subset[sample.subset].append(sample)
    missing = [subset for subset in subsets if subset not in by_subset]
    if missing:
        known = ", ".join(sorted(by_subset, key=_rank))
        problem = f'has no subset "{missing[0]}"; it has {known}'
        raise DataError(problem, place=Path(source).name)
    return tuple(sample for subset in subsets or by_subset for sample in islice(by_subset[subset], limit))


def _read(source: str) -> Iterable[Sample]:
    if Path(source).is_file() or source.endswith((".jsonl", ".gz", ".json")):
        return read_samples(source)
    return load(source)


def _rank(subset: str) -> int:
    return SUBSETS.index(subset) if subset in SUBSETS else len(SUBSETS)


def _choose_tasks(request: Request) -> tuple[Task, ...]:
    wanted = {SHORT_NAMES.get(name, name) for name in request.tasks or (ALL,)}
    if ALL in wanted:
        wanted |= {task for task in SHORT_NAMES.values() if task != _TRADEOFF or request.responder}
    unknown = sorted(wanted - set(TASKS) - {ALL})
    if unknown:
        msg = f'--task: there is no "{unknown[0]}"; known: {", ".join((*SHORT_NAMES, ALL))}'
        raise InputError(msg)
    return tuple(task for task in TASKS if task in wanted)


def _choose_systems(request: Request, tasks: Sequence[Task]) -> Sequence[str]:
    """The systems that tasks 1 to 3 are put to."""
    if list(tasks) != [_TRADEOFF]:
        return request.systems or (() if request.models else (DEFAULT_SYSTEM,))
    if request.systems or request.models:
        msg = (
            "--task tradeoff: name systems that mask with --arms, and the model that answers with --responder"
        )
        raise InputError(msg)
    return ()


def _plan_tradeoff(request: Request, tasks: Sequence[Task]) -> dict[str, Any]:
    """The fields of a grid that only a trade-off has; nothing where none is asked for."""
    if _TRADEOFF not in tasks:
        only = (request.responder, request.judge, request.masker, request.arms, request.orders)
        if any((*only, request.embedder)):
            names = "--responder, --judge, --masker, --arms, --orders, --embedder"
            msg = f"{names}: are for --task tradeoff; add it"
            raise InputError(msg)
        return {}
    if not request.responder or not request.judge:
        msg = "--task tradeoff: name the model that answers with --responder, and who rates it with --judge"
        raise InputError(msg)
    roles, arms, strategy = {RESPONDER: request.responder, JUDGE: request.judge}, request.arms, None
    if request.masker:
        roles[MASKER], strategy = request.masker, _choose_masking(request)
        arms = (*(arms or DEFAULT_ARMS), _MODEL_SYSTEM)
    return {
        "arms": choose_arms(arms, strategy),
        "roles": roles,
        "orders": request.orders or BOTH_ORDERS,
        "embedder": request.embedder or DEFAULT_EMBEDDER,
    }


def _choose_masking(request: Request) -> str:
    """How the masker is asked what a query needs."""
    names = request.strategies or (MASKING_STRATEGY,)
    if len(names) > 1 or ALL in names:
        msg = f"--{MASKER}: masks by one strategy; name one with --strategy"
        raise InputError(msg)
    return get_strategy(names[0]).name


def _choose_strategies(request: Request) -> tuple[str, ...]:
    if not request.models:
        if request.strategies and not request.masker:
            msg = "--strategy: says how a model is asked; name one with --model or --masker"
            raise InputError(msg)
        return ()
    if ALL in request.strategies:
        return list_strategies()
    return tuple(get_strategy(name).name for name in request.strategies or (DEFAULT_STRATEGY,))


def _fingerprint_detector(candidates: str | None) -> str | None:
    if candidates == _MODEL_SYSTEM:
        msg = f"--candidates llm: a model's own candidates are --candidates {OWN}; or name a local system"
        raise InputError(msg)
    return None if candidates in (None, GOLD, OWN) else fingerprint_system(candidates)


def _fingerprint(name: str) -> str:
    if name == _MODEL_SYSTEM:
        msg = "--system llm: name the model with --model instead, and how it is asked with --strategy"
        raise InputError(msg)
    return fingerprint_system(name)
