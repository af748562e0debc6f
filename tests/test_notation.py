"""Notations: published games, round trips in every style and policy, errors, and the two counts."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import case_text, seeds
from solutions import each_solution, solution
from test_autoplay import card

from fcfast import notation
from fcfast.autoplay import POLICIES, play_home
from fcfast.board import Board
from fcfast.deals import deal
from fcfast.errors import AutoplayConflict, IllegalMove, InvalidMove
from fcfast.moves import Move
from fcfast.notation import STYLES, count_moves, count_singles, read, write
from fcfast.result import Status
from fcfast.rules import PRESETS, RELAXED_FREECELL
from fcfast.solve import solve
from fcfast.verify import verify

CASE_50 = Path(__file__).parent / "data" / "cases" / "50.moves"
# What the case log calls the policies.
POLICY_NAMES = {"horne": "horne", "raymond": "safe", "max": "all"}


def published_games() -> list[tuple[int, set[str], int, str]]:
    """Deal, the policies that fit, cards home at the end, and the moves."""
    games = []
    for line in CASE_50.read_text().splitlines():
        if not line.startswith("#"):
            number, fitting, home, moves = line.split("|")
            policies = {POLICY_NAMES[name] for name in fitting.split(",")}
            games.append((int(number), policies, int(home), moves))
    return games


def replay(board: Board, moves) -> Board:
    for move in moves:
        board = board.apply(move)
    return board


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("game", published_games(), ids=lambda game: str(game[0]))
def test_published_games_under_each_policy(game, policy):
    """Case 50."""
    number, policies, home, text = game
    if policy in policies:
        reading = read(deal(number), text, autoplay=policy)
        assert reading.autoplay == policy
        assert sum(replay(deal(number), reading.moves).foundations) == home
    else:
        with pytest.raises(IllegalMove, match=rf"move \d+ \(..\), autoplay {policy}: "):
            read(deal(number), text, autoplay=policy)


@pytest.mark.parametrize("game", published_games(), ids=lambda game: str(game[0]))
def test_the_reader_finds_a_policy_that_fits(game):
    number, policies, home, text = game
    reading = read(deal(number), text.upper().replace(" ", "\n"))
    assert reading.autoplay in policies
    assert reading.style == "standard"
    assert sum(replay(deal(number), reading.moves).foundations) == home
    if home == 52:
        verify(deal(number), reading.moves)


@pytest.mark.parametrize(
    ("number", "text", "moves"),
    [
        (1, "6r6r7r764r7r86472482835254455418131r586125762r272r123r3241", 29),
        (13, "6r6r4r4r2r2r26c7524687584r868256252r17121418617174", 25),
        (17, "58654r64683r363r3r3r434r1816484272747r515r5r81", 23),
        (53, "2r4r48324321827r737r62625682d882171868161847253134", 25),
    ],
)
def test_published_short_games_in_macro_notation(number, text, moves):
    """Cells are counted in the order in which their cards came, and autoplay acts on the deal."""
    reading = read(deal(number), text)
    assert (reading.style, reading.autoplay) == ("macro", "all")
    verify(number, reading.moves)
    assert count_moves(deal(number), reading.moves, "all") == moves == len(text) // 2
    written = write(deal(number), reading.moves, "macro", "all")
    assert written.replace(" ", "") == text


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("policy", ["off", "horne", "safe"])
@pytest.mark.parametrize("solved", **each_solution)
def test_what_is_written_wins_when_it_is_read(solved, policy, style):
    board, variant = solved.board, solved.variant
    if style == "singles" and variant is RELAXED_FREECELL:
        with pytest.raises(IllegalMove, match=r"move \d+, ..: 4 cards cannot be moved one"):
            write(board, solved.moves, style, policy, variant)
        return
    text = write(board, solved.moves, style, policy, variant)
    written_in_full = style in ("singles", "fc-solve")
    reading = read(board, text, variant, "off" if written_in_full else policy, style)
    verify(board, reading.moves, variant)
    if style == "fc-solve":
        assert reading.moves == solved.moves
    if policy == "off" and style == "standard":
        assert reading.moves == solved.moves
    # The same without being told; singles that could be standard are taken for that.
    guessed = read(board, text, variant)
    verify(board, guessed.moves, variant)
    assert guessed.style == style or (style == "singles" and guessed.style == "standard")
    if written_in_full:
        assert guessed.autoplay == "off"


@pytest.mark.parametrize("solved", **each_solution)
def test_a_policy_that_takes_too_much_is_named(solved):
    """What "all" cannot follow it says; what it writes wins."""
    try:
        text = write(solved.board, solved.moves, "standard", "all", solved.variant)
    except AutoplayConflict as error:
        assert solved.variant.build == "alternate"
        assert "cannot be made under autoplay 'all': " in str(error)
        return
    verify(solved.board, read(solved.board, text, solved.variant, "all").moves, solved.variant)


def test_both_outcomes_under_all_do_occur():
    with pytest.raises(AutoplayConflict, match=r"move 30 \(15\) .*: 3S does not go on JS"):
        write(deal(1), solution("freecell", 1).moves, autoplay="all")
    assert write(deal(3), solution("freecell", 3).moves, autoplay="all")


class RandomGame:
    """Legal moves at random, home moves among them: all that was made, in order."""

    def __init__(self, name, seed, length, rng):
        self.variant = PRESETS[name]
        self.start = self.end = deal(seed + 1, self.variant)
        self.moves = []
        for _ in range(length):
            legal = self.end.legal_moves(self.variant)
            if not legal:
                break
            home = [move for move in legal if move.target == "h"]
            move = rng.choice(home if home and rng.random() < 0.4 else legal)
            self.moves.append(move)
            self.end = self.end.moved(move)


random_games = st.builds(
    RandomGame, st.sampled_from(sorted(PRESETS)), seeds, st.integers(0, 90), st.randoms()
)


@given(random_games, st.sampled_from(STYLES))
def test_any_legal_game_round_trips(game, style):
    """With autoplay off nothing is left out, so what is read ends on the same board.

    Only macro does not name cells: cards may end in others.
    """
    if style == "singles" and game.variant is RELAXED_FREECELL:
        return
    text = write(game.start, game.moves, style, "off", game.variant)
    reading = read(game.start, text, game.variant, "off", style)
    end = game.start
    for move in reading.moves:
        end = end.apply(move, game.variant)
    if style == "macro":
        assert end.key() == game.end.key()
    else:
        assert end == game.end
    if style in ("standard", "fc-solve"):
        assert list(reading.moves) == game.moves
    if style == "singles":
        assert len(reading.moves) == count_singles(game.start, game.moves, game.variant)


@given(random_games, st.sampled_from(["horne", "safe"]))
def test_any_legal_game_can_be_followed_under_autoplay(game, policy):
    """The end is the game's own, with what the policy took home earlier."""
    text = write(game.start, game.moves, "standard", policy, game.variant)
    reading = read(game.start, text, game.variant, policy, "standard")
    end = game.start
    for move in reading.moves:
        end = end.apply(move, game.variant)
    assert all(more >= own for more, own in zip(end.foundations, game.end.foundations, strict=True))
    assert play_home(end, policy, game.variant) == (end, ())


