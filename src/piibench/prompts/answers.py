"""What is understood of a model's reply: lists, objects, sections, the answer of a strategy.

Nothing is guessed: a reply in which nothing of the wanted kind can be read gives None, which the caller
flags. A list that was cut short gives the items that are whole. What a model says to itself in think tags
does not count.
"""

from __future__ import annotations

import re
from typing import Any, cast

from piibench.prompts.brackets import find_json
from piibench.prompts.detections import read_detection

_FENCE = "```"
_HEADING = re.compile(r"^[ \t]*#{1,6}([^:\n#]{1,80})(?::|$)", re.MULTILINE)
_ANSWER = re.compile(r"#[ \t*_]*(?:final[ \t]+)?answer\b[ \t*_]*:?|\banswer[ \t*_]*:", re.IGNORECASE)
"""The heading of an answer: "### Answer:", "**Answer**:", "Final answer: …"."""
_MOST_IN_VALUES = 16
"""How many headings from the end are thought to stand in values: each is another look at the rest."""
_THINKING = re.compile(r"^.*</think(?:ing)?>|<think(?:ing)?>.*$", re.DOTALL | re.IGNORECASE)
_BARE = re.compile(r'\s*(?:[-*•][ \t]*)?"(?P<text>[^"\n]+)"[ \t]*[,;]?')
"""One of several quoted values that stand without brackets."""


def strip_thinking(text: str) -> str:
    """A reply without what a model says to itself in think tags."""
    return _THINKING.sub("", text)


def parse_list(text: str) -> list[str] | None:
    """The last list of texts in a reply; numbers in it become text.

    Returns:
        None where there is none.
    """
    lists = _find_lists(text)
    return lists[-1] if lists else None


def parse_answer(text: str, *, is_cut: bool = False) -> list[str] | None:
    """The values that a strategy's reply names: the list under its last "### Answer" that has one.

    A reply without such a heading is read where it is a list, or ends in its only answer: the last list of
    a whole reply. Quoted values under the heading may lack their brackets.

    Args:
        text: The reply.
        is_cut: Whether it ended at the limit of tokens; then a list among thoughts is no answer.

    Returns:
        Each value once, in order; None where there is no answer.
    """
    text = strip_thinking(text)
    headings = list(_ANSWER.finditer(text))
    if not headings:
        is_list = strip_fence(text).startswith(("[", "```"))
        return _tidy(parse_list(text)) if is_list or not is_cut else None
    end = len(text)
    for number, heading in enumerate(reversed(headings)):
        # What looks like a heading farther on may stand in a value.
        ends = (end, len(text)) if 0 < number < _MOST_IN_VALUES else (end,)
        for section in (text[heading.end() : stop] for stop in ends):
            if lists := _find_lists(section):
                return _tidy(lists[0])
            if (bare := _read_bare(section)) and not is_cut:
                return _tidy(bare)
        end = heading.start()
    return None


def parse_detection(text: str) -> list[tuple[str, str, str]] | None:
    """The values of a detection reply, as subject, value and label (Figure 13).

    Reads `{"A": {"value": "TYPE"}}`, the paper's `Subject {1} {"value": "TYPE"}`, and what models make of
    them: types before values, lists of values, one record a value, no subjects, no types (the label is
    then empty), several objects, a cut end. Of drafts, the last counts.

    Returns:
        None where there is nothing of the kind; an empty list where the reply is an empty object.
    """
    return read_detection(strip_thinking(text))


def parse_objects(text: str) -> list[dict[str, Any]] | None:
    """The last list of objects in a reply, or its objects one after the other.

    Returns:
        None where there is none.
    """
    for found in reversed(find_json(text, "[")):
        if found and all(isinstance(item, dict) for item in found):
            return cast("list[dict[str, Any]]", found)
    return cast("list[dict[str, Any]]", find_json(text, "{")) or None


def parse_object(text: str) -> dict[str, Any] | None:
    """The last object in a reply.

    Returns:
        None where there is none.
    """
    found = find_json(text, "{")
    return cast("dict[str, Any]", found[-1]) if found else None


def split_sections(text: str) -> dict[str, str]:
    """The parts of a reply under its "## Heading:" lines, by heading in lower case."""
    headings = list(_HEADING.finditer(text))
    ends = [*(heading.start() for heading in headings), len(text)][1:]
    return {
        heading[1].strip().casefold(): text[heading.end() : end].strip()
        for heading, end in zip(headings, ends, strict=True)
    }


def strip_fence(text: str) -> str:
    """A reply without space, or a code fence, around it."""
    bare = text.strip()
    inner = bare.removeprefix(_FENCE).removesuffix(_FENCE)
    if len(bare) - len(inner) < 2 * len(_FENCE):
        return bare
    return re.sub(r"\A[\w-]*", "", inner).strip()


def parse_thought(text: str) -> str:
    """What a strategy's reply says before its last "### Answer", without the heading "### Thought"."""
    text = strip_thinking(text)
    headings = list(_ANSWER.finditer(text))
    thought = text[: headings[-1].start()] if headings else ""
    return re.sub(r"^\W*thoughts?\b[ \t*_]*:?", "", thought.strip(), flags=re.IGNORECASE).strip(" \n#*")


def _find_lists(text: str) -> list[list[str]]:
    return [
        [str(item) for item in found]
        for found in find_json(text, "[")
        if all(isinstance(item, str | int | float) and not isinstance(item, bool) for item in found)
    ]


def _read_bare(section: str) -> list[str]:
    """The values of a section that holds nothing but quoted values."""
    values, at = list[str](), 0
    while match := _BARE.match(section, at):
        values.append(match["text"])
        at = match.end()
    return values if not section[at:].strip(" \n`.") else []


def _tidy(values: list[str] | None) -> list[str] | None:
    if values is None:
        return None
    return list(dict.fromkeys(stripped for value in values if (stripped := value.strip())))
