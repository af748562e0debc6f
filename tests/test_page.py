"""Boards as SVG, and the page of a solution, driven in a real browser."""

import json
import os
import re
import shutil
import tempfile
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from positions import any_boards

import fcfast
from fcfast import cards, cli
from fcfast.board import Board
from fcfast.errors import FcfastError
from fcfast.page import write_page
from fcfast.rules import PRESETS
from fcfast.svg import HEIGHT, STRIP, WIDTH, Layout, board_svg

SVG = "{http://www.w3.org/2000/svg}"


@settings(max_examples=60, deadline=None)
@given(any_boards)
def test_every_board_is_drawn_with_each_visible_card_once_and_inside(board):
    drawing = ET.fromstring(board_svg(board, "a <caption> & more"))
    _, _, width, height = map(int, drawing.get("viewBox").split())
    shown = [group for group in drawing.findall(f"{SVG}g") if group.find(f"{SVG}rect") is not None]
    in_play = sum(map(len, board.columns)) + sum(card is not None for card in board.cells)
    assert len(shown) == in_play + sum(height > 0 for height in board.foundations)
    for group in shown:
        x, y = map(int, re.findall(r"\d+", group.get("transform")))
        assert 0 <= x <= width - WIDTH and 0 <= y <= height - HEIGHT
    assert (
        Board.parse(
            drawing.find(f"{SVG}desc").text, cells=len(board.cells), columns=len(board.columns)
        )
        == board
    )


@settings(max_examples=60, deadline=None)
@given(any_boards)
def test_no_two_cards_lie_on_each_other_but_in_columns_and_at_home(board):
    layout = Layout(len(board.columns), len(board.cells), max(map(len, board.columns)))
    spots = [
        spot
        for card, spot in layout.positions(board).items()
        if cards.rank(card) >= board.foundations[cards.suit(card)] - 1
    ]
    assert len(set(spots)) == len(spots)
    for (x, y), (other_x, other_y) in combinations(spots, 2):
        apart = abs(other_x - x) >= WIDTH or abs(other_y - y) >= HEIGHT
        assert apart or (other_x == x and abs(other_y - y) >= STRIP)


def test_notebooks_get_a_drawing_and_text():
    board = fcfast.deal(617)
    shown = board._repr_mimebundle_()
    assert Board.parse(shown["text/plain"]) == board
    assert shown["image/svg+xml"] == board_svg(board)
    solved = fcfast.solve(1)._repr_mimebundle_()
    assert "singles" in solved["text/plain"] and ">solved: " in solved["image/svg+xml"]
    limited = fcfast.solve(617, node_limit=1)._repr_mimebundle_(include=["text/plain"])
    assert limited["text/plain"].startswith("limit: nodes reached")
    assert fcfast.solve(11982)._repr_mimebundle_()["text/plain"].startswith("impossible")


# The page


def test_the_page_is_complete_in_itself():
    page = write_page(fcfast.solve(1), "Deal <1>")
    assert "<h1>Deal &lt;1&gt;</h1>" in page
    assert not re.search(r"""(src|href)=["'](?!#|data:,)""", page)
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "url(" not in page and "@import" not in page and "fetch" not in page


def test_no_page_without_a_solution(tmp_path, capsys):
    with pytest.raises(FcfastError, match="no solution to show"):
        write_page(fcfast.solve(11982))
    path = tmp_path / "11982.html"
    assert cli.main(["solve", "11982", "--html", str(path)]) == 1
    assert "is not written" in capsys.readouterr().err and not path.exists()


@pytest.fixture(scope="module")
def browser():
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("no chromium with its driver here (Debian: chromium, chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for argument in (
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--force-prefers-reduced-motion",
            f"--user-data-dir={profile}",
        ):
            options.add_argument(argument)
        # What is preloaded into Python, as a sanitizer is, is not for the browser.
        env = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        window = webdriver.Chrome(options, webdriver.ChromeService(driver, env=env))
        yield window
        window.quit()


