"""The data sets that come with the project, and any folder of the same form."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from piibench.data.files import read_samples
from piibench.errors import DataError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.data.schema import Sample

SUBSETS = ("single", "multi", "hard", "distract")
"""The subsets of PII-Bench, in the paper's order (section 3.3)."""

_SUFFIX = ".jsonl.gz"


def load(name: str | Path, subset: str | None = None) -> Iterator[Sample]:
    """Yield the samples of a data set.

    Args:
        name: A folder that `piibench synthesize` wrote, or the name of one in `datasets/` of a checkout, such
            as "pii-bench-v1".
        subset: One of its subsets; all of them, in the paper's order, where None.

    Raises:
        InputError: There is no such data set.
        DataError: It has no such subset, or a file is damaged.
    """
    folder = find_folder(name)
    present = [each for each in SUBSETS if (folder / f"{each}{_SUFFIX}").is_file()]
    if not present:
        msg = (
            f"holds no data set; a folder that `piibench synthesize` wrote has {SUBSETS[0]}{_SUFFIX} and more"
        )
        raise DataError(msg, place=folder.name)
    if subset is not None and subset not in present:
        msg = f"has no subset of that name; it has {', '.join(present)}"
        raise DataError(msg, place=folder.name)
    for each in present if subset is None else [subset]:
        yield from read_samples(folder / f"{each}{_SUFFIX}")


def find_folder(name: str | Path) -> Path:
    """The folder of a data set.

    Raises:
        InputError: There is no such data set.
    """
    checkout = Path(__file__).resolve().parents[3] / "datasets"
    for folder in (Path(name), checkout / name):
        if folder.is_dir():
            return folder
    known = sorted(path.name for path in checkout.iterdir() if path.is_dir()) if checkout.is_dir() else []
    hint = f"known: {', '.join(known)}" if known else "give a folder that `piibench synthesize` wrote"
    msg = f"there is no data set of that name; {hint}"
    raise InputError(msg)
