"""Codes come from blocks that belong to nobody and have valid check digits."""

import random
from ipaddress import ip_address, ip_network

import pytest
from stdnum import iban, luhn
from stdnum.es import dni
from stdnum.it import codicefiscale
from stdnum.us import ssn

from piibench.data.taxonomy import Category
from piibench.generators.accounts import TEST_CARD_PREFIXES, make_iban
from piibench.generators.cultures import list_cultures, sample_background
from piibench.generators.registry import make

DOCUMENTATION = [
    ip_network(block) for block in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
]


def draw(category, style, *, culture=None, n=600):
    rng = random.Random(23)
    return [
        make(category, rng, sample_background(rng, "test", culture=culture), style=style).text
        for _ in range(n)
    ]


def test_cards_are_test_numbers_with_a_luhn_digit():
    for text in draw(Category.CREDIT_CARD, "paper"):
        assert text.startswith(TEST_CARD_PREFIXES)
        assert luhn.is_valid(text)


def test_whole_cards_of_the_world_have_a_luhn_digit():
    whole = [
        digits
        for text in draw(Category.CREDIT_CARD, "world")
        if (digits := text.translate({32: None, 45: None})).isdigit()
    ]
    assert len(whole) > 200
    assert {len(digits) for digits in whole} == {15, 16}
    assert all(luhn.is_valid(digits) for digits in whole)


@pytest.mark.parametrize("country", ["DE", "FR", "GB", "IT", "NL", "PL", "SA", "TR", "BR", "SE", "IE", "ES"])
def test_ibans_have_valid_check_digits(country):
    rng = random.Random(8)
    for _ in range(50):
        number = make_iban(rng, country)
        assert number.startswith(country)
        assert iban.is_valid(number, check_country=country == "ES")


def test_no_social_security_number_could_have_been_issued():
    for text in draw(Category.SOCIAL_SECURITY_NUMBER, "paper"):
        assert not ssn.is_valid(text) or text.startswith("987-65-43")


def test_american_tax_numbers_are_in_no_issued_group():
    for text in draw(Category.TAX_ID, "paper"):
        assert not int(text[3:5]) >= 50 or text.startswith("9876543")


@pytest.mark.parametrize(("culture", "module"), [("it", codicefiscale), ("es", dni)])
def test_national_tax_numbers_have_valid_check_letters(culture, module):
    texts = draw(Category.TAX_ID, "world", culture=culture)
    own = [text for text in texts if any(char.isalpha() for char in text)]
    assert len(own) > 300
    assert all(module.is_valid(text) for text in own)


@pytest.mark.parametrize("style", ["paper", "world"])
def test_addresses_are_kept_for_documentation(style):
    for text in draw(Category.IP_ADDRESS, style):
        assert any(ip_address(text) in block for block in DOCUMENTATION)


@pytest.mark.parametrize("style", ["paper", "world"])
def test_mail_goes_to_no_real_domain(style):
    for text in draw(Category.EMAIL_ADDRESS, style):
        domain = text.partition("@")[2]
        assert domain.endswith((".example", "example.com", "example.org", "example.net"))


@pytest.mark.parametrize("style", ["paper", "world"])
@pytest.mark.parametrize("culture", ["us", "ca"])
def test_american_telephones_are_555_01(culture, style):
    for text in draw(Category.PHONE_NUMBER, style, culture=culture, n=100):
        assert "".join(char for char in text if char.isdigit())[-7:-2] == "55501"


@pytest.mark.parametrize("culture", list_cultures())
def test_every_culture_has_telephones(culture):
    assert len(set(draw(Category.PHONE_NUMBER, "world", culture=culture, n=100))) > 50
