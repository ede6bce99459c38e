"""Where somebody comes up in a text, by name, as a relative or by a pronoun, and who that is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from piibench.systems.rules.lexicon import read_words
from piibench.systems.rules.subjects.people import Relative, find_relatives, gender_of, is_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from piibench.systems.rules.candidates import Candidate
    from piibench.systems.rules.passage import Passage
    from piibench.systems.rules.subjects.narration import Narration
    from piibench.systems.rules.subjects.people import Gender, People

_KIND = {
    word: kind for kind in ("first", "he", "she", "they", "you") for word in read_words(f"pronoun_{kind}")
}
_INITIALS = "".join(sorted({word[0] for word in _KIND}))
_PRONOUN = re.compile(
    r"\b(?<!['.])(?:"
    + "|".join(
        f"{first}(?:{'|'.join(sorted((word[1:] for word in _KIND if word[0] == first), reverse=True))})"
        for first in _INITIALS
    )
    + r")(?![\w']|\.\w)|我"
)
"""All pronouns, grouped by their first letters: most words are refused at a glance."""
_MINE = read_words("possessive_first") | {""}
_GENDERS: dict[str, Gender] = {"he": "m", "she": "f"}
_IS_NARRATOR = re.compile(r"(?<!\w)(?:i'm|i am|i was|as) $")
_POSSESSIVES = {"his": "he", "her": "she", "their": "they"}


class Reference(NamedTuple):
    """A place where somebody comes up.

    Attributes:
        start: First code point.
        end: Behind the last one.
        position: Position among the candidates where it is a name, else -1.
        relative: Where it is somebody's relative.
        pronoun: "first", "he", "she", "they" or "you" where it is a pronoun.
    """

    start: int
    end: int
    position: int = -1
    relative: Relative | None = None
    pronoun: str = ""


def find_references(passage: Passage, found: Sequence[Candidate], people: People) -> list[Reference]:
    """Find the names, relatives and pronouns of a text, by start; no pronoun lies in another reference."""
    references = [Reference(*found[position].span, position=position) for position in people.named]
    relatives = list(find_relatives(passage))
    references += [Reference(relative.start, relative.end, relative=relative) for relative in relatives]
    taken = [(candidate.span.start, candidate.span.end) for candidate in found]
    taken += [(relative.start, relative.end) for relative in relatives]
    references += _find_pronouns(passage, sorted(taken))
    return sorted(references, key=lambda reference: (reference.start, -reference.end))


def _find_pronouns(passage: Passage, taken: Sequence[tuple[int, int]]) -> list[Reference]:
    pronouns: list[Reference] = []
    index = 0
    for match in _PRONOUN.finditer(passage.folded):
        kind = "first" if match.group() == "我" else _KIND[match.group()]
        if passage.text.startswith("US", match.start()):
            continue
        while index < len(taken) and taken[index][1] <= match.start():
            index += 1
        if index == len(taken) or match.end() <= taken[index][0]:
            pronouns.append(Reference(*match.span(), pronoun=kind))
    return pronouns


class Resolver:
    """Tells who a reference means, from those that came before it.

    Args:
        passage: The text.
        people: Its persons.
        narration: Who speaks where.
        references: All references, by start.
    """

    def __init__(
        self, passage: Passage, people: People, narration: Narration, references: Sequence[Reference]
    ) -> None:
        self._passage, self._people, self._narration = passage, people, narration
        self._references = references
        self._relatives: dict[tuple[int, str], int] = {}
        self._relative_names: dict[tuple[int, str], int] = {}
        self._recent: dict[Gender | None, tuple[int, int]] = {}
        self.last: int | None = None
        """The last person somebody was told about."""

    def resolve(self, index: int, beside: int | None) -> int | None:
        """Return the node of a reference, None for a "you" that nobody is known to be.

        Args:
            index: Its place among the references.
            beside: The person that came up before it in the sentence, for "Ana's husband".
        """
        reference = self._references[index]
        if reference.position >= 0:
            node = self._people.named[reference.position]
        elif reference.relative:
            node = self._resolve_relative(reference.relative, index, beside)
        else:
            return self._resolve_pronoun(reference.pronoun, reference.start)
        if self._people.find(node) != self._people.find(self._narration.narrator(reference.start)):
            self._recent[self._people.gender(node)] = (reference.start, node)
        return node

    def _resolve_pronoun(self, pronoun: str, place: int) -> int | None:
        if pronoun == "first":
            return self._narration.narrator(place)
        if pronoun == "you":
            return self._narration.addressee(place)
        if pronoun == "they":
            return max(self._recent.values())[1] if self._recent else self.last
        gender = _GENDERS[pronoun]
        fitting = [self._recent[key] for key in (gender, None) if key in self._recent]
        fitting = [entry for entry in fitting if self._people.gender(entry[1]) in {gender, None}]
        if not fitting:
            return self.last
        node = max(fitting)[1]
        self._people.set_gender(node, gender)
        self._recent[gender] = (place, node)
        return node

    def _resolve_relative(self, relative: Relative, index: int, beside: int | None) -> int:
        """Return the node of "my daughter": the same for the same owner, joined with a name beside it."""
        owner = self._resolve_owner(relative, beside)
        key = (-1 if owner is None else self._people.find(owner), relative.word)
        node = self._relatives.get(key)
        if node is None:
            node = self._relatives[key] = self._people.add(gender_of(relative.word))
        if relative.owner not in _MINE and _IS_NARRATOR.search(
            self._passage.folded, max(0, relative.start - 8), relative.start
        ):
            self._people.join(node, self._narration.narrator(relative.start))
        around = (*self._references[max(0, index - 1) : index], *self._references[index + 1 : index + 3])
        for other in around:
            if other.position >= 0 and is_named(self._passage, relative, other.start, other.end):
                return self._name_relative(key, node, self._people.named[other.position])
        return node

    def _name_relative(self, key: tuple[int, str], node: int, name: int) -> int:
        """Join a relative with its name; a second "my friend" with another name is another friend."""
        known = self._relative_names.setdefault(key, name)
        if self._people.find(known) != self._people.find(name):
            self._relatives[key] = self._relative_names[key] = name
            return name
        self._people.join(name, node)
        return node

    def _resolve_owner(self, relative: Relative, beside: int | None) -> int | None:
        if relative.owner in _MINE:
            return self._narration.narrator(relative.start)
        if relative.owner == "your":
            return self._narration.addressee(relative.start)
        if pronoun := _POSSESSIVES.get(relative.owner):
            return self._resolve_pronoun(pronoun, relative.start)
        return self.last if beside is None else beside
