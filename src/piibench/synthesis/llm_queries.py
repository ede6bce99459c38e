"""Queries by a model, in the phases of section 3.2.3 and Appendix D.

Phase 1, the entities, is taken from a query of the frame: people chose there what a scenario needs. The
model makes a situation of the scenario (phase 2), finds allusions (phase 3) and writes the query (phase 4).
That E_q is necessary and sufficient is asked of the model: it must name the needed facts by itself, and they
must be these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from piibench.data.mentions import find_values
from piibench.data.taxonomy import PIIType
from piibench.prompts.answers import parse_object, strip_fence
from piibench.prompts.render import render
from piibench.synthesis.llm_asking import Refusal
from piibench.synthesis.verification import ORDINARY
from piibench.systems.rules.detector import detect

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from piibench.data.schema import Entity
    from piibench.synthesis.framing import FrameQuery
    from piibench.synthesis.llm_asking import Asker
    from piibench.synthesis.llm_features import Feature, Person

LEAST, MOST = 15, 600
"""Characters of a query."""

PLAIN_SHARE = 1 / 3
"""Share of the queries that are plain requests; the others allude to what they need (App. D)."""

_SITUATION = range(10, 501)
_LONGEST_TELLING = 2


@dataclass(frozen=True, slots=True)
class Situation:
    """Phases 2 and 3.

    Attributes:
        text: Who asks, and what for.
        allusions: Words for each needed fact.
    """

    text: str
    allusions: tuple[str, ...]


async def ask_by_model(
    asker: Asker, people: Sequence[Person], entities: Sequence[Entity], query: FrameQuery, rng: Random
) -> str | Refusal:
    """Have a model write a query.

    Args:
        asker: Asks it.
        people: The facts, the needed ones marked.
        entities: The description's entities; no query repeats any.
        query: Lends scenario and needs; its text is not used.
        rng: Chooses between allusion and plain request.

    Raises:
        EndpointError: The model gives no reply.
    """
    features = [feature for person in people for feature in person.features]
    prompt = render("scenario", scenario=query.scenario, features=features)
    situation = await asker.ask(
        "scenario", prompt, lambda reply: read_situation(reply, features, entities), max_tokens=400
    )
    if isinstance(situation, Refusal):
        return situation
    prompt = render(
        "query",
        situation=situation.text,
        allusions=situation.allusions,
        is_plain=rng.random() < PLAIN_SHARE,
    )
    return await asker.ask("query", prompt, lambda reply: read_query(reply, entities), max_tokens=250)


def read_situation(
    reply: str, features: Sequence[Feature], entities: Sequence[Entity]
) -> Situation | Refusal:
    """Check phases 2 and 3: the needed facts are those that were marked, each alluded to, none given away."""
    answer = parse_object(reply)
    if answer is None:
        return Refusal("unreadable", "Answer with the JSON object alone.")
    wanted = {str(number) for number, feature in enumerate(features, 1) if feature.needed}
    needed, allusions = answer.get("needed"), answer.get("allusions")
    if not isinstance(needed, list) or {str(each) for each in cast("list[Any]", needed)} != wanted:
        numbers = ", ".join(sorted(wanted))
        return Refusal(
            "other facts needed", f"Find a situation in which exactly these are needed: {numbers}."
        )
    if not isinstance(allusions, dict) or set(cast("dict[str, Any]", allusions)) != wanted:
        return Refusal("allusion missing", "Give an allusion for each needed fact, by its number.")
    words = tuple(str(each).strip() for each in cast("dict[str, Any]", allusions).values())
    text = str(answer.get("situation", "")).strip()
    if len(text) not in _SITUATION or not all(words):
        return Refusal("no situation", "Describe the situation in one sentence.")
    if _gives_away(" \n".join((text, *words)), entities):
        return Refusal(
            "value given away", "Name none of the values, neither in the situation nor in allusions."
        )
    return Situation(text, words)


def read_query(reply: str, entities: Sequence[Entity]) -> str | Refusal:
    """Check a query: its length, and that it repeats no value."""
    text = strip_fence(reply).removeprefix("Question:").removeprefix("Query:").strip().strip('"“”').strip()
    if not LEAST <= len(text) <= MOST:
        return Refusal("too short" if len(text) < LEAST else "too long", "Write one to three sentences.")
    if _gives_away(text, entities):
        return Refusal("value given away", "Write it again without any value of the facts.")
    if _names_anybody(text, entities):
        return Refusal("name given away", "Write it again without any name, number or address of a person.")
    return text


def _names_anybody(text: str, entities: Sequence[Entity]) -> bool:
    """Whether a part of a name stands there, or what singles out a person who is not in the description."""
    names = (entity.text for entity in entities if entity.type is PIIType.PER)
    parts = {part for name in names for part in name.split() if part.casefold() not in ORDINARY}
    singled = (entity for entity in detect(text) if entity.type in (PIIType.PER, PIIType.CODE))
    return any(True for _ in find_values(text, parts)) or any(True for _ in singled)


def _gives_away(text: str, entities: Sequence[Entity]) -> bool:
    values = {
        entity.text.casefold()
        for entity in entities
        if not entity.text.isdecimal() or len(entity.text) > _LONGEST_TELLING
    }
    return bool(find_values(text.casefold(), values))
