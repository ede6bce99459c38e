"""From Inspect's logs to the runs that the analysis and the reports read."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlparse

from inspect_ai.log import list_eval_logs, read_eval_log

from piibench.data.runs import RunFolder, SampleScores, read_runs, write_run
from piibench.errors import DataError, InputError
from piibench.evals.kinds import Answer
from piibench.evals.ledger import ANSWER, SCORES, USAGE
from piibench.llm.chat import Usage

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

    from piibench.data.runs import Run
    from piibench.data.schema import Prediction

STARTED = "started"


@dataclass(slots=True)
class _Gathered:
    """What the samples of a log add up to."""

    predictions: list[Prediction] = field(default_factory=list["Prediction"])
    scores: list[SampleScores] = field(default_factory=list[SampleScores])
    answered: int = 0
    unreadable: int = 0
    bare_shots: int = 0
    failed: int = 0
    usage: Usage = field(default_factory=Usage)


def export_log(out: Path, run: Run, log: EvalLog, *, total: int) -> RunFolder | None:
    """Write a run from its log.

    Args:
        out: Folder of the evaluation.
        run: As it was planned.
        log: Its log, at least the header.
        total: Samples that it has.

    Returns:
        None where samples are still open, or not one was answered.
    """
    gathered = _gather(log)
    if not gathered.answered or gathered.answered + gathered.failed < total:
        return None
    finished = run.model_copy(
        update={
            "n": gathered.answered,
            "unreadable": gathered.unreadable,
            "bare_shots": gathered.bare_shots,
            "failed": gathered.failed,
            "prompt_tokens": gathered.usage.prompt_tokens,
            "reply_tokens": gathered.usage.reply_tokens,
            "seconds": _measure_time(log),
        }
    )
    return write_run(out, finished, gathered.predictions, gathered.scores)


def find_exported(out: Path, run: Run, log: Path) -> RunFolder | None:
    """The run that was written from a log before; None where it must be written anew."""
    try:
        folder = next((each for each in read_runs(out) if each.run.slug == run.slug), None)
    except InputError:
        return None
    if folder is None or folder.run.failed:
        return None
    written = (folder.path / "run.json").stat().st_mtime_ns
    return folder if written >= log.stat().st_mtime_ns else None


def list_logs(folder: Path) -> dict[Path, EvalLog]:
    """The headers of the logs in a folder, by file.

    Raises:
        DataError: A file is no log, or only half of one.
    """
    headers: dict[Path, EvalLog] = {}
    for info in list_eval_logs(str(folder)) if folder.is_dir() else []:
        path = Path(unquote(urlparse(info.name).path))
        try:
            headers[path] = read_eval_log(str(path), header_only=True)
        except Exception:  # noqa: BLE001 - whatever Inspect makes of half a file
            problem = (
                "is damaged or cut short; delete it and repeat the command"
                " (replies of models that came already are kept elsewhere and not asked for again)"
            )
            raise DataError(problem, place=f"{folder.name}/{path.name}") from None
    return headers


def remove_abandoned(folder: Path) -> None:
    """Delete logs that a stopped attempt left behind and a later one has taken over."""
    logs = list_logs(folder)
    over = {log.eval.task_id for log in logs.values() if log.status != STARTED}
    for path, log in logs.items():
        if log.status == STARTED and log.eval.task_id in over:
            path.unlink(missing_ok=True)


def _gather(log: EvalLog) -> _Gathered:
    gathered = _Gathered()
    # Sample by sample it takes ten times as long.
    for sample in read_eval_log(log.location).samples or ():
        _add(gathered, sample)
    return gathered


def _add(gathered: _Gathered, sample: EvalSample) -> None:
    if sample.error or SCORES not in sample.metadata:
        gathered.failed += 1
        return
    answer = Answer.from_json(sample.metadata[ANSWER])
    gathered.answered += 1
    gathered.unreadable += answer.flagged
    gathered.bare_shots = max(gathered.bare_shots, answer.bare_shots)
    gathered.usage += Usage(*sample.metadata[USAGE])
    if answer.prediction:
        gathered.predictions.append(answer.prediction)
    gathered.scores += map(SampleScores.model_validate, json.loads(sample.metadata[SCORES]))


def _measure_time(log: EvalLog) -> float:
    """Seconds of the last attempt."""
    begun, over = log.stats.started_at, log.stats.completed_at
    if not begun or not over:
        return 0.0
    return max(0.0, (datetime.fromisoformat(over) - datetime.fromisoformat(begun)).total_seconds())
