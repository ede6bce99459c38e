"""Canonical records on disk (JSON Lines, also gzipped): samples, predictions, and bare prompts to predict on.

Everything streams: one record is in memory at a time. Every refusal is a `DataError` with the file, the line,
the field, what is wrong and the remedy, and without any value of the record.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from piibench.data.lines import read_lines, show_field
from piibench.data.output import write_lines
from piibench.data.schema import ALL, ALL_IS_TAKEN, SCHEMA_VERSION, Prediction, Prompt, Sample
from piibench.data.tags import find_category
from piibench.data.taxonomy import PIIType, parse_category
from piibench.errors import UnknownCategoryError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pydantic_core import ErrorDetails

    from piibench.data.lines import Line
    from piibench.errors import DataError

_Record = TypeVar("_Record", Sample, Prediction)

_LONGEST_ID = 200
_OWN_FIELD = re.compile(r"(?:Value error, )?((?:entities|relevant)\[\d+\][\w.\[\]]*) ?(.*)", re.DOTALL)
_EXTRA = "extra_forbidden"
_PROBLEMS = {
    "missing": "is missing",
    "string_type": "must be text",
    "string_too_short": "must not be empty",
    "string_too_long": "is too long",
    "string_pattern_mismatch": "must be one to three capital letters, such as A",
    "literal_error": f"must be {SCHEMA_VERSION}, the only version this piibench reads",
    "tuple_type": "must be an array",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    _EXTRA: "is no field of the canonical record; remove it or put it under meta",
}
_MENTION_PROBLEM = "must be pairs [start, end] of whole numbers"


@dataclass(frozen=True, slots=True)
class PromptRecord:
    """What `predict` reads of a record; nothing that is labelled in it.

    Attributes:
        id: The record's own id, or "line-N" where it has none.
        subset: The record's subset, "real" where it names none.
        description: The text to protect.
        query: The question, "" where there is none.
        line: 1-based line of the file it comes from.
    """

    id: str
    subset: str
    description: str = field(repr=False)
    query: str = field(default="", repr=False)
    line: int = 0

    @property
    def prompt(self) -> Prompt:
        """The prompt (d, q) of this record."""
        return Prompt(description=self.description, query=self.query)


def read_samples(path: str | Path) -> Iterator[Sample]:
    """Yield the gold samples of a file; "-" is standard input, `.gz` is unpacked.

    Raises:
        DataError: The file or a record cannot be used, or an id comes twice.
    """
    return _read(path, Sample)


def read_predictions(path: str | Path) -> Iterator[Prediction]:
    """Yield the predictions of a file; "-" is standard input, `.gz` is unpacked.

    Raises:
        DataError: The file or a record cannot be used, or an id comes twice.
    """
    return _read(path, Prediction)


def read_prompts(path: str | Path) -> Iterator[PromptRecord]:
    """Yield what there is to predict on; only id, subset, description and query are looked at.

    A record may hold `description` alone; other fields may hold anything.

    Raises:
        DataError: The file or one of the four fields cannot be used, or an id comes twice.
    """
    ids: dict[str, int] = {}
    for line in read_lines(path):
        record = _to_prompt(line)
        _claim_id(record.id, ids, line)
        yield record


def write_records(path: str | Path, records: Iterable[Sample | Prediction]) -> int:
    """Write canonical records, whole or not at all; `.gz` is packed reproducibly.

    Returns:
        The number of records written.

    Raises:
        PiibenchError: The place cannot be written.
    """
    return write_lines(path, (record.to_json() for record in records))


def _read(path: str | Path, model: type[_Record]) -> Iterator[_Record]:
    ids: dict[str, int] = {}
    for line in read_lines(path):
        try:
            record = model.model_validate(line.fields)
        except ValidationError as error:
            raise _explain(line, error) from None
        _claim_id(record.id, ids, line)
        yield record


def _claim_id(identifier: str, ids: dict[str, int], line: Line) -> None:
    first = ids.setdefault(identifier, line.number)
    if first != line.number:
        problem = f"is the same as on line {first}; ids must be unique in a file"
        raise line.error(problem, "id")


def _to_prompt(line: Line) -> PromptRecord:
    fields = line.fields
    if fields.get("schema", SCHEMA_VERSION) != SCHEMA_VERSION:
        raise line.error(_PROBLEMS["literal_error"], "schema")
    if fields.get("description") is None:
        problem = 'is missing; each record needs its text under "description"'
        raise line.error(problem, "description")
    texts: dict[str, str] = {}
    for name, default in (
        ("id", f"line-{line.number}"),
        ("subset", "real"),
        ("description", ""),
        ("query", ""),
    ):
        value = fields.get(name)
        if value is not None and not isinstance(value, str):
            raise line.error(_PROBLEMS["string_type"], name)
        texts[name] = default if value is None else value
    if not 0 < len(texts["id"]) <= _LONGEST_ID:
        problem = f"must have 1 to {_LONGEST_ID} characters"
        raise line.error(problem, "id")
    if texts["subset"] == ALL:
        raise line.error(ALL_IS_TAKEN, "subset")
    return PromptRecord(**texts, line=line.number)


def _explain(line: Line, error: ValidationError) -> DataError:
    """Name the first thing that is wrong with a record, without what the record holds."""
    details = error.errors(include_url=False, include_context=False, include_input=False)
    # An unknown category also leaves the type open: the cause is named, not its consequence.
    first = next((detail for detail in details if detail["loc"][-1:] == ("category",)), details[0])
    location = first["loc"]
    if first["type"] == "value_error":
        return _explain_own(line, first)
    if first["type"] == _EXTRA:
        problem = _PROBLEMS[_EXTRA]
    elif location[-1] == "category":
        problem = _suggest_category(_look_up(line.fields, location))
    elif location[-1] == "type":
        problem = f"must be one of {', '.join(PIIType)}"
    elif "mentions" in location:
        problem = (
            _MENTION_PROBLEM if first["type"] != "missing" or location[-1] != "mentions" else "is missing"
        )
    else:
        problem = _PROBLEMS.get(first["type"], "is not valid; see the canonical record in the documentation")
    return line.error(problem, show_field(location))


def _explain_own(line: Line, detail: ErrorDetails) -> DataError:
    """Messages of the schema's own checks are free of values, and some begin with the field's path."""
    location, message = show_field(detail["loc"]), detail["msg"].removeprefix("Value error, ")
    if not location and (parts := _OWN_FIELD.fullmatch(message)):
        location, message = parts.groups()
    return line.error(message, location or None)


def _suggest_category(value: Any) -> str:
    if not isinstance(value, str):
        return "must be the name of a category; `piibench taxonomy` lists them"
    if category := find_category(value):
        return f'must be written "{category}"'
    try:
        return f'must be written "{parse_category(value)}"'
    except UnknownCategoryError as error:
        return str(error)


def _look_up(fields: Any, location: tuple[str | int, ...]) -> Any:
    for part in location:
        fields = fields[part]
    return fields
