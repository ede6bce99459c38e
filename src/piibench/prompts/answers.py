"""What is understood of a model's reply: lists, objects, sections, the answer of a strategy.

Nothing is guessed: a reply in which nothing of the wanted kind can be read gives None, which the caller
flags. A list that was cut short gives the items that are whole. What a model says to itself in think tags
does not count.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from piibench.prompts.brackets import find_json, read_json
from piibench.prompts.detections import read_detection

if TYPE_CHECKING:
    from piibench.prompts.brackets import Found
    from piibench.prompts.detections import Detection

_FENCE = "```"
_HEADING = re.compile(r"^[ \t]*#{1,6}([^:\n#]{1,80})(?::|$)", re.MULTILINE)
_ANSWER = re.compile(r"#[ \t*_]*(?:final[ \t]+)?answer\b[ \t*_]*:?|\banswer[ \t*_]*:", re.IGNORECASE)
"""The heading of an answer: "### Answer:", "**Answer**:", "Final answer: …"."""
_MOST_IN_VALUES = 16
"""How many headings from the end are thought to stand in values: each is another look at the rest."""
_THINKING = re.compile(r"^.*</think(?:ing)?>|<think(?:ing)?>.*$", re.DOTALL | re.IGNORECASE)
_CORRECTION = re.compile(
    r"\b(?:correct(?:ed|ion)|correct (?:answer|list)|final|revised|instead(?! of))\b"
    r"|\b(?:so|should be)[\s:,]*\Z",
    re.IGNORECASE,
)
"""Is said before a list that takes the place of the one before."""
_FENCED = re.compile(r"```\w*")
_BARE = re.compile(r'\s*(?:[-*•][ \t]*)?"(?P<text>[^"\n]+)"[ \t]*[,;]?')
"""One of several quoted values that stand without brackets."""


def strip_thinking(text: str) -> str:
    """A reply without what a model says to itself in think tags."""
    return _THINKING.sub("", text)


def parse_answer(text: str, *, is_cut: bool = False) -> list[str] | None:
    """The values that a strategy's reply names: the list under its last "### Answer" that has one.

    A reply without such a heading is read where it begins with a list, or reasons before its answer: the
    last list of a whole reply. Quoted values under the heading may lack their brackets.

    Args:
        text: The reply.
        is_cut: Whether it ended at the limit of tokens; then a list among thoughts is no answer.

    Returns:
        Each value once, in order; None where there is no answer.
    """
    return _read_answer(strip_thinking(text), is_cut=is_cut).values


def parse_detection(text: str) -> Detection | None:
    """The values of a detection reply, as subject, value and label (Figure 13).

    Reads `{"A": {"value": "TYPE"}}`, the paper's `Subject {1} {"value": "TYPE"}`, and what models make of
    them: types before values, lists of values, one record a value, no subjects, no types (the label is
    then empty), several objects, a cut end. Of drafts, the last counts.

    Returns:
        None where there is nothing of the kind; without values where the reply is an empty object or list.
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
    """What a strategy's reply says before the "### Answer" that counts, without the heading "### Thought"."""
    text = strip_thinking(text)
    thought = text[: _read_answer(text, is_cut=False).start]
    return re.sub(r"^\W*thoughts?\b[ \t*_]*:?", "", thought.strip(), flags=re.IGNORECASE).strip(" \n#*")


class _Answer(NamedTuple):
    """Where an answer's heading starts, 0 where it has none, and its values; None where it cannot be read."""

    start: int
    values: list[str] | None


def _read_answer(text: str, *, is_cut: bool) -> _Answer:
    headings = list(_ANSWER.finditer(text))
    if not headings:
        return _Answer(0, _read_headless(text, is_cut=is_cut))
    end = len(text)
    for number, heading in enumerate(reversed(headings)):
        # What looks like a heading farther on may stand in a value.
        ends = (end, len(text)) if 0 < number < _MOST_IN_VALUES else (end,)
        for stop in ends:
            section = text[heading.end() : stop]
            first = next(iter(_find_lists(section)), None)
            if first and first.value is not None and (stop == ends[-1] or not first.is_cut):
                return _Answer(heading.start(), _tidy(first.value))
            if (bare := _read_bare(section)) and not is_cut:
                return _Answer(heading.start(), _tidy(bare))
        end = heading.start()
    return _Answer(headings[-1].start(), None)


def _read_headless(text: str, *, is_cut: bool) -> list[str] | None:
    """The list that a reply begins with, unless a sentence begins with it or it is corrected; or the last.

    A list of numbers alone is a note where there are others.
    """
    found = _find_lists(text)
    lists = [one for one in found if not _is_note(one)] or found
    if not lists:
        return None
    before, behind = _FENCED.sub("", lists[0].between), _FENCED.sub("", lists[1].between) if lists[1:] else ""
    if re.search(r"\w", before) or re.match(r"[ \t]*[a-z]", behind) or _CORRECTION.search(behind):
        return None if is_cut or lists[-1].is_cut else _tidy(lists[-1].value)
    return _tidy(lists[0].value)


def _is_note(one: Found) -> bool:
    return bool(one.value) and all(isinstance(item, int | float) for item in one.value)


def _find_lists(text: str) -> list[Found]:
    """The lists of texts and numbers, and what is unreadable."""
    return [
        one
        for one in read_json(text, "[")
        if one.value is None
        or all(isinstance(item, str | int | float) and not isinstance(item, bool) for item in one.value)
    ]


def _read_bare(section: str) -> list[str]:
    """The values of a section that holds nothing but quoted values."""
    values, at = list[str](), 0
    while match := _BARE.match(section, at):
        values.append(match["text"])
        at = match.end()
    return values if not section[at:].strip(" \n`.") else []


def _tidy(values: list[Any] | None) -> list[str] | None:
    if values is None:
        return None
    return list(dict.fromkeys(text for value in values if (text := str(value).strip())))
