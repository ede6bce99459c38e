"""The canonical record: what a sample, a prompt and a prediction are (section 3.1, Table 1).

Models are frozen and check themselves. Their errors and reprs never show a personal value.
"""

from __future__ import annotations

import string
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, cast

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from piibench.data.mentions import Span
from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable

SCHEMA_VERSION = 1
"""Version of the canonical record; readers refuse any other."""

ALL = "all"
"""Stands for every subset together in tables, so that none may be called so."""
ALL_IS_TAKEN = f'"{ALL}" means every subset together in tables; choose another name'

SubjectId = Annotated[str, StringConstraints(pattern=r"^[A-Z]{1,3}$")]
"""A subject's letter: "A" … "Z", then "AA" …"""

EntityId = Annotated[str, StringConstraints(min_length=1, max_length=64)]


def subject_letter(index: int) -> str:
    """Return the letter of the `index`-th subject (0-based): A … Z, then AA, AB and so on."""
    letters = string.ascii_uppercase
    head, tail = divmod(index, len(letters))
    return (subject_letter(head - 1) if head else "") + letters[tail]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, populate_by_name=True)


class Entity(_Model):
    """A PII value of a subject, with every place where it stands.

    Attributes:
        id: Unique within its record.
        subject: Letter of the person whose it is.
        text: The value, as its mentions spell it.
        type: One of the seven types.
        category: One of the 55; None where a foreign data set labels only the type.
        mentions: Half-open code point ranges in the description, ascending. Empty only in a prediction, for a
            value that a model named and that stands nowhere.
    """

    id: EntityId
    subject: SubjectId
    text: Annotated[str, Field(min_length=1, repr=False)]
    type: PIIType
    category: Category | None = None
    mentions: tuple[Span, ...]

    @model_validator(mode="before")
    @classmethod
    def _fill_type(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        fields = cast("dict[str, Any]", data)
        category = fields.get("category")
        if fields.get("type") is None and isinstance(category, str) and category in TYPE_OF:
            return {**fields, "type": TYPE_OF[Category(fields["category"])]}
        return fields

    @field_validator("mentions")
    @classmethod
    def _ascending(cls, mentions: tuple[Span, ...]) -> tuple[Span, ...]:
        for span in mentions:
            if not 0 <= span.start < span.end:
                msg = f"a mention must satisfy 0 <= start < end, found [{span.start}, {span.end}]"
                raise ValueError(msg)
        if len(set(mentions)) != len(mentions):
            msg = "the same mention is listed twice"
            raise ValueError(msg)
        return tuple(sorted(mentions))

    @model_validator(mode="after")
    def _type_agrees(self) -> Self:
        if self.category is not None and TYPE_OF[self.category] is not self.type:
            msg = f'category "{self.category}" belongs to type {TYPE_OF[self.category]}, not {self.type}'
            raise ValueError(msg)
        return self

    @property
    def label(self) -> str:
        """The category's name, or the type's where no category is known."""
        return str(self.category or self.type)


class Subject(_Model):
    """A person that a description is about: s_i with its entities E_i (Table 1)."""

    id: SubjectId
    entities: tuple[Entity, ...]


class Prompt(_Model):
    """A prompt p: a description d and a query q (Table 1)."""

    description: Annotated[str, Field(repr=False)]
    query: Annotated[str, Field(repr=False)] = ""


class _Record(_Model):
    """What samples and predictions share: a description and the entities in it."""

    schema_version: Annotated[Literal[1], Field(alias="schema")] = SCHEMA_VERSION
    id: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    subset: str = "real"
    description: Annotated[str, Field(repr=False)]
    query: Annotated[str, Field(repr=False)] = ""
    entities: tuple[Entity, ...] = ()
    relevant: tuple[EntityId, ...] | None = None
    meta: dict[str, Any] = Field(default_factory=dict[str, Any], repr=False)

    @field_validator("subset")
    @classmethod
    def _no_word_of_ours(cls, subset: str) -> str:
        if subset == ALL:
            raise ValueError(ALL_IS_TAKEN)
        return subset

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        _check_ids(self.entities, self.relevant or ())
        for position, entity in enumerate(self.entities):
            _check_offsets(self.description, entity, position)
        return self

    @property
    def prompt(self) -> Prompt:
        """The prompt (d, q) of this record."""
        return Prompt(description=self.description, query=self.query)

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """The subjects in order of their letters, each with its entities."""
        grouped: dict[str, list[Entity]] = defaultdict(list)
        for entity in self.entities:
            grouped[entity.subject].append(entity)
        order = sorted(grouped, key=lambda letter: (len(letter), letter))
        return tuple(Subject(id=letter, entities=tuple(grouped[letter])) for letter in order)

    @property
    def relevant_entities(self) -> tuple[Entity, ...]:
        """E_q: the entities that the query needs."""
        chosen = set(self.relevant or ())
        return tuple(entity for entity in self.entities if entity.id in chosen)

    @property
    def unrelated_entities(self) -> tuple[Entity, ...]:
        """E minus E_q: the entities to mask (task 3)."""
        chosen = set(self.relevant or ())
        return tuple(entity for entity in self.entities if entity.id not in chosen)

    def to_json(self) -> str:
        """The record as one line of JSON, without a line end."""
        return self.model_dump_json(by_alias=True, exclude_none=True)


class Sample(_Record):
    """A gold record: every entity of the description and, where known, what the query needs.

    `relevant` is None where a data set has no query relevance (detection only).
    """

    @property
    def labelled_types(self) -> frozenset[PIIType] | None:
        """The types that its source labels, `meta["labels_types"]`; None where it labels all.

        Raises:
            DataError: That is no list of types.
        """
        types = self.meta.get("labels_types")
        try:
            return None if types is None else frozenset(map(PIIType, types))
        except (TypeError, ValueError):
            problem = "meta.labels_types must be a list of types, such as PER"
            raise DataError(problem, place=f"sample {self.id}") from None

    @model_validator(mode="after")
    def _everything_stands_somewhere(self) -> Self:
        for position, entity in enumerate(self.entities):
            if not entity.mentions:
                msg = f"entities[{position}].mentions is empty; a sample's entity stands somewhere"
                raise ValueError(msg)
        return self


class Prediction(_Record):
    """What a system found, chose and sent out for one prompt.

    Attributes:
        relevant: Ids of the entities it kept; None where the system does not select.
        needed: Texts that the query needs, from a system that names values without placing them (task 2).
        hidden: Texts to mask, from such a system (task 3).
        masked: The description that it sends out; None where it does not mask.
        masked_query: The query that it sends out; None where it does not mask.
    """

    needed: Annotated[tuple[str, ...] | None, Field(repr=False)] = None
    hidden: Annotated[tuple[str, ...] | None, Field(repr=False)] = None
    masked: Annotated[str | None, Field(repr=False)] = None
    masked_query: Annotated[str | None, Field(repr=False)] = None


def _check_ids(entities: Iterable[Entity], relevant: Iterable[str]) -> None:
    known: set[str] = set()
    values: set[tuple[str, str, str]] = set()
    for position, entity in enumerate(entities):
        if entity.id in known:
            msg = f"entities[{position}].id is used twice; ids must be unique in a record"
            raise ValueError(msg)
        value = (entity.subject, entity.text, entity.label)
        if value in values:
            msg = f"entities[{position}] repeats an entity; list its places in the first one's mentions"
            raise ValueError(msg)
        known.add(entity.id)
        values.add(value)
    seen: set[str] = set()
    for position, identifier in enumerate(relevant):
        if identifier not in known:
            msg = f"relevant[{position}] is the id of no entity"
            raise ValueError(msg)
        if identifier in seen:
            msg = f"relevant[{position}] is listed twice"
            raise ValueError(msg)
        seen.add(identifier)


def _check_offsets(description: str, entity: Entity, position: int) -> None:
    for place, span in enumerate(entity.mentions):
        if span.end > len(description):
            problem = f"ends at {span.end}, behind the description's {len(description)} code points"
        elif span.of(description) != entity.text:
            problem = f"[{span.start}, {span.end}] does not hold the entity's text"
        else:
            continue
        hint = "offsets count Unicode code points, half-open"
        msg = f"entities[{position}].mentions[{place}] {problem}; {hint}"
        raise ValueError(msg)


@dataclass(frozen=True, slots=True)
class Labelled:
    """One labelled place, the unit that detectors and importers gather into entities."""

    span: Span
    type: PIIType
    category: Category | None = None
    subject: str = "A"


def gather_entities(text: str, places: Iterable[Labelled]) -> tuple[Entity, ...]:
    """Join labelled places into entities e1, e2 …, in order of their first mention.

    Places of the same subject, category and spelling become mentions of one entity.

    Args:
        text: The description the spans point into.
        places: Labelled spans, in any order; an exact repeat counts once.
    """
    groups: dict[tuple[str, str, PIIType, Category | None], set[Span]] = defaultdict(set)
    for place in places:
        groups[place.subject, place.span.of(text), place.type, place.category].add(place.span)
    ordered = sorted(groups.items(), key=lambda item: (min(item[1]), item[0][0], item[0][3] or ""))
    return tuple(
        Entity(
            id=f"e{number}",
            subject=subject,
            text=value,
            type=type_,
            category=category,
            mentions=tuple(sorted(spans)),
        )
        for number, ((subject, value, type_, category), spans) in enumerate(ordered, 1)
    )
