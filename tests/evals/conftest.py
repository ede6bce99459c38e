"""A few samples, a model that knows their labels, and an environment without keys."""

from __future__ import annotations

import gc

import pytest

from oracle import Oracle
from piibench.data.shipped import load_shipped
from piibench.evals.models import Access
from piibench.llm.openai_chat import Limits

KEYS = (
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "ANTHROPIC_API_KEY",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
)


FROM_INSPECT = (
    r"ignore:(?s).*MemoryObject(Send|Receive)Stream:pytest.PytestUnraisableExceptionWarning",
    r"ignore:The 'initial' parameter is deprecated:DeprecationWarning",
)
"""It drops streams without closing them, and calls a library in its old way."""


def pytest_collection_modifyitems(items) -> None:
    """Overlook what only Inspect could mend."""
    for item in items:
        if "evals" in item.path.parts:
            for warning in FROM_INSPECT:
                item.add_marker(pytest.mark.filterwarnings(warning))


@pytest.fixture(autouse=True)
def _collected():
    """Have what Inspect drops found in the test that dropped it."""
    yield
    gc.collect()


@pytest.fixture(autouse=True)
def _without_keys(monkeypatch, tmp_path):
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def samples():
    """Two samples of each subset."""
    return tuple(
        sample
        for subset in ("single", "multi", "hard", "distract")
        for sample in [each for each in load_shipped() if each.subset == subset][:2]
    )


@pytest.fixture
def oracle(samples):
    """Knows what is right."""
    return Oracle(samples)


@pytest.fixture
def reach():
    """Make the access to a server, with little patience."""

    def make(url: str, **limits) -> Access:
        return Access(
            url, Limits(**{"timeout_s": 5.0, "tries": 3, "first_wait_s": 0.01, "concurrency": 4} | limits)
        )

    return make
