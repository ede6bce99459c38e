"""Asking a model until its reply can be used: a refused reply is counted by its reason and asked for anew."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from piibench.llm.chat import Message
from piibench.prompts.answers import strip_thinking

if TYPE_CHECKING:
    from collections.abc import Callable

    from piibench.llm.chat import Chat, Reply

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a reply is not used.

    Attributes:
        reason: A few words that are the same for all such replies, so that they can be counted.
        remedy: What the model is told before it tries again.
    """

    reason: str
    remedy: str = field(default="", repr=False)


@dataclass(slots=True)
class Asker:
    """Asks for the parts of one sample.

    Attributes:
        chat: Who answers.
        rejected: Counts of refused replies, by "stage: reason".
        seed: Makes the same sample of the same order, where the model can do that.
        attempts: Replies asked for before a part is given up, at least 1.
        replies: Replies that came so far.
    """

    chat: Chat
    rejected: Counter[str] = field(default_factory=Counter[str])
    seed: int = 0
    attempts: int = 3
    replies: int = 0

    async def ask(
        self,
        stage: str,
        prompt: str,
        read: Callable[[str], Result | Refusal],
        *,
        max_tokens: int = 1024,
        temperature: float = 0.8,
    ) -> Result | Refusal:
        """Ask until a reply can be used.

        A further try shows the model its last reply and what was wrong with it.

        Args:
            stage: What the reply is for, in a word.
            prompt: What is asked.
            read: Turns a reply into a result, or refuses it.
            max_tokens: Longest reply.
            temperature: As in `Chat.complete`.

        Returns:
            The result, or the last refusal.

        Raises:
            EndpointError: The model gives no reply at all.
            EndpointSetupError: It never will.
        """
        outcome: Result | Refusal = Refusal("nothing asked")
        talk = [Message("user", prompt)]
        for attempt in range(self.attempts):
            reply = await self.chat.complete(
                talk, temperature=temperature, max_tokens=max_tokens, seed=self.seed + attempt
            )
            self.replies += 1
            outcome = _read(reply, read)
            if not isinstance(outcome, Refusal):
                return outcome
            self.rejected[f"{stage}: {outcome.reason}"] += 1
            remedy = outcome.remedy or "That cannot be used. Follow the instructions exactly."
            talk = [Message("user", prompt), Message("assistant", reply.text), Message("user", remedy)]
        return outcome


def _read(reply: Reply, read: Callable[[str], Result | Refusal]) -> Result | Refusal:
    text = strip_thinking(reply.text)
    return Refusal("cut short", "Be briefer.") if reply.is_cut else read(text)
