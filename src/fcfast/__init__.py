"""fcfast: a FreeCell solver. The public names, nothing else."""

from fcfast._version import __version__
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
    InvalidVariant,
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
    "FcfastError",
    "IllegalMove",
    "InvalidBoard",
    "InvalidDeal",
    "InvalidMove",
    "InvalidVariant",
    "Move",
    "Result",
    "Status",
    "Variant",
    "__version__",
    "deal",
    "find_deal",
    "solve",
    "supermove_limit",
    "verify",
]
