"""The system presidio, against the real analyzer; skipped where it is not installed."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from itertools import pairwise

import pytest

pytest.importorskip(
    "presidio_analyzer", reason="presidio-analyzer is not installed: pip install 'piibench[presidio]'"
)

import spacy
from presidio_analyzer import RecognizerResult
from spacy.util import is_package

from piibench.data.schema import Prompt
from piibench.data.taxonomy import Category, PIIType
from piibench.errors import InputError
from piibench.systems.compose import protect_sync
from piibench.systems.presidio import ENTITY_TYPES, MODELS, OVERLAP, PATTERNS, WIDEST, _cut, _resolve
from piibench.systems.registry import load_system

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def patterns():
    return load_system("presidio", model=PATTERNS)


def find(system, text: str) -> list[tuple[str, str]]:
    return [(one.text, one.label) for one in asyncio.run(system.detect(text))]


@pytest.mark.parametrize(
    ("text", "value", "label"),
    [
        ("Mail maren@example.org today", "maren@example.org", Category.EMAIL_ADDRESS),
        ("my phone is 212-555-0176.", "212-555-0176", Category.PHONE_NUMBER),
        ("Card 4111 1111 1111 1111, please", "4111 1111 1111 1111", Category.CREDIT_CARD),
        ("to IBAN GB82WEST12345698765432", "GB82WEST12345698765432", Category.BANK_ACCOUNT),
        ("from 203.0.113.7 again", "203.0.113.7", Category.IP_ADDRESS),
        ("my driver license is H1234567", "H1234567", Category.DRIVERS_LICENSE),
        ("born on 12/03/1980", "12/03/1980", PIIType.DATETIME),
        ("device 00:1B:44:11:3A:B7 is hers", "00:1B:44:11:3A:B7", PIIType.CODE),
    ],
)
def test_forms_with_exact_places(patterns, text: str, value: str, label: str) -> None:
    found = asyncio.run(patterns.detect(text))
    assert (value, label) in [(one.text, one.label) for one in found]
    assert all(one.subject == "A" for one in found)
    assert all(span.of(text) == one.text for one in found for span in one.mentions)


@pytest.mark.parametrize("text", ["", "  ", "Nothing personal.", "see https://example.org/page"])
def test_what_is_no_pii(patterns, text: str) -> None:
    assert find(patterns, text) == []


def test_a_context_word_raises_a_score_over_the_threshold() -> None:
    strict = load_system("presidio", model=PATTERNS, threshold=0.4)
    assert find(strict, "My driver license is H1234567") == [("H1234567", Category.DRIVERS_LICENSE)]
    assert find(strict, "The part is H1234567") == []


def test_it_keeps_nothing_whatever_is_asked(patterns) -> None:
    prompt = Prompt(description="Mail maren@example.org.", query="Which address?")
    masked = protect_sync(patterns, prompt)
    assert masked.description == "Mail <Email Address>."
    assert [one.reason for one in masked.selection.decisions] == ["hidden: Presidio found it; Email Address"]


def test_every_entity_type_of_the_analyzer_is_mapped(patterns) -> None:
    assert set(patterns._analyzer.get_supported_entities("en")) <= set(ENTITY_TYPES)


def test_nothing_is_looked_for_that_would_not_count(patterns) -> None:
    assert all(ENTITY_TYPES[one] for one in patterns._analyzer.get_supported_entities("en"))


def test_of_overlapping_results_the_best_score_stands_then_the_longest() -> None:
    text = "0123456789 rest  "
    made = [
        RecognizerResult("PERSON", 0, 4, 0.5),
        RecognizerResult("LOCATION", 2, 10, 0.9),
        RecognizerResult("PHONE_NUMBER", 0, 10, 0.5),
        RecognizerResult("AGE", 11, 13, 0.4),
        RecognizerResult("ID", 11, 17, 0.4),
        RecognizerResult("URL", 0, 17, 1.0),
        RecognizerResult("OF_SOMEBODY_ELSE", 0, 17, 1.0),
        RecognizerResult("PERSON", 15, 17, 1.0),
    ]
    places = _resolve(text, made)
    assert [(tuple(place.span), place.type) for place in places] == [((2, 10), "LOC"), ((11, 15), "CODE")]


def test_nothing_is_sent_to_check_a_mail_domain(monkeypatch) -> None:
    def refuse(*_: object) -> None:
        pytest.fail("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert find(load_system("presidio", model=PATTERNS), "a@example.org, b@example.nosuchtld") == [
        ("a@example.org", Category.EMAIL_ADDRESS)
    ]


@pytest.mark.parametrize("model", ["en_core_web_nonesuch", "httpx"])
def test_what_is_no_model_is_refused_and_not_downloaded(model: str) -> None:
    with pytest.raises(InputError, match="no spaCy model of that name is installed"):
        load_system("presidio", model=model)


def test_a_damaged_folder_of_a_model_is_refused(tmp_path) -> None:
    (tmp_path / "config.cfg").write_text("[nlp]\nlang = 7")
    with pytest.raises(InputError, match="no spaCy model of that name is installed"):
        load_system("presidio", model=str(tmp_path))


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_score_that_cannot_be_is_refused(threshold: float) -> None:
    with pytest.raises(InputError, match=r"threshold: a score lies in \[0, 1\]"):
        load_system("presidio", model=PATTERNS, threshold=threshold)


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """A spaCy model in a folder that finds one name, with spaCy's own limit of length."""
    folder = tmp_path_factory.mktemp("model")
    words = spacy.blank("en")
    words.add_pipe("entity_ruler").add_patterns([{"label": "PERSON", "pattern": "Maren Holt"}])
    words.to_disk(folder)
    return load_system("presidio", model=str(folder))


