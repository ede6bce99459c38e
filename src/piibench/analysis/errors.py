"""Where a system fails: each wrong or absent value of a sample gets exactly one kind.

The values are those that the scores count, so that errors and scores agree: in task 1 the subject, text and
type of Eq. 1-3 under the mapping of Eq. 7, in tasks 2 and 3 the texts of Eq. 11-13. A true value and a
predicted one that stands for it make one error.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from piibench.analysis.persons import join_by_subject, number_subjects
from piibench.analysis.tally import ErrorKind, Errors
from piibench.analysis.values import Value, join_entities, pair_alike, pair_overlapping
from piibench.errors import DataError
from piibench.metrics.measures import restrict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from piibench.data.runs import Task
    from piibench.data.schema import Entity, Prediction, Sample

_Kinds: TypeAlias = "Mapping[ErrorKind, Sequence[Value]]"
K = TypeVar("K")


def count_errors(task: Task, samples: Iterable[Sample], predictions: Iterable[Prediction]) -> Errors | None:
    """Add up the errors of a run.

    Args:
        task: The run's.
        samples: The gold samples.
        predictions: Of some or all of them; a sample without one counts nowhere, as in the scores.

    Returns:
        None where the task knows no such errors (trade-off), or the data or the system decides nothing.

    Raises:
        DataError: A prediction belongs to no sample, or is about another description.
    """
    known = {sample.id: sample for sample in samples}
    total: Errors | None = None
    for pred in predictions:
        gold = known.get(pred.id)
        if gold is None or gold.description != pred.description:
            msg = f'prediction "{pred.id}" is about no sample; give the samples that were evaluated'
            raise DataError(msg)
        if (found := find_errors(task, gold, pred)) is not None:
            total = found if total is None else total + found
    return total


def find_errors(task: Task, gold: Sample, pred: Prediction) -> Errors | None:
    """Find the errors of one prediction.

    Predicted entities of types that the sample's source does not label are neither right nor wrong, as in
    the scores (`metrics.measures.measure`).

    Returns:
        None where the task knows no such errors, the sample does not know or the system does not decide.
    """
    pred = restrict(pred, gold)
    match task:
        case "pii_detection":
            return find_detection_errors(gold.entities, pred.entities)
        case "query_related":
            return find_query_errors(gold, pred)
        case "query_unrelated_masking":
            return find_masking_errors(gold, pred)
        case "tradeoff":
            return None


def find_detection_errors(gold: Sequence[Entity], pred: Sequence[Entity]) -> Errors:
    """Find the errors of task 1.

    True values fall into right, missed, wrong span, wrong type and wrong subject; predicted ones into right,
    spurious and the same three. What fits several kinds is of the first of: wrong type, wrong subject, wrong
    span.
    """
    theirs, ours = number_subjects(gold, pred)
    there, found = join_by_subject(gold, theirs), join_by_subject(pred, ours)
    lost = [value for key, value in there.items() if key not in found]
    extra = [value for key, value in found.items() if key not in there]
    typed, lost, extra = pair_alike(lost, extra, by=lambda value: (value.text, value.owner))
    moved, lost, extra = pair_alike(lost, extra, by=lambda value: (value.text, value.type))
    both, lost, extra = pair_alike(lost, extra, by=lambda value: value.text)
    cut, lost, extra = pair_overlapping(lost, extra)
    kinds = {
        ErrorKind.MISSED: lost,
        ErrorKind.WRONG_SPAN: [value for value, _ in cut],
        ErrorKind.WRONG_TYPE: [value for value, _ in typed],
        ErrorKind.WRONG_SUBJECT: [value for value, _ in (*moved, *both)],
        ErrorKind.SPURIOUS: extra,
    }
    return _tally(there, found, kinds)


def find_query_errors(gold: Sample, pred: Prediction) -> Errors | None:
    """Find the errors of task 2: what is needed and not kept, what is kept and not needed.

    A needed value that the system never found is missed; one that it found, or had only to name, and did not
    keep is over-masked.

    Returns:
        None where the sample does not know or the system does not decide what the query needs.
    """
    if gold.relevant is None or (pred.relevant is None and pred.needed is None):
        return None
    chosen = _list_chosen(pred.needed, pred.relevant_entities)
    return _compare_choices(gold, pred, chosen, goal="needed")


def find_masking_errors(gold: Sample, pred: Prediction) -> Errors | None:
    """Find the errors of task 3: what is to be hidden and is not, what is hidden and needed.

    A value to be hidden that the system never found is missed; one that it found, or had only to name, and
    did not hide is over-kept.

    Returns:
        None in the same cases as `find_query_errors`.
    """
    if gold.relevant is None or (pred.relevant is None and pred.hidden is None):
        return None
    chosen = _list_chosen(pred.hidden, pred.unrelated_entities)
    return _compare_choices(gold, pred, chosen, goal="hidden")


def _compare_choices(
    gold: Sample, pred: Prediction, chosen: Mapping[str, Value], *, goal: Literal["needed", "hidden"]
) -> Errors:
    wanted, others = _by_text(gold.relevant_entities), _by_text(gold.unrelated_entities)
    forgone, overdone, named = ErrorKind.OVER_MASKED, ErrorKind.OVER_KEPT, pred.needed
    if goal == "hidden":
        wanted, others = others, wanted
        forgone, overdone, named = overdone, forgone, pred.hidden
    seen = {entity.text for entity in pred.entities}
    lost = {text: value for text, value in sorted(wanted.items()) if text not in chosen}
    extra = {text: value for text, value in sorted(chosen.items()) if text not in wanted}
    cut, absent, spurious = pair_overlapping(
        [value for text, value in lost.items() if text not in seen],
        [value for text, value in extra.items() if text not in others],
    )
    passed_over = [value for text, value in lost.items() if text in seen]
    kinds = {
        ErrorKind.MISSED: absent if named is None else [],
        ErrorKind.WRONG_SPAN: [value for value, _ in cut],
        ErrorKind.SPURIOUS: spurious,
        forgone: passed_over if named is None else [*passed_over, *absent],
        overdone: [others[text] for text in extra if text in others],
    }
    return _tally(wanted, chosen, kinds)


def _list_chosen(named: Sequence[str] | None, entities: Iterable[Entity]) -> dict[str, Value]:
    return _by_text(entities) if named is None else {text: Value(text) for text in named}


def _by_text(entities: Iterable[Entity]) -> dict[str, Value]:
    grouped: defaultdict[str, list[Entity]] = defaultdict(list)
    for entity in entities:
        grouped[entity.text].append(entity)
    return {text: join_entities(alike) for text, alike in grouped.items()}


def _tally(there: Mapping[K, Value], found: Mapping[K, Value], kinds: _Kinds) -> Errors:
    return Errors(
        right=len(there.keys() & found.keys()),
        there=Counter(value.label for value in there.values()),
        found=len(found),
        counts=Counter((kind, value.label) for kind, values in kinds.items() for value in values),
    )
