"""Phrases woven into a frame (section 3.2.2): a document tells more of a person than its writer meant to.

Only the training partition has phrases. A sentence goes between two sentences of prose, a field between two
fields of a form; never into a quotation, a turn of talk, a table or code. What is woven in is part of the
frame: its fact is drawn, made consistent and labelled like any other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple

from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.synthesis.framing import Agreement, Clause, Slot, show
from piibench.synthesis.phrasing import load_phrases
from piibench.synthesis.queries import tells_of_itself
from piibench.synthesis.scenarios import load_scenarios

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from random import Random

    from piibench.synthesis.framing import Frame, Piece
    from piibench.synthesis.phrasing import Phrase

SHARE = 0.86
"""Share of the training samples for which it is tried; about a third of all have room and a phrase."""

MOST = 3
"""Phrases in a sample."""

Manner = Literal["first", "third", "named", "field"]
"""How a phrase speaks: as the subject, by pronoun, by name where there are several people, as a form does."""

_ADULT = 18
_CLAIMS = 3
"""More often than so, and twice as often as "you", somebody says "I" who tells of themselves."""

_SENTENCE_END = re.compile(r"(?<=[a-z]{3}[.!?]) (?=[A-Z])")
_TITLES = ("Prof. ", "Capt. ", "Revd. ")
_PROSE = re.compile(r"[A-Z“\"](?![^:|>=▸\t]{0,29}[:|>=▸\t])")
_FIELD = re.compile(
    r"(?!(?:from|to|cc|re|subj|subject|date|attn)\b)[A-Z][\w /.'’()-]{1,30}: \S[^|<>=\[\]\"\n]*",
    re.IGNORECASE,
)
_LINE = re.compile(r"\n(?=[A-Z])")
_OF_SOMEBODY = re.compile(r"\b(?:she|he|her|his|him)\b", re.IGNORECASE)
_OF_ONESELF = re.compile(r"\b(?:I|my)\b", re.IGNORECASE)
_TO_SOMEBODY = re.compile(r"\b(?:you|your)\b", re.IGNORECASE)
_VALUE, _NO_LETTER = "X", "\0"


class _Place(NamedTuple):
    """Where a phrase may go: before a character of a clause's text, in prose or between fields.

    A slot and a word that agrees count as one character there.
    """

    clause: int
    offset: int
    in_form: bool


def weave_phrases(frame: Frame, rng: Random, *, needed: Collection[Slot]) -> Frame:
    """Add one to three phrases to a frame for facts that it has no slot for.

    Args:
        frame: A frame of the training partition.
        rng: Source of chance.
        needed: What its query needs; nothing is added that the same query might need as well.

    Returns:
        The frame with more clauses, none of them optional; as it was where it has no room for any.
    """
    subject = rng.choice(list(frame.genders))
    if frame.ages.get(subject, (_ADULT, _ADULT))[0] < _ADULT:
        return frame
    shunned = _list_related({slot.category for slot in needed})
    shunned |= {slot.category for slot in frame.slots if slot.subject == subject}
    manner = _choose_manner(frame, subject)
    places = [place for place in _find_places(frame) if place.in_form or manner]
    woven: dict[_Place, Clause] = {}
    for place in rng.sample(places, min(len(places), rng.randint(1, MOST))):
        bank = _sort_phrases()["field" if place.in_form else manner or "field"]
        if offered := sorted(bank.keys() - shunned):
            category = rng.choice(offered)
            shunned |= {category}
            pieces = _address(rng.choice(bank[category]), frame, subject)
            woven[place] = Clause((*pieces, "\n" if place.in_form else " "), optional=False)
    return replace(frame, clauses=tuple(_cut(frame.clauses, woven))) if woven else frame


def _list_related(needed: Collection[Category]) -> frozenset[Category]:
    """The categories that some scenario would take together with a needed one."""
    scenarios = [each for each in load_scenarios().values() if not set(needed).isdisjoint(each.needs)]
    return frozenset(chain.from_iterable((*each.needs, *each.blocking) for each in scenarios))


@cache
def _sort_phrases() -> Mapping[Manner, Mapping[Category, Sequence[tuple[Piece, ...]]]]:
    """The phrases by manner and category; a name is not woven in, as the frame has one."""
    found: defaultdict[Manner, defaultdict[Category, list[tuple[Piece, ...]]]]
    found = defaultdict(lambda: defaultdict(list))
    for category, phrases in load_phrases().items():
        for phrase in phrases if TYPE_OF[category] is not PIIType.PER else ():
            for manner in _list_manners(phrase):
                found[manner][category].append(phrase.clause.pieces)
    return found


def _list_manners(phrase: Phrase) -> Iterator[Manner]:
    pieces = phrase.clause.pieces
    if phrase.voice == "first" and not show(pieces, _VALUE)[0].islower():
        yield "first"
    elif phrase.voice == "neutral" and _FIELD.fullmatch(show(pieces, _VALUE)):
        yield "field"
    elif phrase.voice == "third" and _has_pronoun(pieces):
        yield "third"
        if isinstance(pieces[0], Agreement) and pieces[0].word == "He":
            yield "named"


def _choose_manner(frame: Frame, subject: str) -> Manner | None:
    """How a sentence about the subject has to speak, or None where that is not sure."""
    if len(frame.genders) > 1:
        return "named" if _find_name(frame, subject) and not tells_of_itself(frame) else None
    if any(_has_pronoun(clause.pieces) for clause in frame.clauses):
        return "third"
    text = _show_all(frame)
    own, others, second = (len(each.findall(text)) for each in (_OF_ONESELF, _OF_SOMEBODY, _TO_SOMEBODY))
    if tells_of_itself(frame):
        return "first" if not others and own > max(_CLAIMS, 2 * second) else None
    return "third" if frame.genders[subject] and others > 1 else None


def _show_all(frame: Frame) -> str:
    return show((piece for clause in frame.clauses for piece in clause.pieces), _VALUE)


def _has_pronoun(pieces: Sequence[Piece]) -> bool:
    return any(isinstance(piece, Agreement) and piece.subject for piece in pieces)


def _find_name(frame: Frame, subject: str) -> Slot | None:
    """A name by which the frame surely calls a subject."""
    names = (Category.FULL_NAME, Category.NICKNAME)
    called = [slot for slot in frame.required if slot.subject == subject and slot.category in names]
    return min((slot for slot in called if slot.form is None), key=lambda slot: slot.order, default=None)


def _address(pieces: tuple[Piece, ...], frame: Frame, subject: str) -> tuple[Piece, ...]:
    """The pieces about a subject of a frame; by name where there are several."""
    readdressed = tuple(
        piece if isinstance(piece, str) or piece.subject is None else replace(piece, subject=subject)
        for piece in pieces
    )
    name = _find_name(frame, subject) if len(frame.genders) > 1 else None
    return (name, *readdressed[1:]) if name else readdressed


def _find_places(frame: Frame) -> Iterator[_Place]:
    """Every place between sentences and, in a form about one person, between fields."""
    text = _show_all(frame)
    alone = len(frame.genders) == 1
    start = 0
    for number, clause in enumerate(frame.clauses):
        shown = show(clause.pieces, _NO_LETTER)
        if not clause.optional:
            for end in _SENTENCE_END.finditer(shown):
                if _is_in_prose(text, start + end.end()):
                    yield _Place(number, end.end(), in_form=False)
            for end in _LINE.finditer(shown) if alone else ():
                if _is_between_fields(text, start + end.end()):
                    yield _Place(number, end.end(), in_form=True)
        start += len(shown)


def _is_in_prose(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    closed = line.count('"') % 2 == 0 and line.count("“") == line.count("”")
    return closed and not line.endswith(_TITLES) and _PROSE.match(line) is not None


def _is_between_fields(text: str, at: int) -> bool:
    before = text[text.rfind("\n", 0, at - 1) + 1 : at - 1]
    after, *_ = text[at:].split("\n", 1)
    return bool(_FIELD.fullmatch(before) and _FIELD.fullmatch(after))


def _cut(clauses: Sequence[Clause], woven: Mapping[_Place, Clause]) -> Iterator[Clause]:
    """The clauses, cut where phrases go, with the phrases between them."""
    for number, clause in enumerate(clauses):
        pieces, start = clause.pieces, 0
        for place in sorted(each for each in woven if each.clause == number):
            before, pieces = _part(pieces, place.offset - start)
            yield Clause(before, clause.optional)
            yield woven[place]
            start = place.offset
        yield Clause(pieces, clause.optional)


def _part(pieces: tuple[Piece, ...], offset: int) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """The pieces before and from a character of their text on; only plain text is cut."""
    for index, piece in enumerate(pieces):
        length = len(show((piece,), _VALUE))
        if offset < length and isinstance(piece, str):
            return (*pieces[:index], piece[:offset]), (piece[offset:], *pieces[index + 1 :])
        if offset < length:
            return pieces[:index], pieces[index:]
        offset -= length
    return pieces, ()
