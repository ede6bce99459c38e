"""The trade-off between privacy and utility as a task (section 4.5, Appendix F.2).

Each arm masks the prompt in its way and has it answered. An answer is compared with that to the original
prompt twice: as it came, and with its placeholders put back, which is what a user reads.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from piibench.data.mentions import replace_surrogates
from piibench.data.runs import Run
from piibench.evals.arms import NONE, create_masker, name_arm
from piibench.evals.bridge import ExcusedChat
from piibench.evals.judging import BOTH_ORDERS, Judge, arrange_pairs, is_turned
from piibench.evals.kinds import MODEL, Answer
from piibench.evals.tradeoff_scores import FORMS
from piibench.llm.chat import Message
from piibench.llm.embed import DEFAULT_EMBEDDER, create_embedder
from piibench.masking.restore import restore
from piibench.metrics.tradeoff import measure_similarity

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from piibench.data.schema import Sample
    from piibench.evals.arms import Sent
    from piibench.evals.bench import Bench
    from piibench.evals.grid import Grid
    from piibench.evals.judging import Opinion
    from piibench.llm.chat import Chat
    from piibench.llm.embed import Embedder

RESPONDER, JUDGE = "responder", "judge"
"""Roles in a grid; in a run the responder is the model that answers."""


def expand_tradeoff(grid: Grid) -> tuple[Run, ...]:
    """The one run that compares all arms."""
    return (
        Run(
            task="tradeoff",
            system="llm",
            model=grid.roles[RESPONDER],
            roles={role: name for role, name in grid.roles.items() if role != RESPONDER},
            arms=grid.arms,
            orders=grid.orders or BOTH_ORDERS,
            embedder=grid.embedder or DEFAULT_EMBEDDER,
            n=0,
            data=grid.data,
            seed=grid.seed,
            version=grid.version,
        ),
    )


def prepare_tradeoff(run: Run, bench: Bench) -> Callable[[Sample, Mapping[str, Chat]], Awaitable[Answer]]:
    """Make what masks, has answered and has judged a sample in all arms of a run.

    Raises:
        InputError: A system or the embedder is unknown or not installed.
    """
    maskers = {arm: create_masker(arm, bench) for arm in (NONE, *run.arms)}
    embedder = create_embedder(run.embedder or DEFAULT_EMBEDDER)

    async def compare(gold: Sample, chats: Mapping[str, Chat]) -> Answer:
        chats = {role: ExcusedChat(chat) for role, chat in chats.items()}
        sent = {name_arm(arm): await mask(gold, chats) for arm, mask in maskers.items()}
        came = await _answer(sent, chats[MODEL], run.seed)
        back = {arm: restore(text, sent[arm].vault) for arm, text in came.items()}
        judge = Judge(chats[JUDGE], gold.query, came[NONE], run.seed)
        details: dict[str, Any] = {
            arm: {
                "description": prompt.description,
                "query": prompt.query,
                "placeholders": prompt.placeholders,
                "forms": {},
            }
            for arm, prompt in sent.items()
        }
        bare_shots = max(prompt.bare_shots for prompt in sent.values())
        if not came[NONE].strip():
            return Answer(flagged=True, bare_shots=bare_shots, details=details)
        is_unreadable = any(prompt.flagged for prompt in sent.values())
        alike = await asyncio.to_thread(_compare, embedder, (*came.values(), *back.values()), came[NONE])
        for form, answers in zip(FORMS, (came, back), strict=True):
            opinions = await _judge(judge, answers | {NONE: came[NONE]}, gold, run)
            for arm, text in answers.items():
                said = opinions.get(arm, [])
                is_unreadable |= any(each.rating is None for each in said)
                details[arm]["forms"][form] = {"text": text, "similarity": alike[text], "opinions": said}
        return Answer(flagged=is_unreadable, bare_shots=bare_shots, details=details)

    return compare


async def _answer(sent: Mapping[str, Sent], chat: Chat, seed: int) -> dict[str, str]:
    """Have the prompt of each arm answered; the same prompt once."""
    known: dict[str, str] = {}
    for prompt in sent.values():
        if prompt.text not in known:
            reply = await chat.complete([Message("user", prompt.text)], seed=seed)
            known[prompt.text] = replace_surrogates(reply.text)
    return {arm: known[prompt.text] for arm, prompt in sent.items()}


async def _judge(
    judge: Judge, answers: Mapping[str, str], gold: Sample, run: Run
) -> dict[str, list[Opinion]]:
    """Have the answers to masked prompts rated; a single one is shown beside the reference itself."""
    masked = [arm for arm in answers if arm != NONE]
    names = masked if len(masked) > 1 else [*masked, NONE]
    turned = is_turned(gold.id, run.seed)
    shown = arrange_pairs(names, orders=run.orders or BOTH_ORDERS, turned=turned)
    opinions = await judge.rate(answers, shown)
    return {arm: opinions[arm] for arm in masked}


def _compare(embedder: Embedder, answers: Iterable[str], reference: str) -> dict[str, float]:
    """U_s of each answer, all embedded at once, the same text once; an empty one is like no other."""
    texts = tuple(dict.fromkeys((reference, *answers)))
    rows = dict(zip(texts, embedder.embed(texts), strict=True))
    return {
        text: measure_similarity(row, rows[reference]) if text.strip() else 0.0 for text, row in rows.items()
    }
