"""The race: solvers, ours and others', on the same deals, under the same limits, answers checked.

    solvers    who races: a small class each, and a TOML file for solvers nobody has heard of
    worker     a process that keeps a library loaded and answers one deal after the other
    processes  runs a program under limits that bind its whole process tree
    dealsets   the deals, by name and range
    race       the order of runs; one row each, kept as soon as it is there
    judge      replays solutions, compares impossibilities with proofs
    scores     numbers from rows
    tables, plots, report, machine   what people look at

External programs are started, never linked or bundled. Nothing here is imported by the rest of
fcfast but by cli/bench.py.
"""
