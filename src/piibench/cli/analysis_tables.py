"""An analysis as tables that fit 100 columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from piibench.analysis.effects import ENTANGLED
from piibench.analysis.factors import FACTORS
from piibench.analysis.tally import ErrorKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import Console

    from piibench.analysis.effects import Effect, Effects
    from piibench.analysis.factors import Bin, Factor
    from piibench.analysis.real import Agreement
    from piibench.analysis.summary import Profile, RunAnalysis
    from piibench.analysis.tally import Errors
    from piibench.data.runs import Task

TITLES: Mapping[Task, str] = {
    "pii_detection": "Task 1, detection",
    "query_related": "Task 2, what the query needs",
    "query_unrelated_masking": "Task 3, what is hidden",
    "tradeoff": "Trade-off",
}
_FACTORS: Mapping[Factor, str] = {
    "subjects": "subjects",
    "entities": "PII entities",
    "characters": "characters",
    "relevant": "needed entities",
}
_EFFECT = "one standard deviation more, the rest being equal: odds ratio, change, p"
_ABREAST = 3
_INTERVAL = len("0.123–0.456")
_LEAST_P = 0.001


def print_analyses(analyses: Sequence[RunAnalysis], console: Console, *, categories: int) -> None:
    """Print factors, effects and errors, task by task.

    Args:
        analyses: Of the runs.
        console: Where to.
        categories: How many categories the tables of errors list, those with the most errors first.
    """
    for task, title in TITLES.items():
        runs = [analysis for analysis in analyses if analysis.run.task == task]
        profiles = [(_name(run, profile), profile) for run in runs for profile in run.profiles]
        for metric in dict.fromkeys(profile.metric for _, profile in profiles):
            chosen = [(name, profile) for name, profile in profiles if profile.metric == metric]
            _print_factors(f"{title}: {metric}", chosen, console)
        tallies = [(run.name, run.errors) for run in runs if run.errors is not None]
        if tallies:
            _print(f"{title}: values and errors", _tabulate_errors(tallies), console)
        for name, errors in tallies if categories else ():
            table = _tabulate_categories(errors, categories)
            _print(f"{title}: errors of {name} by category", table, console)


def print_agreements(agreements: Mapping[Task, Agreement], console: Console) -> None:
    """Print how far two data sets agree, task by task."""
    for task, agreement in agreements.items():
        table = _create_table(("system", "score"), ("first", "second", "difference", "PCS"))
        for each in agreement.pairings:
            numbers = (f"{each.first:.3f}", f"{each.second:.3f}", f"{each.difference:+.3f}")
            table.add_row(each.label, each.metric, *numbers, f"{each.consistency:.3f}")
        table.add_section()
        table.add_row("mean", "", "", "", f"{agreement.difference:+.3f}", f"{agreement.consistency:.3f}")
        _print(f"{TITLES[task]}: the same systems on both data sets; PCS (Eq. 21)", table, console)
        console.print(_describe_ranks(agreement), highlight=False)


def _describe_ranks(agreement: Agreement) -> str:
    if (ranks := agreement.ranks) is None:
        return "Spearman's rank correlation: none (fewer than three scores, or all the same)\n"
    return (
        f"Spearman's rank correlation: {ranks.rho:.4f}, {_show_p(ranks.p_value)}, {ranks.n} pairs of scores\n"
    )


def _name(run: RunAnalysis, profile: Profile) -> str:
    return " ".join(filter(None, (run.name, profile.arm)))


def _print_factors(title: str, profiles: Sequence[tuple[str, Profile]], console: Console) -> None:
    for start in range(0, len(profiles), _ABREAST):
        table = _tabulate_bins(profiles[start : start + _ABREAST])
        _print(f"{title} by factor: means over samples, 95 % intervals", table, console)
    _print(f"{title}: {_EFFECT}", _tabulate_effects(profiles), console)
    for line in dict.fromkeys(line for _, profile in profiles for line in _note(profile.effects)):
        console.print(line, highlight=False)
    console.print()


def _tabulate_bins(profiles: Sequence[tuple[str, Profile]]) -> Table:
    table = _create_table(("factor",), ("range", "n", *(name for name, _ in profiles)))
    for factor in FACTORS:
        label = _FACTORS[factor]
        rows = [{each.start: each for each in profile.bins[factor]} for _, profile in profiles]
        for start in sorted({start for row in rows for start in row}):
            cells = [row.get(start) for row in rows]
            present = [each for each in cells if each is not None]
            counts = "/".join(dict.fromkeys(str(each.n) for each in present))
            table.add_row(label, present[0].label, counts, *map(_show_bin, cells))
            label = ""
        table.add_section()
    return table


def _show_bin(each: Bin | None) -> Text:
    if each is None:
        return Text("-")
    interval = f"{each.low:.3f}–{each.high:.3f}" if each.n > 1 else ""
    return Text.assemble(f"{each.mean:.3f} ", (interval.rjust(_INTERVAL), "dim"))


def _tabulate_effects(profiles: Iterable[tuple[str, Profile]]) -> Table:
    table = _create_table(("run",), ("n", *_FACTORS.values()))
    for name, profile in profiles:
        found = {effect.factor: effect for effect in profile.effects.effects}
        table.add_row(name, str(profile.effects.n), *(_show_effect(found.get(factor)) for factor in FACTORS))
    return table


def _show_effect(effect: Effect | None) -> Text:
    if effect is None:
        return Text("-")
    interval = f"{effect.low:.2f}–{effect.high:.2f}"
    return Text.assemble(
        f"{effect.odds_ratio:.2f} ", (interval, "dim"), f"\n{effect.change:+.3f}, {_show_p(effect.p_value)}"
    )


def _note(effects: Effects) -> Iterable[str]:
    reasons: dict[str, list[str]] = {}
    for factor, why in effects.left_out.items():
        reasons.setdefault(why, []).append(_FACTORS[factor])
    for why, factors in reasons.items():
        yield f"No effect is given for {', '.join(factors)}: {why}."
    if entangled := [_FACTORS[each.factor] for each in effects.effects if each.inflation >= ENTANGLED]:
        yield f"Hard to tell apart in this data, as they grow together: {', '.join(entangled)}."


def _tabulate_errors(tallies: Sequence[tuple[str, Errors]]) -> Table:
    kinds = [kind for kind in ErrorKind if any(kind in errors.by_kind for _, errors in tallies)]
    table = _create_table(("run",), ("true", "found", "right", *kinds))
    for name, errors in tallies:
        totals = (sum(errors.there.values()), errors.found, errors.right)
        table.add_row(name, *map(str, totals), *(str(errors.by_kind.get(kind, 0)) for kind in kinds))
    return table


def _tabulate_categories(errors: Errors, count: int) -> Table:
    kinds = tuple(errors.by_kind)
    table = _create_table(("category",), ("true", *kinds))
    rows = sorted(errors.by_label.items(), key=lambda row: -sum(row[1].values()))
    for label, row in [row for row in rows if row[1]][:count]:
        table.add_row(label, str(errors.there.get(label, 0)), *(str(row.get(kind, 0)) for kind in kinds))
    if left := sum(1 for row in rows[count:] if row[1]):
        rest = [sum(row.get(kind, 0) for _, row in rows[count:]) for kind in kinds]
        true = sum(errors.there.get(label, 0) for label, row in rows[count:] if row)
        table.add_row(f"{left} more", str(true), *map(str, rest), style="dim")
    return table


def _show_p(value: float) -> str:
    return f"p < {_LEAST_P}" if value < _LEAST_P else f"p = {value:.3f}"


def _print(title: str, table: Table, console: Console) -> None:
    console.print(Text(title, style="bold"))
    console.print(table)


def _create_table(names: Sequence[str], numbers: Sequence[str]) -> Table:
    """Make a table whose first columns hold names, its others numbers."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading in names:
        table.add_column(heading, overflow="fold")
    for heading in numbers:
        table.add_column(heading, justify="right", overflow="fold")
    return table
