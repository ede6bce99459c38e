"""The tasks (sections 3.1 and 4.5): which runs a grid asks for, who answers, what is measured."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from inspect_ai import Task as InspectTask
from inspect_ai.model import get_model

from piibench.data.runs import Run, Task
from piibench.evals.asked import Interview, find_by_model
from piibench.evals.grid import GOLD, OWN
from piibench.evals.kinds import MODEL, Answer, Kind
from piibench.evals.ledger import Ledger
from piibench.evals.models import NO_MODEL
from piibench.evals.samples import create_dataset
from piibench.evals.scorers import create_scorer
from piibench.evals.scores import DETECTION, MASKING, QUERY, create_measure
from piibench.evals.shots import no_shots
from piibench.evals.solvers import create_solver
from piibench.evals.tradeoff import RESPONDER, expand_tradeoff, prepare_tradeoff
from piibench.evals.tradeoff_scores import measure_tradeoff
from piibench.strategies.registry import get_strategy

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from inspect_ai.model import Model
    from inspect_ai.solver import Solver

    from piibench.data.schema import Prediction, Sample
    from piibench.evals.bench import Bench
    from piibench.evals.grid import Grid
    from piibench.evals.meter import Meter
    from piibench.llm.chat import Chat
    from piibench.strategies.base import Goal

    Reply = Callable[[Sample, Mapping[str, Chat]], Awaitable[Answer]]

VERSION = "1-A"
"""The number changes when scores stop being comparable, the letter when a task's options change."""
LLM = "llm"
"""The system of a run in which a model answers by itself."""
DEFAULT_STRATEGY = "naive"
"""How a model is asked where nobody says."""


def plan_runs(grid: Grid) -> tuple[Run, ...]:
    """The runs that a grid asks for, in the order of its tasks.

    Raises:
        InputError: The grid is at odds with itself.
    """
    return tuple(run for task in grid.tasks for run in KINDS[task].expand(grid))


def create_task(run: Run, samples: Sequence[Sample], bench: Bench, meter: Meter) -> InspectTask:
    """Make Inspect's task of one run.

    Raises:
        InputError: The task cannot be put to the samples, or a name is unknown.
    """
    roles = ({MODEL: run.model} if run.model else {}) | run.roles
    chats = {role: bench.chat(name, option=_name_option(run, role)) for role, name in roles.items()}
    ledger = Ledger(samples)
    solver = create_solver(KINDS[run.task].prepare(run, bench), lambda: chats, ledger, meter)
    model = bench.model(run.model) if run.model else get_model(NO_MODEL)
    return build_task(run, samples, solver, ledger, model=model)


def _name_option(run: Run, role: str) -> str:
    """The option that names the model of a role."""
    if role == MODEL:
        return f"--{RESPONDER if run.task == 'tradeoff' else MODEL}"
    return f"--{role}"


def build_task(
    run: Run, samples: Sequence[Sample], solver: Solver, ledger: Ledger, *, model: Model | None
) -> InspectTask:
    """Put samples, solver and scorer together.

    Args:
        run: What is asked.
        samples: All there are; the task takes those that it can be put to.
        solver: Answers.
        ledger: The solver's.
        model: Inspect's; None for the one that Inspect was started with, under the task's registered name.

    Raises:
        InputError: The task cannot be put to any of the samples.
    """
    kind = KINDS[run.task]
    return InspectTask(
        name=run.slug if model else None,
        dataset=create_dataset(samples, run.task),
        solver=solver,
        scorer=create_scorer(kind, ledger),
        model=model,
        headline_metric=kind.headline[0],
        version=VERSION,
        metadata=run.model_dump(mode="json", by_alias=True, exclude_none=True),
    )


def begin_run(task: Task, grid: Grid, system: str, **fields: str | None) -> Run:
    """A run of which nothing is done yet.

    Args:
        task: The task.
        grid: What is asked.
        system: Who answers.
        fields: The run's model, strategy and candidates, as far as it has them.
    """
    run = Run(task=task, system=system, n=0, data=grid.data, seed=grid.seed, version=grid.version)
    return run.model_copy(update=fields)


