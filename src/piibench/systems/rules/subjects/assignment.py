"""Whose value is it? Every candidate gets the letter of a subject (section 3.1: PII of several people).

One walk over the text in reading order. A value belongs, in this order, to the person whose login it is, to
a name directly beside it, to the subject of its clause, to the speaker of its turn or the main person of its
form, to the last subject.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.data.schema import subject_letter
from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.systems.rules.lexicon import read_words
from piibench.systems.rules.names.runs import ACTS
from piibench.systems.rules.subjects.forms import FormState
from piibench.systems.rules.subjects.narration import Narration
from piibench.systems.rules.subjects.outline import Sentence, split_sentences
from piibench.systems.rules.subjects.people import People
from piibench.systems.rules.subjects.references import Reference, Resolver, find_references

if TYPE_CHECKING:
    from collections.abc import Sequence

    from piibench.systems.rules.candidates import Candidate
    from piibench.systems.rules.passage import Passage

_OBJECTS = frozenset({"me", "us", "him", "them", "myself", "himself", "herself", "mi"})
_GOVERNED = re.compile(
    r"(?<!\w)(?:with|by|to|for|from|of|than|about|like|at|on|near|under|via|through|without|between|and|or"
    r"|as) "
    r"(?:the |dr\.? |mr\.? |mrs\.? |ms\.? |prof\.? |professor |doctor )?$"
)
_APPOSED = re.compile(
    r"['’]s?\b|[)\"”]?\s?(?:\([^)\n]{0,24}\) (?=is|was|lives|works|has)|:)"
    r"|, (?:(?:an?|who|whose|aged?|born|the)\b|\d)"
)
_BESIDE = re.compile(r"['’]?s? ?\(|['’]s |,? (?:aged?|born|on) |: ?")
_BESIDE_FACT = re.compile(r",? |, (?:an? )?")
_AGED_NAME = re.compile(r"(?:[- ]years?[- ]old|y/?o)?(?: [\w-]{3,14}){0,2} ")
_LINKS = read_words("function_word")
_ADDING = frozenset({" and ", " & ", " y ", " et ", " und "})
_NEAR = 24


def assign_subjects(passage: Passage, found: Sequence[Candidate]) -> list[str]:
    """Return the subject's letter of each candidate: A, B, C … in order of first appearance.

    Linear in the text and the candidates.

    Args:
        passage: The text.
        found: Candidates by start, none overlapping another.
    """
    people = People(passage, found)
    owners = _Walk(passage, found, people).run()
    letters: dict[int, str] = {}
    return [letters.setdefault(root, subject_letter(len(letters))) for root in map(people.find, owners)]


class _Walk:
    """The state of the walk over a text; each step looks at a bounded neighbourhood."""

    def __init__(self, passage: Passage, found: Sequence[Candidate], people: People) -> None:
        self._passage, self._found, self._people = passage, found, people
        self._narration = Narration(passage, found, people)
        self._references = find_references(passage, found, people)
        self._resolver = Resolver(passage, people, self._narration, self._references)
        self._form = FormState(passage, found, people, self._narration)
        self._owners: list[int] = [-1] * len(found)
        self._part = 0

    def run(self) -> list[int]:
        """Walk the text once and return the node of each candidate's owner."""
        reference = candidate = 0
        for sentence in split_sentences(self._passage.text):
            self._open(sentence)
            while True:
                met = self._reference_in(sentence, reference)
                fact = self._found[candidate].span.start if candidate < len(self._found) else sentence.end
                if met and met.start <= fact:
                    self._meet(met, reference)
                    reference += 1
                elif fact < sentence.end:
                    self._own(candidate, met)
                    candidate += 1
                else:
                    break
            self._close(sentence)
        # What came before anybody belongs to the first person of the text, else to its narrator.
        first = next((owner for owner in self._owners if owner >= 0), self._narration.narrator(0))
        return [first if owner < 0 else owner for owner in self._owners]

    def _reference_in(self, sentence: Sentence, index: int) -> Reference | None:
        if index < len(self._references) and self._references[index].start < sentence.end:
            return self._references[index]
        return None

    def _open(self, sentence: Sentence) -> None:
        """Begin a sentence; a new turn or letter is about whoever speaks in it."""
        self._owner: int | None = None
        self._subject: int | None = None
        self._added: int | None = None
        self._beside: tuple[int, int] | None = None
        self._pending: list[int] = []
        self._start = sentence.start
        part = self._narration.part(sentence.start)
        if part != self._part:
            self._part = part
            self._resolver.last = self._narration.narrator(sentence.start)
        self._form.open(sentence)

    def _meet(self, reference: Reference, index: int) -> None:
        """Take note of somebody who comes up."""
        if self._is_speaker_tag(reference):
            return
        node = self._resolver.resolve(index, self._beside[1] if self._beside else None)
        if node is None:
            return
        if reference.position >= 0:
            self._form.meet(node)
        if self._leads(reference, node):
            self._owner = node
            self._subject = node if self._subject is None else self._subject
            self._settle(node)
        self._beside = (reference.end, node)

    def _is_speaker_tag(self, reference: Reference) -> bool:
        """Whether "Mom:" opens a turn; its speaker is known already."""
        bare = reference.relative is not None and not reference.relative.owner
        return bare and reference.start == self._start and self._narration.is_turn(reference.start)

    def _leads(self, reference: Reference, node: int) -> bool:
        """Whether somebody is the subject of a clause or has what follows, and is no mere object."""
        if reference.pronoun:
            word = self._passage.folded[reference.start : reference.end]
            return self._owner is None or word not in _OBJECTS
        if self._is_added(reference, node):
            return False
        text, end = self._passage.text, reference.end
        if _APPOSED.match(text, end) or ACTS.match(text, end):
            return True
        before = max(0, reference.start - _NEAR)
        return self._subject is None and not _GOVERNED.search(self._passage.folded, before, reference.start)

    def _is_added(self, reference: Reference, node: int) -> bool:
        """Whether an "and" only adds somebody to the subject ("Ana and her husband Luis moved …")."""
        if self._added is not None and self._people.find(node) == self._people.find(self._added):
            return True
        adds = self._beside is not None and self._passage.text[self._beside[0] : reference.start] in _ADDING
        self._added = node if adds else None
        return adds

    def _settle(self, node: int) -> None:
        for position in self._pending:
            self._owners[position] = node
        self._pending = []

    def _own(self, position: int, following: Reference | None) -> None:
        """Give a candidate its owner, or let it wait for the subject of its sentence."""
        owner = self._people.named.get(position)
        if owner is None:
            owner = self._match_login(self._found[position])
        if owner is None:
            owner = self._find_neighbour(self._found[position], following)
        if owner is None:
            owner = self._owner
        if owner is None:
            self._pending.append(position)
        else:
            self._owners[position] = owner

    def _match_login(self, candidate: Candidate) -> int | None:
        if candidate.category not in {Category.EMAIL_ADDRESS, Category.SOCIAL_MEDIA_HANDLE}:
            return None
        return self._people.match_login(candidate.span.of(self._passage.text))

    def _find_neighbour(self, candidate: Candidate, following: Reference | None) -> int | None:
        """Return the person directly before ("Ana (34)") or behind a value ("34-year-old Ana")."""
        text, start = self._passage.text, candidate.span.start
        personal = TYPE_OF[candidate.category] in {PIIType.DEM, PIIType.CODE}
        if self._beside and 0 < start - self._beside[0] <= _NEAR:
            gap = text[self._beside[0] : start]
            if _BESIDE.fullmatch(gap) or (personal and _BESIDE_FACT.fullmatch(gap)):
                return self._beside[1]
        if following and following.position >= 0 and TYPE_OF[candidate.category] is PIIType.DEM:
            gap = text[candidate.span.end : following.start]
            if len(gap) <= _NEAR and _AGED_NAME.fullmatch(gap) and _LINKS.isdisjoint(gap.lower().split()):
                return self._people.named[following.position]
        return None

    def _close(self, sentence: Sentence) -> None:
        """End a sentence: what still waits falls to the turn, the form or the last subject."""
        in_turn = self._narration.is_turn(sentence.start)
        main = None if in_turn else self._form.close(sentence)
        fallback = self._resolver.last if main is None else main
        if in_turn:
            fallback = self._narration.narrator(sentence.start)
        if fallback is not None:
            self._settle(fallback)
        if self._subject is not None and main is None:
            self._resolver.last = self._subject
