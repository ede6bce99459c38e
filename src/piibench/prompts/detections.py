"""Whose value is what, in the shapes in which models say it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from piibench.data.tags import LABELS, find_category, find_type
from piibench.data.taxonomy import TYPE_OF, PIIType
from piibench.prompts.brackets import is_whole, read_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Detected = tuple[str, str, str]
"""Subject, value and label, in the model's words."""


class Detection(NamedTuple):
    """What could be read of a reply.

    Attributes:
        values: Each value once, in order. An object's key that is a person's name, rather than a letter or a
            role, is a value with itself as subject where the object names nobody.
        is_whole: Whether nothing that looks like a part of the answer is cut off or unreadable.
    """

    values: list[Detected]
    is_whole: bool = True


_VALUE_KEYS = ("value", "entity", "text")
_TEXT_KEYS = ("pii", "span", "word", "mention")
"""Hold a value where that is a text and the key of it all is none; otherwise they are remarks on a value."""
_NAME_KEY = "name"
"""Holds a value where a label is beside it; by itself it is a label."""
_LABEL_KEYS = ("type", "label", "category", "tag", "entity_type", "pii_type", "kind", "class")
_SUBJECT_KEYS = ("subject", "person", "individual")
_INNER_KEYS = ("entities", "values", "pii", "subjects", "persons", "people", "individuals", "results")
"""Keys that hold values, or persons, and are neither."""
_NO_NAMES = ("the", "of", "and")
"""Words of which no name consists."""
_PERSON = r"(?:[A-Z]|\d{1,3})"
_SUBJECT = re.compile(rf"(?i:subject|person|individual)[\s*]{{0,9}}[{{\[(<]?\s{{0,9}}({_PERSON})\b")
"""A person's number or letter in front of the object: the paper's "Subject {{1}}"."""
_STAND_IN = re.compile(
    rf"(?:(?i:subject|person|individual)?[\s_]*{_PERSON}|P\d{{1,3}}"
    rf"|(?i:subject|person|individual)[\s_]*(?:{_PERSON}|(?i:one|two|three|four|five|six))(?:\s*\(.*\))?)"
)
"""A key that stands for a person without a name."""


def read_detection(text: str) -> Detection | None:
    """The values in a reply; see `answers.parse_detection`."""
    found = read_json(text, "[{", deep=True)
    try:
        parts = list(_read_parts([one.value for one in found if one.value is not None], text))
    except RecursionError:
        return None
    if not parts:
        is_empty = any(one.value == [] for one in found) and re.findall(r"\w+", text) in ([], ["json"])
        return Detection([]) if is_empty else None
    in_series = not any(re.search(r"\w", one.between) for one in found[1:])
    return Detection(_join(parts, in_series=in_series), is_whole(found))


def _read_parts(found: Sequence[Any], text: str) -> Iterator[list[Detected]]:
    """Read each object and each list of such; lists of texts where a reply has nothing else.

    A list of numbers alone is a note.
    """
    told = [one for one in found if not _is_note(one)]
    parts = [one for one in told if _is_part(one)] or told
    for subject, part in zip(_name_subjects(text, len(parts)), parts, strict=True):
        yield _tidy(_read_records(subject, cast("list[Any]", part) if isinstance(part, list) else [part]))


def _is_note(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, int | float) for item in cast("list[Any]", value))


def _is_part(value: Any) -> bool:
    return isinstance(value, dict) or any(isinstance(item, dict | list) for item in value)


def _tidy(named: Iterable[Detected]) -> list[Detected]:
    """Each triple once, without those whose value is empty."""
    return list(dict.fromkeys(each for each in named if each[1].strip()))


def _name_subjects(text: str, count: int) -> list[str]:
    """What the parts' persons are called where the parts do not say so: as in the text, or by number."""
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
    if isinstance(value, dict):
        yield from _read_object(subject, key, cast("dict[str, Any]", value))
    elif isinstance(value, list):
        yield from _read_list(subject, key, cast("list[Any]", value))
    elif value is None or isinstance(value, bool):
        if not _STAND_IN.fullmatch(key):
            yield _order(subject, key, "")
    elif _is_value(value):
        yield _order(subject, key, str(value))


