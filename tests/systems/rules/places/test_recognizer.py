from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import resolve
from piibench.systems.rules.lexicon import load_lexicons
from piibench.systems.rules.passage import read_passage
from piibench.systems.rules.places.recognizer import find_places

ADDRESS, CITY, LANDMARK = Category.STREET_ADDRESS, Category.CITY_REGION, Category.LANDMARK


def places(text: str) -> list[tuple[str, Category]]:
    return [(c.span.of(text), c.category) for c in resolve(find_places(read_passage(text, load_lexicons())))]


@pytest.mark.parametrize(
    "address",
    [
        "3rd Floor, No. 18, Pitt Street, Sydney",
        "2nd Floor, No. 7, Renmin East Road, Furong District, Changsha",
        "6750 Koskikatu 25 Apt. 864\nArtilleros\n, CO\n Uruguay 64677",
        "12 rue de la Paix, 75002 Paris, France",
        "Hauptstraße 5, 10115 Berlin",
        "Unter den Linden 77, 10117 Berlin",
        "Keizersgracht 123, 1015 CJ Amsterdam",
        "Flat 3B, 14 Elm Rd, Leeds LS1 4AB",
        "P.O. Box 123, Springfield, IL 62704",
        "Calle Mayor 10, 2º izq., 28013 Madrid",
        "Via Roma 1",
        "H.No 4-2-118, MG Road, Hyderabad 500001",
        "Plot No. 12, Sector 62, Noida 201301",
        "3-14-5 Shinjuku, Tokyo",
        "742 Evergreen Terrace, Springfield, OR 97475, USA",
        "1600 Pennsylvania Ave NW, Washington, DC 20500",
        "45 Queen's Road East, Wan Chai, Hong Kong",
        "120 Collins Street, Melbourne VIC 3000, Australia",
        "123 main st, apt 4, Boston MA 02110",
        "221B Baker Street",
        "PSC 123, Box 456\nAPO AE 09012",
        "ул. Ленина, д. 5, кв. 10, Москва",
        "北京市朝阳区建国路88号",
        "서울특별시 강남구 테헤란로 123",
    ],
)
@pytest.mark.parametrize(
    ("before", "behind"), [("", ""), ("My address is ", "."), ("Ship to: ", "\nPhone: 1")]
)
def test_an_address_is_one_span(before: str, address: str, behind: str) -> None:
    assert places(f"{before}{address}{behind}") == [(address, ADDRESS)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Seattle.", ["Seattle"]),
        ("She works in the United Kingdom now.", ["United Kingdom"]),
        ("He moved to Portland, Oregon.", ["Portland, Oregon"]),
        ("He is from Jackson, MS.", ["Jackson, MS"]),
        ("We flew from Nice to Hyderabad, India.", ["Nice", "Hyderabad, India"]),
        ("I read in Reading.", ["Reading"]),
        ("They moved to Lower Wick.", ["Lower Wick"]),
        ("Grew up in Brzezinka, he said.", ["Brzezinka"]),
        ("It lies in Leishan County.", ["Leishan County"]),
        ("Живу в городе Москва.", ["Москва"]),
    ],
)
def test_towns_and_regions(text: str, expected: list[str]) -> None:
    assert places(text) == [(value, CITY) for value in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We saw the Eiffel Tower.", ["Eiffel Tower"]),
        ("Visits to Durga Fort help.", ["Durga Fort"]),
        ("They climbed Mount Fuji.", ["Mount Fuji"]),
        ("A walk along River Thames.", ["River Thames"]),
        ("At Hyde Park and near Dounan Flower Market.", ["Hyde Park", "Dounan Flower Market"]),
    ],
)
def test_landmarks(text: str, expected: list[str]) -> None:
    assert places(text) == [(value, LANDMARK) for value in expected]


def test_a_landmark_and_its_town_are_two() -> None:
    assert places("a walk on Signal Hill in Cape Town.") == [
        ("Signal Hill", LANDMARK),
        ("Cape Town", CITY),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Reading is fun, and so is Mobile gaming.",
        "Mobile: 555 and Orange juice.",
        "He was born in May.",
        "A nice police station near a car park. Business Park. Police Station.",
        "Of course. Same here. Most of it.",
        "He has 3 Dogs and 2 Cats.",
        "In 2019 John Smith came with 12 people.",
        "A 30 minutes drive; 5 miles road.",
        "German and French are spoken.",
        "Write to leeds@example.com or @london.",
        "The labour market and the stock market fell.",
    ],
)
def test_what_is_no_place(text: str) -> None:
    assert places(text) == []


@given(st.text(max_size=300))
@settings(max_examples=150)
def test_any_text_gives_valid_spans(text: str) -> None:
    for candidate in find_places(read_passage(text, load_lexicons())):
        assert 0 <= candidate.span.start < candidate.span.end <= len(text)
        assert 0 < candidate.score <= 1
        assert candidate.category in {ADDRESS, CITY, LANDMARK}


@given(
    st.lists(
        st.sampled_from(
            [
                "12",
                "Elm",
                "Street",
                ",",
                "\n",
                "Leeds",
                "LS1",
                "4AB",
                "No.",
                "Flat",
                "3B",
                "rue",
                "de",
                "Paris",
                "Berlin",
                "10115",
                "PO",
                "Box",
                "ul.",
                "路",
                "号",
                "区",
                "District",
            ]
        )
    )
)
@settings(max_examples=150)
def test_any_mix_of_parts_gives_trimmed_spans(pieces: list[str]) -> None:
    text = " ".join(pieces)
    for candidate in find_places(read_passage(text, load_lexicons())):
        value = candidate.span.of(text)
        assert value == value.strip(" ,;\n")


@pytest.mark.parametrize(
    "piece",
    [
        "Aa ",
        "A-",
        "1 A ",
        "No. 1, ",
        "12 Elm Street, Leeds\n",
        "Via ",
        "12-",
        "路",
        "Van der ",
        "in A ",
        "\n",
        " ",
    ],
)
def test_time_is_linear(piece: str) -> None:
    def seconds(length: int) -> float:
        passage = read_passage(piece * (length // len(piece)), load_lexicons())
        best = 9e9
        for _ in range(2):
            start = time.process_time()
            find_places(passage)
            best = min(best, time.process_time() - start)
        return best

    # Eight times the text may take eight times as long; quadratic time would be sixty-four times.
    assert seconds(80_000) < 30 * max(seconds(10_000), 0.002)


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("12 Oak Road\nDayton, OH 45402\n555-0123", ["12 Oak Road\nDayton, OH 45402"]),
        (
            "1200 Oak Road, Dayton, OH 45402; 1450 Elm Street, Akron, OH 44301",
            ["1200 Oak Road, Dayton, OH 45402", "1450 Elm Street, Akron, OH 44301"],
        ),
    ],
)
def test_an_address_has_one_postcode(text, addresses):
    assert [value for value, category in places(text) if category is ADDRESS] == addresses
