import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.systems.rules.candidates import LIKELY, STRONG, resolve
from piibench.systems.rules.lexicon import load_lexicons
from piibench.systems.rules.organisations.recognizer import find_organisations
from piibench.systems.rules.passage import read_passage

LEXICONS = load_lexicons()
MARK = re.compile(r"\[\[(.+?)\]\]")


def propose(text):
    return list(resolve(find_organisations(read_passage(text, LEXICONS))))


POSITIVE = {
    Category.COMPANY_NAME: [
        "I work at [[Microsoft]] as a developer.",
        "She is the CEO of [[Moonshot AI]].",
        "He was employed by [[Veltrix Dynamics]] until May.",
        "[[Müller GmbH]] sent a letter.",
        "I left [[Smith & Sons Ltd.]] and moved.",
        "my account at [[Barclays]] is empty",
        "i work at [[casio]] now",
        "When [[Google]] hired me I cried.",
        "a loan from [[First National Bank]]",
        "[[Grupo Bimbo S.A. de C.V.]]",
        "lunch at [[Nestlé]]'s office",
        "She interned at [[Apple]] last year.",
        "They run [[Tanaka Bakery]] together.",
    ],
    Category.EDUCATIONAL_INSTITUTION: [
        "I graduated from [[Wellesley]].",
        "a PhD from [[Carnegie Mellon University]]",
        "studied at the [[University of Leeds]]",
        "My son attends [[Lincoln Elementary School]].",
        "[[ETH Zurich]]",
        "She read history at the [[London School of Economics]].",
        "i studied at [[leeds university]]",
        "She went to study at [[Cambridge]].",
        "[[Technische Universität München]]",
        "[[MIT]] wrote back.",
    ],
    Category.GOVERNMENT_AGENCY: [
        "the [[IRS]] wrote",
        "a letter from the [[Ministry of Foreign Affairs]]",
        "[[Leeds City Council]] refused.",
        "the [[Department for Work and Pensions]]",
        "[[HMRC]] owes me",
        "She works for the [[Department of Health and Human Services]].",
    ],
    Category.NGO: [
        "She volunteers with the [[Red Cross]].",
        "the [[World Peace Organization]]",
        "[[Transnational Health Association]] in Kenya",
        "a donation to the [[Hope Foundation]]",
        "the [[Global Health Research Center]], located",
        "He works for the [[WHO]].",
    ],
    Category.HEALTHCARE_FACILITY: [
        "treated at [[St. Mary's Hospital]] by",
        "[[Moscow First Hospital]]",
        "[[Mayo Clinic]]",
        "my shift at [[mercy hospital]]",
        "born in [[Hôpital Necker]]",
        "She lives in [[Sunny Hill Care Home]].",
        "[[Green Cross Pharmacy]] called",
    ],
}

NEGATIVE = [
    "the hospital", "my school", "a bank", "I went to the High School.", "the General Hospital",
    "Human Resources", "Who are you?", "Apple pie for all", "on WhatsApp", "Sent from Gmail.",
    "He went straight to university.", "Customer Services", "an apple a day", "She works from home.",
    "I worked with my boss.", "The Police came.", "A Hospital!", "We met in May.", "a target of ours", "",
]  # fmt: skip


@pytest.mark.parametrize(
    ("category", "marked"), [(category, line) for category, lines in POSITIVE.items() for line in lines]
)
def test_finds_the_minimal_name(category, marked):
    text = MARK.sub(r"\1", marked)
    found = [(candidate.span.of(text), candidate.category) for candidate in propose(text)]
    assert found == [(value, category) for value in MARK.findall(marked)]


@pytest.mark.parametrize("text", NEGATIVE)
def test_leaves_unnamed_bodies_alone(text):
    assert propose(text) == []


def test_a_head_word_is_strong_and_a_cue_alone_is_likely():
    assert [candidate.score for candidate in propose("Acme Bank")] == [STRONG]
    assert [candidate.score for candidate in propose("She works at Veltrix.")] == [LIKELY]


WORDS = "University of the and & Leeds Ltd. Inc , . Hospital St. Mary's Google works at for joined \n de Ministry WHO"
words = st.sampled_from(WORDS.split(" "))


@given(st.one_of(st.text(), st.text(st.characters()), st.lists(words, max_size=40).map(" ".join)))
def test_never_raises_and_stays_in_the_text(text):
    for candidate in find_organisations(read_passage(text, LEXICONS)):
        assert 0 <= candidate.span.start < candidate.span.end <= len(text)
        assert TYPE_OF[candidate.category] is PIIType.ORG


@pytest.mark.parametrize(
    "piece",
    ["A", "A ", "A. ", "A and ", "University of ", "of ", "works at ", "Google ", "Ltd, ", "St. ", "& ", "Ж", "'s ", "at a b "],
)  # fmt: skip
def test_takes_linear_time(piece):
    seconds = []
    for size in (20_000, 200_000):
        passage = read_passage((piece * size)[:size], LEXICONS)
        started = time.process_time()
        for _ in find_organisations(passage):
            pass
        seconds.append(time.process_time() - started)
    assert seconds[1] < 40 * seconds[0] + 0.5
