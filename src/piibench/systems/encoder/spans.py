"""From logits to spans: where the values stand and of which category they are."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from piibench.data.mentions import Span, find_overlaps, split_writable, widen
from piibench.data.taxonomy import TAXONOMY, TYPE_OF, Category, PIIType
from piibench.systems.encoder.outputs import STATES
from piibench.systems.rules.candidates import resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from piibench.systems.encoder.outputs import Whole

TYPE_ORDER: tuple[PIIType, ...] = tuple(PIIType)
CATEGORY_ORDER: tuple[Category, ...] = tuple(row.category for row in TAXONOMY)
OF_TYPE: tuple[NDArray[np.int64], ...] = tuple(
    np.array([number for number, row in enumerate(TAXONOMY) if row.type is kind], np.int64)
    for kind in TYPE_ORDER
)
"""Numbers of the categories of each type."""

_AT_ONCE = 8192
"""Pieces whose logits are read at once."""

_WITHIN = ("", " ", "-")
"""What may stand between two parts of one value; between two names a space parts two persons."""
_NEVER_FIRST = frozenset(" \t\r\n,;:.)]}|>")
_NEVER_LAST = frozenset(" \t\r\n,;:([{|<")
_LOOSE = frozenset({"and", "at", "by", "for", "from", "in", "of", "or", "the", "to", "with"})
"""Words that no value of several words ends with."""
_UNIT = re.compile(r"\b(?:(?:year|month|week|day|night|hour|hr|minute|min|second)s?|yrs?)\b", re.IGNORECASE)
_UNIT_NEXT = re.compile(rf" ?{_UNIT.pattern}", re.IGNORECASE)
_TITLE = re.compile(r"(?:mr|mrs|ms|miss|mx|dr|prof|mme|mlle|herr|frau|sr|sra)\b\.?\s+(?=\S)", re.IGNORECASE)
"""A title is no part of a name."""
_VAGUE = re.compile(
    r"(?:about|almost|around|circa|nearly|roughly|approx(?:imately|\.)?|ca\.)\s+(?=\S)", re.IGNORECASE
)
_NUMERIC = frozenset(
    row.category
    for row in TAXONOMY
    if row.type in {PIIType.DATETIME, PIIType.QUANTITY}
    or row.category in {Category.AGE, Category.HEIGHT, Category.WEIGHT}
)
"""Categories of which "about" is no part."""

_SIGN = "[$€£¥₹₽₩₦₺₴₫₱₪฿]?"
_NUMBERS = {
    PIIType.QUANTITY: re.compile(
        rf"(?<!\d)(?<!\d[.,'’]){_SIGN}"
        r"(?:\d{1,3}([.,'’])\d{2,3}(?:\1\d{2,3})*(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)"
        rf"(?![.,'’]?\d){_SIGN}"
    ),
    PIIType.DATETIME: re.compile(
        r"(?<!\d)(?<!\d[.:-])(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}-\d{1,2}-\d{4})(?![.:-]?\d)"
        r"|(?<!\d)(?<!\d[.:/])"
        r"(?:\d{1,4}([./])\d{1,2}(?:\1\d{1,4})?|\d{1,2}[./]\d{4}|\d{1,2}(?::\d{2}){1,2})"
        r"(?![.:/]?\d)"
    ),
}
"""One number with its marks and sign, by types whose values hold it whole. A row, "34,3150,1200", is none."""
_HYPHENS = "\u2010\u2011-"
_YEARS = re.compile(rf"\(?(\d{{4}})\s?[–—{_HYPHENS}]\s?(\d{{4}})\)?")
"""From one year to another: two dates."""
_JOINED = re.compile(rf"[{_HYPHENS}][^\W\d_]")
"""How a value begins that was cut off a word."""
_WORD_BEFORE = re.compile(rf"(?<!\w)(?<!\d[.,:/'’])(?:\w+['’{_HYPHENS}])*\w*[^\W_]\Z")
_OUTSIDE, _BEGINS, _CONTINUES = range(STATES)
_BEFORE = 6
"""How many pieces before one that continues nothing may be its beginning."""
_NEVER = -1e9
_UNBEGUN = 3.0
"""By how much a piece that surely continues a value is less likely to begin one, nats."""
_CLEARLY = 4.0
"""By how much two categories must fit the pieces of a run better than one, nats; chosen on held-out text."""
_REACH = 24
"""How far the rest of a number or a word is looked for beside a value, code points."""


class Found(NamedTuple):
    """A value that the network sees.

    Attributes:
        span: Where it stands, code points.
        category: Its category.
        score: Mean probability over its pieces that something of its type stands there, in [0, 1].
    """

    span: Span
    category: Category
    score: float


def decode(outputs: Whole, offsets: NDArray[np.int64], text: str, *, bias: float = 0.0) -> list[Found]:
    """Read the spans off the logits of a whole text.

    Args:
        outputs: Of all its pieces.
        offsets: Code point range of each piece, (pieces, 2).
        text: The description or the query.
        bias: Added to the logits of "begins" and "continues": above 0 finds more, below 0 less.

    Returns:
        Values in order of their start. Of those that overlap only the best stands, unless they nest (see
        `may_nest`).
    """
    if not len(offsets):
        return []
    size = (len(offsets), len(TYPE_ORDER))
    states, inside = np.empty(size, np.int8), np.empty(size, np.float32)
    for start in range(0, len(offsets), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        logits = outputs.states[part].astype(np.float32)
        logits[:, :, 1:] += bias
        states[part] = logits.argmax(-1)
        weights = np.exp(logits - logits.max(-1, keepdims=True))
        inside[part] = 1 - weights[:, :, 0] / weights.sum(-1)

    _give_beginnings(states, outputs.states, bias)

    def read(run: slice, kind: int) -> Iterator[Found]:
        for span in _place(text, offsets[run]):
            yield Found(span, _name(outputs.categories[run], kind), float(inside[run, kind].mean()))

    whole = [
        (value, run, kind)
        for kind in np.flatnonzero(states.any(0)).tolist()
        for run in _runs(states[:, kind])
        for value in read(run, kind)
    ]
    # Two readings of the same pieces stay rivals, though one may be parted or a title trimmed off it.
    best = {value.span: value for value, *_ in sorted(whole, key=lambda reading: reading[0].score)}
    found: list[Found] = []
    for value, run, kind in whole:
        if best[value.span] is not value:
            continue
        at = _find_parting(outputs.categories[run][:, OF_TYPE[kind]], offsets[run], text)
        if at is None:
            found.append(value)
        else:
            parts = slice(run.start, run.start + at), slice(run.start + at, run.stop)
            found += [half for part in parts for half in read(part, kind) if value.span.contains(half.span)]
    return list(_part_years(text, resolve(mend(text, found), agree=may_nest)))


def _give_beginnings(tags: NDArray[np.int8], logits: NDArray[np.float16], bias: float) -> None:
    """Give a beginning to what continues without one, where one is likeliest, or drop it (Viterbi 1967).

    It may begin with pieces before it, some pieces later, or, if there is no doubt about it, where it is.
    All other tags are the likeliest by themselves and stay. Linear in the number of pieces.

    Args:
        tags: Outside, begins or continues, (pieces, TYPES).
        logits: Of the three, (pieces, TYPES, STATES).
        bias: As in `decode`.
    """
    before = np.concatenate((np.zeros_like(tags[:1]), tags[:-1]))
    for place, kind in np.argwhere((tags == _CONTINUES) & (before == _OUTSIDE)).tolist():
        row = tags[:, kind]
        if row[place] != _CONTINUES or (place and row[place - 1] != _OUTSIDE):
            continue  # settled with one before
        first, stop = place, place + 1
        while first and place - first < _BEFORE and row[first - 1] == _OUTSIDE:
            first -= 1
        while stop < len(row) and row[stop] == _CONTINUES:
            stop += 1
        going_on = bool(first and row[first - 1] != _OUTSIDE)
        weighed = logits[first:stop, kind] + np.array((0, bias, bias), np.float32)
        row[first:stop] = _choose_tags(weighed.tolist(), going_on=going_on)


def _choose_tags(logits: Sequence[Sequence[float]], *, going_on: bool) -> list[int]:
    """The best row of tags for some pieces; `going_on` where the first may continue a value before it."""
    sums = [_NEVER, 0.0, _NEVER] if going_on else [0.0, _NEVER, _NEVER]
    origins: list[tuple[int, int, int]] = []
    for outside, begins, continues in logits:
        best = max(range(STATES), key=sums.__getitem__)
        inner = max(_BEGINS, _CONTINUES, key=sums.__getitem__)
        origins.append((best, best, inner))
        sums = [sums[best] + outside, sums[best] + max(begins, continues - _UNBEGUN), sums[inner] + continues]
    tags = [max(range(STATES), key=sums.__getitem__)]
    for origin in reversed(origins[1:]):
        tags.append(origin[tags[-1]])
    return tags[::-1]


def may_nest(one: Found, other: Found) -> bool:
    """Whether two values that overlap may both stand: one within the other and of another type."""
    if one.span == other.span or TYPE_OF[one.category] is TYPE_OF[other.category]:
        return False
    return one.span.contains(other.span) or other.span.contains(one.span)


def mend(text: str, found: Iterable[Found]) -> Iterator[Found]:
    """Complete what was cut, join parts of a value that was cut in two, trim what none begins or ends with.

    Args:
        text: The description or the query.
        found: Values of one type after the other, each type's in order.

    Yields:
        The same, fewer, longer or shorter; what is nothing but such characters goes.
    """
    last: Found | None = None
    for value in _complete(text, found):
        if last is not None and _continues(text, last, value):
            score = (last.score + value.score) / 2
            last = Found(Span(last.span.start, max(last.span.end, value.span.end)), last.category, score)
            continue
        if last is not None:
            yield from _trim(text, last)
        last = value
    if last is not None:
        yield from _trim(text, last)


def _complete(text: str, found: Iterable[Found]) -> Iterator[Found]:
    """Stretch sums, dates and times that cut "1,450" or "09:30", and what begins at the hyphen in "mid-July".

    A duration that is but the "five" of "five years" takes the unit in. No number is stretched over a value
    of another category, no word over any value.
    """
    values = list(found)

    @cache
    def find_others(category: Category) -> Callable[[Span], bool]:
        return find_overlaps(each.span for each in values if each.category is not category)

    stretched = [
        value._replace(span=_stretch(text, value.span, numbers, find_others(value.category)))
        if (numbers := _NUMBERS.get(TYPE_OF[value.category]))
        else value
        for value in values
    ]
    is_taken = find_overlaps(value.span for value in stretched)
    for value in stretched:
        start, end = value.span
        if is_taken(Span(first := _find_start(text, value.span), start)):
            first = start
        if is_taken(Span(end, last := _find_end(text, value))):
            last = end
        yield value._replace(span=Span(first, last))


def _stretch(text: str, span: Span, numbers: re.Pattern[str], is_taken: Callable[[Span], bool]) -> Span:
    start, end = span
    first, stop = max(0, start - _REACH), min(len(text), end + _REACH)
    for match in numbers.finditer(text, first, stop):
        number = Span(*match.span())
        # What touches the edge of what is looked at may go on beyond it.
        is_seen = (number.start > first or not first) and (number.end < stop or stop == len(text))
        cuts_start = number.start < span.start < number.end
        cuts_end = number.start < span.end < number.end
        if (
            not is_seen
            or (cuts_start and is_taken(Span(number.start, span.start)))
            or (cuts_end and is_taken(Span(span.end, number.end)))
        ):
            continue
        start = number.start if cuts_start else start
        end = number.end if cuts_end else end
    return Span(start, end)


def _find_start(text: str, span: Span) -> int:
    """Where the word begins to which a hyphen joins the value: "self-employed" of "-employed"."""
    first = max(0, span.start - _REACH)
    if not _JOINED.match(text, *span) or not (word := _WORD_BEFORE.search(text, first, span.start)):
        return span.start
    # What touches the edge of what is looked at may go on beyond it.
    is_seen = word.start() > first or not first
    return widen(text, Span(word.start(), span.end)).start if is_seen else span.start


def _find_end(text: str, value: Found) -> int:
    """Where a duration that has no unit yet ends with the one behind it."""
    if value.category is not Category.DURATION or _UNIT.search(text, *value.span):
        return value.span.end
    unit = _UNIT_NEXT.match(text, value.span.end)
    return unit.end() if unit else value.span.end


def _continues(text: str, last: Found, value: Found) -> bool:
    if value.category is not last.category:
        return False
    if value.span.start < last.span.end:
        return TYPE_OF[value.category] in _NUMBERS  # two pieces of one number, each made whole
    between = text[last.span.end : value.span.start]
    return between in _WITHIN and not (between == " " and TYPE_OF[value.category] is PIIType.PER)


def _trim(text: str, value: Found) -> Iterator[Found]:
    start, end = value.span
    if TYPE_OF[value.category] is PIIType.PER and (title := _TITLE.match(text, start, end)):
        start = title.end()
    if value.category in _NUMERIC and (vague := _VAGUE.match(text, start, end)):
        start = vague.end()
    while start < end and text[start] in _NEVER_FIRST:
        start += 1
    opened = text.find("(", start, end)
    while start < end:
        if text[end - 1] in _NEVER_LAST or (text[end - 1] == ")" and not 0 <= opened < end):
            end -= 1
        elif (space := text.rfind(" ", start, end)) >= 0 and text[space + 1 : end] in _LOOSE:
            end = space
        else:
            break
    if start < end:
        yield value._replace(span=Span(start, end))


def _runs(states: NDArray[np.int8]) -> Iterator[slice]:
    """Yield each stretch of pieces that is one value; none continues what has not begun."""
    starts = np.flatnonzero(states == _BEGINS)
    goes_on = np.append(states[1:] == _CONTINUES, np.False_)
    stops = np.flatnonzero((states != _OUTSIDE) & ~goes_on) + 1
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        yield slice(start, stop)


def _find_parting(categories: NDArray[np.float16], offsets: NDArray[np.int64], text: str) -> int | None:
    """Find where the words of a value are clearly of two categories: "Canadian", "lawyer".

    Args:
        categories: Logits of the categories of its type, (pieces, categories).
        offsets: Of its pieces, (pieces, 2).
        text: The description or the query.

    Returns:
        The number of pieces before, at least 1; None for a value of one category.
    """
    if (categories.argmax(-1) == categories[0].argmax()).all():
        return None
    before = categories.cumsum(0, dtype=np.float32)
    gains = before.max(-1) + (before[-1] - before).max(-1) - before[-1].max()
    for at in np.flatnonzero(gains[:-1] >= _CLEARLY).tolist():
        if not any(map(str.isspace, text[offsets[at, 1] : offsets[at + 1, 0]])):
            gains[at] = 0  # within a word
    at = int(gains.argmax()) + 1
    return at if gains[at - 1] >= _CLEARLY else None


def _part_years(text: str, found: Iterable[Found]) -> Iterator[Found]:
    for value in found:
        if value.category is Category.DATE and (years := _YEARS.fullmatch(text, *value.span)):
            yield value._replace(span=Span(*years.span(1)))
            yield value._replace(span=Span(*years.span(2)))
        else:
            yield value


def _name(categories: NDArray[np.float16], kind: int) -> Category:
    numbers = OF_TYPE[kind]
    return CATEGORY_ORDER[numbers[categories[:, numbers].mean(0, dtype=np.float32).argmax()]]


def _place(text: str, offsets: NDArray[np.int64]) -> Iterator[Span]:
    """Yield where pieces stand: one span, or its parts between lone surrogates."""
    yield from split_writable(text, widen(text, Span(int(offsets[0, 0]), int(offsets[-1, 1]))))
