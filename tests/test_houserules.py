"""House rules as text and data: presets, options, round trips, refusals; and deal codes."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcfast import rules
from fcfast.deals import LAST_DEAL
from fcfast.errors import InvalidDeal, InvalidVariant
from fcfast.play.codes import is_code, read_code, write_code
from fcfast.play.houserules import OPTIONS, PRESETS, SUMMARIES, HouseRules, preset

SAMPLES = {
    "variant": ["eight_off", "bakers_game"],
    "columns": ["7", "13"],
    "cells": ["0", "1", "10"],
    "build": ["suit"],
    "fill": ["kings", "none"],
    "run_limit": ["linear", "single", "unlimited"],
    "autoplay": ["off", "horne", "safe", "all"],
    "take_back": ["cells", "columns", "anywhere"],
    "undo": ["0", "10", "unlimited"],
    "undo_counts": ["on", "off"],
    "points": ["on", "off"],
    "face_down": ["on"],
    "finish": ["always", "ordered"],
    "send": ["first", "best"],
    "last_deal": ["32000", "all"],
    "jokes": ["on", "off"],
    "cheat": ["on", "off"],
}


def test_the_samples_cover_every_option():
    assert set(SAMPLES) == set(OPTIONS)
    fields = {field.name for field in dataclasses.fields(HouseRules)} - {"name"}
    assert fields <= set(OPTIONS)
    assert set(SUMMARIES) == set(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("option", OPTIONS)
def test_each_option_alone_changes_that_one_and_reads_back(name, option):
    for value in SAMPLES[option]:
        house = HouseRules.parse(f"{name} {option}={value}")
        assert HouseRules.parse(str(house)) == house
        changed = {key for key, _ in house.differences()}
        assert changed <= {option}
        assert house == PRESETS[name] or changed == {option}


@given(st.sampled_from(sorted(PRESETS)), st.data())
def test_options_together_read_back(name, data):
    chosen = data.draw(st.sets(st.sampled_from(sorted(OPTIONS))))
    words = [f"{option}={data.draw(st.sampled_from(SAMPLES[option]))}" for option in chosen]
    try:
        house = HouseRules.parse(" ".join([name, *words]))
    except InvalidVariant as error:
        assert "dealt to" in str(error)  # Eight Off with fewer than four cells
        return
    assert HouseRules.parse(str(house)) == house


def test_the_presets_are_those_of_the_reference_games():
    limits = {name: house.variant.run_limit for name, house in PRESETS.items()}
    assert limits == {
        "web": "standard",
        "linear": "linear",
        "tap": "standard",
        "app": "standard",
        "strict": "single",
        "windows": "standard",
    }
    assert {name: house.autoplay for name, house in PRESETS.items()} == {
        "web": "horne",
        "linear": "off",
        "tap": "off",
        "app": "off",
        "strict": "off",
        "windows": "horne",
    }
    assert {name for name, house in PRESETS.items() if house.cheat} == {"windows"}
    assert {name for name, house in PRESETS.items() if house.points} == {"app"}
    assert {name: house.undo for name, house in PRESETS.items() if house.undo} == {"app": 100}
    assert PRESETS["linear"].take_back == "cells"
    assert PRESETS["app"].take_back == "columns"


def test_strict_by_its_number_of_cells():
    assert preset("two-cells") == PRESETS["strict"].replace(cells=2)
    assert str(preset("One_Cell")) == "strict cells=1"


def test_a_new_variant_keeps_a_run_limit_that_is_a_house_rule():
    assert HouseRules.parse("linear variant=eight_off").variant == rules.EIGHT_OFF.replace(
        run_limit="linear"
    )
    relaxed = HouseRules.parse("web variant=relaxed_freecell")
    assert relaxed.variant == rules.RELAXED_FREECELL


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("wob", "there are web, linear, tap, app, strict, windows"),
        ("web cells", "not an option such as cells=2"),
        ("web cell=2", "no option 'cell'; there are variant"),
        ("web cells=11", "cells must be a whole number 0..10"),
        ("web cells=-1", "not a whole number"),
        ("web autoplay=yes", "not one of off, horne, safe, all"),
        ("web points=maybe", "not on or off"),
        ("web undo=many", "not a whole number or unlimited"),
        ("web variant=chess", "no variant 'chess'; there are freecell"),
        ("web variant=eight_off cells=2", "4 cards cannot be dealt to 2 cells"),
    ],
)
def test_refusals_name_what_there_is(text, says):
    with pytest.raises(InvalidVariant, match=says.replace("(", r"\(")):
        HouseRules.parse(text)


# Deal codes


def test_the_code_of_the_reference_game():
    assert read_code("FC1-C4-AAAAAKH") == (327, 4)
    assert write_code(327, 4) == "FC1-C4-AAAAAKH"


@given(st.integers(1, LAST_DEAL), st.integers(0, 10))
def test_codes_read_back(number, cells):
    code = write_code(number, cells)
    assert is_code(code)
    assert read_code(f" {code.lower()}\n") == (number, cells)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("FC1-C4-AAAAAK", "not a deal code"),
        ("FC1-C4-AAAAAK1", "not a deal code"),
        ("FC2-C4-AAAAAKH", "only version 1"),
        ("FC1-C11-AAAAAKH", "0 to 10"),
        ("FC1-C4-AAAAAAA", "is deal 0"),
        ("FC1-C4-7777777", "is deal 34359738367"),
    ],
)
def test_wrong_codes(text, says):
    with pytest.raises(InvalidDeal, match=says):
        read_code(text)


@pytest.mark.parametrize("number", [0, -1, -2, LAST_DEAL + 1])
def test_deals_without_a_code(number):
    with pytest.raises(InvalidDeal):
        write_code(number, 4)
