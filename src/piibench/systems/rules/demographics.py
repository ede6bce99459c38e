"""Demographics: what a person is. Each kind of value has its own module; this is their one entry."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from piibench.systems.rules.attributes import find_attributes
from piibench.systems.rules.bodies import find_bodies
from piibench.systems.rules.education import find_education
from piibench.systems.rules.features import find_features
from piibench.systems.rules.health import find_health
from piibench.systems.rules.occupations import find_occupations

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
