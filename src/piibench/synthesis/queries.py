"""Query construction (section 3.2.3, Appendix D): entities, scenario, abstraction, text.

The four phases meet in one choice: a query was written for the entities it needs (phase 1) in a scenario
(phase 2), it alludes to them without naming their values (phase 3), and its words are its own (phase 4). It
is used where the description shows exactly what it needs.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from piibench.data.mentions import find_values
from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.synthesis.framing import Agreement, FrameQuery, show
from piibench.synthesis.scenarios import load_scenarios, load_templates, spell_query

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from piibench.generators.base import Partition
    from piibench.synthesis.entities import Profile
    from piibench.synthesis.framing import Frame, Slot

_ROLES = frozenset({Category.CITY_REGION, Category.LANDMARK})
"""With dates, times and durations: what part they play in a story only its frame's own queries know."""

_EMPLOYERS = frozenset({Category.COMPANY_NAME, Category.GOVERNMENT_AGENCY, Category.NGO})
"""Whom somebody works for or deals with: where a slot asks for a kind, only its frame knows which."""

_FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|I'd|my|i|im)\b")
_CLAIMS_OF_A_NARRATOR = 2


def list_scenario_queries(
    shown: Mapping[Slot, str], profile: Profile, frame: Frame, *, partition: Partition
) -> Iterator[FrameQuery]:
    """Yield every template of the partition whose needs a description of one subject meets exactly.

    Necessary and sufficient: each needed category is shown once, and no other category that the scenario
    needs is shown at all.
    """
    (subject,) = frame.genders
    by_category = Counter(slot.category for slot in shown)
    places = {slot.category: slot for slot in shown}
    person = None if tells_of_itself(frame) else profile.backgrounds[subject]
    for name, templates in load_templates(partition).items():
        scenario = load_scenarios()[name]
        wanted = {category for category in scenario.needs if by_category[category]}
        if any(by_category[category] for category in scenario.blocking):
            continue
        for template in templates:
            if any(plays_a_role(category) for category in template.needs):
                continue
            if set(template.needs) == wanted and all(by_category[each] == 1 for each in wanted):
                needs = tuple(places[category] for category in template.needs)
                if all(map(_is_main, needs)):
                    yield FrameQuery(name, needs, spell_query(template, person))


def _is_main(slot: Slot) -> bool:
    """Whether a fact is the subject's own as a template takes it: no second one, no bank for an employer."""
    return slot.number == 1 and not (slot.category in _EMPLOYERS and slot.form)


def plays_a_role(category: Category) -> bool:
    """Whether knowing the category is not enough: a date may be a birthday or an appointment."""
    return category in _ROLES or TYPE_OF[category] is PIIType.DATETIME


def tells_of_itself(frame: Frame) -> bool:
    """Whether the first subject of a frame is its narrator: it says "I", and no "he" or "she" means them."""
    pieces = [piece for clause in frame.clauses for piece in clause.pieces]
    subject = next(iter(frame.genders))
    if any(isinstance(piece, Agreement) and piece.subject == subject for piece in pieces):
        return False
    return len(_FIRST_PERSON.findall(show(pieces, " "))) >= _CLAIMS_OF_A_NARRATOR


def repeats_value(text: str, shown: Mapping[Slot, str]) -> bool:
    """Whether a query gives a value away; a letter ("M") or a number below a hundred stands by chance."""
    values = {value for value in shown.values() if len(value) > (2 if value.isdecimal() else 1)}
    folded = {value.casefold() for value in values}
    return bool(find_values(text.casefold(), folded))
