"""Whom listed values fit, and that what is drawn fits."""

import random
from dataclasses import replace

import pytest

from piibench.data.taxonomy import Category
from piibench.errors import InputError
from piibench.generators.bodies import index_mass
from piibench.generators.conditions import list_conditions
from piibench.generators.cultures import list_cultures, sample_background
from piibench.generators.education import Degree, Schooling
from piibench.generators.limits import ANYBODY, Limits, parse_limits, pick_fitting
from piibench.generators.occupations import Job, list_jobs
from piibench.generators.registry import make
from piibench.generators.wordlists import read_rows, read_words


def person(age=None, gender="female", culture="us", **more):
    background = sample_background(random.Random(0), "train", gender=gender, culture=culture)
    return replace(background, age=age, **more)


def draw(category, background, number=300, **options):
    rng = random.Random(12)
    return [make(category, rng, background, **options) for _ in range(number)]


@pytest.mark.parametrize(
    ("column", "limits"),
    [
        ("", ANYBODY),
        ("60+", Limits(60)),
        ("f 18-45", Limits(18, 45, "female")),
        ("m", Limits(gender="male")),
        ("16-65 in,ke", Limits(16, 65, cultures=frozenset({"in", "ke"}))),
    ],
)
def test_a_column_is_read(column, limits):
    assert parse_limits(column) == limits


@pytest.mark.parametrize(
    ("column", "background", "fits"),
    [
        ("18-45", person(18), True),
        ("18-45", person(45), True),
        ("18-45", person(46), False),
        ("18-45", person(17), False),
        ("60+", person(90), True),
        ("", person(0), True),
        ("m", person(30), False),
        ("m", person(30, "nonbinary"), False),
        ("m", person(30, "male"), True),
        ("ke", person(30), False),
        ("ke", person(30, heritage="ke"), True),
        ("60+", person(), True),
        ("0-12", person(), False),
    ],
)
def test_limits_admit_whom_they_name(column, background, fits):
    assert parse_limits(column).admit(background) is fits


def test_where_nothing_fits_something_is_drawn():
    job = Job("judge", 5, 5, Limits(40))
    assert pick_fitting(random.Random(1), (job,), person(3)) is job


def test_the_lists_name_cultures_that_there_are():
    columns = [row[2] for row in read_rows("conditions")] + [row[3] for row in read_rows("occupations")]
    columns += [row[2] for row in read_rows("features") if len(row) > 2]
    assert {culture for column in columns for culture in parse_limits(column).cultures} <= set(
        list_cultures()
    )


@pytest.mark.parametrize(
    ("background", "never"),
    [
        (person(30), {"prostate cancer", "enlarged prostate", "erectile dysfunction", "Alzheimer's disease"}),
        (person(30, "male"), {"endometriosis", "pre-eclampsia", "ovarian cysts", "gestational diabetes"}),
        (person(9), {"vascular dementia", "chlamydia", "alcohol dependence", "erectile dysfunction", "gout"}),
        (person(80), {"pre-eclampsia", "gestational diabetes", "glue ear", "acne"}),
    ],
)
def test_illnesses_fit_age_and_gender(background, never):
    listed = {condition.name for condition in list_conditions()}
    assert never <= listed
    assert not never & {value.text for value in draw(Category.MEDICAL_CONDITION, background, 3000)}


@pytest.mark.parametrize("kind", ["chronic", "acute", "injury"])
def test_illnesses_are_of_the_kind_asked_for(kind):
    drawn = draw(Category.MEDICAL_CONDITION, person(40), form=kind)
    assert {value.fact.kind for value in drawn} == {kind}
    assert len({value.text for value in drawn}) > 50


def test_a_girl_has_no_beard_no_grey_hair_and_no_tattoo():
    texts = [
        value.text
        for form in (None, "mark")
        for value in draw(Category.PHYSICAL_FEATURES, person(9), 1500, form=form)
    ]
    assert not [
        text for text in texts if any(w in text for w in ("beard", "moustache", "grey hair", "tattoo"))
    ]


