from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.taxonomy import Category, PIIType
from piibench.prompts.answers import parse_detection
from piibench.prompts.detections import Detection

ADA, AGE, TOM = ("A", "Ada", "PER"), ("A", "34", "DEM"), ("B", "Tom", "PER")
WHOLE = '{"A": {"Ada": "PER", "34": "DEM"}, "B": {"Tom": "PER"}}'


def read(reply: str) -> list[tuple[str, str, str]] | None:
    detection = parse_detection(reply)
    return None if detection is None else detection.values


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        pytest.param(WHOLE, [ADA, AGE, TOM], id="as asked"),
        pytest.param(f"Sure:\n```json\n{WHOLE}\n```\nDone.", [ADA, AGE, TOM], id="fence and prose"),
        pytest.param(WHOLE.replace('"', "'"), [ADA, AGE, TOM], id="single quotes"),
        pytest.param("{'A': {'Ada\\'s': 'PER', 'O'Hara': 'PER'}}", [("A", "Ada's", "PER"), ("A", "O'Hara", "PER")], id="apostrophes"),
        pytest.param("{“A”: {“Ada”: “PER”,},}", [ADA], id="odd quotes, commas"),
        pytest.param('{"A": {"Ada": "PER", …}, …}', None, id="dots for what is left out"),
        pytest.param('<think>{"A": {"X": "PER"}}</think>' + WHOLE, [ADA, AGE, TOM], id="thinking"),
        pytest.param("<think>" + WHOLE, None, id="nothing but thinking"),
        pytest.param('{"A": {"Ada": "PER"}}\n{"B": {"Tom": "PER"}}', [ADA, TOM], id="an object a person"),
        pytest.param('Draft {"A": {"Eve": "PER"}}. Final {"A": {"Ada": "PER"}}', [ADA], id="the last of drafts"),
        pytest.param('{"subject": "A", "value": "Ada", "type": "PER"}\n{"subject": "A", "value": "34", "type": "DEM"}', [ADA, AGE], id="a record a line"),
        pytest.param('{"A": {"Ada": "PER"}}\n{"A": {"34": "DEM"}}', [ADA, AGE], id="an object a value"),
        pytest.param('{"A": {"Sean O’Brien": "PER",}}', [("A", "Sean O’Brien", "PER")], id="a comma too many"),
        pytest.param('{"A": {"Faith": ["PER"], "x": true}}', [("A", "Faith", "PER"), ("A", "x", "")], id="a name that is a label"),
        pytest.param('Draft: {"A": [{"value": "Eve", "type": "PER"}, {"value": "3", "type": "DEM"}]}. Final: {"A": {"Ada": "PER"}}', [ADA], id="the last of drafts of records"),
        pytest.param('{"A": {"Full Name": ["Per"]}}', [("A", "Per", "Full Name")], id="a name that spells a type"),
        pytest.param('Subject {1} {"Ada": "PER"}\nSubject {2} {"Tom": "PER"}', [("1", "Ada", "PER"), ("2", "Tom", "PER")], id="as in Figure 13"),
        pytest.param('**Person A**: {"Ada": "PER"} **Person B**: {"Tom": "PER"}', [ADA, TOM], id="people in prose"),
        pytest.param('{"Ada": "PER", "34": "DEM"}', [("1", "Ada", "PER"), ("1", "34", "DEM")], id="no people"),
        pytest.param('{"A": {"PER": ["Ada"], "DEM": "34"}, "B": {"Full Name": "Tom"}}', [ADA, AGE, ("B", "Tom", "Full Name")], id="types first"),
        pytest.param('{"A": {"Age": 34, "Nickname": null}}', [("A", "34", "Age")], id="numbers and nothing"),
        pytest.param('{"PER": ["Ada", "Tom"]}', [("1", "Ada", "PER"), ("1", "Tom", "PER")], id="types and no people"),
        pytest.param('{"A": {"Ada": ["PER"], "34": {"type": "DEM"}}}', [ADA, AGE], id="wrapped types"),
        pytest.param('{"A": ["Ada", "34"]}', [("A", "Ada", ""), ("A", "34", "")], id="no types"),
        pytest.param('{"A": [["Ada", "PER"], ["DEM", "34"], ["x"]]}', [ADA, AGE], id="pairs"),
        pytest.param('{"A": [{"value": "Ada", "type": "PER"}, {"entity": 34, "label": "DEM"}]}', [ADA, AGE], id="records of a person"),
        pytest.param('[{"subject": "A", "value": "Ada", "type": "PER"}, {"subject": "B", "text": "Tom", "category": "PER"}]', [ADA, TOM], id="records"),
        pytest.param('{"subjects": [{"subject": "A", "entities": {"Ada": "PER"}}]}', [ADA], id="wrapped people"),
        pytest.param('{"subjects": {"A": {"Ada": "PER"}, "B": {"Tom": "PER"}}}', [ADA, TOM], id="wrapped objects"),
        pytest.param('{"A": {"Ada": "PER"}, "A": {"34": "DEM"}}', [ADA, AGE], id="a person twice"),
        pytest.param('{"A": {"Ada": "PER", "34": "DEM"}, "B": {"Tom": "PER", "Bl', [ADA, AGE, TOM], id="cut in a value"),
        pytest.param('{"A": {"Ada": "PER", "34": "D', [ADA], id="cut in a type"),
        pytest.param('{"A": {"Ada": "PER"', [ADA], id="cut before an end"),
        pytest.param('[{"subject": "A", "value": "Ada", "type": "PER"}, {"subject": "B", "val', [ADA], id="cut records"),
        pytest.param('{"A": {" ": "PER"}}', [], id="a blank value"),
        pytest.param('{"Subject": {"Ada": "PER", "34": "DEM"}}', [("1", "Ada", "PER"), ("1", "34", "DEM")], id="a subject that holds values"),
        pytest.param('{"persons": [{"person": {"Ada": "PER"}}]}', [("1", "Ada", "PER")], id="a person that holds values"),
        pytest.param('{"person": [{"value": "Ada", "type": "PER"}]}', [("1", "Ada", "PER")], id="a person that holds records"),
        pytest.param('{"A": [["Ada", "PER", "Full Name"]]}', [ADA], id="triples"),
        pytest.param('[{"value": "Ada"}, {"value": "34", "type": null}]', [("1", "Ada", ""), ("1", "34", "")], id="records without a type"),
        pytest.param('{"A": [{"value": "Ada", "pii_type": "PER"}, {"text": "34", "entity_type": "DEM"}]}', [ADA, AGE], id="other words for type"),
        pytest.param('{"A": {"PER": {"value": "Ada"}}}', [ADA], id="a type that holds a record"),
        pytest.param('{"A": {"DEM": "34", "DEM": "Race", "PER": "Ada"}}', [AGE, ("A", "Race", "DEM"), ADA], id="a type twice"),
        pytest.param('{"A": {"Ada": "PER", "Ada": "LOC"}}', [ADA], id="a value twice"),
        pytest.param('{"A": {"Ada": ["PER", "Full Name"], "34": ["DEM", "Age"]}}', [ADA, AGE], id="two labels"),
        pytest.param('{"A": {"QUANTITY": 4500.50, "Debt Ratio": 1.10}}', [("A", "4500.50", "QUANTITY"), ("A", "1.10", "Debt Ratio")], id="numbers as written"),
        pytest.param('{"A": {"12 Elm\nLeeds": "LOC"}}', [("A", "12 Elm\nLeeds", "LOC")], id="a line end in a value"),
        pytest.param('As asked [1]:\n{"A": {"Ada": "PER"}}', [ADA], id="a note's number"),
        pytest.param('[Result]\n{"A": {"PER": ["Ada"], "DEM": ["34"]}, "B": {"PER": ["Tom"]}}', [ADA, AGE, TOM], id="a word in brackets"),
        pytest.param('As rule [1] says: {"A": {"PER": ["Ada"], "DEM": ["34"]}}', [ADA, AGE], id="a number in brackets"),
        pytest.param('{"A": {"Ada": "PER"}}\nI left out ["sister"].', [ADA], id="a list of what is no PII"),
        pytest.param('[{"value": "Ada", "type": "PER"}]\n[{"value": "Tom", "type": "PER"}]', [("1", "Ada", "PER"), ("2", "Tom", "PER")], id="a list a person"),
        pytest.param('Person A: ["Ada", "34"]\nPerson B: ["Tom"]', [("A", "Ada", ""), ("A", "34", ""), ("B", "Tom", "")], id="a list of texts a person"),
        pytest.param('[{"pii": "Ada", "type": "PER"}, {"span": "34", "type": "DEM"}, {"name": "Tom", "type": "PER", "subject": "B"}]', [("1", "Ada", "PER"), ("1", "34", "DEM"), TOM], id="other words for value"),
        pytest.param('{"A": {"Ada": {"type": "PER", "pii": true}, "34": {"type": "DEM", "span": [5, 7]}}}', [ADA, AGE], id="remarks on a value"),
        pytest.param('{"A": {"Ada": {"type": "PER", "mention": "direct"}, "34": {"type": "DEM", "mention": "indirect"}}}', [ADA, AGE], id="remarks in words"),
        pytest.param('{"A": {"mention": "Ada", "type": "PER"}, "B": [{"word": "Tom", "type": "PER"}]}', [ADA, TOM], id="a person's record"),
        pytest.param('{"A": {"name": "Ada", "age": "34"}}', [("A", "Ada", "name"), ("A", "34", "age")], id="names of fields"),
        pytest.param('{"PER": {"A": "Ada", "B": ["Tom"]}, "DEM": {"A": "34"}}', [ADA, TOM, AGE], id="types, then people"),
        pytest.param('{"DEM": {"34": "Age", "A": "Blood Type"}}', [("DEM", "34", "Age"), ("DEM", "A", "Blood Type")], id="types, then values"),
        pytest.param('{"A": {"PER": "Faith"}}', [("A", "Faith", "PER")], id="a type before a name that is a label"),
        pytest.param('{"A": null, "B": {"Tom": "PER"}}', [TOM], id="nothing of a person"),
        pytest.param("[]", [], id="an empty list"),
        pytest.param("```json\n[]\n```", [], id="an empty list in a fence"),
        pytest.param("- [ ] Ada", None, id="a box to tick"),
        pytest.param("{}", [], id="nothing found"),
        pytest.param("There is no PII.", None, id="prose"),
        pytest.param("", None, id="nothing"),
        pytest.param("{" * 5000, None, id="brackets"),
        pytest.param('{"A":' * 900 + "1" + "}" * 900, None, id="a well"),
    ],
)  # fmt: skip
def test_shapes(reply, found):
    assert read(reply) == found


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        pytest.param('{"A": {"Ada": "PER",}, "B": {"Tom": "PER"}}', [ADA, TOM], id="a comma too many"),
        pytest.param('{"A": {"Ada": "PER",,}\n "B": {"Tom": "PER"}}', [ADA, TOM], id="commas too many and too few"),
        pytest.param('[{"value": "Ada", "type": "PER"} {"value": "34" "type": "DEM"}]', [("1", "Ada", "PER"), ("1", "34", "DEM")], id="commas too few"),
        pytest.param(r"""{"A": {"O\'Hara": "PER"}, "B": {"Tom": "PER"}}""", [("A", "O'Hara", "PER"), TOM], id="an apostrophe escaped"),
        pytest.param(r'{"A": {"C:\Users\new": "CODE", "a\u0062": "CODE"}, "B": {"Tom": "PER"}}', [("A", r"C:\Users\new", "CODE"), ("A", "ab", "CODE"), TOM], id="a path"),
        pytest.param('{"A": {"Ada": "PER", "phone": 0123, "fax": +44 20}, "B": {"Tom": "PER"}}', [ADA, ("A", "0123", "phone"), ("A", "fax", "+44 20"), TOM], id="numbers that are none"),
        pytest.param('{"A": {"Ada": PER, "x": None}, B: {"Tom": "PER"}}', [ADA, ("A", "x", ""), TOM], id="words without quotes"),
        pytest.param('{"A": {"Ada": "PER"}, // who "writes"\n "B": {"Tom": "PER"}, # her son\n}', [ADA, TOM], id="comments"),
        pytest.param('{{"A": {"Ada": "PER"}, "B": {"Tom": "PER"}}}', [ADA, TOM], id="double brackets"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_one_person_loses_nobody(reply, found):
    assert read(reply) == found


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ('{"A": {"Ada": "PER"}, "B": {"Tom": "PE', [ADA]),
        ('[{"value": "Ada", "type": "PER"}, {"val', [("1", "Ada", "PER")]),
        ('{"A": {"Ada": "PER", …}, "B": {"Tom": "PER"}}', [TOM]),
        ("""{"A": {"5'11"": "DEM", "Ada": "PER"}, "B": {"Tom": "PER"}}""", [TOM]),
        ('{"A": {"Ada": "PER"}, …}', [ADA]),
        ('{"A": {"PER": ["Ada"], "DEM": [1, …]}}', [("1", "Ada", "PER")]),
        ('{"A": {"Ada": "PER"}, "B": {...}}', [ADA]),
        ('{"A": {"Ada": "PER", "34": "DEM"}\n{"B": {"Tom": "PER"}}', [ADA, AGE, TOM]),
        ('{"A": {"Ada": "PER"} (the "applicant"), "B": {"Tom": "PER"}}', [ADA, TOM]),
        ('{"A": {"Ada": "PER"},\n {"B": {"Tom": "PER"}}}', [ADA, TOM]),
        ('Subject {1} {"Ada": "PER"\nSubject {2} {"Tom": "PER"}', [("1", "Tom", "PER")]),
        ('Draft {"A": {"Ada": "PER"}, "B": {"Tom": "PER"}} Final {"A": {"Ada": "PER"}, "B": {"Tom": "PER"}, …}', [ADA, TOM]),
        ('{"A": {"Ada": "PER", …}}\n{"B": {"Tom": "PER"}}', [TOM]),
        ('{"A": {"Ada": "PER"}}\n{"B": {"5\'11"": "DEM", "Tom": "PER"}}', [ADA]),
    ],
)  # fmt: skip
def test_what_is_cut_off_or_unreadable_shows(reply, found):
    assert parse_detection(reply) == Detection(found, is_whole=False)


