"""Samples from other people's files: the paper's own tags, presidio-research, lifebench-pii.

Each source is read in its public form (JSON Lines or one JSON array) and in the normalised form `text`,
`spans`. A span that does not fit its text is left out and counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from piibench.data.foreign import convert_lifebench, convert_presidio, is_lifebench, is_presidio
from piibench.data.lines import read_objects
from piibench.data.paper import convert_paper, is_paper
from piibench.errors import InputError

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from piibench.data.lines import Line
    from piibench.data.schema import Sample

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Importer:
    """How one foreign format is known and read.

    Attributes:
        recognises: Whether a record looks like this format.
        convert: Makes a sample, or None where a record is of no use; fills the tally of what is left out.
        summary: One line for people.
    """

    recognises: Callable[[dict[str, Any]], bool]
    convert: Callable[[Line, Counter[str]], Sample | None]
    summary: str


IMPORTERS: Mapping[str, Importer] = MappingProxyType(
    {
        "paper": Importer(is_paper, convert_paper, "label, tag, entity; or type, tag, text, start, end"),
        "presidio": Importer(is_presidio, convert_presidio, "full_text, spans; or text, spans, template_id"),
        "lifebench": Importer(
            is_lifebench, convert_lifebench, "data_to_answer, pii_spans; or text, spans, user"
        ),
    }
)
"""The formats that `piibench import` reads."""


def read_foreign(path: str | Path, format_name: str, skipped: Counter[str]) -> Iterator[Sample]:
    """Yield the samples of a file in another project's format.

    Args:
        path: A file, or "-" for standard input.
        format_name: A key of `IMPORTERS`, or "auto" to tell it from the first record.
        skipped: Is filled with what was left out, by reason.

    Raises:
        InputError: There is no such format, or the file is in none that is known.
        DataError: The file or a record cannot be used.
    """
    if format_name not in (AUTO, *IMPORTERS):
        msg = f"unknown format; use {AUTO}, {', '.join(IMPORTERS)}"
        raise InputError(msg)
    importer = IMPORTERS.get(format_name)
    ids: dict[str, int] = {}
    for line in read_objects(path):
        importer = importer or _recognise(line)
        sample = importer.convert(line, skipped)
        if sample is None:
            continue
        if ids.setdefault(sample.id, line.number) != line.number:
            problem = f"is the same as that of record {ids[sample.id]}; ids must be unique in a file"
            raise line.error(problem, "id")
        yield sample


def _recognise(line: Line) -> Importer:
    for importer in IMPORTERS.values():
        if importer.recognises(line.fields):
            return importer
    problem = f"its format is none that is known; name one of {', '.join(IMPORTERS)}"
    raise line.error(problem)
