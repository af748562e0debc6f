"""What a race leaves behind: tables, files, pictures, a page."""

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from fcfast.benchmark import machine, report, tables
from fcfast.benchmark.race import Plan
from fcfast.native import engine

PLAN = Plan(("one", "two:<b>"), tuple(range(1, 31)), "ms32k")
SOLVERS = {
    name: {"summary": "a solver", "version": "1", "timed": "call"} for name in PLAN.solvers
}


def row(solver, deal, verdict, seconds, moves, detail=""):
    return {
        "event": "deal",
        "solver": solver,
        "deal": deal,
        "repetition": 0,
        "verdict": verdict,
        "detail": detail,
        "seconds": seconds,
        "wall": seconds,
        "cpu": seconds,
        "memory": 1 << 24,
        "moves": moves,
        "singles": moves and 3 * moves,
    }


def rows():
    made = [row("one", n, "solved", 0.001 * n, 40 + n) for n in PLAN.deals]
    made += [row("two:<b>", n, "solved", 0.002 * n, 50 + n // 2) for n in PLAN.deals[:-2]]
    made.append(row("two:<b>", 29, "wrong", 0.1, None, "says solved; move 1 <script>"))
    made.append(row("two:<b>", 30, "limit", 10, None, "gave up"))
    bulk = {"deals": 500, "solved": 499, "impossible": 1, "unsolved": 0, "checked": 101, "wrong": 0}
    made.append({**row("one", 1, "solved", 0.25, None), "event": "bulk", **bulk})
    return made


@pytest.fixture(scope="module")
def results():
    told = {
        "command": "fcfast bench --set 'a<b>'",
        "date": "2024-02-03",
        "machine": machine.describe(),
        "missing": {"kpat": "apt install kpat"},
        "finished": True,
    }
    return report.Results(PLAN, "one", rows(), SOLVERS, told)


@pytest.fixture(scope="module")
def folder(results, tmp_path_factory):
    pytest.importorskip("matplotlib")
    folder = tmp_path_factory.mktemp("race")
    assert results.write(folder) == []
    return folder


def cells(results, title):
    (table,) = (one for one in results.tables if one.title.startswith(title))
    return [dict(zip(table.columns, line, strict=True)) for line in table.rows]


def test_tables_say_what_the_rows_say(results):
    first, second = cells(results, "Answers")
    assert (first["solver"], first["solved"], first["wrong"]) == ("one", "30", "0")
    assert (second["solved"], second["limit"], second["wrong"]) == ("28", "1", "1")
    (against,) = cells(results, "Against one")
    assert (against["deals"], against["ratio"], against["faster"]) == ("28", "2", "0")
    assert (against["shorter"], against["equal"], against["longer"]) == ("8", "2", "18")
    (bulk,) = cells(results, "Bulk")
    assert (bulk["deals/s"], bulk["ms/deal"], bulk["CPU"]) == ("2,000", "0.500", "0.500")
    (wrong,) = cells(results, "Wrong")
    assert wrong["why"] == "says solved; move 1 <script>"


def test_wrong_answers_are_red_where_colour_is_wanted(results, monkeypatch):
    plain = io.StringIO()
    tables.show(results.tables, plain)
    assert "\x1b" not in plain.getvalue()
    assert "two:<b>" in plain.getvalue()
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = io.StringIO()
    tables.show(results.tables, coloured)
    assert re.search(r"\x1b\[1;31mwrong *\x1b\[0m", coloured.getvalue())


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (0.0, "0"), (31.4e-6, "0.0314"), (0.0041, "4.10"), (0.5, "500"), (12, "12,000")],
)
def test_times_have_three_digits_that_count(seconds, text):
    assert tables.milliseconds(seconds) == text


def test_rows_are_csv_that_pandas_reads(folder):
    with (folder / "rows.csv").open(newline="") as file:
        read = list(csv.DictReader(file))
    assert len(read) == len(rows())
    assert read[0]["solver"] == "one" and float(read[0]["seconds"]) == 0.001
    assert read[-2]["detail"] == "gave up" and read[-2]["moves"] == ""


def test_json_holds_scores_and_machine(folder):
    read = json.loads((folder / "results.json").read_text())
    assert read["scores"][0]["solver"] == "one"
    assert read["scores"][1]["versus"]["ratio"]["value"] == pytest.approx(2)
    for name in ("cpu", "cores", "memory_gib", "os", "python", "flags", "commit"):
        assert name in read["machine"]
    assert not re.search(r"/(?:home|usr|root|tmp|opt)/", json.dumps(read["machine"]))
    assert read["machine"]["flags"].endswith(engine.FLAGS)
    assert engine.FLAGS  # of the engine itself: setup.py's come after Python's own


def test_pictures_are_there_in_both_formats(folder):
    names = ("cactus", "scatter-two--b-", "lengths", "length-against-time")
    for name in names:
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (folder / f"{name}.svg").read_text()


class Page(HTMLParser):
    """Checks nesting; collects text, ids and tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.tags: set[str] = set()
        self.outside: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        given = dict(attributes)
        if "id" in given:
            self.ids.append(given["id"])
        self.outside += [
            value
            for name, value in attributes
            if name in ("src", "href", "xlink:href") and not value.startswith(("#", "data:"))
        ]
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in ("meta", "link", "br"):
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_the_page_stands_alone(folder):
    page = Page((folder / "report.html").read_text())
    assert not page.open
    assert len(set(page.ids)) == len(page.ids)
    assert not page.outside
    assert "script" not in page.tags and "b" not in page.tags
    for text in ("3 February 2024", "fcfast bench --set 'a<b>'", "1 wrong answer", "apt install"):
        assert text in page.text
    assert len(re.findall("<figure", (folder / "report.html").read_text())) == 4


def test_without_matplotlib_the_rest_is_written(results, tmp_path, monkeypatch):
    monkeypatch.setattr(report.importlib.util, "find_spec", lambda name: None)
    (missing,) = results.write(tmp_path)
    assert "pip install 'fcfast[plot]'" in missing
    assert "pip install" in Page((tmp_path / "report.html").read_text()).text
    assert (tmp_path / "rows.csv").exists() and not list(tmp_path.glob("*.png"))


def test_a_race_in_which_nobody_answered_has_a_page(tmp_path):
    plan = replace(PLAN, solvers=("one",))
    made = [row("one", n, "failed", None, None, "exit code 1") for n in plan.deals]
    told = {"command": "", "date": "2024-02-03", "machine": machine.describe(), "missing": {}}
    empty = report.Results(plan, "one", made, {"one": SOLVERS["one"]}, {**told, "finished": False})
    empty.write(tmp_path)
    assert "interrupted" in (tmp_path / "report.html").read_text()
    assert [one.title for one in empty.tables] == ["Answers", "Time", "Wrong answers and failures"]
