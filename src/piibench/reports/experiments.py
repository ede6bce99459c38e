"""The experiments of the paper, one sealed TOML file for each table or figure of results.

A file in `experiments/` says which runs a printed result is made of, with the paper's models and settings.
Its `seal` is a hash of all other fields, so that a result is never reproduced with settings that somebody
changed on the way: a variant is a command of its own (`piibench evaluate`), not an edited experiment.
Tables 2 and 21 have none, for they take people; Tables 1, 10 and 22 hold words.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from piibench.data.runs import Task
from piibench.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind = Literal["scores", "consistency", "factors", "statistics"]
"""What is made of the runs: mean scores; their agreement between two data sets (PCS, Spearman); the scores by
properties of the samples (Figure 4); or statistics of the data, without any run."""

_SUFFIX = ".toml"
_RESULT = re.compile(r"(?P<kind>table|figure)-?(?P<number>[0-9]{1,3})")


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Settings(_Model):
    """How the paper ran it.

    Attributes:
        temperature: Of all models; a strategy that has to sample has its own.
        top_k: Likewise.
        candidates: What `naive_with_choice` chooses from: "gold" entities, or those that the model itself
            detected ("llm"). None where that strategy is not asked.
        shots: Worked examples of `auto_cot`; None where that is not asked.
        responder: The model that answers the masked prompts of a trade-off.
        judge: The model that compares answers.
        embedder: The encoder that compares answers (Equation 18).
        alpha: Weight of privacy in the balanced score (Equation 20).
    """

    temperature: float = 0
    top_k: int = 1
    candidates: Literal["gold", "llm"] | None = None
    shots: int | None = None
    responder: str | None = None
    judge: str | None = None
    embedder: str | None = None
    alpha: Annotated[float | None, Field(ge=0, le=1)] = None


class Experiment(_Model):
    """One printed result and what it takes to make it.

    Attributes:
        name: As in "table-07-query-single"; the file's name.
        result: What it makes, as in "Table 7", in the final version's numbers.
        kind: What is made of the runs.
        title: What the result shows, in our words.
        tasks: The tasks to run; none where the data alone is looked at.
        subsets: The subsets to run on, in the order of the columns; "real" is a data set of real people,
            given by its path.
        pooled: Whether a score is the mean over all these subsets together, and not one for each.
        limit: Samples in all, where the paper takes not all of them.
        models: The printed models (`published.toml` has their full names); to be replaced by one's own.
        strategies: How the model is asked, in the order of the rows; none where a task has a single prompt.
        arms: How the prompts of a trade-off are masked.
        metrics: What is printed, from left to right.
        settings: How the paper ran it.
        note: What is not stated and how we read it, or "".
        seal: Hash of all other fields.
    """

    name: str
    result: Annotated[str, Field(pattern=r"^(Table|Figure) [0-9]+$")]
    kind: Kind
    title: str
    tasks: tuple[Task, ...] = ()
    subsets: Annotated[tuple[str, ...], Field(min_length=1)]
    pooled: bool = False
    limit: Annotated[int | None, Field(gt=0)] = None
    models: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    arms: tuple[str, ...] = ()
    metrics: Annotated[tuple[str, ...], Field(min_length=1)]
    settings: Settings = Settings()
    note: str = ""
    seal: Annotated[str, Field(pattern="^sha256:[0-9a-f]{64}$")]

    @property
    def number(self) -> int:
        """The number of the table or figure."""
        return int(self.result.split()[1])


@cache
def list_experiments() -> tuple[Experiment, ...]:
    """All experiments: the tables by number, then the figures."""
    paths = [
        path for path in (files("piibench.reports") / "experiments").iterdir() if path.name.endswith(_SUFFIX)
    ]
    found = [parse_experiment(path.read_text("utf-8"), path.name) for path in paths]
    return tuple(sorted(found, key=lambda each: (each.result.split()[0] != "Table", each.number)))


def find_experiment(name: str) -> Experiment:
    """The experiment of that name.

    Args:
        name: Its full name, or as much as names the result: "table-07", "table 7", "figure-4".

    Raises:
        ConfigError: There is none; the message names the nearest one.
    """
    wanted = _normalize(name)
    by_name = {each.name: each for each in list_experiments()}
    by_result = {_normalize(each.result): each for each in by_name.values()}
    if found := by_name.get(wanted) or by_result.get(wanted):
        return found
    near = difflib.get_close_matches(wanted, [*by_name, *by_result], n=1)
    # A well-formed number is no slip of the pen: that result has no experiment.
    hint = ", ".join(by_result) if _RESULT.fullmatch(wanted) or not near else near[0]
    msg = f"no experiment {name!r}; use {hint}"
    raise ConfigError(msg)


def _normalize(name: str) -> str:
    """Write "Table 7" and "table-7" as "table-07", and leave full names as they are."""
    plain = "-".join(name.strip().lower().replace("_", "-").split())
    short = _RESULT.fullmatch(plain)
    return f"{short['kind']}-{int(short['number']):02d}" if short else plain.removesuffix(_SUFFIX)


def parse_experiment(text: str, place: str) -> Experiment:
    """Read an experiment and check its seal.

    Args:
        text: The content of its file.
        place: The file's name.

    Raises:
        ConfigError: It is no TOML, a field is missing, unknown or of the wrong kind, it is not named as its
            file, or it is not what was sealed.
    """
    try:
        content = tomllib.loads(text)
        experiment = Experiment.model_validate(content)
    except tomllib.TOMLDecodeError as error:
        msg = f"{place}: is no valid TOML ({error}); correct its syntax there"
        raise ConfigError(msg) from None
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        field = ".".join(map(str, first["loc"]))
        msg = f"{place}, {field}: {first['msg'].lower()}; see piibench.reports.experiments for the fields"
        raise ConfigError(msg) from None
    if f"{experiment.name}{_SUFFIX}" != place:
        msg = f"{place}, name: is {experiment.name!r}; name the file {experiment.name}{_SUFFIX}"
        raise ConfigError(msg)
    if experiment.seal != (found := seal(content)):
        msg = (
            f"{place}, seal: the experiment was changed after it was sealed; restore the file, or run your"
            f" variant with `piibench evaluate`; if the paper is now read differently, seal it with {found}"
        )
        raise ConfigError(msg)
    return experiment


def seal(content: Mapping[str, Any]) -> str:
    """Hash an experiment's fields; their order, comments and layout do not matter.

    Args:
        content: The fields as TOML holds them; a `seal` among them is left out.

    Returns:
        "sha256:" and 64 hexadecimal digits.
    """
    sealed = {field: value for field, value in content.items() if field != "seal"}
    canonical = json.dumps(sealed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"
