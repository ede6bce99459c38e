"""A progress bar for long work: on a terminal, and nowhere else."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator


@contextmanager
def show_progress(what: str, total: int | None) -> Generator[Callable[[int], None]]:
    """Yield a function that takes how many are done by now.

    Args:
        what: What is counted, in the plural.
        total: How many there are; None where that is unknown.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def show_share(what: str) -> Generator[Callable[[float, str], None]]:
    """Yield a function that takes the share done, in [0, 1], and a few words on how it goes.

    Args:
        what: What is being done.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _share, _words: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, TextColumn("{task.fields[words]}"), console=console) as bar:
        task = bar.add_task(what, total=1.0, words="")
        yield lambda share, words: bar.update(task, completed=share, words=words)
