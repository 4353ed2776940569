# The commands of the project. Everything lives in .venv and build/ inside the clone; nothing is installed globally.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Quick on repeat: only the extension is built again, by ninja, in build/.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
BUILD_TOOLS := "scikit-build-core>=1.1,<2" "nanobind>=3.1,<4" "cmake>=3.26" ninja

.DEFAULT_GOAL := help
.PHONY: help develop build test demo lint format kernel-test clean

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

# The virtual environment with all dependencies; made again when pyproject.toml changes.
$(VENV)/.ready: pyproject.toml
	@$(BIN)/python -c "import pip" 2>/dev/null || { rm -rf $(VENV); $(PYTHON) -m venv $(VENV); }
	$(INSTALL) --upgrade "pip>=25"
	$(INSTALL) $(BUILD_TOOLS)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(INSTALL) --no-build-isolation --editable ".[test,dev]"
	@touch $@

develop: $(VENV)/.ready build ## virtual environment + editable install; run again after changing C++

build: $(VENV)/.ready
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(INSTALL) --no-build-isolation --no-deps --editable .

test: develop ## the Python tests, in parallel
	$(BIN)/python -m pytest -n auto -q

demo: develop ## grow and print a tree on the penguins
	$(BIN)/bough fit penguins --target species --output build/model.json

lint: develop ## everything that reads code without running it
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.ready ## rewrite the code in the house format
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

clean: ## remove everything that was built
	rm -rf $(VENV) .venv-oldest build
