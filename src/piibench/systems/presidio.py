"""The system `presidio`: Microsoft Presidio's recognizers, the usual alternative, for comparison.

It detects alone. It knows neither whose a value is (all is the first person's) nor what a query needs
(nothing is kept). Needs the extra `piibench[presidio]`; nothing is downloaded, and nothing is sent.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import spacy
from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine
from presidio_analyzer.predefined_recognizers import EmailRecognizer, UrlRecognizer
from presidio_analyzer.recognizer_registry import RecognizerRegistryProvider
from spacy.util import is_package
from tldextract import TLDExtract

from piibench.data.mentions import Span, replace_surrogates, split_writable
from piibench.data.outcomes import Decision, Selection
from piibench.data.schema import Labelled, gather_entities
from piibench.data.tags import LABELS, Label
from piibench.data.taxonomy import PIIType
from piibench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from presidio_analyzer import RecognizerResult
    from presidio_analyzer.nlp_engine import NlpArtifacts

    from piibench.data.schema import Entity, Prompt

PATTERNS = "patterns"
"""The name of no model: recognizers by form, check digit and context word alone."""
MODELS = ("en_core_web_lg", "en_core_web_md", "en_core_web_sm")
"""The spaCy models that are looked for, the one that Presidio itself takes first."""
ENTITY_TYPES: Mapping[str, Label | None] = MappingProxyType(
    dict(LABELS) | {"MAC_ADDRESS": Label(PIIType.CODE), "UUID": Label(PIIType.CODE)}
)
"""Presidio's entity types as ours; None: no PII in the sense of Table 10."""
WIDEST = 10_000
"""Characters that are analyzed at once: Presidio goes through all words for each value, and spaCy's models
refuse a text of more than a million characters."""
OVERLAP = 1_000
"""Characters that two neighbouring windows of a longer text share at least."""

_TO_A_SPACE = re.compile(r".*\s", re.DOTALL)
_SPACY_LABELS = {
    "PERSON": "PERSON",
    "PER": "PERSON",
    "NORP": "NRP",
    "GPE": "LOCATION",
    "LOC": "LOCATION",
    "FAC": "LOCATION",
    "ORG": "ORGANIZATION",
    "DATE": "DATE_TIME",
    "TIME": "DATE_TIME",
}
_IGNORED = (
    "CARDINAL",
    "EVENT",
    "LANGUAGE",
    "LAW",
    "MISC",
    "MONEY",
    "ORDINAL",
    "PERCENT",
    "PRODUCT",
    "QUANTITY",
    "WORK_OF_ART",
)
_LANGUAGE = "en"
_NO_MODEL = f"--model: no spaCy model of that name is installed; install it, or use {PATTERNS} to do without"


class Presidio:
    """Presidio's analyzer for English, set up as it comes: context words, no least score.

    Four things differ from its own set-up: organisations that a spaCy model finds count, since Table 10 has
    them; the check of mail domains uses the list that comes with it instead of fetching one; links, which
    Table 10 has not, are not looked for; and a text of more than `WIDEST` characters is read in windows.

    Args:
        model: Name or folder of a spaCy model; `PATTERNS` for none; the first of `MODELS` that is installed,
            or else none, where absent.
        threshold: Least score of what is found, in [0, 1].

    Raises:
        InputError: There is no such model, or no such score.
    """

    name = "presidio"

    def __init__(self, model: str | None = None, threshold: float = 0.0) -> None:
        if not 0 <= threshold <= 1:
            msg = "threshold: a score lies in [0, 1]"
            raise InputError(msg)
        self._model = _find_model(model)
        self._threshold = threshold
        self._nlp = _WordEngine(self._model) if self._model == PATTERNS else _Engine(self._model)
        self._nlp.load()
        self._analyzer = _create_analyzer(self._nlp)

    async def detect(self, description: str) -> tuple[Entity, ...]:
        """Find the entities of a description; of those that overlap the one with the best score stands."""
        if not description.strip():
            return ()
        results = self._analyze(replace_surrogates(description))
        return gather_entities(description, _resolve(description, results))

    async def select(self, prompt: Prompt, found: tuple[Entity, ...]) -> Selection:  # noqa: ARG002 - it knows none
        """Keep nothing: to mask all that is found is how it is used."""
        return Selection(
            tuple(
                Decision(entity.id, keep=False, reason=f"hidden: Presidio found it; {entity.label}")
                for entity in found
            )
        )

    @cached_property
    def fingerprint(self) -> str:
        """Hash of Presidio's version, the model and its version, the threshold, and this module."""
        weights = self._nlp.get_nlp(_LANGUAGE).meta.get("version")
        origin = [version("presidio-analyzer"), self._model, weights, self._threshold]
        return hashlib.sha256(f"{origin}".encode() + Path(__file__).read_bytes()).hexdigest()[:8]

    def _analyze(self, text: str) -> Iterator[RecognizerResult]:
        """Yield what is found in a text; what lies across the border of two windows is found in both."""
        for window, owned in _cut(text):
            for result in self._analyzer.analyze(window.of(text), _LANGUAGE, score_threshold=self._threshold):
                result.start += window.start
                result.end += window.start
                if owned.overlaps(Span(result.start, result.end)):
                    yield result


