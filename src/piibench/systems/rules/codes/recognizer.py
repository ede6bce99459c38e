"""Codes: numbers and names that single a person out alone (CODE in Table 10, and handles)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import CERTAIN, LIKELY, STRONG, Candidate
from piibench.systems.rules.codes.bank import find_cards, find_ibans
from piibench.systems.rules.codes.cues import CODE_CUES, NOT_PERSONAL
from piibench.systems.rules.codes.identity import find_identity_numbers
from piibench.systems.rules.codes.online import find_emails, find_handles, find_ip_addresses
from piibench.systems.rules.codes.phone import find_phones

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.passage import Passage

_HEX_LENGTHS = {32: "MD5", 40: "SHA-1", 56: "SHA-224", 64: "SHA-256", 96: "SHA-384", 128: "SHA-512"}
_HEX = re.compile(r"[0-9a-fA-F](?<![0-9A-Za-z].)[0-9a-fA-F]{31,127}(?![0-9A-Za-z])")
_CRYPT = re.compile(
    r"\$(?:2[abxy]?|1|5|6|7|y|argon2(?:id|i|d)|scrypt|pbkdf2[\w-]{0,12})\$[./A-Za-z0-9$=,+-]{20,200}"
    r"|\{(?:SSHA|SHA|SMD5|MD5)\d{0,3}\}[A-Za-z0-9+/]{20,120}={0,2}"
    r"|pbkdf2_sha\d{1,3}\$[./A-Za-z0-9$=,+-]{20,200}"
)
_SHORT_HASH = 40


def find_codes(passage: Passage) -> Iterator[Candidate]:
    """Propose phone numbers, addresses on the net, cards, accounts, identity numbers, hashes and handles."""
    yield from find_emails(passage)
    yield from find_handles(passage)
    yield from find_ip_addresses(passage)
    yield from find_phones(passage)
    yield from find_cards(passage)
    yield from find_ibans(passage)
    yield from find_identity_numbers(passage)
    yield from find_hashes(passage)


def find_hashes(passage: Passage) -> Iterator[Candidate]:
    """Propose hashes of passwords: in crypt form, or hexadecimal of a usual length.

    MD5 and SHA-1 lengths alone also fit commits and identifiers: they need a cue word to be strong.
    """
    for match in _CRYPT.finditer(passage.text):
        end = match.start() + len(match.group().rstrip(".,"))
        yield Candidate(Span(match.start(), end), Category.PASSWORD_HASH, CERTAIN, "hash in crypt form")
    for match in _HEX.finditer(passage.text):
        value = match.group()
        mixed = not value.isdecimal() and not value.isalpha()
        kind = _HEX_LENGTHS.get(len(value))
        if not kind or not mixed:
            continue
        span = Span(*match.span())
        cue = CODE_CUES.nearest(passage, span)
        if cue and cue.meaning is Category.PASSWORD_HASH:
            yield Candidate(span, Category.PASSWORD_HASH, CERTAIN, f"{kind} beside a cue word")
        elif not (cue and cue.meaning is NOT_PERSONAL):
            score = STRONG if len(value) > _SHORT_HASH else LIKELY
            yield Candidate(span, Category.PASSWORD_HASH, score, f"length of {kind}")
