"""Names of persons: Full Name and Nickname (handles are in `codes`).

Five kinds of evidence, each in its own module: the make-up of a capitalised run (`runs`), a cue word before a
name (`cues`, `small` for small letters), the layout of forms, letters and conversations (`forms`), scripts
without capitals (`scripts`), and parts of a name that stands in full elsewhere (`echoes`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from piibench.systems.rules.names.clues import Clues
from piibench.systems.rules.names.cues import find_cued_names
from piibench.systems.rules.names.echoes import find_echoes
from piibench.systems.rules.names.forms import find_placed_names
from piibench.systems.rules.names.runs import find_plain_names
from piibench.systems.rules.names.scripts import find_caseless_names

if TYPE_CHECKING:
    from piibench.systems.rules.candidates import Candidate
    from piibench.systems.rules.passage import Passage


def find_names(passage: Passage) -> list[Candidate]:
    """Propose full names and nicknames: a first name alone is a Nickname, a title is no part of a name."""
    clues = Clues(passage)
    found = [
        *find_plain_names(clues),
        *find_cued_names(clues),
        *find_placed_names(clues),
        *find_caseless_names(passage),
    ]
    return [*found, *find_echoes(clues, found)]
