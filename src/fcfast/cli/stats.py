"""fcfast stats: what was played, won, and how well."""

from __future__ import annotations

import argparse
import json
from typing import Any

from fcfast.cli import options as common
from fcfast.cli.play import add_records, chosen_records
from fcfast.errors import FcfastError


def add(commands: Any) -> None:
    parser = common.new_command(
        commands,
        "stats",
        "show your games: wins, streaks, best times and fewest moves",
        "fcfast stats",
        "fcfast stats --json",
    )
    common.add_json(parser)
    add_records(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from fcfast.play.records import stats_text

    records = chosen_records(options)
    if records is None:
        raise FcfastError("stats needs records")
    print(json.dumps(records.stats()) if options.json else stats_text(records))
    return common.Exit.DONE
