"""Loop: reads commands, plays them, says what happened.

Each command is a method that returns what to say; the table at the end names them all, and `help`
prints that table. A word that is no command is a move (``4a``) or a card (``7h``, ``10s``). What
cannot be done raises FcfastError, is said in one line, and changes nothing. Imports board,
boardtext, deals, errors, moves and of play everything but watch.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from fcfast.board import Board
from fcfast.boardtext import card_named
from fcfast.errors import FcfastError, IllegalMove, InvalidMove
from fcfast.moves import FOUNDATIONS, Move
from fcfast.play import houserules
from fcfast.play.choosing import daily_number, random_game
from fcfast.play.game import Game, Outcome
from fcfast.play.guide import Advice, Guide
from fcfast.play.houserules import HouseRules
from fcfast.play.records import Best, Kept, Records, RecordsError, stats_text
from fcfast.play.saves import HEADING
from fcfast.play.screen import Screen
from fcfast.play.words import clock_text
from fcfast.rules import RunLimit

HINT_SECONDS = 10.0
VERDICT_SECONDS = 1.0
AGAIN = "Here is your game again."
MOST_CHARACTERS = 1_000_000  # of a file that is loaded

Read = Callable[[str], str]  # prompt -> line; raises EOFError at the end of input


class Quit(Exception):
    """The player leaves."""


class Loop:
    """One session at a terminal, or of lines from anywhere else.

    game         what is played first
    read         gives the next line; `asks` says whether somebody is there to be asked
    records      where games are recorded and kept, or None
    guard        warn when a move turns a won position into a lost one
    random_from  random deals are 1 .. this
    """

    def __init__(
        self,
        game: Game,
        screen: Screen,
        read: Read,
        records: Records | None = None,
        asks: bool = False,
        guard: bool = False,
        random_from: int = 32000,
    ) -> None:
        self.game = game
        self.screen = screen
        self.read = read
        self.records = records
        self.asks = asks
        self.guard = guard
        self.random_from = random_from
        self._guide = Guide()
        self._recorded = False
        self._kept: Kept | None = None  # this game, where it was saved
        self._best: Best | None = None
        self._verdicts: dict[Board, str] = {}  # what the guard knows

    # The session

    def run(self) -> None:
        """Plays until the player quits or input ends."""
        message = self._begin(self._offer_kept())
        self._show(f"{message}\nType help for the commands, quit to leave.".lstrip())
        try:
            while True:
                game, board = self.game, self.game.board
                try:
                    message = self.do(self.read("> "))
                except KeyboardInterrupt:
                    message = "Stopped. Type quit to leave."
                if self.game is not game or (self.game.board != board and not self.screen.plain):
                    self._show(message)
                else:
                    self._redraw(message)
        except (EOFError, Quit):
            self._leave_session()
        except BaseException:
            self._keep()
            raise

    def do(self, line: str) -> str:
        """Carries out one line; returns what to say."""
        words = line.split()
        if not words:
            return ""
        command = BY_NAME.get(words[0].lower())
        try:
            if command is not None:
                return command.run(self, words[1:])
            return self._play(words)
        except RecordsError as error:
            self.records = None
            return f"{error}. This game goes on without records."
        except FcfastError as error:
            return str(error)
        except UnicodeDecodeError:
            return "That file is not text in UTF-8."
        except OSError as error:
            return f"{error.strerror}: {error.filename}"

    # Moves and cards

    def _play(self, words: list[str]) -> str:
        """Plays several moves or cards; stops at the first that cannot be made."""
        if len(words) % 2 == 0 and all(len(word) == 1 for word in words):  # 4 a
            words = [
                source + target for source, target in zip(words[::2], words[1::2], strict=True)
            ]
        steps: list[tuple[str, int | None]] = []  # a count is one digit: 12 is a move
        for word in words:
            if steps and re.fullmatch("[1-9]", word) and steps[-1][1] is None:
                steps[-1] = (steps[-1][0], int(word))
            elif self._is_move(word) or self._card(word) is not None:
                steps.append((word, None))
            else:
                return f"I do not know {word[:20]!r}. A move is like 4a; help lists the commands."
        said = []
        for word, count in steps:
            try:
                said.append(self._step(word, count))
            except FcfastError as error:
                said.append(str(error))
                break
            if self.game.outcome is not Outcome.PLAYING:
                break
        return "\n".join(filter(None, said))

    def _step(self, word: str, count: int | None) -> str:
        """One move, or the card of that name if there is no such legal move."""
        card = self._card(word)
        refusal: FcfastError | None = None
        if self._is_move(word):
            try:
                return self._made(self.game.read(word, count), self._other(word, card))
            except FcfastError as error:
                if card is None:
                    raise
                refusal = error
        try:
            assert card is not None
            return self._made(self.game.best_place(card))
        except FcfastError as error:
            raise IllegalMove(str(error) if refusal is None else f"{refusal}; {error}") from None

    def _other(self, word: str, card: int | None) -> int | None:
        """The card of a word that is a move, if it could go somewhere too and is not what moves."""
        if card is None:
            return None
        try:
            place = self.game.best_place(card)
        except FcfastError:
            return None
        return None if place.source == word[0].lower() else card

    def _made(self, move: Move, other: int | None = None) -> str:
        """Makes a move and says so; `other` is a card that the player may have meant."""
        before = self.game.board
        if self.guard and before not in self._verdicts:
            self._verdicts[before] = self._advice(VERDICT_SECONDS).verdict
        turn = self.game.move(move)
        said = self.screen.turn(before, turn)
        if other is not None:
            said += f" For {self.screen.card(before, other)} say `card {before.name(other)}`."
        if self.guard and self._lost_by_leaving(before):
            said += "\nCareful: that move lost the game (proved). undo takes it back."
        return "\n".join(filter(None, [said, self._after_turn()]))

    def _lost_by_leaving(self, before: Board) -> bool:
        """Could the game be won on the board before the last move, and is it proved lost now?"""
        verdict = self._verdicts[self.game.board] = self._advice(VERDICT_SECONDS).verdict
        return self._verdicts[before] == "winnable" and verdict.startswith("lost")

    def _after_turn(self) -> str:
        """What a player should know after a move."""
        game = self.game
        if game.outcome is Outcome.WON:
            return self._won()
        if game.outcome is Outcome.STUCK:
            return "No legal move is left. undo, restart or new?"
        if game.can_finish:
            return "All that is left is going home: type auto to finish."
        if not game.legal_moves():
            return "Only moves that change nothing are left."
        return ""

    def _won(self) -> str:
        game = self.game
        said = f"You have won, in {game.move_count} moves and {clock_text(game.seconds)}."
        if game.ended:
            said = "You have won, as you asked."
        if game.helped:
            said += " The solution was shown, so it is recorded as helped."
        best = self._best
        if best is not None and not game.helped and not game.ended:
            if game.seconds < best.seconds:
                said += " Your best time for this deal!"
            if game.move_count < best.moves:
                said += " Your fewest moves for this deal!"
        return "\n".join(filter(None, [f"{said} new deals another.", self._record()]))

    def _is_move(self, word: str) -> bool:
        return re.fullmatch(r"[0-9a-kxyz]{2}(v[1-9a-d])?", word.lower()) is not None

    def _card(self, word: str) -> int | None:
        return card_named(word.replace("\ufe0f", "").lower(), self.game.board.base)

    # Advice

    def _advice(self, seconds: float) -> Advice:
        return self._guide.advise(self.game, seconds)

    def hint(self, _: list[str]) -> str:
        if self.game.outcome is Outcome.STUCK:
            return "No legal move is left: the game is over unless you undo."
        advice = self._advice(HINT_SECONDS)
        if advice.verdict == "winnable":
            self.game.hints += 1
            left = "the last move" if len(advice.line) == 1 else f"{len(advice.line)} moves to win"
            return f"Hint: {self._shown(advice.line[0])} ({left})."
        return self._say_verdict(advice, HINT_SECONDS)

    def is_winnable(self, _: list[str]) -> str:
        advice = self._advice(VERDICT_SECONDS)
        if advice.verdict == "winnable":
            return f"Yes, it can be won: {self._written(advice.line)}"
        return self._say_verdict(advice, VERDICT_SECONDS)

    def solve(self, _: list[str]) -> str:
        advice = self._advice(HINT_SECONDS)
        if advice.verdict != "winnable":
            return self._say_verdict(advice, HINT_SECONDS)
        self.game.plan(advice.line)
        return (
            f"{self._written(advice.line)}\n"
            "redo (or r) steps forward through it, undo (or u) back; redo 99 goes to the end."
        )

    def _say_verdict(self, advice: Advice, seconds: float) -> str:
        return {
            "won": "The game is won.",
            "lost": "No, this position is lost: that is proved. undo may help.",
            "lost but for cards back": "Lost, unless cards come back from the foundations: that is "
            "proved, and no win with cards coming back was found.",
            "unknown": f"Not known: neither a win nor a proof was found in {seconds:g} s.",
        }[advice.verdict]

    def _written(self, line: tuple[Move, ...]) -> str:
        """A line as the player can type it."""
        words = []
        board = self.game.board
        for move in line:
            words.append(self.game.typed(board, move))
            board = self.game.settled(board.moved(move))[0]
        return " ".join(words)

    def _shown(self, move: Move) -> str:
        """A move that can be made now, as it is typed and what it does."""
        board = self.game.board
        return f"{self.game.typed(board, move)}: {self.screen.move(board, move)}"

    def why(self, words: list[str]) -> str:
        if not words:
            return "Say a move too, such as `why 52`, or `why 52 3` for three cards."
        count = int(words[1]) if words[1:] and re.fullmatch("[1-9]", words[1]) else None
        move = self.game.read(words[0], count)
        reason = self.game.reason(self.game.board, move)
        if reason is None:
            return f"{self._shown(move)} is allowed."
        return f"{move}: {reason}. {self._about_runs(move)}".rstrip()

    def _about_runs(self, move: Move) -> str:
        """How the run limit is reckoned, where more than one card is to move."""
        limits: dict[RunLimit, str] = {
            "standard": "The limit is (free cells + 1), doubled for every empty column"
            " that is not the target.",
            "linear": "The limit is free cells + empty columns + 1, the target not counted.",
            "single": "Only single cards move.",
            "unlimited": "",
        }
        return limits[self.game.house.variant.run_limit] if move.count > 1 else ""

    def moves(self, words: list[str]) -> str:
        found: dict[str, list[str]] = {}
        for move in self.game.legal_moves():
            if not words or move.source in "".join(words).lower():
                found.setdefault(move.source, []).append(self._shown(move))
        if not found:
            return "No legal move" + (" from there." if words else " is left.")
        return "\n".join("; ".join(listed) for listed in found.values())

    # Turns

    def undo(self, words: list[str]) -> str:
        count = self.game.undo(_count(words))
        return f"{count} move{'s' * (count != 1)} taken back."

    def redo(self, words: list[str]) -> str:
        count = _count(words)
        said = ""
        for _ in range(count):
            before = self.game.board
            self.game.redo()
            said = self.screen.turn(before, self.game.turns[-1])
            if not self.game.future:
                break
        return "\n".join(filter(None, [said, self._after_turn()]))

    def restart(self, _: list[str]) -> str:
        self.game.restart()
        return "From the start again; redo leads back."

    def auto(self, _: list[str]) -> str:
        before = self.game.board
        turn = self.game.auto()
        return "\n".join(filter(None, [self.screen.turn(before, turn), self._after_turn()]))

    def card(self, words: list[str]) -> str:
        card = self._card(words[0]) if words else None
        if card is None:
            return "Say a card too, such as `card 7h`."
        return self._made(self.game.best_place(card))

    def back(self, words: list[str]) -> str:
        card = self._card(words[0]) if len(words) == 2 else None
        if card is None:
            return "Say a card and a place, such as `back 7h 5` or `back 7h a`."
        board = self.game.board
        suit = FOUNDATIONS[card % 4]
        if self.game.house.take_back == "none":
            raise IllegalMove("cards do not come back from the foundations under these rules")
        if board.foundations[card % 4] != card // 4 + 1:
            return f"{self.screen.card(board, card)} is not on top of its foundation."
        return self._made(Move(suit, words[1].lower()))

    # Games

    def new(self, words: list[str]) -> str:
        if words:
            return self.number(words)
        return self._deal(random_game(self.game.house, self.random_from))

    def number(self, words: list[str]) -> str:
        if not words:
            code = self.game.code
            named = "no number" if self.game.number is None else f"number {self.game.number}"
            return f"This deal has {named}{f' and code {code}' if code else ''}."
        return self._deal(Game(words[0], self.game.house))

    def daily(self, _: list[str]) -> str:
        return self._deal(Game(daily_number(), self.game.house))

    def custom(self, _: list[str]) -> str:
        self.screen.say("Type the columns, one a line, deepest card first; end with a full stop.")
        lines: list[str] = []
        while not lines or lines[-1].strip() != ".":
            lines.append(self.read(""))
        return self._deal(Game(self._board("\n".join(lines[:-1])), self.game.house))

    def import_board(self, words: list[str]) -> str:
        if not words:
            return self.custom(words)
        text = _read_file(words)
        return self._deal(Game(self._board(text), self.game.house))

    def export(self, words: list[str]) -> str:
        text = self.game.board.to_text()
        if not words:
            return text.rstrip("\n")
        path = _path(words)
        _refuse_to_overwrite(path)
        path.write_text(text, encoding="utf-8")
        return f"The board is written to {path}."

    def save(self, words: list[str]) -> str:
        if not words:
            self._kept = self._require_records().keep(self.game, self._kept)
            return "Kept: the next start offers it, and so does resume."
        path = _path(words)
        _refuse_to_overwrite(path, HEADING)
        path.write_text(self.game.to_text(), encoding="utf-8")
        return f"The game is saved in {path}."

    def load(self, words: list[str]) -> str:
        if not words:
            return self.resume(words)
        text = _read_file(words)
        return self._deal(Game.from_text(text), AGAIN)

    def resume(self, _: list[str]) -> str:
        records = self._require_records()
        for kept in records.kept():
            try:
                game = Game.from_text(kept.text)
            except FcfastError as error:
                records.drop(kept)
                return f"A kept game could not be read and is dropped: {error}."
            if not self._may_leave():
                return "This game goes on."
            if records.drop(kept):
                return self._deal(game, AGAIN, asked=True)
        return "No game is kept."

    def rules(self, words: list[str]) -> str:
        if not words:
            return self._say_rules()
        house = HouseRules.parse(" ".join(words), self.game.house)
        source = self.game.number if self.game.number is not None else self.game.start
        return self._deal(Game(source, house), f"House rules: {house}.")

    def _say_rules(self) -> str:
        house = self.game.house
        lines = [f"House rules: {house}", ""]
        for name, option in houserules.OPTIONS.items():
            value = getattr(house, name) if hasattr(house, name) else getattr(house.variant, name)
            lines.append(f"  {name}={option.write(value)}: {option.summary} ({option.values})")
        lines += ["", "Games to choose, each with options, such as `rules strict cells=2`:", ""]
        lines += [f"  {name}: {text}" for name, text in houserules.SUMMARIES.items()]
        return "\n".join(lines)

    def give_up(self, _: list[str]) -> str:
        self.game.give_up()
        return (
            "Given up: recorded when you leave this game. undo takes that back; new deals another."
        )

    def cheat(self, _: list[str]) -> str:
        if not self.game.house.cheat:
            raise IllegalMove(f"{self.game.house.name} has no cheat; windows has")
        answer = self.read("Win, lose or cancel? ").strip().lower()
        if answer not in ("win", "w", "lose", "l"):
            return "Cancelled."
        self.game.cheat(answer.startswith("w"))
        return self._won() if answer.startswith("w") else "You have lost, as you asked."

    def guard_on(self, words: list[str]) -> str:
        if words and words[0].lower() not in ("on", "off"):
            return "guard on, or guard off?"
        self.guard = not words or words[0].lower() == "on"
        return f"The guard is {'on' if self.guard else 'off'}."

    def show_board(self, _: list[str]) -> str:
        self.screen.show(self.game, self._best)
        return ""

    def stats(self, _: list[str]) -> str:
        return stats_text(self._require_records())

    def help(self, _: list[str]) -> str:
        return help_text()

    def quit(self, _: list[str]) -> str:
        if self._in_progress() and self.asks:
            offer = "Keep" if self.records else "Without records it cannot be kept. Leave"
            answer = self._ask(f"{offer} this game? [yes/no/cancel] ", "ync", "y")
            if answer == "c" or (answer == "n" and not self.records):
                return "This game goes on."
            if answer == "n":
                self._leave()
        raise Quit

    # Between games

    def _deal(self, game: Game, said: str = "A new game.", asked: bool = False) -> str:
        """Leaves this game for another, if the player means it; returns what to say."""
        if not asked and not self._may_leave():
            return "This game goes on."
        trouble = self._leave()
        self.game = game
        return "\n".join(filter(None, [self._begin(said), trouble]))

    def _may_leave(self) -> bool:
        if not (self._in_progress() and self.asks):
            return True
        return self._ask("Give up this game? [yes/no] ", "yn", "n") == "y"

    def _begin(self, message: str) -> str:
        """Makes a game the current one; returns `message` and what is to be said of the deal."""
        self._guide = Guide()
        self._recorded = False
        self._kept = None
        self._verdicts = {}
        self._best = None
        notes = [message]
        if self.records is not None:
            try:
                self._best = self.records.best(self.game)
            except RecordsError as error:
                self.records = None
                notes.append(f"{error}. This game goes on without records.")
        if not self.game.turns:
            verdict = self._advice(VERDICT_SECONDS / 5).verdict
            if verdict.startswith("lost"):
                unless = " unless cards come back from home" if verdict != "lost" else ""
                notes.append(f"Note: this deal cannot be won{unless}; that is proved.")
        return "\n".join(filter(None, notes))

    def _in_progress(self) -> bool:
        unfinished = self.game.outcome in (Outcome.PLAYING, Outcome.STUCK)
        return unfinished and bool(self.game.turns) and not self._recorded

    def _leave(self) -> str:
        """Records a game that was begun; returns what went wrong."""
        return self._record() if self.game.turns or self.game.ended else ""

    def _record(self) -> str:
        """Records the game once; returns what went wrong."""
        if self.records is None or self._recorded:
            return ""
        self._recorded = True
        try:
            self.records.add(self.game)
            if self._kept is not None:
                self.records.drop(self._kept)
        except RecordsError as error:
            self.records = None
            return f"{error}. Nothing is recorded any more."
        return ""

    def _keep(self) -> bool:
        """Keeps a game in progress; False if there is none, or no records."""
        if self.records is None or not self._in_progress():
            return False
        self.records.keep(self.game, self._kept)
        self._recorded = True
        return True

    def _leave_session(self) -> None:
        try:
            kept = self._keep()
        except RecordsError as error:
            self.screen.say(str(error))
            return
        trouble = self._record() if self.game.ended else ""
        if kept or trouble:
            self.screen.say(trouble or "The game is kept; the next `fcfast play` offers it.")

    def _offer_kept(self) -> str:
        """Says that games are kept, and asks whether to go on with the last one."""
        if self.records is None:
            return ""
        try:
            games = self.records.kept()
        except RecordsError as error:
            self.records = None
            return f"{error}. This game goes on without records."
        while games:
            kept = games.pop(0)
            try:
                game = Game.from_text(kept.text)
            except FcfastError as error:
                self.records.drop(kept)
                return (
                    f"A kept game could not be read and is dropped, so here is a new one: {error}."
                )
            status = self.screen.status(game, None)
            if not self.asks:
                return f"A game is kept ({status}); resume goes on with it."
            self.screen.say(f"A game is kept: {status}.")
            answer = self._ask("Go on with it? [yes/no/drop] ", "ynd", "y")
            if answer == "d":
                self.records.drop(kept)
                continue
            if answer == "n" or not self.records.drop(kept):
                return "It stays kept; resume goes on with it."
            self.game = game
            return AGAIN
        return ""

    def _require_records(self) -> Records:
        if self.records is None:
            raise FcfastError("there are no records; save FILE and load FILE work")
        return self.records

    def _board(self, text: str) -> Board:
        return Board.parse(text, self.game.house.variant)

    def _ask(self, question: str, letters: str, otherwise: str) -> str:
        """The first letter of an answer, one of `letters`; `otherwise` if there is no answer."""
        for _ in range(3):
            try:
                answer = self.read(question).strip().lower()[:1]
            except EOFError:
                break
            if answer and answer in letters:
                return answer
            if not answer:
                break
        return otherwise

    # Showing

    def _show(self, message: str) -> None:
        """The board, then what there is to say."""
        self.screen.clear()
        self.screen.show(self.game, self._best)
        if message:
            self.screen.say(message)

    def _redraw(self, message: str) -> None:
        """What there is to say; a terminal that redraws keeps its board in place above it."""
        if self.screen.redraws and len(message.splitlines()) < 6:
            self._show(message)
        elif message:
            self.screen.say(message)


class Command(NamedTuple):
    """A command: its names, how it is used, what it does."""

    names: str
    usage: str
    summary: str
    run: Callable[[Loop, list[str]], str]


COMMANDS = (
    Command("hint h", "hint", "a move that leads to a win", Loop.hint),
    Command("win? win w", "win?", "can this position still be won?", Loop.is_winnable),
    Command("solve", "solve", "a way to win; redo and undo step through it", Loop.solve),
    Command("moves m", "moves [4]", "the legal moves, or those from a place", Loop.moves),
    Command("why", "why 52", "why that move is refused", Loop.why),
    Command("guard", "guard on|off", "warn when a move loses a won game", Loop.guard_on),
    Command("undo u", "undo [N]", "take back a move, or N", Loop.undo),
    Command("redo r", "redo [N]", "make it again", Loop.redo),
    Command("restart", "restart", "this deal from its start", Loop.restart),
    Command("auto finish", "auto", "send home all that can go", Loop.auto),
    Command("card send", "card 7h", "send a card to its best place", Loop.card),
    Command("back", "back 7h 5", "bring a card back from home, if the rules let it", Loop.back),
    Command("new n", "new", "a random deal", Loop.new),
    Command(
        "number code", "number 617", "that deal, or that code; alone: which this is", Loop.number
    ),
    Command("daily", "daily", "the deal of the day, the same for all", Loop.daily),
    Command("custom", "custom", "type in a deal of your own", Loop.custom),
    Command("rules", "rules [NAME]", "the house rules, or this deal under others", Loop.rules),
    Command("giveup give resign", "giveup", "end the game as lost", Loop.give_up),
    Command("save", "save [FILE]", "keep this game for later", Loop.save),
    Command("resume", "resume", "go on with the game kept last", Loop.resume),
    Command("load", "load FILE", "go on with a game saved in a file", Loop.load),
    Command("export", "export [FILE]", "this position as text", Loop.export),
    Command("import", "import FILE", "play a position from text", Loop.import_board),
    Command("stats", "stats", "games, wins, streaks and bests", Loop.stats),
    Command("cheat", "cheat", "win or lose at once, under the rules of windows", Loop.cheat),
    Command("board b", "board", "show the board again", Loop.show_board),
    Command("help ?", "help", "this list", Loop.help),
    Command("quit q exit", "quit", "leave; the game can be kept", Loop.quit),
)
BY_NAME = {name: command for command in COMMANDS for name in command.names.split()}


def help_text() -> str:
    """What can be typed, in lines of less than 80 characters."""
    lines = [
        "Moves: from, to. Columns are 1 2 3 .., cells a b c .., and h is home.",
        "  4a    column 4 to cell a              a5     cell a to column 5",
        "  5h    column 5 home                   52     from 5 to 2, as many as fit",
        "  52 3  three cards from 5 to 2         4a 26  several moves on one line",
        "  10s   a card goes to its best place   7h     the same, if that is no move",
    ]
    for command in COMMANDS:
        names = command.names.split()
        short = next((name for name in names if len(name) == 1), "")
        lines.append(f"  {command.usage:<13} {short:<2} {command.summary}")
    return "\n".join(lines)


def _count(words: list[str]) -> int:
    if not words:
        return 1
    if not re.fullmatch("[1-9][0-9]{0,3}", words[0]):
        raise InvalidMove(f"{words[0][:20]!r} is not a number of moves")
    return int(words[0])


def _path(words: list[str]) -> Path:
    return Path(" ".join(words)).expanduser()


def _read_file(words: list[str]) -> str:
    with _path(words).open(encoding="utf-8-sig") as file:
        text = file.read(MOST_CHARACTERS + 1)
    if len(text) > MOST_CHARACTERS:
        raise FcfastError(f"that file has more than {MOST_CHARACTERS:,} characters")
    return text


def _refuse_to_overwrite(path: Path, heading: str | None = None) -> None:
    """A file stays as it is, unless it begins with the heading of what is to be written."""
    if not path.exists():
        return
    if heading is None or not path.read_bytes().startswith(heading.encode()):
        raise FcfastError(f"{path} exists; choose another name")