def test_as_many_as_fit():
    board = Board.parse(case_text("40"))  # no free cell, columns 7 and 8 empty
    assert read(board, "12", autoplay="off").moves == (Move("1", "2", 4),)
    assert read(board, "17", autoplay="off").moves == (Move("1", "7", 2),)
    assert read(board, "17v1", autoplay="off").moves == (Move("1", "7", 1),)
    assert read(board, "17", autoplay="off", style="singles").moves == (Move("1", "7", 1),)
    assert write(board, [Move("1", "2", 4), Move("3", "7")], autoplay="off") == "12 37"
    assert write(board, [Move("1", "7", 2)], autoplay="off") == "17"
    assert write(board, [Move("1", "7", 1)], autoplay="off") == "17v1"
    with pytest.raises(IllegalMove, match=r"move 1 \(17v3\).*: 3 cards are too many"):
        read(board, "17v3", autoplay="off")
    over_long = Board.parse(case_text("38"))
    with pytest.raises(IllegalMove, match=r"move 1 \(12\).*: 5 cards are too many"):
        read(over_long, "12")


def test_counts_are_hexadecimal():
    run = [Move("1", "2", 10)]
    board = Board(
        [
            [card(rank + "SH"[index % 2]) for index, rank in enumerate("KQJT98765432")],
            [],
            [],
            [card(rank + "HS"[index % 2]) for index, rank in enumerate("KQJT98765432")],
        ],
        [None] * 4,
        (13, 13, 1, 1),
    )
    assert write(board, run, autoplay="off") == "12"
    assert write(board.with_cells(10), run, autoplay="off") == "12va"
    assert read(board.with_cells(10), "12VA", autoplay="off").moves == tuple(run)


