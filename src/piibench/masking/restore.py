"""Put the values back where an answer uses their placeholders.

One pass from left to right; what was restored is never looked at again, so a value that itself looks like a
placeholder stays as it is. `Restorer` does the same for an answer that comes in pieces of any size.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from piibench.masking.placeholders import FORM, find_unfinished, read_form

if TYPE_CHECKING:
    import re

    from piibench.masking.vault import Vault


@dataclass(frozen=True, slots=True)
class Restored:
    """An answer with its values back.

    Attributes:
        text: The restored text.
        restored: How many placeholders were replaced by their value.
        left: How many were left: unknown or drifted past certainty, a tag for several values, or one that
            the input itself held.
    """

    text: str = field(repr=False)
    restored: int
    left: int


def restore(text: str, vault: Vault) -> str:
    """Replace every placeholder of a text by the value it stands for in the vault.

    Exact placeholders come back always, drifted ones (case, brackets, spacing, "_" and "-") where they can
    mean nothing else; see `placeholders` for the forms. Linear in the text.
    """
    return restore_counted(text, vault).text


def restore_counted(text: str, vault: Vault) -> Restored:
    """Do what `restore` does, and count what came back and what was left."""
    exchange = _Exchange(vault)
    return Restored(FORM.sub(exchange, text), exchange.restored, exchange.left)


class Restorer:
    """Restores a text that arrives in chunks.

    The pieces that `feed` and `finish` return, joined, are what `restore` makes of the joined chunks. At most
    `placeholders.LONGEST_FORM` code points are held back, and only where a placeholder may have begun.

    Args:
        vault: The conversation's vault.
    """

    def __init__(self, vault: Vault) -> None:
        self._exchange = _Exchange(vault)
        self._text = ""
        self._done = 0

    @property
    def restored(self) -> int:
        """How many placeholders were replaced so far."""
        return self._exchange.restored

    @property
    def left(self) -> int:
        """How many placeholders were left as they were so far."""
        return self._exchange.left

    def feed(self, chunk: str) -> str:
        """Take the next chunk; return the text that is certain by now, which may be empty."""
        self._text += chunk
        return self._advance(final=False)

    def finish(self) -> str:
        """Return the rest. Afterwards the restorer is ready for another text."""
        rest = self._advance(final=True)
        self._text, self._done = "", 0
        return rest

    def _advance(self, *, final: bool) -> str:
        text, pieces = self._text, list[str]()
        certain = len(text) if final else find_unfinished(text, self._done)
        while (match := FORM.search(text, self._done)) and match.start() < certain:
            pieces += (text[self._done : match.start()], self._exchange(match))
            self._done = match.end()
            if certain < self._done:
                certain = find_unfinished(text, self._done)
        pieces.append(text[self._done : certain])
        # One code point stays as context: a bare form must not begin inside a word.
        cut = max(certain - 1, 0)
        self._text, self._done = text[cut:], certain - cut
        return "".join(pieces)


class _Exchange:
    """Turns a match of `FORM` into what stands there afterwards, and counts."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self.restored = 0
        self.left = 0

    def __call__(self, match: re.Match[str]) -> str:
        form = read_form(match)
        if form is None:
            return match.group()
        value = self._vault.value_of(form)
        if value is not None:
            self.restored += 1
            return value
        if form.angled or self._vault.knows(form):
            self.left += 1
        return match.group()
