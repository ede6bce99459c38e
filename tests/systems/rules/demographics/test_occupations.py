import pytest

from piibench.systems.rules.demographics.occupations import find_occupations
from recognition import propose, read_marks

POSITIVE = [
    "I'm Maria, a retired [[nurse]], and I live here.",
    "My husband works as a [[senior software engineer]] at Google.",
    "I am the [[CEO]] of Moonshot AI.",
    "Tim Cook, [[CEO]] of Apple, spoke.",
    "Jane Doe, [[Senior Editor]] at Vogue, agreed.",
    "I work at Microsoft as a [[junior developer]] with 2 years of experience.",
    "She has been employed there for ten years as an [[accountant]].",
    "He is the [[head of marketing]] at a bakery.",
    "She's a [[professor of medieval history]].",
    "My brother, a [[welder]], called.",
    "Kofi (34, [[taxi driver]]) left.",
    "We met [[software engineer]] Daniel Kim.",
    "He became a [[firefighter]] in May.",
    "As a [[midwife]], I see this daily.",
    "I'm an [[actor]] and [[waiter]].",
    "My mum was a [[primary school teacher]] all her life.",
    "Ana, 41, a part-time [[sales assistant]], agreed.",
    "[[Regional Manager]] at Acme, Leeds",
    "She is our [[Chief Financial Officer]].",
    "They were promoted last year to [[regional manager]].",
]

NEGATIVE = [
    "The doctor said I should rest.",
    "You should ask a lawyer.",
    "Call a plumber now.",
    "Our neighbour the plumber came.",
    "I'm not a doctor, but this looks bad.",
    "Dr. Smith and Professor Jones came.",
    "Doctor: How are you today?",
    "The teachers are on strike.",
    "I want to speak to a manager.",
    "We need a nurse on the ward.",
    "He was dressed as a pilot.",
    "Nurse Joy waved.",
    "There is a cook in every village.",
    "",
]


@pytest.mark.parametrize("marked", POSITIVE)
def test_finds_the_minimal_value(marked):
    text, expected = read_marks(marked)
    assert propose(find_occupations, text) == expected


@pytest.mark.parametrize("text", NEGATIVE)
def test_leaves_alone_what_is_nobody_s(text):
    assert propose(find_occupations, text) == []
