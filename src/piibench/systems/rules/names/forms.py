"""Names told by the layout of a text: fields of forms, greetings and signatures of letters, speaker tags."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import STRONG, Candidate
from piibench.systems.rules.names import small as name_small
from piibench.systems.rules.names.clues import YES, Clues, is_known, skip_title, take_name
from piibench.systems.rules.names.runs import name_candidate, trim
from piibench.systems.rules.names.words import Run, is_pinyin

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIELD_MARK = re.compile(r"[ \t*_]{0,3}(?:\([^)\n]{0,24}\))?[ \t*_]{0,3}[:：=|][ \t*_]{0,6}(?:\n[ \t]{0,4})?")
_LINE_START = re.compile(r"(?:^|[\n|;•,])[ \t>*_#•–-]{0,6}$")
_GREETING_END = re.compile(r"[ \t]*(?:[,!:.–—-]|\n|$|and\b|&)")
_CLOSING = re.compile(r"[,.!]?[ \t]{0,2}(?:\r?\n[ \t]{0,4}){0,2}[-–—~]{0,2}[ \t]?")
_DASHED = re.compile(r"\n[ \t]*(?:[-–—~]{1,2}|x+)[ \t]?(?=\w)")
_SPEAKER = re.compile(
    r"\n[ \t>*_]{0,4}(?:\[[^\]\n:]{1,12}\] )?"
    r"(?:\[?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[AaPp][Mm])?\]?[ \t]{0,2}[-–]?[ \t]{0,2})?"
    r"[\[<(*_]{0,3}([^\W\d_][\w.'’ -]{0,28}\w)[ ]?(?:\([^)\n]{1,20}\))?[\])>*_]{0,3}[ ]?"
    r"(?::|[\]>](?=[ ]))[*_]{0,2}(?=\s|$)"
)
_OWN_NAME_LABELS = re.compile(r"nickname|alias|preferred|display")


def find_placed_names(clues: Clues) -> Iterator[Candidate]:
    """Propose the names that fill a field, open or close a letter, or stand before a turn."""
    yield from _in_fields(clues)
    yield from _in_greetings(clues)
    yield from _in_signatures(clues)
    yield from _as_speakers(clues)


def _in_fields(clues: Clues) -> Iterator[Candidate]:
    passage = clues.passage
    for hit in passage.of("name_cue_field"):
        mark = _FIELD_MARK.match(passage.text, hit.end)
        if not mark or not _LINE_START.search(passage.text, max(0, hit.start - 8), hit.start):
            continue
        label = passage.folded[hit.start : hit.end]
        names = "name" in label or "nom" in label or not label.isascii()
        words = take_name(clues, skip_title(clues, mark.end()))
        words = _with_comma(clues, words) if names else words
        if words and (names or is_known(clues, words)):
            alone = len(words) == 1 and not clues.first(words[0]) and not _OWN_NAME_LABELS.search(label)
            category = Category.FULL_NAME if len(words) > 1 or alone or "last" in label else Category.NICKNAME
            yield Candidate(
                Span(words[0].start, words[-1].end), category, STRONG, "value of a field for names"
            )
        elif names and not words:
            yield from _small_value(clues, mark.end())


def _small_value(clues: Clues, start: int) -> Iterator[Candidate]:
    words = name_small.field_value(clues, start)
    if words:
        yield name_candidate(words, STRONG, "value of a field for names, in small letters")


def _with_comma(clues: Clues, words: Run) -> Run:
    """Add the given name of "Smith, John" where a field's value is written so."""
    if len(words) == 1 and clues.passage.text.startswith(", ", words[0].end):
        given = take_name(clues, words[0].end + 2)
        if given and len(given) <= 2 and clues.first(given[0]):  # noqa: PLR2004 - and a middle name
            return (*words, *given)
    return words


def _in_greetings(clues: Clues) -> Iterator[Candidate]:
    text = clues.passage.text
    for hit in clues.passage.of("name_cue_greet"):
        if not text[hit.start].isupper() or text[hit.end : hit.end + 1] != " ":
            continue
        words = take_name(clues, skip_title(clues, hit.end + 1))
        if words and _GREETING_END.match(text, words[-1].end):
            single = words[0].text
            pinyin = is_pinyin(single[:2], single[2:]) or is_pinyin(single[:3], single[3:])
            if is_known(clues, words) or pinyin or clues.passage.folded.startswith("dear", hit.start):
                yield name_candidate(words, STRONG, "name in a greeting")


def _in_signatures(clues: Clues) -> Iterator[Candidate]:
    text = clues.passage.text
    for hit in clues.passage.of("name_cue_close"):
        mark = _CLOSING.match(text, hit.end)
        if mark and mark.end() > hit.end + 1 and text[hit.start].isupper():
            yield from _signature(clues, mark.end(), sure="\n" in mark.group())
    # The line break in front lets the mark stand at the very start; it shifts every offset by one.
    for mark in _DASHED.finditer("\n" + text):
        yield from _signature(clues, mark.end() - 1, sure=False)


def _signature(clues: Clues, start: int, *, sure: bool) -> Iterator[Candidate]:
    words = take_name(clues, skip_title(clues, start))
    if words and clues.passage.text[words[-1].end : words[-1].end + 1] in {"", "\n", "\r", ",", ".", " "}:
        ends_line = clues.passage.text[words[-1].end : words[-1].end + 2].strip(" .,")[:1] in {"", "\n", "\r"}
        if ends_line and (sure or clues.first(words[0])):
            yield name_candidate(words, STRONG, "signature")


def _as_speakers(clues: Clues) -> Iterator[Candidate]:
    """Yield the names before the turns of a conversation, and those nobody lists if they speak twice."""
    # The line break in front lets a turn open the text; it shifts every offset by one.
    matches = list(_SPEAKER.finditer("\n" + clues.passage.text))
    counts = Counter(match.group(1) for match in matches)
    for match in matches:
        start, end = match.start(1) - 1, match.end(1) - 1
        words = take_name(clues, start)
        again = counts[match.group(1)] > 1
        if words and words[-1].end == end:
            if _is_listed(clues, words) or (again and ":" in match.group() and _may_be_named(clues, words)):
                yield name_candidate(trim(clues, words), STRONG, "speaker of a turn")
        elif not words and again and (words := name_small.listed(clues, start)):
            yield name_candidate(words, STRONG, "speaker of a turn, in small letters")


def _is_listed(clues: Clues, words: Run) -> bool:
    if len(words) == 1:
        return clues.first(words[0]) == YES
    return bool(clues.first(words[0])) or is_pinyin(words[0].text, words[1].text)


def _may_be_named(clues: Clues, words: Run) -> bool:
    acronym = len(words) == 1 and words[0].text.isupper()
    return not acronym and not any(map(clues.is_described, words))
