"""fcfast cells: the fewest free cells with which a deal can be won."""

from __future__ import annotations

import argparse
import json
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
    common.add_source(parser)
    common.add_rules(parser, cells=False)
    common.add_workers(parser)
    common.add_json(parser)
    common.add_limits(parser, "limits, for each number of cells")
    common.add_quiet(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from fcfast.proving import fewest_cells

    board, variant, number = common.read_source(options)
    with Progress(options.quiet) as progress:
        fewest = fewest_cells(
            board,
            variant=variant,
            workers=options.workers,
            **common.limits_of(options),
            progress=lambda proving: progress(str(proving)),
        )
    if fewest is None:
        unknown = json.dumps({"deal": number, "cells": None})
        show(unknown if options.json else "Fewest cells: not known, a limit was reached first")
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
