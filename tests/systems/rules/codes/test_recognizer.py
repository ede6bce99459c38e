from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import Span
from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.systems.rules.candidates import CERTAIN, resolve
from piibench.systems.rules.codes.recognizer import find_codes
from piibench.systems.rules.lexicon import Lexicons
from piibench.systems.rules.passage import read_passage
from recognition import propose

NO_WORDS = Lexicons([("none", ["\ue000"])])

# [[…]] marks the value that must be found; nothing else in the line is a code.
POSITIVE = {
    Category.PHONE_NUMBER: [
        "always just a phone call away at [[14593742147]], ready to listen",
        "Mobile: [[+44 7700 900123]]",
        "write or ring [[+1-202-555-0143]] after lunch",
        "[[+86-13800138000]]",
        "You can reach me on [[0171 496 0123]].",
        "Her cell is [[(555) 010-2030]], his is secret",
        "Tel. [[07700 900123]]",
        "手机 [[138-0013-8000]]",
        "WhatsApp [[98765 43210]] any time",
        "call me at [[18180989411]].",
        "office [[+44 (0)20 7946 0000 ext. 12]]",
        "text me: [[555-0134]]",
        "[[01 42 68 53 00]] is the landline",
        "Contact number — [[(11) 91234-5678]]",
    ],
    Category.EMAIL_ADDRESS: [
        "You can reach me at [[xiaqiu@example.net]] or not",
        "([[first.last+tag@mail.example.co.uk]]).",
        "[[ana.maría@exämple.org]]",
        "邮箱[[user@example.com]]请联系",
        "[[用户@例子.公司]] ist neu",
        "mailto:[[o'neil_99@sub-domain.example]]",
        "write to [[bob at example dot com]], thanks",
        "it is [[kim.lee [at] example [dot] org]]",
        "<[[x@y.io]]>",
    ],
    Category.IP_ADDRESS: [
        "from IP [[192.168.1.14]] today",
        "Her router has [[10.0.0.1]].",
        "logged in at [[203.0.113.77]]:8080 twice",
        "[[2001:db8::1]]",
        "address [[fe80::1ff:fe23:4567:890a]] seen",
        "IP:[[2001:0db8:85a3:0000:0000:8a2e:0370:7334]]",
        "mapped [[::ffff:192.0.2.1]]",
        "IP [[8.8.8.8]]",
    ],
    Category.CREDIT_CARD: [
        "card number [[4111 1111 1111 1111]]",
        "[[4111-1111-1111-1111]] exp 12/26",
        "Visa [[4242424242424242]]",
        "Amex [[3782 822463 10005]]",
        "my Mastercard, [[5555555555554444]], was declined",
        "debit card [[6217000012345678]]",
        "paid with [[**** **** **** 4242]]",
        "card [[XXXX-XXXX-XXXX-1234]]",
        "Visa ending in [[2345]]",
        "the card ends with [[4821]]",
        "credit card: [[1234567890123456]]",
    ],
    Category.BANK_ACCOUNT: [
        "IBAN [[DE89 3704 0044 0532 0130 00]] BIC COBADEFF",
        "[[GB29NWBK60161331926819]]",
        "pay to [[FR14 2004 1010 0505 0001 3M02 606]], please",
        "account number [[12345678]]",
        "my savings account is [[000123456789]]",
        "Acct no. [[1234 567 890]]",
        "routing number [[021000021]]",
        "sort code [[20-00-00]]",
        "account ending in [[9921]]",
        "Konto [[0532013000]]",
    ],
    Category.SOCIAL_SECURITY_NUMBER: [
        "SSN: [[078-05-1120]]",
        "social security number is [[987-65-4321]]",
        "[[123-45-6789]]",
        "NI number [[QQ 12 34 56 C]]",
        "National Insurance [[QQ123456C]]",
        "Aadhaar [[2345 6789 0123]]",
        "SSN ending [[1234]]",
        "Last four of her SSN: [[6789]]",
        "[[***-**-6789]] on file",
        "codice fiscale [[RSSMRA85T10A562S]]",
        "PESEL [[44051401359]]",
        "BSN [[111222333]]",
        "resident ID [[11010519491231002X]]",
        "SIN [[046 454 286]]",
        "CURP [[BOXW310820HNERXN09]]",
    ],
    Category.DRIVERS_LICENSE: [
        "driver's license [[D12345678]]",
        "Driver’s licence no.: [[F1234567]]",
        "driving licence [[MORGA657054SM9IJ]]",
        "license number is [[D123-4567-8901]]",
        "DL [[S99988801]]",
        "licence [[A00112233]] was suspended",
        "Führerschein [[B072RRE2I55]]",
        "driving permit [[K48213377]]",
        "Licence no [[WDLABCD456DG]] expires 04/11/2027",
    ],
    Category.PASSPORT_NUMBER: [
        "passport no. [[X12345678]], expires 2030-05-01",
        "Passport: [[C01234567]]",
        "my passport number is [[533401372]]",
        "passport [[AB1234567]] was stolen",
        "Reisepass [[C01X00T47]]",
        "travel document [[L898902C3]]",
        "holds passport [[P1234567A]]",
        "[[L898902C3]]6UTO7408122F1204159ZE184226B<<<<<10",
    ],
    Category.TAX_ID: [
        "tax ID [[123456789]]",
        "EIN [[12-3456789]]",
        "TFN [[123 456 782]]",
        "PAN [[ABCPE1234F]]",
        "Steuer-ID [[12 345 678 901]]",
        "taxpayer number: [[912-70-1234]]",
        "NIF [[12345678Z]]",
        "VAT no. [[GB980780684]]",
        "CPF [[390.533.447-05]]",
        "UTR [[1955839661]]",
    ],
    Category.EMPLOYEE_ID: [
        "Employee ID: [[XK004512]]",
        "employee number [[4471]]",
        "badge #[[88213]]",
        "staff ID [[AB123456]]",
        "personnel no. [[10045678]]",
        "emp id [[E-20931]]",
        "Staff number: [[TR-00417]]",
        "her employee id number is [[90210]]",
        "Staff card [[00417]]",
    ],
    Category.STUDENT_ID: [
        "Student ID [[20194412]]",
        "student number: [[s1234567]]",
        "matriculation number [[03654321]]",
        "Enrolment no. [[19CS10042]]",
        "Registration No: [[2019/CS/0042]]",
        "roll number [[41872]]",
        "student [[20230158]]",
        "Matrikelnummer [[1234567]]",
    ],
    Category.PASSWORD_HASH: [
        "hash [[5f4dcc3b5aa765d61d8327deb882cf99]]",
        "SHA-1 password: [[5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8]]",
        "[[5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8]]",
        "md5:[[098F6BCD4621D373CADE4E832627B4F6]]",
        "[[$2b$12$EixZaYVK1fsbw1ZfbX3OXePaWxn96p36WQoeG6Lruj3vjPGga31lW]]",
        "stored as [[$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b27h0]].",
        "[[pbkdf2_sha256$260000$abcdefghijkl$q1Wv7kQ2ZpY0]]",
        (
            "sha512 [["
            "b109f3bbbc244eb82441917ed06d618b9008dd09b3befd1b5e07394c706a8bb9"
            "80b1d7785e5976ec049b46df5f1326af5a2ea6d103fd07c95385ffab0cacbc86]]"
        ),
    ],
    Category.SOCIAL_MEDIA_HANDLE: [
        "find me as [[@jsmith]]!",
        "IG: [[luna_draws]]",
        "my Discord handle is [[fox#1234]]",
        "Twitter handle is [[real_anna]].",
        "telegram [[@k_petrov]]",
        "posted by [[u/throwaway_22]] yesterday",
        "linkedin.com/in/[[jane-doe-12]]",
        "https://github.com/[[octo-cat]]/repo",
        "[[@user@mastodon.social]]",
        "Username: [[nightowl]]",
        'her insta is "[[mia.bakes]]"',
    ],
}

