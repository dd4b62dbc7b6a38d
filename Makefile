# Needs Python 3.11 or newer, git and make. Everything else comes from requirements.lock.

PYTHON ?= $(shell python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo python3 || echo python3.11)
BIN := .venv/bin
READY := .venv/ready
UV := 0.13.9
ATHERIS := 3.0.0
# Tests are bound by the processor; a second process halves their time on two cores.
JOBS ?= 2

RESULTS ?= build/bench

.PHONY: demo test lint slow soak soak-bucket fuzz crash threshold growth bench bench-full \
	bench-peers report darcs lock clean

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
	OXY_PROFILE=slow OXY_KILLS=50 $(BIN)/pytest -m "not threshold" -n $(JOBS) --dist=worksteal --durations=20

# 20 clients that push 100 changes each to one server of HTTP, 5 of them to one bookmark.
soak: $(READY)
	OXY_CLIENTS=20 OXY_PUSHES=100 $(BIN)/pytest tests/scenario/test_serving.py -k many -q

# 20 who push 20 times each to one bucket, 5 of them to one bookmark, some of them killed.
soak-bucket: $(READY)
	OXY_WRITERS=20 OXY_PUSHES=20 $(BIN)/pytest tests/scenario/test_many_writers.py -q

# Every decoder and parser with what libFuzzer makes up; FUZZ is what tests/fuzz/run.py takes.
fuzz: $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check --only-binary :all: "atheris==$(ATHERIS)"
	$(BIN)/python -m tests.fuzz.run $(FUZZ)

# What crashes and faults leave, all of it, which takes hours; CRASH="--most 100" tries a part.
crash: $(READY)
	$(BIN)/python -m tests.fault.crash --processes $(JOBS) $(CRASH)
	$(BIN)/python -m tests.fault.faults $(CRASH)

# The threshold bench; OXY_BENCH_FILES, OXY_BENCH_CHANGES and OXY_BENCH_DIR set size and place.
threshold: $(READY)
	OXY_BENCH_JSON=$(RESULTS)/threshold.json $(BIN)/pytest -m threshold tests/threshold -q

# The rows of the threshold bench, and what else must not grow, at four sizes.
growth: $(READY)
	$(BIN)/python -m bench.threshold --growth --json $(RESULTS)/growth.json

# The same operations on oxy and on what else is installed of git, Mercurial and Fossil.
bench-peers: $(READY)
	set -e; for files in 1000 10000 100000; do \
		$(BIN)/python bench/peers.py --size $$files --changes 1000 \
			--json $(RESULTS)/peers-$$files.json; done
	-$(BIN)/python -m bench.beside $(RESULTS)/peers-1000.json $(RESULTS)/peers-10000.json \
		$(RESULTS)/peers-100000.json
	set -e; for tree in wide deep heavy long source; do \
		$(BIN)/python bench/peers.py --tree $$tree --iters 3 \
			--json $(RESULTS)/peers-$$tree.json; done

# Everything that is measured alone, at small sizes: under ten minutes. BENCH adds options.
bench: $(READY)
	$(BIN)/python -m bench all --small --results $(RESULTS) $(BENCH)

# The same at the sizes that each has where none is named.
bench-full: $(READY)
	$(BIN)/python -m bench all --results $(RESULTS) $(BENCH)

# One page of all results.
report: $(READY)
	$(BIN)/python -m bench.report $(RESULTS)/*.json -o $(RESULTS)/report.html

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
