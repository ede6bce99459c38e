"""`piibench mask`."""

from __future__ import annotations

import json
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from piibench.cli.options import (
    DEFAULT_SYSTEM,
    BaseUrl,
    DetectorName,
    KeepThreshold,
    ModelName,
    PatternsFile,
    SelectorName,
    StrategyName,
    SystemName,
    TextFile,
    WeightsFolder,
    collect_options,
)
from piibench.cli.texts import check_argument, name_some, read_text, warn, write_text
from piibench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from piibench.data.outcomes import Masked
    from piibench.data.schema import Entity


def mask(
    file: TextFile = "-",
    *,
    query: Annotated[
        str,
        typer.Option("--query", "-q", metavar="TEXT", help="The question; without one everything is hidden."),
    ] = "",
    system: SystemName = DEFAULT_SYSTEM,
    style: Annotated[
        Literal["tag", "numbered", "pseudonym"] | None,
        typer.Option(
            help="<Phone Number>, <Phone Number 2>, or another phone number, name …: a stand-in of the"
            " same kind and shape. By default numbered where there is a vault, else tag."
        ),
    ] = None,
    vault: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Remember what was hidden, for `restore`; one for each conversation."
        ),
    ] = None,
    patterns: PatternsFile = None,
    model: ModelName = None,
    base_url: BaseUrl = None,
    strategy: StrategyName = None,
    detector: DetectorName = None,
    selector: SelectorName = None,
    weights: WeightsFolder = None,
    keep_threshold: KeepThreshold = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Texts, entities with decision and reason, timings.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show in colour what is kept, what is hidden, and why.")
    ] = False,
) -> None:
    """Hide the personal data that a question does not need.

    Prints the prompt to send and nothing else: the masked text, a blank line, the masked question. With
    --json and --explain the values themselves are in the output: it is for your eyes, not for sending.
    """
    from piibench.cli.protection import protect_timed
    from piibench.data.schema import Prompt
    from piibench.masking.vault import Vault
    from piibench.systems.registry import load_system

    if as_json and explain:
        msg = "--json and --explain exclude each other; choose one"
        raise InputError(msg)
    if vault == "":
        msg = "--vault: is empty; name a file"
        raise InputError(msg)
    options = collect_options(
        system,
        patterns=patterns,
        model=model,
        base_url=base_url,
        strategy=strategy,
        detector=detector,
        selector=selector,
        weights=weights,
        keep_threshold=keep_threshold,
    )
    worker = load_system(system, **options)
    prompt = Prompt(query=check_argument("--query", query), description=read_text(file))
    chosen = style or ("numbered" if vault else "tag")
    with Vault.hold(vault) if vault else nullcontext(Vault()) as conversation:
        masked, timings = protect_timed(worker, prompt, style=chosen, vault=conversation)
    if as_json:
        write_text(json.dumps(_to_json(masked, timings), ensure_ascii=False, indent=2) + "\n")
    elif explain:
        from piibench.cli.explanation import print_explanation

        print_explanation(prompt, masked)
    else:
        write_text(join_prompt(masked))
    _warn_of_leaks(masked)


def join_prompt(masked: Masked) -> str:
    """The prompt as it is sent: the description as it stands; then, if any, a blank line and the query."""
    if not masked.query:
        return masked.description
    gap = "\n" if masked.description.endswith("\n") else "\n\n"
    return f"{masked.description}{gap if masked.description else ''}{masked.query}\n"


def _to_json(masked: Masked, timings: dict[str, float]) -> dict[str, Any]:
    return {
        "description": masked.description,
        "query": masked.query,
        "entities": _describe(masked.entities, masked),
        "asked": _describe(masked.asked, masked),
        "exposed": list(masked.exposed),
        "lost": list(masked.lost),
        "timings_ms": timings,
    }


def _describe(entities: Iterable[Entity], masked: Masked) -> list[dict[str, Any]]:
    from piibench.cli.detect import describe_entity

    decisions = {decision.entity_id: decision for decision in masked.selection.decisions}
    return [
        describe_entity(entity)
        | {"decision": "keep" if decisions[entity.id].keep else "hide", "reason": decisions[entity.id].reason}
        for entity in entities
    ]


def _warn_of_leaks(masked: Masked) -> None:
    labels = {entity.id: f"{entity.id} ({entity.label})" for entity in (*masked.entities, *masked.asked)}
    for message, identifiers in (
        ("still to be seen inside a value that is kept", masked.exposed),
        ("needed, but hidden inside a value that is not kept", masked.lost),
    ):
        if identifiers:
            warn(f"{message}: {name_some([labels[identifier] for identifier in identifiers])}")
