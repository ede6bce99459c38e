"""Consistency optimisation (section 3.2.1, Appendix C): contradicting facts are changed or dropped.

A rule looks at a profile and changes facts in place; categories stay. What a rule cannot mend it drops, and
the frame's clauses that show it are left out. Rules run in order, within each subject first, then between
subjects.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.datetimes import Duration
from piibench.generators.quantities import Money

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from piibench.synthesis.entities import FactKey, Profile
    from piibench.synthesis.framing import Frame, Relation

    SubjectRule = Callable[[Profile, str, Random], None]
    RelationRule = Callable[[Profile, Relation, Random], None]

ADULT = 18
_TRIES = 30
_AGE_OF_RANK = {3: 18, 4: 21, 5: 24}
_WORKING_AGES = range(18, 75)
_FINANCE = (
    Category.MONTHLY_INCOME,
    Category.MONTHLY_EXPENSES,
    Category.LOAN_AMOUNT,
    Category.ANNUAL_BONUS,
    Category.CREDIT_LIMIT,
    Category.TAX_PAYMENT,
    Category.DEBT_RATIO,
    Category.INVESTMENT_RETURN,
    Category.ROI,
    Category.CREDIT_SCORE,
)
_OF_ADULTS = (
    *_FINANCE,
    Category.OCCUPATION,
    Category.ACADEMIC_DEGREE,
    Category.DRIVERS_LICENSE,
    Category.CREDIT_CARD,
    Category.EMPLOYEE_ID,
    Category.POLITICAL_AFFILIATION,
)


def mend(profile: Profile, frame: Frame, rng: Random) -> None:
    """Make a profile consistent with itself and with the frame's relations."""
    for subject in frame.genders:
        for rule in SUBJECT_RULES:
            if rule is not fit_age_to_adult_life or subject not in frame.ages:
                rule(profile, subject, rng)
    for relation in frame.relations:
        for rule in RELATION_RULES.get(relation.kind, ()):
            if rule is not fit_parents_age or frame.ages.keys().isdisjoint((relation.first, relation.second)):
                rule(profile, relation, rng)


def _try_until(profile: Profile, key: FactKey, rng: Random, fits: Callable[[object], bool]) -> None:
    """Draw a fact anew until it fits; drop it where none does."""
    for _ in range(_TRIES):
        if fits(profile.facts[key]):
            return
        profile.redraw(key, rng)
    profile.dropped.add(key)


def fit_age_to_adult_life(profile: Profile, subject: str, rng: Random) -> None:
    """Whoever has a job, a degree or a credit history is of age, and works at a working age."""
    ages = profile.keys(subject, Category.AGE)
    if not ages or not profile.keys(subject, *_OF_ADULTS):
        return
    works = bool(profile.keys(subject, Category.OCCUPATION, Category.MONTHLY_INCOME, Category.EMPLOYEE_ID))
    lowest = max([ADULT, *(_AGE_OF_RANK.get(rank, ADULT) for rank in _ranks(profile, subject))])
    highest = _WORKING_AGES.stop if works else 95
    if not lowest <= profile.facts[ages[0]] < highest:
        _set_age(profile, ages, rng.randrange(lowest, min(highest, lowest + 45)))


def _ranks(profile: Profile, subject: str) -> list[int]:
    keys = profile.keys(subject, Category.ACADEMIC_DEGREE, Category.EDUCATION_LEVEL)
    return [profile.facts[key].rank for key in keys]


def _set_age(profile: Profile, keys: list[FactKey], age: int) -> None:
    for key in keys:
        profile.facts[key] = age
        profile.backgrounds[key.subject] = replace(profile.backgrounds[key.subject], age=age)


def fit_birthday_to_age(profile: Profile, subject: str, rng: Random) -> None:
    """A birthday makes the person as old as the age says; no date lies before the birth."""
    for key in profile.keys(subject, Category.DATE):
        if profile.backgrounds[subject].age is not None:
            profile.redraw(key, rng)


def fit_schooling_to_job(profile: Profile, subject: str, rng: Random) -> None:
    """A profession that needs a degree has one: a physician is no school leaver."""
    job = profile.of(subject, Category.OCCUPATION)
    if job is None:
        return
    needed = job.education - 1
    for key in profile.keys(subject, Category.EDUCATION_LEVEL, Category.ACADEMIC_DEGREE):
        _try_until(profile, key, rng, lambda fact: fact.rank >= needed)  # type: ignore[attr-defined]


def fit_schooling_to_degree(profile: Profile, subject: str, rng: Random) -> None:
    """The level of education is not below the degree."""
    degree = profile.of(subject, Category.ACADEMIC_DEGREE)
    if degree is None:
        return
    for key in profile.keys(subject, Category.EDUCATION_LEVEL):
        _try_until(profile, key, rng, lambda fact: fact.rank >= degree.rank - 1)  # type: ignore[attr-defined]