NEGATIVE = {
    "order": "Order number 12345678 and invoice 4111111111111111 were late.",
    "tracking": "tracking 9400 1000 0000 0000 0000 00",
    "ticket": "ticket #A12345678 was closed",
    "isbn": "ISBN 978-3-16-148410-0",
    "version": "v1.2.3.4 and version 10.0.0.1 of the firmware",
    "section": "see section 1.2.3.4",
    "years": "from 2019-2021 and 1998 to 2005, in 2,019 cases",
    "dates": "2024-03-07, 07.03.2024, 03/07/24, 12:30:45",
    "prices": "$1,299.00 or €4.500,00 or 12.5%",
    "postcode": "10115 Berlin, SW1A 1AA London",
    "room": "Room 214, flight LH123456, model X12345678",
    "staff count": "a staff of 250 people and 4500 employees, 12000 students",
    "prose handle": "Telegram is great, and Instagram: a curse or not? My line is busy @ 5",
    "prose dot": "She looked at polka dot dresses.",
    "code": "git commit 5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8",
    "scope": "std::vector and Foo::bar",
    "bp": "BP 120/80, pulse 72, 98.6",
    "imei": "IMEI 490154203237518",
    "words hex": "deadbeefdeadbeefdeadbeefdeadbeef",
    "numbers": "1 2 3 4 5 6 7 8 9 10 11 12",
}


def find(text: str) -> list[tuple[Category, str]]:
    passage = read_passage(text, NO_WORDS)
    return [(found.category, found.span.of(text)) for found in resolve(find_codes(passage))]


@pytest.mark.parametrize(
    ("category", "marked"), [(category, line) for category, lines in POSITIVE.items() for line in lines]
)
def test_finds_exactly_the_marked_value(category, marked):
    values = re.findall(r"\[\[(.*?)\]\](?!\])", marked)
    text = marked
    for value in values:
        text = text.replace(f"[[{value}]]", value)
    assert find(text) == [(category, value) for value in values]


