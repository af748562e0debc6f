"""Loop: reads lines, has them carried out, shows what came of it.

commands.py says what there is to type, moving.py, advising.py and dealing.py do it. What cannot be
done raises FcfastError, is said in one line, and changes nothing. Imports errors and of play
codes, commands, game, guide, houserules, keeping, moving, records, screen and session.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rich.text import Text

from fcfast.errors import FcfastError, IllegalMove
from fcfast.play import codes
from fcfast.play.commands import BY_NAME
from fcfast.play.game import Game
from fcfast.play.guide import Advice
from fcfast.play.houserules import HouseRules
from fcfast.play.keeping import AGAIN, Quit
from fcfast.play.moving import is_move_or_card, make_moves, sentence
from fcfast.play.records import Kept, Records
from fcfast.play.screen import Screen
from fcfast.play.session import Session

DEALT_SECONDS = 1.0  # of search whether a new deal can be won: 11982 needs 0.1, busy machines more
GOES_ON = "This game goes on."
PROMPT = "> "
BOARD_IS_GONE = "(Enter shows the board) > "  # it has scrolled away

Read = Callable[[str], str]  # prompt -> line; raises EOFError at the end of input


class Loop:
    """One sitting at a terminal, or lines from anywhere else.

    game         what is played first
    read         gives the next line; `asks` says whether somebody is there to be asked
    records      where games are recorded and kept, or None
    offers       ask whether to go on with a kept game instead of `game`
    guard        warn when a move turns a won position into a lost one
    random_from  random deals are 1 .. this
    house        the player's own house rules, for deals to come; those of `game` if not given. A
                 code or a file may have others, which hold for that game only
    """

    def __init__(
        self,
        game: Game,
        screen: Screen,
        read: Read,
        records: Records | None = None,
        asks: bool = False,
        offers: bool = True,
        guard: bool = False,
        random_from: int = 32000,
        house: HouseRules | None = None,
    ) -> None:
        self.session = Session(records)
        self.session.begin(game)
        self.screen = screen
        self.read = read
        self.asks = asks
        self.guard = guard
        self.random_from = random_from
        self.house = house or game.house
        self._offers = asks and offers
        self._pending = ""  # a command that was typed where a question was asked
        self._prompt = PROMPT
        self._answered = False  # by the board, which a command has shown

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.session.game

    # The session

    def run(self) -> None:
        """Plays until the player quits or input ends."""
        try:
            self._answer(self._welcome(), board_is_due=True)
            while True:
                game, board = self.game, self.game.board
                self._answered = False
                try:
                    message = self.do(self._pending or self.read(self._prompt))
                except KeyboardInterrupt:
                    message = "Stopped. Type quit to leave."
                moved = self.game.board != board and not self.screen.plain
                if message or not self._answered:
                    self._answer(message, board_is_due=moved or self.game is not game)
        except (EOFError, Quit):
            self._part()
        finally:  # also where a signal ended it, be it in the line above
            if self.session.at_stake:
                self.session.keep()

    def do(self, line: str) -> str:
        """Carries out a line, and what was typed where it asked something; returns what to say."""
        said = []
        while line:
            self._pending = ""
            said.append(self._carry_out(line.split()))
            line = self._pending
        return "\n".join(filter(None, said))

    def _carry_out(self, words: list[str]) -> str:
        if not words:
            return ""
        words = self._spelled_out(words)
        command = BY_NAME.get(words[0].lower())
        try:
            said = make_moves(self, words) if command is None else command.run(self, words[1:])
        except IllegalMove as error:
            said = self.screen.with_cards(sentence(error))
        except FcfastError as error:
            said = sentence(error)
        except UnicodeDecodeError:
            said = "That file is not text in UTF-8."
        except OSError as error:
            said = f"{error.strerror}: {error.filename}"
        return "\n".join(filter(None, [said, self.session.trouble()]))

    def _spelled_out(self, words: list[str]) -> list[str]:
        """``11982`` and a code alone as `number`, and ``undo2`` as two words."""
        if len(words) == 1 and (codes.is_code(words[0]) or re.fullmatch("[0-9]{3,}", words[0])):
            return ["number", *words]
        glued = re.fullmatch("([a-z]+)([0-9]+)", words[0].lower())
        if glued and glued[1] in BY_NAME and not is_move_or_card(self.game, words[0]):
            return [*glued.groups(), *words[1:]]
        return words

    def _part(self) -> None:
        """What is to be said when the player leaves, or input ends: a game at stake is kept."""
        said = ""
        if self.session.at_stake and self.session.keep():
            said = "The game is kept; the next `fcfast play` offers it."
        said = self.session.trouble() or said
        if said:
            self.screen.say(said)

    # Between games

    def begin(self, message: str) -> str:
        """What is to be said of a game that was just begun, after `message`."""
        notes = [message]
        if not self.game.turns:
            try:
                verdict = self.advise(DEALT_SECONDS).verdict
            except KeyboardInterrupt:  # it said that this stops thinking; the game is dealt
                verdict = "unknown"
            if verdict.startswith("lost"):
                unless = " unless cards come back from home" if verdict != "lost" else ""
                notes.append(f"Note: this deal cannot be won{unless}; that is proved.")
        return "\n".join(filter(None, notes))

    def deal(self, game: Game, said: str = "A new game.", kept: Kept | None = None) -> str:
        """Leaves this game for another, which the records may keep; returns what to say.

        Raises FcfastError if this game goes on.
        """
        left = self.leave()
        self.session.begin(game, kept)
        return "\n".join(filter(None, [self.begin(said), left]))

    def leave(self) -> str:
        """Makes sure that this game may be left; returns what became of it.

        A game that is kept is kept as it stands now. One at stake is given up, or kept, if the
        player says so; where nobody can be asked it goes on. Raises FcfastError if it goes on.
        """
        session = self.session
        if not session.at_stake:
            return ""
        if session.kept is not None:
            answer = "keep"
        elif not self.asks:
            raise FcfastError(f"{GOES_ON} giveup or save comes first.")
        elif session.records is None:
            answer = self.ask("Give up this game? [yes/No] ", ("yes", "no"), "no")
        else:
            answer = self.ask("Give up this game? [yes/No/keep] ", ("yes", "no", "keep"), "no")
        if answer == "no" or (answer == "keep" and not session.keep()):
            raise FcfastError(GOES_ON)
        if answer == "keep":
            return "The game that you left is kept; resume goes back to it."
        session.record()
        return ""

    def _welcome(self) -> str:
        """What is to be said at the start; goes on with a kept game if the player wants to."""
        said = self.begin(self._kept_games_said())
        hint = "Type help for the commands, quit to leave."
        notes = [said, self.session.trouble(), hint, self.do(self._pending)]
        return "\n".join(filter(None, notes))

    def _kept_games_said(self) -> str:
        """Says that games are kept, and asks whether to go on with the last one."""
        while games := self.session.kept_games():
            kept, game = games[0]
            status = self.screen.status(game, None)
            more = f" and {len(games) - 1} more" if games[1:] else ""
            if not self._offers:
                return f"A game is kept ({status}){more}; resume goes on with it."
            self.screen.say(f"A game is kept: {status}{more}.")
            answer = self.ask("Go on with it? [Yes/no/drop] ", ("yes", "no", "drop"), "no", "yes")
            if answer == "yes":
                self.session.begin(game, kept)
                return AGAIN
            if answer == "no":
                return "It stays kept; resume goes on with it."
            self.session.drop(kept)
        return ""

    # What commands need

    def ask(
        self, question: str, answers: tuple[str, ...], otherwise: str, enter: str | None = None
    ) -> str:
        """One of `answers`, which may be shortened; `enter` if only Enter is typed.

        Everything else means `otherwise`, which should do no harm; a command is carried out next.
        """
        try:
            typed = self.read(question).strip()
        except EOFError:
            return otherwise
        if not typed:
            return enter or otherwise
        for answer in answers:
            if answer.startswith(typed.lower()):
                return answer
        words = typed.split()
        if words[0].lower() in BY_NAME or is_move_or_card(self.game, words[0]):
            self._pending = typed
        return otherwise

    def advise(self, seconds: float) -> Advice:
        """What is known of the position after so long a search, of which a player is told."""
        progress = self.screen.thinking() if self.asks else None
        return self.session.guide.advise(self.game, seconds, progress)

    # Showing

    def _answer(self, message: str, board_is_due: bool) -> None:
        """What there is to say; above it the board where it is due or, on a terminal that redraws,
        where both fit. If it then is out of sight, the prompt says how to see it."""
        lines = self.screen.lines(message) if message else []
        room = self._room(len(lines))
        board: list[Text] = []
        if board_is_due or self.screen.redraws:
            board = self.screen.drawing(self.game, self.session.best, room)
        fits = room is None or len(board) <= room
        if board_is_due or (self.screen.redraws and fits):
            self.screen.clear()
            self.screen.print(board)
        self.say(lines)
        self._prompt = PROMPT if fits or not self.asks else BOARD_IS_GONE

    def show_all(self) -> None:
        """The board with all its cards, however small the terminal."""
        self.screen.clear()
        room = self._room(0)
        self.say(self.screen.drawing(self.game, self.session.best, room, whole=True))
        self._prompt, self._answered = PROMPT, True

    def _room(self, lines: int) -> int | None:
        """Lines for a board above that many lines and a prompt; None where it is not redrawn."""
        height = self.screen.height if self.screen.redraws else None
        return None if height is None else height - lines - 1

    def say(self, lines: list[Text]) -> None:
        """Prints lines, a screen at a time."""
        page = (self.screen.height or 0) - 1 if self.asks else 0
        while 0 < page < len(lines):
            self.screen.print(lines[:page])
            lines = lines[page:]
            if self.ask("(Enter for more, no to stop) ", ("no",), "stop", "more") != "more":
                return
        self.screen.print(lines)
