"""The main path: what is found, kept and hidden in a description and in its query."""

from __future__ import annotations

import asyncio

from piibench.data.mentions import find_occurrences
from piibench.data.outcomes import Findings, Selection
from piibench.data.schema import Entity, Labelled, Prompt, gather_entities
from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.masking.vault import Vault
from piibench.systems.compose import detect_and_select, detect_then_select, protect, protect_sync

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


class AtOnce(ListSystem):
    """Says what the list says, in one step, and cannot take two."""

    async def detect(self, description: str) -> tuple[Entity, ...]:
        raise AssertionError

    async def detect_and_select(self, prompt: Prompt) -> Findings:
        return await detect_then_select(ListSystem(), prompt)


PROMPT = Prompt(description="Ada Byron, 34.", query="Should Cleo Vane in Turin ring 555-0117?")


def test_a_system_that_does_both_at_once_is_not_asked_for_either() -> None:
    assert protect_sync(AtOnce(), PROMPT) == protect_sync(ListSystem(), PROMPT)


def test_findings_are_those_of_both_texts_and_of_the_choice() -> None:
    found, asked, selection = asyncio.run(detect_and_select(ListSystem(), PROMPT))
    assert [entity.text for entity in found] == ["Ada Byron", "34"]
    assert [entity.text for entity in asked] == ["Cleo Vane", "Turin", "555-0117"]
    assert all(span.of(PROMPT.query) == entity.text for entity in asked for span in entity.mentions)
    assert selection.relevant == {"e2"}


def test_of_an_unknown_category_the_type_says_whether_it_singles_out() -> None:
    class Vague(AtOnce):
        async def detect_and_select(self, prompt: Prompt) -> Findings:
            places = {"Cleo": PIIType.PER, "Turin": PIIType.LOC, "555": PIIType.CODE}
            asked = gather_entities(
                prompt.query,
                (
                    Labelled(span, kind)
                    for value, kind in places.items()
                    for span in find_occurrences(prompt.query, value)
                ),
            )
            return Findings((), asked, Selection())

    masked = protect_sync(Vague(), Prompt(description="", query="Cleo of Turin, 555"))
    assert [(entity.id, entity.text) for entity in masked.asked] == [("q1", "Cleo"), ("q3", "555")]


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