@pytest.mark.parametrize("note", ["[1]", "[Result]", "{name}", "[see `x`]"])
def test_what_is_no_answer_does_not_show(note):
    assert parse_detection(f"{note} {WHOLE}\n{note}") == Detection([ADA, AGE, TOM])


@pytest.mark.parametrize(
    ("reply", "people"),
    [
        ('{"Ada Holt": {"34": "DEM"}, "Tom Lee": {}, "Eve Lee": {"Eve": "PER"}, "Ed de Wit": {"7": "Age"}}', ["Ada Holt", "Ed de Wit"]),
        ('{"Ada Holt": ["34"], "the tenant": ["7"], "Subject 2": ["8"], "3": ["9"]}', ["Ada Holt"]),
        ('{"Applicant": {"34": "DEM"}, "The Applicant": {"34": "DEM"}, "P2": ["7"], "Notes": []}', []),
        ('{"Subject One": {"34": "DEM"}, "Subject 1 (the Tenant)": {"7": "DEM"}, "Detected PII": ["8"]}', []),
        ('{"subjects": {"A": {"34": "DEM"}}, "PER": ["Ada"]}', []),
    ],
)  # fmt: skip
def test_a_key_that_may_be_a_name_is_a_value_of_itself(reply, people):
    assert [value for subject, value, _ in read(reply) if subject == value] == people


