"""Cards: numbering, names and colours."""

from fcfast import cards


def test_a_card_is_four_times_its_rank_plus_its_suit():
    for card in cards.DECK:
        assert cards.card_of(cards.rank(card), cards.suit(card)) == card
        assert 0 <= cards.rank(card) <= 12
        assert 0 <= cards.suit(card) <= 3


def test_names():
    assert [cards.name(card) for card in (0, 1, 2, 3, 4, 38, 51)] == [
        "AC", "AD", "AH", "AS", "2C", "TH", "KS"
    ]  # fmt: skip
    assert len({cards.name(card) for card in cards.DECK}) == 52


def test_names_count_from_the_base():
    assert cards.name(0, base=6) == "7C"
    assert cards.name(cards.card_of(6, 3), base=6) == "KS"
    assert cards.name(cards.card_of(7, 3), base=6) == "AS"
    assert cards.name(51, base=6) == "6S"
    for base in range(13):
        assert len({cards.name(card, base) for card in cards.DECK}) == 52


def test_colours():
    red = {cards.name(card)[1] for card in cards.DECK if cards.is_red(card)}
    black = {cards.name(card)[1] for card in cards.DECK if not cards.is_red(card)}
    assert (red, black) == ({"D", "H"}, {"C", "S"})
    assert sum(map(cards.is_red, cards.DECK)) == 26


def test_glyphs_stand_in_the_order_of_the_suits():
    assert dict(zip(cards.SUITS, cards.GLYPHS, strict=True)) == {
        "C": "\N{BLACK CLUB SUIT}",
        "D": "\N{BLACK DIAMOND SUIT}",
        "H": "\N{BLACK HEART SUIT}",
        "S": "\N{BLACK SPADE SUIT}",
    }
