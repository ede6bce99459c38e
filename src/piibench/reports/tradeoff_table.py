"""The parts of a trade-off, which the paper's Table 8 adds up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from piibench.reports.lines import count_samples, create_entry, describe_gaps, head_once
from piibench.reports.sheets import Column, Line, Sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from piibench.reports.scores import RunScores

_NOTE = (
    "Restored: what the user sees, with the placeholders of the answer put back; the other scores are of the"
    " answer as it came."
)


def tabulate_tradeoff(runs: Sequence[RunScores]) -> Sheet | None:
    """Everything that a trade-off measures, by arm: the parts that Table 8 is made of, and what it lacks.

    Args:
        runs: All runs; those of other tasks are left out.

    Returns:
        None where no run is a trade-off.
    """
    chosen = [each for each in runs if each.run.task == "tradeoff"]
    metrics = tuple(dict.fromkeys(metric for each in chosen for metric in each.metrics))
    lines = [
        Line(
            arm,
            tuple(
                create_entry(each.average(metric, arm=arm), {"metric": metric, "arm": arm}, each.system)
                for metric in metrics
            ),
            "ours",
            heading=", ".join((each.system, *(f"{role} {model}" for role, model in each.run.roles.items()))),
        )
        for each in chosen
        for arm in each.list_arms()
    ]
    if not lines:
        return None
    return Sheet(
        name="tradeoff-parts",
        title="Trade-off in parts. Every score of each way to mask",
        corner="arm",
        columns=tuple(Column(metric.replace("_", " ")) for metric in metrics),
        lines=head_once(lines),
        notes=(
            _NOTE,
            *(gap for each in chosen for gap in describe_gaps(each, ())),
            *count_samples(lines),
        ),
    )
