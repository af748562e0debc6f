"""FreeCell for people: a game in plain text, with undo, hints that win, and records.

game.py is the whole of the game and knows no terminal; loop.py reads lines, commands.py names what
may be typed, screen.py draws. Import order: houserules, codes, words, files -> game, saves ->
guide, choosing, records -> session, screen -> advising, dealing, keeping, moving -> commands ->
loop; watch.
"""
