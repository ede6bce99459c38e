"""Which mentions name the same person: "John Smith", "John", "Mr. Smith", "J. Smith", "@jsmith"."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from piibench.systems.rules.lexicon import fold, read_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_PART = re.compile(r"[^\W\d_][\w'’-]*")
_LETTERS = re.compile(r"[^\W\d_]+")

_MOST_NAMESAKES = 8
"""How many people of the same family name are compared with a new mention; the latest ones."""
_MOST_FUZZY = 20
"""How many people a login is compared with by likeness."""
_ALIKE = 88
_SHORTEST_PART = 4


def _read_diminutives() -> Mapping[str, frozenset[str]]:
    forms: dict[str, set[str]] = defaultdict(set)
    for pair in read_words("diminutive"):
        short, _, full = pair.partition(" ")
        forms[short].add(full)
        forms[full].add(short)
    return {name: frozenset(others) for name, others in forms.items()}


_DIMINUTIVES = _read_diminutives()


class Aliases:
    """People by the parts of their names. Each mention costs a bounded number of look-ups."""

    def __init__(self) -> None:
        self._names: list[tuple[str, ...]] = []
        self._by_part: dict[str, list[int]] = defaultdict(list)
        self._by_parts: dict[frozenset[str], int] = {}
        self._by_login: dict[str, int] = {}
        self._families: set[str] = set()

    def __len__(self) -> int:
        return len(self._names)

    def add(self, mention: str) -> int:
        """Return the number of the person a mention names, a new one where nobody fits."""
        parts: tuple[str, ...] = tuple(_PART.findall(fold(mention).replace(",", " ")))
        parts = parts or (fold(mention).strip(),)
        if mention.count(",") == 1:
            parts = (*parts[1:], parts[0])
        key = frozenset(parts)
        person = self._by_parts.get(key)
        if person is None:
            person = self._find(parts)
        if person is None:
            person = len(self._names)
            self._names.append(parts)
        elif len(parts) > len(self._names[person]):
            self._names[person] = parts
        self._index(person, parts, key)
        return person

    def match_login(self, login: str) -> int | None:
        """Return the person whose name a handle or the first half of an e-mail address is made of."""
        parts = _LETTERS.findall(fold(login.lstrip("@").partition("@")[0]).replace("_", " "))
        plain = "".join(parts)
        person = self._by_login.get(plain)
        if person is None and len(parts) > 1 and parts[0] not in self._families:
            person = self._by_login.get(parts[0])
        if person is not None or len(plain) < _SHORTEST_PART or len(self._names) > _MOST_FUZZY:
            return person
        scores = [(_likeness(plain, parts), -index) for index, parts in enumerate(self._names)]
        best, index = max(scores, default=(0.0, 0))
        return -index if best >= _ALIKE else None

    def _find(self, parts: tuple[str, ...]) -> int | None:
        """Find the latest person that the parts of a new mention fit."""
        keys = (parts[-1], parts[0], *_DIMINUTIVES.get(parts[0], ()))
        seen = (
            index for key in dict.fromkeys(keys) for index in reversed(self._by_part[key][-_MOST_NAMESAKES:])
        )
        return next((index for index in seen if _fits(self._names[index], parts)), None)

    def _index(self, person: int, parts: tuple[str, ...], key: frozenset[str]) -> None:
        if key in self._by_parts:
            return
        if parts[1:]:
            self._families.add(parts[-1])
        self._by_parts[key] = person
        for part in {parts[0], parts[-1]}:
            if person not in self._by_part[part][-_MOST_NAMESAKES:]:
                self._by_part[part].append(person)
        for login in _logins(parts):
            self._by_login.setdefault(login, person)


def _fits(known: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Whether two names may be one person's."""
    if len(known) == 1 and len(new) == 1:
        return _same_first(known[0], new[0])
    if len(new) == 1:
        return new[0] == known[-1] or _same_first(known[0], new[0])
    if len(known) == 1:
        return known[0] == new[-1] or _same_first(new[0], known[0])
    return known[-1] == new[-1] and _same_first(known[0], new[0])


def _same_first(left: str, right: str) -> bool:
    if left == right or right in _DIMINUTIVES.get(left, ()):
        return True
    return 1 in {len(left), len(right)} and left[0] == right[0]


def _logins(parts: tuple[str, ...]) -> Iterator[str]:
    first, last = ("".join(_LETTERS.findall(part)) for part in (parts[0], parts[-1]))
    yield first
    if len(parts) > 1 and first and last:
        yield from (first + last, last + first, first[0] + last, last + first[0], first + last[0], last)


def _likeness(login: str, parts: Iterable[str]) -> float:
    """Likeness in 0..100 of a login and the longer parts of a name."""
    longer = [part for part in parts if len(part) >= _SHORTEST_PART]
    return max((fuzz.partial_ratio(part, login) for part in longer if len(part) <= len(login)), default=0.0)
