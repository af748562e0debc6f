"""fcfast: a FreeCell solver. The public names, nothing else."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from fcfast._version import __version__
from fcfast.batch import Columns, Summary, solve_many, solve_range
from fcfast.board import Board
from fcfast.deals import deal, find_deal
from fcfast.errors import (
    AutoplayConflict,
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
    from fcfast.play.game import Game
    from fcfast.play.houserules import HouseRules

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
    "AutoplayConflict",
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
    "deal",
    "find_deal",
    "solve",
    "solve_many",
    "solve_range",
    "supermove_limit",
    "verify",
]


def __getattr__(name: str) -> type:
    """The game to play, imported when first asked for: most who solve never do."""
    if name == "Game":
        from fcfast.play.game import Game

        return Game
    if name == "HouseRules":
        from fcfast.play.houserules import HouseRules

        return HouseRules
    raise AttributeError(f"module 'fcfast' has no attribute {name!r}")
