"""Prompts are files `<name>.jinja`; a comment at their top names the paper's figure and the variables.

A file whose name starts with an underscore is a part that prompts include.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any, cast

from jinja2 import DictLoader, Environment, StrictUndefined

from piibench.prompts.definitions import DEFINITIONS
from piibench.prompts.fencing import fence, quote_list

_HEADER = re.compile(r"\{#-?\s*(?P<source>.+?)\.\s+Variables:\s*(?P<names>[\w, ]*)\.?\s*-?#\}", re.DOTALL)
_SUFFIX = ".jinja"
_PART = "_"


def list_prompts() -> tuple[str, ...]:
    """The names of all prompts, sorted."""
    return tuple(sorted(name for name in _sources() if not name.startswith(_PART)))


def list_variables(name: str) -> frozenset[str]:
    """The variables that a prompt's header names.

    Raises:
        KeyError: There is no such prompt.
        ValueError: It has no header.
    """
    header = _HEADER.match(_sources()[name])
    if header is None:
        msg = f"{name}{_SUFFIX} lacks its header: {{# Figure N. Variables: a, b. #}}"
        raise ValueError(msg)
    return frozenset(re.findall(r"\w+", header["names"]))


def render(name: str, **variables: Any) -> str:
    """Write a prompt.

    Args:
        name: The file's name without ending.
        variables: Exactly those that the header names.

    Raises:
        KeyError: There is no such prompt.
        TypeError: A variable is missing, or the prompt has none of that name.
    """
    known = list_variables(name)
    if wrong := known ^ variables.keys():
        takes = ", ".join(sorted(known)) or "nothing"
        msg = f"prompt {name} takes exactly {takes}; missing or unknown: {', '.join(sorted(wrong))}"
        raise TypeError(msg)
    return _environment().get_template(name).render(variables).strip() + "\n"


@cache
def _sources() -> dict[str, str]:
    room = files("piibench.prompts")
    return {
        path.name.removesuffix(_SUFFIX): path.read_text("utf-8")
        for path in room.iterdir()
        if path.name.endswith(_SUFFIX)
    }


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=DictLoader(_sources()),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - a model reads plain text, not HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    cast("dict[str, Any]", environment.filters).update(fence=fence, quote=quote_list)
    cast("dict[str, Any]", environment.globals).update(types=DEFINITIONS)
    return environment
