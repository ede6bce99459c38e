"""Samples by a model, checked at each step (section 3.2); the frames stand in where it fails.

The model mends the facts (3.2.1), writes the description (3.2.2) and the query (3.2.3). Each reply that
cannot be used is counted by its reason and asked for anew; an order that a part of it fails gets the sample
that the frames give, with the reason under `meta.fallback`. No order is lost.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from piibench.data.schema import Sample
from piibench.errors import EndpointError
from piibench.synthesis.consistency import mend
from piibench.synthesis.entities import draw_profile
from piibench.synthesis.llm_asking import Asker, Refusal
from piibench.synthesis.llm_consistency import mend_by_model
from piibench.synthesis.llm_descriptions import LENGTHS, describe_by_model
from piibench.synthesis.llm_features import choose_keys, lacks_needed, write_people
from piibench.synthesis.llm_queries import ask_by_model
from piibench.synthesis.samples import APPETITES, Order, choose_frame, make_sample
from piibench.synthesis.verification import verify_sample

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from piibench.data.schema import Entity
    from piibench.llm.chat import Chat
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

    def to_json(self) -> dict[str, Any]:
        """The counts, the most frequent first, for a manifest."""
        return {
            "written": self.written,
            "stood_in": dict(self.stood_in.most_common()),
            "rejected": dict(self.rejected.most_common()),
            "consistency": dict(self.consistency.most_common()),
        }


@dataclass(frozen=True, slots=True)
class _Cast:
    """People with mended facts, and how they were mended."""

    people: tuple[Person, ...]
    notes: Mapping[str, str]


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
        self._silent = 0

    async def write(self, order: Order, make: Callable[[Order], Sample] = make_sample) -> Sample:
        """Write a sample, or have the frames stand in.

        Args:
            order: Which sample.
            make: What the frames would make of the order; a subset that they alone can make is left to them.

        Raises:
            EndpointSetupError: The model's address, key or name is wrong.
            EndpointError: No reply came at all, the first time or for `PATIENCE` orders in a row.
        """
        if make is not make_sample:
            return self._stand_in(make(order), f"{order.subset} is woven from frames")
        try:
            outcome = await self.attempt(order)
        except EndpointError:
            self._silent += 1
            if self._silent >= PATIENCE or not (self.tally.written or self.tally.stood_in or self._heard):
                raise
            outcome = Refusal("no reply")
        else:
            self._silent, self._heard = 0, True
        if isinstance(outcome, Refusal):
            return self._stand_in(make(order), outcome.reason)
        self.tally.written += 1
        return outcome
