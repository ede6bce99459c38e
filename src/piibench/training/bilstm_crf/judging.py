"""How well a BiLSTM-CRF marks held-out texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from piibench.metrics.prf import Counts
from piibench.systems.bilstm_crf.tagger import Tagger
from piibench.systems.bilstm_crf.viterbi import Transitions

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from piibench.metrics.prf import PRF
    from piibench.systems.bilstm_crf.words import Vocabulary
    from piibench.training.bilstm_crf.network import Network
    from piibench.training.examples import Example


def create_tagger(trained: Network, vocabulary: Vocabulary) -> Tagger:
    """Make the tagger that the system uses of a network in torch, without dropout."""
    emitter, crf = trained.eval().emitter, trained.crf
    device = crf.start.device

    @torch.inference_mode()
    def network(features: NDArray[np.int64], lengths: NDArray[np.int32]) -> NDArray[np.float32]:
        emissions = emitter(torch.from_numpy(features).to(device), torch.from_numpy(lengths).long())
        return emissions.cpu().numpy()

    moves, start, stop = (part.detach().cpu().numpy() for part in (crf.moves, crf.start, crf.stop))
    return Tagger(vocabulary, network, Transitions(moves, start, stop).forbid())


def judge(examples: Iterable[Example], tagger: Tagger) -> PRF:
    """Pooled precision, recall and F1 of places; their ends and category must agree."""
    counts = Counts()
    for example in examples:
        gold = {(place.span, place.category) for place in example.places}
        counts += Counts.of(gold, set(tagger.find(example.text)))
    return counts.prf
