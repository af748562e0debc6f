"""fcfast prove: wins a deal or proves by exhaustion that it cannot be won; checks certificates."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from fcfast import solutions
from fcfast.cli import options as common
from fcfast.errors import BadCertificate, FcfastError
from fcfast.terminal import Progress, show


def add(commands: Any) -> None:
    parser = common.new_command(
        commands,
        "prove",
        "win a deal or prove that it cannot be won, with a certificate",
        "fcfast prove 11982 --certificate 11982.fcc",
        "fcfast prove --check 11982.fcc",
        "fcfast prove 472883268 --workers 2 --folder proof --memory-limit 4G",
    )
    common.add_source(parser, nargs="?")
    common.add_rules(parser)
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        type=common.new_file,
        help="write what others can check (example: --certificate 11982.fcc)",
    )
    parser.add_argument(
        "--check",
        metavar="FILE",
        type=Path,
        help="only check a certificate, that of N|FILE|- if given (example: --check 11982.fcc)",
    )
    parser.add_argument(
        "--plain",
        action="store_true",
        help="--check in plain Python, about 50 times slower (example: --plain)",
    )
    parser.add_argument(
        "--folder",
        metavar="FOLDER",
        type=common.new_file,
        help="keep there what memory cannot hold, and go on from there after a limit or an "
        "interruption (example: --folder proof)",
    )
    common.add_workers(parser)
    common.add_json(parser)
    common.add_limits(parser)
    common.add_quiet(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if options.check is not None:
        return check(options)
    if options.plain:
        raise FcfastError("--plain is a way to --check a certificate")
    if options.source is None:
        raise FcfastError("name a deal or a board, or --check FILE")
    from fcfast.proving import prove

    board, variant, number = common.read_source(options)
    with Progress(options.quiet) as progress:
        result = prove(
            board,
            variant=variant,
            cells=len(board.cells),
            certificate=options.certificate,
            folder=options.folder,
            workers=options.workers,
            **common.limits_of(options),
            progress=lambda proving: progress(str(proving)),
        )
    if options.json:
        print(solutions.write_json(result, number, "standard"))
    else:
        show(solutions.write_text(result, number, "standard"))
    return common.exit_code(result)


def check(options: argparse.Namespace) -> int:
    """Checks a certificate; a wrong one is like a wrong solution."""
    from fcfast import certificate

    board, variant = None, None
    if options.source is not None:
        board, variant, _ = common.read_source(options)
    try:
        found = certificate.check(options.check, board, variant, plain=options.plain)
    except BadCertificate as error:
        fault = {"right": False, "fault": str(error)}
        show(json.dumps(fault) if options.json else f"Wrong: {error}")
        return common.Exit.IMPOSSIBLE
    if options.json:
        print(json.dumps({"right": True, "status": found.status.name.lower()}))
    else:
        verdict = "can be won" if found.moves else "cannot be won"
        show(f"Right: this board {verdict}\nVariant: {solutions.describe(found.variant)}\n")
        show(found.board.to_text().rstrip("\n"))
    return common.Exit.DONE
