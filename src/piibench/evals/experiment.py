"""A whole evaluation: a grid's runs on Inspect's `eval_set`, resumed where they stopped, then exported."""

from __future__ import annotations

import gc
import os
import re
import sys
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from inspect_ai import eval_set  # pyright: ignore[reportUnknownVariableType] - an optional part of it
from inspect_ai.log import read_eval_log_sample_summaries

from piibench.data.output import explain_write_errors
from piibench.data.runs import begin_runs, write_data
from piibench.errors import InputError, PiibenchError
from piibench.evals.bench import Bench
from piibench.evals.export import export_log, find_exported, list_logs, remove_abandoned
from piibench.evals.grid import is_claimed, write_grid
from piibench.evals.meter import Meter
from piibench.evals.tasks import create_task, plan_runs

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from inspect_ai import Task
    from inspect_ai.log import EvalLog

    from piibench.data.runs import Run, RunFolder
    from piibench.data.schema import Sample
    from piibench.evals.grid import Grid
    from piibench.evals.models import Access

LOGS, REPLIES = "logs", "replies"
"""Folders inside an evaluation's."""

_LOCK = ".lock"
_ADDRESS_SIGN = re.compile(r"[#?]|%[0-9A-Fa-f]{2}")
_LONGEST_NAME = 200
_OBJECTS_A_COLLECTION = 100_000


@dataclass(frozen=True, slots=True)
class Results:
    """How an evaluation ended.

    Attributes:
        runs: What is finished, in the order of the grid.
        planned: How many runs the grid asks for.
        meter: What this attempt did.
        error: Why something is missing; None where nothing is.
        interrupted: Whether somebody stopped it.
    """

    runs: tuple[RunFolder, ...]
    planned: int
    meter: Meter
    error: PiibenchError | None = None
    interrupted: bool = False


def evaluate(
    grid: Grid,
    samples: Sequence[Sample],
    out: Path,
    *,
    access: Access,
    on_change: Callable[[Meter], None] | None = None,
) -> Results:
    """Put every task of a grid to every system and model; go on where an earlier attempt stopped.

    Args:
        grid: What is asked.
        samples: The samples that its hash is of.
        out: A folder for this grid alone; made where it is missing.
        access: How models are reached.
        on_change: Is told how far it has come.

    Raises:
        InputError: A name, a key, an address or the folder is wrong.
        PiibenchError: The folder cannot be written.
    """
    _check_folder(out)
    runs = plan_runs(grid)
    _check_names(runs)
    bench, meter = Bench(access, out / REPLIES, seed=grid.seed), Meter(on_change=on_change)
    tasks = [create_task(run, samples, bench, meter) for run in runs]
    with _alone(out):
        if not is_claimed(out, grid):
            write_data(out, samples)
            begin_runs(out, runs)
            write_grid(out, grid)
        with _rare_collections():
            _count_done(out / LOGS, tasks, meter)
            interrupted = _run(tasks, out / LOGS, bench, access)
            finished = _export(out, runs, tasks)
    error = bench.find_gone() or meter.error
    # Stopped before the first of the runs begins, no log says so.
    interrupted = interrupted or (error is None and len(finished) < len(runs))
    return Results(finished, len(runs), meter, error, interrupted)


def _run(tasks: Sequence[Task], folder: Path, bench: Bench, access: Access) -> bool:
    """Run what is not finished; return whether somebody stopped it."""
    try:
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
            eval_set(
                list(tasks),
                model=None,  # that of each task, not of the environment
                log_dir=str(folder),
                # A sample without a reply does not keep the others from theirs; its task is not finished.
                fail_on_error=True,
                continue_on_fail=True,
                retry_attempts=1,
                retry_immediate=False,
                max_tasks=max(1, bench.models_in_use),
                max_samples=access.limits.concurrency,
                # Replies are kept elsewhere at once, so the log may be written by and by.
                log_realtime=False,
                score_display=False,
                display="none",
                log_level="critical",
                ctl_server=False,
            )
    except KeyboardInterrupt:
        return True
    return any(log.status == "cancelled" for log in list_logs(folder).values())


def _export(out: Path, runs: Sequence[Run], tasks: Sequence[Task]) -> tuple[RunFolder, ...]:
    remove_abandoned(out / LOGS)
    logs: dict[str, tuple[Path, EvalLog]] = {
        log.eval.task: (path, log) for path, log in list_logs(out / LOGS).items()
    }
    finished: list[RunFolder] = []
    for run, task in zip(runs, tasks, strict=True):
        if run.slug in logs:
            path, log = logs[run.slug]
            folder = find_exported(out, run, path) or export_log(out, run, log, total=len(task.dataset))
            finished += [folder] if folder else []
    return tuple(finished)


def _count_done(folder: Path, tasks: Sequence[Task], meter: Meter) -> None:
    meter.total = sum(len(task.dataset) for task in tasks)
    done: dict[str, int] = {}
    for path, log in list_logs(folder).items():
        summaries = read_eval_log_sample_summaries(str(path))
        count = sum(1 for summary in summaries if summary.completed and not summary.error)
        done[log.eval.task] = max(count, done.get(log.eval.task, 0))
    meter.done = sum(done.get(task.name, 0) for task in tasks)


def _check_folder(out: Path) -> None:
    """Refuse a folder whose logs Inspect, which takes their names for addresses, could not read again."""
    if match := _ADDRESS_SIGN.search(str(out.absolute())):
        msg = f'--out: "{match[0]}" in its path or name would be lost in the logs; choose another folder'
        raise InputError(msg)


def _check_names(runs: Sequence[Run]) -> None:
    names = [run.slug for run in runs]
    if len(set(names)) < len(names):
        msg = (
            "two of the runs have the same name, or names that differ only in signs that no folder can hold;"
            " name each system, model and strategy once"
        )
        raise InputError(msg)
    if any(len(name.encode()) > _LONGEST_NAME for name in names):
        msg = f"--model: too long a name; a run's folder may have {_LONGEST_NAME} letters"
        raise InputError(msg)


@contextmanager
def _rare_collections() -> Generator[None]:
    """Look for cycles more seldom: nearly all that Inspect makes lives on, and each look goes through it."""
    before = gc.get_threshold()
    gc.set_threshold(_OBJECTS_A_COLLECTION, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def _alone(out: Path) -> Generator[None]:
    """Make the folder, and keep a second process out of it; the lock goes with the process."""
    with explain_write_errors(out.resolve().name):
        out.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(out / _LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if sys.platform != "win32":
            _lock(descriptor, out.resolve().name)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, name: str) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        msg = f"{name}: another evaluate is at work in this folder; wait for it, or choose another --out"
        raise InputError(msg) from None
    except OSError:
        return  # some network file systems know no locks
