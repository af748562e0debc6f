"""Guide: hints that win, verdicts that the exhaustive search agrees with, lines that are kept."""

import random

import pytest
from positions import random_board

from fcfast import cards, rules
from fcfast.board import Board
from fcfast.moves import FOUNDATIONS, HOME
from fcfast.play.game import Game, Outcome
from fcfast.play.guide import Guide
from fcfast.play.houserules import PRESETS


def follow(game: Game, guide: Guide) -> int:
    """Plays hint after hint; the number of moves made. Fails where a hint is missing."""
    made = 0
    while game.outcome is not Outcome.WON:
        advice = guide.advise(game, 60)
        assert advice.verdict == "winnable", game.to_text()
        game.move(advice.line[0])
        made += 1
        assert made < 500
    return made


def endgame(seed: int, cells: int) -> Board:
    """A random position of the 20 last cards in 5 - cells columns; about half can be won."""
    rng = random.Random(f"{cells} {seed}")
    foundations = [0] * 4
    while sum(foundations) < 32:
        suit = rng.randrange(4)
        foundations[suit] += foundations[suit] < 13
    left = [card for card in cards.DECK if cards.rank(card) >= foundations[cards.suit(card)]]
    rng.shuffle(left)
    return Board(
        [left[index :: 5 - cells] for index in range(5 - cells)], [None] * cells, foundations
    )


def can_be_won(start: Board) -> bool:
    """By looking at every position that can be reached."""
    variant = rules.FREECELL.replace(columns=len(start.columns), cells=len(start.cells))
    seen, todo = {start.key()}, [start]
    while todo:
        board = todo.pop()
        if board.is_won:
            return True
        for move in board.legal_moves(variant):
            after = board.moved(move)
            if after.key() not in seen:
                seen.add(after.key())
                todo.append(after)
    return False


def test_hints_followed_blindly_win_every_deal_of_the_first_300():
    for number in range(1, 301):
        follow(Game(number, "web"), Guide())


@pytest.mark.parametrize("house", sorted(PRESETS))
def test_hints_followed_blindly_win(house):
    for number in range(1, 7):
        follow(Game(number, house), Guide())


@pytest.mark.parametrize("policy", ["off", "horne", "safe", "all"])
@pytest.mark.parametrize("finish", ["offer", "always"])
def test_hints_win_under_every_policy(policy, finish):
    for number in (7, 24, 164):
        follow(Game(number, f"web autoplay={policy} finish={finish}"), Guide())


@pytest.mark.parametrize("variant", sorted(rules.PRESETS))
def test_hints_win_in_every_variant(variant):
    won = 0
    for number in range(1, 13):
        game = Game(number, f"web variant={variant} autoplay=safe")
        guide = Guide()
        if guide.advise(game, 5).verdict == "winnable":
            follow(game, guide)
            won += 1
    assert won


def test_hints_win_from_200_random_winnable_positions():
    won = seed = 0
    while won < 200 and seed < 1000:
        board = random_board(seed=seed, moves=seed % 30)
        game = Game(board, ("tap", "web")[seed % 2])
        guide = Guide()
        if guide.advise(game, 5).verdict == "winnable":
            follow(game, guide)
            won += 1
        seed += 1
    assert won == 200


def test_hints_win_after_any_detour():
    """The player wanders, undoes and comes back; the hints still lead to the win."""
    for number in range(1, 11):
        game, guide, rng = Game(number, "web"), Guide(), random.Random(number)
        for _ in range(30):
            advice = guide.advise(game, 60)
            if advice.verdict != "winnable":
                game.undo(3)
            elif rng.random() < 0.5:
                game.move(advice.line[0])
            else:
                game.move(rng.choice(game.legal_moves()))
            if game.outcome is Outcome.WON:
                break
        while guide.advise(game, 60).verdict == "lost":
            game.undo()
        follow(game, guide)


def test_a_line_is_kept_to():
    game, guide = Game(617, "web"), Guide()
    line = guide.advise(game, 60).line
    for index, move in enumerate(line):
        assert guide.advise(game, 0).line == line[index:]
        game.move(move)
    assert game.outcome is Outcome.WON
    assert guide.advise(game, 0).verdict == "won"
    game.undo(4)
    assert guide.advise(game, 0).line == line[-4:]


def test_a_proved_loss_is_said_and_no_time_means_unknown():
    assert Guide().advise(Game(11982, "web"), 60).verdict == "lost"
    assert Guide().advise(Game(617, "web"), 0).verdict == "unknown"
    stuck = Game(1, "tap")
    for text in ("1a", "2b", "3c", "4d"):
        stuck.move(text)
    assert Guide().advise(stuck, 60).verdict == "lost"


@pytest.mark.parametrize(("seed", "house"), [(6, "app"), (65, "linear"), (67, "app")])
def test_a_card_that_comes_back_can_save_a_game(seed, house):
    board = endgame(seed, cells=1)
    assert not can_be_won(board)
    game, guide = Game(board, house), Guide()
    assert any(move.source in FOUNDATIONS for move in guide.advise(game, 10).line)
    follow(game, guide)


def test_lost_but_for_cards_back_is_told_apart():
    """11982 is lost without cards back; with none home there is nothing to bring back."""
    assert Guide().advise(Game(11982, "app"), 60).verdict == "lost but for cards back"


@pytest.mark.parametrize("cells", [1, 2])
def test_verdicts_agree_with_an_exhaustive_search(cells):
    """The search here is plain Python over Board.legal_moves, every position told apart by key."""
    verdicts = []
    for seed in range(500):
        board = endgame(seed, cells)
        told = Guide().advise(Game(board, "tap"), 1).verdict
        assert told == ("winnable" if can_be_won(board) else "lost")
        verdicts.append(told)
    assert {"winnable", "lost"} == set(verdicts)


def test_the_last_move_of_a_line_wins_and_never_moves_a_card_that_is_home():
    for number in range(20, 40):
        game = Game(number, "web autoplay=all")
        advice = Guide().advise(game, 60)
        if advice.verdict == "winnable":
            for move in advice.line:
                assert game.reason(game.board, move) is None
                game.move(move)
            assert game.outcome is Outcome.WON
            assert sum(turn.made[0].target == HOME for turn in game.turns) <= 3
