"""CODE: numbers of driving licences, passports, staff and students (Table 10).

Their issuers keep no blocks for fiction; the numbers are random in the shapes of each culture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import Maker
from piibench.generators.codes import write_code
from piibench.generators.shapes import fill
from piibench.generators.wordlists import pick

if TYPE_CHECKING:
    from collections.abc import Callable

    from piibench.generators.base import Request

_LICENCE_WORLD = {
    "us": (
        "?#######",
        "?###-####-####",
        "?###-###-##-###-#",
        "### ### ###",
        "########",
        "??######?",
        "?########",
    ),
    "uk": ("?????9##9##??9??", "????? 9##9## ??9??"),
    "ca": ("?####-#####-#####", "######-###"),
    "in": ("KA## 20######0##", "MH-##-201#-0######", "DL##############"),
    "de": ("?0##???##?#", "B0##RRE##9#"),
    "fr": ("##??#####", "############"),
    "es": ("########?",),
    "it": ("U1?######?", "??#######?"),
    "br": ("###########",),
    "ng": ("???#####??##",),
    "kr": ("##-##-######-##",),
    "jp": ("############",),
    "ph": ("?##-##-######",),
    "pl": ("#####/##/####",),
}
_PASSPORT_WORLD = {
    "us": ("#########", "?########"),
    "uk": ("#########", "### ### ###"),
    "de": ("C0?X0#T##", "C########"),
    "fr": ("##??#####",),
    "in": ("?#######", "? #######"),
    "cn": ("E########", "EA#######"),
    "jp": ("??#######",),
    "ca": ("??######", "?######??"),
    "au": ("??#######", "?#######"),
    "it": ("??#######",),
    "nl": ("??######?",),
    "ie": ("??#######",),
    "pl": ("?? #######",),
    "es": ("???######",),
    "kr": ("M########", "M###?####"),
}
_STAFF = (
    "EMP-#####",
    "E#####",
    "##-####",
    "HR/201#/####",
    "#####",
    "STF-####-?",
    "P######",
    "??-###-###",
    "W-######",
    "T####",
)
_STUDENT = (
    "S#######",
    "201#/CS/0###",
    "u#######",
    "20#####",
    "U1#CS1###",
    "2#-####-###",
    "??######",
    "1#B81A0###",
    "202######",
    "ST-##-####",
    "#######",
)
_ANYWHERE = ("?########", "??######", "#########", "?## ### ###")


def _draw_shape(
    paper: str, world: dict[str, tuple[str, ...]], fallback: tuple[str, ...]
) -> Callable[[Request], str]:
    """A drawer of numbers: one shape for the paper, for the world those of the culture or the fallback's."""

    def draw(request: Request) -> str:
        if not request.is_world:
            return fill(request.rng, paper)
        return fill(request.rng, pick(request.rng, world.get(request.background.culture, fallback)))

    return draw


MAKERS = {
    Category.DRIVERS_LICENSE: Maker(_draw_shape("?########", _LICENCE_WORLD, _ANYWHERE), write_code),
    Category.PASSPORT_NUMBER: Maker(_draw_shape("?########", _PASSPORT_WORLD, _ANYWHERE), write_code),
    Category.EMPLOYEE_ID: Maker(_draw_shape("??######", {}, _STAFF), write_code),
    Category.STUDENT_ID: Maker(_draw_shape("########", {}, _STUDENT), write_code),
}
