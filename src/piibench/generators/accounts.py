"""CODE: bank accounts and payment cards (Table 10).

IBANs carry valid check digits and bank codes that no bank holds; card numbers start as the test numbers of
the card schemes do and end in a valid Luhn digit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stdnum import luhn
from stdnum.es import ccc
from stdnum.iso7064 import mod_97_10

from piibench.data.taxonomy import Category
from piibench.generators.base import Maker
from piibench.generators.codes import write_code
from piibench.generators.shapes import draw_digits, fill, group
from piibench.generators.wordlists import happens, pick

if TYPE_CHECKING:
    from random import Random

    from piibench.generators.base import Request

TEST_CARD_PREFIXES = (
    "411111",
    "424242",
    "400000",
    "401288",
    "422222",
    "400005",
    "555555",
    "510510",
    "520082",
    "545454",
    "222300",
    "601111",
    "601100",
    "353011",
    "356600",
    "305693",
)
_MASKED_SHARE = 0.06
"""Share of the cards that are written with most digits hidden; accounts never are, as money goes to them."""

_AMEX_PREFIXES = ("378282", "371449", "378734")
_IBAN_BODIES = {
    "DE": "99999999##########",
    "FR": "9999999999###########00",
    "GB": "TEST000000########",
    "IT": "X9999999999############",
    "NL": "TEST0#########",
    "PL": "99999999################",
    "SA": "99##################",
    "TR": "999990################",
    "BR": "9999999999999##########C1",
    "SE": "999#################",
    "IE": "TEST999999########",
}
_COUNTRIES = {
    "uk": "GB",
    "de": "DE",
    "fr": "FR",
    "it": "IT",
    "nl": "NL",
    "pl": "PL",
    "sa": "SA",
    "tr": "TR",
    "br": "BR",
    "se": "SE",
    "ie": "IE",
    "es": "ES",
}
_NATIONAL = {
    "us": ("##########", "########", "#### #### ##", "0000000##-#######"),
    "uk": ("00-00-## ########", "########", "00-##-00 / ########"),
    "in": ("000##########", "0000 #### #####"),
    "ng": ("00########", "000#######"),
    "mx": ("000000############",),
    "br": ("0000-# / #####-#", "0000 #####-#"),
    "jp": ("0000-000-#######",),
    "kr": ("000-######-##-###", "000-##-######"),
}
_ANYWHERE = ("############", "##########", "000-######-#", "#### #### ####")


def make_iban(rng: Random, country: str) -> str:
    """An IBAN with valid check digits and a bank code that does not exist.

    Args:
        rng: Source of chance.
        country: ISO 3166 code of a country in the table, or "ES".
    """
    if country == "ES":
        digits = f"99990000{draw_digits(rng, 10)}"
        body = digits[:8] + ccc.calc_check_digits(f"{digits[:8]}00{digits[8:]}") + digits[8:]
    else:
        body = fill(rng, _IBAN_BODIES[country])
    return f"{country}{mod_97_10.calc_check_digits(f'{body}{country}')}{body}"


def _draw_account(request: Request) -> str:
    rng = request.rng
    if not request.is_world:
        return f"{rng.randrange(1, 10)}{draw_digits(rng, rng.randrange(9, 12))}"
    culture = request.background.culture
    country = _COUNTRIES.get(culture)
    if country and happens(rng, 0.75):
        iban = make_iban(rng, country)
        return pick(rng, (group(iban, (4,)), group(iban, (4,)), iban))
    return fill(rng, pick(rng, _NATIONAL.get(culture, _ANYWHERE)))


def draw_card(rng: Random, prefixes: tuple[str, ...] = TEST_CARD_PREFIXES, length: int = 16) -> str:
    """The digits of a test card number, Luhn digit included."""
    prefix = pick(rng, prefixes)
    body = prefix + draw_digits(rng, length - 1 - len(prefix))
    return body + luhn.calc_check_digit(body)


def _draw_card(request: Request) -> str:
    rng = request.rng
    card = draw_card(rng)
    if not request.is_world:
        return card
    if happens(rng, 0.12):
        return group(draw_card(rng, _AMEX_PREFIXES, 15), (4, 6, 5), pick(rng, (" ", "-")))
    if happens(rng, _MASKED_SHARE):
        return _mask_card(card, rng)
    return pick(rng, (group(card, (4,)), group(card, (4,)), group(card, (4,), "-"), card))


def _mask_card(card: str, rng: Random) -> str:
    """The number as receipts and apps show it."""
    last = card[-4:]
    shapes = (
        f"**** **** **** {last}",
        f"XXXX-XXXX-XXXX-{last}",
        f"{card[:4]} {card[4:6]}** **** {last}",
        f"•••• •••• •••• {last}",
        f"{card[:4]}********{last}",
        f"xxxx {last}",
    )
    return pick(rng, shapes)


MAKERS = {
    Category.BANK_ACCOUNT: Maker(_draw_account, write_code, ("last4",)),
    Category.CREDIT_CARD: Maker(_draw_card, write_code, ("last4",)),
}
