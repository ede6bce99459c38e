"""The vault: which placeholder or stand-in is for which value in one conversation.

A value gets its placeholder once and keeps it over all calls with the same vault. Strings of an input that
already look like a placeholder are reserved, so that nobody can have a value restored by writing its
placeholder; stand-ins that an input holds are given up: see `Vault.reserve`. A vault is for one conversation
and one thread at a time.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from piibench.errors import InputError, VaultError
from piibench.masking.placeholders import HIGHEST_NUMBER, LABELS, find_forms, write_placeholder
from piibench.masking.stand_ins import StandIns
from piibench.masking.vault_file import lock_vault_file, read_vault_file, write_vault_file

if TYPE_CHECKING:
    from collections.abc import Generator

    from piibench.masking.placeholders import Form, Style


class Vault:
    """Values, placeholders and stand-ins of one conversation. Its repr shows counts only.

    Args:
        seed: Which stand-ins are drawn, for repeatable runs; who knows it can guess values. Random when None.

    Attributes:
        stand_ins: What style "pseudonym" has written.
    """

    def __init__(self, *, seed: str | None = None) -> None:
        self.stand_ins = StandIns(seed)
        self._numbers: dict[str, dict[str, int]] = defaultdict(dict)  # label -> value -> number
        self._values: dict[tuple[str, int], str] = {}
        self._tags: dict[str, dict[str, None]] = defaultdict(dict)  # label -> its values, in order
        self._next: dict[str, int] = defaultdict(lambda: 1)
        self._seen: dict[tuple[str, int | None], bool] = {}  # in the input; True where spelt exactly

    def __repr__(self) -> str:
        return f"Vault({len(self)} values, {len(self._seen)} reserved)"

    def __len__(self) -> int:
        """How many pairs of placeholder or stand-in and value it holds."""
        return len(self._values) + sum(map(len, self._tags.values())) + len(self.stand_ins)

    def assign(self, label: str, value: str, style: Style = "tag") -> str:
        """Return the placeholder for a value, the same one at every call.

        In style "numbered" different values of a label never share a number, and reserved numbers are
        skipped. In style "tag" all values of a label share its tag. In style "pseudonym" a value gets a
        stand-in of its category and shape, or a number where none could be told from the inputs.

        Raises:
            InputError: The label is unknown, or all its numbers are used up.
        """
        if style == "tag":
            placeholder = write_placeholder(label)
            self._tags[label][value] = None
            return placeholder
        if style == "pseudonym" and (stand_in := self.stand_ins.assign(label, value)):
            return stand_in
        numbers = self._numbers[label]
        number = numbers.get(value) or self._free_number(label)
        placeholder = write_placeholder(label, number)
        if value not in numbers:
            numbers[value] = number
            self._values[label, number] = value
        return placeholder

    def reserve(self, text: str, style: Style = "tag") -> None:
        """Take note of everything in an input that is, or looks like, a placeholder.

        A number seen before it was given to a value is never given to one. A number that already has a
        value, and a tag, restore from now on only where they are spelt exactly; a tag that the input
        spells exactly restores no more, since the two meanings cannot be told apart. So it is with
        a stand-in, whose value gets another; inputs count from the first one in style "pseudonym" on.
        """
        if style == "pseudonym" or self.stand_ins:
            self.stand_ins.note(text)
        for form in find_forms(text):
            key = (form.label, form.number)
            self._seen[key] = self._seen.get(key, False) or form.exact

    def value_of(self, form: Form) -> str | None:
        """Return the value that a form found in an answer stands for; None where that is not certain."""
        seen = self._seen.get((form.label, form.number))
        if seen is not None and not form.exact:
            return None
        if form.number is not None:
            return self._values.get((form.label, form.number))
        values = self._tags.get(form.label, {})
        return next(iter(values)) if len(values) == 1 and not seen else None

    def knows(self, form: Form) -> bool:
        """Whether the form's placeholder has been given to any value."""
        if form.number is None:
            return form.label in self._tags
        return (form.label, form.number) in self._values

    def save(self, path: str | Path) -> None:
        """Write the vault to a file that only its owner can read, whole or not at all.

        Raises:
            VaultError: The file cannot be written; what stood there before is still there.
        """
        write_vault_file(Path(path), self._to_data())

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a vault that `save` wrote.

        Raises:
            VaultError: The file cannot be read, is damaged, or is of a version unknown here.
        """
        data = read_vault_file(Path(path))
        try:
            return cls._from_data(data)
        except (KeyError, TypeError, ValueError, OverflowError):
            msg = f"vault {Path(path).name!r}: is damaged; restore it from a copy, or mask into a new vault"
            raise VaultError(msg) from None

    @classmethod
    @contextmanager
    def hold(cls, path: str | Path) -> Generator[Self]:
        """Change the vault of a file, a new one where there is none, while other processes wait for it.

        It is saved at the end, unless an error left the block. Not to be held over an `await`: another task
        of the thread that wants the same vault gets an error.

        Raises:
            VaultError: As `load` and `save` do.
        """
        with lock_vault_file(Path(path)):
            vault = cls.load(path) if Path(path).exists() else cls()
            yield vault
            vault.save(path)

    def _free_number(self, label: str) -> int:
        number = self._next[label]
        while (label, number) in self._seen:
            number += 1
        if number > HIGHEST_NUMBER:
            msg = f"a vault holds at most {HIGHEST_NUMBER} values of {label}; use one for each conversation"
            raise InputError(msg)
        self._next[label] = number + 1
        return number

    def _to_data(self) -> dict[str, Any]:
        stand_ins = {"stand_ins": self.stand_ins.to_data()} if self.stand_ins else {}
        return {
            **stand_ins,
            "numbered": [[label, number, value] for (label, number), value in self._values.items()],
            "tags": [[label, value] for label, values in self._tags.items() for value in values],
            "reserved": [[label, number, exact] for (label, number), exact in self._seen.items()],
        }

    @classmethod
    def _from_data(cls, data: dict[str, Any]) -> Self:
        vault = cls()
        for label, number, value in data["numbered"]:
            key = (_checked_label(label), _checked_number(number))
            if key in vault._values or _checked_text(value) in vault._numbers[label]:
                raise ValueError
            vault._values[key] = value
            vault._numbers[label][value] = number
            vault._next[label] = max(vault._next[label], number + 1)
        for label, value in data["tags"]:
            vault._tags[_checked_label(label)][_checked_text(value)] = None
        for label, number, exact in data["reserved"]:
            key = (_checked_label(label), None if number is None else _checked_number(number))
            vault._seen[key] = bool(exact)
        if "stand_ins" in data:
            vault.stand_ins = StandIns.from_data(data["stand_ins"])
        return vault


def _checked_label(label: object) -> str:
    if not isinstance(label, str) or label not in LABELS:
        raise ValueError
    return label


def _checked_number(number: object) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= HIGHEST_NUMBER:
        raise ValueError
    return number


def _checked_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
