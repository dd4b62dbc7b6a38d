"""`python -m oxy` is `oxy` (spec: command-line)."""

import sys

from oxy.cli.main import main

sys.exit(main())
