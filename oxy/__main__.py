"""`python -m oxy` is `oxy` (spec: command-line)."""

from oxy.cli.main import end, main

end(main())
