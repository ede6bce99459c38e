"""`piibench analyze`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from piibench.cli.options import check_output, split_names
from piibench.cli.texts import warn
from piibench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from piibench.analysis.real import Agreement
    from piibench.analysis.summary import Evaluation, RunAnalysis
    from piibench.data.runs import RunFolder, Task


def analyze(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A folder that `piibench evaluate` wrote.")],
    *,
    real: Annotated[
        str | None,
        typer.Option(metavar="DIR2", help="The same systems evaluated on other data, such as real texts."),
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(metavar="NAME,…", help="detection, query, masking, tradeoff; all where absent."),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(metavar="NAME,…", help="Scores to look into, such as ent_f1; each task's F1 if absent."),
    ] = None,
    subset: Annotated[
        str | None, typer.Option(metavar="NAME,…", help="Only these subsets of DIR, such as single.")
    ] = None,
    categories: Annotated[
        int, typer.Option(metavar="N", min=0, help="Categories to list in the tables of errors.")
    ] = 12,
    json_file: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Write every number here too; - prints them alone."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the bootstrap intervals.")] = 7,
    resamples: Annotated[int, typer.Option(metavar="N", min=1, help="Draws of the bootstrap.")] = 1000,
) -> None:
    """Show what the scores of an evaluation depend on, and where each system fails.

    Factors: the mean score by subjects, PII entities, characters and needed entities (Figure 4), and the
    effect that each has while the others stay as they are.

    Errors: every wrong or absent value, of exactly one kind, by category. Missed, wrong span, wrong type and
    wrong subject are true values that were not found so; spurious ones are none; over-kept is what the query
    does not need and still shows, over-masked what it needs and is hidden.

    --real compares two data sets by the same systems' scores: PCS (Equation 21; 1 where they agree) and
    Spearman's rank correlation. For real texts of your own, evaluate them with --data FILE first.
    """
    check_output("--json", json_file)
    metrics = split_names(metric)
    evaluation = _read(folder, split_names(task), split_names(subset), metrics)
    # What another folder lacks is told before the work on this one.
    agreements: Mapping[Task, Agreement] = {}
    if real:
        agreements = _compare(evaluation, real, split_names(task), metrics)
    analyses = tuple(evaluation.analyze(metrics=metrics, seed=seed, resamples=resamples))
    if json_file != "-":
        from piibench.cli.analysis_tables import print_agreements, print_analyses
        from piibench.cli.console import create_console

        console = create_console()
        print_analyses(analyses, console, categories=categories)
        print_agreements(agreements, console)
    if json_file:
        from piibench.data.output import write_lines

        numbers = _collect(analyses, agreements)
        write_lines(json_file, [json.dumps(numbers, ensure_ascii=False, indent=2)])


def _read(folder: str, tasks: Sequence[str], subsets: Sequence[str], metrics: Sequence[str]) -> Evaluation:
    from piibench.analysis.summary import Evaluation
    from piibench.data.runs import SHORT_NAMES, TASKS, read_data, read_runs

    wanted = {SHORT_NAMES.get(name, name) for name in tasks}
    if unknown := sorted(wanted - set(TASKS)):
        msg = f"--task: there is no task of the name {unknown[0]}; choose from {', '.join(SHORT_NAMES)}"
        raise InputError(msg)
    runs = [each for each in read_runs(folder) if not wanted or each.run.task in wanted]
    if not runs:
        name = Path(folder).resolve().name
        msg = f"{name}: holds no finished run of that task; evaluate it, or leave --task out"
        raise InputError(msg)
    samples = tuple(read_data(folder))
    _check_names("subset", subsets, dict.fromkeys(sample.subset for sample in samples))
    _check_names("metric", metrics, _list_scores(runs))
    return Evaluation(samples, runs, subsets)


def _list_scores(runs: Iterable[RunFolder]) -> dict[str, None]:
    """The names of the runs' scores; the samples of a run have the same."""
    return {
        name: None for run in runs for first in [next(run.scores(), None)] if first for name in first.scores
    }


def _check_names(option: str, given: Iterable[str], known: Iterable[str]) -> None:
    if unknown := [name for name in given if name not in known]:
        msg = (
            f"--{option}: the runs have no {option} of the name {unknown[0]}; choose from {', '.join(known)}"
        )
        raise InputError(msg)


def _compare(
    evaluation: Evaluation, real: str, tasks: Sequence[str], metrics: Sequence[str]
) -> Mapping[Task, Agreement]:
    from piibench.analysis.summary import compare_evaluations

    agreements = compare_evaluations(evaluation, _read(real, tasks, (), metrics), metrics=metrics)
    if not any(agreement.pairings for agreement in agreements.values()):
        msg = (
            "--real: the two folders have no task with a system and score in common; evaluate the same"
            " systems for the same tasks on both"
        )
        raise InputError(msg)
    lonely = dict.fromkeys(name for agreement in agreements.values() for name in agreement.unmatched)
    if lonely:
        warn(f"not compared, as only one of the folders has them: {', '.join(lonely)}")
    return {task: agreement for task, agreement in agreements.items() if agreement.pairings}


def _collect(analyses: Iterable[RunAnalysis], agreements: Mapping[Task, Agreement]) -> dict[str, Any]:
    return {
        "schema": 1,
        "runs": [analysis.to_dict() for analysis in analyses],
        "real": {
            task: {
                "pairings": [{**asdict(each), "difference": each.difference} for each in agreement.pairings],
                "consistency": agreement.consistency,
                "difference": agreement.difference,
                "by_system": agreement.by_system,
                "by_metric": agreement.by_metric,
                "ranks": agreement.ranks and asdict(agreement.ranks),
                "unmatched": agreement.unmatched,
            }
            for task, agreement in agreements.items()
        },
    }
