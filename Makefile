# The commands of the project. Everything lives in .venv and build/ inside the clone; nothing is installed globally.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Build tools of the virtual environment come first, so that an old system CMake does no harm.
export PATH := $(CURDIR)/$(BIN):$(PATH)
PIP := $(BIN)/python -m pip --disable-pip-version-check
BUILD_TOOLS := "scikit-build-core>=1.1,<2" "nanobind>=3.1,<4" "cmake>=3.26" ninja
CPP := $(shell find cpp bindings -name '*.hpp' -o -name '*.cpp' | sort)
JOBS := $(shell nproc 2>/dev/null || echo 2)
# The extension and with it the kernel, which its own tests link with, are compiled as strictly as those.
export SKBUILD_CMAKE_DEFINE ?= BOUGH_WERROR=ON
# Folders of tests that `make test` leaves to other commands.
LEFT_OUT ?= tests/engines

.DEFAULT_GOAL := help
.PHONY: help develop test browser engines demo lint ruff types layers clang-format tidy format docs kernel-test kernel-asan kernel-tsan clean

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

# The virtual environment with all dependencies; brought up to date when pyproject.toml changes.
$(VENV)/.ready: pyproject.toml
	@$(BIN)/python -c "import pip" 2>/dev/null || { rm -rf $(VENV); $(PYTHON) -m venv $(VENV); }
	$(PIP) install --quiet --upgrade "pip>=25"
	$(PIP) install --quiet $(BUILD_TOOLS)
	$(PIP) install --quiet --no-build-isolation --editable ".[test,dev]"
	@touch $@

develop: $(VENV)/.ready ## virtual environment + editable install; run again after changing C++ (quick)
	@$(PIP) install --quiet --no-build-isolation --no-deps --editable .
	@touch $(VENV)/.built

# What was installed, as long as no source is newer; a folder is newer when a file of it came or went.
$(VENV)/.built: $(VENV)/.ready $(CPP) CMakeLists.txt $(shell find cpp bindings -type d) $(shell find src -name '*.py')
	@$(MAKE) --no-print-directory develop

test: $(VENV)/.built ## the Python tests, in parallel
	@$(BIN)/python -m pytest -n logical --dist worksteal -q $(addprefix --ignore=,$(LEFT_OUT))

engines: $(VENV)/.built ## exports in real engines: DuckDB, SQLite, PostgreSQL, onnxruntime, node, gcc, CPython, PMML4S, JPMML
	@tools/engines.sh
	@$(BIN)/python -m pytest -q -n logical tests/engines

browser: $(VENV)/.built ## the page in a real browser; installs Chromium where it is missing
	@tools/browser.sh
	@$(BIN)/python -m pytest -q -n logical tests/page

demo: develop ## grow, print, judge and draw a tree on the penguins, then learn rules
	@$(BIN)/bough fit penguins --target species --output build/model.json
	@$(BIN)/bough show build/model.json --svg build/tree.svg --html build/tree.html
	@$(BIN)/bough fit penguins --target species --algorithm ripper --output build/rules.json
	@$(BIN)/bough rules build/rules.json --check

lint: ruff types layers clang-format tidy ## everything that reads code without running it

ruff: $(VENV)/.ready ## style of the Python code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.ready ## mypy --strict
	$(BIN)/mypy

layers: $(VENV)/.built ## who may import whom
	$(BIN)/lint-imports --no-cache

clang-format: $(VENV)/.ready ## layout of the C++ code
	$(BIN)/clang-format --dry-run -Werror $(CPP)

# What reading finds is read folder by folder, so that headers are read once; what only following all paths through a
# function finds, file by file. Tests are read, not followed: they run under the sanitizers.
FOLLOWED := -bugprone-*,-cppcoreguidelines-*,-google-*,-misc-*,-modernize-*,-performance-*,-readability-*
tidy: $(VENV)/.built build/reading/build.ninja ## mistakes and slow idioms in the C++ code
	@$(BIN)/python tools/units.py build/reading | \
	  xargs -P $(JOBS) -n 1 $(BIN)/clang-tidy --quiet -p build/reading '--checks=-clang-analyzer-*'
	@printf '%s\n' $(filter-out cpp/tests/%,$(filter %.cpp,$(CPP))) | \
	  xargs -P $(JOBS) -n 1 $(BIN)/clang-tidy --quiet -p "$$($(BIN)/python tools/build_dir.py)" \
	  '--checks=$(FOLLOWED)'

format: $(VENV)/.ready ## rewrite the code in the house layout
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP)

$(VENV)/.docs: $(VENV)/.ready
	$(PIP) install --quiet --no-build-isolation --editable ".[docs]"
	@touch $@

docs: $(VENV)/.docs $(VENV)/.built ## the pages in build/docs, with every example of the gallery run; a warning is an error
	@$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/docs
	@echo "build/docs/index.html"

# The kernel's own tests, without Python: of the very kernel that the extension has, and of kernels compiled anew under
# ASan + UBSan and under TSan; each in its own build folder. Sanitized builds keep their assertions, are optimised just
# enough to be quick to compile and to run, and are compiled folder by folder.
CHECKED := -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" -DBOUGH_BY_FOLDER=ON
BUILT_KERNEL = $(CURDIR)/$$($(BIN)/python tools/build_dir.py)/libbough_kernel.a
build/kernel/build.ninja: FLAGS = -DCMAKE_BUILD_TYPE=Release -DBOUGH_WERROR=ON -DBOUGH_KERNEL="$(BUILT_KERNEL)"
build/kernel/build.ninja: | $(VENV)/.built
build/kernel-asan/build.ninja: FLAGS := $(CHECKED) -DBOUGH_SANITIZE=ON
build/kernel-tsan/build.ninja: FLAGS := $(CHECKED) -DBOUGH_SANITIZE_THREAD=ON
build/reading/build.ninja: FLAGS = -DBOUGH_BY_FOLDER=ON -DBOUGH_BUILD_PYTHON=ON -DPython_EXECUTABLE="$(CURDIR)/$(BIN)/python"
build/%/build.ninja: CMakeLists.txt cpp/tests/CMakeLists.txt | $(VENV)/.ready
	@doctest=$$(tools/doctest_include.sh) && cmake -S . -B build/$* -G Ninja --log-level=WARNING \
	  -DBOUGH_BUILD_PYTHON=OFF -DBOUGH_BUILD_TESTS=ON -DDOCTEST_INCLUDE_DIR="$$doctest" $(FLAGS)
	@touch $@

kernel-test: build/kernel/build.ninja $(VENV)/.built ## the kernel's own tests
kernel-asan: build/kernel-asan/build.ninja ## ... under AddressSanitizer and UndefinedBehaviorSanitizer
kernel-tsan: build/kernel-tsan/build.ninja ## ... under ThreadSanitizer
kernel-test kernel-asan kernel-tsan:
	@cmake --build $(dir $<)
	@tools/run_kernel_tests.sh $(dir $<)cpp/tests/kernel_tests

clean: ## remove everything that was built
	rm -rf $(VENV) .venv-oldest build
