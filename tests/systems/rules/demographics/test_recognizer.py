import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.systems.rules.candidates import resolve
from piibench.systems.rules.demographics.recognizer import find_demographics
from piibench.systems.rules.lexicon import load_lexicons
from piibench.systems.rules.passage import read_passage

LEXICONS = load_lexicons()

PROFILE = (
    "Amina Yusuf is a 34-year-old Nigerian woman of Hausa descent, 172 cm tall and 64 kg, blood type O+. She is "
    "a devout Sunni Muslim, heterosexual, and works as a civil engineer; she has an MSc in Water Engineering. She "
    "has brown eyes, asthma, and is hard of hearing. Her mother finished high school, is Black and votes Labour."
)


def propose(text):
    return list(find_demographics(read_passage(text, LEXICONS)))


def test_a_profile_gives_all_seventeen_categories():
    found = {candidate.category: candidate.span.of(PROFILE) for candidate in resolve(propose(PROFILE))}
    assert found == {
        Category.AGE: "34",
        Category.NATIONALITY: "Nigerian",
        Category.GENDER: "woman",
        Category.ETHNICITY: "Hausa",
        Category.HEIGHT: "172 cm",
        Category.WEIGHT: "64 kg",
        Category.BLOOD_TYPE: "O+",
        Category.RELIGIOUS_BELIEF: "Sunni Muslim",
        Category.SEXUAL_ORIENTATION: "heterosexual",
        Category.OCCUPATION: "civil engineer",
        Category.ACADEMIC_DEGREE: "MSc in Water Engineering",
        Category.PHYSICAL_FEATURES: "brown eyes",
        Category.MEDICAL_CONDITION: "asthma",
        Category.DISABILITY_STATUS: "hard of hearing",
        Category.EDUCATION_LEVEL: "high school",
        Category.RACE: "Black",
        Category.POLITICAL_AFFILIATION: "Labour",
    }


WORDS = (
    "I'm is a of the nurse 34 year old woman Italian white gay has diabetes eyes brown 5'11\" 67 kg A+ blood MBA in "
    "history high school deaf , . ( ) \n Ana votes Labour as works aged 29F and not"
)
words = st.sampled_from(WORDS.split(" "))


@given(st.one_of(st.text(), st.text(st.characters()), st.lists(words, max_size=40).map(" ".join)))
def test_never_raises_and_stays_in_the_text(text):
    for candidate in propose(text):
        assert 0 <= candidate.span.start < candidate.span.end <= len(text)
        assert TYPE_OF[candidate.category] is PIIType.DEM
        assert candidate.span.of(text).strip() == candidate.span.of(text)


@pytest.mark.parametrize(
    "piece",
    [
        "a", " ", "1", "nurse ", "I'm a ", "34-year-old ", "brown ", "brown eyes ", "5'11\" ", "PhD in ", "is is is ",
        "a tattoo of a ", "allergic to ", "diabetes, ", "A+ blood ", "Italian and ", "(29F", "aged 5 and ", "senior ", "'",
    ],
)  # fmt: skip
def test_takes_linear_time(piece):
    short, long = ((piece * size)[:size] for size in (20_000, 200_000))
    seconds = []
    for text in (short, long):
        passage = read_passage(text, LEXICONS)
        started = time.process_time()
        for _ in find_demographics(passage):
            pass
        seconds.append(time.process_time() - started)
    assert seconds[1] < 40 * seconds[0] + 0.5
