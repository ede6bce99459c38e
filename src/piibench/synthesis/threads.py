"""Threads for PII-distract (section 3.3): five descriptions in one talk, a query about three of them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from piibench.data.mentions import Span, find_values
from piibench.data.schema import Labelled, Sample, gather_entities, subject_letter
from piibench.data.taxonomy import PIIType
from piibench.errors import SystemFailureError
from piibench.synthesis.samples import Order, make_draft

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from piibench.data.schema import Entity
    from piibench.generators.base import Partition
    from piibench.synthesis.samples import Draft

POSTS, ASKED = 5, 3
"""Descriptions in a thread, and how many of them the query is about."""

_MULTI_POSTS = (2, 3)
_ATTEMPTS = 60


@dataclass(frozen=True, slots=True)
class Phrases:
    """What holds a thread together; each list belongs to one partition.

    Attributes:
        openings: How a thread starts.
        headers: How a post is introduced, with {number}.
        chatter: What others throw in.
        closings: How it ends.
        questions: The frame of the query, with {first}, {second}, {third} and the numbers {a}, {b}, {c}.
    """

    openings: tuple[str, ...]
    headers: tuple[str, ...]
    chatter: tuple[str, ...]
    closings: tuple[str, ...]
    questions: tuple[str, ...]


@cache
def load_phrases(partition: Partition) -> Phrases:
    """The phrases of a partition."""
    text = (files("piibench.synthesis") / "threads" / f"{partition}.toml").read_text("utf-8")
    return Phrases(**{name: tuple(lines) for name, lines in tomllib.loads(text).items()})


def make_thread(order: Order) -> Sample:
    """Make one sample of PII-distract.

    Raises:
        SystemFailureError: No five descriptions go together in many attempts.
    """
    for attempt in range(_ATTEMPTS):
        rng = order.rng("thread", attempt)
        drafts = [make_draft(each) for each in _order_posts(order, attempt, rng)]
        if sample := _weave(order, drafts, rng):
            return sample
    msg = f"sample {order.subset}-{order.index + 1:05d}: no five descriptions go together"
    raise SystemFailureError(msg)


def _order_posts(order: Order, attempt: int, rng: Random) -> list[Order]:
    """Descriptions of their own, which no sample of PII-single or PII-multi shows."""
    subsets = ["multi"] * rng.choice(_MULTI_POSTS)
    subsets += ["single"] * (POSTS - len(subsets))
    rng.shuffle(subsets)
    start = (order.index * _ATTEMPTS + attempt) * POSTS
    seed = f"{order.seed}/{order.subset}"
    return [Order(subset, start + place, seed, order.partition) for place, subset in enumerate(subsets)]


def _weave(order: Order, drafts: Sequence[Draft], rng: Random) -> Sample | None:
    phrases = load_phrases(order.partition)
    header = rng.choice(phrases.headers)
    chatter = rng.sample(phrases.chatter, POSTS - 1)
    parts = [rng.choice(phrases.openings)]
    length = len(parts[0])
    places: list[Labelled] = []
    needed: set[tuple[str, str, str]] = set()
    asked = sorted(rng.sample(range(POSTS), ASKED))
    letters = 0
    for number, draft in enumerate(drafts):
        between = chatter[number - 1] + "\n\n" if number else ""
        head = f"\n\n{between}{header.format(number=number + 1)}\n"
        renamed = {old: subject_letter(letters + place) for place, old in enumerate(draft.frame.genders)}
        letters += len(renamed)
        start = length + len(head)
        places += _move(draft.description.entities, start, renamed)
        if number in asked:
            needed |= {
                (renamed[entity.subject], entity.text, entity.label)
                for entity in draft.description.entities
                if entity.id in draft.relevant
            }
        parts.append(head + draft.description.text)
        length = start + len(draft.description.text)
    text = "".join(parts) + "\n\n" + rng.choice(phrases.closings)
    query = _ask(rng.choice(phrases.questions), [drafts[number] for number in asked], asked)
    entities = gather_entities(text, places)
    if _is_ambiguous(text, query, places):
        return None
    return Sample(
        id=f"{order.subset}-{order.index + 1:05d}",
        subset=order.subset,
        description=text,
        query=query,
        entities=entities,
        relevant=tuple(
            entity.id for entity in entities if (entity.subject, entity.text, entity.label) in needed
        ),
        meta={
            "frames": [draft.frame.id for draft in drafts],
            "genre": "thread",
            "asked": [number + 1 for number in asked],
            "scenario": [drafts[number].query.scenario for number in asked],
            "source": "frames",
            "partition": order.partition,
            "seed": order.seed,
        },
    )


def _move(entities: Sequence[Entity], start: int, renamed: dict[str, str]) -> list[Labelled]:
    return [
        Labelled(
            Span(span.start + start, span.end + start), entity.type, entity.category, renamed[entity.subject]
        )
        for entity in entities
        for span in entity.mentions
    ]


def _ask(frame: str, drafts: Sequence[Draft], asked: Sequence[int]) -> str:
    texts = dict(zip(("first", "second", "third"), (draft.query.text for draft in drafts), strict=True))
    numbers = dict(zip("abc", (str(number + 1) for number in asked), strict=True))
    return frame.format(**texts, **numbers)


def _is_ambiguous(text: str, query: str, places: Sequence[Labelled]) -> bool:
    """Whether a value of one post stands unlabelled in another, or in the query."""
    labelled = {span for place in places for span in range(place.span.start, place.span.end)}
    telling = {
        value
        for place in places
        if len(value := place.span.of(text)) > 3 or place.type is PIIType.PER  # noqa: PLR2004
    }
    stray = any(labelled.isdisjoint(range(*span)) for _, span in find_values(text, telling))
    return stray or bool(find_values(query.casefold(), {value.casefold() for value in telling}))
