"""fcfast cells: the fewest free cells with which a deal can be won."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

from fcfast import solutions
from fcfast.cli import options as common
from fcfast.terminal import Progress, show


def add(commands: Any) -> None:
    parser = common.new_command(
        commands,
        "cells",
        "find the fewest free cells with which a deal can be won, and prove it",
        "fcfast cells 617",
        "fcfast cells 11982 --json",
    )
    parser.add_argument(
        "source", metavar="N|FILE|-", help="a deal's number, a file with a board, or - for stdin"
    )
    common.add_rules(parser)
    common.add_workers(parser)
    common.add_json(parser)
    common.add_limits(parser)
    common.add_quiet(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from fcfast.proving import fewest_cells

    board, variant, number = common.read_source(options)
    with Progress(options.quiet) as progress:
        fewest = fewest_cells(
            board,
            variant=variant,
            workers=options.workers or os.cpu_count() or 1,
            node_limit=options.node_limit,
            time_limit=options.time_limit,
            memory_limit=options.memory_limit,
            progress=lambda proving: progress(str(proving)),
        )
    if fewest is None:
        show(json.dumps({"deal": number, "cells": None}) if options.json else "Not known: a limit")
        return common.Exit.LIMIT
    if options.json:
        proofs = [fewest.solution] if fewest.proof is None else [fewest.solution, fewest.proof]
        written = [json.loads(solutions.write_json(each, number, "standard")) for each in proofs]
        print(json.dumps({"deal": number, "cells": int(fewest), "proofs": written}))
        return common.Exit.DONE
    show(solutions.write_text(fewest.solution, number, "standard"))
    if fewest.proof is None:
        print(f"\nFewest cells: {fewest}")
    else:
        nodes = fewest.proof.stats.nodes
        print(f"\nFewest cells: {fewest}; impossible with {fewest - 1} ({nodes:,} positions)")
    return common.Exit.DONE
