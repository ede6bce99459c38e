"""One evaluated run on disk: what was asked, what came out, and the scores of each sample.

    OUT/data.jsonl.gz                the gold samples
    OUT/runs/<slug>/run.json         a `Run`
                    predictions.jsonl.gz    canonical predictions
                    scores.jsonl.gz         a `SampleScores` a line, one for each sample (and arm)

Written by an evaluation, read by the analysis and the reports, which need nothing else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from piibench.data.files import read_predictions, read_samples, write_records
from piibench.data.lines import read_lines
from piibench.data.output import explain_write_errors, write_lines
from piibench.errors import DataError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from piibench.data.schema import Prediction, Sample

Task = Literal["pii_detection", "query_related", "query_unrelated_masking", "tradeoff"]
TASKS: tuple[Task, ...] = ("pii_detection", "query_related", "query_unrelated_masking", "tradeoff")
"""Tasks 1 to 3 (section 3.1) and the trade-off (section 4.5)."""
SHORT_NAMES: dict[str, Task] = dict(zip(("detection", "query", "masking", "tradeoff"), TASKS, strict=True))
"""What a command's --task takes beside the whole names."""

_DATA, _RUNS = "data.jsonl.gz", "runs"
_RUN, _PREDICTIONS, _SCORES = "run.json", "predictions.jsonl.gz", "scores.jsonl.gz"


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, populate_by_name=True)


class Run(_Model):
    """What was asked of whom, and how it went.

    Attributes:
        task: Which task.
        system: The privacy protection system, as in "rules@9ab1", or "llm" where a model answers by itself.
        model: The model that answered; None where none did.
        strategy: How it was asked; None where that is no question.
        candidates: Where the candidates to choose from came from: "gold", a system's name, or None.
        roles: The models beside the one that answers, such as {"judge": "openai/gpt-4o"} in a trade-off.
        arms: How the prompts of a trade-off were masked: "none", "all", "gold", systems as in "rules@9ab1".
        orders: In how many orders a judge saw each pair of answers.
        embedder: What compared the answers of a trade-off.
        n: Samples.
        unreadable: Replies that could not be understood, scored as empty.
        bare_shots: Worked examples (`auto_cot`) that the model saw without a chain of thought, as it had no
            right one to any sample near them.
        failed: Samples that got no reply at all; they are not among the scores.
        prompt_tokens: Tokens read by the model.
        reply_tokens: Tokens written by it.
        seconds: Wall time.
        data: Hash of the samples.
        seed: Seed of all choices.
        version: Version of piibench.
    """

    schema_version: Annotated[Literal[1], Field(alias="schema")] = 1
    task: Task
    system: str
    model: str | None = None
    strategy: str | None = None
    candidates: str | None = None
    roles: dict[str, str] = Field(default_factory=dict[str, str])
    arms: tuple[str, ...] = ()
    orders: Annotated[int | None, Field(ge=1, le=2)] = None
    embedder: str | None = None
    n: Annotated[int, Field(ge=0)]
    unreadable: Annotated[int, Field(ge=0)] = 0
    bare_shots: Annotated[int, Field(ge=0)] = 0
    failed: Annotated[int, Field(ge=0)] = 0
    prompt_tokens: Annotated[int, Field(ge=0)] = 0
    reply_tokens: Annotated[int, Field(ge=0)] = 0
    seconds: Annotated[float, Field(ge=0)] = 0.0
    data: str
    seed: Annotated[int, Field(ge=0)] = 7
    version: str

    @property
    def slug(self) -> str:
        """The run's folder: its task, system, model and strategy, in letters that any file system takes."""
        named = (self.task, self.system, self.model, self.strategy, self.candidates, *self.roles.values())
        return "--".join(re.sub(r"[^A-Za-z0-9.@_-]+", "_", part) for part in named if part)

    @property
    def label(self) -> str:
        """The run's name in a table: the model where one answered, else the system."""
        return self.model or self.system.partition("@")[0]

    def describe(self, separator: str = " ", *, among: Iterable[Run] = ()) -> str:
        """Say who answered and how they were asked, the same for the same system whatever the data.

        Args:
            separator: Between the parts.
            among: Runs to tell it from: its roles are named where another is asked alike in other roles.
        """
        parts = [self.label, self.strategy, self.candidates and f"from {self.candidates}"]
        alike = (each for each in among if each.task == self.task and each.describe() == self.describe())
        if any(each.roles != self.roles for each in alike):
            parts += self.roles.values()
        return separator.join(filter(None, parts))


