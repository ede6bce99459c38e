"""A system of another package, found by its entry point; some words in a text make it misbehave."""

from __future__ import annotations

import asyncio
import os
import re

from piibench.data.mentions import Span
from piibench.data.outcomes import Decision, Selection
from piibench.data.schema import Labelled, gather_entities
from piibench.data.taxonomy import TYPE_OF, Category

NAME = "Quentin Harbottle"
PATTERNS = {Category.FULL_NAME: re.compile(NAME), Category.AGE: re.compile(r"\b[0-9]{2}\b")}


class Stub:
    name = "stub"

    def __init__(self, version: str = "1") -> None:
        self.fingerprint = f"5eed{version}"

    async def detect(self, description):
        if "RAISE" in description:
            raise RuntimeError(description)
        if "MEMORY" in description:
            raise MemoryError
        if "DIE" in description:
            os._exit(9)
        if "SLOW" in description:
            await asyncio.sleep(0.05)
        return gather_entities(
            description,
            (
                Labelled(Span(*match.span()), TYPE_OF[category], category)
                for category, pattern in PATTERNS.items()
                for match in pattern.finditer(description)
            ),
        )

    async def select(self, prompt, found):
        decisions = []
        for entity in found:
            keep = entity.category is Category.AGE and "old" in prompt.query
            decisions.append(
                Decision(entity.id, keep, "kept: the query asks for it" if keep else "hidden: not asked for")
            )
        return Selection(tuple(decisions))


def create_stub(**options):
    return Stub(**options)
