"""What stands around a place in a passage, and whether it makes a word somebody's attribute."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.systems.rules.lexicon import read_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from piibench.systems.rules.lexicon import Hit
    from piibench.systems.rules.passage import Passage

_WINDOW = 72

PERSONS = read_words("person_noun")
THINGS = read_words("thing_noun")
CLAUSE_WORDS = read_words("clause_word")

_PRONOUNS = frozenset({"i", "he", "she", "they", "we", "you", "who", "and", "but", "both", "parents"})
_IMPERSONAL = frozenset(
    {"it", "this", "that", "there", "here", "what", "which", "where", "one", "these", "those"}
)
QUALIFIERS = (
    r"(?: (?!(?:of|to|with|the|a|an|my|his|her|our|their|your|this|these|those|any|some|who|that|and|for"
    r"|from|by|in|at|on|not|no|it|is|when|where|what|here|there)\b)[\w'&%]+(?:\.[\w%]+)*){0,5}"
)
"""Up to five words that may describe a noun, as a pattern over folded text."""

_PREDICATE = re.compile(
    r"(?:(?:^| )(?:i'm|im|he's|she's|they're|we're|you're|who's|i am)"
    r"|(?<![\w'.)])(?P<subject>[\w'.)]+)(?P<comma> )?"
    r" (?:is|was|are|were|am|became|becomes|been|remains|came out))"
    r"(?: (?:also|now|currently|still|both|a|an|the|our|their|just|really|originally|half|very"
    r"|openly|as)){0,2}"
    rf"{QUALIFIERS}(?: and(?: an?)?{QUALIFIERS})? $"
)
_VERBS = (
    "'s ", "'m ", "'re ", "im ", " is ", " was ", " are ", " were ", " am ", " became ", " becomes ",
    " been ", " remains ", " came out ",
)  # fmt: skip
"""The verbs of a predicate: a cheap test before the pattern is tried."""
_ATTRIBUTE = re.compile(
    r" (?:identif(?:y|ies|ied|ying) as|self identif\w+ as|raised|born|as|devout|practi[sc]ing|lapsed"
    r"|observant|strict|staunch|lifelong|proud|openly|ethnically|ethnic|converted to|faith is|religion is"
    r"|nationality is|citizenship is|orientation is|ethnicity is|race is|gender is|sex is|registered(?: as)?"
    r"|non practi[sc]ing|secular|committed|moderate|came out as|lean(?:s|ing)?|votes?|voted|voting|of|half"
    r"|follows?|practi[sc]es|believes? in|belongs? to|belief is|beliefs are)"
    r"(?: (?:an?|in an?|in the|the|for|mixed))? $"
)
_NOT_PERSONAL = re.compile(
    r" (?:made|bit|kind|type|sort|lot|style|love|taste|lack|best|rest|most|part) of(?: \w+)? $"
)
_WORD_BEHIND = re.compile(r" ?([^\W_][\w'&]*)")
_NUMBER = re.compile(r"[0-9](?<![\w.,$€£¥#].)[0-9]{0,2}(?![0-9])")
_NEGATED = re.compile(
    r"(?:^| )(?:no|not|never|denie[sd]|deny|denying|without|rule[sd]? out|free of|negative for|isn't|wasn't"
    r"|aren't|neither|nor|don't|doesn't|didn't|any|do you have|did you have|have you had|have you ever had"
    r"|if you have|whether)(?: (?!but\b)[\w']+){0,3} $"
)


def window(passage: Passage, start: int, width: int = _WINDOW) -> str:
    """The folded text before `start`, with a space in front so that a pattern may ask for one."""
    return (" " if start <= width else "") + passage.folded[max(0, start - width) : start]


def word_behind(passage: Passage, end: int) -> str:
    """The folded word that follows directly, or "" where punctuation or the end does."""
    if end < len(passage.text) and passage.text[end] in ',;:(\n"':
        return ""
    match = _WORD_BEHIND.match(passage.folded, end)
    return match[1] if match else ""


def ends_clause(passage: Passage, end: int) -> bool:
    """Whether nothing that continues the phrase follows: punctuation, the end, or a clause word."""
    word = word_behind(passage, end)
    return not word or word in CLAUSE_WORDS


def is_predicate(passage: Passage, start: int) -> bool:
    """Whether a clause such as "I'm a", "my mother was", "Ana is a retired" leads up to `start`."""
    before = window(passage, start)
    match = _PREDICATE.search(before) if any(verb in before for verb in _VERBS) else None
    if not match:
        return False
    subject = match["subject"]
    if subject in _IMPERSONAL:
        return False
    if (
        subject is None
        or match["comma"]
        or subject in _PRONOUNS
        or subject.rstrip("s").rstrip("'") in PERSONS
    ):
        return True
    place = start - len(before) + match.start("subject")
    return subject.endswith(")") or subject.isdecimal() or passage.text[max(place, 0)].isupper()


def is_attributed(passage: Passage, start: int) -> bool:
    """Whether a word such as "devout", "raised", "identifies as", "of mixed" leads up to `start`."""
    before = window(passage, start, 40)
    return bool(_ATTRIBUTE.search(before)) and not _NOT_PERSONAL.search(before)


def is_negated(passage: Passage, start: int) -> bool:
    """Whether "no", "denies", "never had" and the like take back what stands at `start`."""
    return bool(_NEGATED.search(window(passage, start, 40).rpartition(".")[2]))


def starts_sentence(passage: Passage, start: int) -> bool:
    """Whether `start` opens the text, a line or a sentence."""
    before = passage.text[max(0, start - 4) : start].rstrip(" \t\"'*-•")
    return not before or before[-1] in ".!?\n:"


def find_numbers(passage: Passage) -> Sequence[Span]:
    """Numbers of one to three digits that no letter, digit, point or currency sign precedes."""
    return passage.view(_read_numbers)


def _read_numbers(passage: Passage) -> list[Span]:
    return [Span(*match.span()) for match in passage.match_numbers(_NUMBER)]


def drop_nested(hits: Iterable[Hit]) -> Iterator[Hit]:
    """Yield the hits that do not start inside an earlier one."""
    end = 0
    for hit in hits:
        if hit.start >= end:
            yield hit
            end = hit.end
