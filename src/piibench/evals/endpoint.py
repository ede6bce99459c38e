"""An OpenAI-compatible server as a model of Inspect's.

Inspect's own client for such servers expects fields in a reply that small servers leave out. This one takes
what `llm/` takes, and is as patient with a busy server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspect_ai.model import GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi

from piibench.llm.chat import Message
from piibench.llm.openai_chat import OpenAIChat

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage
    from inspect_ai.tool import ToolChoice, ToolInfo

    from piibench.llm.chat import Role
    from piibench.llm.openai_chat import Limits

PROVIDER = "endpoint"
_ROLES: dict[str, Role] = {"system": "system", "assistant": "assistant"}
_LONGEST = 1024


class Endpoint(ModelAPI):
    """A model behind an address; the key comes from OPENAI_API_KEY alone, and may be missing.

    Args:
        model_name: The name by which the server knows it.
        base_url: Address up to and with "/v1"; OPENAI_BASE_URL where absent.
        api_key: Not used.
        config: Of every request.

    Raises:
        EndpointSetupError: No address is given, or it is none.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,  # noqa: ARG002 - Inspect's signature
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - Inspect's signature
    ) -> None:
        super().__init__(model_name, None, None, [], config)
        self._address = base_url
        self._chat = OpenAIChat(model_name, base_url=base_url)

    def limit(self, limits: Limits) -> None:
        """Change how patient it is, before the first request."""
        self._chat = OpenAIChat(self.model_name, base_url=self._address, limits=limits)

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 - Inspect's signature
        tools: list[ToolInfo],  # noqa: ARG002
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,
    ) -> ModelOutput:
        """Answer the last message; raises what `Chat.complete` raises."""
        reply = await self._chat.complete(
            [Message(_ROLES.get(message.role, "user"), message.text) for message in input],
            temperature=config.temperature or 0.0,
            max_tokens=config.max_tokens or _LONGEST,
            seed=config.seed,
        )
        reason = "max_tokens" if reply.is_cut else "stop"
        output = ModelOutput.from_content(self.model_name, reply.text, stop_reason=reason)
        read, written = reply.usage.prompt_tokens, reply.usage.reply_tokens
        output.usage = ModelUsage(input_tokens=read, output_tokens=written, total_tokens=read + written)
        return output

    async def aclose(self) -> None:
        """Close the connections."""
        await self._chat.close()


@modelapi(name=PROVIDER)
def endpoint() -> type[ModelAPI]:
    """Register the provider."""
    return Endpoint
