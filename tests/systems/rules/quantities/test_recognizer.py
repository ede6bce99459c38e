from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.systems.rules.candidates import STRONG, WEAK, resolve
from piibench.systems.rules.lexicon import Lexicons
from piibench.systems.rules.passage import read_passage
from piibench.systems.rules.quantities.recognizer import find_quantities

NO_WORDS = Lexicons([("none", ["\ue000"])])

# [[…]] marks the values that must be found; nothing else in the line is one.
POSITIVE = {
    Category.MONTHLY_INCOME: [
        "She earns [[$85k]].",
        "Salary: [[4,200 EUR]]",
        "my monthly income is [[₹1.2 lakh]]",
        "takes home [[1.2 lakh rupees]]",
        "[[¥30万]] salary",
        "[[CHF 5'200]] net pay",
        "he makes [[two thousand dollars]] a month",
        "around [[5k]] a month",
        "on [[£32k]] since then",
        "Monthly income: [[USD 4,500]]",
        "[[4.500,00 €]] Gehalt",
        "a gross salary of [[85,000]]",
        "[[$22]]/hour wages",
        "stipend | [[1,850]]",
        "[[£38,500]] per annum",
    ],
    Category.MONTHLY_EXPENSES: [
        "Rent .... [[1150]]",
        "she pays [[1.850 €]] for rent",
        "spends [[R$ 900]] on groceries",
        "childcare: [[£640]]",
        "our bills come to [[$2,300]]",
        "[[twelve hundred euros]] rent",
        "tuition is [[$14,500]]",
        "utilities of about [[180 zł]]",
        "insurance premium of [[$200]]",
        "pay [[$1,150]] in rent",
    ],
    Category.ACCOUNT_BALANCE: [
        "balance of [[12.345,67 €]]",
        "I have [[$52,300]] in the bank",
        "Savings | [[23,400]]",
        "savings of [[12 grand]]",
        "account balance [[5400.20]]",
        "her nest egg of [[£110,000]]",
        "a net worth of [[$1.2 million]]",
        "the account holds [[¥3,200,000]]",
    ],
    Category.LOAN_AMOUNT: [
        "managing a loan of [[€274304.33]].",
        "[[300 000 kr]] mortgage",
        "I owe [[$8,700]] on my card",
        "debts of around [[$40,000]]",
        "my credit card balance is [[$900]]",
        "[[half a million dollars]] mortgage",
        "borrowed [[₦750,000]] from him",
        "student loan: [[31,250]]",
        "an overdraft of [[£450]]",
    ],
    Category.ANNUAL_BONUS: [
        "bonus of [[$10,000]]",
        "[[Rs.500]] bonus",
        "annual premium [[$3000]]",
        "13th salary: [[€2,100]]",
        "a [[10%]] bonus",
        "year-end bonus was [[15k]]",
        "Annual bonus: [[8000]]",
        "signing bonus [[£5,000]]",
    ],
    Category.CREDIT_LIMIT: [
        "credit limit is [[$15,000]]",
        "credit line of [[€20.000]]",
        "Credit limit: [[7500]]",
        "a [[£3,000]] credit limit",
        "card limit [[HK$40,000]]",
        "limit on her card: [[$2,500]]",
        "line of credit, [[$50k]]",
        "spending limit of [[¥500,000]]",
    ],
    Category.SOCIAL_SECURITY_PAYMENT: [
        "state pension of [[£203.85]] a week",
        "child benefit [[€250]]",
        "SSDI [[$1,800]]",
        "unemployment benefits of [[1.240 euros]]",
        "gets [[$1,906]] from social security",
        "pension: [[1,420]]",
        "disability allowance is [[£434]]",
        "universal credit, [[£393.45]]",
    ],
    Category.TAX_PAYMENT: [
        "tax refund of [[$1,240]]",
        "paid [[3,400 euros]] in income tax",
        "owed the IRS [[$6,200]]",
        "HMRC wants [[£912]]",
        "withholding: [[512.40]]",
        "council tax is [[£1,896]]",
        "property tax, [[$4,350]]",
        "Tax paid: [[₹82,000]]",
    ],
    Category.DEBT_RATIO: [
        "debt-to-income ratio is [[36%]]",
        "DTI [[0.36]]",
        "debt ratio of [[28.50%]]",
        "a DTI of [[41 percent]]",
        "leverage: [[55%]]",
        "his debt ratio stands at [[12.25%]]",
        "[[43%]] debt-to-income",
        "loan-to-value [[80%]]",
    ],
    Category.INVESTMENT_RETURN: [
        "portfolio returned [[7.25%]]",
        "investment return of [[12.40%]]",
        "the fund yielded [[5,1 %]]",
        "dividends of [[$640]]",
        "an index fund at [[8 percent]]",
        "annual return: [[9.85%]]",
        "her stocks gained [[14%]]",
        "yield [[3.2%]]",
    ],
    Category.ROI: [
        "ROI of [[14.20%]]",
        "return on investment was [[12.5 percent]]",
        "ROI: [[22.15%]]",
        "a [[9%]] ROI",
        "the return on my investment, [[31.40%]]",
        "return on her investment is [[6.6%]]",
        "roi [[18%]]",
        "ROI came to [[7.77%]]",
    ],
    Category.CREDIT_SCORE: [
        "My credit score is [[76.5/100]], and I",
        "a [[712]] credit score",
        "FICO of [[688]]",
        "credit score dropped from [[720]] to [[655]]",
        "Credit score: [[801]]",
        "CIBIL [[745]]",
        "Schufa [[97.5%]]",
        "credit rating [[712/850]]",
        "a credit score of [[640]]",
    ],
}

