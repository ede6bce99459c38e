"""Whose value is what, in the shapes in which models say it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from piibench.data.tags import LABELS, find_category, find_type
from piibench.prompts.brackets import find_json, is_series

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Detected = tuple[str, str, str]
"""Subject, value and label, in the model's words."""

_VALUE_KEYS = ("value", "entity", "text")
_LABEL_KEYS = ("type", "label", "category", "tag", "entity_type", "pii_type", "kind", "class")
_SUBJECT_KEYS = ("subject", "person", "individual")
_INNER_KEYS = ("entities", "values", "pii", "subjects", "persons", "people", "individuals", "results")
"""Keys that hold values, or persons, and are neither."""
_SUBJECT = re.compile(r"(?i:subject|person|individual)[\s*]*[{\[(<]?\s*([A-Z]|\d{1,3})\b")
"""A person's number or letter in front of the object: the paper's "Subject {1}"."""


def read_detection(text: str) -> list[Detected] | None:
    """The values in a reply; see `answers.parse_detection`."""
    try:
        parts = list(_read_parts(text))
    except RecursionError:
        return None
    return _join(parts, in_series=is_series(text, "{")) if parts else None


def _read_parts(text: str) -> Iterator[list[Detected]]:
    """Read each object, or the last list where the reply is one."""
    lists = find_json(text, "[", deep=True) if _starts_with_list(text) else []
    if lists and not all(isinstance(item, int | float) for item in lists[-1]):
        yield _tidy(_read_records("1", lists[-1]))
        return
    objects = cast("list[dict[str, Any]]", find_json(text, "{", deep=True))
    for subject, fields in zip(_name_subjects(text, len(objects)), objects, strict=True):
        yield _tidy(_read_person(subject, fields))


def _tidy(named: Iterable[Detected]) -> list[Detected]:
    """Each triple once, without those whose value is empty."""
    return list(dict.fromkeys(each for each in named if each[1].strip()))


def _starts_with_list(text: str) -> bool:
    places = {sign: at for sign in "[{" if (at := text.find(sign)) >= 0}
    return min(places, key=lambda sign: places[sign], default="") == "["


def _name_subjects(text: str, count: int) -> list[str]:
    """What the objects' persons are called where the objects do not say so: as in the text, or by number."""
    named = list(dict.fromkeys(_SUBJECT.findall(text)))
    return named if len(named) == count else [str(number) for number in range(1, count + 1)]


def _join(parts: Sequence[list[Detected]], *, in_series: bool) -> list[Detected]:
    """One after the other in a series, or where each brings other persons; otherwise the last counts."""
    people = [{subject for subject, _, _ in part} for part in parts]
    if in_series or sum(map(len, people)) == len(set[str]().union(*people)):
        return list(dict.fromkeys(each for part in parts for each in part))
    return parts[-1]


def _read_person(subject: str, fields: Mapping[str, Any]) -> Iterator[Detected]:
    """Read an object: one record, one person's values, or an object for each person."""
    if (record := _read_record(subject, fields)) is not None:
        yield record
        return
    owner = _name_owner(fields) or subject
    for key, value in fields.items():
        if key.casefold() not in _SUBJECT_KEYS or not _is_value(value):
            yield from _read_field(owner, key, value)


def _read_field(subject: str, key: str, value: Any) -> Iterator[Detected]:
    """Read a key and what it holds: a value and its label in either order, or a person and all values."""
    is_inner = key.casefold() in (*_INNER_KEYS, *_SUBJECT_KEYS)
    owner = subject if is_inner else key
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        label = None if _pick(fields, _VALUE_KEYS) else _pick(fields, _LABEL_KEYS)
        if isinstance(label, str):
            yield subject, key, label
        elif _is_label(key) and (record := _read_record(subject, fields)):
            yield *record[:2], record[2] or key
        else:
            yield from _read_person(owner, fields)
    elif isinstance(value, list):
        items = cast("list[Any]", value)
        texts = [item for item in items if isinstance(item, str)]
        label = texts[0] if len(items) == len(texts) > 0 and all(map(_is_label, texts[1:])) else ""
        if label.isupper() and find_type(label) and not find_type(key):
            yield subject, key, label
        elif not is_inner and _is_label(key):
            yield from ((subject, str(item), key) for item in items if _is_value(item))
        elif _is_label(label):
            yield subject, key, label
        else:
            yield from _read_records(owner, items)
    elif value is None or isinstance(value, bool):
        yield _order(subject, key, "")
    elif _is_value(value):
        yield _order(subject, key, str(value))


def _read_records(subject: str, items: Sequence[Any]) -> Iterator[Detected]:
    """Read a list: of values, of pairs of value and label, of records, of persons."""
    for item in items:
        if isinstance(item, dict):
            yield from _read_person(subject, cast("dict[str, Any]", item))
        elif isinstance(item, list):
            pair = cast("list[Any]", item)[:2]
            if len(pair) == len(("value", "label")) and all(map(_is_value, pair)):
                yield _order(subject, str(pair[0]), str(pair[1]))
        elif _is_value(item):
            yield subject, str(item), ""


def _read_record(subject: str, fields: Mapping[str, Any]) -> Detected | None:
    value, label = _pick(fields, _VALUE_KEYS), _pick(fields, _LABEL_KEYS)
    if not _is_value(value) or (not isinstance(label, str) and _is_label(str(value))):
        return None
    return _name_owner(fields) or subject, str(value), label if isinstance(label, str) else ""


def _name_owner(fields: Mapping[str, Any]) -> str:
    """The person that an object names; "" where it names none."""
    named = _pick(fields, _SUBJECT_KEYS)
    return str(named) if _is_value(named) else ""


def _order(subject: str, first: str, second: str) -> Detected:
    """Put the value before its label, whichever the model put first."""
    if _is_label(first) and not _is_label(second):
        return subject, second, first
    return subject, first, second


def _pick(fields: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((value for key, value in fields.items() if key.casefold() in names), None)


def _is_value(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _is_label(text: str) -> bool:
    return bool(find_type(text) or find_category(text) or LABELS.get(text.strip().upper().replace(" ", "_")))
