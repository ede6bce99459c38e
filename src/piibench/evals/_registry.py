"""The tasks for Inspect's own command: `inspect eval piibench/query_related --model … -T strategy=self_cot`.

A system of the registry answers instead of the model where `-T system=rules` names one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from inspect_ai import Task as InspectTask
from inspect_ai import task
from inspect_ai.model import get_model

from piibench.evals.arms import MASKER, choose_arms, name_arm
from piibench.evals.bench import Bench
from piibench.evals.endpoint import endpoint
from piibench.evals.grid import Grid, hash_samples
from piibench.evals.judging import BOTH_ORDERS
from piibench.evals.kinds import MODEL
from piibench.evals.ledger import Ledger
from piibench.evals.meter import Meter
from piibench.evals.models import NO_MODEL
from piibench.evals.request import DEFAULT_DATA, read_chosen
from piibench.evals.solvers import create_solver
from piibench.evals.tasks import DEFAULT_STRATEGY, KINDS, build_task
from piibench.evals.tradeoff import JUDGE, RESPONDER
from piibench.llm.embed import DEFAULT_EMBEDDER
from piibench.strategies.registry import get_strategy
from piibench.systems.llm.system import DEFAULT_STRATEGY as MASKING_STRATEGY
from piibench.systems.llm.system import MODEL as MODEL_SYSTEM

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from piibench.data.runs import Task
    from piibench.llm.chat import Chat

__all__ = ["endpoint", "pii_detection", "query_related", "query_unrelated_masking", "tradeoff"]


@task
def pii_detection(
    data: str = DEFAULT_DATA, subset: str | None = None, system: str | None = None
) -> InspectTask:
    """Task 1 (section 3.1): find every PII entity of a description, its type and whose it is.

    Args:
        data: A file of samples, or a data set's name or folder.
        subset: One of its subsets.
        system: Who answers instead of the model.
    """
    return _create("pii_detection", data, subset, system)


@task
def query_related(
    data: str = DEFAULT_DATA,
    subset: str | None = None,
    system: str | None = None,
    strategy: str = DEFAULT_STRATEGY,
    candidates: str | None = None,
) -> InspectTask:
    """Task 2 (section 3.1): find the PII that a query needs.

    Args:
        data: A file of samples, or a data set's name or folder.
        subset: One of its subsets.
        system: Who answers instead of the model.
        strategy: How the model is asked.
        candidates: "gold", "own", or the system whose detection is chosen from.
    """
    return _create("query_related", data, subset, system, strategy=strategy, candidates=candidates)


@task
def query_unrelated_masking(
    data: str = DEFAULT_DATA,
    subset: str | None = None,
    system: str | None = None,
    strategy: str = DEFAULT_STRATEGY,
    candidates: str | None = None,
) -> InspectTask:
    """Task 3 (section 3.1): find the PII that a query does not need, to mask it.

    Args:
        data: A file of samples, or a data set's name or folder.
        subset: One of its subsets.
        system: Who answers instead of the model.
        strategy: How the model is asked.
        candidates: "gold", "own", or the system whose detection is chosen from.
    """
    return _create("query_unrelated_masking", data, subset, system, strategy=strategy, candidates=candidates)


@task
def tradeoff(  # noqa: PLR0913 - a task's parameters are what `-T` takes
    data: str = DEFAULT_DATA,
    subset: str | None = None,
    *,
    arms: str | Sequence[str] = (),
    strategy: str = MASKING_STRATEGY,
    orders: Literal[1, 2] = BOTH_ORDERS,
    embedder: str = DEFAULT_EMBEDDER,
    seed: int = 7,
) -> InspectTask:
    """The trade-off between privacy and utility (section 4.5).

    The model that answers is that of the role "responder", or Inspect's own where nobody has it. The role
    "judge" must be given: no model rates its own answers without being asked to. So must "masker" where an
    arm is "llm".

    Args:
        data: A file of samples, or a data set's name or folder.
        subset: One of its subsets.
        arms: How prompts are masked: "none", "all", "gold", "llm", and systems' names.
        strategy: How the masker is asked what a query needs.
        orders: In how many orders the judge sees each pair of answers.
        embedder: What compares the answers.
        seed: Of all choices.
    """
    samples = read_chosen(data, [subset] if subset else (), None)
    names = arms.split(",") if isinstance(arms, str) else arms
    chosen = choose_arms([name.strip() for name in names if name.strip()], get_strategy(strategy).name)
    helpers = (JUDGE, MASKER) if MODEL_SYSTEM in map(name_arm, chosen) else (JUDGE,)
    grid = Grid(
        tasks=("tradeoff",),
        arms=chosen,
        roles={role: role for role in (RESPONDER, *helpers)},
        orders=orders,
        embedder=embedder,
        data=hash_samples(samples),
        n=len(samples),
        seed=seed,
    )
    bench = Bench(seed=seed)

    def find_chats() -> Mapping[str, Chat]:
        models = {MODEL: get_model(role=RESPONDER)}
        models |= {role: get_model(role=role, required=True) for role in helpers}
        return {role: bench.chat(str(model), model) for role, model in models.items()}

    (run,) = KINDS["tradeoff"].expand(grid)
    ledger = Ledger(samples)
    solver = create_solver(KINDS["tradeoff"].prepare(run, bench), find_chats, ledger, Meter())
    return build_task(run, samples, solver, ledger, model=None)


def _create(
    name: Task, data: str, subset: str | None, system: str | None, **asked: str | None
) -> InspectTask:
    samples = read_chosen(data, [subset] if subset else (), None)
    bench = Bench()
    grid = Grid(
        tasks=(name,),
        systems=(system,) if system else (),
        models=() if system else (MODEL,),
        strategies=() if system else (asked.get("strategy") or DEFAULT_STRATEGY,),
        candidates=asked.get("candidates"),
        data=hash_samples(samples),
        n=len(samples),
    )
    (run,) = KINDS[name].expand(grid)

    def find_chats() -> Mapping[str, Chat]:
        model = get_model()
        return {} if system else {MODEL: bench.chat(str(model), model)}

    ledger = Ledger(samples)
    solver = create_solver(KINDS[name].prepare(run, bench), find_chats, ledger, Meter())
    return build_task(run, samples, solver, ledger, model=get_model(NO_MODEL) if system else None)
