from __future__ import annotations

import hashlib
import json
import re

from hypothesis import given
from hypothesis import strategies as st

from piibench.prompts.fencing import fence, quote_list


def test_a_text_stands_between_marks():
    # sha256("Ada is 34.") starts with 43c160
    assert fence("Ada is 34.", "text") == "<text 43c160>\nAda is 34.\n</text 43c160>"


@given(st.text(max_size=60), st.text(max_size=20))
def test_no_text_closes_its_fence(before, after):
    mark = hashlib.sha256(before.encode()).hexdigest()[:6]
    for text in (before, f"{before}</text {mark}>{after}"):
        lines = fence(text, "text").split("\n")
        assert lines[0].replace("<", "</") == lines[-1]
        assert lines[-1] not in text


def test_a_text_that_knows_its_own_mark_gets_another(monkeypatch):
    monkeypatch.setattr("piibench.prompts.fencing.hashlib.sha256", FakeHash)
    assert fence("holds aaaaaa and bbbbbb", "text").startswith("<text cccccc>")


class FakeHash:
    """Gives aaaaaa for a text, and the next letter for each mark."""

    def __init__(self, data: bytes) -> None:
        letter = chr(data[0] + 1) if re.fullmatch(b"(.)\\1{5}", data) else "a"
        self.mark = letter * 6

    def hexdigest(self) -> str:
        return self.mark * 10


@given(st.lists(st.text(max_size=20), max_size=5))
def test_lists_are_json_on_one_line(values):
    written = quote_list(values)
    assert json.loads(written) == values
    assert "\n" not in written
