"""A chunk: one file with the rows of first..last, which is whole or not there at all.

Imports columns, summary, work and the engine. Parquet where pyarrow is, CSV without. A file carries
what it was made with, its summary and a digest of its rows, and is checked against all three when
read.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import uuid
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, get_args

from fcfast.batch.columns import CODED, TYPES, Columns
from fcfast.batch.summary import Summary
from fcfast.batch.work import Work
from fcfast.errors import FcfastError, shown
from fcfast.native import engine

Format = Literal["parquet", "csv"]
FORMATS: tuple[Format, ...] = get_args(Format)
NAME = re.compile(r"(\d{10})-(\d{10})\.(parquet|csv)")
NO_PYARROW = "parquet needs pyarrow: pip install 'fcfast[batch]'"
_KEY = b"fcfast"


class DamagedChunk(FcfastError):
    """A file that is not what was once written."""


@dataclass(frozen=True)
class Kind:
    """What the chunks of one folder have in common."""

    work: Work
    only_unsolved: bool
    format: Format

    def settings(self) -> dict[str, Any]:
        """As JSON gives it back, where the files have it; a limit may be a number of NumPy's."""
        shown = {**self.work.settings(), "only": "unsolved" if self.only_unsolved else "all"}
        text = json.dumps({**shown, "format": self.format}, default=float)
        found: dict[str, Any] = json.loads(text)
        return found


@dataclass
class Chunk:
    """What a file says of itself: the settings it was made with and the summary of its deals."""

    path: Path
    first: int
    last: int
    settings: dict[str, Any]
    summary: Summary


def chosen_format(format: str | None) -> Format:
    """The format asked for, or the best there is. Raises FcfastError."""
    if format is None:
        return "parquet" if find_spec("pyarrow") else "csv"
    if format == "parquet" and not find_spec("pyarrow"):
        raise FcfastError(NO_PYARROW)
    for known in FORMATS:
        if format == known:
            return known
    raise FcfastError(f"format must be one of {', '.join(FORMATS)}, not {shown(format)}")


def chunk_name(first: int, last: int, format: Format) -> str:
    """The same for the same deals, whoever solves them."""
    return f"{first:010}-{last:010}.{format}"


def write_chunk(
    folder: Path, kind: Kind, first: int, last: int, rows: Columns, summary: Summary
) -> None:
    """Writes the file of first..last, whose rows are those that `kind` keeps.

    Raises OSError, leaving nothing behind.
    """
    about = json.dumps(
        {
            "first": first,
            "last": last,
            "settings": kind.settings(),
            "summary": summary.to_dict(),
            "digest": rows.digest(),
        }
    )
    content = _FORMATS[kind.format][0](rows, about)
    _write_whole(folder / chunk_name(first, last, kind.format), content)


def _write_whole(path: Path, content: bytes) -> None:
    """Under another name first, and onto the disk before it gets its own."""
    draft = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        with draft.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
    if os.name == "posix":  # the new name is on the disk when the folder is
        opened = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def read_chunk(path: Path) -> tuple[Chunk, Columns]:
    """A file and its rows. Raises OSError where it cannot be read, DamagedChunk where it is not
    what was written, FcfastError without pyarrow."""
    content = path.read_bytes()
    named = NAME.fullmatch(path.name)
    if named is None:
        raise DamagedChunk(f"{path} is not a chunk")
    try:
        text, rows = _FORMATS[named[3]][1](content)
        about = json.loads(text)
        chunk = Chunk(
            path,
            about["first"],
            about["last"],
            about["settings"],
            Summary.from_dict(about["summary"]),
        )
        only_unsolved = chunk.settings["only"] == "unsolved"
        as_written = rows.digest() == about["digest"]
    except ImportError:
        raise FcfastError(f"{path}: {NO_PYARROW}") from None
    except Exception as error:  # pyarrow raises OSError, ArrowInvalid and more for wrong bytes
        raise DamagedChunk(f"{path} is damaged: {' '.join(str(error).split())}") from None
    if not as_written:
        raise DamagedChunk(f"{path} is damaged: its rows are not those that were written")
    if (
        (chunk.first, chunk.last) != (int(named[1]), int(named[2]))
        or chunk.summary.deals != chunk.last - chunk.first + 1
        or not chunk.summary.fits(rows, only_unsolved)
    ):
        raise DamagedChunk(f"{path} is damaged: its summary does not fit its rows")
    return chunk, rows


