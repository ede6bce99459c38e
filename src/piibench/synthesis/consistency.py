"""Consistency optimisation (section 3.2.2, Appendix C): contradicting facts are changed or dropped.

What one thing decides for many is drawn first (`people`, `entities`): age, roots, names in a family, the day
of the scene, the occupation with its income and studies; every fact is drawn to fit. The rules settle what
is left between two facts. A rule looks at a profile and changes facts in place; categories stay. What a rule
cannot mend it drops, and the frame's clauses that show it are left out. Rules run in order, within each
subject first, then between subjects.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from piibench.data.taxonomy import Category
from piibench.generators.base import ADULT
from piibench.generators.bodies import index_mass
from piibench.generators.places import City
from piibench.generators.quantities import Money
from piibench.synthesis.ages import YOUNGEST
from piibench.synthesis.entities import key_of
from piibench.synthesis.framing import Slot, show

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from piibench.synthesis.entities import FactKey, Profile
    from piibench.synthesis.framing import Frame, Relation

    SubjectRule = Callable[[Profile, str, Random], None]
    RelationRule = Callable[[Profile, Relation, Random], None]

_RESIDES = re.compile(
    r"\b(?:lives?|living|reside[sd]?|resident|residing|based)\s+(?:in|of|at|near)\s+$", re.IGNORECASE
)
_TRIES = 30
_BUILDS = {True: (17.0, 42.0), False: (11.5, 27.0)}
"""Body mass index of adults and of children, kilograms for each square metre."""

_CAREER_GAP = 3
"""How many ranks of schooling somebody may have above what the occupation asks for."""

_MONEY = (
    Category.MONTHLY_INCOME,
    Category.MONTHLY_EXPENSES,
    Category.ACCOUNT_BALANCE,
    Category.LOAN_AMOUNT,
    Category.ANNUAL_BONUS,
    Category.CREDIT_LIMIT,
    Category.SOCIAL_SECURITY_PAYMENT,
    Category.TAX_PAYMENT,
)
_SCHOOLING = (Category.EDUCATION_LEVEL, Category.ACADEMIC_DEGREE)


def mend(profile: Profile, frame: Frame, rng: Random) -> None:
    """Make a profile consistent with itself and with the frame's relations."""
    for subject in frame.genders:
        for rule in SUBJECT_RULES:
            rule(profile, subject, rng)
    for relation in frame.relations:
        for rule in RELATION_RULES.get(relation.kind, ()):
            rule(profile, relation, rng)
    for subject in frame.genders:
        settle(profile, frame, subject)


def settle(profile: Profile, frame: Frame, subject: str) -> None:
    """Where the text says "lives in" of a town, it is that of the address; other towns are other places."""
    address = profile.of(subject, Category.STREET_ADDRESS)
    if address is None:
        return
    pieces = [piece for clause in frame.clauses for piece in clause.pieces]
    for index, slot in enumerate(pieces):
        if (
            isinstance(slot, Slot)
            and (slot.subject, slot.category, slot.number) == (subject, Category.CITY_REGION, 1)
            and _RESIDES.search(show(pieces[:index], "X"))
        ):
            profile.facts[key_of(slot)] = City(address.city, address.country)


def _try_until(profile: Profile, key: FactKey, rng: Random, fits: Callable[[Any], bool]) -> None:
    """Draw a fact anew until it fits; drop it where none does."""
    for _ in range(_TRIES):
        if fits(profile.facts[key]):
            return
        profile.redraw(key, rng)
    profile.dropped.add(key)


def drop_what_is_for_elders(profile: Profile, subject: str, _: Random) -> None:
    """Nobody has a job, a debt, a vote or a degree before the age for it."""
    age = profile.backgrounds[subject].age
    if age is None:
        return
    for key in profile.keys(subject, *YOUNGEST):
        if age < YOUNGEST[key.category]:
            profile.dropped.add(key)


def drop_what_fits_others(profile: Profile, subject: str, rng: Random) -> None:
    """Illnesses, looks, schooling and jobs that are known to fit only others are drawn anew."""
    background = profile.backgrounds[subject]
    for key in profile.keys(subject, *_LIMITED):
        _try_until(profile, key, rng, lambda fact: fact.limits.admit(background))


_LIMITED = (*_SCHOOLING, Category.OCCUPATION, Category.MEDICAL_CONDITION, Category.DISABILITY_STATUS)


def fit_schooling_to_job(profile: Profile, subject: str, rng: Random) -> None:
    """A physician is no school leaver, and hardly a doctor of philosophy picks fruit."""
    job = profile.of(subject, Category.OCCUPATION)
    if job is None:
        return
    ranks = range(job.education - 1, job.education + _CAREER_GAP + 1)
    for key in profile.keys(subject, *_SCHOOLING):
        _try_until(profile, key, rng, lambda fact: fact.rank in ranks)


