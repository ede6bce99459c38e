"""One character for another, so that no character blinds a word."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.schema import Prompt
from piibench.systems.compose import protect
from piibench.systems.encoder import Encoder
from piibench.systems.encoder.session import load_model
from piibench.systems.encoder.spelling import spell


@pytest.mark.parametrize(
    ("text", "spelt"),
    [
        ("Anna Smith✅ lives", "Anna Smith  lives"),
        ("\x1b[1;31mAnna\x1b[0m Smith\x1bM \x1b[", "       Anna     Smith    ["),
        ("❤️Anna👍🏽", "  Anna  "),
        ("Anna 😊 lives", "Anna \ufffc lives"),
        ("1️⃣Tom", "1  Tom"),
        ("🇬🇧Leeds", "  Leeds"),
        ("③ Anna, Ⓐ", "\ufffc Anna, \ufffc"),
        ("Anna\fTom\x85Eve\x00Bo\u200bAl\ufffdJo\ud83d", "Anna Tom Eve Bo Al Jo "),
        ("Ａｎｎａ＠ｘ．ｏｒｇ ０７７", "Anna@x.org 077"),
        ("𝐀𝐧𝐧𝐚 𝟟", "Anna 7"),
        ("٠١٢ १२", "012 12"),
        ("Ƙasim Ɓello", "Kasim Bello"),
        ("₦250, ₪3, £4, €5", "$250, $3, £4, €5"),
        ("38 °C ™ № 7 ★", "38 °C ™ № 7 ★"),
        ("José, Əliyev, 王伟, naïve\tx\r\n", "José, Əliyev, 王伟, naïve\tx\r\n"),
    ],
)
def test_what_the_vocabulary_lacks_is_spelt_with_what_it_has(text: str, spelt: str):
    assert spell(text) == spelt


@given(st.text())
def test_offsets_stay_and_plain_text_is_itself(text: str):
    assert len(spell(text)) == len(text)
    plain = "".join(char for char in text if " " <= char <= "~")
    assert spell(plain) == plain


def test_a_row_of_symbols_is_read_once_however_long():
    many = 300_000  # pair by pair it would take hours
    assert spell("😊" * many) == "\ufffc" * many
    assert spell("😊" * many + "Anna") == " " * many + "Anna"


@pytest.mark.parametrize("char", ["😊", "❤", "₺", "Ɗ", "٣", "Ｑ", "𝓠", "⃣"])
def test_no_such_character_makes_a_word_unknown(char: str):
    tokenizer = load_model(threads=1).tokenizer
    word = f"ann{char}ann"
    assert "[UNK]" in tokenizer.encode(word, add_special_tokens=False).tokens
    assert "[UNK]" not in tokenizer.encode(spell(word), add_special_tokens=False).tokens


@pytest.mark.parametrize("mark", ["✅", "🏠", "❤️", "\f", "\x85", "\u2028", "\v"])
def test_values_that_touch_a_symbol_or_a_page_break_are_masked_and_it_stays(mark: str):
    text = f"Name: Anna Smith{mark}City: Leeds{mark}Job: nurse{mark}Phone: 07700 900123{mark}"
    masked = asyncio.run(protect(Encoder(threads=1), Prompt(description=text, query=""))).description
    assert masked == (
        f"Name: <Full Name>{mark}City: <City/Region>{mark}Job: <Occupation>{mark}Phone: <Phone Number>{mark}"
    )


def test_a_name_in_colours_is_masked_and_the_colours_stay():
    text = "My name is \x1b[8mAmara Okafor\x1b[0m, born in \x1b[1;31mLeeds\x1b[0m, phone \x1b[32m07700 900123\x1b[0m."
    masked = asyncio.run(protect(Encoder(threads=1), Prompt(description=text, query=""))).description
    assert masked == (
        "My name is \x1b[8m<Full Name>\x1b[0m, born in \x1b[1;31m<City/Region>\x1b[0m, phone"
        " \x1b[32m<Phone Number>\x1b[0m."
    )
