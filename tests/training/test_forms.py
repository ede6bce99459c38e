"""Each way to set facts, read by eye once: labels, owners and cells stand where they belong."""

from __future__ import annotations

import random

import pytest

from piibench.data.taxonomy import Category
from piibench.training.forms import (
    LABELS_OF,
    Fact,
    People,
    set_grid,
    set_groups,
    set_keys,
    set_lines,
    set_pairs,
    set_records,
)

PEOPLE: People = [
    [
        Fact("Ada Reyes", Category.FULL_NAME, "A"),
        Fact("41", Category.AGE, "A"),
        Fact("asthma", Category.MEDICAL_CONDITION, "A"),
        Fact("eczema", Category.MEDICAL_CONDITION, "A"),
    ],
    [
        Fact("Tom", Category.NICKNAME, "B"),
        Fact("39", Category.AGE, "B"),
        Fact("Leeds", Category.CITY_REGION, "B"),
    ],
]
READ = {
    (set_records, 0): """\
- role: Self
  MEDICAL_CONDITIONS: {eczema}
  PATIENT_AGE: {41}
  STUDENT_NAME: {Ada Reyes}
  MEDICAL_CONDITIONS: {asthma}

- role: Partner
  ALIAS: {Tom}
  PATIENT_AGE: {39}
  COUNTRY: {Leeds}

""",
    (set_records, 2): """\
NAME = {Ada Reyes}
AGE = {41}
DIAGNOSIS = {asthma}
DIAGNOSIS = {eczema}

AGE = {39}
DISTRICT = {Leeds}
FIRST_NAME = {Tom}

""",
    (set_grid, 0): """\
CHRONIC_CONDITIONS\t{asthma} / {eczema}\tnone
PATIENT_AGE\t{41}\t{39}
CUSTOMER_NAME\t{Ada Reyes}\tnone
COUNTRY\tnone\t{Leeds}
GOES_BY\tnone\t{Tom}
""",
    (set_grid, 1): """\
givenNames,studentName,diagnoses,city,ageInYears
none,{Ada Reyes},{asthma} / {eczema},none,{41}
{Tom},none,none,{Leeds},{39}
""",
    (set_grid, 2): "{asthma} / {eczema}\n{41}\n?\n?\n{Ada Reyes}\n\n?\n{39}\n{Tom}\n{Leeds}\n?\n\n",
    (set_pairs, 0): """\
Self    Partner
CHRONIC_CONDITIONS {asthma} / {eczema}    CHRONIC_CONDITIONS none
PATIENT_AGE {41}    PATIENT_AGE {39}
CUSTOMER_NAME {Ada Reyes}    CUSTOMER_NAME none
COUNTRY none    COUNTRY {Leeds}
GOES_BY none    GOES_BY {Tom}
""",
    (set_pairs, 2): """\
primary_diagnosis {asthma} / {eczema}  ||  ?
age {41}  ||  {39}
known_as ?  ||  {Tom}
place_of_birth ?  ||  {Leeds}
client_name {Ada Reyes}  ||  ?
""",
    (set_groups, 2): "NAME: \n"
    "AGE: {Ada Reyes}: {41} / {Tom}: {39} / \n"
    "DIAGNOSIS: {Ada Reyes}: {asthma} / {Ada Reyes}: {eczema} / \n"
    "FIRST_NAME: \n"
    "DISTRICT: {Tom}: {Leeds} / \n",
    (set_keys, 2): """\
self.DIAGNOSIS: {asthma}
partner.FIRST_NAME: {Tom}
self.AGE: {41}
self.NAME: {Ada Reyes}
partner.DISTRICT: {Leeds}
self.DIAGNOSIS: {eczema}
partner.AGE: {39}
""",
    (set_lines, 2): "{Ada Reyes}, {41}, {eczema}, {asthma}\n{Tom}, {39}, {Leeds}\n",
}


@pytest.mark.parametrize(("how", "seed"), READ, ids=lambda part: getattr(part, "__name__", None))
def test_facts_stand_beside_their_labels_and_owners(how, seed):
    parts = how(PEOPLE, random.Random(seed))
    assert (
        "".join(part if isinstance(part, str) else f"{{{part.value}}}" for part in parts) == READ[how, seed]
    )


def test_every_category_has_a_label_and_no_name_one_of_somebody_else():
    assert all(LABELS_OF[category] for category in Category)
    assert not {"next of kin", "guardian", "spouse name", "surname"} & set(LABELS_OF[Category.FULL_NAME])


def test_more_persons_than_roles_are_told_apart():
    people: People = [[Fact(f"No{number}", Category.NICKNAME, f"S{number}")] for number in range(7)]
    for seed in range(20):
        keys = {str(part) for part in set_keys(people, random.Random(seed)) if not isinstance(part, Fact)}
        assert len(keys - {"\n"}) == len(people)