@pytest.mark.parametrize("text", NEGATIVE.values(), ids=NEGATIVE.keys())
def test_leaves_numbers_about_things_alone(text):
    assert find(text) == []


def test_every_code_category_has_cases():
    codes = {category for category in Category if TYPE_OF[category] is PIIType.CODE}
    assert codes | {Category.SOCIAL_MEDIA_HANDLE} == set(POSITIVE)
    assert all(len(lines) >= 8 for lines in POSITIVE.values())


def test_the_nearest_cue_word_decides_between_passport_and_licence():
    text = "My SSN is 078-05-1120, my license D12345678, and my passport C98765432."
    assert find(text) == [
        (Category.SOCIAL_SECURITY_NUMBER, "078-05-1120"),
        (Category.DRIVERS_LICENSE, "D12345678"),
        (Category.PASSPORT_NUMBER, "C98765432"),
    ]


def test_a_cue_far_back_in_the_sentence_settles_an_undecided_form():
    text = "The licence that was handed to her by the clerk at the window on Monday reads D12345678."
    assert find(text) == [(Category.DRIVERS_LICENSE, "D12345678")]


def test_a_cue_in_another_sentence_does_not_count():
    assert find("I lost my badge. 88213 people were there.") == []


def test_names_of_fields_are_cues():
    assert find("PassportNumber: K81234567; EmployeeId: QR204419; seats: 5200") == [
        (Category.PASSPORT_NUMBER, "K81234567"),
        (Category.EMPLOYEE_ID, "QR204419"),
    ]


def test_a_label_on_the_line_above_counts():
    assert find("Student ID:\n20194412\n") == [(Category.STUDENT_ID, "20194412")]


def test_a_valid_checksum_is_certain():
    passage = read_passage("IBAN DE89370400440532013000", NO_WORDS)
    assert max(found.score for found in find_codes(passage)) == CERTAIN


def test_rules_never_repeat_the_value():
    for lines in POSITIVE.values():
        for line in lines:
            text = line.replace("[[", "").replace("]]", "")
            for found in find_codes(read_passage(text, NO_WORDS)):
                assert found.span.of(text) not in found.rule


ADVERSARIAL = [
    "1" * 200_000,
    "1 " * 100_000,
    "a@" * 100_000,
    "@a" * 100_000,
    "AA00 " * 40_000,
    "ABCDE1234F " * 18_000,
    "*" * 200_000,
    "x* " * 60_000,
    "1:" * 100_000,
    "a dot b " * 25_000,
    "ig: " * 50_000,
    "(1" * 100_000,
]


@pytest.mark.parametrize("text", ADVERSARIAL, ids=lambda text: repr(text[:8]))
def test_takes_linear_time(text):
    start = time.process_time()
    list(find_codes(read_passage(text, NO_WORDS)))
    # A quadratic rule takes minutes on 200,000 characters; a loaded machine gets ample room.
    assert time.process_time() - start < 10


@given(st.text(alphabet=st.characters() | st.sampled_from("0123456789@.:-+() *xX/#$\n\ud800"), max_size=80))
def test_any_text_gives_valid_spans(text):
    for found in find_codes(read_passage(text, NO_WORDS)):
        assert isinstance(found.span, Span)
        assert 0 <= found.span.start < found.span.end <= len(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Mail nguyễn.văn.an@example.com now", ["nguyễn.văn.an@example.com"]),
        ("Mail jose\u0301.mun\u0303oz@example.com now", ["jose\u0301.mun\u0303oz@example.com"]),
        ("пишите иван.петров@example.com", ["иван.петров@example.com"]),
        ("邮箱abc@example.com和电话", ["abc@example.com"]),
        (
            "我的身份证号11010519491231002X，手机13812345678，卡号4111111111111111。",
            ["11010519491231002X", "13812345678", "4111111111111111"],
        ),
        ("IP地址192.168.1.10。", ["192.168.1.10"]),
        ("전화는010-2345-6789입니다", ["010-2345-6789"]),
        ("123-45-6789,321-54-9876", ["123-45-6789", "321-54-9876"]),
        ("Ann,212-555-0199,Bo", ["212-555-0199"]),
        ("почта-ivan@mail.ru", ["ivan@mail.ru"]),
        ("My card is xxxx 1234 now.", ["xxxx 1234"]),
        ("#### 2024 Budget, ####1234, **** 2021, the final xxxx 2023 draft", []),
        ("My card is ••••1234 now.", ["••••1234"]),
        ("My card is 4111 11** **** 1234 now.", ["4111 11** **** 1234"]),
        ("He paid 1,234,567 and 12,500.75 and 3,1415.", []),
    ],
)
def test_codes_beside_letters_and_cells(text, found):
    assert propose(find_codes, text) == found
