"""One conversation's table of values and placeholders."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.errors import InputError, VaultError
from piibench.masking.placeholders import HIGHEST_NUMBER, LABELS
from piibench.masking.restore import restore
from piibench.masking.vault import Vault


def test_the_same_value_keeps_its_number_and_others_never_share_it():
    vault = Vault()
    first = [vault.assign("Phone Number", value, "numbered") for value in ("555-1", "555-2", "555-1")]
    assert first == ["<Phone Number 1>", "<Phone Number 2>", "<Phone Number 1>"]
    assert vault.assign("Phone Number", "555-3", "numbered") == "<Phone Number 3>"
    assert vault.assign("Age", "555-1", "numbered") == "<Age 1>"


@given(st.lists(st.tuples(st.sampled_from(LABELS[:3]), st.text(max_size=3))))
def test_placeholders_and_values_are_one_to_one(pairs: list[tuple[str, str]]):
    vault = Vault()
    given_out = {pair: vault.assign(*pair, "numbered") for pair in pairs}
    assert len(set(given_out.values())) == len(given_out)
    assert {pair: vault.assign(*pair, "numbered") for pair in pairs} == given_out
    assert all(restore(placeholder, vault) == value for (_, value), placeholder in given_out.items())


@pytest.mark.parametrize("look_alike", ["<Age 1>", "[age_1]", "Age 1", "&lt;AGE 1&gt;", "{Age01}"])
def test_a_number_in_the_input_is_never_given_to_a_value(look_alike: str):
    vault = Vault()
    vault.reserve(f"I am {look_alike}.")
    assert vault.assign("Age", "34", "numbered") == "<Age 2>"
    assert restore(look_alike, vault) == look_alike


@pytest.mark.parametrize("look_alike", ["<Age 1>", "[age_1]", "Age 1"])
def test_a_number_seen_after_it_was_given_restores_only_exactly(look_alike: str):
    vault = Vault()
    vault.assign("Age", "34", "numbered")
    assert restore("[age 1]", vault) == "34"
    vault.reserve(look_alike)
    assert restore("<Age 1> [age 1] Age 1", vault) == "34 [age 1] Age 1"


def test_a_tag_restores_while_it_stands_for_one_value_that_the_input_did_not_spell():
    vault = Vault()
    assert vault.assign("Age", "34") == "<Age>"
    assert vault.assign("Age", "34") == "<Age>"
    assert restore("<Age> [AGE]", vault) == "34 34"
    vault.reserve("[Age]")
    assert restore("<Age> [AGE]", vault) == "34 [AGE]"
    vault.reserve("<Age>")
    assert restore("<Age>", vault) == "<Age>"


def test_a_tag_for_two_values_is_left():
    vault = Vault()
    vault.assign("Age", "34")
    vault.assign("Age", "35")
    assert restore("<Age>", vault) == "<Age>"


def test_two_vaults_never_mix():
    mine, yours = Vault(), Vault()
    mine.assign("Age", "34", "numbered")
    yours.assign("Age", "61", "numbered")
    assert (restore("<Age 1>", mine), restore("<Age 1>", yours)) == ("34", "61")
    assert restore("<Age 1>", Vault()) == "<Age 1>"


def test_a_label_with_all_numbers_used_up_is_refused_without_a_value():
    vault = Vault()
    for number in range(HIGHEST_NUMBER):
        vault.assign("Age", f"secret {number}", "numbered")
    with pytest.raises(InputError, match="at most 9999 values of Age") as caught:
        vault.assign("Age", "one secret too many", "numbered")
    assert "secret" not in str(caught.value)
    assert vault.assign("Age", "secret 7", "numbered") == "<Age 8>"


def test_repr_shows_no_value():
    vault = Vault()
    vault.assign("Full Name", "Zoe Quill")
    assert repr(vault) == "Vault(1 values, 0 reserved)"


values = st.text(st.characters(codec=None), max_size=5) | st.just("\ud800\0\u202e<Age 1>")


@given(
    st.lists(st.tuples(st.sampled_from(LABELS), values, st.sampled_from(["tag", "numbered"]))),
    st.lists(st.sampled_from(["<Age 1>", "[Age]", "Age 7", "<Date>"])),
)
def test_a_loaded_vault_goes_on_where_the_saved_one_stood(tmp_path_factory, pairs, inputs):
    path = tmp_path_factory.getbasetemp() / "vault.json"
    vault = Vault()
    for text in inputs:
        vault.reserve(text)
    for pair in pairs:
        vault.assign(*pair)
    vault.save(path)
    again = Vault.load(path)
    assert again._to_data() == vault._to_data()
    for book in (vault, again):
        book.assign("Age", "new here", "numbered")
    assert again._to_data() == vault._to_data()


@pytest.mark.parametrize(
    "table",
    [
        '"numbered": [["Age", 1, "Zoe"], ["Age", 1, "Quill"]], "tags": [], "reserved": []',
        '"numbered": [["Age", 1, "Zoe"], ["Age", 2, "Zoe"]], "tags": [], "reserved": []',
        '"numbered": [["Zoe", 1, "Zoe"]], "tags": [], "reserved": []',
        '"numbered": [["Age", 0, "Zoe"]], "tags": [], "reserved": []',
        '"numbered": [["Age", true, "Zoe"]], "tags": [], "reserved": []',
        '"numbered": [["Age", 10000, "Zoe"]], "tags": [], "reserved": []',
        '"numbered": [["Age", 1, 3]], "tags": [], "reserved": []',
        '"numbered": [["Age", 1]], "tags": [], "reserved": []',
        '"numbered": {"Zoe": 1}, "tags": [], "reserved": []',
        '"numbered": 3, "tags": [], "reserved": []',
        '"numbered": [], "tags": [["Zoe", "Zoe"]], "reserved": []',
        '"numbered": [], "tags": [["Age", null]], "reserved": []',
        '"numbered": [], "tags": [], "reserved": [["Age", "Zoe", true]]',
        '"numbered": [], "tags": []',
    ],
)
def test_a_damaged_table_is_refused_in_one_line_without_a_value(tmp_path, table: str):
    path = tmp_path / "vault.json"
    path.write_text(f'{{"format": "piibench-vault", "version": 1, {table}}}')
    with pytest.raises(VaultError, match="is damaged") as caught:
        Vault.load(path)
    assert "\n" not in str(caught.value)
    assert "Zoe" not in str(caught.value)
