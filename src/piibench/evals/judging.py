"""A judge rates the answers of a trade-off (Eq. 19): two at a time, beside the answer to the original prompt.

A judge that sees two answers may favour the first, so each pair is shown in both orders by default. With one
order the answers take turns: in a ring of three or more each is first once and second once, and whether a
sample's pairs are turned round is drawn from its id.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from piibench.llm.chat import Message
from piibench.prompts.judgements import parse_judgement
from piibench.prompts.render import render

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from piibench.llm.chat import Chat
    from piibench.prompts.judgements import Judgement

BOTH_ORDERS = 2


class Opinion(NamedTuple):
    """What a judge said of one answer, once.

    Attributes:
        beside: Name of the other answer that it saw.
        place: 0 where this answer was shown first, 1 where second.
        rating: From 1 to 10; None where the judge's reply could not be read.
        verdict: From -2, the reference is much better, to 2; None where it could not be read.
    """

    beside: str
    place: int
    rating: float | None
    verdict: int | None


@dataclass(slots=True)
class Judge:
    """Judges the answers to one query.

    Attributes:
        chat: The judge.
        query: What was asked, as its author wrote it.
        reference: The answer to the original prompt.
        seed: Of the judge's choices, where it can do that.
    """

    chat: Chat
    query: str = field(repr=False)
    reference: str = field(repr=False)
    seed: int
    _known: dict[tuple[str, str], Judgement | None] = field(
        default_factory=dict[tuple[str, str], "Judgement | None"], repr=False
    )

    async def rate(
        self, answers: Mapping[str, str], shown: Sequence[tuple[str, str]]
    ) -> dict[str, list[Opinion]]:
        """Have answers rated.

        Args:
            answers: By their names.
            shown: Names of the two answers of each prompt, as `arrange_pairs` gives them.

        Returns:
            The opinions on each answer.

        Raises:
            EndpointError: No reply came.
        """
        opinions: dict[str, list[Opinion]] = {name: [] for name in answers}
        for pair in shown:
            judgement = await self._ask(answers[pair[0]], answers[pair[1]])
            for place, name in enumerate(pair):
                rating = judgement.ratings[place] if judgement else None
                verdict = judgement.verdicts[place] if judgement else None
                beside = pair[1 - place]
                opinions[name].append(
                    Opinion(beside, place, rating, None if verdict is None else int(verdict))
                )
        return opinions

    async def _ask(self, first: str, second: str) -> Judgement | None:
        if (first, second) not in self._known:
            prompt = render(
                "judge", query=self.query, reference=self.reference, response_a=first, response_b=second
            )
            reply = await self.chat.complete([Message("user", prompt)], seed=self.seed)
            self._known[first, second] = parse_judgement(reply.text)
        return self._known[first, second]


def arrange_pairs(names: Sequence[str], *, orders: int, turned: bool) -> tuple[tuple[str, str], ...]:
    """Say which two answers a judge sees together, and which first.

    Each answer is seen beside the next, the last beside the first: every one equally often, at a cost that
    grows with their number, not its square. Of two or three these are all pairs.

    Args:
        names: Two or more answers.
        orders: 2 for each pair in both orders, 1 for one of them.
        turned: With one order, whether it is turned round.
    """
    ring = len(names) if len(names) > BOTH_ORDERS else 1
    pairs = [(names[at], names[(at + 1) % len(names)]) for at in range(ring)]
    back = [(second, first) for first, second in pairs]
    if orders == BOTH_ORDERS:
        return tuple(each for both in zip(pairs, back, strict=True) for each in both)
    return tuple(back if turned else pairs)


def is_turned(identifier: str, seed: int) -> bool:
    """Draw whether a sample's pairs are turned round: the same at every attempt, and true of about half."""
    return bool(hashlib.sha256(f"{seed} {identifier}".encode()).digest()[0] % 2)


def match_orders(opinions: Sequence[Opinion]) -> Iterator[tuple[Opinion, Opinion]]:
    """Yield the two opinions on an answer beside the same other one, shown first and shown second."""
    first = {each.beside: each for each in opinions if each.place == 0}
    for each in opinions:
        if each.place == 1 and each.beside in first:
            yield first[each.beside], each
