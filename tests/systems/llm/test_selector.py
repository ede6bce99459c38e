"""A model as selector: a strategy answers, the selection follows."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from piibench.data.schema import Prompt
from piibench.llm.scripted import ScriptedChat
from piibench.strategies.base import Choice, Question
from piibench.systems.llm.placement import place_entities
from piibench.systems.llm.selector import LLMSelector

TEXT = "Maren, 34, of Odense; her son is Ole, 7. Odense!"
FOUND = place_entities(
    TEXT,
    [
        ("A", "Maren", "PER"),
        ("A", "34", "Age"),
        ("A", "Odense", "LOC"),
        ("B", "Odense", "LOC"),
        ("B", "7", "Age"),
    ],
)
ASKED = Prompt(description=TEXT, query="Where?")


@dataclass
class Stub:
    """A strategy that gives a fixed answer."""

    values: tuple[str, ...] | None
    name: str = "stub"
    title: str = "Stub"
    temperature: float = 0.0
    max_tokens: int = 64
    needs_candidates: bool = True
    needs_shots: bool = False
    asked: list[Question] = field(default_factory=list)

    async def choose(self, chat, question: Question) -> Choice:
        self.asked.append(question)
        return Choice(self.values, ())


def choose(strategy: Stub, prompt: Prompt = ASKED, found=FOUND, **options):
    return asyncio.run(LLMSelector(ScriptedChat([], "m1"), strategy, **options).select(prompt, found))


def test_what_is_named_is_kept_whoever_has_it_and_in_any_letter_case() -> None:
    strategy = Stub(("odense", "Nowhere"))
    selection = choose(strategy)
    assert [one.entity_id for one in selection.decisions] == [one.id for one in FOUND]
    assert selection.relevant == {one.id for one in FOUND if one.text == "Odense"}
    [question] = strategy.asked
    assert question.candidates == ("Maren", "34", "Odense", "7")
    assert question.goal == "needed"
    assert question.prompt == ASKED


def test_who_needs_no_candidates_gets_none() -> None:
    strategy = Stub(("Odense",), needs_candidates=False)
    assert choose(strategy, shots=("an example",)).relevant
    assert strategy.asked[0].candidates is None
    assert strategy.asked[0].shots == ("an example",)


def test_reasons_are_free_of_values() -> None:
    reasons = [one.reason for one in choose(Stub(("34",))).decisions]
    assert reasons[0] == "hidden: m1 does not name it; PER"
    assert reasons[1] == "kept: the model names it; Age"
    assert not any(one.text in reason for one in FOUND for reason in reasons)


def test_an_unreadable_answer_hides_all_and_says_so() -> None:
    flags: list[bool] = []
    selection = choose(Stub(None), on_unreadable=lambda: flags.append(True))
    assert selection.relevant == frozenset()
    assert selection.decisions[0].reason == "hidden: m1 gave no readable answer; PER"
    assert flags == [True]
    assert choose(Stub(None)).relevant == frozenset()


def test_no_query_or_nothing_found_is_no_question() -> None:
    strategy = Stub(("Odense",))
    assert choose(strategy, Prompt(description=TEXT, query=" ")).relevant == frozenset()
    assert choose(strategy, found=()).decisions == ()
    assert strategy.asked == []
