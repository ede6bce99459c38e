"""The main path: what is found, kept and hidden in a description and in its query."""

from __future__ import annotations

import asyncio

from piibench.data.mentions import find_occurrences
from piibench.data.outcomes import Selection
from piibench.data.schema import Entity, Labelled, Prompt, gather_entities
from piibench.data.taxonomy import TYPE_OF, Category
from piibench.masking.vault import Vault
from piibench.systems.compose import protect, protect_sync

KNOWN = {
    "Ada Byron": Category.FULL_NAME,
    "Turin": Category.CITY_REGION,
    "34": Category.AGE,
    "555-0117": Category.PHONE_NUMBER,
    "Cleo Vane": Category.FULL_NAME,
}


class ListSystem:
    """Finds the values of a list; keeps ages."""

    name = "list"
    fingerprint = "0000"

    async def detect(self, description: str) -> tuple[Entity, ...]:
        return gather_entities(
            description,
            (
                Labelled(span, TYPE_OF[category], category)
                for value, category in KNOWN.items()
                for span in find_occurrences(description, value)
            ),
        )

    async def select(self, prompt: Prompt, found: tuple[Entity, ...]) -> Selection:
        assert prompt.query
        return Selection.of(found, [entity.id for entity in found if entity.category is Category.AGE])


def test_hides_what_the_query_does_not_need() -> None:
    prompt = Prompt(description="Ada Byron, 34, of Turin: 555-0117.", query="How old is Ada Byron?")
    masked = asyncio.run(protect(ListSystem(), prompt))
    assert masked.description == "<Full Name>, 34, of <City/Region>: <Phone Number>."
    assert masked.query == "How old is <Full Name>?"


def test_direct_identifiers_that_only_the_query_states_are_hidden_there() -> None:
    prompt = Prompt(description="Ada Byron, 34.", query="Should Cleo Vane in Turin ring 555-0117?")
    masked = protect_sync(ListSystem(), prompt)
    assert masked.query == "Should <Full Name> in Turin ring <Phone Number>?"
    assert [entity.id for entity in masked.asked] == ["q1", "q3"]


def test_one_vault_serves_a_conversation() -> None:
    vault = Vault()
    first = protect_sync(
        ListSystem(), Prompt(description="Ada Byron.", query="Who?"), style="numbered", vault=vault
    )
    second = protect_sync(
        ListSystem(), Prompt(description="Cleo Vane, Ada Byron.", query="Who?"), style="numbered", vault=vault
    )
    assert first.description == "<Full Name 1>."
    assert second.description == "<Full Name 2>, <Full Name 1>."
