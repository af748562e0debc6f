"""Deals chosen for the player: random ones that can be won, and the deal of the day.

Imports, of play, game, guide and houserules.
"""

from __future__ import annotations

import datetime
import hashlib
import random
import time

from fcfast.play.game import Game
from fcfast.play.guide import Guide
from fcfast.play.houserules import HouseRules

SECONDS = 2.0  # in all; the impossible deals of the first million are proved so in 0.2


def random_game(house: HouseRules, limit: int) -> Game:
    """A random deal 1 .. `limit` that is not soon proved impossible under these rules."""
    limit = min(limit, house.last_deal)
    due = time.monotonic() + SECONDS
    while True:
        game = Game(random.randint(1, limit), house)
        left = due - time.monotonic()
        if left < 0 or not Guide().advise(game, left).verdict.startswith("lost"):
            return game


def daily_number(day: datetime.date | None = None) -> int:
    """The number, 1 .. 32000, of a day's deal (of today in UTC if not given).

    11982, the one of them that cannot be won, is never drawn.
    """
    day = day or datetime.datetime.now(datetime.timezone.utc).date()
    drawn = int.from_bytes(hashlib.sha256(day.isoformat().encode()).digest()[:8], "big") % 31999
    return drawn + 1 + (drawn >= 11981)
