"""python -m fcfast"""

import sys

from fcfast.cli import main

if __name__ == "__main__":
    sys.exit(main())
