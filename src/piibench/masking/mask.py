"""Mask a prompt (section 3.1, task 3): hide every entity that is not kept, in description and query."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, get_args

from piibench.data.outcomes import Decision, Masked, Part, Replacement, Selection
from piibench.data.taxonomy import PIIType
from piibench.errors import DataError, InputError
from piibench.masking.occurrences import ValueIndex, value_key
from piibench.masking.restore import find_lost
from piibench.masking.spans import lay_out
from piibench.masking.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from piibench.data.schema import Entity, Prompt
    from piibench.masking.placeholders import Style
    from piibench.masking.spans import Layout

_PARTS: tuple[Part, ...] = get_args(Part)
_BETWEEN_WORDS = re.compile(r"[\s,.()\-–]+")


def mask(  # noqa: PLR0913 - one call is the whole task; everything but the task itself has a default
    prompt: Prompt,
    found: Sequence[Entity],
    keep: Selection | Collection[str] = (),
    *,
    asked: Sequence[Entity] = (),
    style: Style = "tag",
    vault: Vault | None = None,
) -> Masked:
    """Replace every value that is not kept by a placeholder or stand-in, wherever it occurs in either text.

    Values are found again as whole words, those of three letters or more in any letter case, also where the
    detector saw only one of their places. Where hidden and kept values overlap, the rules of `spans` decide.
    Linear in the texts.

    Args:
        prompt: Description and query.
        found: Entities of the description.
        keep: Ids of the entities to keep, or the selector's decisions; all others are hidden.
        asked: Entities of the query (mentions point into it). They are hidden, except those that `keep` names
            and those whose value the description keeps, or that are a part of a name that it keeps and of
            nothing that it hides.
        style: "tag" (`<Phone Number>`), "numbered" (`<Phone Number 2>`) or "pseudonym" (another phone number;
            a number where no stand-in fits). Masking a masked text again changes nothing in the first two
            styles; stand-ins are values like any others and are replaced again.
        vault: Takes up what is hidden, so that `restore` can bring it back; one for each conversation.

    Raises:
        InputError: `keep` names an id that no entity has.
        DataError: A mention does not fit its text, or two entities have the same id.
    """
    _check(prompt, found, asked)
    selection = _decide(found, asked, keep)
    entities, kept = (*found, *asked), selection.relevant
    hidden = frozenset(entity.id for entity in entities) - kept
    values = ValueIndex(entities)
    vault = Vault() if vault is None else vault
    layouts = (
        lay_out(prompt.description, found, values, hidden),
        lay_out(prompt.query, asked, values, hidden),
    )
    sheets = tuple(map(_Sheet, _PARTS, (prompt.description, prompt.query), layouts))
    for sheet in sheets:
        sheet.reserve(vault, style)
    # All stand-ins must be known before any text can be tried for whether it comes back.
    drafts = [sheet.assign(vault, style) for sheet in sheets]
    if style == "pseudonym":
        drafts = [sheet.settle(draft, vault) for sheet, draft in zip(sheets, drafts, strict=True)]
    replacements = tuple(chain.from_iterable(map(_Sheet.replace, sheets, drafts)))
    exposed = frozenset[str]().union(*(layout.exposed for layout in layouts))
    shown = frozenset[str]().union(*(layout.shown for layout in layouts))
    return Masked(
        *(sheet.write(replacements) for sheet in sheets),
        entities=tuple(found),
        asked=tuple(asked),
        selection=selection,
        replacements=replacements,
        exposed=tuple(entity.id for entity in entities if entity.id in exposed),
        lost=tuple(entity.id for entity in entities if entity.mentions and entity.id in kept - shown),
    )


class _Sheet(NamedTuple):
    """One of the two texts with what is to be replaced in it."""

    part: Part
    text: str
    layout: Layout

    def reserve(self, vault: Vault, style: Style) -> None:
        """Reserve look-alikes piece by piece, since cutting a word can make one: "Age 1" of "Age 12"."""
        # No look-alike holds a NUL: like a placeholder's brackets it parts what stands beside it.
        vault.reserve("\0".join(self.cut()), style)

    def cut(self) -> list[str]:
        """The text in pieces, by turns what stays and what is replaced; the first and last one stay."""
        pieces, at = list[str](), 0
        for span, _, _ in self.layout.regions:
            pieces += (self.text[at : span.start], span.of(self.text))
            at = span.end
        return [*pieces, self.text[at:]]

    def assign(self, vault: Vault, style: Style) -> list[str]:
        regions = self.layout.regions
        return [vault.assign(entity.label, span.of(self.text), style) for span, entity, _ in regions]

    def settle(self, draft: list[str], vault: Vault) -> list[str]:
        """Write a number where a stand-in would not come back, such as one that cuts a word ("36yo")."""
        for at in find_lost(self.cut(), draft, vault):
            span, entity, _ = self.layout.regions[at]
            draft[at] = vault.assign(entity.label, span.of(self.text), "numbered")
        # A number beside it can still change what a stand-in seems to be: then all get numbers.
        return self.assign(vault, "numbered") if find_lost(self.cut(), draft, vault) else draft

    def replace(self, placeholders: Sequence[str]) -> Iterator[Replacement]:
        for (span, entity, _), placeholder in zip(self.layout.regions, placeholders, strict=True):
            yield Replacement(self.part, span, placeholder, entity.id)

    def write(self, replacements: Sequence[Replacement]) -> str:
        pieces, at = list[str](), 0
        for replacement in replacements:
            if replacement.part == self.part:
                pieces += (self.text[at : replacement.span.start], replacement.placeholder)
                at = replacement.span.end
        return "".join((*pieces, self.text[at:]))


def _decide(found: Sequence[Entity], asked: Sequence[Entity], keep: Selection | Collection[str]) -> Selection:
    """Complete the decisions: one for each entity, hidden unless something speaks for keeping it."""
    known = {entity.id for entity in chain(found, asked)}
    if not isinstance(keep, Selection):
        named = [keep] if isinstance(keep, str) else keep
        keep = Selection(
            tuple(Decision(name, keep=True, reason="kept: named by the caller") for name in named)
        )
    for position, decision in enumerate(keep.decisions):
        if decision.keep and decision.entity_id not in known:
            msg = f"keep[{position}] is the id of no entity; give the ids that detection returned"
            raise InputError(msg)
    made = {decision.entity_id: decision for decision in keep.decisions}
    decided = [made.get(entity.id) or _hidden(entity) for entity in found]
    shown = _Shown(found, decided)
    return Selection(
        (
            *decided,
            *(made.get(entity.id) or _as_the_description(entity, shown) for entity in asked),
        )
    )


class _Shown:
    """What the description keeps, asked for the entities of the query.

    Args:
        found: Entities of the description.
        decided: What is decided of each.
    """

    def __init__(self, found: Sequence[Entity], decided: Sequence[Decision]) -> None:
        kept = [entity for entity, decision in zip(found, decided, strict=True) if decision.keep]
        hidden = [entity for entity, decision in zip(found, decided, strict=True) if not decision.keep]
        self._values = {value_key(entity.text) for entity in kept}
        self._hidden_words = frozenset(chain.from_iterable(_split(entity.text) for entity in hidden))
        self._names: dict[str, list[frozenset[str]]] = defaultdict(list)
        for words in {_split(entity.text) for entity in kept if entity.type is PIIType.PER}:
            for word in words:
                self._names[word].append(words)

    def __contains__(self, entity: Entity) -> bool:
        """Whether it is a kept value, or a part of a kept name that is in no hidden value."""
        if value_key(entity.text) in self._values:
            return True
        words = _split(entity.text)
        if entity.type is not PIIType.PER or not words or words & self._hidden_words:
            return False
        rarest = min((self._names.get(word, []) for word in words), key=len)
        return any(words <= name for name in rarest)


def _split(value: str) -> frozenset[str]:
    """The words of a value, to be compared."""
    return frozenset(value_key(word) for word in _BETWEEN_WORDS.split(value) if word)


def _hidden(entity: Entity) -> Decision:
    return Decision(entity.id, keep=False, reason=f"hidden: nothing says to keep it; {entity.label}")


def _as_the_description(entity: Entity, shown: _Shown) -> Decision:
    if entity in shown:
        return Decision(entity.id, keep=True, reason=f"kept: the description keeps it; {entity.label}")
    return Decision(entity.id, keep=False, reason=f"hidden: stated in the query; {entity.label}")


def _check(prompt: Prompt, found: Sequence[Entity], asked: Sequence[Entity]) -> None:
    known: set[str] = set()
    for name, text, entities in (("found", prompt.description, found), ("asked", prompt.query, asked)):
        for position, entity in enumerate(entities):
            if entity.id in known:
                problem = "the id is used twice; ids must be unique over description and query"
                raise DataError(problem, field=f"{name}[{position}].id")
            known.add(entity.id)
            for place, span in enumerate(entity.mentions):
                if span.end > len(text) or span.of(text) != entity.text:
                    problem = "does not hold the entity's text; offsets count Unicode code points, half-open"
                    raise DataError(problem, field=f"{name}[{position}].mentions[{place}]")