@pytest.mark.parametrize("model", ["patterns", "names"])
def test_a_text_of_any_length(model: str, request) -> None:
    assert len(find(request.getfixturevalue(model), "word " * 220_000 + "maren@example.org")) == 1


@pytest.mark.parametrize(
    ("model", "unit", "value"),
    [
        ("patterns", "maren@example.org ", "maren@example.org"),
        ("patterns", "maren@example.org,", "maren@example.org"),
        ("patterns", "\tcall 212-555-0176.\n", "212-555-0176"),
        ("names", "Maren Holt, ", "Maren Holt"),
    ],
)
def test_each_value_of_a_long_text_is_found_once_and_whole(
    model: str, unit: str, value: str, request
) -> None:
    count = 2 * WIDEST // len(unit)
    (found,) = asyncio.run(request.getfixturevalue(model).detect(unit * count))
    assert found.text == value
    first = unit.index(value)
    assert [start for start, _ in found.mentions] == [first + number * len(unit) for number in range(count)]


def test_a_context_word_counts_in_every_window() -> None:
    strict = load_system("presidio", model=PATTERNS, threshold=0.4)
    count = 2 * WIDEST // 31
    (found,) = asyncio.run(strict.detect("My driver license is H1234567. " * count))
    assert len(found.mentions) == count


@pytest.mark.parametrize("char", ["x", " ", "x" * 700 + " "])
@pytest.mark.parametrize("length", [0, 1, WIDEST, WIDEST + 1, 4 * WIDEST + 7])
def test_windows_cover_a_text_and_none_is_wider_than_may_be(char: str, length: int) -> None:
    text = (char * length)[:length]
    windows = list(_cut(text))
    assert len(windows) == 1 or length > WIDEST
    assert (windows[0][1].start, windows[-1][1].end) == (0, length)
    assert all(left.end == right.start for (_, left), (_, right) in pairwise(windows))
    assert all(window.end - window.start <= WIDEST for window, _ in windows)
    assert all(own.start - window.start >= OVERLAP // 2 or own.start == 0 for window, own in windows)


def test_fingerprints_tell_set_ups_apart(patterns) -> None:
    other = load_system("presidio", model=PATTERNS, threshold=0.5)
    assert patterns.fingerprint != other.fingerprint
    assert patterns.fingerprint == load_system("presidio", model=PATTERNS).fingerprint


def test_a_spacy_model_finds_names() -> None:
    if not any(map(is_package, MODELS)):
        pytest.skip(f"none of the spaCy models {', '.join(MODELS)} is installed")
    assert ("Angela Merkel", "PER") in find(load_system("presidio"), "Angela Merkel lives in Berlin.")


ABSENT = """
import sys
sys.modules["presidio_analyzer"] = None
from piibench.cli.main import run
sys.argv = ["piibench", "detect", "--system", "presidio"]
run()
"""


def test_where_it_is_missing_one_line_says_how_to_get_it() -> None:
    done = subprocess.run([sys.executable, "-c", ABSENT], input=b"x", capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.decode() == (
        "piibench: the system presidio needs the package presidio_analyzer; pip install 'piibench[presidio]'\n"
    )