def test_the_deal_may_be_autoplayed_first_or_not():
    """In deal 24 the ace of spades lies free, on 6D; the reader tries both."""
    assert read(deal(24), "4a 7b", autoplay="safe").moves[:2] == (Move("4", "h"), Move("4", "a"))
    waiting = read(deal(24), "4h 4a", autoplay="safe")
    assert waiting.moves == (Move("4", "h"), Move("4", "a"))
    assert read(deal(24), "4h 4a").autoplay == "off"


def test_macro_counts_cells_by_arrival():
    columns = ["3C AC", "4C 2C", "KC QC JC TC 9C 8C 7C 6C 5C"]
    board = Board(
        [[card(name) for name in column.split()] for column in columns],
        [None] * 3,
        (0, 13, 13, 13),
    )
    moves = (
        Move("1", "a"),  # AC
        Move("2", "b"),  # 2C
        Move("a", "h"),
        Move("1", "a"),  # 3C: cell a again, but it came after 2C
        Move("b", "h"),
        Move("a", "h"),
    )
    assert write(board, moves, "macro", "off") == "1r 2r ah 1r ah ah"
    assert read(board, "1r2rah1rahah", autoplay="off").moves == moves
    assert read(board, "1r 2r rh 1r rh rh", autoplay="off").moves == moves


def test_text_in_any_layout():
    expected = read(deal(1), "6a 6b 7c 4d", autoplay="off", style="standard").moves
    for text in (
        "6A 6B 7C 4D",
        "6a6b7c4d",
        "6a,6b,\t7c\r\n\r\n  4d\n",
        "# a game\n6a 6b # two in cells\n7c 4d",
    ):
        assert read(deal(1), text, autoplay="off").moves == expected
    assert read(deal(1), "").moves == ()


FC_SOLVE_OUTPUT = """\
-=-=-=-=-=-=-=-=-=-=-=-

Foundations: H-0 C-0 D-0 S-0
Freecells:
: 4C 2C 9C 8C QS 4S 2H
: 5H QH 3C AC 3H 4H QD

====================

Move a card from stack 3 to the foundations

Move a card from stack 6 to freecell 0
Move 1 cards from stack 7  to stack 2

This game is solveable.
Total number of states checked is 71.
This scan generated 74 states.
"""


def test_fc_solve_output():
    with pytest.raises(IllegalMove, match=r"move 3 \(move 1 cards from stack 7 to stack 2\)"):
        read(deal(24), FC_SOLVE_OUTPUT)
    text = FC_SOLVE_OUTPUT.replace("stack 7  to stack 2", "freecell 0 to freecell 3")
    reading = read(deal(24), text.replace("1 cards", "a card").replace("\n", "\r\n"))
    assert reading.style == "fc-solve"
    assert reading.moves == (Move("4", "h"), Move("7", "a"), Move("a", "d"))
    assert write(deal(24), reading.moves, "fc-solve") == (
        "Move a card from stack 3 to the foundations\n"
        "Move a card from stack 6 to freecell 0\n"
        "Move a card from freecell 0 to freecell 3"
    )
    many = Board.parse(case_text("40"))
    assert write(many, [Move("1", "2", 4)], "fc-solve") == "Move 4 cards from stack 0 to stack 1"
    assert write(many, [Move("a", "7")], "fc-solve") == "Move a card from freecell 0 to stack 6"


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("6a 6b 526", InvalidMove, r"move 4 \(6\): not a move"),
        ("6a 6m", InvalidMove, r"move 2 \(6m\): not a move"),
        ("6a 52v0", InvalidMove, r"move 3 \(v0\): not a move"),
        ("6a 52ve", InvalidMove, r"move 3 \(ve\): not a move"),
        ("♥ 6a", InvalidMove, r"move 1 \(♥\): not a move"),
        ("6a 9b", InvalidMove, r"move 2 \(9b\), .*: no column 9: this board has 8"),
        ("6a 6e", InvalidMove, r"move 2 \(6e\), .*: no cell e: this board has 4"),
        ("6a 6a", IllegalMove, r"move 2 \(6a\), .*: cell a is occupied by 3D"),
        ("6a h6", IllegalMove, r"move 2 \(h6\), .*: cards do not come back"),
        ("1r 2r 3r 4r 5r", IllegalMove, r"move 5 \(5r\), .*: no cell is free"),
        ("1r r2", IllegalMove, r"move 2 \(r2\), .*: no card in a cell goes there"),
        ("1r b2", IllegalMove, r"move 2 \(b2\), .*: cell b is empty"),
        ("Move a card from stack 8 to freecell 0", InvalidMove, r"move 1 \(.*\), .*: no column 9"),
        ("Move a card from stack 13 to freecell 0", InvalidMove, r"move 1 \(.*\): no stack 13"),
        ("Move a card from freecell 99 to stack 0", InvalidMove, r"move 1 .*: no freecell 99"),
        ("Move a card from stack 0 to freecell 0\n6a", InvalidMove, r"move 2 \(6a\): not a move"),
        ("Move cards", InvalidMove, r"move 1 \(move cards\): not a move"),
    ],
)
def test_errors_name_the_move_its_text_and_the_rule(text, error, words):
    with pytest.raises(error, match=words) as caught:
        read(deal(1), text)
    assert type(caught.value) is error