def create_presidio(**options: Any) -> Presidio:
    """Make the system `presidio`; `model` and `threshold` as in `Presidio`."""
    return Presidio(**options)


class _Engine(SpacyNlpEngine):
    """A spaCy model that is on this machine; Presidio's own engine would fetch one that is not."""

    def __init__(self, model: str) -> None:
        super().__init__(
            models=[{"lang_code": _LANGUAGE, "model_name": model}],
            ner_model_configuration=NerModelConfiguration(
                labels_to_ignore=_IGNORED, model_to_presidio_entity_mapping=_SPACY_LABELS
            ),
        )

    def load(self) -> None:
        try:
            self.nlp = {_LANGUAGE: spacy.load(self.models[0]["model_name"])}
        except (AttributeError, OSError, ValueError):  # a package without `load`; a damaged folder
            raise InputError(_NO_MODEL) from None


class _WordEngine(_Engine):
    """Words without a model: each is its own lemma, so that context words still count."""

    def load(self) -> None:
        self.nlp = {_LANGUAGE: spacy.blank(_LANGUAGE)}

    def process_text(self, text: str, language: str) -> NlpArtifacts:
        doc = self.get_nlp(language)(text)
        for token in doc:
            token.lemma_ = token.lower_
        return self._doc_to_nlp_artifact(doc, language)


class _OfflineEmailRecognizer(EmailRecognizer):
    """Checks domains against the list that tldextract brings; the original fetches the newest."""

    _extract = TLDExtract(suffix_list_urls=(), cache_dir=None)

    def validate_result(self, pattern_text: str) -> bool:
        return self._extract(pattern_text).fqdn != ""


def _find_model(model: str | None) -> str:
    if model is None:
        return next(filter(is_package, MODELS), PATTERNS)
    if model == PATTERNS or is_package(model) or Path(model, "config.cfg").is_file():
        return model
    raise InputError(_NO_MODEL)


def _create_analyzer(engine: _Engine) -> AnalyzerEngine:
    provider = RecognizerRegistryProvider(registry_configuration={"supported_languages": [_LANGUAGE]})
    registry = provider.create_recognizer_registry()
    registry.add_nlp_recognizer(nlp_engine=engine)
    registry.remove_recognizer(UrlRecognizer.__name__)
    registry.remove_recognizer(EmailRecognizer.__name__)
    registry.add_recognizer(_OfflineEmailRecognizer())
    return AnalyzerEngine(registry=registry, nlp_engine=engine)


def _cut(text: str) -> Iterator[tuple[Span, Span]]:
    """Yield the windows of a text, cut at white space where there is some, each with what it answers for.

    Two neighbours meet in the middle of their overlap.
    """
    start = border = 0
    while start + WIDEST < len(text):
        stop = _find_space(text, start + WIDEST - OVERLAP, start + WIDEST)
        following = _find_space(text, stop - 2 * OVERLAP, stop - OVERLAP)
        middle = (following + stop) // 2
        yield Span(start, stop), Span(border, middle)
        start, border = following, middle
    yield Span(start, len(text)), Span(border, len(text))


def _find_space(text: str, start: int, end: int) -> int:
    """The place behind the last white space in a range; the range's end where there is none."""
    found = _TO_A_SPACE.match(text, start, end)
    return found.end() if found else end


def _resolve(text: str, results: Iterable[RecognizerResult]) -> list[Labelled]:
    """Choose among overlapping results: the best score, then the longest."""
    taken: list[Span] = []
    places: list[Labelled] = []
    order = sorted(results, key=lambda one: (-one.score, one.start - one.end, one.start, one.entity_type))
    for result in order:
        label = ENTITY_TYPES.get(result.entity_type)
        span = _trim(text, result.start, result.end)
        if label is None or span is None:
            continue
        at = bisect(taken, span)
        if not any(span.overlaps(near) for near in taken[max(at - 1, 0) : at + 1]):
            taken.insert(at, span)
            places += [Labelled(part, label.type, label.category) for part in split_writable(text, span)]
    return places


def _trim(text: str, start: int, end: int) -> Span | None:
    """The span without white space at its ends; None where nothing is left."""
    value = text[start:end]
    start += len(value) - len(value.lstrip())
    return Span(start, start + len(value.strip())) if value.strip() else None
