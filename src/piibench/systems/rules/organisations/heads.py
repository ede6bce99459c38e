"""Head words and legal forms: what makes a row of words an organisation's name, and of which kind.

Words are given folded, one by one; positions are indexes of words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, STRONG
from piibench.systems.rules.lexicon import read_words

if TYPE_CHECKING:
    from collections.abc import Sequence

_LISTS = {
    "company": Category.COMPANY_NAME,
    "educational": Category.EDUCATIONAL_INSTITUTION,
    "ngo": Category.NGO,
    "agency": Category.GOVERNMENT_AGENCY,
    "healthcare": Category.HEALTHCARE_FACILITY,
}
_HEADS = {word: category for stem, category in _LISTS.items() for word in read_words(f"{stem}_head")}
_FIRST_WORDS = {
    word: _LISTS[stem] for word, _, stem in (entry.rpartition(" ") for entry in read_words("foreign_head"))
}
_WEAK = read_words("weak_head")
_GENERIC = read_words("generic_word")
_SUFFIXES = read_words("company_suffix")
_PARTNERS = frozenset({"sons", "co", "partners", "associates", "company", "daughters", "brothers", "son"})
_TAILED = frozenset({"of", "for"})
_LONGEST_HEAD = 3
_SHORT = 2

JOINERS = frozenset(
    {"of", "for", "and", "the", "&", "und", "für", "la", "le", "las", "los", "van", "der", "de", "du", "des"}
    | {"del", "da", "do", "di"}
)
"""Words in lower case that join capitalised words to one name."""


class Head(NamedTuple):
    """A head word found in a name.

    Attributes:
        end: Index behind the last word that belongs to the name.
        category: The kind of organisation.
        score: How surely it makes a name.
    """

    end: int
    category: Category
    score: float


def is_suffix(word: str) -> bool:
    """Whether a word, capitals kept, is a legal form ("Ltd", "GmbH", "Co.")."""
    short = len(word) <= _SHORT and not (word.isupper() or word in {"Co", "Oy"})
    return word.lower() in _SUFFIXES and not short


def binds(words: Sequence[str], joiner: str, following: str) -> bool:
    """Whether a joiner goes on with the name that `words` begin, or starts another."""
    if joiner in _TAILED:
        return _find_phrase(words, len(words)) is not None or words[-1] in _FIRST_WORDS
    if joiner == "and":
        return following in _PARTNERS or _names_public_duties(words)
    return joiner != "the" or words[-1] in JOINERS


def find_head(words: Sequence[str]) -> Head | None:
    """The head of a name: its first word, a head with a tail ("Ministry of …"), or the last head in it."""
    return _read_first_word(words) or _read_tailed(words) or _read_last(words)


def _find_phrase(words: Sequence[str], end: int) -> tuple[str, int] | None:
    """The longest head phrase that ends before index `end`, with the index of its first word."""
    for start in range(max(0, end - _LONGEST_HEAD), end):
        phrase = " ".join(words[start:end])
        if phrase in _HEADS:
            return phrase, start
    return None


def _names_public_duties(words: Sequence[str]) -> bool:
    """Whether "and" may go on in a name such as "Department of Health and …"."""
    head = _read_tailed(words)
    return head is not None and head.category in {Category.GOVERNMENT_AGENCY, Category.NGO}


def _read_first_word(words: Sequence[str]) -> Head | None:
    """Names in other tongues that start with their head: "Universidad de Chile", "Hôpital Necker"."""
    category = _FIRST_WORDS.get(words[0])
    if category is None or len(words) == 1 or words[1] in _TAILED or words[-1] in _HEADS:
        return None
    return Head(len(words), category, STRONG)


def _read_tailed(words: Sequence[str]) -> Head | None:
    for end in range(1, len(words)):
        if words[end] in _TAILED and (found := _find_phrase(words, end)):
            return Head(len(words), _HEADS[found[0]], _score(found[0]))
    return None


def _read_last(words: Sequence[str]) -> Head | None:
    for end in range(len(words), 0, -1):
        found = _find_phrase(words, end)
        if found and _tells_apart(words[: found[1]], found[0]):
            if end == len(words):
                return Head(end, _HEADS[found[0]], _score(found[0]))
            return None if found[0] in _WEAK else Head(end, _HEADS[found[0]], LIKELY)
    return None


def _tells_apart(words: Sequence[str], head: str) -> bool:
    """Whether the words before a head make it a name, not a kind ("General Hospital", "High School")."""
    own = [word for word in words if word not in JOINERS]
    if any(word not in _GENERIC for word in own):
        return True
    return len(own) > 1 and _HEADS[head] in {Category.NGO, Category.HEALTHCARE_FACILITY}


def _score(head: str) -> float:
    return LIKELY if head in _WEAK else STRONG
