"""Descriptions by a model (section 3.2.2): whatever it writes is checked before it is used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.data.schema import gather_entities
from piibench.prompts.answers import strip_fence
from piibench.prompts.render import render
from piibench.synthesis.llm_asking import Refusal
from piibench.synthesis.llm_features import describe_relations
from piibench.synthesis.llm_labels import find_ambiguous, find_missing, find_strays, label_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from piibench.data.schema import Entity
    from piibench.synthesis.framing import Frame
    from piibench.synthesis.llm_asking import Asker
    from piibench.synthesis.llm_features import Person

LENGTHS = {"single": (350, 1800), "multi": (300, 1600)}
"""Fewest and most characters of a description: around the averages of Table 3."""

_PLACEHOLDER = re.compile(
    r"\[[A-Z][^\]\n]{0,40}\]|<[A-Z][^>\n]{0,40}>|\{[^}\n]{0,40}\}|\b(?:Person|Subject) [A-Z]\b"
)
_MOST_TOKENS = 900
_LISTED = 6

Written = tuple[str, tuple["Entity", ...]]
"""A description and its entities."""


async def describe_by_model(
    asker: Asker, people: Sequence[Person], frame: Frame, lengths: tuple[int, int]
) -> Written | Refusal:
    """Have a model write a description of the frame's genre and theme.

    Args:
        asker: Asks it, and again where a reply is refused.
        people: Whose values it must hold, all of them, and no others.
        frame: Lends genre, theme and relations; its text is not used.
        lengths: Fewest and most characters.

    Raises:
        EndpointError: The model gives no reply.
    """
    prompt = render(
        "description",
        genre=frame.genre,
        theme=frame.theme,
        people=people,
        relations=describe_relations(frame),
        least=lengths[0],
        most=lengths[1],
    )
    return await asker.ask(
        "description",
        prompt,
        lambda reply: read_description(reply, people, lengths),
        max_tokens=_MOST_TOKENS,
    )


def read_description(reply: str, people: Sequence[Person], lengths: tuple[int, int]) -> Written | Refusal:
    """Check and label a description: length, every value verbatim, nothing else that is personal."""
    text = strip_fence(reply)
    least, most = lengths
    if not least <= len(text) <= most:
        word = "longer" if len(text) < least else "shorter"
        reason = "too short" if len(text) < least else "too long"
        return Refusal(reason, f"Write it again, {word}: between {least} and {most} characters.")
    if _PLACEHOLDER.search(text):
        return Refusal(
            "placeholder", "Write it again without brackets to be filled in and letters for people."
        )
    places = label_text(text, people)
    if missing := find_missing(text, places, people):
        listed = "; ".join(f"{feature.tag}: {feature.entity}" for feature in missing[:_LISTED])
        return Refusal(
            "value missing", f"Write it again; it lacks these values as they are written: {listed}"
        )
    if ambiguous := find_ambiguous(text, places):
        listed = "; ".join(ambiguous[:_LISTED])
        return Refusal("ambiguous value", f"Write it again with each of these in one place only: {listed}")
    if strays := find_strays(text, places):
        listed = "; ".join(sorted({span.of(text) for span in strays[:_LISTED]}))
        return Refusal("other personal value", f"Write it again without these personal details: {listed}")
    return text, gather_entities(text, places)
