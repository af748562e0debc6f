"""With all but the end cards face down: nothing that is said gives a hidden card away."""

import pytest
from player import Player

from fcfast import cards
from fcfast.board import Board
from fcfast.boardtext import card_named
from fcfast.play.words import card_in_words

BOARD = Board.parse("""Foundations: C-6 D-6 H-6 S-6
KS QH JS TH 9S 8H 7S
KD QS JH TS
8C 7D 7C 9H TC TD 9D KC QD JC
KH QC JD
9C 8D
8S
7H
:""")
IN_PLAY = [card for column in BOARD.columns for card in column]


def names(plain: bool) -> dict[int, str]:
    """What each card is called."""
    if plain:
        return {card: card_in_words(card) for card in IN_PLAY}
    return {
        card: BOARD.name(card)[0].replace("T", "10") + cards.GLYPHS[cards.suit(card)]
        for card in IN_PLAY
    }


LINES = [
    *("moves", "hint", "win?", "export", "1a", "13", "21", "12", "43", "18", "38"),
    *(
        f"{word}{move}"
        for word in ("", "why ")
        for move in ("18 6", "12 3", "34 2", "38 3", "38v4")
    ),
    *(f"{move} {count}" for move in ("12", "38", "1a", "18", "48") for count in (2, 3, 5)),
    *(BOARD.name(card).lower() for card in IN_PLAY),
]


@pytest.mark.parametrize("house", ["web", "strict", "app"])
@pytest.mark.parametrize("plain", [False, True])
def test_what_is_said_names_no_hidden_card_but_the_one_that_was_asked_for(house, plain):
    called = names(plain)
    for line in LINES:
        player = Player(BOARD, f"{house} face_down=on", plain=plain)
        before = player.game.board
        said = player(line).lower()
        seen = {
            column[-1]
            for board in (before, player.game.board)
            for column in board.columns
            if column
        }
        seen |= {
            card for card in IN_PLAY if cards.rank(card) < player.game.board.foundations[card % 4]
        }
        for card, name in called.items():
            if card not in seen and line.upper() != BOARD.name(card):
                assert name.lower() not in said and BOARD.name(card).lower() not in said.split(), (
                    line
                )


def test_a_run_moves_face_down_too():
    player = Player(BOARD, "tap face_down=on")
    assert player("18 2") == "2 cards with 7♠ to 8."
    player = Player(BOARD, "tap face_down=on", plain=True)
    assert player("18 2") == "2 cards with the seven of spades from column 1 to column 8."


@pytest.mark.parametrize("plain", [False, True])
def test_refusals_speak_of_what_is_seen(plain):
    player = Player(BOARD, "tap face_down=on", plain=plain)
    called = names(plain)
    seven, ten, nine = (called[card_named(name.lower())] for name in ("7S", "TS", "9S"))
    assert player("12") == f"12: {seven} does not go on {ten}: it is not one rank lower."
    assert player("why 12 3") == "12: those 3 cards do not go there as a run."
    assert player("9s") == f"{nine} lies face down."
    assert player("win?") == "Yes, it can be won; solve tells how."
    assert "export FILE" in player("export")
