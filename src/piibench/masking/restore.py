"""Put the values back where an answer uses their placeholders or stand-ins.

One pass from left to right; what was restored is never looked at again, so a value that itself looks like a
placeholder stays as it is. Stand-ins come back where they are whole words, letter for letter, the longest of
those that begin at a place. `Restorer` does the same for an answer that comes in pieces of any size.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from piibench.data.mentions import Span
from piibench.masking.placeholders import FORM, find_unfinished, read_form

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from piibench.masking.vault import Vault


@dataclass(frozen=True, slots=True)
class Restored:
    """An answer with its values back.

    Attributes:
        text: The restored text.
        restored: How many placeholders and stand-ins were replaced by their value.
        left: How many were left: unknown or drifted past certainty, a tag for several values, or one that
            the input itself held.
    """

    text: str = field(repr=False)
    restored: int
    left: int


def restore(text: str, vault: Vault) -> str:
    """Replace every placeholder and stand-in of a text by the value it is for in the vault.

    Exact placeholders come back always, drifted ones (case, brackets, spacing, "_" and "-") where they can
    mean nothing else; see `placeholders` for the forms. An answer may use a stand-in's words by chance ("36"
    for an age): these are replaced too. Linear in the text.
    """
    return restore_counted(text, vault).text


def restore_counted(text: str, vault: Vault) -> Restored:
    """Do what `restore` does, and count what came back and what was left."""
    restorer = Restorer(vault)
    pieces = (restorer.feed(text), restorer.finish())
    return Restored("".join(pieces), restorer.restored, restorer.left)


def find_lost(pieces: Sequence[str], placeholders: Sequence[str], vault: Vault) -> list[int]:
    """Tell which placeholders or stand-ins would not come back as the values they replace.

    Args:
        pieces: The original text, by turns what stays and what is replaced; the first and last one stay.
        placeholders: What is written for each piece that is replaced.
        vault: Holds them.

    Returns:
        Their positions in `placeholders`, ascending.
    """
    written = list(pieces)
    written[1::2] = placeholders
    places, at = list[Span](), 0
    for piece in written:
        places.append(Span(at, at + len(piece)))
        at += len(piece)
    back = {exchange.span: exchange.value for exchange in _find_exchanges("".join(written), vault)}
    wanted = zip(places[1::2], pieces[1::2], strict=True)
    return [position for position, (span, value) in enumerate(wanted) if back.get(span) != value]


class Restorer:
    """Restores a text that arrives in chunks.

    The pieces that `feed` and `finish` return, joined, are what `restore` makes of the joined chunks. At most
    as many code points are held back as `placeholders.LONGEST_FORM` or the longest stand-in has, and only
    where a placeholder or stand-in may have begun.

    Args:
        vault: The conversation's vault.
    """

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._text = ""
        self._done = 0  # all before this is given out
        self._read = 0  # no placeholder that is yet to be looked at begins before this
        self._restored = 0
        self._left = 0

    @property
    def restored(self) -> int:
        """How many placeholders and stand-ins were replaced so far."""
        return self._restored

    @property
    def left(self) -> int:
        """How many placeholders were left as they were so far."""
        return self._left

    def feed(self, chunk: str) -> str:
        """Take the next chunk; return the text that is certain by now, which may be empty."""
        self._text += chunk
        return self._advance(final=False)

    def finish(self) -> str:
        """Return the rest. Afterwards the restorer is ready for another text."""
        rest = self._advance(final=True)
        self._text, self._done, self._read = "", 0, 0
        return rest

    def _advance(self, *, final: bool) -> str:
        text, pieces = self._text, list[str]()
        certain = len(text) if final else self._find_certain()
        for exchange in _find_exchanges(text, self._vault, self._done, self._read):
            span = exchange.span
            if span.start >= certain:
                break
            self._read = max(self._read, span.end)
            self._left += exchange.left
            if exchange.value is not None:
                self._restored += 1
                pieces += (text[self._done : span.start], exchange.value)
                self._done = span.end
            if certain < self._read:
                certain = self._find_certain()
        pieces.append(text[self._done : certain])
        # One code point stays as context: a bare form must not begin inside a word.
        cut = max(certain - 1, 0)
        self._text, self._done, self._read = text[cut:], certain - cut, max(self._read - cut, 0)
        return "".join(pieces)

    def _find_certain(self) -> int:
        form = find_unfinished(self._text, max(self._done, self._read))
        return min(form, self._vault.stand_ins.find_unfinished(self._text, self._done))


class _Exchange(NamedTuple):
    """A place where something may be put back.

    Attributes:
        span: Where.
        value: What comes back; None for a placeholder that stays, in which stand-ins may stand.
        left: Whether it stays although it is surely a placeholder.
    """

    span: Span
    value: str | None
    left: bool = False


def _find_exchanges(text: str, vault: Vault, done: int = 0, read: int = 0) -> Iterator[_Exchange]:
    """Yield from left to right what comes back, none overlapping another, and the placeholders that stay.

    Args:
        text: The answer.
        vault: The conversation's vault.
        done: Where to begin.
        read: Where to begin with placeholders, if not there.
    """
    stand_ins = vault.stand_ins
    form = FORM.search(text, max(done, read))
    stand_in = stand_ins.search(text, done)
    while True:
        if stand_in and (form is None or stand_in.start() < form.start()):
            exchange = _Exchange(Span(*stand_in.span()), stand_ins.value_of(stand_in.group()))
        elif form:
            exchange = _read_exchange(form, vault)
            read = form.end()
        else:
            return
        yield exchange
        if exchange.value is not None:
            done = exchange.span.end
        if form and form.start() < max(done, read):
            form = FORM.search(text, max(done, read))
        if stand_in and stand_in.start() < done:
            stand_in = stand_ins.search(text, done)


def _read_exchange(match: re.Match[str], vault: Vault) -> _Exchange:
    span, form = Span(*match.span()), read_form(match)
    if form is None:
        return _Exchange(span, None)
    value = vault.value_of(form)
    return _Exchange(span, value, value is None and (form.angled or vault.knows(form)))
