"""What every test starts from: an interrupt interrupts.

A suite that runs in the background, as in .ci/run, inherits an ignored SIGINT from its shell, and
so would every program that a test starts and interrupts.
"""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