def test_men_have_beards_and_the_old_grey_hair():
    marks = [value.text for value in draw(Category.PHYSICAL_FEATURES, person(40, "male"), form="mark")]
    assert any("beard" in text for text in marks)
    hair = [
        value.text for value in draw(Category.PHYSICAL_FEATURES, person(85)) if value.text.endswith("hair")
    ]
    assert hair
    assert all(any(w in text for w in ("grey", "silver", "white", "salt-and-pepper")) for text in hair)


@pytest.mark.parametrize("gender", ["female", "male"])
def test_people_work_at_an_age_for_it(gender):
    young = {value.fact.title for value in draw(Category.OCCUPATION, person(19, gender), 2000)}
    assert not young & {"surgeon", "judge", "head teacher", "barrister", "chief executive", "physicist"}
    assert len(young) > 60
    for value in draw(Category.OCCUPATION, person(50, gender), 500):
        assert value.fact.limits.admit(person(50, gender))


def test_ranks_stand_before_titles_that_can_have_them():
    titles = [value.text for value in draw(Category.OCCUPATION, person(19), 3000, style="world")]
    assert not [title for title in titles if title.startswith(("senior", "retired", "part-time"))]
    assert [title for title in titles if title.startswith("trainee")]
    assert [
        value
        for value in draw(Category.OCCUPATION, person(50), 3000, style="world")
        if value.text.startswith("senior") and value.fact.education >= 3
    ]


@pytest.mark.parametrize(
    ("fact", "youngest"),
    [
        (Schooling("no formal schooling", 0), 0),
        (Schooling("high school diploma", 2), 17),
        (Schooling("doctorate", 5), 27),
        (Degree("BA", "Bachelor of Arts", "History", 4), 21),
        (Degree("MSc", "Master of Science", "Botany", 5), 23),
        (Degree("PhD", "Doctor of Philosophy", "Botany", 5), 27),
    ],
)
def test_schooling_takes_years(fact, youngest):
    assert fact.limits == Limits(youngest)


@pytest.mark.parametrize(
    ("title", "degrees"),
    [
        ("surgeon", {"MD", "MBBS", "MBChB"}),
        ("barrister", {"LLB", "LLM", "JD"}),
        ("dentist", {"BDS"}),
        ("architect", {"BArch", "MArch"}),
    ],
)
def test_a_degree_leads_to_the_job(title, degrees):
    job = next(job for job in list_jobs() if job.title == title)
    for culture in list_cultures():
        drawn = draw(Category.ACADEMIC_DEGREE, person(50, culture=culture, studies=job.studies), 20)
        assert {value.fact.short for value in drawn} <= degrees


def test_a_botanist_studied_botany():
    drawn = draw(Category.ACADEMIC_DEGREE, person(50, studies=("Botany",)))
    assert {value.fact.field for value in drawn} == {"Botany"}


def test_studies_are_known_groups_or_subjects():
    subjects = {subject for words in read_words("fields").values() for subject in words}
    groups = {group for row in read_rows("degrees") for group in (*row[3], row[4]) if group}
    assert {study for job in list_jobs() for study in job.studies} <= subjects | groups


def test_a_degree_that_nobody_offers_is_any_degree():
    assert draw(Category.ACADEMIC_DEGREE, person(50, studies=("?",)), 5)
    assert draw(Category.ACADEMIC_DEGREE, person(9), 5)


@pytest.mark.parametrize(
    ("age", "cm", "kg"),
    [
        (0, (50, 72), (3, 9)),
        (5, (92, 128), (11, 30)),
        (10, (115, 165), (20, 52)),
        (40, (140, 206), (40, 140)),
    ],
)
@pytest.mark.parametrize("gender", ["female", "male"])
def test_bodies_grow(age, gender, cm, kg):
    heights = [value.fact for value in draw(Category.HEIGHT, person(age, gender))]
    weights = [value.fact for value in draw(Category.WEIGHT, person(age, gender))]
    assert cm[0] <= min(heights) <= max(heights) <= cm[1]
    assert kg[0] <= min(weights) <= max(weights) <= kg[1]


def test_the_body_mass_index_by_hand():
    assert index_mass(81, 180) == pytest.approx(25.0)


def test_a_background_of_no_known_culture_is_refused():
    with pytest.raises(InputError, match="unknown culture"):
        make(Category.NATIONALITY, random.Random(3), replace(person(), culture="xx", heritage="xx"))
