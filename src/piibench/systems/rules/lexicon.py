"""Lexicons: word lists in data files, all of them searched in one pass by an Aho-Corasick automaton.

A file in `lexicons/` is a table named by its stem: "occupation.txt" is the table "occupation". One entry a
line; a line that starts with "#" is a comment. An entry in lower case matches in any case; an entry that
starts with a capital counts as exact only where the text does so too ("Nice" the town, not "nice"), an
acronym only where the text has all of its capitals ("WHO", not "Who"; "MEd", not "Med"). Tables that end in
"_cued" hold words that count only beside a cue.

Larger tables made from public lists at build time lie in `tables/`, in the same form, gzipped. The lists in
`lexicons/cues/` are sets of words that recognizers ask for membership (`read_words`); the automaton does not
look for them.
"""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

from piibench.data.mentions import is_mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_SPACES = (
    '\t\n\r\v\f\u00a0\u2007\u2009\u202f\u3000([{<"\u201c\u201d\u201e\u00ab\u00bb'
    "/|-\u2010\u2011\u2012\u2013\u2014_@#:;,=*>"
)
_QUOTES = "\u2018\u2019\u02bc\u00b4`"
_PLAIN = dict.fromkeys(_SPACES, " ") | dict.fromkeys(_QUOTES, "'")
_PLAIN_ASCII = {ord(char): plain for char, plain in _PLAIN.items() if char.isascii()}
_TWO_IN_LOWER_CASE = "\u0130"
"""The one letter whose lower case has two code points; it stays as it is."""
_ACRONYM = re.compile(r"[A-Z0-9&./-]*[A-Z][A-Z0-9&./-]*[A-Z][A-Z0-9&./-]*|[A-Z][A-Za-z]{0,3}[A-Z][a-z]{0,3}")
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


def fold(text: str) -> str:
    """Lower case, plain quotes, and a space for everything that may stand before a word.

    Code point for code point: `len(fold(text)) == len(text)`. Lone surrogates, which no automaton or file
    can take, become U+FFFD.
    """
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = _TWO_IN_LOWER_CASE.join(map(str.lower, text.split(_TWO_IN_LOWER_CASE)))
    if lowered.isascii():
        return lowered.translate(_PLAIN_ASCII)
    # `translate` is fast for ASCII alone; for other text a replacement per character is.
    for char, plain in _PLAIN.items():
        lowered = lowered.replace(char, plain)
    try:
        lowered.encode()
    except UnicodeEncodeError:
        return lowered.translate(_SURROGATES)
    return lowered


class Hit(NamedTuple):
    """A lexicon entry in a text.

    Attributes:
        start: First code point.
        end: Behind the last code point.
        table: The table it stands in.
        exact: Whether the text has the capitals that the entry asks for.
    """

    start: int
    end: int
    table: str
    exact: bool


@dataclass(frozen=True, slots=True)
class _Entry:
    table: str
    cased: bool
    acronym: str

    def fits(self, found: str) -> bool:
        """Whether the text found for the entry has the capitals it asks for."""
        if self.acronym:
            return found == self.acronym or found.isupper()
        return not self.cased or not found[0].isalpha() or found[0].isupper()


class Lexicons:
    """All tables behind one automaton."""

    def __init__(self, tables: Iterable[tuple[str, Iterable[str]]]) -> None:
        """Build the automaton.

        Args:
            tables: Pairs of table name and its entries.
        """
        by_pattern: dict[str, tuple[_Entry, ...]] = {}
        # Most patterns share a few combinations of entries: one tuple for each keeps the heap small.
        shared: dict[tuple[_Entry, ...], tuple[_Entry, ...]] = {}
        for table, given in tables:
            entries = list(given)
            alone = {cased: (_Entry(table, cased, ""),) for cased in (False, True)}
            for entry, folded in zip(entries, _fold_all(entries), strict=True):
                pattern = " " + folded
                acronym = _ACRONYM.fullmatch(entry)
                added = (_Entry(table, cased=True, acronym=entry),) if acronym else alone[entry[0].isupper()]
                known = by_pattern.get(pattern)
                if known is None:
                    by_pattern[pattern] = added
                elif known[-1].table != table:
                    joined = known + added
                    by_pattern[pattern] = shared.setdefault(joined, joined)
        self._entries = tuple(by_pattern.values())
        self._automaton = AhoCorasick(
            list(by_pattern),
            matchkind=MatchKind.Standard,
            implementation=Implementation.ContiguousNFA,
            store_patterns=False,
        )

    def search(self, text: str, folded: str) -> Iterator[Hit]:
        """Yield the longest entry of each table at each place, as whole words, by start.

        Args:
            text: The text as it came.
            folded: `fold(text)`.
        """
        longest: dict[tuple[int, str], Hit] = {}
        # The space in front lets an entry match at the very start; it shifts every offset by one, which
        # the patterns' own leading space undoes.
        for pattern, start, padded_end in self._automaton.find_matches_as_indexes(
            " " + folded, overlapping=True
        ):
            end = padded_end - 1
            if end < len(folded) and _goes_on(folded[end - 1], folded[end]):
                continue
            for entry in self._entries[pattern]:
                best = longest.get((start, entry.table))
                if best is None or best.end < end:
                    longest[start, entry.table] = Hit(start, end, entry.table, entry.fits(text[start:end]))
        yield from sorted(longest.values())


def _goes_on(last: str, following: str) -> bool:
    """Whether a word ends later: with another letter, or a mark upon its last one."""
    return last.isalnum() and (following.isalnum() or is_mark(following))


def _fold_all(entries: Sequence[str]) -> list[str]:
    """Fold many entries in one call, which is what building the automaton spends its time on."""
    return fold("\0".join(entries)).split("\0") if entries else []


def _read(lines: Iterable[str]) -> list[str]:
    return [entry for line in lines if (entry := line.strip()) and not entry.startswith("#")]


def read_tables() -> Iterator[tuple[str, list[str]]]:
    """Yield each shipped table: its name and its entries."""
    room = files("piibench.systems.rules")
    for path in sorted((room / "lexicons").iterdir(), key=lambda path: path.name):
        if path.name.endswith(".txt"):
            yield path.name.removesuffix(".txt"), _read(path.read_text("utf-8").splitlines())
    for path in sorted((room / "tables").iterdir(), key=lambda path: path.name):
        if path.name.endswith(".txt.gz"):
            text = gzip.decompress(path.read_bytes()).decode("utf-8")
            yield path.name.removesuffix(".txt.gz"), _read(text.splitlines())


@cache
def read_words(name: str) -> frozenset[str]:
    """The entries of a cue list, folded.

    Args:
        name: Stem of a file in `lexicons/cues/`, such as "person_noun".
    """
    path = files("piibench.systems.rules") / "lexicons" / "cues" / f"{name}.txt"
    return frozenset(fold(entry) for entry in _read(path.read_text("utf-8").splitlines()))


@cache
def load_lexicons() -> Lexicons:
    """The shipped lexicons, built once in a process."""
    return Lexicons(read_tables())
