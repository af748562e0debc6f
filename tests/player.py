"""A session of the text game whose lines the test types."""

import io

from fcfast.play.game import Game
from fcfast.play.loop import Loop
from fcfast.play.screen import Screen


class Player:
    """Types lines; each call returns what is said to one. `answers` are read where it is asked."""

    def __init__(self, source=617, house="web", answers=(), plain=False, **options) -> None:
        self.stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        self.answers = list(answers)
        screen = Screen(plain, stream=self.stream)
        self.loop = Loop(Game(source, house), screen, self.read, **options)

    def read(self, prompt: str) -> str:
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)

    def __call__(self, line: str) -> str:
        return self.loop.do(line)

    @property
    def game(self) -> Game:
        return self.loop.game

    @property
    def shown(self) -> str:
        self.stream.flush()
        return self.stream.buffer.getvalue().decode()
