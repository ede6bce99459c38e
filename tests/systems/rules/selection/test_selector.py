"""Which entities a query needs: worked cases, reasons, and the samples that ship."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marked_text import read_marked
from piibench.data.schema import Entity, Prompt
from piibench.data.shipped import load_demos, load_shipped
from piibench.data.taxonomy import Category, PIIType
from piibench.systems.rules.selection.selector import select

MONEY = (
    "I'm {Oda|Nickname|A}. I take in {€2,900|Monthly Income|A}, the flat costs {€1,100|Monthly Expenses|A}, "
    "the bank holds {€14,000|Account Balance|A} and I owe {€3,000|Loan Amount|A}. Score {701|Credit Score|A}. "
    "Ring {555-0101|Phone Number|A}. I live with {asthma|Medical Condition|A} in {Ghent|City/Region|A}."
)
FAMILY = (
    "I'm {Nora|Nickname|A}, {41|Age|A}, {welder|Occupation|A}, and I have {gout|Medical Condition|A}. "
    "My daughter {Ida|Nickname|B} is {9|Age|B} and has a {nut allergy|Medical Condition|B}. "
    "My brother {Emil Falk|Full Name|C}, {38|Age|C}, is a {baker|Occupation|C} with {lupus|Medical Condition|C}."
)
PANEL = (
    "First {Ann Lee|Full Name|A}, {BSc in Physics|Academic Degree|A}, {9 years|Duration|A}, {52|Age|A}. "
    "Then {Bo Kern|Full Name|B}, {PhD in Optics|Academic Degree|B}, {2 years|Duration|B}, {30|Age|B}."
)
PAPERS = (
    "{Ivo Lenz|Full Name|A}, passport {P0112|Passport Number|A}, licence {D5512|Driver's License|A}, "
    "{Swiss|Nationality|A}, {male|Gender|A}, flies on {3 May|Date|A} at {7:10|Time|A} from {Bern|City/Region|A}."
)
CASES = [
    (MONEY, "Given what I take home, how should I plan?", {"€2,900"}),
    (MONEY, "Can I afford it?", {"€2,900", "€14,000"}),
    (MONEY, "Is a mortgage realistic?", {"€2,900", "€14,000"}),
    (MONEY, "What goes out each month looks like too much, does it?", {"€1,100"}),
    (MONEY, "How do I talk about my long-standing condition?", {"asthma"}),
    (MONEY, "How can the office contact me?", {"555-0101"}),
    (MONEY, "Is my financial situation sound?", {"€2,900", "€14,000"}),
    (MONEY, "Write a limerick about an owl.", set()),
    (MONEY, "Plan a budget without mentioning my savings, please.", {"€2,900", "€1,100"}),
    (MONEY, "Does the weather in Ghent suit lemons?", {"Ghent"}),
    (PAPERS, "Which visa do I need?", {"Swiss", "P0112"}),
    (PAPERS, "May I rent a car there?", {"D5512"}),
    (PAPERS, "Remind me when it leaves: on which day and at what time?", {"3 May", "7:10"}),
    (PAPERS, "Which pronouns go into the form?", {"male"}),
    (FAMILY, "Which snack is safe for my daughter?", {"nut allergy"}),
    (FAMILY, "Is my medical condition serious?", {"gout"}),
    (FAMILY, "My daughter asked: what does she do about her allergy?", {"nut allergy"}),
    (FAMILY, "What should Emil know about his illness?", {"lupus"}),
    (FAMILY, "Compare my job with that of my brother.", {"welder"}),
    (FAMILY, "How old is everyone, all of us?", {"41", "9", "38"}),
    (PANEL, "Who has more years of experience?", {"9 years", "2 years"}),
    (PANEL, "What degree does the second candidate hold?", {"PhD in Optics"}),
    (PANEL, "Compare the degrees of both without mentioning their age.", {"BSc in Physics", "PhD in Optics"}),
]


@pytest.mark.parametrize(("marked", "query", "kept"), CASES, ids=[case[1][:40] for case in CASES])
def test_worked_cases(marked, query, kept):
    prompt, found = read_marked(marked, query)
    relevant = select(prompt, found).relevant
    assert {entity.text for entity in found if entity.id in relevant} == kept


@pytest.mark.parametrize(
    ("marked", "query", "value", "reason"),
    [
        (
            MONEY,
            "Is a mortgage realistic?",
            "€2,900",
            "kept: the query asks about a mortgage; Monthly Income",
        ),
        (MONEY, "Is a mortgage realistic?", "701", "hidden: the query can do without the Credit Score"),
        (MONEY, "Is a mortgage realistic?", "Oda", "hidden: a person's name is never needed"),
        (
            MONEY,
            "Is a mortgage realistic?",
            "555-0101",
            "hidden: nothing in the query calls for a Phone Number",
        ),
        (MONEY, "How is my health?", "asthma", "kept: the query alludes to health; Medical Condition"),
        (MONEY, "What do I earn?", "€2,900", "kept: the query alludes to it; Monthly Income"),
        (MONEY, "Is Ghent nice?", "Ghent", "kept: the query itself states it; City/Region"),
        (MONEY, "A budget, leave out my savings.", "€14,000", "hidden: the query asks to leave it out"),
        (MONEY, "   ", "€2,900", "hidden: there is no query"),
        (FAMILY, "How old is my daughter?", "41", "hidden: the query is about another person"),
        (PANEL, "How old is the first candidate?", "30", "hidden: the query is about another person"),
        (PAPERS, "Hello!", "P0112", "hidden: nothing in the query calls for a Passport Number"),
    ],
)
def test_reasons(marked, query, value, reason):
    prompt, found = read_marked(marked, query)
    decisions = {d.entity_id: d for d in select(prompt, found).decisions}
    entity = next(entity for entity in found if entity.text == value)
    assert decisions[entity.id].reason == reason


def test_an_article_suits_its_category():
    prompt, found = read_marked(
        "{ops@example.org|Email Address|A} {Red Crescent|NGO|A}", "Why is the sky blue?"
    )
    assert [d.reason for d in select(prompt, found).decisions] == [
        "hidden: nothing in the query calls for an Email Address",
        "hidden: nothing in the query calls for an NGO",
    ]


def test_a_direct_identifier_in_the_query_is_not_kept_for_being_there():
    prompt, found = read_marked(
        "Card {4111 1111 1111 1111|Credit Card|A}.", "Rhyme with 4111 1111 1111 1111!"
    )
    assert not select(prompt, found).relevant


def test_of_two_dates_the_one_in_a_sentence_about_the_same_is_kept():
    marked = "The lease ends on {1 June|Date|A}. My driving test is on {4 May|Date|A}."
    prompt, found = read_marked(marked, "How many days are left until the driving lesson exam, by date?")
    decisions = {e.text: d for e, d in zip(found, select(prompt, found).decisions, strict=True)}
    assert decisions["4 May"].keep
    assert decisions["1 June"].reason == "hidden: another Date fits the query better"


def test_both_dates_are_kept_where_neither_fits_better():
    prompt, found = read_marked("{1 June|Date|A} or {4 May|Date|A}.", "Which dates are these?")
    assert len(select(prompt, found).relevant) == 2


def test_an_entity_of_unknown_category_is_hidden():
    entity = Entity(id="e1", subject="A", text="x1", type=PIIType.CODE, mentions=[(0, 2)])
    (decision,) = select(Prompt(description="x1", query="What is my phone number?"), (entity,)).decisions
    assert (decision.keep, decision.reason) == (False, "hidden: its category is not known")


def test_nothing_found_gives_no_decision():
    assert select(Prompt(description="", query="Can I afford it?"), ()).decisions == ()


@pytest.mark.parametrize("sample", [*load_shipped(), *load_demos()], ids=lambda sample: sample.id)
class TestOnShippedSamples:
    def test_one_decision_for_each_entity_in_order(self, sample):
        decisions = select(sample.prompt, sample.entities).decisions
        assert [d.entity_id for d in decisions] == [entity.id for entity in sample.entities]
        assert all(0 <= d.score <= 1 for d in decisions)

    def test_no_name_is_kept_and_no_reason_holds_a_value(self, sample):
        for entity, decision in zip(
            sample.entities, select(sample.prompt, sample.entities).decisions, strict=True
        ):
            assert not (decision.keep and entity.type is PIIType.PER)
            assert decision.reason.startswith("kept: " if decision.keep else "hidden: ")
            if entity.type in {PIIType.PER, PIIType.CODE, PIIType.QUANTITY}:
                assert entity.text not in decision.reason

    def test_the_order_of_entities_does_not_matter(self, sample):
        turned = sample.entities[::-1]
        assert select(sample.prompt, turned).relevant == select(sample.prompt, sample.entities).relevant


def test_f1_on_the_shipped_samples_with_gold_entities():
    scores = []
    for sample in [*load_shipped(), *load_demos()]:
        gold, pred = set(sample.relevant), select(sample.prompt, sample.entities).relevant
        scores.append(2 * len(gold & pred) / (len(gold) + len(pred)) if gold or pred else 1.0)
    assert sum(scores) / len(scores) > 0.9


def test_the_paper_s_scheduling_example(shared_data):
    lines = (shared_data / "paper-examples" / "examples.jsonl").read_text("utf-8").splitlines()
    record = json.loads(lines[0])
    category = {
        "Global Health Research Center": Category.NGO,
        "8th Floor, No. 200, George Street, Sydney": Category.STREET_ADDRESS,
        "hypertension": Category.MEDICAL_CONDITION,
        "3:14 PM": Category.TIME,
        "14593742147": Category.PHONE_NUMBER,
    }
    marked = record["description"]
    for value, name in category.items():
        marked = marked.replace(value, f"{{{value}|{name}|A}}")
    prompt, found = read_marked(marked, record["query"])
    relevant = select(prompt, found).relevant
    assert {entity.text for entity in found if entity.id in relevant} == set(record["query_related"])


@given(st.text(max_size=300), st.text(max_size=200))
def test_any_text_is_decided_on(description, query):
    prompt = Prompt(description=MONEY + description, query=query)
    _, found = read_marked(MONEY)
    assert len(select(prompt, found).decisions) == len(found)


@pytest.mark.parametrize(
    "unit",
    ["Does my daughter earn enough for her school, and can I afford it? ", "my old dear daughter ", "my "],
)
def test_a_long_query_takes_linear_time(unit):
    prompt, found = read_marked(FAMILY, unit * 4_000)
    started = time.process_time()
    select(prompt, found)
    assert time.process_time() - started < 1.0


def test_thousands_of_entities_take_linear_time():
    unit = "{Ana|Nickname|A} is {30|Age|A}, {Bo|Nickname|B} owes {€5|Loan Amount|B}. "
    prompt, found = read_marked(unit * 2_000, "What does Bo owe, and how old is Ana?")
    many = tuple(
        Entity(
            id=f"x{n}",
            subject=entity.subject,
            text=entity.text,
            type=entity.type,
            category=entity.category,
            mentions=(span,),
        )
        for n, (entity, span) in enumerate((e, s) for e in found for s in e.mentions)
    )
    started = time.process_time()
    relevant = select(prompt, many).relevant
    assert time.process_time() - started < 1.0
    assert {entity.text for entity in many if entity.id in relevant} == {"30", "€5"}


def test_a_fact_taken_for_anothers_is_kept_where_nobody_else_has_it():
    prompt, found = read_marked(
        "{Ana|Nickname|A} wrote this. The pay is {€900|Monthly Income|B}. {Bo|Nickname|B} is in.",
        "What does Ana's income allow?",
    )
    kept = {entity.text for entity in found if entity.id in select(prompt, found).relevant}
    assert kept == {"€900"}
