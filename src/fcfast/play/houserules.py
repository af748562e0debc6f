"""House rules as data: the rules of a variant, and what a program that plays it adds.

A text says them: a preset's name and what differs from it, such as ``web cells=2 autoplay=off``.
Saved games, records, the command line and the command `rules` all use that form. Imports autoplay,
deals (their range), errors and rules.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from fcfast import rules
from fcfast.autoplay import POLICIES, Policy
from fcfast.deals import LAST_DEAL
from fcfast.errors import InvalidVariant
from fcfast.rules import FREECELL, TakeBack, Variant

Finish = Literal["offer", "ordered", "always"]
Send = Literal["best", "first"]


@dataclass(frozen=True)
class HouseRules:
    """How a game is played.

    variant      the rules of the cards: columns, cells, run limit and so on
    autoplay     which cards go home by themselves after a move (autoplay.py)
    take_back    where the top card of a foundation may come back to
    undo         how many undos a game has, None for as many as one likes
    undo_counts  does an undo count as a move?
    points       +10 for a card home, +5 for a card from a cell to a column, as they happen
    face_down    is only the end card of each column shown?
    finish       when all that is left is going home: "offer" to, "always" do it, or do it once the
                 cells are empty and every column is "ordered" from high to low
    send         where a card goes that is named: "best" tries home, a card to lie on, a cell, an
                 empty column; "first" tries home, the columns from left to right, a cell
    last_deal    the highest number that is dealt; jokes: are -1 and -2 dealt too?
    cheat        may one ask to win or lose at once?
    """

    name: str
    variant: Variant = FREECELL
    autoplay: Policy = "off"
    take_back: TakeBack = "none"
    undo: int | None = None
    undo_counts: bool = False
    points: bool = False
    face_down: bool = False
    finish: Finish = "offer"
    send: Send = "best"
    last_deal: int = LAST_DEAL
    jokes: bool = True
    cheat: bool = False

    def replace(self, **changes: Any) -> HouseRules:
        """A copy with some options changed; those of the variant, such as cells, count as options.

        A new variant keeps this run limit where that is a house rule. Values may be texts, as in
        OPTIONS. Raises InvalidVariant.
        """
        for option, value in changes.items():
            if option not in OPTIONS:
                raise InvalidVariant(f"no option {option!r}; there are {', '.join(OPTIONS)}")
            if isinstance(value, str):
                changes[option] = OPTIONS[option].read(value)
        variant = changes.pop("variant", self.variant)
        if variant is not self.variant and self.variant.run_limit != FREECELL.run_limit:
            variant = variant.replace(run_limit=self.variant.run_limit)
        of_variant = {field: changes.pop(field) for field in _OF_VARIANT if field in changes}
        if of_variant:
            variant = variant.replace(**of_variant)
        return dataclasses.replace(self, variant=variant, **changes)

    def __str__(self) -> str:
        """The preset's name and what differs from it; parse() reads it back."""
        return " ".join([self.name, *(f"{key}={text}" for key, text in self.differences())])

    def text(self, option: str) -> str:
        """The value of an option as text."""
        holder = self.variant if option in _OF_VARIANT else self
        return OPTIONS[option].write(getattr(holder, option))

    def differences(self) -> list[tuple[str, str]]:
        """The options that are not as in the preset of this name, with their values as text."""
        base = PRESETS[self.name]
        found = []
        variant = base.variant
        if self.variant.name != variant.name:
            found.append(("variant", self.variant.name))
            variant = base.replace(variant=rules.preset(self.variant.name)).variant
        for field in _OF_VARIANT:
            if getattr(self.variant, field) != getattr(variant, field):
                found.append((field, self.text(field)))
        for option in OPTIONS:
            if option in ("variant", *_OF_VARIANT):
                continue
            if getattr(self, option) != getattr(base, option):
                found.append((option, self.text(option)))
        return found

    @classmethod
    def parse(cls, text: str, base: HouseRules | None = None) -> HouseRules:
        """Reads ``web cells=2``; without a preset's name the options change `base` (web).

        Raises InvalidVariant, naming what there is.
        """
        house = base or PRESETS["web"]
        words = text.split()
        if words and "=" not in words[0]:
            house = preset(words.pop(0))
        changes = {}
        for word in words:
            option, equals, value = word.partition("=")
            if not equals:
                raise InvalidVariant(f"{word[:30]!r} is not an option such as cells=2")
            changes[option.lower().replace("-", "_")] = value
        return house.replace(**changes)


class Option(NamedTuple):
    """How an option's value is read and written, and what it does."""

    read: Callable[[str], Any]
    write: Callable[[Any], str]
    values: str
    summary: str
    example: str


def _choice(values: tuple[str, ...], summary: str, example: str) -> Option:
    def read(text: str) -> str:
        if text.lower() not in values:
            raise InvalidVariant(f"{text[:30]!r} is not one of {', '.join(values)}")
        return text.lower()

    return Option(read, str, "|".join(values), summary, example)


