"""Consistency optimisation by a model (Figures 9 and 10); the rules of `consistency` stand by."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

from piibench.data.taxonomy import TYPE_OF, Category, PIIType, parse_category
from piibench.errors import UnknownCategoryError
from piibench.prompts.answers import parse_objects, split_sections
from piibench.prompts.render import render
from piibench.synthesis.llm_asking import Refusal
from piibench.synthesis.llm_features import describe_relations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from piibench.synthesis.framing import Frame
    from piibench.synthesis.llm_asking import Asker
    from piibench.synthesis.llm_features import Feature, Person

KEPT_AT_LEAST = 0.75
"""Share of the features that must stay; as many as possible are wanted."""

_LONGEST_VALUE = 90
_NUMBERS = {Category.AGE: range(116), Category.CREDIT_SCORE: range(300, 851)}
_ANOTHER = Refusal("another category", "Use the given types and categories, each as often as given.")
_PLACEHOLDER = re.compile(r"[<>{}\[\]\n…]|\.\.\.|\b[xX]{3,}\b")
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_FIXED = (PIIType.PER, PIIType.CODE)
_SHAPES = {
    Category.HEIGHT: re.compile(r"\d.*(?:cm|m\b|ft|feet|in\b|inch|['’′\"])"),
    Category.WEIGHT: re.compile(r"\d.*(?:kg|kilo|lb|pound|stone|st\b)"),
    Category.BLOOD_TYPE: re.compile(r"(?:A|B|AB|O|0)(?:\b|[+-])"),
    Category.DEBT_RATIO: re.compile(r"\d+(?:[.,]\d+)?\s?(?:%|per ?cent)"),
    Category.INVESTMENT_RETURN: re.compile(r"\d+(?:[.,]\d+)?\s?(?:%|per ?cent)"),
    Category.ROI: re.compile(r"\d+(?:[.,]\d+)?\s?(?:%|per ?cent)"),
}


async def mend_by_model(asker: Asker, people: Sequence[Person], frame: Frame) -> tuple[Person, ...] | Refusal:
    """Have a model change contradicting values.

    Returns:
        The people with the same categories and, where needed, other values; or why no reply could be used.

    Raises:
        EndpointError: The model gives no reply.
    """
    if len(people) == 1:
        prompt = render("consistency_single", features=people[0].features)
    else:
        prompt = render("consistency_multi", people=people, relations=describe_relations(frame))
    return await asker.ask("consistency", prompt, lambda reply: read_people(reply, people), temperature=0.2)


def read_people(reply: str, people: Sequence[Person]) -> tuple[Person, ...] | Refusal:
    """Take the mended features out of a reply, or refuse it."""
    sections = split_sections(reply)
    mended: list[Person] = []
    for person in people:
        heading = "final features" if len(people) == 1 else f"final features {person.letter.casefold()}"
        answer = parse_objects(sections.get(heading, reply if len(people) == 1 else ""))
        if answer is None:
            return Refusal("unreadable", 'Give the JSON lists under "## Final Features" as asked.')
        features = _match(answer, person.features)
        if isinstance(features, Refusal):
            return features
        mended.append(replace(person, features=features))
    return tuple(mended)


def _match(answer: list[dict[str, Any]], features: Sequence[Feature]) -> tuple[Feature, ...] | Refusal:
    """Give each feature its new value.

    Of those of one category values that came back as they were are told by that, the others by their order.
    """
    told: dict[Category, list[str]] = defaultdict(list)
    for item in answer:
        category = _read_category(item)
        if category is None:
            return _ANOTHER
        told[category].append(str(item.get("entity") or "").strip())
    found: dict[Any, Feature] = {}
    for category, values in told.items():
        renewed = _renew([feature for feature in features if feature.tag is category], values)
        if isinstance(renewed, Refusal):
            return renewed
        found |= {feature.key: feature for feature in renewed}
    kept = tuple(found[feature.key] for feature in features if feature.key in found)
    if any(
        feature.needed or feature.label is PIIType.PER for feature in features if feature.key not in found
    ):
        return Refusal("needed value dropped", "Keep every fact.")
    if len(kept) < KEPT_AT_LEAST * len(features):
        return Refusal("too few kept", "Keep every fact.")
    return kept


def _renew(features: Sequence[Feature], values: list[str]) -> list[Feature] | Refusal:
    """Give features of one category their new values."""
    if len(values) > len(features):
        return _ANOTHER
    renewed = [feature for feature in features if feature.entity in values]
    rest = [feature for feature in features if feature.entity not in values]
    left = [value for value in values if all(value != feature.entity for feature in renewed)]
    if left and len(left) < len(rest):  # nobody knows which are left out
        return Refusal("value dropped", "Keep every fact.")
    for feature, value in zip(rest, left, strict=False):
        if not is_plausible(feature, value):
            told = f"The new value of {feature.tag} cannot be one of its category."
            return Refusal("implausible value", told)
        renewed.append(replace(feature, entity=value))
    return renewed


def _read_category(item: dict[str, Any]) -> Category | None:
    try:
        category = parse_category(str(item.get("tag", "")))
    except UnknownCategoryError:
        return None
    return category if str(item.get("label", "")).strip().upper() == TYPE_OF[category] else None


def is_plausible(feature: Feature, value: str) -> bool:
    """Whether a value can stand in for a feature's: one line, readable as its category.

    Names and identifiers contradict nothing; they must be as they were. A figure stays a figure.
    """
    if value == feature.entity:
        return True
    if not value or len(value) > _LONGEST_VALUE or _PLACEHOLDER.search(value) or feature.label in _FIXED:
        return False
    if _has_digit(feature.entity) and not _has_digit(value):
        return False
    if numbers := _NUMBERS.get(feature.tag):
        return _is_number_in(value, numbers) or not _has_digit(feature.entity + value)
    if _ISO_DATE.fullmatch(feature.entity):
        return _is_date(value)
    shape = _SHAPES.get(feature.tag)
    return shape is None or shape.search(value) is not None


def _is_number_in(text: str, numbers: range) -> bool:
    number = re.match(r"\d{1,3}(?!\d)", text)
    return number is not None and int(number[0]) in numbers


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return _ISO_DATE.fullmatch(text) is not None
