"""What an evaluation asks: tasks, systems, models, strategies, on which samples."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from piibench import __version__
from piibench.data.lines import explain_read_error
from piibench.data.output import write_lines
from piibench.data.runs import Task
from piibench.errors import DataError, InputError
from piibench.metrics.signature import digest, hash_digests

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from piibench.data.schema import Sample

FILE = "grid.json"
OWN = "own"
"""Candidates that the system, or the model, detects itself."""
GOLD = "gold"
"""Candidates that the data labels."""

_ASKING = {
    "piibench.prompts": None,
    "piibench.strategies": None,
    "piibench.systems.llm": None,
    "piibench.evals": {"asked.py", "judging.py", "shots.py", "tradeoff.py"},
}
"""Rooms, with those of their files that count; None where all do."""
_DIGITS = 8


class Grid(BaseModel):
    """All that the answers depend on; every task is put to every system and model.

    Attributes:
        tasks: In the paper's order.
        systems: Systems of the registry with their fingerprints, as in "rules@9ab1".
        models: As `--model` names them.
        strategies: How the models are asked in tasks 2 and 3.
        candidates: "gold", "own", or the system whose detection is chosen from; None for what is usual.
        detector: That system with its fingerprint; None where the candidates are not a system's.
        arms: How prompts are masked in a trade-off; systems with their fingerprints.
        roles: Models in the roles of a trade-off: "responder", "judge" and, where one masks, "masker".
        orders: In how many orders the judge sees each pair of answers.
        embedder: What compares the answers of a trade-off.
        data: Hash of the samples.
        n: How many they are.
        limit: Samples of a subset; None for all.
        seed: Seed of all choices.
        asking: Hash of the prompts and of the code that reads replies; None where no model is asked.
        version: Version of piibench.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_version: Literal[1] = Field(default=1, alias="schema")
    tasks: tuple[Task, ...]
    systems: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    candidates: str | None = None
    detector: str | None = None
    arms: tuple[str, ...] = ()
    roles: dict[str, str] = Field(default_factory=dict[str, str])
    orders: Literal[1, 2] | None = None
    embedder: str | None = None
    data: str
    n: int
    limit: int | None = None
    seed: int = 7
    asking: str | None = None
    version: str = __version__


def hash_samples(samples: Iterable[Sample]) -> str:
    """Hash samples, whatever their order, as signatures do."""
    return hash_digests(map(digest, samples))


def hash_asking() -> str:
    """Hash everything that decides how a model is asked and how its reply is read."""
    hashed = hashlib.sha256()
    for room, names in _ASKING.items():
        for path in sorted(files(room).iterdir(), key=lambda path: path.name):
            if path.name.endswith((".py", ".jinja")) and (names is None or path.name in names):
                hashed.update(path.read_bytes())
    return hashed.hexdigest()[:_DIGITS]


def read_grid(out: Path) -> Grid | None:
    """The grid of an evaluation's folder; None where there is none yet.

    Raises:
        DataError: The file is damaged.
    """
    path = out / FILE
    try:
        return Grid.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DataError(explain_read_error(error), place=FILE) from None
    except ValidationError:
        problem = "is no grid of this version of piibench, or is damaged; choose another --out"
        raise DataError(problem, place=FILE) from None


def is_claimed(out: Path, grid: Grid) -> bool:
    """Whether a folder is this grid's already.

    Raises:
        InputError: It belongs to another grid.
    """
    present = read_grid(out)
    if present is None:
        return False
    names = [name for name in Grid.model_fields if getattr(present, name) != getattr(grid, name)]
    if names:
        msg = (
            f"{out.resolve().name}: holds another evaluation (it differs in {', '.join(names)});"
            " choose another --out, or repeat its own command"
        )
        raise InputError(msg)
    return True


def write_grid(out: Path, grid: Grid) -> None:
    """Make a folder this grid's.

    Raises:
        PiibenchError: It cannot be written.
    """
    write_lines(out / FILE, [grid.model_dump_json(by_alias=True, indent=2)])
