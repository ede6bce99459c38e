"""Records in the paper's own wording: `label`, `tag`, `entity`, or `type`, `tag`, `text` with offsets.

The final detection prompt and the released data name an entity by its type (`label`), category (`tag`) and
value (`entity`); records recovered from the figures add offsets and subjects.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from piibench.data.foreign import UNFIT, UNKNOWN, build_sample, fit_places, fit_span
from piibench.data.mentions import Span, find_occurrences
from piibench.data.schema import Labelled, gather_entities, subject_letter
from piibench.data.tags import find_category, find_type
from piibench.data.taxonomy import TYPE_OF, PIIType

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator, Mapping

    from piibench.data.lines import Line
    from piibench.data.schema import Entity, Sample
    from piibench.data.taxonomy import Category

UNLABELLED = "record without labelled entities"
ABSENT = "entity whose value does not stand in its description"
DISAGREEING = "tag of another type than its label (the type was kept)"
UNMATCHED = "query-related value that is no labelled entity"

_SUBSET = re.compile(r"PII-(single|multi|hard|distract|real)", re.IGNORECASE)
_SUBJECT = re.compile(r"(?:PER[_ ]?|Subject )?(?:([A-Z]{1,3})|(\d{1,3}))")


class _Item(NamedTuple):
    subject: str
    value: str
    type: PIIType
    category: Category | None
    start: Any
    end: Any


def is_paper(fields: dict[str, Any]) -> bool:
    """Whether a record is in the paper's wording."""
    if "description" not in fields or "schema" in fields:
        return False
    entities = fields.get("entities", fields.get("subjects"))
    if isinstance(entities, list) and entities and isinstance(entities[0], dict):
        return "mentions" not in entities[0]
    return isinstance(entities, dict) or "query_related" in fields


def convert_paper(line: Line, skipped: Counter[str]) -> Sample | None:
    """Make a sample of a record in the paper's wording.

    Without offsets, every whole occurrence of a value is a mention. A tag that is not understood leaves the
    category open; the type stands.

    Args:
        line: The record.
        skipped: Tally of what is left out, by reason.

    Returns:
        The sample, or None where nothing in the record is labelled.

    Raises:
        DataError: The record has no description.
    """
    text = line.fields.get("description")
    if not isinstance(text, str):
        problem = "must be text"
        raise line.error(problem, "description")
    labelled = line.fields.get("entities", line.fields.get("subjects"))
    if not labelled:
        skipped[UNLABELLED] += 1
        return None
    letters = _letter_subjects(subject for subject, _ in _flatten(labelled))
    items = _drop_repeats(_read_items(labelled, letters, skipped))
    places = [place for item in items for place in _locate(text, item, skipped)]
    entities = gather_entities(text, fit_places(places, skipped))
    fields = {
        "subset": _read_subset(line.fields),
        "description": text,
        "query": line.fields.get("query") or "",
        "entities": entities,
        "relevant": _find_relevant(line.fields, entities, letters, skipped),
        "meta": _read_meta(line.fields) | {"labels_types": list(PIIType)},
    }
    return build_sample(line, "paper", fields)


def _read_items(labelled: Any, letters: Mapping[str, str], skipped: Counter[str]) -> Iterator[_Item]:
    for subject, part in _flatten(labelled):
        value = part.get("entity", part.get("text"))
        tag = part.get("tag", part.get("category"))
        category = find_category(tag) if isinstance(tag, str) else None
        type_ = find_type(str(part.get("label", part.get("type")))) or (
            TYPE_OF[category] if category else None
        )
        if type_ is None or not isinstance(value, str) or not value:
            skipped[UNKNOWN] += 1
            continue
        if category is not None and TYPE_OF[category] is not type_:
            skipped[DISAGREEING] += 1
            category = None
        yield _Item(letters[str(subject)], value, type_, category, part.get("start"), part.get("end"))


