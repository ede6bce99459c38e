"""What is kept, what is hidden and why, in colour, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from piibench.cli.console import create_console, show_signs

if TYPE_CHECKING:
    from piibench.data.outcomes import Masked, Part
    from piibench.data.schema import Prompt

KEPT, HIDDEN, PLACEHOLDER = "bold green", "bold red", "bold white on red"


class Painted(NamedTuple):
    """A prompt twice: as it was, and as it leaves."""

    before: Text
    after: Text


def print_explanation(prompt: Prompt, masked: Masked) -> None:
    """Print the masked prompt in colour, and each decision with its reason."""
    console = create_console()
    console.print(Panel(paint(prompt, masked).after, title="what leaves", title_align="left"))
    console.print(tabulate(masked))


def tabulate(masked: Masked) -> Table:
    """Each entity with its decision and the reason."""
    table = Table(box=SIMPLE_HEAD)
    for heading in ("", "whose", "category", "value", "why"):
        table.add_column(heading)
    decisions = {decision.entity_id: decision for decision in masked.selection.decisions}
    for entity in (*masked.entities, *masked.asked):
        decision = decisions[entity.id]
        style = KEPT if decision.keep else HIDDEN
        mark = Text("kept" if decision.keep else "hidden", style)
        table.add_row(
            mark,
            entity.subject,
            entity.label,
            Text(show_signs(entity.text)),
            Text(show_signs(decision.reason)),
        )
    return table


def paint(prompt: Prompt, masked: Masked) -> Painted:
    """Colour the prompt: kept values, hidden values before, placeholders after."""
    parts = [_paint_part(prompt.description, masked, "description")]
    if prompt.query:
        parts.append(_paint_part(prompt.query, masked, "query"))
    gap = Text("\n" if prompt.description.endswith("\n") else "\n\n")
    return Painted(gap.join(part.before for part in parts), gap.join(part.after for part in parts))


def show_beside(prompt: Prompt, masked: Masked) -> Group:
    """The prompt before and after, side by side."""
    painted = paint(prompt, masked)
    table = Table(box=None, expand=True, padding=(0, 1), show_header=False)
    table.add_column(ratio=1)
    table.add_column(ratio=1)
    table.add_row(
        Panel(painted.before, title="yours", title_align="left"),
        Panel(painted.after, title="what leaves", title_align="left"),
    )
    return Group(table)


def _paint_part(text: str, masked: Masked, part: Part) -> Painted:
    kept = masked.selection.relevant
    owners = masked.entities if part == "description" else masked.asked
    painted = Text(show_signs(text))
    for span in (span for entity in owners if entity.id in kept for span in entity.mentions):
        painted.stylize(KEPT, *span)
    replacements = [one for one in masked.replacements if one.part == part]
    pieces = iter(painted.divide([border for one in replacements for border in one.span]))
    before, after = Text(), Text()
    for replacement, plain, replaced in zip(replacements, pieces, pieces, strict=False):
        before.append(plain).append(replaced.plain, HIDDEN)
        after.append(plain).append(show_signs(replacement.placeholder), PLACEHOLDER)
    for rest in pieces:
        before.append(rest)
        after.append(rest)
    return Painted(before, after)
