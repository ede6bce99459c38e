"""Whatever changes, the marks stay true."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import fields, replace
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import Span, is_whole
from piibench.data.taxonomy import INFO, TYPE_OF, Category
from piibench.training import augmentation
from piibench.training.augmentation import Augmentation, Chances
from piibench.training.examples import Example, Place
from piibench.training.introductions import INTRODUCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from piibench.data.taxonomy import PIIType

NEVER = Chances(**{part.name: 0.0 for part in fields(Chances)})
ALWAYS_EXCHANGED = replace(NEVER, exchange=1)
EXCERPT = replace(NEVER, excerpt=1)
CUT = replace(NEVER, cut=1)
SHORTENED = replace(NEVER, words_left_out=1)
LOWERED = replace(NEVER, lower=1)
RAISED = replace(NEVER, upper=1)
MISSPELT = replace(NEVER, typos=1)
JOINED = replace(NEVER, joined_lines=1)
INTRODUCED = replace(NEVER, introduced=1)

CITY, NAME, AGE, EMAIL = Category.CITY_REGION, Category.FULL_NAME, Category.AGE, Category.EMAIL_ADDRESS
SEEDS = range(20)


Part: TypeAlias = str | tuple[str, Category, str]


def join(parts: Iterable[Part]) -> tuple[str, tuple[Place, ...]]:
    text, places = "", []
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        value, category, subject = part
        span = Span(len(text), len(text) + len(value))
        places.append(Place(span, TYPE_OF[category], category, subject, needed=False))
        text += value
    return text, tuple(places)


def build(*parts: Part, asking: Iterable[Part] = ("Who is it?",)) -> Example:
    """An example of plain texts and (value, category, subject)."""
    text, places = join(parts)
    query, asked = join(asking)
    return Example("test", query, text, places, swappable=True, asked=asked)


def values(example: Example) -> list[str]:
    return [place.span.of(example.text) for place in example.places]


def asked_values(example: Example) -> list[str]:
    return [place.span.of(example.query) for place in example.asked]


letters = st.sampled_from("aBİßΣﬁ éÅ\n\t .,;:'’-9ŉ")
gap = st.text(letters, max_size=30)
marked = st.tuples(
    st.text(letters, min_size=1, max_size=8), st.sampled_from([CITY, NAME, AGE, EMAIL]), st.sampled_from("AB")
)
parts = st.builds(
    lambda pairs, tail: [*chain.from_iterable(pairs), tail], st.lists(st.tuples(gap, marked), max_size=6), gap
)
examples = st.builds(lambda text, query: build(*text, asking=query), parts, parts)
chance = st.sampled_from([0.0, 0.5, 1.0])
all_chances = st.builds(Chances, *(chance for _ in fields(Chances)))


def labels(places: Iterable[Place]) -> list[tuple[PIIType | None, Category | None, str | None]]:
    return [(place.type, place.category, place.subject) for place in places]


def assert_filled_in_order(example: Example) -> None:
    end = 0
    for place in example.places:
        assert end <= place.span.start < place.span.end <= len(example.text)
        end = place.span.end


@given(st.lists(examples, min_size=1, max_size=3), all_chances, st.integers(0, 999))
def test_places_stay_filled_inside_the_text_and_in_order(many, chances, seed):
    chances = replace(chances, laid_out=0.0)
    for example in many:
        changed = Augmentation(many, chances).change(example, random.Random(seed))
        assert_filled_in_order(changed)
        kept, all_ = labels(changed.places), labels(example.places)
        if chances.cut or chances.excerpt:
            assert kept in [all_[at : at + len(kept)] for at in range(len(all_) - len(kept) + 1)]
            assert chances.excerpt or bool(kept) == bool(all_)
        else:
            assert kept == all_
        assert (changed.source, changed.types) == (example.source, example.types)


@given(all_chances, st.integers(0, 999))
def test_words_that_mean_somebody_keep_their_places(chances, seed):
    """Each stands behind an age, which is never exchanged, whatever changes around them."""
    parts = [(f"{number}x", AGE, "A") for number in range(6)]
    example = build(*chain.from_iterable((f"Then, {part[0]}: ", part, " she stayed. ") for part in parts))
    starts = [place.span.end + 1 for place in example.places]
    example = replace(
        example, references=tuple(Place(Span(start, start + 3), subject="A") for start in starts)
    )
    changed = Augmentation([example], replace(chances, laid_out=0.0)).change(example, random.Random(seed))
    assert {place.span.of(changed.text).lower() for place in changed.references} == {"she"}
    assert [place.span.start for place in changed.references] == [
        place.span.end + 1 for place in changed.places
    ]


def test_what_is_laid_out_has_no_words_that_mean_somebody():
    example = build(*((f"{number}", AGE, "A") for number in range(6)), " he")
    example = replace(example, references=(Place(Span(7, 9), subject="A"),))
    changed = Augmentation([example], replace(NEVER, laid_out=1)).change(example, random.Random(1))
    assert changed.text != example.text
    assert changed.references == ()


@given(st.lists(examples, min_size=1, max_size=3), all_chances, st.integers(0, 999))
def test_what_is_laid_out_keeps_what_fits_a_cell(many, chances, seed):
    chances = replace(chances, laid_out=1.0)
    for example in many:
        changed = Augmentation(many, chances).change(example, random.Random(seed))
        assert_filled_in_order(changed)
        kept, all_ = set(labels(changed.places)), set(labels(example.places))
        fit = set(labels(place for place in example.places if "\n" not in place.span.of(example.text)))
        assert kept <= all_
        assert chances.excerpt or bool(kept) == bool(all_)
        assert chances.excerpt or chances.cut or chances.exchange or fit <= kept


@given(st.lists(examples, min_size=1, max_size=3), all_chances, st.integers(0, 999))
def test_places_of_the_query_stay_filled_inside_it_and_in_order(many, chances, seed):
    for example in many:
        changed = Augmentation(many, chances).change(example, random.Random(seed))
        end = 0
        for place in changed.asked:
            assert end <= place.span.start < place.span.end <= len(changed.query)
            end = place.span.end
        introduced = len(changed.asked) - len(example.asked)
        assert introduced in (0, 1) if changed.query else not changed.asked


@given(st.lists(examples, min_size=1, max_size=3), st.integers(0, 999))
def test_exchanged_values_come_from_their_category_and_the_rest_stays(many, seed):
    pool = {(place.category, place.span.of(one.text)) for one in many for place in one.places}
    for example in many:
        changed = Augmentation(many, ALWAYS_EXCHANGED).change(example, random.Random(seed))
        assert {(place.category, place.span.of(changed.text)) for place in changed.places} <= pool
        assert gaps(changed) == gaps(example)
        assert changed.query == example.query


def gaps(example: Example) -> list[str]:
    ends = [0, *(place.span.end for place in example.places)]
    starts = [*(place.span.start for place in example.places), len(example.text)]
    return [example.text[end:start] for end, start in zip(ends, starts, strict=True)]


@given(examples, st.sampled_from([LOWERED, RAISED]))
def test_a_change_of_case_keeps_every_value_in_its_place(example, chances):
    case = str.lower if chances is LOWERED else str.upper
    changed = Augmentation([example], chances).change(example, random.Random(0))
    assert values(changed) == [case(value) for value in values(example)]
    assert gaps(changed) == [case(text) for text in gaps(example)]
    assert asked_values(changed) == [case(value) for value in asked_values(example)]


def test_lower_case_that_is_longer_moves_what_follows():
    # "İ" (one code point) becomes "i̇" (two): "İpek" grows from 4 to 5 and "İzmir", at 9, begins at 10.
    example = build(("İpek", NAME, "A"), " from", ("İzmir", CITY, "A"), ".")
    changed = Augmentation([example], LOWERED).change(example, random.Random(0))
    assert [place.span for place in changed.places] == [(0, 5), (10, 16)]
    assert values(changed) == ["i̇pek", "i̇zmir"]


def test_upper_case_that_is_longer_moves_what_follows():
    # "ß" becomes "SS": the street grows from 6 to 7, the city begins at 9 instead of 8.
    example = build(("Weißer", NAME, "A"), ", ", ("Bonn", CITY, "A"))
    changed = Augmentation([example], RAISED).change(example, random.Random(0))
    assert [place.span for place in changed.places] == [(0, 7), (9, 13)]


def test_a_query_whose_case_is_longer_moves_its_places_too():
    # "ß" becomes "SS", twice: the name begins at 10 instead of 9, the city at 21 instead of 19.
    example = build("x", asking=["Heißt er ", ("Weißer", NAME, "A"), " in ", ("Bonn", CITY, "A"), "?"])
    changed = Augmentation([example], RAISED).change(example, random.Random(0))
    assert changed.query == "HEISST ER WEISSER IN BONN?"
    assert [place.span for place in changed.asked] == [(10, 17), (21, 25)]
    assert asked_values(changed) == ["WEISSER", "BONN"]


def test_chance_can_leave_all_as_it_is():
    example = build("From ", ("Leeds", CITY, "A"), ".")
    assert Augmentation([example], NEVER).change(example, random.Random(0)) is example


def test_the_same_seed_changes_alike():
    example = build("From ", ("Leeds", CITY, "A"), " and some other places, mostly northern ones.\nWell.")
    pool = [example, build(("York", CITY, "A")), build(("Bath", CITY, "A"))]
    first, second = (
        [Augmentation(pool).change(example, random.Random(seed)) for seed in SEEDS] for _ in range(2)
    )
    assert first == second
    assert len(set(first)) > 3


def test_one_value_has_one_other_throughout_its_text():
    example = build(*(part for _ in range(5) for part in (("Leeds", CITY, "A"), " or ")))
    pool = Augmentation([example, build(("York", CITY, "A")), build(("Bath", CITY, "A"))], ALWAYS_EXCHANGED)
    changed = [values(pool.change(example, random.Random(seed))) for seed in SEEDS]
    assert {len(set(found)) for found in changed} == {1}
    assert {found[0] for found in changed} == {"Leeds", "York", "Bath"}


OTHERS = build(("Uma Roy", NAME, "A"), ("91", AGE, "A"), ("York", CITY, "A"))


@pytest.mark.parametrize(
    "example",
    [
        build(("34", AGE, "A"), " years"),  # its form hangs on the words around it
        build(("Lance Moreau", NAME, "A"), " or ", ("L. Moreau", NAME, "A")),  # two forms of one name
        build(("Lance Moreau", NAME, "A"), asking=["Where does Lance Moreau live?"]),
        build(("a@b.example", EMAIL, "A")),  # no other of its category in the pool
    ],
)
def test_some_values_are_never_exchanged(example):
    pool = Augmentation([OTHERS], ALWAYS_EXCHANGED)
    assert {pool.change(example, random.Random(seed)) for seed in SEEDS} == {example}


def test_what_must_not_be_exchanged_is_not():
    example = Example("test", "", "Leeds", (Place(Span(0, 5), TYPE_OF[CITY], CITY),), swappable=False)
    pool = Augmentation([OTHERS], ALWAYS_EXCHANGED)
    assert {pool.change(example, random.Random(seed)) for seed in SEEDS} == {example}


FIRM = Example(
    "test",
    "Who is it?",
    "all the invoices that Ines Vogt Tiling\nwrites go to the accountant, never to the customer",
    (
        Place(Span(22, 38), TYPE_OF[Category.COMPANY_NAME], Category.COMPANY_NAME, "B"),
        Place(Span(22, 31), TYPE_OF[NAME], NAME, "A"),
    ),
    swappable=True,
)


@pytest.mark.parametrize(
    ("chances", "expected"),
    [
        (LOWERED, ["ines vogt tiling", "ines vogt"]),
        (RAISED, ["INES VOGT TILING", "INES VOGT"]),
        (JOINED, ["Ines Vogt Tiling", "Ines Vogt"]),
        (SHORTENED, ["Ines Vogt Tiling", "Ines Vogt"]),
        (MISSPELT, ["Ines Vogt Tiling", "Ines Vogt"]),
    ],
)
def test_a_text_with_nested_places_changes_around_and_inside_them(chances, expected):
    pool = Augmentation([FIRM], chances)
    changed = [pool.change(FIRM, random.Random(seed)) for seed in SEEDS]
    assert all(values(one) == expected for one in changed)
    assert any(one.text != FIRM.text for one in changed)


def test_a_value_is_exchanged_within_another_at_both_once():
    pool = Augmentation([FIRM, build(("Karl Rau", NAME, "A"))], ALWAYS_EXCHANGED)
    changed = {tuple(values(pool.change(FIRM, random.Random(seed)))) for seed in SEEDS}
    assert changed == {("Ines Vogt Tiling", "Ines Vogt"), ("Karl Rau Tiling", "Karl Rau")}


def test_a_value_that_holds_another_is_not_put_elsewhere():
    other = build("at ", ("Nordbau", Category.COMPANY_NAME, "A"))
    pool = Augmentation([FIRM, other], ALWAYS_EXCHANGED)
    assert {pool.change(other, random.Random(seed)) for seed in SEEDS} == {other}


def test_slips_stay_outside_values():
    words = "somebody wrote several sentences without looking at the keyboard, again and again; " * 4
    example = build(words, ("Bartholomew Featherstonehaugh", NAME, "A"), words)
    pool = Augmentation([example], MISSPELT)
    changed = [pool.change(example, random.Random(seed)) for seed in SEEDS]
    assert {value for one in changed for value in values(one)} == {"Bartholomew Featherstonehaugh"}
    assert sum(one.text != example.text for one in changed) >= 10


def test_slips_of_the_query_stay_outside_its_values():
    words = "could somebody look at the keyboard and tell whether several sentences are misspelt " * 4
    example = build("x", asking=[words, ("Bartholomew Featherstonehaugh", NAME, "A"), words])
    pool = Augmentation([example], MISSPELT)
    changed = [pool.change(example, random.Random(seed)) for seed in SEEDS]
    assert {value for one in changed for value in asked_values(one)} == {"Bartholomew Featherstonehaugh"}
    assert sum(one.query != example.query for one in changed) >= 10


def need(example: Example, *needed: str) -> Example:
    places = (replace(each, needed=each.span.of(example.text) in needed) for each in example.places)
    return replace(example, places=tuple(places))


@given(examples, st.integers(0, 99))
def test_an_excerpt_keeps_a_run_of_the_text_with_all_values_in_it(example, seed):
    changed = Augmentation([example], EXCERPT).change(example, random.Random(seed))
    assert changed.text in example.text
    assert changed.text.strip() or changed == example or changed.places
    assert Counter(values(changed)) <= Counter(values(example))
    assert (changed.query, changed.asked) == (example.query, example.asked)


def test_an_excerpt_is_of_one_to_three_lines_or_sentences():
    leeds, york, bath = (("Leeds", CITY, "A"), ("York", CITY, "B"), ("St. Ives", CITY, "C"))
    example = build("Hello. From ", leeds, ". To ", york, "!\nBy ", bath, ".  And on. Over.")
    pool = Augmentation([example], EXCERPT)
    changed = [pool.change(example, random.Random(seed)) for seed in range(1000)]
    assert 0 < sum(not one.places for one in changed) < 200  # of those from anywhere
    assert {one.text for one in changed} == {
        "Hello.",
        "And on.",
        "Over.",
        "And on. Over.",
        "From Leeds.",
        "To York!",
        "By St. Ives.",
        "Hello. From Leeds.",
        "From Leeds. To York!",
        "To York!\nBy St. Ives.",
        "By St. Ives.  And on.",
        "Hello. From Leeds. To York!",
        "From Leeds. To York!\nBy St. Ives.",
        "To York!\nBy St. Ives.  And on.",
        "By St. Ives.  And on. Over.",
    }


def test_of_an_excerpt_without_all_that_is_needed_no_need_is_known():
    example = build("From ", ("Leeds", CITY, "A"), ". To ", ("York", CITY, "B"), " by ", ("4", AGE, "B"), ".")
    example = need(example, "Leeds", "York")
    pool = Augmentation([example], EXCERPT)
    changed = [pool.change(example, random.Random(seed)) for seed in range(100)]
    assert {(one.text, tuple(place.needed for place in one.places)) for one in changed} == {
        ("From Leeds.", (None,)),
        ("To York by 4.", (None, None)),
        (example.text, (True, True, False)),
    }


def test_an_excerpt_is_more_often_of_what_is_needed():
    parts = chain.from_iterable((f"Age {number}: ", (f"{number}", AGE, "A"), ".\n") for number in range(20))
    example = need(build(*parts), "7")
    pool = Augmentation([example], EXCERPT)
    changed = [pool.change(example, random.Random(seed)) for seed in range(200)]
    assert sum("7" in values(one) for one in changed) > 80


@given(examples, st.integers(0, 99))
def test_a_cut_keeps_a_run_of_the_text_with_the_values_in_it(example, seed):
    changed = Augmentation([example], CUT).change(example, random.Random(seed))
    assert changed.text in example.text
    assert 2 * len(changed.text) >= len(example.text) - 1
    kept, all_ = (Counter(values(one)) for one in (changed, example))
    assert kept <= all_
    assert (changed.query, changed.asked) == (example.query, example.asked)


def test_a_cut_begins_and_ends_with_sentences_or_lines():
    leeds, york, bath = (("Leeds", CITY, "A"), ("York", CITY, "B"), ("St. Ives", CITY, "C"))
    example = build("From ", leeds, ". To ", york, "!\nBy ", bath, ". Over.")
    pool = Augmentation([example], CUT)
    cuts = {pool.change(example, random.Random(seed)).text for seed in range(200)}
    assert cuts == {
        "From Leeds. To York!\nBy St. Ives. Over.",
        "From Leeds. To York!\nBy St. Ives. ",
        "From Leeds. To York!\n",
        "To York!\nBy St. Ives. Over.",
        "To York!\nBy St. Ives. ",
    }


def test_words_are_left_out_around_values_alone():
    words = "somebody wrote several sentences and asked 4 times about 5 things, again and again " * 4
    example = build(words, ("not to be left out", NAME, "A"), " ", words)
    pool = Augmentation([example], SHORTENED)
    changed = [pool.change(example, random.Random(seed)) for seed in SEEDS]
    assert {value for one in changed for value in values(one)} == {"not to be left out"}
    share = sum(len(one.text.split()) for one in changed) / len(SEEDS) / len(example.text.split())
    assert 0.88 < share < 0.97
    assert all(one.text.count("4") == 8 for one in changed)


def test_what_touches_a_value_is_not_left_out():
    example = build("the ", ("Kenyan", CITY, "A"), "s live ", ("91", AGE, "A"), "y on")
    pool = Augmentation([example], SHORTENED)
    changed = {pool.change(example, random.Random(seed)).text for seed in range(200)}
    assert changed == {"the Kenyans live 91y on", "the Kenyans 91y on"}


def test_joined_lines_keep_every_offset():
    example = build("Name:\n", ("Lance\nMoreau", NAME, "A"), "\n\nend")
    changed = Augmentation([example], JOINED).change(example, random.Random(0))
    assert changed.text == "Name: Lance Moreau  end"
    assert changed.places == example.places


def test_without_a_query_nothing_is_needed_or_not():
    example = build(("Leeds", CITY, "A"), asking=["Where is ", ("Leeds", CITY, "A"), "?"])
    chances = replace(NEVER, no_query=1, introduced=1)
    changed = Augmentation([example], chances).change(example, random.Random(0))
    assert (changed.query, changed.asked, changed.places[0].needed) == ("", (), None)


FORMS = [(category, form) for category, forms in INTRODUCTIONS.items() for form in forms]


@pytest.mark.parametrize(("category", "form"), FORMS)
def test_whoever_asks_states_a_value_in_each_form(monkeypatch, category, form):
    monkeypatch.setattr(augmentation, "INTRODUCTIONS", {category: (form,)})
    before, after, comes_first = form
    example = build(("x7 Y", category, "A"), asking=["Is ", ("Leeds", CITY, "A"), " far?"])
    changed = Augmentation([example], INTRODUCED).change(example, random.Random(0))
    added = f"{before}x7 Y{after}"
    assert changed.query == (f"{added} Is Leeds far?" if comes_first else f"Is Leeds far? {added}")
    stated = [("x7 Y", category), ("Leeds", CITY)]
    assert [(place.span.of(changed.query), place.category) for place in changed.asked] == (
        stated if comes_first else stated[::-1]
    )
    assert all(is_whole(changed.query, place.span) for place in changed.asked)
    assert all(place.type is TYPE_OF[place.category] for place in changed.asked if place.category)
    assert (changed.text, changed.places) == (example.text, example.places)


@given(st.lists(examples, min_size=1, max_size=3), st.integers(0, 999))
def test_an_introduction_adds_a_direct_identifier_of_the_pool_and_keeps_the_rest(many, seed):
    pool = {(place.category, place.span.of(one.text)) for one in many for place in one.places}
    for example in many:
        changed = Augmentation(many, INTRODUCED).change(example, random.Random(seed))
        assert example.query in changed.query
        kept = Counter(zip(asked_values(example), (place.category for place in example.asked), strict=True))
        now = Counter(zip(asked_values(changed), (place.category for place in changed.asked), strict=True))
        assert kept <= now
        for value, category in (now - kept).elements():
            assert (category, value) in pool
            assert INFO[category].identifier == "direct"


def test_where_nothing_is_asked_nobody_says_who_he_is():
    example = build(("Lance Moreau", NAME, "A"), asking=[])
    pool = Augmentation([example], INTRODUCED)
    assert {pool.change(example, random.Random(seed)) for seed in SEEDS} == {example}


def test_of_a_category_without_values_nothing_is_stated():
    example = build(("Leeds", CITY, "A"))
    pool = Augmentation([example], INTRODUCED)
    assert {pool.change(example, random.Random(seed)) for seed in SEEDS} == {example}
