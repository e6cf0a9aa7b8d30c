# Theogony: needs Python 3.11 or newer and make; everything else is fetched into .venv.
.PHONY: help run test test-all test-services test-places test-browser faults balance nightly lint types schema replay bench drill drill-citus \
	clients conformance format clean
.DEFAULT_GOAL := help

# The Python of .venv: make PYTHON=python3.12 names another.
PYTHON ?= $(shell sh tools/quickest_python.sh)
BIN := .venv/bin
UV := $(shell command -v uv 2>/dev/null || echo .venv-boot/bin/uv)
STAMP := .venv/.synced
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
ARGS ?=
WORKERS ?= 3
# Some containers forbid bytecode; without it each process compiles some 2,000 modules when it starts.
export PYTHONDONTWRITEBYTECODE :=

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-17s %s\n", $$1, $$2}' Makefile

.venv-boot/bin/uv:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; name one: make PYTHON=python3.12")'
	if $(PYTHON) -c 'import ensurepip' 2>/dev/null; then $(PYTHON) -m venv .venv-boot; else python3 -m venv .venv-boot; fi
	.venv-boot/bin/python -m pip install --quiet --disable-pip-version-check 'uv>=0.13,<0.14'

$(STAMP): uv.lock pyproject.toml | $(UV)
	$(UV) sync --locked --quiet --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')"
	@touch $@

run: export DEBUG ?= 1
run: export DEMO ?= 1
run: export LOG_FORMAT ?= console
run: export LOG_LEVEL ?= WARNING
run: export WEBHOOK_PRIVATE_NETS ?= 1
run: $(STAMP)  ## the whole service on this machine, with a live demo event: http://127.0.0.1:8000/
	$(BIN)/python manage.py serve

test: export TESTS := short
test: WORKERS := $(shell nproc 2>/dev/null || echo 2)
test: $(STAMP)  ## the tests in their short form, on SQLite, nothing else needed; it ends with what it left out
	$(PYTEST) $(ARGS)

# What runs on PostgreSQL with games in two schemas (ADR 115); all else with one. At night everything runs with both.
PLACED := $(addprefix tests/,accounts api event_pages faults games places worlds)
SERVED = $(BIN)/python tools/with_services.py $(PYTEST)
test-services: export TESTS := services
test-services: $(STAMP)  ## the whole form, on PostgreSQL and Redis (started for the occasion where none runs)
	$(SERVED) $(addprefix --ignore=,$(PLACED)) tests $(ARGS)
	PLACES=2 $(SERVED) $(PLACED) $(ARGS)

test-places: export PLACES := 2
test-places: export TESTS := services
test-places: $(STAMP)  ## of that form what runs with games spread over two schemas (docs/scaling.md)
	$(SERVED) $(PLACED) $(ARGS)

test-all: test  ## every test: the short form, then side by side a browser and the whole form on PostgreSQL and Redis
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target test-browser test-services

test-browser: WORKERS := 4
test-browser: $(STAMP)  ## the tests in a real browser (Debian's chromium)
	@command -v chromium >/dev/null || { echo "No chromium here: apt-get install chromium"; exit 1; }
	$(PYTEST) $(wildcard tests/*/test_*_browser.py) $(ARGS)

faults: export FAULTS := full
faults: $(STAMP)  ## every fault test at its full length, on SQLite, then on PostgreSQL and Redis (hours: for the night)
	$(PYTEST) tests/faults $(ARGS)
	$(BIN)/python tools/with_services.py $(PYTEST) tests/faults $(ARGS)

balance: export BALANCE := full
balance: $(STAMP)  ## thirty whole games of bots of each ruleset against its bounds (a quarter of an hour: for the night)
	$(BIN)/python -m pytest tests/balance tests/rules/gods2/test_whole_game.py $(ARGS)

nightly faults: PYTEST += --timeout=7200
nightly: export BALANCE := full
nightly: export EXAMPLES := full
nightly: export FAULTS := full
nightly: export SECURITY := full
# What needs no database says the same beside each.
ROWLESS := $(addprefix --ignore=tests/,balance engine oracle rules)
nightly: $(STAMP)  ## every test in its longest form, on SQLite, on PostgreSQL and Redis, and there in two schemas (hours: for the night)
	$(PYTEST) $(ARGS)
	$(SERVED) $(ROWLESS) tests $(ARGS)
	PLACES=2 $(SERVED) $(ROWLESS) tests $(ARGS)

lint: $(STAMP)  ## style, format, layers, and whether the committed schemas are those that the code makes
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	DEBUG=1 $(BIN)/python manage.py schema --check

types: $(STAMP)  ## mypy: strict for engine, rules and services
	$(BIN)/mypy

schema: $(STAMP)  ## write api/openapi/*.yaml and api/schema.graphql anew
	DEBUG=1 $(BIN)/python manage.py schema

replay: $(STAMP)  ## fold every game's log again and compare with its rows
	DEBUG=1 $(BIN)/python manage.py replay --all

bench: $(STAMP)  ## what commands, reads, watchers and timers cost, beside bare PostgreSQL and Django (twenty minutes)
	$(BIN)/python bench/all.py $(ARGS)

drill: $(STAMP)  ## two PostgreSQL servers: a place moves while games go on, a server is away, lost and restored (some four minutes)
	$(BIN)/python bench/drill.py $(ARGS)

drill-citus: $(STAMP)  ## a coordinator and two workers of Citus: the same there; says that it is skipped where there is no Citus
	$(BIN)/python bench/drill_citus.py

CONFORMANCE := tools/conformance
$(CONFORMANCE)/.venv/.synced: $(CONFORMANCE)/uv.lock $(CONFORMANCE)/pyproject.toml | $(UV)
	$(UV) sync --project $(CONFORMANCE) --locked --quiet --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')"
	@touch $@

$(CONFORMANCE)/node_modules/.synced: $(CONFORMANCE)/package-lock.json $(CONFORMANCE)/package.json
	cd $(CONFORMANCE) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

CLIENTS := clients/typescript
$(CLIENTS)/node_modules/.synced: $(CLIENTS)/package-lock.json $(CLIENTS)/package.json
	cd $(CLIENTS) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

clients: export UV := $(abspath $(UV))
clients: $(STAMP) $(CLIENTS)/node_modules/.synced  ## the clients in TypeScript and Python, made from api/openapi/, packed into dist/ and put beside clients/example/; needs Node 20.19 or newer
	$(BIN)/python -m clients.build

conformance: export UV := $(abspath $(UV))
conformance: $(STAMP) $(CLIENTS)/node_modules/.synced $(CONFORMANCE)/.venv/.synced $(CONFORMANCE)/node_modules/.synced  ## outside tools judge both APIs; needs Node 20.19 or newer
	$(BIN)/python -m tools.conformance.judge $(ARGS)

format: $(STAMP)  ## put the code into shape
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format --quiet .

clean:  ## forget environments and caches; data in var/ is kept
	rm -rf .venv .venv-boot .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
