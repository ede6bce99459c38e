"""Kinds of organisations and sights: what a slot asks for is plain from the name."""

import random
import re
from dataclasses import replace

import pytest

from piibench.data.taxonomy import Category
from piibench.generators.cultures import list_cultures, sample_background
from piibench.generators.occupations import list_jobs
from piibench.generators.organisations import KINDS
from piibench.generators.registry import FORMS, make

ASKED = [(category, kind) for category, kinds in KINDS.items() for kind in kinds]
PARTITIONS = ("train", "dev", "test")


def draw(category, kind, number, partition="test", culture=None):
    rng = random.Random(31)
    people = (sample_background(rng, partition, culture=culture) for _ in range(number))
    return {make(category, rng, person, form=kind).text for person in people}


@pytest.mark.parametrize(("category", "kind"), ASKED)
def test_each_kind_has_thousands_of_names(category, kind):
    assert len(draw(category, kind, 6000)) > 2000


@pytest.mark.parametrize(("category", "kind"), ASKED)
def test_each_kind_has_names_in_every_culture(category, kind):
    assert min(len(draw(category, kind, 40, culture=culture)) for culture in list_cultures()) > 10


@pytest.mark.parametrize("category", KINDS)
def test_no_name_is_of_two_kinds(category):
    names = {kind: draw(category, kind, 1500) for kind in KINDS[category]}
    seen = set()
    for drawn in names.values():
        assert not drawn & seen
        seen |= drawn


@pytest.mark.parametrize(("category", "kind"), ASKED)
def test_partitions_share_no_name_of_a_kind(category, kind):
    train, dev, test = (draw(category, kind, 400, partition) for partition in PARTITIONS)
    assert not train & (dev | test)
    assert not dev & test


@pytest.mark.parametrize(
    ("category", "kind", "culture", "pattern"),
    [
        (Category.COMPANY_NAME, "bank", "de", r"bank|Bank|Sparkasse"),
        (Category.COMPANY_NAME, "law", "it", r"Legale|Avvocati|Law|Legal|Solicitors"),
        (Category.GOVERNMENT_AGENCY, "tax", "tr", r"Vergi|Tax|Revenue"),
        (Category.GOVERNMENT_AGENCY, "court", "us", r"Court"),
        (Category.HEALTHCARE_FACILITY, "dental", "fr", r"dentaire|Dental|Orthodontics"),
        (Category.EDUCATIONAL_INSTITUTION, "nursery", "jp", r"Kindergarten|Nursery|Play|Day|Pre"),
        (Category.NGO, "animals", "nl", r"Dieren|Animal|Cat|Dog|Donkey|Hedgehog|Horse"),
        (Category.LANDMARK, "museum", "pl", r"Muzeum|Galeria|Museum|Gallery"),
    ],
)
def test_a_name_tells_its_kind(category, kind, culture, pattern):
    assert all(re.search(pattern, name) for name in draw(category, kind, 200, culture=culture))


def test_the_registry_knows_the_kinds():
    assert all(FORMS[category] == kinds for category, kinds in KINDS.items())


@pytest.mark.parametrize(("age", "kind"), [(3, "nursery"), (8, "primary"), (15, "school")])
def test_children_go_to_schools_for_their_age(age, kind):
    rng = random.Random(8)
    for _ in range(50):
        child = replace(sample_background(rng, "dev"), age=age)
        assert make(Category.EDUCATIONAL_INSTITUTION, rng, child).fact.kind == kind


def test_adults_were_at_any_school_but_a_childs():
    rng = random.Random(8)
    adult = replace(sample_background(rng, "dev"), age=40)
    kinds = {make(Category.EDUCATIONAL_INSTITUTION, rng, adult).fact.kind for _ in range(200)}
    assert kinds == {"university", "college", "school"}


def test_companies_employ_the_person():
    rng = random.Random(8)
    person = replace(sample_background(rng, "dev"), employers=("builder", "tech"))
    assert {make(Category.COMPANY_NAME, rng, person).fact.kind for _ in range(60)} == {"builder", "tech"}
    assert make(Category.COMPANY_NAME, rng, person, form="bank").fact.kind == "bank"


def test_occupations_name_kinds_of_companies_that_there_are():
    named = {kind for job in list_jobs() for kind in job.employers}
    assert named <= {*KINDS[Category.COMPANY_NAME], "group"}
    assert all(job.employers for job in list_jobs())


def test_two_partners_have_two_names():
    rng = random.Random(8)
    for _ in range(400):
        name = make(Category.COMPANY_NAME, rng, sample_background(rng, "test"), form="law").text
        if pair := re.match(r"(\w+) & (\w+) ", name):
            assert pair[1] != pair[2]
