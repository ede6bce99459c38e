"""CODE: numbers of social insurance and tax schemes (Table 10).

Numbers that schemes with reserved blocks give out come from those blocks: United States social security
areas 900 to 999 with groups that no taxpayer number uses, British "QQ" prefixes, Canadian numbers with a
leading 0, German taxpayer test numbers with a leading 0, employer prefixes that are not in use. Not so
987-65-43xx: ten of these were kept for advertising (4320 to 4329), and no area above 899 is given out, but a
taxpayer who has no social security number can have one of the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stdnum import luhn
from stdnum.es import dni
from stdnum.iso7064 import mod_11_10
from stdnum.it import codicefiscale

from piibench.data.taxonomy import Category
from piibench.generators.base import Maker
from piibench.generators.shapes import draw_digits, fill, group
from piibench.generators.wordlists import happens, pick

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from piibench.generators.base import Request

_INVALID_GROUPS = tuple(range(1, 50))


def _draw_us_number(rng: Random) -> str:
    """Nine digits that are no social security number, and but for 987-65-43xx no taxpayer's, of anyone."""
    if happens(rng, 0.1):
        return f"9876543{draw_digits(rng, 2)}"
    area = pick(rng, ("000", "666", f"9{draw_digits(rng, 2)}"))
    return f"{area}{pick(rng, _INVALID_GROUPS):02d}{rng.randrange(1, 10000):04d}"


def _draw_sin(rng: Random) -> str:
    body = f"0{draw_digits(rng, 7)}"
    return group(body + luhn.calc_check_digit(body), (3,), pick(rng, (" ", "-")))


_SOCIAL_WORLD: dict[str, tuple[Callable[[Random], str], ...]] = {
    "uk": (
        lambda r: fill(r, "QQ ## ## ## ") + pick(r, "ABCD"),
        lambda r: fill(r, "QQ######") + pick(r, "ABCD"),
    ),
    "ca": (_draw_sin,),
    "de": (lambda r: fill(r, "00 ###### ? ###"),),
    "fr": (
        lambda r: f"{r.randrange(1, 3)} {fill(r, '##')} {r.randrange(1, 13):02d} 00 000 {fill(r, '###')}",
    ),
    "es": (lambda r: fill(r, "00/########/##"),),
    "in": (lambda r: fill(r, "0### #### ####"),),
    "ie": (lambda r: fill(r, "0000###?"),),
}


def _draw_social(request: Request) -> str:
    rng = request.rng
    number = _draw_us_number(rng)
    if not request.is_world:
        return group(number, (3, 2, 4), "-")
    own = _SOCIAL_WORLD.get(request.background.culture)
    if own and happens(rng, 0.8):
        return pick(rng, own)(rng)
    shapes = (
        lambda: group(number, (3, 2, 4), "-"),
        lambda: group(number, (3, 2, 4), " "),
        lambda: number,
    )
    return pick(rng, shapes)()


def write_code(code: str, request: Request) -> str:
    """The code, or its last four digits where the form asks for them."""
    if request.form == "last4":
        return "".join(char for char in code if char.isdigit())[-4:]
    return code


def _draw_idnr(rng: Random) -> str:
    """A German test number: a leading 0, one digit twice among the first ten, a valid check digit."""
    digits = rng.sample("123456789", 8)
    digits.insert(rng.randrange(9), pick(rng, digits))
    body = "0" + "".join(digits)
    return body + mod_11_10.calc_check_digit(body)


def _draw_codice(rng: Random) -> str:
    """An Italian code whose place of birth, X999, no register knows."""
    letters = "".join(pick(rng, "BCDFGLMNPRSTVZ") for _ in range(6))
    born = f"{draw_digits(rng, 2)}{pick(rng, 'ABCDEHLMPRST')}{rng.randrange(1, 29):02d}"
    body = f"{letters}{born}X999"
    return body + codicefiscale.calc_check_digit(body)


def _draw_dni(rng: Random) -> str:
    body = f"999{draw_digits(rng, 5)}"
    return body + dni.calc_check_digit(body)


_TAX_WORLD: dict[str, tuple[Callable[[Random], str], ...]] = {
    "uk": (lambda r: fill(r, "00000 #####"), lambda r: fill(r, "00000#####")),
    "de": (_draw_idnr, lambda r: group(_draw_idnr(r), (2, 3))),
    "it": (_draw_codice,),
    "es": (_draw_dni,),
    "in": (lambda r: f"{fill(r, '???')}P{fill(r, '?')}0000{fill(r, '?')}",),
    "ca": (_draw_sin,),
    "au": (lambda r: fill(r, "000 ### ###"),),
    "ng": (lambda r: fill(r, "000#####-0001"),),
    "ke": (lambda r: fill(r, "A000######?"),),
    "pl": (lambda r: fill(r, "000-###-##-##"),),
}


def _draw_tax(request: Request) -> str:
    rng = request.rng
    number = _draw_us_number(rng)
    if not request.is_world:
        return number
    own = _TAX_WORLD.get(request.background.culture)
    if own and happens(rng, 0.8):
        return pick(rng, own)(rng)
    prefix = pick(
        rng, ("07", "08", "09", "17", "18", "19", "28", "29", "49", "69", "78", "79", "89", "96", "97")
    )
    shapes = (
        lambda: group(number, (3, 2, 4), "-"),
        lambda: group(number, (3,), " "),
        lambda: f"{prefix}-{draw_digits(rng, 7)}",
        lambda: group(number, (3,), "-"),
        lambda: number,
    )
    return pick(rng, shapes)()


MAKERS = {
    Category.SOCIAL_SECURITY_NUMBER: Maker(_draw_social, write_code, ("last4",)),
    Category.TAX_ID: Maker(_draw_tax, write_code),
}