NEGATIVE = {
    "price": "a $3 coffee, it costs $1,299, 20% off, 50% discount",
    "sale": "The laptop was $999. We sold 3,000 units for $40,000.",
    "share": "12% of people, 30% of the seats",
    "year": "In 2019 salary rose; savings 2019, tax 2023",
    "term": "mortgage 360 months, loan for 30 years",
    "rate": "interest rate of 3.5% on my mortgage",
    "exam": "scored 85/100 in the exam",
    "after tax": "$400 after tax",
    "identifier": "account 000123456789, loan no. 12345",
    "account": "account 1234567",
    "room": "room 12B, earning well",
    "body": "67kg, 178 cm, 120/80, 98.6",
    "phone": "call 555-010-2030 about the salary",
}


def find(text: str) -> list[tuple[Category, str]]:
    passage = read_passage(text, NO_WORDS)
    return [(found.category, found.span.of(text)) for found in resolve(find_quantities(passage))]


@pytest.mark.parametrize(
    ("category", "marked"), [(category, line) for category, lines in POSITIVE.items() for line in lines]
)
def test_finds_exactly_the_marked_values(category, marked):
    text = marked.replace("[[", "").replace("]]", "")
    assert find(text) == [(category, value) for value in re.findall(r"\[\[(.*?)\]\]", marked)]


@pytest.mark.parametrize("text", NEGATIVE.values(), ids=NEGATIVE.keys())
def test_leaves_prices_and_other_numbers_alone(text):
    assert find(text) == []


def test_every_quantity_category_has_cases():
    assert {category for category in Category if TYPE_OF[category] is PIIType.QUANTITY} == set(POSITIVE)
    assert all(len(lines) >= 8 for lines in POSITIVE.values())


def test_each_amount_takes_the_cue_nearest_to_it():
    text = "a salary of $4,200, rent of $1,150 and savings of 12 grand, with $9,000 left on the loan"
    assert find(text) == [
        (Category.MONTHLY_INCOME, "$4,200"),
        (Category.MONTHLY_EXPENSES, "$1,150"),
        (Category.ACCOUNT_BALANCE, "12 grand"),
        (Category.LOAN_AMOUNT, "$9,000"),
    ]


def test_a_cue_that_announces_the_next_number_is_not_taken():
    text = "We bought the flat with a mortgage of £210,000 at 4.1%; our DTI came out at 38.5%."
    assert find(text) == [(Category.LOAN_AMOUNT, "£210,000"), (Category.DEBT_RATIO, "38.5%")]


def test_pay_after_tax_is_pay_and_field_names_are_cues():
    assert find("I clear 3.1k after tax; salaryAmount: 5200") == [
        (Category.MONTHLY_INCOME, "3.1k"),
        (Category.MONTHLY_INCOME, "5200"),
    ]


def test_a_form_gives_each_line_its_own_category():
    text = "Salary: 4,200 EUR\nRent: 1,150 EUR\nSavings: 9000\nCredit score: 701\n"
    assert find(text) == [
        (Category.MONTHLY_INCOME, "4,200 EUR"),
        (Category.MONTHLY_EXPENSES, "1,150 EUR"),
        (Category.ACCOUNT_BALANCE, "9000"),
        (Category.CREDIT_SCORE, "701"),
    ]


def test_a_cue_in_another_sentence_does_not_count():
    assert find("We talked about her salary. The bike was $300.") == []


def test_pay_that_is_only_guessed_is_weak():
    guessed = find_quantities(read_passage("around 5k a month", NO_WORDS))
    known = find_quantities(read_passage("salary 5k a month", NO_WORDS))
    assert [found.score for found in guessed] == [WEAK]
    assert [found.score for found in known] == [STRONG]


ADVERSARIAL = [
    "1" * 200_000,
    "1 " * 100_000,
    "$1," * 60_000,
    "$" * 200_000,
    "(1" * 100_000,
    "1,000 " * 33_000,
    "salary 1 " * 22_000,
    "a half " * 28_000,
    "one thousand " * 15_000,
]


@pytest.mark.parametrize("text", ADVERSARIAL, ids=lambda text: repr(text[:8]))
def test_takes_linear_time(text):
    start = time.process_time()
    list(find_quantities(read_passage(text, NO_WORDS)))
    # A quadratic rule takes minutes on 200,000 characters; a loaded machine gets ample room.
    assert time.process_time() - start < 12


PIECES = st.sampled_from(
    [
        "1",
        "000",
        ",",
        ".",
        " ",
        "$",
        "€",
        "%",
        "k",
        "salary",
        "rent",
        "/100",
        "万",
        "half a",
        "grand",
        "\ud800",
    ]
)


@given(st.text(max_size=60) | st.lists(PIECES, max_size=25).map("".join))
def test_any_text_gives_valid_spans(text):
    for found in find_quantities(read_passage(text, NO_WORDS)):
        assert 0 <= found.span.start < found.span.end <= len(text)
