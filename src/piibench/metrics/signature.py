"""Every score signs itself: on which data, by which system, with which seed and version."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from piibench.data.schema import Prediction, Sample

MIXED = "mixed"
"""Stands for a system or strategy where the predictions of one file name several."""

_DIGITS = 8


def _package_version() -> str:
    try:
        return version("piibench")
    except PackageNotFoundError:  # a source tree on the path, not installed
        return "?"


@dataclass(frozen=True, slots=True)
class Signature:
    """Where a score comes from.

    Attributes:
        subset: Name of the scored samples.
        data: Hash of their content.
        system: Name and fingerprint, as in "rules@9ab1"; "-" where the predictions name none.
        strategy: How a model was asked; "-" where none was.
        seed: Seed of the bootstrap.
        version: Version of piibench.
        cluster: What samples that were drawn together have in common, and how many clusters that makes, as in
            "frame/80"; empty where each was drawn alone.
        others: What else the score depends on, such as {"candidates": "gold"}; what is empty is left out.
    """

    subset: str
    data: str
    system: str
    strategy: str
    seed: int
    version: str
    cluster: str = ""
    others: Mapping[str, str] = field(default_factory=dict[str, str])

    def sign(self, metric: str, value: float) -> str:
        """Write a score, to three decimals, with all that it depends on, in one line."""
        others = "".join(f" | {name}:{other}" for name, other in self.others.items() if other)
        return (
            f"{metric} {value:.3f} | subset:{self.subset}@{self.data} | system:{self.system}"
            f" | strategy:{self.strategy}{others} | seed:{self.seed}"
            f"{f' | cluster:{self.cluster}' if self.cluster else ''} | v{self.version}"
        )


def create_signature(
    subset: str, digests: Iterable[bytes], predictions: Iterable[Prediction], *, seed: int, cluster: str = ""
) -> Signature:
    """Describe a scored set of samples.

    Args:
        subset: Name of the samples.
        digests: The `digest` of each gold sample; their order does not matter.
        predictions: Their predictions; `meta["system"]` may hold `{"name": …, "fingerprint": …}` and
            `meta["strategy"]` a name.
        seed: Seed of the bootstrap.
        cluster: See `Signature`.
    """
    metas = [prediction.meta for prediction in predictions]
    return Signature(
        subset=subset,
        data=hash_digests(digests),
        system=_only({_system(meta) for meta in metas}),
        strategy=_only({str(meta.get("strategy") or "-") for meta in metas}),
        seed=seed,
        version=_package_version(),
        cluster=cluster,
    )


def digest(sample: Sample) -> bytes:
    """Hash the id and content of a sample, and which types its source labels; no more of `meta`."""
    content = sample.model_dump(exclude={"meta", "subset"})
    if (types := sample.labelled_types) is not None:
        content["labels_types"] = sorted(types)
    return hashlib.sha256(json.dumps(content).encode("ascii")).digest()


def hash_digests(digests: Iterable[bytes]) -> str:
    """Hash a set of samples by their digests, whatever their order; 8 hexadecimal digits."""
    return hashlib.sha256(b"".join(sorted(digests))).hexdigest()[:_DIGITS]


def _system(meta: dict[str, Any]) -> str:
    match meta.get("system"):
        case {"name": str(name), "fingerprint": str(fingerprint)}:
            return f"{name}@{fingerprint}"
        case {"name": str(name)} | str(name):
            return name
        case _:
            return "-"


def _only(names: set[str]) -> str:
    return names.pop() if len(names) == 1 else MIXED if names else "-"
