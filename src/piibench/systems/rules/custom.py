r"""A user's own patterns and word lists, read from a TOML file.

Each table `[[pattern]]` adds one rule:

    [[pattern]]
    name = "membership"            # for people; shown as the rule's name
    category = "Employee ID"       # one of the 55 categories of `piibench taxonomy`
    pattern = 'MB-\d{6}'            # google-re2 syntax: linear time, no look-around, no back-references

    [[pattern]]
    name = "our projects"
    category = "Company Name"
    words = ["Blue Heron", "Kestrel"]   # instead of a pattern: whole words
    ignore_case = true                  # default false

    [[pattern]]
    name = "the help desk"
    action = "allow"                    # never PII; the default is "deny": find and treat as PII
    words = ["support@example.org"]

What a "deny" rule finds is certain. An "allow" rule needs no category: it drops every proposal, of the
built-in recognizers too, that lies wholly within what it matches.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, cast

import re2

from piibench.data.lines import name_place
from piibench.data.mentions import Span, ValueFinder, replace_surrogates
from piibench.data.taxonomy import Category, parse_category
from piibench.errors import ConfigError, UnknownCategoryError
from piibench.masking.occurrences import fold_case
from piibench.systems.rules.candidates import CERTAIN, Candidate, Placed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from piibench.systems.rules.passage import Passage

_Placed = TypeVar("_Placed", bound=Placed)
_KEYS = frozenset({"name", "category", "pattern", "words", "ignore_case", "action"})


class _Match(Protocol):
    def span(self) -> tuple[int, int]: ...


class _Pattern(Protocol):
    """The part of a compiled google-re2 expression that is used here; the package has no types."""

    def finditer(self, text: str) -> Iterator[_Match]: ...

    def search(self, text: str) -> _Match | None: ...


@dataclass(frozen=True, slots=True)
class CustomRule:
    """One `[[pattern]]` of a user's file.

    Attributes:
        name: Its name, for people.
        category: What it finds; None for an "allow" rule.
        find: Yields the places it matches in a text, in code points, none empty.
    """

    name: str
    category: Category | None
    find: Callable[[str], Iterator[Span]]


class Custom:
    """A user's rules: a recognizer for what to find, a filter for what to leave alone.

    Args:
        rules: The rules of the file, in its order.
    """

    def __init__(self, rules: Sequence[CustomRule]) -> None:
        self._found = tuple(rule for rule in rules if rule.category)
        self._allowed = tuple(rule for rule in rules if not rule.category)

    def recognize(self, passage: Passage) -> Iterator[Candidate]:
        """Propose what the "deny" rules find."""
        for rule in self._found:
            if rule.category:
                for span in rule.find(passage.text):
                    yield Candidate(span, rule.category, CERTAIN, f"your pattern {rule.name!r}")

    def drop_allowed(self, text: str, candidates: Iterable[_Placed]) -> Iterator[_Placed]:
        """Yield the candidates that no "allow" rule covers. O((n + m) log m) in candidates and matches."""
        if not self._allowed:
            yield from candidates
            return
        spans = sorted(span for rule in self._allowed for span in rule.find(text))
        starts = [span.start for span in spans]
        reaches = list(accumulate((span.end for span in spans), max))
        for candidate in candidates:
            index = bisect_right(starts, candidate.span.start)
            if not index or reaches[index - 1] < candidate.span.end:
                yield candidate


NO_CUSTOM = Custom(())
"""No rules at all."""


def create_custom(path: Path) -> Custom:
    """Read a file of custom patterns.

    Raises:
        ConfigError: The file cannot be read, is no TOML, or a table is wrong; names the table and field.
    """
    try:
        content = tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        msg = f"{name_place(path)}: cannot be read ({error.strerror}); give a readable TOML file"
        raise ConfigError(msg) from None
    except UnicodeDecodeError:
        msg = f"{path.name}: is not UTF-8 text; save it as UTF-8"
        raise ConfigError(msg) from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at [^()]*\)$", str(error))
        msg = f"{path.name}: is no valid TOML {place.group() if place else ''}; correct its syntax there"
        raise ConfigError(msg) from None
    except (ValueError, RecursionError):
        msg = f"{path.name}: holds a number that is too long or brackets that nest too deep; take them out"
        raise ConfigError(msg) from None
    tables = content.get("pattern")
    if set(content) != {"pattern"} or not isinstance(tables, list):
        msg = f"{path.name}: must hold tables [[pattern]] and nothing else; see piibench.systems.rules.custom"
        raise ConfigError(msg)
    return Custom(
        [_read_rule(f"{path.name}, pattern[{i}]", table) for i, table in enumerate(cast("list[Any]", tables))]
    )


def _read_rule(place: str, table: Any) -> CustomRule:
    if not isinstance(table, dict):
        raise _wrong(place, problem="must be a table; write [[pattern]]")
    fields = cast("dict[str, Any]", table)
    if unknown := sorted(set(fields) - _KEYS):
        raise _wrong(place, field=unknown[0], problem=f"unknown field; use {', '.join(sorted(_KEYS))}")
    name, ignore_case = fields.get("name"), fields.get("ignore_case", False)
    if not isinstance(name, str) or not name.strip():
        raise _wrong(place, field="name", problem="must be a non-empty string")
    if not isinstance(ignore_case, bool):
        raise _wrong(place, field="ignore_case", problem="must be true or false")
    return CustomRule(
        name, _read_category(place, fields), _read_finder(place, fields, ignore_case=ignore_case)
    )


def _read_category(place: str, fields: dict[str, Any]) -> Category | None:
    action: Literal["allow", "deny"] | Any = fields.get("action", "deny")
    if action not in ("allow", "deny"):
        raise _wrong(place, field="action", problem='must be "allow" or "deny"')
    name = fields.get("category")
    if action == "allow":
        return None
    if not isinstance(name, str):
        raise _wrong(place, field="category", problem="is missing; use a name that `piibench taxonomy` lists")
    try:
        return parse_category(name)
    except UnknownCategoryError as error:
        raise _wrong(place, field="category", problem=str(error)) from None


def _read_finder(place: str, fields: dict[str, Any], *, ignore_case: bool) -> Callable[[str], Iterator[Span]]:
    pattern, words = fields.get("pattern"), fields.get("words")
    if (pattern is None) == (words is None):
        raise _wrong(place, problem="needs either `pattern` or `words`, and not both")
    if words is None:
        if not isinstance(pattern, str):
            raise _wrong(
                place, field="pattern", problem="must be a string; quote it with ' to keep backslashes"
            )
        return partial(_find_pattern, _compile(place, pattern, ignore_case=ignore_case))
    listed = cast("list[Any]", words) if isinstance(words, list) else []
    if not listed or not all(isinstance(word, str) and word.strip() for word in listed):
        raise _wrong(place, field="words", problem="must be a non-empty list of non-empty strings")
    finder = ValueFinder(map(fold_case, listed) if ignore_case else listed)
    return partial(_find_words, finder, ignore_case=ignore_case)


def _find_pattern(pattern: _Pattern, text: str) -> Iterator[Span]:
    for match in pattern.finditer(replace_surrogates(text)):
        span = Span(*match.span())
        if span.end > span.start:
            yield span


def _find_words(words: ValueFinder, text: str, *, ignore_case: bool) -> Iterator[Span]:
    """Yield where words stand whole; of those that begin together the longest, none that overlaps another."""
    found = words.find(fold_case(text) if ignore_case else text)
    last = 0
    for span in sorted((span for _, span in found), key=lambda span: (span.start, -span.end)):
        if span.start >= last:
            last = span.end
            yield span


def _compile(place: str, expression: str, *, ignore_case: bool) -> _Pattern:
    options = re2.Options()
    options.case_sensitive = not ignore_case
    options.log_errors = False
    try:
        pattern = cast("_Pattern", re2.compile(expression, options))
    except re2.error:
        problem = "is no expression that google-re2 accepts; it has no look-around and no back-references"
        raise _wrong(place, field="pattern", problem=problem) from None
    if pattern.search(""):
        raise _wrong(place, field="pattern", problem="matches the empty text; require at least one character")
    return pattern


def _wrong(place: str, *, problem: str, field: str = "") -> ConfigError:
    return ConfigError(f"{place}{'.' if field else ''}{field}: {problem}")