def fit_schooling_to_degree(profile: Profile, subject: str, rng: Random) -> None:
    """The level of education is that of the degree, or the one next to it."""
    degree = profile.of(subject, Category.ACADEMIC_DEGREE)
    if degree is None:
        return
    for key in profile.keys(subject, Category.EDUCATION_LEVEL):
        _try_until(profile, key, rng, lambda fact: abs(fact.rank - degree.rank) <= 1)


def fit_weight_to_height(profile: Profile, subject: str, rng: Random) -> None:
    """Height and weight make a body that there is."""
    height, age = profile.of(subject, Category.HEIGHT), profile.backgrounds[subject].age
    if height is None:
        return
    low, high = _BUILDS[age is None or age >= ADULT]
    for key in profile.keys(subject, Category.WEIGHT):
        _try_until(profile, key, rng, lambda kg: low <= index_mass(kg, height) <= high)


def fit_expenses_to_income(profile: Profile, subject: str, rng: Random) -> None:
    """Running costs and a pension stay below the income."""
    income = profile.of(subject, Category.MONTHLY_INCOME)
    if not isinstance(income, Money):
        return
    for key in profile.keys(subject, Category.MONTHLY_EXPENSES, Category.SOCIAL_SECURITY_PAYMENT):
        _try_until(profile, key, rng, lambda money: money.amount < income.amount)


def tell_apart(profile: Profile, subject: str, rng: Random) -> None:
    """A second value of a category is another one than the first."""
    for key in profile.keys(subject, *Category):
        if key.number > 1:
            others = [
                profile.facts[other]
                for other in profile.keys(subject, key.category)
                if other.number < key.number
            ]
            _try_until(profile, key, rng, lambda fact: fact not in others)  # noqa: B023 - called at once


def share_employer(profile: Profile, relation: Relation, _: Random) -> None:
    """Colleagues, and a manager and a report, have one employer."""
    _share(profile, relation.first, relation.second, Category.COMPANY_NAME)


def share_school(profile: Profile, relation: Relation, _: Random) -> None:
    """Classmates, and a teacher and a pupil, have one school: one that fits the younger's age."""
    _share(profile, relation.second, relation.first, Category.EDUCATIONAL_INSTITUTION)


def share_home(profile: Profile, relation: Relation, _: Random) -> None:
    """Partners live at one address, and so do parents and children who are not of age."""
    age = profile.backgrounds[relation.second].age
    if relation.kind == "partners" or (age is not None and age < ADULT):
        _share(profile, relation.first, relation.second, Category.STREET_ADDRESS, Category.CITY_REGION)


def share_town(profile: Profile, relation: Relation, _: Random) -> None:
    """Neighbours live in one town."""
    _share(profile, relation.first, relation.second, Category.CITY_REGION)


def inherit_origin(profile: Profile, relation: Relation, _: Random) -> None:
    """Children and siblings have the nationality and the ethnicity of the family."""
    origin = (Category.NATIONALITY, Category.ETHNICITY, Category.RACE)
    _share(profile, relation.first, relation.second, *origin)


def _share(profile: Profile, giver: str, taker: str, *categories: Category) -> None:
    """Give the first fact of each category to another; of kinds of a thing only the same kind."""
    for key in profile.keys(taker, *categories):
        theirs = key._replace(subject=giver)
        if key.number == 1 and theirs in profile.facts and theirs not in profile.dropped:
            profile.facts[key] = profile.facts[theirs]


def rank_income(profile: Profile, relation: Relation, rng: Random) -> None:
    """A manager earns no less than the report, whose other sums follow."""
    above, below = (profile.backgrounds[each] for each in (relation.first, relation.second))
    if above.income is None or below.income is None or below.income <= above.income:
        return
    profile.backgrounds[relation.second] = replace(below, income=above.income * rng.uniform(0.5, 0.95))
    for key in profile.keys(relation.second, *_MONEY):
        profile.redraw(key, rng)


SUBJECT_RULES: tuple[SubjectRule, ...] = (
    drop_what_is_for_elders,
    drop_what_fits_others,
    fit_schooling_to_job,
    fit_schooling_to_degree,
    fit_weight_to_height,
    fit_expenses_to_income,
    tell_apart,
)
"""Within one subject (App. C.1)."""

RELATION_RULES: dict[str, tuple[RelationRule, ...]] = {
    "parent": (inherit_origin, share_home),
    "manager": (share_employer, rank_income),
    "teacher": (share_school,),
    "colleagues": (share_employer,),
    "classmates": (share_school,),
    "siblings": (inherit_origin,),
    "partners": (share_home,),
    "neighbours": (share_town,),
}
"""Between two subjects (App. C.2); friends and strangers share nothing by rule."""
