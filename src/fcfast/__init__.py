"""fcfast: a FreeCell solver. The public names, nothing else."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from fcfast._version import __version__
from fcfast.board import Board
from fcfast.deals import deal, find_deal
from fcfast.errors import (
    AutoplayConflict,
    BadCertificate,
    BadSolution,
    FcfastError,
    IllegalMove,
    InvalidBoard,
    InvalidDeal,
    InvalidMove,
    InvalidSave,
    InvalidVariant,
    InvalidWeights,
)
from fcfast.moves import Move
from fcfast.result import Result, Status
from fcfast.rules import (
    BAKERS_GAME,
    EIGHT_OFF,
    FORECELL,
    FORECELL_SAME_SUIT,
    FREECELL,
    KINGS_ONLY_BAKERS_GAME,
    PENGUIN,
    RELAXED_FREECELL,
    SEAHAVEN_TOWERS,
    Variant,
    supermove_limit,
)
from fcfast.solve import solve
from fcfast.verify import verify

if _TYPE_CHECKING:
    from fcfast.batch import Columns, Summary, solve_many, solve_range
    from fcfast.certificate import check as check_certificate
    from fcfast.play.game import Game
    from fcfast.play.houserules import HouseRules
    from fcfast.proving import fewest_cells, prove
    from fcfast.shortest import AllShortest, all_shortest

__all__ = [
    "BAKERS_GAME",
    "EIGHT_OFF",
    "FORECELL",
    "FORECELL_SAME_SUIT",
    "FREECELL",
    "KINGS_ONLY_BAKERS_GAME",
    "PENGUIN",
    "RELAXED_FREECELL",
    "SEAHAVEN_TOWERS",
    "AllShortest",
    "AutoplayConflict",
    "BadCertificate",
    "BadSolution",
    "Board",
    "Columns",
    "FcfastError",
    "Game",
    "HouseRules",
    "IllegalMove",
    "InvalidBoard",
    "InvalidDeal",
    "InvalidMove",
    "InvalidSave",
    "InvalidVariant",
    "InvalidWeights",
    "Move",
    "Result",
    "Status",
    "Summary",
    "Variant",
    "__version__",
    "all_shortest",
    "check_certificate",
    "deal",
    "fewest_cells",
    "find_deal",
    "prove",
    "solve",
    "solve_many",
    "solve_range",
    "supermove_limit",
    "verify",
]


# What most who solve never ask for, imported when first asked for: it would add 25 ms to the 40
# that `import fcfast` takes.
_LATER = {
    "AllShortest": ("fcfast.shortest", "AllShortest"),
    "Columns": ("fcfast.batch", "Columns"),
    "Game": ("fcfast.play.game", "Game"),
    "HouseRules": ("fcfast.play.houserules", "HouseRules"),
    "Summary": ("fcfast.batch", "Summary"),
    "all_shortest": ("fcfast.shortest", "all_shortest"),
    "check_certificate": ("fcfast.certificate", "check"),
    "fewest_cells": ("fcfast.proving", "fewest_cells"),
    "prove": ("fcfast.proving", "prove"),
    "solve_many": ("fcfast.batch", "solve_many"),
    "solve_range": ("fcfast.batch", "solve_range"),
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module 'fcfast' has no attribute {name!r}")
    from importlib import import_module

    module, its_name = _LATER[name]
    return getattr(import_module(module), its_name)