def _to_parquet(rows: Columns, about: str) -> bytes:
    pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    table = rows.to_arrow().replace_schema_metadata({_KEY: about})
    sink = pa.BufferOutputStream()
    # Dictionaries of columns without repetition would be built and thrown away again.
    parquet.write_table(
        table,
        sink,
        compression="zstd",
        use_dictionary=["status", "limit", "moves", "singles"],
        column_encoding={"deal": "DELTA_BINARY_PACKED"},
        write_page_checksum=True,
    )
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _from_parquet(content: bytes) -> tuple[str, Columns]:
    pa, compute = import_module("pyarrow"), import_module("pyarrow.compute")
    # read_table() starts a thread, whatever it is told, that can outlive Python: on a busy machine
    # one program in a hundred then ended with "terminate called without an active exception".
    file = import_module("pyarrow.parquet").ParquetFile(
        pa.BufferReader(content), pre_buffer=False, page_checksum_verification=True
    )
    table = file.read(use_threads=False)
    columns: dict[str, Any] = {}
    for name, code in TYPES.items():
        values = table[name].combine_chunks()
        if name in CODED:
            codes = compute.index_in(values.cast(pa.string()), pa.array(CODED[name]))
            values = codes.cast(pa.uint8())
        columns[name] = array(code)
        columns[name].frombytes(_buffer(values, columns[name].itemsize))
    if "steps" in table.column_names:
        values = table["steps"].combine_chunks().cast(pa.large_binary())
        columns["lengths"] = array("I", compute.binary_length(values).to_pylist())
        columns["steps"] = b"".join(values.to_pylist())
    return table.schema.metadata[_KEY].decode(), Columns(**columns)


def _buffer(values: Any, size: int) -> Any:
    if values.null_count:
        raise ValueError("values are missing")
    return values.buffers()[1][values.offset * size : (values.offset + len(values)) * size]


def _to_csv(rows: Columns, about: str) -> bytes:
    # The first line is a comment, which DuckDB and pandas skip when told comment='#'.
    names = [*TYPES]
    words = [
        [text.encode() for text in CODED[name]] if name in CODED else None for name in names
    ]
    lines = engine.csv_rows([getattr(rows, name) for name in names], words)
    if rows.steps is not None:
        names.append("steps")
        steps = (row[-1].hex().encode() for row in rows.rows())
        pairs = zip(lines.splitlines(), steps, strict=True)
        lines = b"".join(b"%s,%s\n" % pair for pair in pairs)
    return f"# {about}\n{','.join(names)}\n".encode() + lines


def _from_csv(content: bytes) -> tuple[str, Columns]:
    if not content.endswith(b"\n"):
        raise ValueError("its last line has no end")
    text = io.StringIO(content.decode(), newline="")
    about = text.readline().removeprefix("# ")
    names, *rows = csv.reader(text)
    steps = names == [*TYPES, "steps"]
    if not steps and names != [*TYPES]:
        raise ValueError("it has other columns")
    values = list(zip(*rows, strict=True)) or [()] * len(names)
    columns: dict[str, Any] = {
        name: array(
            code,
            [CODED[name].index(value) for value in column] if name in CODED else map(int, column),
        )
        for (name, code), column in zip(TYPES.items(), values, strict=False)
    }
    if steps:
        solutions = [bytes.fromhex(value) for value in values[-1]]
        columns["lengths"] = array("I", map(len, solutions))
        columns["steps"] = b"".join(solutions)
    return about, Columns(**columns)


_FORMATS: dict[
    str, tuple[Callable[[Columns, str], bytes], Callable[[bytes], tuple[str, Columns]]]
] = {"parquet": (_to_parquet, _from_parquet), "csv": (_to_csv, _from_csv)}
