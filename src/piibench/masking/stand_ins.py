"""The stand-ins of one conversation: which value each one is for, and where they stand in a text.

A stand-in is taken only if it can be told from everything else: it has a word that no input so far has, it
occurs in no other stand-in and contains none (variants of one name apart, which share their parts). One that
a later input holds after all is given up: it restores no more, and its value gets another.
"""

from __future__ import annotations

import re
import secrets
from bisect import bisect_left
from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING, Any, Self
from zlib import crc32

from piibench.data.mentions import find_occurrences, find_values
from piibench.data.taxonomy import Category
from piibench.masking.occurrences import fold_case
from piibench.masking.placeholders import find_forms

if TYPE_CHECKING:
    from collections.abc import Collection

    from piibench.masking.pseudonyms import Candidate

# A letter or digit of a script that parts its words, as `mentions.is_whole` has it.
_SPACED = (
    r"[^\W_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    r"\U00020000-\U000323af]"
)
_WORD = re.compile(f"{_SPACED}+")
_UNFIT = re.compile(r"[<>\[\]{}&\x00-\x1f\x85\u2028\u2029]")
_CATEGORIES = frozenset(map(str, Category))


class StandIns:
    """Values and their stand-ins, ready to be looked for.

    Args:
        seed: Which stand-ins are drawn; the same seed and calls give the same ones. Random when None.
    """

    def __init__(self, seed: str | None = None) -> None:
        self._seed = secrets.token_hex(16) if seed is None else seed
        self._given: dict[tuple[str, str], str] = {}  # label and value -> stand-in
        self._values: dict[str, str] = {}  # stand-in -> value
        self._parts: dict[str, str] = {}  # part of a name in lower case -> its stand-in
        self._heard: set[int] = set()  # checksums of the inputs' words
        self._spoken: set[int] = set()  # of the stand-ins' words
        self._by_word: dict[str, list[str]] = defaultdict(list)  # first word -> stand-ins that begin with it
        self._index = _Index(())

    def __len__(self) -> int:
        return len(self._given)

    def __bool__(self) -> bool:
        """Whether any input or value has come here."""
        return bool(self._given or self._heard)

    @property
    def longest(self) -> int:
        """Length of the longest stand-in, in code points."""
        return max(map(len, self._values), default=0)

    def note(self, text: str) -> None:
        """Take note of an input's words, and give up the stand-ins that it holds."""
        heard = _list_sums(text)
        self._heard |= heard
        self._parts = {part: new for part, new in self._parts.items() if not _list_sums(new) & heard}
        met = {stand_in for stand_in, _ in find_values(text, self._values)}
        if met:
            self._given = {key: held for key, held in self._given.items() if held not in met}
            self._reindex()

    def assign(self, label: str, value: str) -> str | None:
        """Return the value's stand-in, the same one at every call; None where none fits or is free."""
        known = self._given.get((label, value))
        if known is not None or label not in _CATEGORIES:
            return known
        # Only who asks for stand-ins pays for loading the generators.
        from piibench.masking.pseudonyms import propose  # noqa: PLC0415

        rng = Random(f"{self._seed}\0{label}\0{value}")  # noqa: S311 - the seed is secret, the values are no keys
        proposed = propose(Category(label), value, self._parts, rng)
        chosen = next((one for one in proposed if self._is_free(one, value)), None)
        if chosen is None:
            return None
        self._parts.update(chosen.parts or {})
        self._given[label, value] = chosen.text
        self._add(chosen.text, value)
        return chosen.text

    def value_of(self, stand_in: str) -> str:
        """The value that a found stand-in is for."""
        return self._values[stand_in]

    def search(self, text: str, start: int) -> re.Match[str] | None:
        """The first stand-in at or after `start` that is a whole word there, the longest if several begin."""
        return self._index.pattern.search(text, start) if self._values else None

    def find_unfinished(self, text: str, start: int) -> int:
        """The first offset at or after `start` from which a stand-in may have begun; else the length."""
        for at in range(max(start, len(text) - self.longest), len(text)):
            if self._index.begins(text[at:]):
                return at
        return len(text)

    def to_data(self) -> dict[str, Any]:
        """Everything, as JSON holds it."""
        return {
            "seed": self._seed,
            "given": [[label, value, held] for (label, value), held in self._given.items()],
            "parts": [[part, new] for part, new in self._parts.items()],
            "heard": sorted(self._heard),
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """Take up what `to_data` gave.

        Raises:
            KeyError, TypeError, ValueError: The data is damaged.
        """
        made = cls(_check(data["seed"], least=0))
        for label, value, held in data["given"]:
            fits = label in _CATEGORIES and _WORD.search(_check(held))
            if not fits or made._values.setdefault(held, value) != value:
                raise ValueError
            made._given[label, _check(value)] = held
        made._parts = {_check(part): _check(new) for part, new in data["parts"]}
        made._heard = set(map(int, data["heard"]))
        made._reindex()
        return made

    def _is_free(self, one: Candidate, value: str) -> bool:
        words = _list_sums(one.text)
        if words <= self._heard or not _is_fit(one.text) or self._values.get(one.text, value) != value:
            return False
        if any(find_occurrences(fold_case(one.text), fold_case(value))):  # "blue eyes" for "eyes" would tell
            return False
        if one.parts is None:
            return not words <= self._spoken and not self._holds_another(one.text)
        new = [_list_sums(part) for part in one.parts.values()]
        return len(set(one.parts.values())) == len(new) and not any(
            sums & (self._heard | self._spoken) for sums in new
        )

    def _holds_another(self, text: str) -> bool:
        others = (other for word in _WORD.findall(text) for other in self._by_word.get(word, ()))
        return any(find_values(text, others))

    def _add(self, stand_in: str, value: str) -> None:
        self._values[stand_in] = value
        self._spoken |= _list_sums(stand_in)
        self._by_word[_WORD.findall(stand_in)[0]].append(stand_in)
        self._index = _Index(self._values)

    def _reindex(self) -> None:
        self._values, self._by_word = {}, defaultdict(list)
        for (_, value), held in self._given.items():
            self._add(held, value)


class _Index:
    """What a search for stand-ins needs; made when they change, at the first search."""

    def __init__(self, stand_ins: Collection[str]) -> None:
        self._stand_ins = stand_ins
        self._pattern: re.Pattern[str] | None = None
        self._sorted: list[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        """Whole stand-ins, longest first; one branch for each initial keeps most places cheap."""
        if self._pattern is None:
            by_initial: dict[str, list[str]] = defaultdict(list)
            for stand_in in sorted(self._stand_ins, key=len, reverse=True):
                ahead = rf"(?!{_SPACED})" if stand_in[-1].isalnum() else ""
                by_initial[stand_in[0]].append(re.escape(stand_in[1:]) + ahead)
            branches: dict[bool, list[str]] = {True: [], False: []}
            for initial, rests in by_initial.items():
                branches[initial.isalnum()].append(f"{re.escape(initial)}(?:{'|'.join(rests)})")
            bound = rf"(?<!{_SPACED})(?:{'|'.join(branches[True])})" if branches[True] else ""
            self._pattern = re.compile("|".join([*([bound] if bound else []), *branches[False]]))
        return self._pattern

    def begins(self, text: str) -> bool:
        """Whether a text is a stand-in, or the beginning of one."""
        if self._sorted is None:
            self._sorted = sorted(self._stand_ins)
        at = bisect_left(self._sorted, text)
        return at < len(self._sorted) and self._sorted[at].startswith(text)


def _list_sums(text: str) -> set[int]:
    """Checksums of a text's words in any letter case; the words themselves need not be kept."""
    return {crc32(word.encode()) for word in _WORD.findall(fold_case(text))}


def _is_fit(text: str) -> bool:
    """Whether a text is one line and cannot be taken for a placeholder, or a part of one."""
    return not _UNFIT.search(text) and text == text.strip() and not any(find_forms(text))


def _check(value: object, *, least: int = 1) -> str:
    if not isinstance(value, str) or len(value) < least:
        raise TypeError
    return value
