"""Capitalised runs: "University of Leeds", "St. Mary's Hospital", "Smith & Sons Ltd".

A run is capitalised words joined by "of", "the", "and", "for", "&", "de" and the like. It is cut where a
joiner binds nothing ("Google and Stanford University" are two), loses what is capitalised only because it
opens a sentence, and ends behind its head word or the head's tail ("Ministry of Health").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import STRONG
from piibench.systems.rules.context import CLAUSE_WORDS
from piibench.systems.rules.lexicon import read_words
from piibench.systems.rules.organisations.heads import JOINERS, binds, find_head, is_suffix

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from piibench.systems.rules.passage import Passage

_OPENERS = read_words("sentence_opener")
_LAST_OF_EUROPE = 0x530
"""Behind the last Cyrillic letter: the scripts with capitals in common use end here."""
_CAPITAL = f"[{''.join(char for char in map(chr, range(_LAST_OF_EUROPE)) if char.isupper())}]"
_CAPITALISED = rf"{_CAPITAL}[\w'’&+-]*"
_FIRST = (
    rf"{_CAPITAL}(?<![\w@.#/-].)"
    r"(?:\.(?<=[A-Z]\.)(?:[A-Z]\.){0,3}[A-Z]?|[tto]\.(?<=(?:St|Mt|Ft|No)\.)(?= [A-Z\d])|[\w'’&+-]*)"
)
"""The first word of a run. Its capital leads, so that the search leaps from capital to capital."""
_SHORTENED = r"(?:[A-Z]\.){1,4}[A-Z]?|(?:St|Mt|Ft|No)\.(?= [A-Z\d])"
_RUN = re.compile(
    rf"{_FIRST}"
    r"(?:(?: (?:of|for|and|de|du|des|del|da|do|di|für|und|van|der|la|le|&)(?: (?:the|la|le|las|los))?)?"
    rf",? (?:{_SHORTENED}|{_CAPITALISED}|\d{{1,4}}(?= [A-Z]))){{0,15}}"
)
_WORD = re.compile(r"[^\s,]+")
_LOWER_BEHIND = re.compile(r" ([a-z][\w'’-]*)")


class Run(NamedTuple):
    """A capitalised run.

    Attributes:
        span: The name in the run.
        category: What its head word or legal form makes of it; None where it has neither.
        score: How surely the head word makes a name; 0 without one.
    """

    span: Span
    category: Category | None
    score: float


class _Token(NamedTuple):
    """A word of a run: its place, its folded and its given form, whether a comma follows."""

    start: int
    end: int
    word: str
    raw: str
    comma: bool


def find_runs(passage: Passage) -> Iterator[Run]:
    """Yield the capitalised runs of a text, cut to names. Linear."""
    for match in _RUN.finditer(passage.text):
        # Most runs are the first word of a sentence; they need no reading.
        word = passage.folded[match.start() : match.end()]
        if word in _OPENERS:
            continue
        if " " not in word and "," not in word:
            if word not in JOINERS:
                yield _read_word(passage, match, word)
            continue
        for part in _split(_tokenize(passage, match)):
            yield (
                _read_suffix(passage.text, part)
                or _read_head(passage.text, part)
                or _read_plain(passage.text, part)
            )


def _read_word(passage: Passage, match: re.Match[str], word: str) -> Run:
    """A run of one word: no head word makes a name alone."""
    return _read_plain(passage.text, [_Token(*match.span(), word, match.group(), comma=False)])


def _tokenize(passage: Passage, match: re.Match[str]) -> list[_Token]:
    text, folded = passage.text, passage.folded
    return [
        _Token(start, end, folded[start:end].strip(), text[start:end], text.startswith(",", end))
        for start, end in (word.span() for word in _WORD.finditer(text, *match.span()))
    ]


def _split(tokens: Sequence[_Token]) -> Iterator[list[_Token]]:
    """Cut where a joiner or comma binds nothing; no part starts or ends with a joiner."""
    part: list[_Token] = []
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        opens = not part and (token.word in _OPENERS or token.word in JOINERS)
        bound = token.word not in JOINERS or binds(
            [known.word for known in part] or [""], token.word, following.word if following else ""
        )
        if bound and not opens:
            part.append(token)
        ends = token.comma and not (following and is_suffix(following.raw))
        if part and (ends or not bound):
            yield _strip_joiners(part)
            part = []
    if part:
        yield _strip_joiners(part)


def _strip_joiners(part: list[_Token]) -> list[_Token]:
    while part[-1].word in JOINERS:
        part.pop()
    return part


def _read_suffix(text: str, part: Sequence[_Token]) -> Run | None:
    """A name up to its last legal form, with the form's full stop unless that ends the sentence."""
    for index in range(len(part) - 1, 0, -1):
        if is_suffix(part[index].raw):
            end = part[index].end
            stop = text.startswith(".", end) and text[end + 1 : end + 3].lstrip()[:1].islower()
            return Run(Span(part[0].start, end + stop), Category.COMPANY_NAME, STRONG)
    return None


def _read_head(text: str, part: Sequence[_Token]) -> Run | None:
    words = [token.word for token in part]
    words[-1] = words[-1].removesuffix("'s")
    head = find_head(words)
    if head is None:
        return None
    last = part[head.end - 1]
    label = head.score < STRONG and text.startswith(":", last.end)
    return None if label else Run(Span(part[0].start, _trim(text, last)), head.category, head.score)


def _read_plain(text: str, part: Sequence[_Token]) -> Run:
    """A run without a head: up to the first possessive, "of" or "for"."""
    end = part[0].end
    for token in part:
        if token.word in {"of", "for"}:
            break
        end = _trim(text, token)
        if token.word.endswith("'s"):
            break
    return Run(Span(part[0].start, end), None, 0.0)


def _trim(text: str, token: _Token) -> int:
    """The token's end, without a possessive that belongs to the noun behind it ("Google's office")."""
    if token.word.endswith("'s"):
        behind = _LOWER_BEHIND.match(text, token.end)
        if behind and behind[1] not in CLAUSE_WORDS:
            return token.end - 2
    return token.end
