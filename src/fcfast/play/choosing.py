"""Deals chosen for the player: random ones that can be won, and the deal of the day.

Imports, of play, game, guide and houserules.
"""

from __future__ import annotations

import datetime
import hashlib
import random

from fcfast.play.game import Game
from fcfast.play.guide import Guide
from fcfast.play.houserules import HouseRules

SECONDS = 2.0  # the impossible deals of the first million are proved so in 0.2


def random_game(house: HouseRules, limit: int) -> Game:
    """A random deal 1 .. `limit` that is not soon proved impossible under these rules."""
    limit = min(limit, house.last_deal)
    for _ in range(100):
        game = Game(random.randint(1, limit), house)
        if Guide().advise(game, SECONDS).verdict not in ("lost", "lost but for cards back"):
            break
    return game


def daily_number(day: datetime.date | None = None) -> int:
    """The number, 1 .. 32000, of a day's deal (of today in UTC if not given).

    11982, the one of them that cannot be won, is never drawn.
    """
    day = day or datetime.datetime.now(datetime.timezone.utc).date()
    drawn = int.from_bytes(hashlib.sha256(day.isoformat().encode()).digest()[:8], "big") % 31999
    return drawn + 1 + (drawn >= 11981)
