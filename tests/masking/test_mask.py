"""Masking a prompt: everything that is not kept goes, everything comes back."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import Span, find_occurrences, find_values
from piibench.data.outcomes import Decision, Masked, Selection
from piibench.data.schema import Entity, Prompt
from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.errors import DataError, InputError
from piibench.masking.mask import mask
from piibench.masking.placeholders import find_exact
from piibench.masking.restore import restore
from piibench.masking.vault import Vault


def entity(identifier: str, text: str, category: str, mentions) -> Entity:
    """An entity with its mentions, or with all whole occurrences in the text given in their place."""
    spans = (
        find_occurrences(mentions, text) if isinstance(mentions, str) else (Span(*span) for span in mentions)
    )
    row = {"id": identifier, "subject": "A", "text": text, "category": category, "mentions": tuple(spans)}
    return Entity.model_validate(row)


TEXT = "Ann Lee, 34, earns $5,000. ANN LEE owes $900 and rings 555-1234."
QUERY = "Can Ann Lee (555-1234) borrow more on $5,000?"
FOUND = (
    entity("e1", "Ann Lee", "Full Name", TEXT),
    entity("e2", "34", "Age", TEXT),
    entity("e3", "$5,000", "Monthly Income", TEXT),
    entity("e4", "$900", "Loan Amount", TEXT),
    entity("e5", "555-1234", "Phone Number", TEXT),
)


def mask_text(text: str, *entities: Entity, keep=(), query: str = "", **options: Any) -> Masked:
    return mask(Prompt(description=text, query=query), entities, keep, **options)


def test_tags_hide_all_that_is_not_kept_in_both_texts():
    masked = mask_text(TEXT, *FOUND, keep={"e3", "e4"}, query=QUERY)
    assert masked.description == (
        "<Full Name>, <Age>, earns $5,000. <Full Name> owes $900 and rings <Phone Number>."
    )
    assert masked.query == "Can <Full Name> (<Phone Number>) borrow more on $5,000?"
    assert (masked.exposed, masked.lost) == ((), ())
    assert masked.selection.relevant == {"e3", "e4"}
    assert [decision.entity_id for decision in masked.selection.decisions] == ["e1", "e2", "e3", "e4", "e5"]
    assert [(r.part, r.entity_id) for r in masked.replacements] == [
        ("description", "e1"), ("description", "e2"), ("description", "e1"), ("description", "e5"),
        ("query", "e1"), ("query", "e5"),
    ]  # fmt: skip


def test_numbers_tell_values_apart_and_spellings_come_back_as_they_were():
    vault = Vault()
    masked = mask_text(TEXT, *FOUND, keep={"e3", "e4"}, query=QUERY, style="numbered", vault=vault)
    assert masked.description == (
        "<Full Name 1>, <Age 1>, earns $5,000. <Full Name 2> owes $900 and rings <Phone Number 1>."
    )
    assert masked.query == "Can <Full Name 1> (<Phone Number 1>) borrow more on $5,000?"
    assert restore(masked.description, vault) == TEXT
    assert restore("Dear <Full Name 2> alias [full name 1]", vault) == "Dear ANN LEE alias Ann Lee"


def test_a_type_without_category_names_the_placeholder():
    typed = Entity(id="e1", subject="A", text="Ann", type=PIIType.PER, mentions=(Span(0, 3),))
    assert mask_text("Ann ran.", typed).description == "<PER> ran."


def test_a_selection_is_handed_on_and_completed():
    chosen = Selection(
        (Decision("e3", keep=True, reason="kept: the query asks about a loan; Monthly Income"),)
    )
    masked = mask_text(TEXT, *FOUND, keep=chosen)
    assert masked.selection.decisions[2] is chosen.decisions[0]
    assert masked.selection.relevant == {"e3"}
    assert len(masked.selection.decisions) == len(FOUND)
    assert not any(found.text in str(masked.selection) for found in FOUND)


def test_asked_entities_are_hidden_everywhere_unless_the_description_keeps_their_value():
    text, query = "Her card ends in 4242; call Bob.", "Is BOB at 555-0000, card 4242?"
    found = (entity("e1", "4242", "Credit Card", text), entity("e2", "Bob", "Nickname", text))
    asked = (
        entity("q1", "BOB", "Nickname", query),
        entity("q2", "555-0000", "Phone Number", query),
        entity("q3", "4242", "Credit Card", query),
    )
    masked = mask_text(text, *found, keep=["e1", "e2"], query=query, asked=asked)
    assert masked.query == "Is BOB at <Phone Number>, card 4242?"
    assert masked.selection.relevant == {"e1", "e2", "q1", "q3"}
    masked = mask_text(text, *found, keep=["e1"], query=query, asked=asked)
    assert masked.query == "Is <Nickname> at <Phone Number>, card 4242?"
    assert masked.description == "Her card ends in 4242; call <Nickname>."
    # what only the query states is hidden in the description too
    assert mask_text("555-0000 rang", query=query, asked=asked[1:2]).description == "<Phone Number> rang"


@pytest.mark.parametrize(
    ("keep", "named", "left"),
    [
        (["e1"], "Ines", "Ines"),
        (["e1"], "INES", "INES"),
        (["e1"], "Tomas", "<Nickname>"),
        (["e1"], "Vogt", "<Nickname>"),  # the hidden Tomas has that name, too
        (["e1", "e2"], "Vogt", "Vogt"),
        (["e1", "e2"], "Ines Tomas", "<Nickname>"),  # nobody has both names
        (["e1", "e2"], "Vogt-Bell", "<Nickname>"),
        (["e2"], "Ines", "<Nickname>"),
        (["e3"], "Rose", "<Nickname>"),  # a street of that name
        (["e4"], "Florence", "<Nickname>"),  # the hidden town has that name, too
        (["e4"], "Gray", "Gray"),
        (["e4", "e5"], "Florence", "Florence"),
        (["e6"], "प्रिया", "प्रिया"),
        (["e6"], "पिया", "<Nickname>"),  # of letters that are in the other, but another name
    ],
)
def test_a_query_names_whom_the_description_names_with_a_part_of_the_name(keep, named: str, left: str):
    text = "Ines Vogt of 12 Rose Lane, Florence Gray of Florence, Tomas Vogt, प्रिया शर्मा."
    query = f"Can {named} pay?"
    found = (
        entity("e1", "Ines Vogt", "Full Name", text),
        entity("e2", "Tomas Vogt", "Full Name", text),
        entity("e3", "12 Rose Lane", "Street Address", text),
        entity("e4", "Florence Gray", "Full Name", text),
        entity("e5", "Florence", "City/Region", [(44, 52)]),
        entity("e6", "प्रिया शर्मा", "Full Name", text),
    )
    masked = mask_text(text, *found, keep=keep, query=query, asked=[entity("q1", named, "Nickname", query)])
    assert masked.query == f"Can {left} pay?"


def test_a_part_of_a_name_is_looked_up_among_few_names():
    """Each of 4,000 names in the query against each of 4,000 in the description would take minutes."""
    names = [f"N{number} Vogt" for number in range(4000)]
    text, query = ", ".join(names), " ".join(f"N{number}" for number in range(4000))
    places, asked, at = [], [], 0
    for number, name in enumerate(names):
        places.append(entity(f"e{number}", name, "Full Name", [(at, at + len(name))]))
        at += len(name) + 2
    at = 0
    for number, word in enumerate(query.split()):
        asked.append(entity(f"q{number}", word, "Nickname", [(at, at + len(word))]))
        at += len(word) + 1
    assert (
        mask_text(text, *places, keep=[each.id for each in places], query=query, asked=asked).query == query
    )


def test_what_stays_although_hidden_and_what_goes_although_kept_is_reported():
    text = "Age 34, of 34 Elm Street, born in Lyme Regis."
    found = (
        entity("e1", "34", "Age", [(4, 6)]),
        entity("e2", "34 Elm Street", "Street Address", text),
        entity("e3", "Lyme", "Landmark", text),
        entity("e4", "Lyme Regis", "City/Region", text),
    )
    masked = mask_text(text, *found, keep=["e2", "e3"])
    assert masked.description == "Age <Age>, of 34 Elm Street, born in <City/Region>."
    assert (masked.exposed, masked.lost) == (("e1",), ("e3",))


def test_a_kept_value_is_not_lost_where_it_shows_in_the_query():
    text, query = "Lyme Regis", "Is Lyme far?"
    found = (entity("e1", "Lyme", "Landmark", text), entity("e2", "Lyme Regis", "City/Region", text))
    masked = mask_text(text, *found, keep=["e1"], query=query)
    assert (masked.description, masked.query, masked.lost) == ("<City/Region>", "Is Lyme far?", ())


def test_numbers_stay_over_several_calls_with_one_vault():
    vault, text = Vault(), "Ann met Bob."
    ann, bob = entity("e1", "Ann", "Nickname", text), entity("e2", "Bob", "Nickname", text)
    first = mask_text(text, ann, bob, style="numbered", vault=vault)
    second = mask_text(
        "Bob left.", entity("e1", "Bob", "Nickname", "Bob left."), style="numbered", vault=vault
    )
    assert first.description == "<Nickname 1> met <Nickname 2>."
    assert second.description == "<Nickname 2> left."


def test_two_conversations_never_mix():
    mine, yours = Vault(), Vault()
    mask_text("Ann", entity("e1", "Ann", "Nickname", "Ann"), style="numbered", vault=mine)
    mask_text("Bob", entity("e1", "Bob", "Nickname", "Bob"), style="numbered", vault=yours)
    assert (restore("<Nickname 1>", mine), restore("<Nickname 1>", yours)) == ("Ann", "Bob")


@pytest.mark.parametrize("look_alike", ["<Nickname 1>", "[nickname_1]", "Nickname 1"])
def test_a_placeholder_that_a_user_writes_never_brings_back_a_value(look_alike: str):
    vault, text = Vault(), f"Ann says {look_alike}."
    masked = mask_text(text, entity("e1", "Ann", "Nickname", text), style="numbered", vault=vault)
    assert masked.description == f"<Nickname 2> says {look_alike}."
    assert restore(masked.description, vault) == text


def test_a_word_cut_by_masking_cannot_become_a_placeholder():
    # once "2" is gone, "Age 1" stands alone; its number must not belong to a value
    vault, text = Vault(), "Age 12 or 7"
    found = (entity("e1", "2", "Date", [(5, 6)]), entity("e2", "7", "Age", [(10, 11)]))
    masked = mask_text(text, *found, style="numbered", vault=vault)
    assert masked.description == "Age 1<Date 1> or <Age 2>"
    assert restore(masked.description, vault) == text


@pytest.mark.parametrize(
    ("keep", "message"),
    [
        (["e1", "Zoe"], r"keep\[1\] is the id of no entity"),
        ("Zoe", r"keep\[0\] is the id of no entity"),
        (Selection((Decision("Zoe", keep=True, reason=""),)), r"keep\[0\] is the id of no entity"),
    ],
)
def test_an_unknown_id_to_keep_is_refused(keep, message: str):
    with pytest.raises(InputError, match=message) as caught:
        mask_text(TEXT, *FOUND, keep=keep)
    assert "Zoe" not in str(caught.value)


@pytest.mark.parametrize(
    ("found", "asked", "field"),
    [
        ([entity("e1", "Zoe", "Nickname", [(1, 4)])], [], r"found\[0\].mentions\[0\]"),
        ([entity("e1", "Zoe", "Nickname", [(0, 3), (9, 12)])], [], r"found\[0\].mentions\[1\]"),
        ([], [entity("q1", "Zoe", "Nickname", [(0, 3)])], r"asked\[0\].mentions\[0\]"),
        ([entity("e1", "Zoe", "Nickname", [(0, 3)])] * 2, [], r"found\[1\].id"),
        (
            [entity("e1", "Zoe", "Nickname", [(0, 3)])],
            [entity("e1", "Ann", "Nickname", [(0, 3)])],
            r"asked\[0\].id",
        ),
    ],
)
def test_entities_that_do_not_fit_are_refused_without_their_value(found, asked, field: str):
    with pytest.raises(DataError, match=field) as caught:
        mask(Prompt(description="Zoe ran", query="Ann?"), found, asked=asked)
    assert "Zoe" not in str(caught.value)


@pytest.mark.parametrize("style", ["tag", "numbered"])
@pytest.mark.parametrize("text", ["", "no entity", "\0", "\ud800 <Age>", "a\r\nb", "\u202eאב\u0301"])
def test_a_text_without_entities_stays(text: str, style):
    masked = mask_text(text, query=text, style=style)
    assert (masked.description, masked.query, masked.replacements) == (text, text, ())


def test_a_lone_surrogate_beside_a_value_is_no_obstacle():
    vault, text = Vault(), "\ud800 Ann \udfff"
    masked = mask_text(text, entity("e1", "Ann", "Nickname", text), vault=vault, query="ann\ud83d")
    assert (masked.description, masked.query) == ("\ud800 <Nickname> \udfff", "<Nickname>\ud83d")


TOKENS = (
    "Ann", "ANN", "Ann Lee", "Lee", "34", "1", "2", "a", "Age", "Age 1", "<Age 1>", "<Age>", "[age 1]", "&lt;Date 1&gt;",
    "<", ">", "&lt;", " ", " ", "-", "_", ".", "é", "e\u0301", "שלום", "王小明", "İ", "ß", "\0", "\r\n", "\u202e", "yo",
)  # fmt: skip
LABELS = tuple(str(category) for category in (Category.AGE, Category.DATE, Category.NICKNAME))
texts = st.lists(st.sampled_from(TOKENS) | st.text(max_size=2), max_size=12).map("".join)


@st.composite
def tasks(draw: st.DrawFn) -> tuple[Prompt, tuple[Entity, ...], tuple[Entity, ...], frozenset[str]]:
    """Any two texts, any spans in them, any of them kept."""
    parts = []
    for prefix in ("e", "q"):
        text, entities = draw(texts), []
        for number in range(draw(st.integers(0, 5)) if text else 0):
            start = draw(st.integers(0, len(text) - 1))
            end = draw(st.integers(start + 1, min(len(text), start + 8)))
            value, spans = text[start:end], {Span(start, end)}
            if draw(st.booleans()):
                spans |= set(find_occurrences(text, value))
            category = Category(draw(st.sampled_from(LABELS)))
            entities.append(
                Entity(id=f"{prefix}{number}", subject="A", text=value, type=TYPE_OF[category], category=category, mentions=tuple(spans))
            )  # fmt: skip
        parts.append((text, tuple(entities)))
    (description, found), (query, asked) = parts
    keep = draw(st.sets(st.sampled_from([e.id for e in (*found, *asked)]))) if found or asked else set()
    return Prompt(description=description, query=query), found, asked, frozenset(keep)


@given(tasks())
def test_what_was_masked_comes_back(task):
    prompt, found, asked, keep = task
    vault = Vault()
    masked = mask(prompt, found, keep, asked=asked, style="numbered", vault=vault)
    assert restore(masked.description, vault) == prompt.description
    assert restore(masked.query, vault) == prompt.query


@given(tasks(), st.sampled_from(["tag", "numbered"]))
def test_replacements_tell_the_whole_story(task, style):
    prompt, found, asked, keep = task
    masked = mask(prompt, found, keep, asked=asked, style=style)
    for part, text, out in (
        ("description", prompt.description, masked.description), ("query", prompt.query, masked.query),
    ):  # fmt: skip
        rebuilt = text
        for replacement in reversed([r for r in masked.replacements if r.part == part]):
            assert replacement.entity_id not in masked.selection.relevant
            start, end = replacement.span
            rebuilt = rebuilt[:start] + replacement.placeholder + rebuilt[end:]
        assert rebuilt == out


@given(tasks(), st.sampled_from(["tag", "numbered"]))
def test_no_hidden_value_shows_outside_placeholders_unless_reported(task, style):
    prompt, found, asked, keep = task
    masked = mask(prompt, found, keep, asked=asked, style=style)
    hidden = [e for e in (*found, *asked) if e.id not in masked.selection.relevant | set(masked.exposed)]
    for text in (masked.description, masked.query):
        walls = find_exact(text)
        for value, span in find_values(text, [e.text for e in hidden]):
            assert any(span.overlaps(wall) for wall in walls), value


@given(tasks(), st.sampled_from(["tag", "numbered"]))
def test_masking_twice_changes_nothing(task, style):
    prompt, found, asked, keep = task
    once = mask(prompt, found, keep, asked=asked, style=style)
    again = [relocate(once.description, found, once), relocate(once.query, asked, once)]
    still = {e.id for entities in again for e in entities} & once.selection.relevant
    twice = mask(
        Prompt(description=once.description, query=once.query), again[0], still, asked=again[1], style=style
    )
    assert (twice.description, twice.query) == (once.description, once.query)


def relocate(text: str, entities: tuple[Entity, ...], once: Masked) -> tuple[Entity, ...]:
    """The entities where their values still stand: kept ones, and hidden ones inside placeholders."""
    walls, out = find_exact(text), []
    for one in entities:
        spans = [
            span
            for span in find_occurrences(text, one.text)
            if one.id not in once.exposed
            and (one.id in once.selection.relevant or any(wall.contains(span) for wall in walls))
        ]
        if spans:
            out.append(one.model_copy(update={"mentions": tuple(spans)}))
    return tuple(out)


@given(tasks())
def test_a_second_turn_with_the_same_vault_keeps_every_number(task):
    prompt, found, asked, keep = task
    vault = Vault()
    first = mask(prompt, found, keep, asked=asked, style="numbered", vault=vault)
    second = mask(prompt, found, keep, asked=asked, style="numbered", vault=vault)
    given_out = {r.placeholder for r in first.replacements}
    assert (second.description, second.query) == (first.description, first.query)
    assert {r.placeholder for r in second.replacements} == given_out


def test_a_long_text_with_many_entities_takes_seconds():
    values = [f"Name{number} Family{number}" for number in range(5_000)]
    text = "".join(f"{value} went to see the old town and came back at once. " for value in values) * 4
    by_value: dict[str, list[Span]] = {value: [] for value in values}
    for value, span in find_values(text, values):
        by_value[value].append(span)
    found = [entity(f"e{n}", value, "Full Name", spans) for n, (value, spans) in enumerate(by_value.items())]
    vault, start = Vault(), time.process_time()
    masked = mask_text(text, *found, style="numbered", vault=vault)
    assert time.process_time() - start < 10
    assert len(masked.replacements) == 20_000
    assert restore(masked.description, vault) == text


def test_what_is_left_of_a_hidden_value_beside_a_hidden_part_of_it_is_reported() -> None:
    def name(identifier: str, subject: str, text: str, category: Category) -> Entity:
        return Entity(
            id=identifier,
            subject=subject,
            text=text,
            type=PIIType.PER,
            category=category,
            mentions=((0, len(text)),),
        )

    found = [
        name("e1", "A", "Ann Lee", Category.FULL_NAME),
        name("e2", "B", "Ann Lee", Category.FULL_NAME),
        name("e3", "B", "Ann", Category.NICKNAME),
    ]
    masked = mask(Prompt(description="Ann Lee paid"), found, ["e1"])
    assert masked.description == "<Nickname> Lee paid"
    assert "e2" in masked.exposed


@pytest.mark.parametrize(
    ("text", "value", "asked"),
    [
        ("She lives in New York.", "New York", "Is New\xa0York or NEW\n York dear?"),
        ("At St. Mary's Clinic.", "St. Mary's Clinic", "Is St. Mary’s Clinic good?"),
        ("I am José.", "José", "Who is Jose\u0301?"),
    ],
)
def test_a_value_written_otherwise_is_hidden_too_and_kept_where_it_is_kept(text: str, value: str, asked: str):
    found, prompt, vault = (
        [entity("e1", value, "City/Region", text)],
        Prompt(description=text, query=asked),
        Vault(),
    )
    hidden = mask(prompt, found, style="numbered", vault=vault)
    assert not any(word in hidden.query for word in ("York", "YORK", "Mary", "Jos"))
    assert restore(hidden.query, vault) == asked
    assert mask(prompt, found, keep=["e1"]).query == asked


def test_what_the_description_keeps_is_kept_in_the_query_in_another_form():
    text, asked = "Mr O'Brien asks.", "May O’Brien go?"
    of_query = entity("q1", "O’Brien", "Nickname", asked)
    kept = mask(
        Prompt(description=text, query=asked),
        [entity("e1", "O'Brien", "Nickname", text)],
        keep=["e1"],
        asked=[of_query],
    )
    assert kept.query == asked
