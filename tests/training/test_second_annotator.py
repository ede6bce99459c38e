"""The texts that were annotated again are those of the corpus, to the letter."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "second_annotator.py"


@pytest.mark.parametrize(("name", "queries"), [("genres", 179), ("fresh", 180)])
def test_every_text_is_the_one_that_is_labelled(name, queries):
    script = runpy.run_path(str(SCRIPT))
    pairs = list(script["pair"](name))
    assert len(pairs) == queries
    assert len({first.description for first, _ in pairs}) == 60
    for first, second in pairs:
        predicted = script["predict"](first, second)
        assert (predicted.id, predicted.prompt) == (first.id, second.prompt)
        assert predicted.relevant == second.relevant
        kept = {entity.text for entity in second.entities if entity.id in second.relevant}
        assert all(text in predicted.masked for text in kept)
