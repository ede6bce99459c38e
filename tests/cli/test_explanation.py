"""The coloured prompt is the masked prompt, and its colours stand in the right places."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from piibench.cli.explanation import HIDDEN, KEPT, PLACEHOLDER, paint
from piibench.data.mentions import Span
from piibench.data.schema import Labelled, Prompt, gather_entities
from piibench.data.taxonomy import TYPE_OF, Category
from piibench.masking.mask import mask

TEXT = "Ann is 34 and Bo is 41."
CATEGORIES = {"Ann": Category.NICKNAME, "34": Category.AGE, "Bo": Category.NICKNAME, "41": Category.AGE}


def masked(keep: set[str], query: str = "How old is Ann?"):
    places = (
        Labelled(Span(TEXT.index(value), TEXT.index(value) + len(value)), TYPE_OF[category], category)
        for value, category in CATEGORIES.items()
    )
    entities = gather_entities(TEXT, places)
    prompt = Prompt(description=TEXT, query=query)
    return prompt, mask(prompt, entities, [one.id for one in entities if one.text in keep])


def coloured(text, style: str) -> list[str]:
    return [text.plain[span.start : span.end] for span in text.spans if span.style == style]


def test_kept_hidden_and_placeholders_are_told_apart() -> None:
    painted = paint(*masked({"34"}))
    assert painted.before.plain == f"{TEXT}\n\nHow old is Ann?"
    assert painted.after.plain == "<Nickname> is 34 and <Nickname> is <Age>.\n\nHow old is <Nickname>?"
    assert coloured(painted.before, HIDDEN) == ["Ann", "Bo", "41", "Ann"]
    assert coloured(painted.before, KEPT) == coloured(painted.after, KEPT) == ["34"]
    assert coloured(painted.after, PLACEHOLDER) == ["<Nickname>", "<Nickname>", "<Age>", "<Nickname>"]


def test_what_is_left_of_a_kept_value_around_a_hidden_one_is_painted() -> None:
    text = "Ask Vogt Tiling."
    places = (
        Labelled(Span(4, 15), TYPE_OF[Category.COMPANY_NAME], Category.COMPANY_NAME),
        Labelled(Span(4, 8), TYPE_OF[Category.NICKNAME], Category.NICKNAME),
    )
    entities = gather_entities(text, places)
    kept = [one.id for one in entities if one.text == "Vogt Tiling"]
    prompt = Prompt(description=text, query="")
    painted = paint(prompt, mask(prompt, entities, kept))
    assert painted.after.plain == "Ask <Nickname> Tiling."
    assert coloured(painted.before, KEPT) == coloured(painted.after, KEPT) == [" Tiling"]
    assert coloured(painted.before, HIDDEN) == ["Vogt"]


def test_colours_stand_right_behind_carriage_returns() -> None:
    text = "Dear all,\r\n\r\nAnn is here.\r\n"
    places = [Labelled(Span(13, 16), TYPE_OF[Category.NICKNAME], Category.NICKNAME)]
    entities = gather_entities(text, places)
    prompt = Prompt(description=text, query="")
    painted = paint(prompt, mask(prompt, entities, []))
    assert coloured(painted.before, HIDDEN) == ["Ann"]
    assert painted.after.plain.split() == ["Dear", "all,", "<Nickname>", "is", "here."]


@given(st.sets(st.sampled_from(list(CATEGORIES))), st.sampled_from(["", "Who?", "Is Bo 41?"]))
def test_colours_change_no_text(keep: set[str], query: str) -> None:
    prompt, outcome = masked(keep, query)
    painted = paint(prompt, outcome)
    gap = "\n\n" if query else ""
    assert painted.before.plain == prompt.description + gap + prompt.query
    assert painted.after.plain == outcome.description + gap + outcome.query


def test_what_steers_a_terminal_is_shown_as_signs() -> None:
    """Hidden by an escape sequence a value could leave unseen."""
    text = "A \x1b[8mBo\x1b[0m \u202eand\x9b Ann\r\n\tgo."
    places = [
        Labelled(
            Span(text.index("Ann"), text.index("Ann") + 3), TYPE_OF[Category.NICKNAME], Category.NICKNAME
        )
    ]
    prompt = Prompt(description=text, query="")
    painted = paint(prompt, mask(prompt, gather_entities(text, places)))
    assert painted.before.plain == "A ␛[8mBo␛[0m �and� Ann \n\tgo."
    assert coloured(painted.before, HIDDEN) == ["Ann"]
