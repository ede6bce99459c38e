"""The system `bilstm_crf`: the paper's traditional baseline (4.1; Huang et al. 2015). No LLM, no server.

It detects alone. Whose a value is the rules tell; what a query needs it does not know (nothing is kept).
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from piibench.data.mentions import split_writable
from piibench.data.outcomes import Decision, Selection
from piibench.data.schema import Labelled, gather_entities
from piibench.data.taxonomy import TYPE_OF
from piibench.errors import InputError
from piibench.systems.bilstm_crf.tagger import MAKER, load_tagger
from piibench.systems.rules import create_rules
from piibench.systems.rules.candidates import LIKELY, Candidate
from piibench.systems.rules.lexicon import load_lexicons
from piibench.systems.rules.passage import read_passage
from piibench.systems.rules.subjects.assignment import assign_subjects
from piibench.systems.weights import settle_threads

if TYPE_CHECKING:
    from piibench.data.schema import Entity, Prompt


class BiLSTMCRF:
    """Marks words by a bidirectional LSTM and a CRF, trained on the train partition.

    Args:
        weights: Folder of the model, as `piibench train bilstm_crf` makes it; none ships with piibench.
        threads: Threads for one prompt; 0 takes one for each core. Where absent 0, and 1 in a process among
            several.

    Raises:
        InputError: The weights are not given or not usable, or the threads are fewer than 0.
    """

    name = "bilstm_crf"

    def __init__(self, weights: str | Path | None = None, threads: int | None = None) -> None:
        if weights is None:
            msg = f"the system bilstm_crf needs --weights, and none ship with piibench; `{MAKER}` makes them"
            raise InputError(msg)
        self._tagger = load_tagger(Path(weights), settle_threads(threads))

    async def detect(self, description: str) -> tuple[Entity, ...]:
        """Find the entities of a description; none overlaps another. Linear in its length."""
        found = [
            Candidate(span, category, LIKELY, "marked by the BiLSTM-CRF")
            for span, category in self._tagger.find(description)
        ]
        if not found:
            return ()
        letters = assign_subjects(read_passage(description, load_lexicons()), found)
        return gather_entities(
            description,
            (
                Labelled(span, TYPE_OF[candidate.category], candidate.category, letter)
                for candidate, letter in zip(found, letters, strict=True)
                for span in split_writable(description, candidate.span)
            ),
        )

    async def select(self, prompt: Prompt, found: tuple[Entity, ...]) -> Selection:  # noqa: ARG002 - it knows none
        """Keep nothing: the baseline detects alone."""
        return Selection(
            tuple(
                Decision(entity.id, keep=False, reason=f"hidden: the BiLSTM-CRF found it; {entity.label}")
                for entity in found
            )
        )

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the model's files, this room's code, and the rules that tell subjects apart."""
        digest = hashlib.sha256(f"{self._tagger.fingerprint}-{create_rules().fingerprint}".encode())
        for path in sorted(Path(__file__).parent.glob("*.py")):
            digest.update(path.read_bytes())
        return digest.hexdigest()[:8]


def create_bilstm_crf(**options: str | int) -> BiLSTMCRF:
    """Make the system `bilstm_crf`; `weights` and `threads` as in `BiLSTMCRF`."""
    return BiLSTMCRF(**options)  # pyright: ignore[reportArgumentType]