class SampleScores(_Model):
    """The scores of one sample; free of its text.

    Attributes:
        id: The sample's.
        subset: The sample's.
        arm: How the prompt was masked, in a trade-off.
        scores: By the names of `metrics.measures.METRICS`, and in a trade-off those of `metrics.tradeoff`;
            None where the sample has no such score.
        counts: By the names of `metrics.measures.POOLED`: what agrees, what was predicted, what is gold.
    """

    id: str
    subset: str
    arm: str | None = None
    scores: dict[str, float | None]
    counts: dict[str, tuple[float, int, int]] = Field(default_factory=dict[str, tuple[float, int, int]])


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A run on disk.

    Attributes:
        path: Its folder.
        run: What `run.json` says.
    """

    path: Path
    run: Run

    def predictions(self) -> Iterator[Prediction]:
        """Yield the run's predictions."""
        return read_predictions(self.path / _PREDICTIONS)

    def scores(self) -> Iterator[SampleScores]:
        """Yield the scores of its samples.

        Raises:
            DataError: A line is malformed.
        """
        for line in read_lines(self.path / _SCORES):
            try:
                yield SampleScores.model_validate(line.fields)
            except ValidationError as error:
                raise line.error(_describe(error), None) from None


def write_data(out: str | Path, samples: Iterable[Sample]) -> None:
    """Keep the gold samples beside the runs."""
    write_records(Path(out) / _DATA, samples)


def read_data(out: str | Path) -> Iterator[Sample]:
    """Yield the gold samples of an evaluation."""
    return read_samples(Path(out) / _DATA)


def begin_runs(out: str | Path, runs: Iterable[Run]) -> None:
    """Make the runs' folders, so that one that is stopped is seen to lack its scores.

    Raises:
        PiibenchError: A folder cannot be made.
    """
    for run in runs:
        with explain_write_errors(run.slug):
            (Path(out) / _RUNS / run.slug).mkdir(parents=True, exist_ok=True)


def write_run(
    out: str | Path, run: Run, predictions: Iterable[Prediction], scores: Iterable[SampleScores]
) -> RunFolder:
    """Write a run; `run.json` comes last, so that a folder without it is no run.

    Raises:
        PiibenchError: The folder cannot be written.
    """
    folder = Path(out) / _RUNS / run.slug
    with explain_write_errors(folder.name):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _RUN).unlink(missing_ok=True)
    write_records(folder / _PREDICTIONS, predictions)
    write_lines(folder / _SCORES, (each.model_dump_json(exclude_none=False) for each in scores))
    write_lines(folder / _RUN, [run.model_dump_json(by_alias=True, indent=2)])
    return RunFolder(folder, run)


def read_runs(out: str | Path) -> tuple[RunFolder, ...]:
    """The finished runs of an evaluation, in the order of the tasks, then by name.

    Raises:
        InputError: The folder holds no finished run.
        DataError: A `run.json` is malformed.
    """
    found = [RunFolder(path.parent, _read_run(path)) for path in (Path(out) / _RUNS).glob(f"*/{_RUN}")]
    if not found:
        msg = (
            f"{Path(out).resolve().name}: holds no finished run; give the folder that `piibench evaluate"
            " --out` wrote, or run the same evaluate command again to finish it"
        )
        raise InputError(msg)
    return tuple(sorted(found, key=lambda folder: (TASKS.index(folder.run.task), folder.path.name)))


def _read_run(path: Path) -> Run:
    try:
        return Run.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise DataError(_describe(error), place=f"{path.parent.name}/{path.name}") from None


def _describe(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "the record"
    return f"{place}: {first['msg'].lower()}; was the file edited? evaluate again to write it anew"