class Page:
    """The page of a solution, open in a browser."""

    def __init__(self, browser, path, number: int, *arguments: str) -> None:
        self.browser = browser
        browser.get("about:blank")
        browser.get_log("performance"), browser.get_log("browser")
        assert cli.main(["solve", str(number), "--html", str(path), "--quiet", *arguments]) == 0
        self.url = path.as_uri()
        browser.get(self.url)

    def press(self, key: str, times: int = 1) -> None:
        from selenium.webdriver.common.by import By
        from selenium.webdriver.common.keys import Keys

        self.browser.find_element(By.TAG_NAME, "body").send_keys(getattr(Keys, key) * times)

    def click(self, name: str) -> None:
        from selenium.webdriver.common.by import By

        self.browser.find_element(By.ID, name).click()

    def spots(self) -> dict[int, tuple[int, int]]:
        """Where each card lies, or is on its way to, in the order in which they are drawn."""
        found = self.browser.execute_script(
            "return [...document.querySelectorAll('.card')].map(c => [c.id, c.style.transform])"
        )
        return {
            int(name[1:]): tuple(map(int, re.findall(r"-?\d+", place))) for name, place in found
        }

    @property
    def step(self) -> int:
        return self.browser.execute_script("return at")

    def errors(self) -> list[str]:
        return [entry["message"] for entry in self.browser.get_log("browser")]

    def requests(self) -> list[str]:
        """What the page asked for."""
        messages = [
            json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")
        ]
        return [
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        ]


def test_the_page_in_a_browser(browser, tmp_path, capsys):
    page = Page(browser, tmp_path / "9.html", 9)
    result = fcfast.solve(9)
    last = len(result.moves)
    boards = [result.board]
    for move in result.moves:
        boards.append(boards[-1].moved(move))
    deepest = max(len(column) for board in boards for column in board.columns)
    layout = Layout(8, 4, deepest)

    def lies_right(step: int) -> bool:
        """Cards lie where the board has them, each drawn above those it lies on."""
        wanted = layout.positions(boards[step])
        spots = page.spots()
        stacked = list(spots)
        piles = {}
        for card, (x, _) in wanted.items():
            piles.setdefault(x, []).append(card)
        return (
            page.step == step
            and spots == wanted
            and all(
                stacked.index(one) < stacked.index(other)
                for pile in piles.values()
                for one, other in pairwise(pile)
                if abs(wanted[one][1] - wanted[other][1]) < HEIGHT
            )
        )

    assert lies_right(0)
    for step in range(1, 6):
        page.click("next")
        assert lies_right(step)
    for step in range(15, last + 1, 10):
        page.press("ARROW_RIGHT", 10)
        assert lies_right(step)
    page.press("ARROW_RIGHT", last - step)
    assert boards[-1].is_won and page.spots() == layout.positions(boards[-1])
    page.press("ARROW_RIGHT")
    assert page.step == last
    for step in range(last - 2, last - 12, -2):
        page.click("back")
        page.press("ARROW_LEFT")
        assert lies_right(step)
    page.click("first")
    assert lies_right(0)
    page.press("ARROW_LEFT")
    assert page.step == 0
    page.click("end")
    assert lies_right(last)
    page.press("HOME")
    assert lies_right(0)
    page.press("END")
    assert lies_right(last)
    browser.execute_script("document.querySelectorAll('#list button')[4].click()")
    assert lies_right(5)
    page.click("play")
    assert page.step == 6
    page.press("SPACE")  # the button has the focus, so this presses it
    stopped = page.step
    assert browser.execute_script("return timer") == 0 and stopped <= 7
    assert page.requests() == [page.url]
    assert page.errors() == []


@pytest.mark.parametrize("variant", ["freecell", "seahaven_towers", "eight_off", "penguin"])
def test_other_variants_have_a_page_that_fits_a_phone_and_a_desktop(
    browser, tmp_path, variant, capsys
):
    number = next(
        number
        for number in range(1, 60)
        if fcfast.solve(number, variant=PRESETS[variant], node_limit=10**6).moves
    )
    page = Page(browser, tmp_path / "page.html", number, "--variant", variant)
    for width, height in ((360, 740), (1280, 800)):
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
        )
        page.click("end")
        wide, deep = browser.execute_script(
            "return [document.documentElement.scrollWidth,"
            " document.querySelector('nav').getBoundingClientRect().bottom]"
        )
        assert wide <= width and deep <= height
    assert page.errors() == []
