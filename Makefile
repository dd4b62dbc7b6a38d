# Needs Python 3.11 or newer, git and make. Everything else comes from requirements.lock.

PYTHON ?= $(shell python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo python3 || echo python3.11)
BIN := .venv/bin
READY := .venv/ready
UV := 0.13.9
# Tests are bound by the processor; a second process halves their time on two cores.
JOBS ?= 2

.PHONY: demo test lint slow threshold bench bench-peers lock clean

demo: $(READY)
	./demo/run

test: lint
	$(BIN)/pytest --ignore=tests/house -n $(JOBS) --dist=worksteal --durations=20

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest tests/house -q

# Everything again with the tests that take minutes; OXY_EXAMPLES is the examples of each property.
slow: $(READY)
	OXY_PROFILE=slow $(BIN)/pytest -m "not threshold" -n $(JOBS) --dist=worksteal --durations=20

# The threshold bench; OXY_BENCH_FILES, OXY_BENCH_CHANGES and OXY_BENCH_DIR set size and place.
threshold: $(READY)
	$(BIN)/pytest -m threshold tests/threshold -q

# The same operations on oxy and on what else is installed of git, Mercurial and Fossil.
bench-peers: $(READY)
	set -e; for files in 1000 10000 100000; do $(BIN)/python bench/peers.py --files $$files; done
	set -e; for tree in wide deep heavy long source; do $(BIN)/python bench/peers.py --tree $$tree; done

bench: $(READY)
	set -e; for scenario in bench/*.py; do $(BIN)/python $$scenario; done

# The line cases beside Darcs, which has to be installed (Debian: darcs).
darcs: $(READY)
	$(BIN)/python bench/darcs_cases.py

# Exact versions and digests of everything, for every platform; no address is written.
lock:
	$(PYTHON) -m venv build/lock
	build/lock/bin/pip install --quiet uv==$(UV)
	build/lock/bin/uv pip compile pyproject.toml --extra dev --universal \
		--python-version 3.11 --generate-hashes --no-annotate --quiet --upgrade \
		--custom-compile-command "make lock" --output-file requirements.lock

# The environment is made anew when the lock changes, and only then.
.venv/locked: requirements.lock
	$(PYTHON) -m venv --clear .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	touch $@

$(READY): .venv/locked pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

clean:
	rm -rf .venv build dist .hypothesis .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
