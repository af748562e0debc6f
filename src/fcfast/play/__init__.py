"""FreeCell for people: a game in plain text, with undo, hints that win, and records.

game.py is the whole of the game and knows no terminal; loop.py reads commands, screen.py draws.
Import order: houserules, codes, words -> game, saves -> guide, choosing,
records -> screen -> loop, watch.
"""
