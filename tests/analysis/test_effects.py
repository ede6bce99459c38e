"""Independent effects of factors, on samples whose scores follow from known ones."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.stats import norm
from statsmodels.stats.outliers_influence import variance_inflation_factor

from piibench.analysis.effects import FEWEST_SAMPLES, fit_effects
from piibench.analysis.factors import FACTORS, gather_scores
from piibench.errors import InputError


@pytest.fixture(scope="module")
def entangled(make_scored):
    """400 samples: entities and characters grow together, but only entities make the score fall."""
    rng = np.random.default_rng(2)
    made = []
    for number in range(400):
        entities = int(rng.integers(2, 30))
        mean = 1 / (1 + np.exp(0.15 * (entities - 15)))
        made.append(
            make_scored(
                f"s{number}",
                float(rng.beta(8 * mean, 8 * (1 - mean))),
                entities=entities,
                characters=200 + 20 * entities + int(rng.integers(0, 100)),
                relevant=int(rng.integers(1, 3)),
            )
        )
    return tuple(zip(*made, strict=True))


def test_only_the_factor_that_matters_has_an_effect(entangled) -> None:
    found = fit_effects(*entangled, "f1")
    assert found.left_out == {"subjects": "it is the same everywhere"}
    effects = {effect.factor: effect for effect in found.effects}
    assert list(effects) == ["entities", "characters", "relevant"]
    entities, characters = effects["entities"], effects["characters"]
    # One standard deviation of 2 to 29 is about 8.1: the odds fall by exp(-0.15 * 8.1) = 0.30
    assert entities.deviation == pytest.approx(8.08, abs=0.3)
    assert entities.low < np.exp(-0.15 * entities.deviation) < entities.high < 1
    assert entities.p_value < 0.001
    assert entities.change < -0.15
    assert characters.p_value > 0.05
    assert characters.low < 1 < characters.high
    assert entities.inflation > 10 > effects["relevant"].inflation == pytest.approx(1, abs=0.1)


def test_all_numbers_are_those_of_statsmodels(entangled) -> None:
    samples, scores = entangled
    table, values = gather_scores(samples, scores, "f1")
    columns = table[:, 1:]
    design = sm.add_constant((columns - columns.mean(axis=0)) / columns.std(axis=0))
    fitted = sm.GLM(values, design, family=sm.families.Binomial()).fit(cov_type="HC0")
    errors = fitted.bse * np.sqrt(400 / (400 - 4))  # HC1
    for place, effect in enumerate(fit_effects(samples, scores, "f1").effects, 1):
        assert effect.odds_ratio == pytest.approx(np.exp(fitted.params[place]), rel=1e-6)
        bounds = fitted.params[place] + np.array([-1.959964, 1.959964]) * errors[place]
        assert (effect.low, effect.high) == pytest.approx(tuple(np.exp(bounds)), rel=1e-5)
        statistic = fitted.params[place] / errors[place]
        assert effect.p_value == pytest.approx(2 * norm.cdf(-abs(statistic)), rel=1e-4, abs=1e-12)
        assert effect.inflation == pytest.approx(variance_inflation_factor(design, place), rel=1e-6)
        more = design.copy()
        more[:, place] += 1
        assert effect.change == pytest.approx(
            (fitted.predict(more) - fitted.predict(design)).mean(), abs=1e-7
        )


def make_many(make_scored, values, **factors):
    made = [
        make_scored(f"s{n}", value, **{name: of(n) for name, of in factors.items()})
        for n, value in enumerate(values)
    ]
    return tuple(zip(*made, strict=True))


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([0.1 * (n % 3) for n in range(FEWEST_SAMPLES - 1)], "fewer than 30 samples have the score"),
        ([0.5] * 40, "the score is the same everywhere"),
        (
            [float(n >= 20) for n in range(40)],
            "no stable fit: the score may follow from the factors without exception",
        ),
    ],
)
def test_why_there_is_no_effect(make_scored, values, reason) -> None:
    samples, scores = make_many(make_scored, values, characters=lambda n: 200 + 10 * n)
    found = fit_effects(samples, scores, "f1", factors=("characters",))
    assert found.effects == ()
    assert found.left_out == {"characters": reason}
    assert found.n == len(values)


def test_why_a_factor_is_left_out(make_scored) -> None:
    values = [0.3 + 0.1 * (n % 5) for n in range(60)]
    samples, scores = make_many(
        make_scored,
        values,
        subjects=lambda n: 1 + n % 2,
        entities=lambda n: 5 + 2 * (n % 2),
        relevant=lambda n: None if n == 7 else n % 3,
        characters=lambda n: 200 + n % 7,
    )
    found = fit_effects(samples, scores, "f1")
    assert found.left_out == {
        "entities": "it follows from the others",
        "relevant": "not every sample knows it",
    }
    assert [effect.factor for effect in found.effects] == ["subjects", "characters"]


def test_no_factor_can_be_told_apart(make_scored) -> None:
    samples, scores = make_many(make_scored, [0.3 + 0.1 * (n % 5) for n in range(60)])
    found = fit_effects(samples, scores, "f1")
    assert found.effects == ()
    assert set(found.left_out) == set(FACTORS)


def test_an_effect_without_any_doubt_is_no_division_by_zero(make_scored) -> None:
    samples, scores = make_many(
        make_scored, [0.25 + 0.5 * (n % 2) for n in range(40)], subjects=lambda n: 1 + n % 2
    )
    [effect] = fit_effects(samples, scores, "f1", factors=("subjects",)).effects
    # Odds 1/3 and 3, two standard deviations (of 0.5) apart: a third of the way is a factor of 3
    assert effect.odds_ratio == pytest.approx(3)
    assert effect.p_value == pytest.approx(0, abs=1e-12)


def test_scores_outside_the_unit_interval_are_refused(make_scored) -> None:
    samples, scores = make_many(make_scored, [1.5, 0.5] * 20)
    with pytest.raises(InputError, match=r"f1: effects are estimated for scores in \[0, 1\]"):
        fit_effects(samples, scores, "f1")


def test_rounding_beyond_the_unit_interval_is_not(make_scored) -> None:
    samples, scores = make_many(make_scored, [1.0000000000000002, 0.5] * 20, subjects=lambda n: 1 + n // 20)
    assert fit_effects(samples, scores, "f1").n == 40
