"""The people of a text as nodes: mentions by name, relatives without one, and whoever says "I"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from piibench.data.taxonomy import Category
from piibench.systems.rules.lexicon import read_words
from piibench.systems.rules.subjects.aliases import Aliases

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from piibench.systems.rules.candidates import Candidate
    from piibench.systems.rules.passage import Passage

Gender = Literal["f", "m"]

_FEMALE, _MALE = read_words("kin_female"), read_words("kin_male")
_PLURAL, _ADDRESSED = read_words("kin_plural"), read_words("kin_address")
_SAME_KIN = dict(pair.split(" ") for pair in read_words("kin_synonym"))
_POSSESSOR = re.compile(
    r"(?<![\w'])(my|our|his|her|their|your|mi|meiner?|unsere?|mon|ma|notre|meu|minha|мой|моя"
    r"|[\w.]{1,20}'s?) (?:[\w]{1,12} ){0,2}$"
)
_BEFORE_NAME = re.compile(
    r",? ?(?:\(|named |called |whose name is |who is called |is |was |'s name is |- |: )?"
    r"(?:(?:dr|mr|mrs|ms|prof)\b\.? )?[\"'“]?"
)
_BEHIND_NAME = re.compile(r",? ?(?:\(|is |was |who is |— |– |- )?(?:also )?")
_MR, _MRS = (
    re.compile(r"(?<!\w)(?:mr|sr|señor|herr|sir|monsieur)\.? $"),
    re.compile(r"(?<!\w)(?:mrs|ms|miss|sra|señora|frau|mme|madame)\.? $"),
)
_WIDEST_LINK = 24


class Relative(NamedTuple):
    """A relative or acquaintance in a text ("my older sister").

    Attributes:
        start: First code point, possessive included.
        noun: First code point of the noun.
        end: Behind the noun.
        word: The noun, folded ("mother" for "mom").
        owner: The possessive before it, folded, or "".
    """

    start: int
    noun: int
    end: int
    word: str
    owner: str


class People:
    """Nodes that turn out to be one person are joined.

    Args:
        passage: The text.
        found: All candidates, by start; those with a name become persons.
    """

    def __init__(self, passage: Passage, found: Sequence[Candidate]) -> None:
        self.aliases = Aliases()
        self._parents: list[int] = []
        self._genders: dict[int, Gender] = {}
        self._nodes: dict[int, int] = {}
        self.named: dict[int, int] = {}
        """Position in `found` of each name -> its node."""
        for position, candidate in enumerate(found):
            if candidate.category in {Category.FULL_NAME, Category.NICKNAME}:
                self.named[position] = self._add_name(passage, candidate)

    def add(self, gender: Gender | None = None) -> int:
        """Make a node for somebody without a name."""
        node = len(self._parents)
        self._parents.append(node)
        if gender:
            self._genders[node] = gender
        return node

    def find(self, node: int) -> int:
        """Return the node that stands for a person."""
        while self._parents[node] != node:
            self._parents[node] = self._parents[self._parents[node]]
            node = self._parents[node]
        return node

    def join(self, left: int, right: int) -> None:
        """State that two nodes are one person."""
        left, right = self.find(left), self.find(right)
        if left != right:
            gender = self._genders.get(left) or self._genders.get(right)
            self._parents[max(left, right)] = min(left, right)
            if gender:
                self._genders[min(left, right)] = gender

    def gender(self, node: int) -> Gender | None:
        """What pronouns, titles and kinship words have told."""
        return self._genders.get(self.find(node))

    def set_gender(self, node: int, gender: Gender) -> None:
        """Note what a pronoun tells."""
        self._genders.setdefault(self.find(node), gender)

    def match_login(self, login: str) -> int | None:
        """Return the node of the person whose name a login is made of."""
        person = self.aliases.match_login(login)
        return None if person is None else self._nodes[person]

    def _add_name(self, passage: Passage, candidate: Candidate) -> int:
        start, _ = candidate.span
        person = self.aliases.add(candidate.span.of(passage.text))
        if person not in self._nodes:
            self._nodes[person] = self.add()
        before = passage.folded[max(0, start - 10) : start]
        if _MR.search(before):
            self.set_gender(self._nodes[person], "m")
        elif _MRS.search(before):
            self.set_gender(self._nodes[person], "f")
        return self._nodes[person]


def find_relatives(passage: Passage) -> Iterator[Relative]:
    """Yield the relatives that somebody has, or calls by the word alone ("Mom")."""
    folded = passage.folded
    for hit in passage.of("kinship"):
        word = folded[hit.start : hit.end]
        match = _POSSESSOR.search(folded, max(0, hit.start - 40), hit.start)
        if match:
            yield Relative(match.start(), hit.start, hit.end, _SAME_KIN.get(word, word), match.group(1))
        elif _stands_for_person(passage, hit.start, hit.end, word):
            yield Relative(hit.start, hit.start, hit.end, _SAME_KIN.get(word, word), "")


def _stands_for_person(passage: Passage, start: int, end: int, word: str) -> bool:
    """Whether a kinship word without a possessive means one person: "Mom", or a field ("Father's job:")."""
    text = passage.text
    if word in _ADDRESSED:
        return text[start].isupper()
    opens = not start or text[start - 1] == "\n"
    return (
        opens
        and text[start].isupper()
        and (text.startswith(":", end) or passage.folded.startswith("'s", end))
    )


def gender_of(word: str) -> Gender | None:
    """The gender that a kinship word tells."""
    return "f" if word in _FEMALE else "m" if word in _MALE else None


def is_named(passage: Passage, relative: Relative, name_start: int, name_end: int) -> bool:
    """Whether a name belongs to a relative: "my wife, Ana", "my boss is Tom", "Ana (my wife)"."""
    if relative.word in _PLURAL:
        return False
    if relative.end <= name_start <= relative.end + _WIDEST_LINK:
        return _fits(_BEFORE_NAME, passage.text[relative.end : name_start])
    if name_end <= relative.start <= name_end + _WIDEST_LINK:
        return _fits(_BEHIND_NAME, passage.text[name_end : relative.start])
    return False


def _fits(pattern: re.Pattern[str], gap: str) -> bool:
    return bool(gap) and pattern.fullmatch(gap.lower()) is not None
