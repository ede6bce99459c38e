"""One sample: a frame, its people, their facts, the text, the query (section 3.2, from top to bottom).

A sample depends on nothing but its order (partition, subset, seed, index), so that any number of workers
makes the same data, and a stopped run goes on where it stood.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from piibench.data.schema import Sample
from piibench.errors import SystemFailureError
from piibench.synthesis.appetites import APPETITES
from piibench.synthesis.consistency import mend
from piibench.synthesis.descriptions import Description, load_frames, write_description
from piibench.synthesis.entities import draw_profile, vary_names
from piibench.synthesis.queries import list_scenario_queries, repeats_value
from piibench.synthesis.weaving import SHARE as PHRASED
from piibench.synthesis.weaving import weave_phrases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from piibench.data.mentions import Span
    from piibench.generators.base import Partition
    from piibench.synthesis.appetites import Appetite
    from piibench.synthesis.framing import Frame, FrameQuery

_Item = TypeVar("_Item")

_ATTEMPTS = 60
_OWN_QUERY_SHARE = 0.6
"""Share of the attempts at a single sample that ask what was written for its frame; the others need a
scenario's template that fits, and fail more often."""

_LONE_NEED_REFUSED = 0.75
_NEED_WEIGHT = 9.0
"""How often a template for one entity is refused, and the weight of a scenario for each entity it needs: so
that the mean comes out as in Table 3."""

_EXTRA_NEED_WEIGHT = 0.6
"""Weight of a frame's own query for each entity that it needs beyond two, likewise."""


@dataclass(frozen=True, slots=True)
class Order:
    """Which sample is wanted.

    Attributes:
        subset: "single", "multi" or "distract".
        index: Its place in the subset, from 0.
        seed: Of the whole data set.
        partition: Whose frames, queries and rare values are used.
        aim: The subset it is made for, where that is another: "hard", "distract".
        refused: Scenarios whose templates have had their share (Appendix D.2).
    """

    subset: str
    index: int
    seed: int | str = 7
    partition: Partition = "test"
    aim: str = ""
    refused: frozenset[str] = frozenset()

    @property
    def appetite(self) -> Appetite:
        """How many entities of which types its description should have."""
        return APPETITES[self.subset, self.aim or self.subset]

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
    def source(self) -> str:
        """Where the query comes from: "own" where it was written for the frame, else "template"."""
        return "own" if self.query in self.frame.queries else "template"

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
            "query": draft.source,
            "style": draft.style,
            "source": "frames",
            "partition": order.partition,
            "seed": order.seed,
            **note_references(draft.description.references),
        },
    )


def note_references(references: Sequence[tuple[Span, str]]) -> dict[str, Any]:
    """What the `meta` of a sample says of the words that mean a subject: start, end, subject of each."""
    return {"references": [[*span, subject] for span, subject in references]} if references else {}


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
    (frame,) = deal(_frames(order.partition, order.subset), order, "frames")
    weights = [_EXTRA_NEED_WEIGHT ** max(0, len(query.needs) - 2) for query in frame.queries]
    return frame, order.rng("query").choices(frame.queries, weights)[0]


def deal(items: Sequence[_Item], order: Order, purpose: str, n: int = 1) -> list[_Item]:
    """Choose `n` items for a sample so that, over the samples of a subset, each comes equally often.

    They are shuffled anew for each round of samples among which they are dealt out.
    """
    round_, place = divmod(order.index, len(items) // n)
    shuffled = list(items)
    replace(order, index=round_).rng(purpose).shuffle(shuffled)
    return shuffled[place * n : (place + 1) * n]


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
    uses_own = order.subset != "single" or rng.random() < _OWN_QUERY_SHARE
    if order.partition == "train" and rng.random() < PHRASED:
        frame = weave_phrases(frame, rng, needed=own.needs if uses_own else ())
    profile = draw_profile(frame, rng, partition=order.partition)
    mend(profile, frame, rng)
    description = write_description(
        frame, profile, rng, appetite=order.appetite, needed=own.needs if uses_own else ()
    )
    if description is None:
        return None
    query: FrameQuery | None = own
    if not uses_own:
        offered = list_scenario_queries(description.shown, profile, frame, partition=order.partition)
        query = _choose_query([each for each in offered if each.scenario not in order.refused], rng)
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
