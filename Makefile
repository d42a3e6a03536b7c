# The two commands a user needs are `make conformance` and `make test`; each does its own set-up from a bare clone.
# What a step has done is remembered by a stamp below .venv/, so that a second call rebuilds only what changed.

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

VENV   := .venv
PYTHON := $(VENV)/bin/python
STAMPS := $(VENV)/stamps
# nodejs-bin warns about being run as a module, of itself; that says nothing about us.
# What npm starts (tsc, biome, node --test) looks for node on the PATH: there too it is to be the one of nodejs-bin.
NPM    := PATH="$$(echo $(abspath $(VENV))/lib/python3.*/site-packages/nodejs/bin):$$PATH" $(abspath $(PYTHON)) -W ignore::RuntimeWarning -m nodejs.npm

PYTHON_SOURCES := conformance harness mutants reference_py reports tests adapters/python adapters/mpi

.PHONY: help conformance test lint setup mpi vectors mutants requirements clean require-python require-strace

help:
	@echo 'make conformance   every vector against every adapter; reports in reports/out/'
	@echo 'make test          the tests of the suite itself and the libraries'"'"' own; the vectors are put by make conformance'
	@echo 'make lint          types, style and formatting in all languages'
	@echo 'make mpi           install what the collective pfc publication needs; the others then run it too'
	@echo 'make vectors       write vectors/ anew from the builders, put them to all, and write docs/coverage.md'
	@echo 'make mutants       is every small change of the libraries caught by the vectors? LANGUAGE=rust SHARD=1/4; hours'
	@echo 'make clean         remove everything that these commands have built'

conformance: setup
	$(VENV)/bin/conformance run --reports reports/out
	$(PYTHON) -m adapters.mpi.trials --optional --json reports/out/mpi.json

test:: setup | require-strace
	$(PYTHON) -m pytest tests

lint:: setup
	$(PYTHON) -m ruff check $(PYTHON_SOURCES)
	$(PYTHON) -m ruff format --check $(PYTHON_SOURCES)
	$(PYTHON) -m mypy conformance harness mutants reference_py reports tests --exclude '^tests/mpi/'
	@if $(PYTHON) -c 'import mpi4py' 2>/dev/null; then \
	  echo '$(PYTHON) -m mypy adapters/mpi tests/mpi' && $(PYTHON) -m mypy adapters/mpi tests/mpi; \
	else echo 'NOT CHECKED (and not passed): the types of adapters/mpi; `make mpi` installs what that needs' >&2; fi
	$(PYTHON) -m mypy adapters/python/adapter.py
	$(VENV)/bin/conformance vectors check

vectors: setup
	$(VENV)/bin/conformance vectors build
	$(VENV)/bin/conformance run --reports reports/out
	$(VENV)/bin/conformance coverage --write

# Mutation testing: LANGUAGE=python|rust|typescript (default: all, one after another), SHARD=i/n. Hours; can be broken
# off at any time and goes on where it was. Its tools live in a place of their own, since nothing else needs them.
LANGUAGE := python rust typescript
SHARD    := 1/1
MUTATION := $(VENV)/mutation

mutants: setup $(STAMPS)/mutation
	for language in $(LANGUAGE); do \
	  $(PYTHON) -m mutants --language $$language --shard $(SHARD) \
	    --tool-python $(MUTATION)/bin/python --cargo-mutants $(abspath $(MUTATION))/bin/cargo-mutants || exit 1; \
	done

$(STAMPS)/mutation: mutants/tools/python/requirements.txt mutants/tools/typescript/package-lock.json | $(STAMPS)/python require-cargo
	test -x $(MUTATION)/bin/python || python3 -m venv $(MUTATION)
	$(MUTATION)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r mutants/tools/python/requirements.txt
	cd mutants/tools/typescript && $(NPM) ci --silent --no-audit --no-fund
	cargo install --quiet --locked --root $(MUTATION) cargo-mutants@25.3.1
	@touch $@

setup: $(STAMPS)/python

mpi: $(STAMPS)/mpi

$(STAMPS)/python: requirements.txt pyproject.toml | require-python
	test -x $(PYTHON) || python3 -m venv $(VENV)
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/mpi: requirements-mpi.txt $(STAMPS)/python
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-mpi.txt
	@touch $@

require-python:
	@command -v python3 >/dev/null || { echo 'python3 is missing (3.11 or newer is needed). Install it: apt-get install python3 python3-venv' >&2; exit 2; }
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "python3 is $$(python3 -V); 3.11 or newer is needed. Install it: apt-get install python3 python3-venv" >&2; exit 2; }
	@python3 -c 'import ensurepip, venv' 2>/dev/null || { echo 'python3 cannot make virtual environments. Install what is missing: apt-get install python3-venv' >&2; exit 2; }

require-strace:
	@command -v strace >/dev/null || { echo 'strace is missing (the tests watch how commits reach the disk). Install it: apt-get install strace' >&2; exit 2; }

# Only for whoever changes requirements.in.
requirements: $(STAMPS)/python
	$(PYTHON) -m pip install --quiet --disable-pip-version-check uv
	$(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate requirements.in -o requirements.txt

clean::
	rm -rf $(VENV) reports/out .mypy_cache .ruff_cache .pytest_cache .hypothesis

# A language adds to `setup`, `test`, `lint` and `clean` in its own folder; it is built after what Python needs.
include $(sort $(wildcard adapters/*/*.mk))
