import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import resolve
from piibench.systems.rules.fields.recognizer import find_fields
from piibench.systems.rules.fields.values import LABELS
from piibench.systems.rules.lexicon import Lexicons
from piibench.systems.rules.passage import read_passage
from recognition import propose

NO_WORDS = Lexicons([("none", ["\ue000"])])


def read(text):
    found = resolve(find_fields(read_passage(text, NO_WORDS)))
    return [(candidate.span.of(text), candidate.category) for candidate in found]


@pytest.mark.parametrize(
    ("text", "value", "category"),
    [
        ("Nationality: Peruvian", "Peruvian", Category.NATIONALITY),
        ("Religion – Hindu", "Hindu", Category.RELIGIOUS_BELIEF),
        ('{"bloodType": "O-"}', "O-", Category.BLOOD_TYPE),
        ('"blood_type": "A+", "x": 1', "A+", Category.BLOOD_TYPE),
        ("Sex: F, single", "F", Category.GENDER),
        ("* **Age:** 34 years", "34", Category.AGE),
        ("patient's age = 7", "7", Category.AGE),
        ("Your occupation: senior nurse at St Mary's", "senior nurse", Category.OCCUPATION),
        ("Name: Ana Torres", "Ana Torres", Category.FULL_NAME),
        ("Name: Ana", "Ana", Category.NICKNAME),
        ("Address: 12 Hill Street, Leeds LS1 4AB", "12 Hill Street, Leeds LS1 4AB", Category.STREET_ADDRESS),
        ("Rent: £950 per month", "£950", Category.MONTHLY_EXPENSES),
        ("salary\t85,000 USD", "85,000 USD", Category.MONTHLY_INCOME),
        ("Credit score: 712/850", "712/850", Category.CREDIT_SCORE),
        ("Employee ID: E-4471", "E-4471", Category.EMPLOYEE_ID),
        ("Employer: Acme Ltd (Leeds)", "Acme Ltd", Category.COMPANY_NAME),
        ("Eye colour: dark brown", "dark brown", Category.PHYSICAL_FEATURES),
        ("Political party: Greens", "Greens", Category.POLITICAL_AFFILIATION),
        ("Highest degree: MSc in Botany", "MSc in Botany", Category.ACADEMIC_DEGREE),
        ("DOB: 12 March 1990", "12 March 1990", Category.DATE),
        ("e-mail: ana@example.org", "ana@example.org", Category.EMAIL_ADDRESS),
    ],
)
def test_a_label_gives_its_value(text, value, category):
    assert read(text) == [(value, category)]


@pytest.mark.parametrize(
    "text",
    [
        "Disability: N/A.", "Religion: none", "Name: ____", "Gender: prefer not to say", "Age: unknown",
        "Occupation: I don't know what to put here", "Phone: call me", "Doctor: Hello", "Note: nurse",
        "Employer: none of your business", "Passport: see below", "Nationality:", "Nationality:\n", "Email: mine",
        "Political party: <party>", "City: 12", "Job: it is a long story",
    ],
)  # fmt: skip
def test_no_value_is_refused(text):
    assert read(text) == []


def test_lists_hold_several_values():
    text = "Allergies: penicillin, latex and peanuts. Next: none"
    assert [value for value, _ in read(text)] == ["penicillin", "latex", "peanuts"]


def test_several_fields_share_a_line():
    assert read("Sex: M | Height: 172 cm; Weight: 67 kg") == [
        ("M", Category.GENDER),
        ("172 cm", Category.HEIGHT),
        ("67 kg", Category.WEIGHT),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "name,age,occupation\nAna Torres,34,nurse\nKofi,52,taxi driver\n\nBye",
        "| Name | Age | Occupation |\n|---|---|---|\n| Ana Torres | 34 | nurse |\n| Kofi | 52 | taxi driver |",
        "Name;Age;Occupation\r\nAna Torres;34;nurse\r\nKofi;52;taxi driver\r\n",
        'name,age,"note, if any",occupation\n"Ana Torres",34,"tall, thin",nurse\nKofi,"52",,"taxi driver"\n',
    ],
)
def test_a_header_gives_the_columns_below_it(text):
    assert read(text) == [
        ("Ana Torres", Category.FULL_NAME),
        ("34", Category.AGE),
        ("nurse", Category.OCCUPATION),
        ("Kofi", Category.NICKNAME),
        ("52", Category.AGE),
        ("taxi driver", Category.OCCUPATION),
    ]


def test_every_category_has_a_label():
    assert set(LABELS.values()) == set(Category)


@given(st.one_of(st.text(), st.text(st.sampled_from("name:age=,|\n\t\"' -34AO+"))))
def test_never_raises_and_stays_in_the_text(text):
    for candidate in find_fields(read_passage(text, NO_WORDS)):
        assert 0 <= candidate.span.start < candidate.span.end <= len(text)


@pytest.mark.parametrize(
    "piece", [":", "a:", "Name: ", "name,age\n", "a,b,", "Age=", '"', " - ", "Allergies: a and ", "|", "\t"]
)
def test_takes_linear_time(piece):
    seconds = []
    for size in (20_000, 200_000):
        passage = read_passage((piece * size)[:size], NO_WORDS)
        started = time.process_time()
        for _ in find_fields(passage):
            pass
        seconds.append(time.process_time() - started)
    assert seconds[1] < 40 * seconds[0] + 0.5


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Start date: 3 March 2020, SSN 078-05-1120", ["3 March 2020"]),
        ("Height: 180 cm, weight: 75 kg", ["180 cm", "75 kg"]),
        ("Name: Ana Lopez Age: 34", ["Ana Lopez", "34"]),
        ("DOB: 12 May 1987 in Leeds, UK", ["12 May 1987"]),
        ("DOB: March 3, 2020", ["March 3, 2020"]),
        ("Company: Acme Insurance Agency - Boston", ["Acme Insurance Agency"]),
        ("Diagnosis: knee injury - left side", ["knee injury - left side"]),
        ("Name: Grace Faith - nurse", ["Grace Faith"]),
        ("Education: College", ["College"]),
        ("Surname: Job", ["Job"]),
        ('{"name": "Robert Smith (Bob)"}', ["Robert Smith"]),
        ('{"phone": "555-123-4567 (mobile)"}', ["555-123-4567"]),
        ('{"city": "Lyon, where I live now and will stay"}', ["Lyon"]),
        ("Time of birth: 3:15 in the morning", ["3:15 in the morning"]),
        ('name,age,blood type\n"Carter, Ben",41,A-', ["Carter, Ben", "41", "A-"]),
        ("Name\tAge\tCity\nAna Lopez\t34\tLeeds", ["Ana Lopez", "34", "Leeds"]),
        (
            "name,age,city,height\nAna Lopez,34,Leeds\nBo Li,41,York,180 cm",
            ["Ana Lopez", "34", "Leeds", "Bo Li", "41", "York", "180 cm"],
        ),
    ],
)
def test_a_field_ends_where_another_begins(text, found):
    assert propose(find_fields, text) == found


def test_fields_take_linear_time():
    def take(size):
        begun = time.perf_counter()
        propose(find_fields, "Height: 180 cm weight " * size)
        return time.perf_counter() - begun

    assert take(4000) < 12 * take(1000) + 0.1
