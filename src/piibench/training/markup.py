"""Texts with marks in them: the training corpus as its writers wrote it.

    === genre
    Hi, {{Lance Moreau|Full Name|A}} here, still at {{12 Elm Row|Street Address|A}} ...
    ? What somebody asks about the text.
    = A|12 Elm Row
    ? Something for which nothing of it is needed.
    = -
    ?? whats his name
    = A|Lance Moreau

A text may have any number of queries; "-" says that a query needs nothing. Two question marks set those apart
that are asked in passing (see `is_in_passing`), in dev and test. A value may stand inside a longer one
of another type: `{{{{Ines Vogt|Full Name|A}} Tiling|Company Name|A}}`. Where a value goes over a line end, or
has several blanks in a row or some at its ends, "=" names it in one line, with one blank between its words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from importlib.resources import files
from itertools import takewhile
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.schema import Labelled, Sample, gather_entities
from piibench.data.taxonomy import TYPE_OF, Category
from piibench.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from piibench.data.schema import Entity
    from piibench.generators.base import Partition

_BRACES = re.compile(r"\{\{|\|([^{}|]+)\|([A-Z])\}\}")
"""Where a mark begins, or where one ends."""
_SIGNS = frozenset("{|}")
"""What no value holds."""
_BLOCK = re.compile(r"^=== ", re.MULTILINE)
_ASKS = re.compile(r"^(\?\??) ", re.MULTILINE)
_UNCLOSED = "a mark that is not closed or not of the form {{value|Category|A}}"


def read_corpus(part: Partition) -> Iterator[Sample]:
    """Yield the samples of the shipped corpus: one for each query of each text.

    Nothing is learned from "dev", but thresholds are chosen on it; nothing at all is taken from "test".

    Raises:
        DataError: A text is not marked as it should be.
    """
    room = files("piibench.training") / "corpus" / part
    for path in sorted(room.iterdir(), key=lambda path: path.name):
        if path.name.endswith(".txt"):
            yield from parse_marked(path.read_text(encoding="utf-8"), path.name)


def is_in_passing(sample: Sample) -> bool:
    """Whether a sample's query is set apart as one that people ask in passing, short or with much unsaid."""
    return sample.meta.get("asked") == "in passing"


def parse_marked(text: str, name: str) -> Iterator[Sample]:
    """Yield the samples of one file.

    Args:
        text: The file's text; line ends may be those of Windows.
        name: For ids and errors.

    Raises:
        DataError: A text is not marked as it should be; the message gives file and line, and no value.
    """
    head, *blocks = _BLOCK.split(text.replace("\r\n", "\n"))
    if "{{" in head or _ASKS.search(head):
        raise _error(name, 1, 'no line "=== genre" before it')
    line = head.count("\n") + 1
    for number, block in enumerate(blocks, 1):
        yield from _parse_block(block, name, line, f"{name.removesuffix('.txt')}-{number:04}")
        line += block.count("\n")


def _parse_block(block: str, name: str, line: int, identifier: str) -> Iterator[Sample]:
    genre, _, body = block.partition("\n")
    marked, *asks = _ASKS.split(body)
    if not asks:
        raise _error(name, line, "a text without a query")
    description, entities = _read_marks(marked.strip("\n"), name, line)
    marked_as: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for entity in entities:
        marked_as[entity.subject, _even(entity.text)].append(entity.id)
    for place, (sign, asked) in enumerate(zip(asks[::2], asks[1::2], strict=True), 1):
        query, *needs = asked.strip().split("\n")
        if not query or query.startswith("="):
            raise _error(name, line, "a query without words")
        if not needs:
            raise _error(name, line, 'a query that does not say what it needs, or "= -"')
        yield Sample(
            id=f"{identifier}-{place}",
            subset="multi" if len({entity.subject for entity in entities}) > 1 else "single",
            description=description,
            query=query.strip(),
            entities=entities,
            relevant=tuple(dict.fromkeys(_read_needs(needs, marked_as, name, line))),
            meta={"genre": genre.strip()} | ({"asked": "in passing"} if sign == "??" else {}),
        )


def _read_marks(marked: str, name: str, line: int) -> tuple[str, tuple[Entity, ...]]:
    parts: list[str] = []
    labelled: list[Labelled] = []
    begun: list[int] = []
    end = length = 0
    for brace in _BRACES.finditer(marked):
        parts.append(marked[end : brace.start()])
        length += len(parts[-1])
        end = brace.end()
        if brace[0] == "{{":
            begun.append(length)
            continue
        label, subject = brace.groups()
        if label not in TYPE_OF:
            raise _error(name, line, "a mark with an unknown category")
        if not begun or begun[-1] == length:
            raise _error(name, line, _UNCLOSED)
        mark = Labelled(Span(begun.pop(), length), TYPE_OF[Category(label)], Category(label), subject)
        for inner in _take_held(mark, labelled):
            if inner.span == mark.span:
                raise _error(name, line, "a mark around another that is not longer")
            if inner.type is mark.type:
                raise _error(name, line, "a mark around another that is not of another type")
        labelled.append(mark)
    description = "".join((*parts, marked[end:]))
    stray = "{{" in description or "}}" in description
    values = [mark.span.of(description) for mark in labelled]
    if begun or stray or not _SIGNS.isdisjoint("".join(values)):
        raise _error(name, line, _UNCLOSED)
    if any(map(str.isspace, values)):
        raise _error(name, line, "a mark around blanks alone")
    return description, gather_entities(description, labelled)


def _take_held(mark: Labelled, labelled: list[Labelled]) -> Iterator[Labelled]:
    """Yield the marks within a mark: of those that ended before it they are the last."""
    return takewhile(lambda inner: mark.span.contains(inner.span), reversed(labelled))


def _read_needs(
    needs: list[str], marked_as: Mapping[tuple[str, str], list[str]], name: str, line: int
) -> Iterator[str]:
    for need in needs:
        wanted = need.removeprefix("= ").strip()
        if not wanted or wanted == "-":
            continue
        subject, _, value = wanted.partition("|")
        ids = marked_as.get((subject.strip(), _even(value)))
        if not ids:
            raise _error(name, line, "a query needs a value that is not marked in the text")
        yield from ids


def _even(value: str) -> str:
    """A value with one blank for each run of white space, and none at its ends."""
    return " ".join(value.split())


def _error(name: str, line: int, problem: str) -> DataError:
    return DataError(f"in the text that begins here, {problem}", place=name, line=line)