def test_any_number_of_records_is_read():
    reply = "\n".join(f'{{"value": "Ada{number}", "type": "PER"}}' for number in range(200))
    assert len(read(reply)) == 200


def test_a_value_that_looks_like_a_label_stays_a_value():
    # "Tom" is no label, "Nurse" neither; "Race" is both a word and a category: the order decides.
    assert read('{"A": {"Race": "DEM"}}') == [("A", "Race", "DEM")]


WORDS = st.text(
    st.characters(categories=["L", "N"], include_characters=" '\"\\,{}[]:"), min_size=1, max_size=12
)
VALUES = WORDS.filter(lambda text: text.strip() and not text.strip().isalpha())
LABELS = st.sampled_from([*map(str, PIIType), *map(str, Category)])


@given(st.dictionaries(st.sampled_from("ABCD"), st.dictionaries(VALUES, LABELS, min_size=1), min_size=1))
def test_whatever_is_said_as_asked_is_read(people):
    found = [(subject, value, label) for subject, values in people.items() for value, label in values.items()]
    assert parse_detection(json.dumps(people)) == Detection(found)


@given(st.dictionaries(VALUES, LABELS, min_size=1), st.data())
def test_a_cut_reply_gives_a_beginning(values, data):
    reply = json.dumps({"A": values})
    found = read(reply[: data.draw(st.integers(1, len(reply)))]) or []
    assert [(value, label) for _, value, label in found] == list(values.items())[: len(found)]


@given(st.text(alphabet="[]{}\",:\\ aA1'“\n…", max_size=120))
def test_nothing_makes_it_fail(reply):
    parse_detection(reply)
