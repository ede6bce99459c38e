"""From what somebody asks for to a grid and its samples."""

from __future__ import annotations

import pytest

from piibench.data.files import write_records
from piibench.data.runs import write_data
from piibench.errors import DataError, InputError, UnknownStrategyError, UnknownSystemError
from piibench.evals.grid import write_grid
from piibench.evals.request import Request, create_grid, read_chosen, resume_grid
from piibench.strategies.registry import list_strategies
from piibench.systems.registry import load_system


@pytest.fixture
def data(tmp_path, samples):
    """The samples in a file."""
    path = tmp_path / "data.jsonl.gz"
    write_records(path, samples)
    return str(path)


def test_without_a_word_the_default_system_is_put_to_tasks_1_to_3(data, samples):
    grid, read = create_grid(Request(data=data))
    assert grid.systems == (f"encoder@{load_system().fingerprint}",)
    assert grid.tasks == ("pii_detection", "query_related", "query_unrelated_masking")
    assert (grid.models, grid.strategies, grid.asking) == ((), (), None)
    assert read == samples


def test_a_model_is_asked_naively_unless_told(data):
    grid, _ = create_grid(Request(data=data, models=("mockllm/model",), tasks=("masking", "detection")))
    assert grid.tasks == ("pii_detection", "query_unrelated_masking")
    assert (grid.systems, grid.strategies) == ((), ("naive",))
    assert grid.asking is not None
    every, _ = create_grid(Request(data=data, models=("mockllm/model",), strategies=("all",)))
    assert every.strategies == list_strategies()


@pytest.mark.parametrize(
    ("subsets", "limit", "expected"),
    [
        ((), None, ["single", "single", "multi", "multi", "hard", "hard", "distract", "distract"]),
        ((), 1, ["single", "multi", "hard", "distract"]),
        (("hard", "single"), None, ["hard", "hard", "single", "single"]),
        (("multi",), 1, ["multi"]),
    ],
)
def test_subsets_and_limit(data, subsets, limit, expected):
    assert [sample.subset for sample in read_chosen(data, subsets, limit)] == expected


def test_the_limit_takes_the_first_of_each_subset(data, samples):
    assert read_chosen(data, (), 1) == samples[::2]


@pytest.mark.parametrize(
    ("fields", "error", "told"),
    [
        ({"tasks": ("query", "nothing")}, InputError, 'there is no "nothing"'),
        ({"systems": ("ruled",)}, UnknownSystemError, 'did you mean "rules"'),
        ({"systems": ("llm",)}, InputError, "name the model with --model"),
        ({"strategies": ("naive",)}, InputError, "says how a model is asked"),
        ({"models": ("m",), "strategies": ("self-cot",)}, UnknownStrategyError, "self_cot"),
        ({"candidates": "golden"}, UnknownSystemError, "unknown system"),
        ({"candidates": "llm"}, InputError, "a model's own candidates are --candidates own"),
        ({"subsets": ("multi", "double")}, DataError, 'has no subset "double"; it has single, multi, hard'),
    ],
)
def test_a_wrong_name_is_refused(data, fields, error, told):
    with pytest.raises(error, match=told):
        create_grid(Request(data=data, **fields))


def test_a_folder_knows_what_was_asked(tmp_path, data):
    grid, samples = create_grid(Request(data=data, limit=1))
    with pytest.raises(InputError, match="holds no evaluation"):
        resume_grid(tmp_path)
    write_data(tmp_path, samples)
    write_grid(tmp_path, grid)
    assert resume_grid(tmp_path) == (grid, samples)


def test_a_folder_does_not_go_on_with_what_has_changed(tmp_path, data):
    request = Request(
        data=data,
        limit=1,
        tasks=("query", "tradeoff"),
        systems=("rules",),
        models=("mockllm/model",),
        candidates="rules",
        responder="mockllm/model",
        judge="mockllm/model",
        masker="mockllm/model",
        strategies=("naive",),
    )
    grid, samples = create_grid(request)
    write_data(tmp_path, samples)
    write_grid(tmp_path, grid)
    assert resume_grid(tmp_path) == (grid, samples)
    for field, value in (
        ("systems", ("rules@00000000",)),
        ("detector", "rules@00000000"),
        ("arms", (*grid.arms[:-2], "encoder@00000000", grid.arms[-1])),
        ("asking", "00000000"),
        ("version", "0.0.0"),
    ):
        write_grid(tmp_path, grid.model_copy(update={field: value}))
        with pytest.raises(InputError, match=rf"holds another evaluation \(it differs in {field}\)"):
            resume_grid(tmp_path)


def test_samples_of_two_subsets_have_ids_of_their_own(tmp_path, samples):
    folder = tmp_path / "twice"
    folder.mkdir()
    for subset in ("single", "multi"):
        same = [sample.model_copy(update={"subset": subset}) for sample in samples[:2]]
        write_records(folder / f"{subset}.jsonl.gz", same)
    with pytest.raises(DataError, match="hold a sample of the same id"):
        read_chosen(str(folder), (), None)