def _read_object(subject: str, key: str, fields: Mapping[str, Any]) -> Iterator[Detected]:
    label = None if _pick(fields, _VALUE_KEYS) else _pick(fields, _LABEL_KEYS)
    is_remark = _may_be_value(key) or re.fullmatch(r"\d{2,3}", key)  # people are seldom numbered beyond 9
    if isinstance(label, str) and (_pick_text(fields) is None or (_is_label(label) and is_remark)):
        yield subject, key, label
    elif _is_label(key) and (record := _read_record(subject, fields)):
        yield *record[:2], record[2] or key
    elif _is_label(key) and _are_people(fields):
        for person, held in fields.items():
            yield from _read_field(person, key, held)
    else:
        yield from _with_name(key, _read_person(subject if _is_inner(key) else key, fields))


def _read_list(subject: str, key: str, items: Sequence[Any]) -> Iterator[Detected]:
    texts = [item for item in items if isinstance(item, str)]
    label = texts[0] if len(items) == len(texts) > 0 and all(map(_is_label, texts[1:])) else ""
    if label.isupper() and find_type(label) and not find_type(key):
        yield subject, key, label
    elif not _is_inner(key) and _is_label(key):
        yield from ((subject, str(item), key) for item in items if _is_value(item))
    elif _is_label(label):
        yield subject, key, label
    else:
        yield from _with_name(key, _read_records(subject if _is_inner(key) else key, items))


def _with_name(key: str, held: Iterable[Detected]) -> Iterator[Detected]:
    """Give what a key holds, then the key as a value where it is a person's name and no other is there."""
    labels: list[str] = []
    for each in held:
        labels.append(each[2])
        yield each
    if labels and not any(map(_is_name_label, labels)) and _may_be_value(key) and _is_name(key):
        yield key, key, "PER"


def _is_name(key: str) -> bool:
    """Whether a key is a name rather than a role, as which single words are taken."""
    words = key.split()
    is_phrase = any(_is_inner(word) or word.casefold() in _NO_NAMES for word in words)
    return len(words) > 1 and words[0][0].isupper() and words[-1][0].isupper() and not is_phrase


def _is_name_label(label: str) -> bool:
    known = LABELS.get(label.strip().upper().replace(" ", "_"))
    category = find_category(label)
    kinds = (find_type(label), category and TYPE_OF[category], known and known.type)
    return PIIType.PER in kinds


def _may_be_value(key: str) -> bool:
    return not (_is_inner(key) or _STAND_IN.fullmatch(key) or _is_label(key))


def _is_inner(key: str) -> bool:
    return key.casefold() in (*_INNER_KEYS, *_SUBJECT_KEYS)


def _are_people(fields: Mapping[str, Any]) -> bool:
    """Whether the keys of a label's values say whose they are, rather than being the values."""
    labels = (isinstance(held, str) and _is_label(held) for held in fields.values())
    return all(map(_STAND_IN.fullmatch, fields)) and not all(labels)


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
    if value is None:
        value = _pick_text(fields)
    if value is None and isinstance(label, str) and _is_label(label):
        value = _pick(fields, (_NAME_KEY,))
    if not _is_value(value) or (not isinstance(label, str) and _is_label(str(value))):
        return None
    return _name_owner(fields) or subject, str(value), label if isinstance(label, str) else ""


def _name_owner(fields: Mapping[str, Any]) -> str:
    """The person that an object names; "" where it names none."""
    named = _pick(fields, _SUBJECT_KEYS)
    return str(named) if _is_value(named) else ""


def _order(subject: str, first: str, second: str) -> Detected:
    """Put the value before its label, whichever the model put first."""
    for is_label in (_is_label, PIIType.__members__.__contains__):
        if is_label(first) and not is_label(second):
            return subject, second, first
    return subject, first, second


def _pick(fields: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((value for key, value in fields.items() if key.casefold() in names), None)


def _pick_text(fields: Mapping[str, Any]) -> str | None:
    texts = {key: value for key, value in fields.items() if isinstance(value, str)}
    return _pick(texts, _TEXT_KEYS)


def _is_value(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _is_label(text: str) -> bool:
    return bool(find_type(text) or find_category(text) or LABELS.get(text.strip().upper().replace(" ", "_")))