def _flatten(labelled: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield subject and entity of a list of entities, or of an object subject -> entities."""
    if isinstance(labelled, list):
        for part in cast("list[Any]", labelled):
            known = cast("dict[str, Any]", part) if isinstance(part, dict) else {}
            yield known.get("subject", "A"), known
    elif isinstance(labelled, dict):
        for subject, parts in cast("dict[str, Any]", labelled).items():
            if isinstance(parts, dict):
                pairs = cast("dict[str, Any]", parts).items()
                yield from ((subject, {"text": value, "type": type_}) for value, type_ in pairs)
            else:
                yield from ((subject, part) for _, part in _flatten(parts))
    else:
        yield "A", {}  # told as not understood


def _letter_subjects(names: Iterable[Any]) -> dict[str, str]:
    """A letter for each subject: what its name says, such as PER_2, or the next that none has."""
    told = dict.fromkeys(map(str, names))
    first = 0 if any((parts := _SUBJECT.fullmatch(name)) and parts[2] == "0" for name in told) else 1
    letters: dict[str, str] = {}
    taken: set[str] = set()
    for name in told:
        letter = _read_letter(name, first)
        if letter and letter not in taken:
            letters[name] = letter
            taken.add(letter)
    free = (letter for number in count() if (letter := subject_letter(number)) not in taken)
    return letters | {name: next(free) for name in told if name not in letters}


def _read_letter(name: str, first: int = 1) -> str | None:
    """The letter that a name says; numbers begin with `first`."""
    parts = _SUBJECT.fullmatch(name)
    if parts is None:
        return None
    letters, number = parts.groups()
    return letters or subject_letter(max(int(number) - first, 0))


def _drop_repeats(items: Iterable[_Item]) -> Iterator[_Item]:
    """Leave out what is listed once for each place: without offsets the first stands for all places."""
    seen: set[tuple[Any, ...]] = set()
    for item in items:
        key = item[:4]
        if item.start is not None or key not in seen:
            yield item
        if item.start is None:
            seen.add(key)


def _locate(text: str, item: _Item, skipped: Counter[str]) -> Iterator[Labelled]:
    if item.start is not None:
        span = fit_span(text, item.start, item.end, item.value)
        spans = [span] if span else []
        reason = UNFIT
    else:
        parts = re.finditer(re.escape(item.value), text)
        spans = list(find_occurrences(text, item.value)) or [Span(*part.span()) for part in parts]
        reason = ABSENT
    if not spans:
        skipped[reason] += 1
    for span in spans:
        yield Labelled(span, item.type, item.category, item.subject)


def _find_relevant(
    fields: dict[str, Any],
    entities: tuple[Entity, ...],
    letters: Mapping[str, str],
    skipped: Counter[str],
) -> tuple[str, ...] | None:
    needed: Any = fields.get("query_related")
    if needed is None:
        return None
    if not isinstance(needed, (list, dict)):
        skipped[UNKNOWN] += 1
        return None
    listed = cast("list[Any] | dict[str, Any]", needed)
    named = fields.get("query_related_subject")
    owners = cast("dict[str, Any]", named) if isinstance(named, dict) else {}
    chosen: dict[str, None] = {}
    for subject, value in _list_needed(listed):
        told = owners.get(value) if subject is None else subject
        owner = None if told is None else _find_owner(str(told), letters)
        matched = [e.id for e in entities if e.text == value and owner in {None, e.subject}]
        if not matched:
            skipped[UNMATCHED] += 1
        chosen.update(dict.fromkeys(matched))
    # An object of which nothing can be read does not say that nothing is needed.
    return tuple(chosen) if chosen or isinstance(listed, list) else None


def _list_needed(needed: list[Any] | dict[str, Any]) -> Iterator[tuple[Any, str]]:
    """Yield subject, None where it is not told, and text of each needed value; see `_flatten`."""
    if isinstance(needed, list):
        for part in needed:
            known = cast("dict[str, Any]", part) if isinstance(part, dict) else {"text": part}
            yield known.get("subject"), str(known.get("entity", known.get("text")))
        return
    for name, group in needed.items():
        if isinstance(group, str):
            yield (None, name) if find_type(group) else (name, group)
        elif isinstance(group, dict):
            yield from ((name, value) for value in cast("dict[str, Any]", group))
        elif isinstance(group, list):
            yield from ((name, value) for _, value in _list_needed(cast("list[Any]", group)))


def _find_owner(name: str, letters: Mapping[str, str]) -> str:
    return letters.get(name) or _read_letter(name) or name


def _read_subset(fields: dict[str, Any]) -> str:
    named = _SUBSET.search(str(fields.get("source", "")))
    return str(fields.get("subset") or (named[1].lower() if named else "real"))


def _read_meta(fields: dict[str, Any]) -> dict[str, Any]:
    meta = {"source": "paper"}
    for theirs, ours in (("source", "figure"), ("scene", "scenario"), ("note", "note")):
        if isinstance(fields.get(theirs), str):
            meta[ours] = fields[theirs]
    return meta
