"""Names told by a word before them: a title, an introduction, a relative."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, STRONG, Candidate
from piibench.systems.rules.lexicon import read_words
from piibench.systems.rules.names import small as name_small
from piibench.systems.rules.names.clues import NO, Clues, is_known, take_name
from piibench.systems.rules.names.runs import ACTS, name_candidate
from piibench.systems.rules.names.words import PARTICLES, Run, Word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.lexicon import Hit

_AFTER_CUE = re.compile(r"[ \u00a0]?[,:]?[ \u00a0]{0,2}[\"“'‘*_]{0,2}")
_PARTICLES_THERE = re.compile(r"(?:[a-z']{1,4} ){1,3}")
_APPOSED = re.compile(r", ([^\W\d_A-Z][^\W\d_]{2,14})(?=,)")
_POSSESSORS = frozenset({"my", "his", "her", "our", "their", "your", "'s", "s"})
_SAID_OF_THINGS = frozenset(
    {
        "called",
        "named",
        "known as",
        "also known as",
        "better known as",
        "names are",
        "alias",
        "name is",
        "name was",
        "namens",
        "genannt",
        "appelé",
        "appelée",
        "prepared by",
        "written by",
        "submitted by",
        "introduce",
    }
)
_ACRONYM = 4
_ORDINARY_TITLES = read_words("ordinary_title")


def find_cued_names(clues: Clues) -> Iterator[Candidate]:
    """Propose the names that a title, an introduction or a relative announces."""
    yield from _after_titles(clues)
    yield from _after_introductions(clues)
    yield from _after_relatives(clues)


def _after_titles(clues: Clues) -> Iterator[Candidate]:
    text = clues.passage.text
    for hit in clues.passage.of("titles"):
        start = hit.end + (text[hit.end : hit.end + 1] == ".")
        blanks = 1 if text[start : start + 1] in {" ", "\u00a0"} else 0
        if not (text[hit.start].isupper() or start > hit.end) or not (blanks or start > hit.end):
            continue
        words = take_name(clues, start + blanks, titled=True)
        title = clues.passage.folded[hit.start : hit.end]
        if not words or (title in _ORDINARY_TITLES and not is_known(clues, words)):
            yield from _after_particles(clues, start + blanks)
        elif len(words) == 1 and (clues.first(words[0]) == NO or clues.last(words[0])):
            yield Candidate(
                Span(words[0].start, words[0].end), Category.FULL_NAME, STRONG, "family name after a title"
            )
        else:
            yield name_candidate(words, STRONG, "name after a title")


def _after_particles(clues: Clues, start: int) -> Iterator[Candidate]:
    """Yield the family name of "Prof. van der Berg"."""
    match = _PARTICLES_THERE.match(clues.passage.text, start)
    words = take_name(clues, match.end()) if match and PARTICLES.issuperset(match.group().split()) else ()
    if words:
        yield Candidate(Span(start, words[-1].end), Category.FULL_NAME, STRONG, "family name after a title")


def _after_introductions(clues: Clues) -> Iterator[Candidate]:
    passage = clues.passage
    for table in ("name_cue_intro", "name_cue_named"):
        for hit in passage.of(table):
            match = _AFTER_CUE.match(passage.text, hit.end)
            start = match.end() if match else hit.end
            if start == hit.end:
                continue
            own = "name" in (cue := passage.folded[hit.start : hit.end]) or "call" in cue
            claims = own if table == "name_cue_intro" else cue not in _SAID_OF_THINGS
            claims = claims or _is_about_person(clues, hit.start)
            words = take_name(clues, start)
            if words and not (
                claims or _is_introduced(clues, words, known=cue in _SAID_OF_THINGS or cue == "it's")
            ):
                words = ()
            elif not words and table == "name_cue_intro":
                words = name_small.introduced(clues, start, sure=own)
            if words:
                yield name_candidate(words, STRONG, "name after an introduction")


def _is_about_person(clues: Clues, start: int) -> bool:
    """Whether a relative or another person stands right before "named" or "called"."""
    return any(end in clues.relatives for end in range(start - 3, start))


def _is_introduced(clues: Clues, words: Run, *, known: bool) -> bool:
    """Whether what follows "I'm" or "this is" is a name, not a nationality, a place or a thing.

    Args:
        clues: The passage.
        words: What follows.
        known: Whether only listed names will do, as after "called".
    """
    acronym = (
        words[0].text.isupper() and 1 < len(words[0].text) <= _ACRONYM and not words[-1].text[1:].isupper()
    )
    if clues.is_described(words[0]) or acronym or (len(words) == 1 and words[0].text.isupper()):
        return False
    if known or is_known(clues, words):
        return is_known(clues, words)
    follows = clues.passage.text[words[-1].end : words[-1].end + 2]
    return not follows or follows[0] in ",.!\n" or follows == " f" or len(words) > 1


def _after_relatives(clues: Clues) -> Iterator[Candidate]:
    """Yield "Bob" of "my friend Bob" or "Bob's friend", "kim" of "my son, kim,", "Rosa" of "Aunt Rosa"."""
    text = clues.passage.text
    for hit in clues.passage.of("kinship"):
        owner = clues.ending_at.get(hit.start - len("'s "))
        if owner and clues.passage.folded.startswith("'s ", owner.end) and not clues.is_break(owner):
            yield name_candidate((owner,), STRONG, "name of somebody who has a relative")
        if text[hit.end : hit.end + 1] not in {" ", ","}:
            continue
        start = hit.end + (2 if text[hit.end] == "," else 1)
        possessed = _is_possessed(clues.passage.folded, hit.start)
        words = take_name(clues, start)
        if words:
            yield from _beside_relative(clues, hit, words, possessed=possessed)
        elif possessed and (apposed := _APPOSED.match(text, hit.end)):
            word = Word(*apposed.span(1), apposed.group(1))
            if not name_small.is_plain(clues, word):
                yield name_candidate((word,), STRONG, "name beside a relative")
        elif possessed and text[hit.end] == " " and (words := name_small.listed(clues, start)):
            yield name_candidate(words, LIKELY, "listed name in small letters after a relative")


def _beside_relative(clues: Clues, hit: Hit, words: Run, *, possessed: bool) -> Iterator[Candidate]:
    text = clues.passage.text
    direct = text[hit.end] == " "
    family = len(words) == 1 and not clues.first(words[0]) and clues.last(words[0])
    known = clues.first(words[0]) or (len(words) > 1 and is_known(clues, words))
    if family and direct and text[hit.start].isupper():
        span = Span(words[0].start, words[0].end)
        yield Candidate(span, Category.FULL_NAME, STRONG, "family name after a relative")
    elif (known and (possessed or direct)) or (possessed and _closes(text, words[-1].end)):
        yield name_candidate(words, STRONG, "name after a relative")


def _is_possessed(folded: str, start: int) -> bool:
    before = folded[max(0, start - 14) : start].replace("'", " '").split()
    return bool(before) and not _POSSESSORS.isdisjoint(before[-2:])


def _closes(text: str, end: int) -> bool:
    return text[end : end + 1] in {",", ".", ")", "'", "’", ";", "!", "?", ""} or bool(ACTS.match(text, end))
