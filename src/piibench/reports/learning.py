"""The learning curve of a training run, from its log."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from matplotlib import style

from piibench.reports.curves import draw_strokes
from piibench.reports.figures import STYLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

_LINES: Mapping[str, str] = MappingProxyType(
    {
        "states": "where values stand",
        "categories": "which category",
        "needed": "needed or not",
        "chosen": "needed, as a set",
        "owners": "whose",
    }
)


@style.context(STYLE)
def draw_losses(log: Sequence[Mapping[str, float]]) -> Figure:
    """Draw the running means of the losses over the updates.

    Args:
        log: The lines of `log.jsonl`, each with "updates" and a number for each loss; of an earlier run
            without those that came later. Where a run began anew in the same folder, the last one counts.
    """
    last = _take_last_run(log)
    strokes: dict[str, tuple[list[float], list[float]]] = {}
    for name, words in _LINES.items():
        known = [line for line in last if name in line]
        if name in last[-1]:
            strokes[words] = [line["updates"] for line in known], [line[name] for line in known]
    figure, panel = draw_strokes(strokes)
    panel.set_yscale("log")
    panel.set(xlabel="updates", ylabel="loss, running mean")
    return figure


def _take_last_run(log: Sequence[Mapping[str, float]]) -> Sequence[Mapping[str, float]]:
    """The lines since the number of updates last fell."""
    begins = [at for at in range(1, len(log)) if log[at]["updates"] < log[at - 1]["updates"]]
    return log[begins[-1] if begins else 0 :]
