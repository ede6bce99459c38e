"""Placeholders: how they are written, and which strings of a text are one, also after some drift.

Two styles write them: `tag` writes `<Phone Number>`, `numbered` writes `<Phone Number 2>`. (The third style,
`pseudonym`, writes stand-ins, and numbered placeholders where it has none.) The names are the 55 categories
and, where only the type is known, the 7 types. A number has at most four digits, so that a long
number cannot hide in a look-alike.

A model that answers may change a placeholder's case, brackets, spacing, underscores or hyphens. One pattern,
made from the taxonomy, knows all forms that are tolerated:

- bracketed: `<…>`, `&lt;…&gt;`, `[…]`, `{…}`, and `(…)` only with a number, since "(age)" is prose;
- bare ("Phone Number 2", "phone_number_2"): only with a number and as whole words. A name of one word must be
  spelt as it is printed ("Age 1") or be joined to its number by "_" or "-" ("AGE_1"): "at age 1" is prose.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Literal, NamedTuple

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category, PIIType
from piibench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

Style = Literal["tag", "numbered", "pseudonym"]

LABELS: tuple[str, ...] = (*map(str, Category), *map(str, PIIType))
"""Every name that a placeholder may carry."""

HIGHEST_NUMBER = 9999
"""Numbers run from 1 to this one within a label."""

_CLOSER = {"<": ">", "&lt;": "&gt;", "[": "]", "(": ")", "{": "}"}
_PAD = 2
_GAP = 3
_DIGITS = len(str(HIGHEST_NUMBER))


class Form(NamedTuple):
    """A string that is a placeholder, or looks like one.

    Attributes:
        span: Where it stands.
        label: The category or type it names, as Table 10 spells it.
        number: Its number; None for a tag.
        exact: Whether it is spelt just as `write_placeholder` spells it.
        angled: Whether it stands in angle brackets, and so can hardly be prose.
    """

    span: Span
    label: str
    number: int | None
    exact: bool
    angled: bool


def write_placeholder(label: str, number: int | None = None) -> str:
    """Spell a placeholder: `<Age>`, or `<Age 3>` with a number.

    Raises:
        InputError: The label is neither a category nor a type, or the number is out of range.
    """
    if label not in _KNOWN:
        msg = "a placeholder's label must be one of the 55 categories or the 7 types"
        raise InputError(msg)
    if number is None:
        return f"<{label}>"
    if not 1 <= number <= HIGHEST_NUMBER:
        msg = f"a placeholder's number must be from 1 to {HIGHEST_NUMBER}"
        raise InputError(msg)
    return f"<{label} {number}>"


def find_forms(text: str) -> Iterator[Form]:
    """Yield every placeholder of a text, exact or drifted, from left to right, none overlapping another."""
    for match in FORM.finditer(text):
        if form := read_form(match):
            yield form


def find_exact(text: str) -> list[Span]:
    """Return where exactly spelt placeholders stand, of either style, from left to right."""
    return [Span(*match.span()) for match in _EXACT.finditer(text)]


def read_form(match: re.Match[str]) -> Form | None:
    """Return the placeholder that a match of `FORM` stands for; None where it is prose after all."""
    opener, spelt = match["open"], match["label"]
    digits: str | None = match["inner"] or match["outer"]
    label = _LABEL_OF[_key(spelt)]
    if opener is None:
        if label in _ONE_WORD and spelt != label and match["joint"] not in ("_", "-"):
            return None
    elif match["close"] != _CLOSER[opener] or (opener == "(" and not digits):
        return None
    number = int(digits) if digits else None
    if number == 0:
        return None
    exact = match.group() == write_placeholder(label, number)
    return Form(Span(*match.span()), label, number, exact, opener in ("<", "&lt;"))


def find_unfinished(text: str, start: int = 0) -> int:
    """Return the first offset, at or after `start`, from which the text may be the beginning of a form.

    What stands before that offset cannot change its meaning by what follows the text. The result is
    `len(text)` where nothing is open, and never more than `LONGEST_FORM` before it.
    """
    place = max(start, len(text) - LONGEST_FORM)
    while match := _TAIL.search(text, place):
        if _may_grow(match):
            return match.start()
        place = match.start() + 1
    return len(text)


def _may_grow(match: re.Match[str]) -> bool:
    if match["name"] is None:  # "&", "&l", "&lt"
        return True
    key = _key(match["name"])
    if match["open"] is None and not key:
        return False
    return key in _LABEL_OF if match["end"] else key in _BEGINNINGS


def _key(spelt: str) -> str:
    return _NO_LETTERS.sub("", spelt).lower()


def _any_case(letters: str) -> str:
    return "".join(f"[{letter.upper()}{letter.lower()}]" for letter in letters)


def _tolerant(label: str) -> str:
    words = re.findall(r"[A-Za-z']+", label)
    spelt = ["['’]?".join(map(_any_case, word.split("'"))) for word in words]
    return rf"[\s_/-]{{0,{_GAP}}}".join(spelt)


def _compile_form() -> re.Pattern[str]:
    by_initial: dict[str, list[str]] = defaultdict(list)
    for label in sorted(LABELS, key=len, reverse=True):
        by_initial[label[0]].append(_tolerant(label))
    # One branch for each initial lets the matcher leave most words after a single look.
    names = "|".join(
        first[:4] + "(?:" + "|".join(name[4:] for name in (first, *others)) + ")"
        for first, *others in by_initial.values()
    )
    number = f"[0-9]{{1,{_DIGITS}}}"
    return re.compile(
        rf"(?:(?P<open>&lt;|[<\[({{])\s{{0,{_PAD}}}|(?<!\w))(?P<label>{names})"
        rf"(?(open)(?:[\s_#-]{{0,{_PAD}}}(?P<inner>{number}))?\s{{0,{_PAD}}}(?P<close>&gt;|[>\])}}])"
        rf"|(?P<joint>[ \u00a0_-]{{1,{_PAD}}})(?P<outer>{number})(?!\w|[.,][0-9]))"
    )


_NO_LETTERS = re.compile(r"[^A-Za-z]+")
_KNOWN = frozenset(LABELS)
_LABEL_OF = {_key(label): label for label in LABELS}
_BEGINNINGS = frozenset(key[:length] for key in _LABEL_OF for length in range(len(key) + 1))
_ONE_WORD = frozenset(label for label in LABELS if label.isalpha())

LONGEST_FORM = (
    len("&lt;" + "&gt;")
    + 3 * _PAD
    + _DIGITS
    + max(len(label) + (_GAP - 1) * len(re.findall(r"[^A-Za-z']", label)) for label in LABELS)
)
"""No tolerated form is longer, in code points."""

FORM = _compile_form()
"""Every tolerated form, and a few strings of that build that `read_form` turns down."""

_EXACT = re.compile(rf"<(?:{'|'.join(map(re.escape, LABELS))})(?: [1-9][0-9]{{0,{_DIGITS - 1}}})?>")

_TAIL = re.compile(
    r"(?:&(?:lt?)?\Z"
    r"|(?:(?P<open>&lt;|[<\[({])|(?<!\w)(?=[A-Za-z]))(?P<name>[A-Za-z'’\s_/-]*)"
    rf"(?P<end>(?:#[\s_#-]?)?"
    rf"(?:[0-9]{{1,{_DIGITS}}}[.,]|(?:[0-9]{{1,{_DIGITS}}})?\s{{0,{_PAD}}}(?:&(?:gt?)?)?))\Z)"
)
