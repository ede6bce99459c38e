"""Spells a text so that the vocabulary knows its words, one character for another: all offsets stay.

A word with one character that the vocabulary lacks is a single unknown piece, whatever else stands in it: a
name with an emoji at its end, an amount in naira. And some characters are dropped, which joins their
neighbours: two names with a page break between are one word.
"""

from __future__ import annotations

import re
import unicodedata

_SYMBOL = "\ufffc"
"""Stands for any symbol; by itself it is an unknown piece, as the symbol is."""
_TOUCHING = re.compile(r"(?<=\w)[\ufffc\ufe0f\u200d]+|(?<![\ufffc\ufe0f\u200d])[\ufffc\ufe0f\u200d]++(?=\w)")
"""A run of symbols beside a word; each is read once, however long."""
_STEERING = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])")
"""What steers a terminal, such as colours in a pasted log (ECMA-48)."""
_KEPT = frozenset("\t\n\r©®¦°№™⇄⇌─│■▪●★☆☉♠♣♥♦♭⺩⺼⽥$¢£¤¥₤₩€₱₹")
_LETTERS = dict(zip("ƁɓƊɗƉɖƘƙƳƴŦŧǤǥƑƒƲʋ", "BbDdDdKkYyTtGgFfVv", strict=True))
_NOTHING = frozenset(("Cc", "Cs", "Co", "Cn"))
_SYMBOLS = frozenset(("So", "Me"))
_WIDE, _STYLED = range(0xFF01, 0xFFEF), range(0x1D400, 0x1D800)
_SKIN, _CIRCLED = range(0x1F3FB, 0x1F400), range(0x2460, 0x2500)


class _Spelling(dict[int, str]):
    """What stands for each character, by its code point; filled as they come."""

    def __missing__(self, code: int) -> str:
        self[code] = spelt = _choose(chr(code))
        return spelt


_SPELLING = _Spelling()


def spell(text: str) -> str:
    """Return a text of the same length that a BERT vocabulary for English reads as people do.

    Controls, lone surrogates and zero-width spaces part words. Wide and styled letters, and digits of any
    script, are the plain ones, letters with a hook or stroke those without, currencies that it lacks dollars.
    Symbols that touch a word are spaces, and so is what steers a terminal.
    """
    return _TOUCHING.sub(_blank, blank_steering(text).translate(_SPELLING))


def blank_steering(text: str) -> str:
    """The text with a space for each character that steers a terminal: the last of a row may be a letter."""
    return _STEERING.sub(_blank, text)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _choose(char: str) -> str:
    code, category = ord(char), unicodedata.category(char)
    if char in _KEPT:
        return char
    if category in _NOTHING or char in "\u200b\ufffd":
        return " "
    if category == "Nd":
        return str(unicodedata.digit(char))
    if code in _WIDE or code in _STYLED:
        plain = unicodedata.normalize("NFKC", char)
        return plain if len(plain) == 1 else char
    if category in _SYMBOLS or code in _SKIN or code in _CIRCLED or char == "∙":
        return _SYMBOL
    return "$" if category == "Sc" else _LETTERS.get(char, char)
