"""Every form renders, says the same fact, and fits the sentence that asks for it."""

import random
import re
from datetime import date, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.taxonomy import Category
from piibench.errors import InputError
from piibench.generators.base import TODAY, Name
from piibench.generators.cultures import sample_background
from piibench.generators.datetimes import Duration
from piibench.generators.education import Degree
from piibench.generators.identities import Belief, Nation, Party
from piibench.generators.occupations import Job
from piibench.generators.quantities import Money
from piibench.generators.registry import FORMS, make, render

SLOTS = [(category, form) for category in Category for form in (None, *FORMS[category])]


def background(culture="us", gender="female"):
    return sample_background(random.Random(0), "train", culture=culture, gender=gender)


@pytest.mark.parametrize("style", ["paper", "world"])
@pytest.mark.parametrize(("category", "form"), SLOTS)
def test_values_are_one_clean_line_and_render_again(category, form, style):
    rng = random.Random(13)
    for _ in range(150):
        person = sample_background(rng, "dev")
        value = make(category, rng, person, form=form, style=style)
        assert (value.category, value.form) == (category, form)
        again = render(category, value.fact, rng, person, form=form, style=style)
        for text in (value.text, again):
            assert text
            assert text == text.strip()
            assert text.isprintable()
            assert "{" not in text
            assert "  " not in text


@given(seed=st.integers(0, 2**32), slot=st.sampled_from(SLOTS), style=st.sampled_from(["paper", "world"]))
def test_the_seed_fixes_the_value(seed, slot, style):
    def draw():
        rng = random.Random(seed)
        return make(slot[0], rng, sample_background(rng, "test"), form=slot[1], style=style)

    assert draw() == draw()


@pytest.mark.parametrize(
    ("category", "fact", "form", "text"),
    [
        (Category.FULL_NAME, Name("Amara", "Okafor"), None, "Amara Okafor"),
        (Category.FULL_NAME, Name("Amara", "Okafor"), "family", "Okafor"),
        (Category.SOCIAL_MEDIA_HANDLE, "amara_reads", None, "@amara_reads"),
        (Category.SOCIAL_MEDIA_HANDLE, "amara_reads", "bare", "amara_reads"),
        (Category.AGE, 34, None, "34"),
        (Category.AGE, 34, "word", "thirty-four"),
        (Category.AGE, 90, "word", "ninety"),
        (Category.GENDER, "nonbinary", None, "non-binary"),
        (Category.GENDER, "female", "noun", "woman"),
        (Category.GENDER, "male", "letter", "M"),
        (Category.DATE, date(2024, 3, 7), None, "2024-03-07"),
        (Category.DATE, date(2024, 3, 7), "year", "2024"),
        (Category.DATE, date(2024, 3, 7), "month", "March 2024"),
        (Category.TIME, time(19, 5, 9), None, "19:05:09"),
        (Category.DURATION, Duration(6, "y"), None, "6 years"),
        (Category.DURATION, Duration(6, "y"), "adj", "six-year"),
        (Category.DURATION, Duration(4, "h"), None, "4h"),
        (Category.DURATION, Duration(1, "y"), "years", "1 year"),
        (Category.MONTHLY_INCOME, Money(4200, "USD"), None, "$4200"),
        (Category.MONTHLY_INCOME, Money(4200, "USD"), "plain", "$4,200"),
        (Category.MONTHLY_INCOME, Money(4200, "USD"), "k", "$4.2k"),
        (Category.LOAN_AMOUNT, Money(85000, "USD"), "k", "$85k"),
        (Category.LOAN_AMOUNT, Money(350000, "INR"), "plain", "₹3,50,000"),
        (Category.LOAN_AMOUNT, Money(12500000, "INR"), "plain", "₹1,25,00,000"),
        (Category.LOAN_AMOUNT, Money(350000, "INR"), "k", "₹3.5 lakh"),
        (Category.LOAN_AMOUNT, Money(12500000, "INR"), "k", "₹1.2 crore"),
        (Category.LOAN_AMOUNT, Money(12500, "SEK"), "plain", "12 500 kr"),
        (Category.LOAN_AMOUNT, Money(12500, "EUR"), "plain", "€12.500"),
        (Category.ROI, 12.5, None, "12.50%"),
        (Category.CREDIT_SCORE, 712, None, "712"),
        (Category.CREDIT_SCORE, 712, "of", "712/850"),
        (Category.OCCUPATION, Job("paediatric nurse", 3, 3), None, "paediatric nurse"),
        (Category.OCCUPATION, Job("dean of studies", 5, 4), "title", "Dean of Studies"),
        (Category.NATIONALITY, Nation("Kenya", "Kenyan"), None, "Kenyan"),
        (Category.NATIONALITY, Nation("Kenya", "Kenyan"), "country", "Kenya"),
        (Category.RELIGIOUS_BELIEF, Belief("Buddhist", "Buddhism"), "faith", "Buddhism"),
        (Category.POLITICAL_AFFILIATION, Party("Green Party", "green"), "adj", "green"),
        (Category.ACADEMIC_DEGREE, Degree("MSc", "Master of Science", "Botany", 5), None, "MSc in Botany"),
        (Category.ACADEMIC_DEGREE, Degree("MSc", "Master of Science", "Botany", 5), "short", "MSc"),
        (Category.HEIGHT, 172, None, "172cm"),
        (Category.CREDIT_CARD, "4111 1111 1111 1111", "last4", "1111"),
        (Category.SOCIAL_SECURITY_NUMBER, "QQ 12 34 56 C", "last4", "3456"),
    ],
)
def test_facts_are_written_as_the_slot_asks(category, fact, form, text):
    class NoVariant(random.Random):
        def random(self):
            return 0.99

    assert render(category, fact, NoVariant(), background(), form=form) == text


@pytest.mark.parametrize("style", ["paper", "world"])
@pytest.mark.parametrize(
    ("form", "pattern"),
    [
        ("adj", r"[a-z0-9-]+-(year|month|week|day|hour|minute)"),
        ("years", r".+ years?"),
        ("months", r".+ months"),
        ("weeks", r".+ weeks"),
        ("days", r".+ days"),
        ("hours", r".+ hours"),
    ],
)
def test_durations_have_the_unit_of_their_form(form, pattern, style):
    rng = random.Random(2)
    for _ in range(200):
        assert re.fullmatch(pattern, make(Category.DURATION, rng, background(), form=form, style=style).text)


def test_birthdays_fit_the_age():
    rng = random.Random(4)
    for age in (0, 1, 18, 34, 77, 101):
        person = sample_background(rng, "train")
        person = type(person)(**{name: getattr(person, name) for name in person.__slots__} | {"age": age})
        for _ in range(60):
            born = make(Category.DATE, rng, person, form="birth").fact
            assert TODAY.year - born.year - ((TODAY.month, TODAY.day) < (born.month, born.day)) == age


def test_an_unknown_form_names_the_known_ones():
    with pytest.raises(InputError, match="Credit Score has no such form; its forms are: of"):
        make(Category.CREDIT_SCORE, random.Random(1), background(), form="plain")
    with pytest.raises(InputError, match="forms are: none"):
        render(Category.HEIGHT, 170, random.Random(1), background(), form="plain")


def test_no_value_shows_in_a_repr():
    value = make(Category.FULL_NAME, random.Random(1), background())
    assert value.text not in repr(value)
