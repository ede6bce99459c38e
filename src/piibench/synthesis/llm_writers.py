"""Samples by a model, checked at each step (section 3.2); the frames stand in where it fails.

The model mends the facts and writes the description (3.2.2) and the query (3.2.3). Each reply that
cannot be used is counted by its reason and asked for anew; an order that a part of it fails gets the sample
that the frames give, with the reason under `meta.fallback`. No order is lost.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from piibench.data.schema import Sample
from piibench.errors import EndpointError, PromptRefusedError
from piibench.synthesis.consistency import mend
from piibench.synthesis.entities import draw_profile
from piibench.synthesis.llm_asking import Asker, Refusal
from piibench.synthesis.llm_consistency import mend_by_model
from piibench.synthesis.llm_descriptions import LENGTHS, describe_by_model
from piibench.synthesis.llm_features import choose_keys, drop_repeats, lacks_needed, write_people
from piibench.synthesis.llm_queries import ask_by_model
from piibench.synthesis.samples import Order, choose_frame, make_sample
from piibench.synthesis.verification import verify_sample

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from piibench.data.schema import Entity
    from piibench.llm.chat import Chat
    from piibench.synthesis.entities import Profile
    from piibench.synthesis.framing import Frame, FrameQuery
    from piibench.synthesis.llm_features import Person

PATIENCE = 8
"""Orders in a row without any reply after which the endpoint counts as dead."""

_SEED_BITS = 31


@dataclass(slots=True)
class Tally:
    """What became of the orders.

    Attributes:
        written: Samples that the model wrote.
        stood_in: Samples that the frames gave in its stead, by reason.
        rejected: Replies that were refused, by "stage: reason".
        consistency: How profiles were mended: "model" or "rules".
    """

    written: int = 0
    stood_in: Counter[str] = field(default_factory=Counter[str])
    rejected: Counter[str] = field(default_factory=Counter[str])
    consistency: Counter[str] = field(default_factory=Counter[str])

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.written + other.written,
            self.stood_in + other.stood_in,
            self.rejected + other.rejected,
            self.consistency + other.consistency,
        )

    def to_json(self) -> dict[str, Any]:
        """The counts, the most frequent first, for a manifest."""
        return {
            "written": self.written,
            "stood_in": dict(self.stood_in.most_common()),
            "rejected": dict(self.rejected.most_common()),
            "consistency": dict(self.consistency.most_common()),
        }


class LLMWriter:
    """Writes samples of PII-single and PII-multi with any model.

    Args:
        chat: The model.
        attempts: Replies asked for before a part of a sample is given up.

    Attributes:
        tally: What became of the orders so far.
    """

    def __init__(self, chat: Chat, *, attempts: int = 3) -> None:
        self.tally = Tally()
        self._chat = chat
        self._attempts = attempts
        self._silent: int | None = None

    async def write(self, order: Order, make: Callable[[Order], Sample] = make_sample) -> Sample:
        """Write a sample, or have the frames stand in.

        Args:
            order: Which sample.
            make: What the frames make of the order; a kind of sample that they alone can make is left to
                them.

        Raises:
            EndpointSetupError: The model's address, key or name is wrong.
            EndpointError: No reply came, for the first order or for `PATIENCE` orders in a row.
        """
        if make is not make_sample:
            return self._stand_in(make(order), "woven from frames")
        seed = order.rng("model seed").getrandbits(_SEED_BITS)
        asker = Asker(self._chat, self.tally.rejected, seed, self._attempts)
        try:
            outcome = await self._attempt(order, asker)
        except EndpointError as error:
            # A model that has replied refuses one prompt; from one that has not yet, it may be anything.
            is_refused = isinstance(error, PromptRefusedError) and self._silent is not None
            if not is_refused:
                self._note_silence(asker)
                if self._silent is None or self._silent >= PATIENCE:
                    raise
            outcome = Refusal("prompt refused" if is_refused else "no reply")
        else:
            self._silent = 0
        if isinstance(outcome, Refusal):
            return self._stand_in(make(order), outcome.reason)
        self.tally.written += 1
        return outcome

    def _note_silence(self, asker: Asker) -> None:
        if asker.replies:
            self._silent = 1
        elif self._silent is not None:
            self._silent += 1

    def _stand_in(self, sample: Sample, reason: str) -> Sample:
        self.tally.stood_in[reason] += 1
        return sample.model_copy(update={"meta": {**sample.meta, "fallback": reason}})

    async def _attempt(self, order: Order, asker: Asker) -> Sample | Refusal:
        frame, query = choose_frame(order)
        rng = order.rng("model")
        profile = draw_profile(frame, rng, partition=order.partition)
        keys = choose_keys(frame, query, rng, order.appetite)
        profile.facts = {key: fact for key, fact in profile.facts.items() if key in keys}
        mended, notes = await self._mend(asker, profile, frame, query, rng)
        people = drop_repeats(mended)
        if lacks_needed(people, query):
            return Refusal("consistency: needed value dropped")
        written = await describe_by_model(asker, people, frame, LENGTHS[order.subset])
        if isinstance(written, Refusal):
            return Refusal(f"description: {written.reason}")
        text, entities = written
        question = await ask_by_model(asker, people, entities, query, rng)
        if isinstance(question, Refusal):
            return Refusal(f"query: {question.reason}")
        sample = Sample(
            id=f"{order.subset}-{order.index + 1:05d}",
            subset=order.subset,
            description=text,
            query=question,
            entities=entities,
            relevant=_find_relevant(people, entities),
            meta={
                "frame": frame.id,
                "genre": frame.genre,
                "theme": frame.theme,
                "relationship": [relation.kind for relation in frame.relations] or None,
                "scenario": query.scenario,
                "query": "model",
                "style": profile.style,
                "source": self._chat.model,
                **notes,
                "partition": order.partition,
                "seed": order.seed,
            },
        )
        return self._verify(sample)

    async def _mend(
        self, asker: Asker, profile: Profile, frame: Frame, query: FrameQuery, rng: Random
    ) -> tuple[tuple[Person, ...], dict[str, str]]:
        """Mend facts by the model, or by the rules where its replies cannot be used; with notes for meta."""
        mended = await mend_by_model(asker, write_people(profile, query, rng), frame)
        if not isinstance(mended, Refusal):
            self.tally.consistency["model"] += 1
            return mended, {"consistency": "model"}
        mend(profile, frame, rng)
        self.tally.consistency["rules"] += 1
        notes = {"consistency": "rules", "consistency_note": f"the model's replies: {mended.reason}"}
        return write_people(profile, query, rng), notes

    def _verify(self, sample: Sample) -> Sample | Refusal:
        finding = next(verify_sample(sample), None)
        if finding is None:
            return sample
        reason = f"verification: {finding.kind}"
        self.tally.rejected[reason] += 1
        return Refusal(reason)


def _find_relevant(people: Sequence[Person], entities: Sequence[Entity]) -> tuple[str, ...]:
    needed = {
        (feature.subject, feature.tag, feature.entity)
        for person in people
        for feature in person.features
        if feature.needed
    }
    return tuple(entity.id for entity in entities if (entity.subject, entity.category, entity.text) in needed)
