"""The command line: argparse only. Each command has a file, reads its input there and calls one
function elsewhere.

A new command is a module here with add(commands), which declares it and ends in
set_defaults(run=...), listed in COMMANDS below. `run` gets the parsed options and returns the exit
code. What only a command needs is imported in its `run`, so that `fcfast --help` stays quick.

Data goes to stdout; progress and messages go to stderr.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fcfast._version import __version__
from fcfast.cli import bench, cells, deal, find, play, prove, range, solve, stats, verify
from fcfast.cli.options import EXIT_CODES, Exit, complain, in_words, new_parser
from fcfast.errors import FcfastError, InvalidBoard

COMMANDS = (deal, solve, prove, cells, range, verify, find, play, stats, bench)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns the exit code."""
    for name, mode in ("stdin", "r"), ("stdout", "w"), ("stderr", "w"):
        if getattr(sys, name) is None:  # closed by who started us
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    parser = build_parser()
    try:
        if not (sys.argv[1:] if arguments is None else arguments):
            parser.print_help(sys.stderr)
            return Exit.USAGE
        options = parser.parse_args(arguments)
        code: int = options.run(options)
        sys.stdout.flush()
    except InvalidBoard as error:
        return complain(*error.faults)
    except BrokenPipeError:  # the reader, such as `head`, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.PIPE
    except OSError as error:
        return complain(in_words(error))
    except (FcfastError, MemoryError) as error:
        return complain(str(error))
    except KeyboardInterrupt:
        complain("interrupted")
        return Exit.INTERRUPTED
    return code


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = new_parser(
        argparse.ArgumentParser,
        prog="fcfast",
        description="Solves FreeCell and its relatives: deals, proofs, checks of solutions.",
        epilog=f"example:\n  fcfast solve 617\n\n{EXIT_CODES}",
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"fcfast {__version__}",
        help="print the version (example: fcfast --version)",
    )
    parser.add_argument(
        "--print-completion",
        action=PrintCompletion,
        choices=("bash", "zsh", "tcsh"),
        help="print a completion script for a shell (example: fcfast --print-completion bash)",
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    assert isinstance(parser, argparse.ArgumentParser)
    return parser


def commands_of(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """The parsers of all commands."""
    return [
        command
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for command in action.choices.values()
    ]


class PrintCompletion(argparse.Action):
    """Prints what shtab makes of the parser, files completed where the help says FILE."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        import shtab

        for parser_of_command in (parser, *commands_of(parser)):
            for action in parser_of_command._actions:
                if "FILE" in (action.metavar or ""):
                    action.complete = shtab.FILE  # type: ignore[attr-defined]
        print(shtab.complete(parser, values))
        parser.exit()
