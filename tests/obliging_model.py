"""A model that does as it is told: reads the prompts of the synthesis and answers each as asked."""

from __future__ import annotations

import json
import re

FACT = re.compile(r"^<(\w+)> <(.+?)> <(.*)>$", re.MULTILINE)
GIVEN = re.compile(r"^- (.+?): (.*)$", re.MULTILINE)
NUMBERED = re.compile(r"^(\d+)\. (\* )?(.+?): (.*)$", re.MULTILINE)
FILLER = (
    "The form was filled in at the counter and nothing was added afterwards. It was read aloud once, slowly, and "
    "then it was put with the others, because there was a queue and the printer was busy again. Nobody asked for "
    "more than what is written here, and nobody was in a hurry to know. The rest of it was about the weather, "
    "the lift that is out of order, and a plant that needs water."
)


def answer(prompt: str) -> str:
    """The reply to the latest prompt of the synthesis."""
    if "## Final Features" in prompt:
        return mend(prompt)
    if "Write a text for a data set" in prompt:
        return describe(prompt)
    if '"situation"' in prompt:
        return imagine(prompt)
    return "Would you kindly tell me what to do about this, and what would be wise to say?"


def mend(prompt: str) -> str:
    """Every fact as it was."""
    parts = ["## Reason: nothing had to be changed."]
    blocks = re.split(r"^## Facts(?: about (\w+))?$", prompt, flags=re.MULTILINE)[1:]
    for letter, block in zip(blocks[::2], blocks[1::2], strict=True):
        facts = [
            {"label": label, "tag": tag, "entity": entity}
            for label, tag, entity in FACT.findall(block)
            if label.isupper()
        ]
        parts.append(f"## Final Features{f' {letter}' if letter else ''}: {json.dumps(facts)}")
    return "\n".join(parts)


def describe(prompt: str) -> str:
    """A form with every fact on a line of its own."""
    facts = prompt.partition("Rules:")[0]
    return "\n".join([FILLER, *(f"{tag}: {entity}" for tag, entity in GIVEN.findall(facts)), FILLER])


def imagine(prompt: str) -> str:
    """A situation that needs exactly the marked facts."""
    needed = [number for number, star, _, _ in NUMBERED.findall(prompt) if star]
    allusions = dict.fromkeys(needed, "what is said about it above")
    situation = "somebody at a counter wants to go on with a form"
    return json.dumps(
        {"situation": situation, "needed": [int(each) for each in needed], "allusions": allusions}
    )