def test_the_error_is_that_of_the_policy_that_gets_furthest():
    """Without its end 10347 fits "horne" only, so one more wrong move is named under that."""
    text = next(moves for number, _, _, moves in published_games() if number == 10347)
    with pytest.raises(IllegalMove, match=r"move 26 \(6h\), autoplay horne: "):
        read(deal(10347), text + " 6h")


def test_names_that_do_not_exist():
    with pytest.raises(ValueError, match="no style 'pgn'; there are standard, singles"):
        read(deal(1), "6a", style="pgn")
    with pytest.raises(ValueError, match="no style 'pgn'"):
        write(deal(1), [], "pgn")
    with pytest.raises(ValueError, match="no autoplay policy 'max'"):
        read(deal(1), "6a", autoplay="max")
    with pytest.raises(ValueError, match="no autoplay policy 'max'"):
        write(deal(24), [], autoplay="max")


def test_lists_that_break_the_rules_are_not_written():
    for style in STYLES:
        with pytest.raises(IllegalMove, match=r"move 2 \(3a\): cell a is occupied by"):
            write(deal(24), [Move("7", "a"), Move("3", "a")], style)


@given(st.text(st.sampled_from("0123456789abcdhrvxyz \n#move cardsfreecell"), max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        reading = read(deal(617), text)
    except (InvalidMove, IllegalMove):
        return
    board = deal(617)
    for move in reading.moves:
        board = board.apply(move)


@given(st.text(max_size=200))
def test_any_characters_are_read_or_refused(text):
    try:
        read(deal(617), text)
    except (InvalidMove, IllegalMove) as error:
        assert str(error)


def test_the_two_counts():
    solved = solution("freecell", 3)
    board, moves = solved.board, solved.moves
    assert count_moves(board, moves, "off") == len(moves)
    for policy in POLICIES:
        written = write(board, moves, "standard", policy)
        assert count_moves(board, moves, policy) == len(written.split())
    assert count_moves(board, moves, "horne") > count_moves(board, moves, "safe")
    assert count_moves(board, moves, "safe") > count_moves(board, moves, "all")
    assert count_singles(board, moves) == len(write(board, moves, "singles").split())
    assert count_singles(board, moves) > len(moves)


@pytest.mark.parametrize("policy", POLICIES)
def test_the_engine_counts_alike(policy):
    """Stats come from native code that shares nothing with this module."""
    solved = 0
    for variant in PRESETS.values():
        for number in range(1, 5):
            result = solve(number, variant=variant, autoplay=policy, node_limit=10_000)
            if result.status is Status.SOLVED:
                board, moves = result.board, result.moves
                assert result.stats.moves == count_moves(board, moves, policy, variant)
                assert result.stats.singles == count_singles(board, moves, variant)
                solved += 1
    assert solved >= 18


def test_a_card_that_autoplay_takes_is_not_moved_about():
    """2S goes to a cell and home later in the list; autoplay takes it at once."""
    board = Board(
        [[card(rank + "S") for rank in "K3456789TJQ"], [card("2S"), card("AS")], []],
        [None],
        (13, 13, 13, 0),
    )
    moves = [Move("2", "h"), Move("2", "a"), Move("a", "3"), Move("1", "a"), Move("3", "h")]
    assert list(notation.played(board, moves, "safe")) == [(play_home(board, "safe")[0], moves[3])]
    assert count_moves(board, moves, "safe") == 1
    assert count_moves(board, moves, "off") == 5
    assert write(board, moves, autoplay="off") == "2h 2a a3 1a 3h"


def test_singles_of_a_run_that_only_house_rules_move():
    solved = solution("relaxed_freecell", 11982)
    by_cards = sum(move.count for move in solved.moves)
    assert by_cards < count_singles(solved.board, solved.moves, RELAXED_FREECELL)
    run = Board.parse(case_text("38"))
    assert count_singles(run, [Move("1", "2", 5)], RELAXED_FREECELL) == 5
