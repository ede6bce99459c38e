"""Records with typed spans: presidio-research and lifebench-pii, in public form or as `text`, `spans`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pydantic import ValidationError

from piibench.data.mentions import Span
from piibench.data.schema import ALL_IS_TAKEN, Labelled, Sample, gather_entities, subject_letter
from piibench.data.tags import LABELS
from piibench.data.taxonomy import PIIType

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator

    from piibench.data.lines import Line

UNFIT = "span whose offsets do not hold its text"
CROSSING = "span that crosses another"
UNKNOWN = "span with an unknown label"
UNLABELLED_TYPE = "span of a type that the source labels only here and there"
NO_PII = "span that is no PII of the 55 categories"
"""Why a span is left out: the keys of the tallies that importers fill."""


class _Form(NamedTuple):
    """Where a source keeps its text and spans, and what it calls a span's parts."""

    text: str
    spans: str
    start: str = "start"
    end: str = "end"
    value: str = "text"
    label: str = "label"


_NORMALISED = _Form("text", "spans")
_PRESIDIO = _Form("full_text", "spans", "start_position", "end_position", "entity_value", "entity_type")
_LIFEBENCH = _Form("data_to_answer", "pii_spans", label="type")

_PRESIDIO_TYPES = ("PER", "CODE", "LOC", "ORG", "DEM", "DATETIME")
_LIFEBENCH_TYPES = ("PER", "CODE", "LOC", "ORG")


class _Found(NamedTuple):
    place: Labelled
    entity: str | None


def is_presidio(fields: dict[str, Any]) -> bool:
    """Whether a record is one of presidio-research."""
    return {"full_text", "spans"} <= fields.keys() or {"text", "spans", "template_id"} <= fields.keys()


def is_lifebench(fields: dict[str, Any]) -> bool:
    """Whether a record is one of lifebench-pii."""
    return {"data_to_answer", "pii_spans"} <= fields.keys() or {"text", "spans", "user"} <= fields.keys()


def convert_presidio(line: Line, skipped: Counter[str]) -> Sample:
    """Make a sample of a presidio-research record.

    All spans go to subject "A"; titles and domain names are no PII here and are left out.

    Args:
        line: The record.
        skipped: Tally of what is left out, by reason.

    Raises:
        DataError: The record has no text or no list of spans.
    """
    form = _PRESIDIO if "full_text" in line.fields else _NORMALISED
    text = _read_text(line, form.text)
    places = [found.place for found in _read_spans(line, form, text, skipped)]
    meta = {"source": "presidio-research", "template_id": line.fields.get("template_id")}
    fields = {"description": text, "entities": gather_entities(text, fit_places(places, skipped))}
    return build_sample(line, "presidio", fields | {"meta": meta | {"labels_types": list(_PRESIDIO_TYPES)}})


def convert_lifebench(line: Line, skipped: Counter[str]) -> Sample:
    """Make a sample of a lifebench-pii record; its question is the query.

    Each person that the source tells apart is a subject; everything else goes to the first one, "A".

    Args:
        line: The record.
        skipped: Tally of what is left out, by reason.

    Raises:
        DataError: The record has no text or no list of spans.
    """
    form = _LIFEBENCH if "data_to_answer" in line.fields else _NORMALISED
    text = _read_text(line, form.text)
    letters: dict[str, str] = {}
    places: list[Labelled] = []
    for place, entity in sorted(_read_spans(line, form, text, skipped), key=lambda found: found.place.span):
        if place.type not in _LIFEBENCH_TYPES:
            skipped[UNLABELLED_TYPE] += 1
            continue
        subject = "A"
        if place.type is PIIType.PER:
            person = entity or place.span.of(text)
            subject = letters.setdefault(person, subject_letter(len(letters)))
        places.append(Labelled(place.span, place.type, place.category, subject))
    query = line.fields.get("question" if form is _LIFEBENCH else "query")
    meta = {"source": "lifebench-pii"} | {
        key: line.fields[key] for key in ("user", "question_type") if key in line.fields
    }
    fields = {
        "description": text,
        "query": query or "",
        "entities": gather_entities(text, fit_places(places, skipped)),
        "meta": meta | {"labels_types": list(_LIFEBENCH_TYPES)},
    }
    return build_sample(line, "lifebench", fields)


def build_sample(line: Line, prefix: str, fields: dict[str, Any]) -> Sample:
    """Make the sample of a foreign record; its id is the source's own, or the prefix and its number.

    Raises:
        DataError: The record's id or query cannot be a sample's.
    """
    identifier = line.fields.get("id")
    try:
        own = f"{prefix}-{line.number}" if identifier is None else str(identifier)
        return Sample.model_validate({"id": own, **fields})
    except ValidationError as error:
        field = str(error.errors(include_input=False, include_context=False)[0]["loc"][:1])
        if "subset" in field:
            raise line.error(ALL_IS_TAKEN, "subset") from None
        problem = "its id or query cannot be used; both must be text, the id of 1 to 200 characters"
        raise line.error(problem, "id" if "id" in field else "query") from None


def fit_places(places: Iterable[Labelled], skipped: Counter[str]) -> Iterator[Labelled]:
    """Yield the places without those that cross an earlier one; nested places stay. O(n log n)."""
    open_ends: list[int] = []
    for place in sorted(places, key=lambda place: (place.span.start, -place.span.end)):
        while open_ends and open_ends[-1] <= place.span.start:
            open_ends.pop()
        if open_ends and place.span.end > open_ends[-1]:
            skipped[CROSSING] += 1
            continue
        open_ends.append(place.span.end)
        yield place


def fit_span(text: str, start: Any, end: Any, value: Any) -> Span | None:
    """Return the span if it is one of `text` and holds `value`, else None."""
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
        return None
    span = Span(start, end)
    return span if span.of(text) == value else None


def _read_text(line: Line, field: str) -> str:
    text = line.fields.get(field)
    if not isinstance(text, str):
        problem = "must be text"
        raise line.error(problem, field)
    return text


def _read_spans(line: Line, form: _Form, text: str, skipped: Counter[str]) -> Iterator[_Found]:
    spans = line.fields.get(form.spans)
    if not isinstance(spans, list):
        problem = "must be an array"
        raise line.error(problem, form.spans)
    for item in cast("list[Any]", spans):
        part = cast("dict[str, Any]", item) if isinstance(item, dict) else {}
        name = str(part.get(form.label)).upper()
        label = LABELS.get(name)
        span = fit_span(text, part.get(form.start), part.get(form.end), part.get(form.value))
        if label is None:
            skipped[NO_PII if name in LABELS else UNKNOWN] += 1
        elif span is None:
            skipped[UNFIT] += 1
        else:
            entity = part.get("entity")
            place = Labelled(span, label.type, label.category)
            yield _Found(place, entity if isinstance(entity, str) else None)
