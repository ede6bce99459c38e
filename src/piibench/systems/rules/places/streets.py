"""Streets with their house numbers, as the world writes them; `addresses` adds what stands around."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from piibench.systems.rules.candidates import LIKELY, STRONG, WEAK
from piibench.systems.rules.lexicon import read_words
from piibench.systems.rules.names.words import FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from piibench.systems.rules.passage import Passage

DOUBTFUL = WEAK / 2
"""A number and capitalised words without a word for a street: an address only with a town or a postcode."""

_TYPES = read_words("street_type")
_ANY_TYPES = _TYPES | read_words("street_word")
_MEASURES = read_words("measure_word")
_SUFFIXES, _PREFIXES = read_words("street_suffix"), read_words("street_prefix")
_FRENCH_TYPES, _BOXES = read_words("street_french"), read_words("box_word")
_DIRECTIONS = frozenset("n s e w ne nw se sw north south east west n. s. e. w.".split())  # noqa: SIM905 - reads better
_LONGEST_ABBREVIATION = 4
_WINDOW = 90


def _any(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


_CAP = r"[^\W\d_a-zß-öø-ÿ][\w'’-]{0,30}\.?"
_ORDINAL = r"\d{1,3}(?:st|nd|rd|th)"
_NUMBER = r"\d{1,6}[A-Za-z]?(?:[/-]\d{1,5}[A-Za-z]?)?"
_FREE = r"(?<![\w.,$€£¥#/:+-])"
_NUMBERED = re.compile(
    rf"{_FREE}(?:[Nn]o\.?[ ]?)?{_NUMBER}[ ]?,?[ ]{{1,2}}"
    rf"((?:(?:{_CAP}|{_ORDINAL})[ ]){{0,5}}(?:{_CAP}|{_ORDINAL}))(?!\w)"
)
_LOWER = re.compile(
    rf"\d(?<![\w.,$€£¥#/:+-]\d)\d{{0,4}}[a-z]? (?:(?:[nsew]|[a-z]{{3,14}}|{_ORDINAL}) ){{1,3}}"
    r"(?:street|st|road|rd|avenue|ave|lane|drive|boulevard|blvd)\b(?! (?:ago|later))"
)
_BEHIND = r"[ ]\d{1,4}[ ]?(?:[a-zA-Z]\b)?(?:-\d{1,4})?"
_SUFFIXED = re.compile(
    rf"\b{_CAP[:-3]}?(?:{_any(_SUFFIXES)}){_BEHIND}"
    rf"|\b(?:[^\W\d_a-zß-öø-ÿ][\w-]{{2,30}} ){{1,3}}(?i:{_any(_SUFFIXES)}|út|tér){_BEHIND}"
)
_WRITTEN_PREFIXES = {word.capitalize() for word in _PREFIXES} | {word for word in _PREFIXES if "." in word}
_PREFIX_SIGNS = ("C/", "rue", *sorted(_WRITTEN_PREFIXES))
_PREFIXED = re.compile(
    rf"\b(?:C/|{_any(_WRITTEN_PREFIXES)}|rue)[ ]?"
    r"(?:(?:de|del|la|las|los|el|da|do|das|dos|du|des|della|dei|di|l'|d')[ ]?){0,3}"
    r"(?:[^\W\d_][\w.'’-]{0,30}[ ]){0,4}?[^\W\d_][\w.'’-]{0,30},?[ ]"
    r"(?:n[º°.]?[ ]?|[Nn]o\.?[ ]?|nr\.?[ ]?|д\.[ ]?|дом[ ])?\d{1,5}(?![\d:])[A-Za-z]?\b"
)
_FRENCH = re.compile(
    rf"\d(?<![\w.,/:-]\d)\d{{0,3}}(?:[ ]?(?:bis|ter)\b)?,?[ ]"
    rf"(?:{_any(_FRENCH_TYPES)}|Rue|Avenue|Boulevard)[ ]"
    r"(?:(?:de|du|des|la|le|les|aux?|en|sur)[ ]|[dl]['’]){0,3}"
    rf"[^\W\d_a-z][\w'’-]{{0,30}}(?:[ -](?:(?:de|du|des|la|le|les|et)[ ]|[dl]['’])?{_CAP}){{0,3}}"
)
_BOX = re.compile(
    rf"\b(?i:{_any(_BOXES)})[ ](?:No\.?[ ]?)?\d{{1,7}}\b|\b(?:PSC|Unit|CMR)[ ]\d{{1,5}},?[ ]Box[ ]\d{{1,5}}\b"
    r"|\bUS(?:S|NS|CGC)[ ][A-Z][a-z]{1,20}(?=,?\s{1,2}[FDA]PO[ ]A[APE]\b)"
)
_SUFFIX_SIGNS = tuple(f"{sign} " for sign in (*_SUFFIXES, "út", "tér"))
_BEFORE_REACH = len("No. ")
_BOX_SIGNS = (
    "box ",
    "postfach",
    "apartado",
    "casilla",
    "caixa postal",
    "private bag",
    "pmb",
    "uss ",
    "usns ",
    "uscgc ",
)

_NUMBER_BEHIND = re.compile(rf"[ ]\d{{1,4}}[ ]?[a-zA-Z]?(?=,[ ]?(?:[A-Z]{{1,2}}-)?\d{{4,5}}[ ]{_CAP})")
_BEFORE_NUMBER = re.compile(rf"\b{_CAP}(?:[ ](?:{_CAP}|de|den|der|la|le|van|in|am|an)){{0,3}}$")
_BLOCKS = re.compile(r"\d(?<![\w-]\d)\d{0,2}-\d{1,3}(?:-\d{1,3})?,?[ ](?=[A-Z])")
_STREET = re.compile(r"[ ](?:Street|St\.?|Road|Rd\.?|Avenue|Ave\.?|Lane|Boulevard|Blvd\.?|Marg)(?![\w])")
_BEFORE_STREET = re.compile(rf"\b(?:{_CAP}[ ]){{0,3}}{_CAP}$")
_ON = re.compile(r"\b(?:on|at|in|to|near|address|along|off|from|located|is|of)[: ]{1,2}(?:the )?$")
_HAN, _HANGUL = re.compile(r"[一-鿿]"), re.compile(r"[가-힣]")
_IDEOGRAPHS = re.compile(r"[一-鿿぀-ヿ\d０-９\-－A-Za-z]{6,60}")
_IDEOGRAPHIC = re.compile(
    r"(?:省|市|区|區|县|縣|镇|町|路|街|道|巷|都|府)[^\n]{0,40}?\d{1,5}(?:号|號|番地?|丁目|弄|栋|楼|室|-\d)"
)
_KOREAN = re.compile(
    r"(?:[가-힣]{1,10}(?:특별시|광역시|도|시|군|구|읍|면|동)[ ]){1,4}[가-힣\d]{1,12}(?:로|길|동)[ ]?\d{1,4}"
    r"(?:-\d{1,4})?(?:번지|[ ]\d{1,4}[동호]){0,2}"
)


class Street(NamedTuple):
    """A street in a text.

    Attributes:
        start: First code point, of the house number where that comes first.
        end: Behind the last one.
        score: STRONG with a number and a word for a street, LIKELY or WEAK without a number, DOUBTFUL with
            a number alone.
    """

    start: int
    end: int
    score: float


def find_streets(passage: Passage, places: Mapping[int, int]) -> list[Street]:
    """Find the streets of a text, by start; they may overlap.

    Args:
        passage: The text.
        places: Start -> end of every listed place.
    """
    text = passage.text
    return sorted(
        chain(
            map(_cut_numbered, passage.search_numbers(_NUMBERED, _BEFORE_REACH)),
            (
                Street(*match.span(), STRONG)
                for match in passage.match_numbers(_LOWER)
                if _is_street(match.group())
            ),
            _find_foreign(passage),
            _find_number_behind(text),
            (
                Street(match.start(), places[match.end()], STRONG)
                for match in passage.match_numbers(_BLOCKS)
                if match.end() in places
            ),
            _find_unnumbered(text),
            () if text.isascii() else _find_eastern(text),
        )
    )


def _cut_numbered(match: re.Match[str]) -> Street:
    """Cut the words behind a house number after the last one that ends a street's name."""
    start, words = match.start(1), match.group(1).split(" ")
    if words[0].lower() in _MEASURES:
        return Street(match.start(), match.end(), 0)
    for index in range(len(words) - 1, 0, -1):
        low = words[index].lower().rstrip(".")
        if low in _ANY_TYPES:
            directed = index + 1 < len(words) and words[index + 1].lower() in _DIRECTIONS
            street = " ".join(words[: index + 1 + directed])
            kept = street if len(low) <= _LONGEST_ABBREVIATION else street.rstrip(".")
            return Street(match.start(), start + len(kept), STRONG if low in _TYPES else DOUBTFUL)
    if words[0].lower() == "broadway":
        return Street(match.start(), start + len(words[0]), STRONG)
    return Street(match.start(), match.end(), DOUBTFUL)


