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
from piibench.synthesis.samples import Order, deal, make_draft, note_references

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from piibench.generators.base import Partition
    from piibench.synthesis.samples import Draft

POSTS, ASKED, REMARKS = 5, 3, 3
"""Descriptions in a thread, how many of them the query is about, and what others throw in between."""

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
    """Descriptions of their own, which no sample of PII-single or PII-multi shows; every frame equally often.

    Threads have two and three descriptions with several subjects in turn.
    """
    pairs, odd = divmod(order.index, 2)
    several, alone = (3, 2) if odd else (2, 3)
    fresh = {"multi": pairs * POSTS + 2 * odd, "single": pairs * POSTS + 3 * odd}
    subsets = ["multi"] * several + ["single"] * alone
    rng.shuffle(subsets)
    posts: list[Order] = []
    for subset in subsets:
        seed = f"{order.seed}/{order.subset}/{attempt}"
        posts.append(Order(subset, fresh[subset], seed, order.partition, "distract", order.refused))
        fresh[subset] += 1
    return posts


@dataclass(frozen=True, slots=True)
class _Post:
    """A description in a thread: where it starts, and the letters of its subjects there."""

    draft: Draft
    start: int
    letters: Mapping[str, str]

    def places(self) -> list[Labelled]:
        return [
            Labelled(
                span.shift(self.start),
                entity.type,
                entity.category,
                self.letters[entity.subject],
            )
            for entity in self.draft.description.entities
            for span in entity.mentions
        ]

    def references(self) -> list[tuple[Span, str]]:
        return [
            (span.shift(self.start), self.letters[subject])
            for span, subject in self.draft.description.references
        ]

    def needed(self) -> set[tuple[str, str, str]]:
        relevant = set(self.draft.relevant)
        return {
            (self.letters[entity.subject], entity.text, entity.label)
            for entity in self.draft.description.entities
            if entity.id in relevant
        }


def _weave(order: Order, drafts: Sequence[Draft], rng: Random) -> Sample | None:
    text, posts = _write_page(order, drafts)
    asked = sorted(rng.sample(range(POSTS), ASKED))
    chosen = [drafts[number] for number in asked]
    (question,) = deal(load_phrases(order.partition).questions, order, "question")
    query = _ask(question, chosen, asked)
    places = [place for post in posts for place in post.places()]
    if _is_ambiguous(text, query, places):
        return None
    entities = gather_entities(text, places)
    needed = {key for number in asked for key in posts[number].needed()}
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
            "scenario": [draft.query.scenario for draft in chosen],
            "query": [draft.source for draft in chosen],
            "source": "frames",
            "partition": order.partition,
            "seed": order.seed,
            **note_references([reference for post in posts for reference in post.references()]),
        },
    )


def _write_page(order: Order, drafts: Sequence[Draft]) -> tuple[str, list[_Post]]:
    """The thread's text: an opening, the posts with others' chatter between them, a closing."""
    phrases = load_phrases(order.partition)
    (header,) = deal(phrases.headers, order, "header")
    gaps = order.rng("gaps").sample(range(1, POSTS), REMARKS)
    chatter = dict(zip(gaps, deal(phrases.chatter, order, "chatter", REMARKS), strict=True))
    text = deal(phrases.openings, order, "opening")[0]
    posts: list[_Post] = []
    fresh = 0
    for number, draft in enumerate(drafts):
        between = chatter[number] + "\n\n" if number in chatter else ""
        text += f"\n\n{between}{header.format(number=number + 1)}\n"
        subjects = list(draft.frame.genders)
        letters = {old: subject_letter(fresh + place) for place, old in enumerate(subjects)}
        posts.append(_Post(draft, len(text), letters))
        fresh += len(subjects)
        text += draft.description.text
    return text + "\n\n" + deal(phrases.closings, order, "closing")[0], posts


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