def fit_durations_to_age(profile: Profile, subject: str, rng: Random) -> None:
    """Nobody has done anything for longer than since the age of 16."""
    age = profile.backgrounds[subject].age
    if age is None:
        return
    longest = max(1, age - 16)
    for key in profile.keys(subject, Category.DURATION):
        _try_until(
            profile,
            key,
            rng,
            lambda fact: isinstance(fact, Duration) and (fact.unit != "y" or fact.number <= longest),
        )


def fit_money_to_job(profile: Profile, subject: str, rng: Random) -> None:
    """All sums are of the size that the occupation's income suggests."""
    job = profile.of(subject, Category.OCCUPATION)
    band = job.income_band if job else rng.choices((1, 2, 3, 4, 5), (16, 32, 30, 16, 6))[0]
    profile.backgrounds[subject] = replace(profile.backgrounds[subject], income_band=band)
    for key in profile.keys(subject, *_MONEY):
        profile.redraw(key, rng)


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


def fit_expenses_to_income(profile: Profile, subject: str, rng: Random) -> None:
    """Running costs stay below the income."""
    income = profile.of(subject, Category.MONTHLY_INCOME)
    if not isinstance(income, Money):
        return
    for key in profile.keys(subject, Category.MONTHLY_EXPENSES):
        _try_until(profile, key, rng, lambda fact: isinstance(fact, Money) and fact.amount < income.amount)


def share_employer(profile: Profile, relation: Relation, _: Random) -> None:
    """Colleagues, and a manager and a report, have one employer."""
    _share(profile, relation, Category.COMPANY_NAME)


def share_school(profile: Profile, relation: Relation, _: Random) -> None:
    """Classmates, and a teacher and a pupil, have one school."""
    _share(profile, relation, Category.EDUCATIONAL_INSTITUTION)


def share_home(profile: Profile, relation: Relation, _: Random) -> None:
    """Partners live at one address."""
    _share(profile, relation, Category.STREET_ADDRESS)


def share_town(profile: Profile, relation: Relation, _: Random) -> None:
    """Neighbours live in one town."""
    _share(profile, relation, Category.CITY_REGION)


def inherit_origin(profile: Profile, relation: Relation, _: Random) -> None:
    """Children and siblings have the nationality and the ethnicity of the family."""
    _share(profile, relation, Category.NATIONALITY, Category.ETHNICITY, Category.RACE)


def _share(profile: Profile, relation: Relation, *categories: Category) -> None:
    for category in categories:
        theirs = profile.of(relation.first, category)
        for key in profile.keys(relation.second, category):
            if theirs is not None and key.number == 1:
                profile.facts[key] = theirs


def fit_parents_age(profile: Profile, relation: Relation, rng: Random) -> None:
    """A parent is 18 to 45 years older than the child."""
    parents = profile.keys(relation.first, Category.AGE)
    children = profile.keys(relation.second, Category.AGE)
    child_is_adult = bool(profile.keys(relation.second, *_OF_ADULTS))
    if not parents and not children:
        return
    lowest_child = ADULT + 3 if child_is_adult else 3
    parent_age = profile.facts[parents[0]] if parents else rng.randrange(lowest_child + 25, lowest_child + 45)
    parent_age = max(parent_age, lowest_child + ADULT)
    child_age = rng.randrange(lowest_child, max(lowest_child + 1, parent_age - ADULT + 1))
    child_age = max(child_age, parent_age - 45)
    _set_age(profile, parents, parent_age)
    _set_age(profile, children, child_age)
    for subject in (relation.first, relation.second):
        fit_birthday_to_age(profile, subject, rng)
        fit_durations_to_age(profile, subject, rng)


def rank_income(profile: Profile, relation: Relation, rng: Random) -> None:
    """A manager earns no less than the report."""
    above, below = (profile.of(each, Category.MONTHLY_INCOME) for each in (relation.first, relation.second))
    if not isinstance(above, Money) or not isinstance(below, Money) or above.currency != below.currency:
        return
    for key in profile.keys(relation.second, Category.MONTHLY_INCOME):
        _try_until(profile, key, rng, lambda fact: isinstance(fact, Money) and fact.amount <= above.amount)


SUBJECT_RULES: tuple[SubjectRule, ...] = (
    fit_schooling_to_job,
    fit_schooling_to_degree,
    fit_age_to_adult_life,
    fit_birthday_to_age,
    fit_durations_to_age,
    fit_money_to_job,
    fit_expenses_to_income,
)
"""Within one subject (App. C.1)."""

RELATION_RULES: dict[str, tuple[RelationRule, ...]] = {
    "parent": (inherit_origin, fit_parents_age),
    "manager": (share_employer, rank_income),
    "teacher": (share_school,),
    "colleagues": (share_employer,),
    "classmates": (share_school,),
    "siblings": (inherit_origin,),
    "partners": (share_home,),
    "neighbours": (share_town,),
}
"""Between two subjects (App. C.2); friends and strangers share nothing by rule."""