def _is_street(words: str) -> bool:
    return FUNCTION_WORDS.isdisjoint(words.split()) and _MEASURES.isdisjoint(words.split())


def _find_foreign(passage: Passage) -> Iterator[Street]:
    """Yield streets by the words of other languages; costly patterns only where their words occur."""
    text, folded = passage.text, passage.folded
    searches = [passage.match_numbers(_FRENCH)]
    if passage.numbers and any(sign in text for sign in _PREFIX_SIGNS):
        searches.append(_PREFIXED.finditer(text))
    if any(folded.endswith(_SUFFIX_SIGNS, 0, start) for start in passage.numbers):
        searches.append(_SUFFIXED.finditer(text))
    if any(sign in folded for sign in _BOX_SIGNS):
        searches.append(_BOX.finditer(text))
    for match in chain.from_iterable(searches):
        yield Street(match.start(), match.start() + len(match.group().rstrip(", ")), STRONG)


def _find_number_behind(text: str) -> Iterator[Street]:
    """Yield "Unter den Linden 77" where a postcode and a town follow."""
    for match in _NUMBER_BEHIND.finditer(text):
        if before := _BEFORE_NUMBER.search(text, max(0, match.start() - _WINDOW), match.start()):
            yield Street(before.start(), match.end(), STRONG)


def _find_unnumbered(text: str) -> Iterator[Street]:
    """Yield "Baker Street" without a number."""
    for match in _STREET.finditer(text):
        if before := _BEFORE_STREET.search(text, max(0, match.start() - _WINDOW), match.start()):
            start = _skip_openers(text, before.start(), match.start())
            if start < match.start():
                named = _ON.search(text, max(0, start - 14), start)
                yield Street(start, match.end(), LIKELY if named else WEAK)


def _skip_openers(text: str, start: int, end: int) -> int:
    """Move past words such as "On" or "The" before a street's name, to `end` where nothing else is there."""
    while start < end:
        word = text[start:end].partition(" ")[0]
        if word.lower() not in FUNCTION_WORDS:
            break
        start += len(word) + 1
    return start


def _find_eastern(text: str) -> Iterator[Street]:
    if _HAN.search(text):
        for match in _IDEOGRAPHS.finditer(text):
            if _IDEOGRAPHIC.search(match.group()):
                yield Street(*match.span(), STRONG)
    if _HANGUL.search(text):
        for match in _KOREAN.finditer(text):
            yield Street(*match.span(), STRONG)
