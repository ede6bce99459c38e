"""The documents can't drift: every link leads somewhere, every named function exists, every block runs."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(PROJECT.glob("*.md"))
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)")
NAMED = re.compile(r"`([\w/.]+\.py)::(\w+)(?:\.(\w+))?`")
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document: Path) -> None:
    links = [link for link in LINK.findall(document.read_text("utf-8")) if "://" not in link]
    missing = [link for link in links if not (PROJECT / link).exists()]
    assert not missing


def defined_names(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_named_function_exists(document: Path) -> None:
    missing = [
        f"{file}::{name}"
        for file, name, method in NAMED.findall(document.read_text("utf-8"))
        if not {name, method or name} <= defined_names(PROJECT / file)
    ]
    assert not missing


def test_paper_names_functions() -> None:
    assert len(NAMED.findall((PROJECT / "PAPER.md").read_text("utf-8"))) > 25


def test_every_python_block_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall((PROJECT / "README.md").read_text("utf-8"))
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)  # noqa: S102 - the README is ours
