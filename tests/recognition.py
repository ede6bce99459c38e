"""What a recognizer of `rules` proposes for a text, and texts written with their values in [[marks]]."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.systems.rules.candidates import resolve
from piibench.systems.rules.lexicon import load_lexicons
from piibench.systems.rules.passage import read_passage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from piibench.data.taxonomy import Category
    from piibench.systems.rules.candidates import Candidate
    from piibench.systems.rules.passage import Passage

_MARK = re.compile(r"\[\[(.+?)\]\]")


def read_marks(marked: str) -> tuple[str, list[str]]:
    """The text without its marks, and the values they mark."""
    return _MARK.sub(r"\1", marked), _MARK.findall(marked)


def propose(
    recognize: Callable[[Passage], Iterable[Candidate]], text: str, category: Category | None = None
) -> list[str]:
    """The texts that win, of one category or of all."""
    winners = resolve(recognize(read_passage(text, load_lexicons())))
    return [each.span.of(text) for each in winners if category in (None, each.category)]