def _switch(summary: str) -> Option:
    def read(text: str) -> bool:
        if text.lower() not in ("on", "off", "yes", "no"):
            raise InvalidVariant(f"{text[:30]!r} is not on or off")
        return text.lower() in ("on", "yes")

    return Option(read, lambda value: "on" if value else "off", "on|off", summary, "on")


def _number(word: str, boundless: int | None, summary: str, example: str) -> Option:
    """A whole number, or where there is a `word` for having no bound, that."""

    def read(text: str) -> int | None:
        if word and text.lower() == word:
            return boundless
        if not (text.isascii() and text.isdigit() and len(text) < 11):
            raise InvalidVariant(f"{text[:30]!r} is not a whole number{word and f' or {word}'}")
        return int(text)

    def write(value: int | None) -> str:
        return word if word and value == boundless else str(value)

    return Option(read, write, f"N|{word}" if word else "N", summary, example)


OPTIONS: dict[str, Option] = {
    "variant": Option(
        rules.preset,
        lambda variant: variant.name,
        "NAME",
        f"the card rules: {', '.join(rules.PRESETS)}",
        "eight_off",
    ),
    "columns": _number("", None, "number of columns, 1 to 13", "7"),
    "cells": _number("", None, "number of free cells, 0 to 10", "2"),
    "build": _choice(("alternate", "suit"), "how columns are built down", "suit"),
    "fill": _choice(("any", "kings", "none"), "what an empty column takes", "kings"),
    "run_limit": _choice(
        ("standard", "linear", "single", "unlimited"),
        "cards in one go, with F free cells and E empty columns: standard (F+1)*2^E, linear F+E+1",
        "linear",
    ),
    "autoplay": _choice(
        POLICIES,
        "what goes home by itself after a move: cards that nothing can lie on (horne) or needs "
        "to (safe), or all",
        "safe",
    ),
    "take_back": _choice(
        get_args(TakeBack), "where a foundation's top card may return to", "cells"
    ),
    "undo": _number("unlimited", None, "undos in a game", "10"),
    "undo_counts": _switch("an undo counts as a move"),
    "points": _switch("+10 for a card home, +5 for a card from a cell to a column"),
    "face_down": _switch("show only the end card of each column"),
    "finish": _choice(
        get_args(Finish),
        "when all that is left is going home: offer to finish, always do, or do once the cells are "
        "empty and the columns ordered",
        "always",
    ),
    "send": _choice(
        get_args(Send), "where a named card goes: the best place, or the first", "first"
    ),
    "last_deal": _number("all", LAST_DEAL, "the highest number that is dealt", "all"),
    "jokes": _switch("the joke deals -1 and -2 are dealt too"),
    "cheat": _switch("the command `cheat` wins or loses at once"),
}

_OF_VARIANT = ("columns", "cells", "build", "fill", "run_limit")

WEB = HouseRules("web", autoplay="horne", last_deal=1_000_000, jokes=False)
LINEAR = HouseRules(
    "linear",
    FREECELL.replace(run_limit="linear"),
    take_back="cells",
    undo_counts=True,
    finish="ordered",
)
TAP = HouseRules("tap", send="first")
APP = HouseRules("app", take_back="columns", undo=100, points=True)
STRICT = HouseRules("strict", FREECELL.replace(run_limit="single"))
WINDOWS = HouseRules("windows", autoplay="horne", last_deal=1_000_000, cheat=True)

PRESETS: dict[str, HouseRules] = {
    house.name: house for house in (WEB, LINEAR, TAP, APP, STRICT, WINDOWS)
}
SUMMARIES = {
    "web": "cards that nothing can lie on go home by themselves; any undos",
    "linear": "shorter runs; cards come back from home to a cell; undos count",
    "tap": "nothing moves by itself; named cards go to the first place that fits",
    "app": "points; back from home to a column; 100 undos; try cells=1 or cells=2",
    "strict": "single cards; also four_cells to one_cell; try face_down=on",
    "windows": "as Windows dealt it: also -1 and -2, and the cheat",
}
_STRICT_CELLS = {"one_cell": 1, "two_cells": 2, "three_cells": 3, "four_cells": 4}
NAMES = f"{', '.join(PRESETS)}, and, for strict with so many cells, {', '.join(_STRICT_CELLS)}"


def preset(name: str) -> HouseRules:
    """The preset of a name; case and dashes do not matter. Raises InvalidVariant."""
    plain = name.lower().replace("-", "_")
    if plain in _STRICT_CELLS:
        return STRICT.replace(cells=_STRICT_CELLS[plain])
    if plain not in PRESETS:
        raise InvalidVariant(_no_preset(name[:30], plain))
    return PRESETS[plain]


def _no_preset(name: str, plain: str) -> str:
    """Why that is no preset, and what may be meant."""
    if plain in rules.PRESETS:
        flag = f"at the shell --variant {plain}"
        return f"{name!r} is a variant, not house rules: `rules variant={plain}`, {flag}"
    if plain in OPTIONS:
        return f"{name!r} is an option: say {plain}={OPTIONS[plain].values}"
    return f"no house rules {name!r}; there are {NAMES}"
