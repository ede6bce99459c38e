"""Filling a frame: the chosen clauses become text, every slot a labelled place (section 3.2.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.schema import Labelled
from piibench.data.taxonomy import TYPE_OF
from piibench.synthesis.framing import Agreement, Reference, Slot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from piibench.generators.base import Background
    from piibench.synthesis.framing import Clause, Piece

_TRAILING_SPACE = re.compile(r" +(?=\n)")
_VOWEL_SOUND = re.compile(
    r"""[FHLMNRSX](?=[A-Z0-9.-])           # spelt out: an MBA, an M.Sc., an X-ray
    | [AEIO](?=[A-Z.])                     # an IT manager, an A.B.
    | (?!eu|ewe|one\b|once|uk\b|us\b|usa\b|uni(?!n|m)|use|usu|uta|uru|uti|uga|ukr|UK\b|US\b|USA\b)[aeiou]
    | hour|honest|honou?r|heir
    | 8 | 11(?!\d) | 18(?!\d)
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Filled:
    """A document, the places of its values, and of the words that mean somebody: whom."""

    text: str
    places: tuple[Labelled, ...]
    references: tuple[tuple[Span, str], ...]


def fill(
    clauses: Iterable[Clause],
    values: Mapping[Slot, str],
    people: Mapping[str, Background],
    *,
    smudge: Callable[[str], str] = str,
) -> Filled:
    """Put values into the clauses that are kept.

    Args:
        clauses: The kept clauses, in order.
        values: The text of every slot in them.
        people: The background of each subject, for the words that agree with it.
        smudge: Changes a piece of plain text or a word that means somebody, as careless writers do; values
            and agreeing words stay.
    """
    parts: list[str] = []
    places: list[Labelled] = []
    references: list[tuple[Span, str]] = []
    length = 0
    for piece, spelt in _spell(clauses, values, people):
        if isinstance(piece, Slot):
            span = Span(length, length + len(spelt))
            places.append(Labelled(span, TYPE_OF[piece.category], piece.category, piece.subject))
            text = spelt
        else:
            text = _join(parts, spelt) if isinstance(piece, str) else spelt
            text = text if isinstance(piece, Agreement) else smudge(text)
            if text.startswith("\n") and parts and (not places or places[-1].span.end < length):
                length -= len(parts[-1]) - len(parts[-1].rstrip(" "))
                parts[-1] = parts[-1].rstrip(" ")
            if isinstance(piece, Agreement | Reference) and piece.subject:
                references.append((Span(length, length + len(text)), piece.subject))
        parts.append(text)
        length += len(text)
    return Filled("".join(parts), tuple(places), tuple(references))


def _join(parts: Sequence[str], piece: str) -> str:
    """Cut what nobody writes: a second full stop, space at line ends, a dropped clause's empty lines."""
    piece = _TRAILING_SPACE.sub("", piece)
    before = "".join(parts[-3:])
    if before.endswith(".") and piece.startswith(".") and not piece.startswith(".."):
        return piece[1:]
    if not before or before.endswith("\n\n"):
        return piece.lstrip("\n")
    return piece[1:] if before.endswith("\n") and piece.startswith("\n\n") else piece


def _spell(
    clauses: Iterable[Clause], values: Mapping[Slot, str], people: Mapping[str, Background]
) -> Iterator[tuple[Piece, str]]:
    pieces = [piece for clause in clauses for piece in clause.pieces]
    spelt = [_spell_piece(piece, values, people) for piece in pieces]
    for index, piece in enumerate(pieces):
        if isinstance(piece, Agreement) and piece.subject is None:
            yield piece, _article("".join(spelt[index + 1 : index + 4]), capital=piece.word == "An")
        else:
            yield piece, spelt[index]


def _spell_piece(piece: Piece, values: Mapping[Slot, str], people: Mapping[str, Background]) -> str:
    if isinstance(piece, Slot):
        return values[piece]
    if isinstance(piece, Agreement):
        return _pronoun(piece.word, people[piece.subject]) if piece.subject else ""
    return piece.word if isinstance(piece, Reference) else piece


def _pronoun(word: str, person: Background) -> str:
    spelt: str = getattr(person.pronouns, word.lower())
    return spelt.capitalize() if word[0].isupper() else spelt


def _article(following: str, *, capital: bool) -> str:
    """Choose by the sound of the next word: "an" before a vowel's, "a" before any other."""
    word = following.lstrip()
    first = word[:1].lower() + word[1:] if not (word[1:2].isupper() or word[1:2] == ".") else word
    spelt_out = _VOWEL_SOUND.match(word) if word[1:2] == "-" else None
    article = "an" if spelt_out or _VOWEL_SOUND.match(first) else "a"
    return article.capitalize() if capital else article
