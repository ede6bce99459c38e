"""One sample: a frame, its people, their facts, the text, the query (section 3.2, from top to bottom).

A sample depends on nothing but its order (partition, subset, seed, index), so that any number of workers
makes the same data, and a stopped run goes on where it stood.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING

from piibench.data.schema import Sample
from piibench.data.taxonomy import PIIType
from piibench.errors import SystemFailureError
from piibench.synthesis.consistency import mend
from piibench.synthesis.descriptions import Appetite, Description, load_frames, write_description
from piibench.synthesis.entities import draw_profile, vary_names
from piibench.synthesis.queries import list_scenario_queries, repeats_value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from piibench.generators.base import Partition
    from piibench.synthesis.framing import Frame, FrameQuery

_ATTEMPTS = 60
_OWN_QUERY_SHARE = 0.6
"""Share of single samples whose query was written for their frame; the others take a scenario's template."""

_LONE_NEED_REFUSED = 0.75
_NEED_WEIGHT = 9.0
"""How often a template for one entity is refused, and the weight of a scenario for each entity it needs: so
that the mean comes out as in Table 3."""

_EXTRA_NEED_WEIGHT = 0.3
"""Weight of a frame's own query for each entity that it needs beyond two, likewise."""


def _weigh(**weights: float) -> Mapping[PIIType, float]:
    return MappingProxyType({PIIType(name): weight for name, weight in weights.items()})


APPETITES: Mapping[str, Appetite] = MappingProxyType(
    {
        "single": Appetite(
            7.3, 1.9, _weigh(PER=0.2, CODE=1.4, LOC=0.8, ORG=1.2, DEM=0.45, DATETIME=0.7, QUANTITY=1.5)
        ),
        "multi": Appetite(
            12.7, 2.2, _weigh(PER=0.1, CODE=0.8, LOC=1.2, ORG=0.9, DEM=1.4, DATETIME=0.7, QUANTITY=1.5)
        ),
    }
)
"""Entities a description (Table 3), and weights under which the types come out as in Table 9."""


@dataclass(frozen=True, slots=True)
class Order:
    """Which sample is wanted.

    Attributes:
        subset: "single" or "multi".
        index: Its place in the subset, from 0.
        seed: Of the whole data set.
        partition: Whose frames, queries and rare values are used.
    """

    subset: str
    index: int
    seed: int | str = 7
    partition: Partition = "test"

    def rng(self, *more: object) -> Random:
        """Chance for one purpose of this sample."""
        return Random(f"{self.partition}/{self.subset}/{self.seed}/{self.index}/{more}")  # noqa: S311 - no secret


@dataclass(frozen=True, slots=True)
class Draft:
    """A sample before it has its place in a data set."""

    frame: Frame
    description: Description
    query: FrameQuery
    style: str

    @property
    def relevant(self) -> tuple[str, ...]:
        """Ids of the entities that the query needs."""
        wanted = {(slot.subject, slot.category, self.description.shown[slot]) for slot in self.query.needs}
        return tuple(
            entity.id
            for entity in self.description.entities
            if (entity.subject, entity.category, entity.text) in wanted
        )


def make_sample(order: Order) -> Sample:
    """Make one sample of PII-single or PII-multi.

    Raises:
        SystemFailureError: The partition's frames give nothing consistent in many attempts.
    """
    draft = make_draft(order)
    return Sample(
        id=f"{order.subset}-{order.index + 1:05d}",
        subset=order.subset,
        description=draft.description.text,
        query=draft.query.text,
        entities=draft.description.entities,
        relevant=draft.relevant,
        meta={
            "frame": draft.frame.id,
            "genre": draft.frame.genre,
            "theme": draft.frame.theme,
            "relationship": [relation.kind for relation in draft.frame.relations] or None,
            "scenario": draft.query.scenario,
            "query": "own" if draft.query in draft.frame.queries else "template",
            "style": draft.style,
            "source": "frames",
            "partition": order.partition,
            "seed": order.seed,
        },
    )


def make_draft(order: Order) -> Draft:
    """Try until a frame's text, facts and query agree."""
    frame, own = choose_frame(order)
    for attempt in range(_ATTEMPTS):
        if draft := _attempt(order, frame, own, order.rng(attempt)):
            return draft
    msg = f"frame {frame.id} gave no consistent sample in {_ATTEMPTS} attempts; mend the frame or its queries"
    raise SystemFailureError(msg)


def choose_frame(order: Order) -> tuple[Frame, FrameQuery]:
    """The frame of a sample, every frame equally often, and one of its own queries."""
    frames = _frames(order.partition, order.subset)
    round_, place = divmod(order.index, len(frames))
    shuffled = list(range(len(frames)))
    replace(order, index=round_).rng("frames").shuffle(shuffled)
    frame = frames[shuffled[place]]
    weights = [_EXTRA_NEED_WEIGHT ** max(0, len(query.needs) - 2) for query in frame.queries]
    return frame, order.rng("query").choices(frame.queries, weights)[0]


@cache
def _frames(partition: Partition, subset: str) -> Sequence[Frame]:
    single = subset == "single"
    frames = [frame for frame in load_frames(partition) if (len(frame.genders) == 1) is single]
    if not frames:
        msg = f"there are no frames for {subset} in the {partition} partition"
        raise SystemFailureError(msg)
    return frames


def _attempt(order: Order, frame: Frame, own: FrameQuery, rng: Random) -> Draft | None:
    frame = vary_names(frame, rng)
    profile = draw_profile(frame, rng, partition=order.partition)
    mend(profile, frame, rng)
    uses_own = order.subset != "single" or rng.random() < _OWN_QUERY_SHARE
    description = write_description(
        frame, profile, rng, appetite=APPETITES[order.subset], needed=own.needs if uses_own else ()
    )
    if description is None:
        return None
    query: FrameQuery | None = own
    if not uses_own:
        offered = list(list_scenario_queries(description.shown, profile, frame, partition=order.partition))
        query = _choose_query(offered, rng)
    if query is None or repeats_value(query.text, description.shown):
        return None
    return Draft(frame, description, query, profile.style)


def _choose_query(offered: Sequence[FrameQuery], rng: Random) -> FrameQuery | None:
    """A scenario first, then one of its templates: no scenario gains by having many that fit (App. D.2).

    Templates for several entities fit less often; those for one are passed over now and then instead.
    """
    by_scenario: dict[str, list[FrameQuery]] = {}
    for query in offered:
        by_scenario.setdefault(query.scenario, []).append(query)
    if not by_scenario:
        return None
    weights = [_NEED_WEIGHT ** len(queries[0].needs) for queries in by_scenario.values()]
    (chosen,) = rng.choices(list(by_scenario.values()), weights)
    return None if len(chosen[0].needs) == 1 and rng.random() < _LONE_NEED_REFUSED else rng.choice(chosen)
