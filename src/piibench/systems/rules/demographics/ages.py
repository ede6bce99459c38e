"""Ages of persons. The span is the number alone ("34" of "34-year-old").

Each number is looked at once: first what stands behind it, then what stands before it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, STRONG, Candidate
from piibench.systems.rules.context import PERSONS, find_numbers, is_predicate, window
from piibench.systems.rules.lexicon import read_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.passage import Passage

_OLDEST = 118
_NOT_NAMES = read_words("numbered_word")

_OLD = re.compile(
    r"(?:[.,]5|½)? ?(?:(?:years?|yrs?|months?|weeks?|days?)(?: and a half)? (?:old|of age)\b|(?:yo|y/o|y o"
    r"|y\.o\.?|yr old)(?!\w))"
)
_OLD_IN_WORDS = re.compile(
    r"(?<![\w'])((?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?: (?:one|two|three|four|five"
    r"|six|seven|eight|nine))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four"
    r"|fif|six|seven|eigh|nine)teen)"
    r" (?:years?|months?|weeks?) (?:old|of age)\b"
)
_AGED = re.compile(
    r"(?<!\w)(?:aged?(?: of| is| was|d at)?|turn(?:ed|s|ing)?|ages?(?: \d{1,3} and)?)  ?(?:just |only "
    r"|about |nearly |almost |around )?$"
)
_NOT_AGED = re.compile(
    r" ?(?:[-–%$€£/]|\.\d|and (?:up|over|above|older|under|below)|or (?:older|over|above|under|younger)"
    r"|degrees|percent|times|pages?|years? (?:to|in|for|ago|later|after)|minutes|o'clock|cents|dollars"
    r"|pounds|hours?|to \d|plus\b|\+|[ap]\.?m\b|:\d)|\w"
)
_STATED = re.compile(
    r"(?:(?:^|[ .!?])(?:i'm|i am|im|he's|he is|she's|she is|they're|they are|who's|who is|i was|he was|she"
    r" was|we're both)"
    r"|(?<![\w'])(?P<subject>[\w']+)  ?(?:is|was|are|turns)) (?:now |only |just |already |almost |nearly "
    r"|about )?$"
)
_AFTER_STATED = re.compile(
    r"$|[,;!?)\n]|\.(?!\d)| (?:and|but|now|next|this|when|who|with|from|years(?! in| of)|so|while|or"
    r"|married|single|working|living|old"
    r"|male|female|turning|going)\b"
)
_NAMED = re.compile(r"(?<![\w'’.])([^\W\d_][\w'’-]+)(?:, | \(|,? age:? )$")
_AFTER_NAMED = re.compile(r"[,);]| \(|\.(?:\s|$)| [-–—] ")
_LETTER = re.compile(r" ?/? ?([MFmf])(?![\w/°'’])")
_LETTER_BEFORE = re.compile(r"(?<!\w)([MF]) ?/ ?$")
_SHORT_FORM_LEAD = re.compile(
    r"(?:[(\[]|\b(?:i|i'm|i'm a|i am a|i am|im|im a|my \w+|me|he|she|husband|wife"
    r"|partner|patient|pt|is a|is|he's|she's|name)[ ,:]) ?$"
)
_THING_BEFORE = re.compile(
    r"\b(?:it|this|that|which|house|building|car|computer|laptop|phone|tree|bike|boiler|roof|company"
    r"|business|bridge|church|school|system|machine|fridge|flat|apartment|account|mortgage|policy|dog|cat"
    r"|horse|carpet|software|contract)(?:'s| is| was| are)?"
    r"(?: only| just| about| over| nearly| almost)? (?:an? )?$"
)
_THING_BEHIND = re.compile(
    r" (?:[\w']+ )?(?:car|house|home|building|computer|laptop|phone|pc|wine|whisky|whiskey|scotch|tree"
    r"|trees|company|firm|business|tradition"
    r"|bridge|church|mortgage|debt|loan|software|system|boiler|roof|dog|cat|puppy|kitten|horse|pony|bike"
    r"|truck|van|ship|boat|oak|apartment"
    r"|flat|cottage|castle|temple|mosque|city|town|village|law|rule|dispute|secret|recipe|manuscript|book"
    r"|painting|grudge|policy|contract|machine|engine|fridge|tv|sofa|carpet|magazine|newspaper|startup"
    r"|institution|feud|cheese|rum|port|vehicle|device|printer|bottle)\b(?! \w+(?:er|or|ist|ic|man|woman"
    r"|ian)\b)"
)


def find_ages(passage: Passage) -> Iterator[Candidate]:
    """Propose ages, and the gender letter of short forms such as "29F"."""
    for number in find_numbers(passage):
        if 0 < int(number.of(passage.text)) <= _OLDEST:
            yield from _read(passage, number)
    if " old" in passage.folded or " of age" in passage.folded:
        for match in _OLD_IN_WORDS.finditer(passage.folded):
            if not _is_of_thing(passage, match.start(), match.end()):
                yield Candidate(Span(*match.span(1)), Category.AGE, STRONG, "age in words before 'years old'")


def _read(passage: Passage, number: Span) -> Iterator[Candidate]:
    folded, text = passage.folded, passage.text
    if old := _OLD.match(folded, number.end):
        if not _is_of_thing(passage, number.start, old.end()):
            yield Candidate(number, Category.AGE, STRONG, "age before 'years old'")
        return
    before = window(passage, number.start, 32)
    if _AGED.search(before) and not _NOT_AGED.match(text, number.end):
        yield Candidate(number, Category.AGE, STRONG, "age after 'aged' or 'turned'")
    elif _AFTER_STATED.match(text, number.end) and _is_stated(passage, number, before):
        yield Candidate(number, Category.AGE, STRONG, "age in the predicate of a person")
    elif _AFTER_NAMED.match(text, number.end) and _follows_name(text, number.start):
        yield Candidate(number, Category.AGE, LIKELY, "number behind a name")
    else:
        yield from _read_short_form(passage, number)


def _is_of_thing(passage: Passage, start: int, end: int) -> bool:
    before = window(passage, start, 32)
    return bool(_THING_BEHIND.match(passage.folded, end) or _THING_BEFORE.search(before))


def _is_stated(passage: Passage, number: Span, before: str) -> bool:
    match = _STATED.search(before)
    if not match:
        return False
    if match["subject"] is None or match["subject"] in PERSONS:
        return True
    place = number.start - len(before) + match.start("subject")
    lead = passage.folded[max(0, place - 4) : place]
    named = match["subject"] not in _NOT_NAMES and not lead.endswith(("the ", "my ", "of "))
    return named and is_predicate(passage, number.start)


def _follows_name(text: str, start: int) -> bool:
    named = _NAMED.search(text[max(0, start - 32) : start])
    if not named:
        return False
    word = named[1].lower()
    return word in PERSONS or (named[1][0].isupper() and word not in _NOT_NAMES)


def _read_short_form(passage: Passage, number: Span) -> Iterator[Candidate]:
    """Read forms such as "I (29F)", "my husband, 34M", "F/29", "(34, nurse)"."""
    text = passage.text
    before = text[max(0, number.start - 24) : number.start]
    if letter := _LETTER.match(text, number.end):
        lead = before
    elif letter := _LETTER_BEFORE.search(text, max(0, number.start - 4), number.start):
        lead = text[max(0, letter.start() - 24) : letter.start()]
    else:
        if before.endswith("(") and text.startswith(", ", number.end):
            yield Candidate(number, Category.AGE, LIKELY, "age that opens a bracket")
        return
    if "/" in letter[0] or _SHORT_FORM_LEAD.search(lead.lower()):
        yield Candidate(number, Category.AGE, STRONG, "age beside a gender letter")
        yield Candidate(Span(*letter.span(1)), Category.GENDER, STRONG, "gender letter beside an age")