def _expand_detection(grid: Grid) -> tuple[Run, ...]:
    begin = partial(begin_run, "pii_detection", grid)
    return (
        *(begin(system) for system in grid.systems),
        *(begin(LLM, model=model) for model in grid.models),
    )


def _expand_about_query(task: Task, grid: Grid) -> tuple[Run, ...]:
    begin = partial(begin_run, task, grid)
    return (
        *(begin(system, candidates=_name_selected(grid)) for system in grid.systems),
        *(
            begin(LLM, model=model, strategy=strategy, candidates=_name_offered(grid, strategy))
            for model in grid.models
            for strategy in grid.strategies
        ),
    )


def _name_selected(grid: Grid) -> str | None:
    """What a system selects from; its own detection goes without saying."""
    return None if grid.candidates == OWN else grid.candidates


def _name_offered(grid: Grid, strategy: str) -> str | None:
    """What a model chooses from: the labels, as in the paper, unless the grid says otherwise."""
    return (grid.candidates or GOLD) if get_strategy(strategy).needs_candidates else None


def _prepare_detection(run: Run, bench: Bench) -> Reply:
    if run.model:
        return _by_model(find_by_model)
    return _by_system(bench.local(run.system, None).find)


def _prepare_needed(run: Run, bench: Bench) -> Reply:
    if run.model:
        return _by_model(_interview("needed", run, bench).answer)
    return _by_system(bench.local(run.system, run.candidates).protect)


def _prepare_hidden(run: Run, bench: Bench) -> Reply:
    if run.model:
        return _by_model(_interview("hidden", run, bench).answer)
    return _by_system(bench.local(run.system, run.candidates).protect)


def _interview(goal: Goal, run: Run, bench: Bench) -> Interview:
    strategy = get_strategy(run.strategy or DEFAULT_STRATEGY)
    shots = bench.shots.find if strategy.needs_shots else no_shots
    return Interview(strategy, goal, run.candidates, bench.detector(run.candidates), shots, run.seed)


def _by_system(predict: Callable[[Sample], Awaitable[Prediction]]) -> Reply:
    async def reply(gold: Sample, chats: Mapping[str, Chat]) -> Answer:
        del chats
        return _to_answer(await predict(gold))

    return reply


def _by_model(predict: Callable[[Sample, Chat], Awaitable[Prediction]]) -> Reply:
    async def reply(gold: Sample, chats: Mapping[str, Chat]) -> Answer:
        return _to_answer(await predict(gold, chats[MODEL]))

    return reply


def _to_answer(prediction: Prediction) -> Answer:
    meta = prediction.meta
    return Answer(prediction, flagged=bool(meta.get("flagged")), bare_shots=meta.get("bare_shots", 0))


KINDS: Mapping[Task, Kind] = MappingProxyType(
    {
        "pii_detection": Kind(
            _expand_detection,
            _prepare_detection,
            create_measure(DETECTION),
            ("strict_f1", "ent_f1", "rouge_f1"),
        ),
        "query_related": Kind(
            partial(_expand_about_query, "query_related"),
            _prepare_needed,
            create_measure(QUERY),
            ("query_f1", "query_p", "query_r", "query_rouge_f1"),
        ),
        "query_unrelated_masking": Kind(
            partial(_expand_about_query, "query_unrelated_masking"),
            _prepare_hidden,
            create_measure(MASKING),
            ("mask_f1", "mask_p", "mask_r", "mask_rouge_f1"),
        ),
        "tradeoff": Kind(
            expand_tradeoff,
            prepare_tradeoff,
            measure_tradeoff,
            ("balanced", "privacy", "utility", "balanced_restored", "utility_restored"),
        ),
    }
)
"""The tasks, in the paper's order."""
