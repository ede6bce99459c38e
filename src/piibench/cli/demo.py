"""`piibench demo`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from piibench.data.schema import Prediction, Sample
    from piibench.systems.base import System

NEXT_STEPS = (
    ("mask a text of your own", "piibench mask letter.txt --query 'What can I afford?' --explain"),
    ("keep a conversation's vault", "piibench mask letter.txt --query '…' --vault talk.json"),
    ("put the values back", "piibench restore answer.txt --vault talk.json"),
    ("many prompts at once", "piibench predict data.jsonl --out pred.jsonl --workers 4"),
    ("measure it", "piibench score data.jsonl pred.jsonl --per-type"),
)


def demo() -> None:
    """See it work: mask, restore and score what ships with it.

    Masks three prompts, restores a model's answer to each, and scores the shipped samples. Everything shown
    is invented; nothing leaves this machine.
    """
    from rich.text import Text

    from piibench.cli.console import create_console
    from piibench.cli.report import print_report
    from piibench.data.shipped import load_demos, load_shipped
    from piibench.metrics.score import score
    from piibench.systems.registry import DEFAULT_SYSTEM, load_system

    console = create_console()
    system = load_system(DEFAULT_SYSTEM)
    for number, sample in enumerate(load_demos(), 1):
        console.rule(f"{number}. {sample.meta.get('title', sample.id)}", align="left")
        _show_sample(console, system, sample)
    gold = load_shipped()
    console.rule(f"The system {system.name} on the {len(gold)} shipped samples", align="left")
    print_report(score(gold, _predict(system, gold), seed=7, resamples=500), console, brief=True)
    console.rule("What next", align="left")
    for purpose, command in NEXT_STEPS:
        line = Text.assemble(f"  {purpose:28} ", (command, "bold"))
        console.print(line, highlight=False, soft_wrap=True)


def _show_sample(console: Console, system: System, sample: Sample) -> None:
    from rich.text import Text

    from piibench.cli.explanation import show_beside
    from piibench.data.shipped import fill_answer
    from piibench.masking.restore import restore
    from piibench.masking.vault import Vault
    from piibench.systems.compose import protect_sync

    vault = Vault()
    masked = protect_sync(system, sample.prompt, style="numbered", vault=vault)
    console.print(show_beside(sample.prompt, masked))
    kept, all_found = len(masked.selection.relevant), len(masked.entities) + len(masked.asked)
    console.print(f"{all_found} values found, {kept} kept for the question, {all_found - kept} hidden")
    if "answer" in sample.meta:
        answer = fill_answer(sample, masked.replacements)
        console.print(Text.assemble(("the model answers: ", "bold"), answer))
        console.print(Text.assemble(("you read:          ", "bold"), restore(answer, vault)))
    console.print()


def _predict(system: System, gold: Iterable[Sample]) -> list[Prediction]:
    import asyncio

    from piibench.batch.records import predict_record
    from piibench.data.files import PromptRecord

    with asyncio.Runner() as runner:
        return [
            predict_record(PromptRecord(one.id, one.subset, one.description, one.query), system, runner)
            for one in gold
        ]
