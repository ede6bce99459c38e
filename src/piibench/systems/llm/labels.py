"""What a model calls the kind of a value, read as a type and, where it says so, a category."""

from __future__ import annotations

from piibench.data.tags import LABELS, Label, find_category, find_type
from piibench.data.taxonomy import TYPE_OF, PIIType

UNKNOWN = Label(PIIType.DEM)
"""Of a value whose kind cannot be read: it is personal all the same, so it is hidden, as an attribute."""


def read_label(text: str) -> Label:
    """Return the type and category that a model's label stands for; `UNKNOWN` where it stands for none.

    Knows the types' names, the categories' names and their other wordings, and the labels of general PII
    data sets, in this order; letter case, underscores and plurals do not matter.
    """
    name = text.strip("<>[]\"'`., \n\t").replace("_", " ")
    constant = "_".join(name.upper().split())
    if constant in PIIType.__members__:
        return Label(PIIType(constant))
    if (category := find_category(name)) is not None:
        return Label(TYPE_OF[category], category)
    if (label := LABELS.get(constant)) is not None:
        return label
    kind = find_type(name)
    return UNKNOWN if kind is None else Label(kind)
