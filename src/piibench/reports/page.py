"""A report as one web page that needs nothing else: no file beside it, no network, no script."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from piibench.reports.inline_svg import write_inline
from piibench.reports.sheets import AUTHORS

if TYPE_CHECKING:
    from jinja2 import Template

    from piibench.reports.document import Document

_PAGE, _STYLE = "report.html.jinja", "report.css"


def write_page(document: Document) -> str:
    """Write a report; whatever stands in it is escaped."""
    figures = {
        # The SVG is matplotlib's own and escaped by it.
        picture.name: Markup(write_inline(picture.figure, picture.name))  # noqa: S704
        for picture in document.pictures
    }
    return _template().render(document=document, figures=figures, authors=AUTHORS) + "\n"


@cache
def _template() -> Template:
    room = files("piibench.reports") / "templates"
    sources = {name: (room / name).read_text("utf-8") for name in (_PAGE, _STYLE)}
    environment = Environment(
        loader=DictLoader(sources),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(_PAGE)
