"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from piibench.errors import InputError, PiibenchError

DEFAULT_SYSTEM = "encoder"
"""The registry's own default; spelt here so that --help need not load the registry."""

TextFile = Annotated[
    str, typer.Argument(metavar="FILE|-", help="Plain text in UTF-8; - or nothing reads standard input.")
]
SystemName = Annotated[
    str, typer.Option("--system", metavar="NAME", help="Who protects; `piibench systems` lists them.")
]
PatternsFile = Annotated[
    str | None,
    typer.Option(
        "--patterns",
        metavar="FILE",
        help="TOML file with patterns and lists of your own (systems encoder, rules).",
    ),
]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME",
        help="The model as its server knows it (system llm); a spaCy model, or patterns (system presidio).",
    ),
]
BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        metavar="URL",
        help="Address of the model, such as http://localhost:8080/v1; OPENAI_BASE_URL where absent."
        " The text is sent there (system llm).",
    ),
]
StrategyName = Annotated[
    str | None,
    typer.Option(
        "--strategy", metavar="NAME", help="How the model is asked what the question needs (system llm)."
    ),
]
DetectorName = Annotated[
    str | None,
    typer.Option(
        "--detector", metavar="NAME", help="A system that finds, so that the model only selects (system llm)."
    ),
]
SelectorName = Annotated[
    str | None,
    typer.Option(
        "--selector", metavar="NAME", help="A system that selects, so that the model only finds (system llm)."
    ),
]
WeightsFolder = Annotated[
    str | None,
    typer.Option(
        "--weights",
        metavar="DIR",
        help="A model of your own, from `piibench train` (systems encoder, bilstm_crf).",
    ),
]
KeepThreshold = Annotated[
    float | None,
    typer.Option(
        "--keep-threshold",
        metavar="P",
        min=0,
        max=1,
        help="Keep a value from this probability of being needed on; higher hides more."
        " `piibench calibrate` shows the curve (systems encoder, zero-shot).",
    ),
]
ModelsUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        metavar="URL",
        help="Any OpenAI-compatible server, such as http://localhost:8080/v1.",
    ),
]
DataName = Annotated[
    str | None,
    typer.Option(
        "--data", metavar="FILE|NAME", help="Labelled samples, or a data set; pii-bench-v1 where absent."
    ),
]
Orders = Annotated[
    int | None,
    typer.Option(
        "--orders",
        metavar="1|2",
        min=1,
        max=2,
        help="Trade-off: orders in which the judge sees each pair of answers; 1 alternates, 2 where absent.",
    ),
]
EmbedderName = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        metavar="NAME",
        help="Trade-off: compares the answers: use, or a sentence-transformers model on this disk, such as"
        " the paper's BAAI/bge-m3; use where absent.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of all choices.")]

THRESHOLD_TAKERS = ("encoder", "zero-shot")
"""The systems that take a keep threshold."""
_TAKERS = {
    "patterns": ("patterns", ("encoder", "rules")),
    "weights": ("weights", ("bilstm_crf", "encoder")),
    "keep_threshold": ("a threshold", THRESHOLD_TAKERS),
    "model": ("a model", ("llm", "presidio")),
    "base_url": ("an address", ("llm",)),
    "strategy": ("a strategy", ("llm",)),
    "detector": ("a detector", ("llm",)),
    "selector": ("a selector", ("llm",)),
}
"""Option -> what it is, and the systems that take it."""


def collect_options(system: str, **given: str | float | None) -> dict[str, Any]:
    """Return the options for the system's factory: those that are given.

    Raises:
        InputError: One is given to a system that takes none, or is empty.
    """
    options = {name: value for name, value in given.items() if value is not None}
    for name, value in options.items():
        if value == "":
            msg = f"--{name.replace('_', '-')}: is empty; say what it is to be, or leave it out"
            raise InputError(msg)
        what, takers = _TAKERS[name]
        if system not in takers:
            few = f"system {takers[0]} takes" if len(takers) == 1 else f"systems {' and '.join(takers)} take"
            msg = f"--{name.replace('_', '-')}: only the {few} {what}"
            raise InputError(msg)
    return options


def check_distinct(option: str, out: str, *sources: str) -> None:
    """Refuse to write over what is read.

    Args:
        option: Which names the output.
        out: The output.
        sources: What is read; "-" is standard input.

    Raises:
        InputError: The output is one of them.
    """
    for source in sources:
        if Path(out).exists() and Path(source).exists() and Path(out).samefile(source):
            msg = f"{option}: is the data itself; choose another file"
            raise InputError(msg)


def check_output(option: str, out: str | None, *sources: str) -> None:
    """Refuse, before the work, a file that cannot take its result or holds records.

    Where an option lacks its value, the shell's next data file stands in its place.

    Args:
        option: Which names the file.
        out: The file; None where none is wanted, "-" for standard output.
        sources: What is read; see `check_distinct`.

    Raises:
        InputError: It is empty, in no folder, one of the sources, or a file of samples or predictions.
    """
    if out is None or out == "-":
        return
    if not out:
        msg = f"{option}: is empty; name a file"
        raise InputError(msg)
    check_distinct(option, out, *sources)
    if not Path(out).parent.is_dir():
        msg = f"{option}: there is no such folder; make it first"
        raise InputError(msg)
    if Path(out).is_file() and _holds_records(out):
        msg = f"{option}: is a file of records, which would be lost; name the file that is to be written"
        raise InputError(msg)


def _holds_records(path: str) -> bool:
    """Whether a file begins with a line that is a sample or a prediction."""
    from piibench.data.lines import read_lines

    try:
        first = next(iter(read_lines(path)), None)
    except PiibenchError:
        return False
    return first is not None and "id" in first.fields


def split_names(names: str | None) -> tuple[str, ...]:
    """The names of an option "NAME,…", each once; none where it is absent."""
    return tuple(dict.fromkeys(part for name in (names or "").split(",") if (part := name.strip())))
