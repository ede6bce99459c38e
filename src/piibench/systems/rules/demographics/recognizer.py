"""Demographics: what a person is. Each kind of value has its own module; this is their one entry."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from piibench.systems.rules.demographics.attributes import find_attributes
from piibench.systems.rules.demographics.bodies import find_bodies
from piibench.systems.rules.demographics.education import find_education
from piibench.systems.rules.demographics.features import find_features
from piibench.systems.rules.demographics.health import find_health
from piibench.systems.rules.demographics.occupations import find_occupations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.candidates import Candidate
    from piibench.systems.rules.passage import Passage


def find_demographics(passage: Passage) -> Iterator[Candidate]:
    """Propose values of the 17 demographic categories."""
    return chain(
        find_occupations(passage),
        find_health(passage),
        find_education(passage),
        find_bodies(passage),
        find_features(passage),
        find_attributes(passage),
    )
