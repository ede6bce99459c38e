"""Names told by the make-up of a run of capitalised words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, WEAK, Candidate
from piibench.systems.rules.lexicon import read_words
from piibench.systems.rules.names.clues import MAYBE, NO, YES, Clues
from piibench.systems.rules.names.words import LONGEST_RUN, Run, is_initial, is_pinyin, starts_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

ACTS = re.compile(
    r"[\"”)]?,? (?:who |also |then |just |has |had |is |was |and I |and i )?(?:is|was|has|had|said|says"
    r"|told|tells|asked|"
    r"asks|lives?|lived|works?|worked|wants?|wanted|moved|called|calls|texted|wrote|writes|sent|thinks"
    r"|thought|"
    r"went|goes|came|comes|got|gets|turned|turns|loves?|loved|likes?|earns?|makes|born|married|suffers?"
    r"|plays|"
    r"runs|started|graduated|studies|studied|teaches|taught|replied|joined|met|needs?|needed|visited|visits|"
    r"can|will|would|could|should|does|did|doesn't|didn't|can't|won't|isn't|wasn't)\b"
)
"""What people do: after a word it speaks for a person."""

_SPEAKS = re.compile(
    r",? (?:said|says|told|asked|texted|called|lives|lived|works|worked|moved|wants|wrote|thinks|married"
    r"|earns|loves|"
    r"studies|teaches|replied|graduated|joined|visits|and I)\b"
)
"""What only people do: it tells Mark from a mark even where a sentence starts."""

_WITH = re.compile(
    r"(?:with|and|met|meet|see|saw|ask|asked|tell|told|love|miss|married|call|called|helped|thanks|thank|"
    r"by|for|from|to|invited|about|like|&|,)[ ]$",
    re.IGNORECASE,
)
_SHORT_NAMES = frozenset(
    {"An", "Do", "So", "In", "Le", "My", "To", "Ho", "Man", "He", "She", "You", "La", "Di", "Ha"}
)
_CALENDAR = read_words("calendar_word")
_PAIR = 2
_QUOTED = re.compile(r" [\"“'‘(]([^\W\d_][\w'’-]{1,14})[\"”'’)] ")


def find_plain_names(clues: Clues) -> Iterator[Candidate]:
    """Propose names from every run of the passage, without cue words."""
    for run in clues.runs:
        for segment in split_run(clues, run):
            score = judge(clues, segment)
            if score:
                yield name_candidate(segment, score, "name tables and capitals")
    yield from _find_quoted(clues)


def name_candidate(words: Run, score: float, rule: str) -> Candidate:
    """Make a candidate of the words of a name: two or more are a Full Name, one is a Nickname."""
    span = Span(words[0].start, words[-1].end)
    category = Category.FULL_NAME if len(words) > 1 else Category.NICKNAME
    return Candidate(span, category, score, rule)


def split_run(clues: Clues, run: Run) -> Iterator[Run]:
    """Cut a run at words that are never in a name; drop what stands before the head of an organisation."""
    segment: list[int] = []
    for index, word in enumerate(run):
        if clues.is_head(word) and not _is_family_name(clues, run, index, segment):
            segment = []
        elif clues.is_break(word) and not _is_named_like_break(clues, run, index):
            if segment:
                yield trim(clues, tuple(run[i] for i in segment))
            segment = []
        else:
            segment.append(index)
    if segment:
        yield trim(clues, tuple(run[i] for i in segment))


def _is_family_name(clues: Clues, run: Run, index: int, segment: list[int]) -> bool:
    """Whether a head such as "Park" or "Hill" is the family name of exactly one first name before it."""
    if len(segment) != 1 or index != len(run) - 1 or not clues.last(run[index]):
        return False
    before = run[index - 1]
    return clues.first(before) == YES and not clues.is_place(before)


def _is_named_like_break(clues: Clues, run: Run, index: int) -> bool:
    """Whether a break word is listed as a name and its neighbour in the run surely is one."""
    word = run[index]
    if is_initial(word):
        return True
    if word.text in _SHORT_NAMES:
        return (index > 1 and is_initial(run[index - 1])) or any(
            clues.first(other) == YES or clues.last(other) == YES for other in run[:index]
        )
    if not (clues.first(word) or clues.last(word)) or word.text.isupper():
        return False
    after = index + 1 < len(run) and clues.last(run[index + 1]) == YES and clues.first(word)
    before = index > 0 and clues.first(run[index - 1]) == YES and clues.last(word)
    return bool(after or before)


def trim(clues: Clues, words: Run) -> Run:
    """Drop unlisted words before a sure first name ("Engineer Maria Lopez") and initials at the end."""
    while len(words) > 1 and is_initial(words[-1]) and clues.first(words[0]) != YES:
        words = words[:-1]
    for index, word in enumerate(words[:-1]):
        if clues.first(word) or clues.last(word) or is_initial(word):
            family = len(words) - index == _PAIR and is_pinyin(word.text, words[-1].text) and clues.last(word)
            return words[index:] if index and (clues.first(word) == YES or family) else words
    return words


def judge(clues: Clues, words: Run) -> float:
    """Score the words of a run as a name: LIKELY, WEAK or 0."""
    if len(words) == 1:
        return _judge_single(clues, words)
    if len(words) >= LONGEST_RUN or all(is_initial(word) for word in words):
        return 0
    if clues.first(words[0]) == YES:
        surname = clues.last(words[-1]) or clues.first(words[-1])
        sure = surname or not (clues.in_heading(words[0].start) or clues.is_place(words[0]))
        return LIKELY if sure and not _is_listed(clues, words) else WEAK
    if _is_formed_as_name(clues, words):
        return LIKELY
    if is_initial(words[0]):
        return LIKELY if clues.last(words[-1]) or is_initial(words[1]) else WEAK
    return 0 if clues.in_heading(words[0].start) else _judge_by_place(clues, words)


def _is_formed_as_name(clues: Clues, words: Run) -> bool:
    """Whether the words have the form of a name: "Will Smith", "Khoa T. Le", "Sun Yuwei", "Kim Min-ji"."""
    first, last = words[0], words[-1]
    if clues.last(last) == YES and (
        clues.first(first) or (clues.first(last) == YES and clues.last(first) == YES)
    ):
        return True
    if len(words) == _PAIR:
        return bool(clues.last(first)) and is_pinyin(first.text, last.text)
    return (
        len(words) == _PAIR + 1 and is_initial(words[1]) and len(first.text) > 1 and not first.text.isupper()
    )


def _is_listed(clues: Clues, words: Run) -> bool:
    """Whether the words are a place or a term of another recognizer as a whole ("San Jose")."""
    return clues.is_place(words[0]) and clues.is_place(words[-1])


def _judge_by_place(clues: Clues, words: Run) -> float:
    """Score words of which the tables know only a part, by where they stand."""
    text, end = clues.passage.text, words[-1].end
    inside = not starts_sentence(text, words[0].start)
    acts = bool(ACTS.match(text, end))
    eastern = clues.last(words[0]) == YES and not clues.is_place(words[0])
    if clues.last(words[-1]) == YES or eastern:
        return LIKELY if inside or acts else WEAK
    if clues.first(words[0]) == MAYBE:
        return LIKELY if acts else WEAK * inside
    return 0


def _judge_single(clues: Clues, words: Run) -> float:
    word = words[0]
    support = clues.first(word)
    text = clues.passage.text
    if support == NO or len(word.text) == 1 or clues.in_heading(word.start):
        return 0
    acts = bool(ACTS.match(text, word.end))
    if support == YES:
        if clues.is_place(word) or clues.is_described(word):
            return WEAK
        return LIKELY if acts or not word.text.isupper() else WEAK
    if starts_sentence(text, word.start):
        return LIKELY if _SPEAKS.match(text, word.end) else 0
    if word.text.lower() in _CALENDAR or clues.is_place(word) or clues.is_described(word):
        return 0
    return LIKELY if acts or _WITH.search(text, max(0, word.start - 9), word.start) else 0


def _find_quoted(clues: Clues) -> Iterator[Candidate]:
    """Yield names with a nickname in quotes in the middle (Robert "Bobby" Hall)."""
    for match in _QUOTED.finditer(clues.passage.text):
        head = clues.ending_at.get(match.start())
        after = clues.place_in_run.get(match.end())
        if head and after and clues.first(head):
            tail = after[0][after[1]]
            if not clues.is_break(tail):
                yield name_candidate((head, tail), LIKELY, "nickname in quotes inside a name")
