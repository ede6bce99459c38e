"""Train, dev and test share no rare value, and backgrounds hold together."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from piibench.data.taxonomy import Category
from piibench.errors import InputError
from piibench.generators.base import Name
from piibench.generators.cultures import list_cultures, sample_background
from piibench.generators.education import Schooling
from piibench.generators.occupations import list_jobs
from piibench.generators.quantities import INCOME_BANDS
from piibench.generators.registry import make
from piibench.generators.stems import list_families, list_stems, list_streets
from piibench.generators.wordlists import find_partition, keep_partition, read_rows

PARTITIONS = ("train", "dev", "test")
RARE = [
    (Category.COMPANY_NAME, None),
    (Category.EDUCATIONAL_INSTITUTION, None),
    (Category.GOVERNMENT_AGENCY, None),
    (Category.NGO, None),
    (Category.HEALTHCARE_FACILITY, None),
    (Category.LANDMARK, None),
    (Category.STREET_ADDRESS, None),
    (Category.SOCIAL_MEDIA_HANDLE, None),
    (Category.NICKNAME, "pet"),
]


@pytest.mark.parametrize("style", ["paper", "world"])
@pytest.mark.parametrize(("category", "form"), RARE)
def test_partitions_share_no_rare_value(category, form, style):
    rng = random.Random(17)
    drawn = {
        partition: {
            make(category, rng, sample_background(rng, partition), form=form, style=style).text
            for _ in range(2500)
        }
        for partition in PARTITIONS
    }
    assert not drawn["train"] & drawn["test"]
    assert not drawn["train"] & drawn["dev"]
    assert not drawn["dev"] & drawn["test"]


def test_every_word_has_one_partition():
    words = [f"word{n}" for n in range(4000)]
    parts = [keep_partition(words, partition) for partition in PARTITIONS]
    assert sum(len(part) for part in parts) == len(words)
    shares = [len(part) / len(words) for part in parts]
    assert shares == pytest.approx([128 / 256, 48 / 256, 80 / 256], abs=0.03)
    assert find_partition("Alder") == find_partition("alder")


@pytest.mark.parametrize("partition", PARTITIONS)
def test_every_partition_has_words_of_every_kind(partition):
    for kind, least in {"stem": 200, "brand": 120, "pet": 150, "nature": 5, "handle": 12, "mail": 2}.items():
        assert len(list_stems(kind, partition)) >= least
    for row in read_rows("cultures"):
        assert len(list_families(row[0], partition)) >= 4
        assert len(list_streets(row[4], partition)) >= 2


def test_backgrounds_follow_the_weights():
    rng = random.Random(1)
    people = [sample_background(rng, "train") for _ in range(4000)]
    assert {person.culture for person in people} == set(list_cultures())
    genders = Counter(person.gender for person in people)
    assert genders["nonbinary"] / 4000 == pytest.approx(0.04, abs=0.015)


@pytest.mark.parametrize(
    ("gender", "he", "his"), [("female", "she", "her"), ("male", "he", "his"), ("nonbinary", "they", "their")]
)
def test_pronouns_agree_with_the_gender(gender, he, his):
    pronouns = sample_background(random.Random(1), "dev", gender=gender).pronouns
    assert (pronouns.he, pronouns.his) == (he, his)


def test_an_unknown_culture_names_the_known_ones():
    with pytest.raises(InputError, match="use one of us, uk"):
        sample_background(random.Random(1), "dev", culture="xx")


def test_handles_mail_and_nicknames_fit_the_name():
    rng = random.Random(9)
    person = replace(sample_background(rng, "train"), name=Name("Łucja", "Żak"))
    assert {make(Category.NICKNAME, rng, person).text for _ in range(20)} == {"Łucja"}
    mails = [make(Category.EMAIL_ADDRESS, rng, person).text for _ in range(200)]
    assert all("lucja" in mail or "zak" in mail or "lzak" in mail for mail in mails)


def test_money_fits_the_income_band():
    rng = random.Random(9)
    person = sample_background(rng, "train", culture="us")
    for band, (low, high) in INCOME_BANDS.items():
        sums = [
            make(Category.MONTHLY_INCOME, rng, replace(person, income_band=band)).fact for _ in range(200)
        ]
        assert all(low * 0.9 <= money.amount <= high * 1.1 for money in sums)
        assert {money.currency for money in sums} == {"USD"}


def test_occupations_carry_ranks():
    jobs = {job.title: job for job in list_jobs()}
    assert len(jobs) >= 500
    assert all(0 <= job.education <= 5 and 1 <= job.income_band <= 5 for job in jobs.values())
    assert jobs["surgeon"].education > jobs["cleaner"].education
    assert jobs["surgeon"].income_band > jobs["cleaner"].income_band


def test_education_and_places_carry_facts():
    rng = random.Random(2)
    person = sample_background(rng, "train", culture="ke")
    assert make(Category.CITY_REGION, rng, person).fact.country == "Kenya"
    assert make(Category.STREET_ADDRESS, rng, person).fact.country == "Kenya"
    assert make(Category.ACADEMIC_DEGREE, rng, person).fact.rank in {4, 5}
    levels = [make(Category.EDUCATION_LEVEL, rng, person).fact for _ in range(300)]
    assert all(isinstance(level, Schooling) for level in levels)
    assert {level.rank for level in levels} == {0, 1, 2, 3, 4, 5}


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("conditions", 400),
        ("disabilities", 60),
        ("religions", 60),
        ("nationalities", 185),
        ("parties", 90),
        ("occupations", 500),
    ],
)
def test_lists_are_rich_and_without_repeats(name, least):
    rows = [row[0] for row in read_rows(name)]
    assert len(set(rows)) >= least
    if name != "disabilities":
        assert len(rows) == len(set(rows))
