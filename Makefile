# The commands of users, in one place; `make help` lists them. The targets set up .venv themselves.

PYTHON ?= python3
BIN := .venv/bin
NOX := $(BIN)/nox
PACKAGES := core extraction synthesis simt validation scoring gpu_checks

COUNT ?= 1000
SEED ?= 2000
CATEGORIES ?= core
COMPLEXITY ?= medium
WORKERS ?= auto
SAMPLE ?= 200
# One of so many pairs of `verified-dataset` also runs as PTX on the SIMT machine.
SIMT ?= 100
# Further texts of pairs with CUDA: PTX of an architecture such as sm_80, and with PLAIN=1 stand-alone CUDA.
PTX ?=
PLAIN ?=
DIR ?= $(firstword $(wildcard data/cuda data/both data/cpu) data/samples)
RAW ?= data/both
CHECKED := $(firstword $(wildcard data/both) data/samples)
# The version of the benchmark. The seeds from 7000000 to 7000999 belong to benchmarks: no other dataset uses them.
BENCHMARK := 7
BENCHMARK_SEED := 7000001
# Names and patterns of the shell; of a pattern that matches nothing, nothing is left out.
AGAINST ?= data/*/pairs-*.jsonl
SYNTHESIZE = $(BIN)/warpsmith-synthesize make --count '$(COUNT)' --backward --seed '$(SEED)' --workers '$(WORKERS)' \
	--categories '$(CATEGORIES)' --complexity '$(COMPLEXITY)' \
	$(if $(PTX),--ptx '$(PTX)') $(if $(filter-out 0,$(PLAIN)),--plain)

VARIABLES := COUNT SEED CATEGORIES COMPLEXITY WORKERS SAMPLE SIMT PTX PLAIN OUT DIR RAW AGAINST PYTHON UV

# Errors of the commands of these targets name the variables of users instead of the options that they become.
OPTION_NAMES := --count=COUNT --seed=SEED --categories=CATEGORIES --complexity=COMPLEXITY --workers=WORKERS --sample=SAMPLE --simt=SIMT \
	--ptx=PTX --plain=PLAIN \
	--output=OUT --exclude=AGAINST
cuda-dataset cpu-dataset both-dataset program-dataset verified-dataset benchmark validate verify stats report: \
	export WARPSMITH_OPTION_NAMES := $(OPTION_NAMES)
OF_SAMPLE = WARPSMITH_OPTION_NAMES='$(OPTION_NAMES:--count=COUNT=--count=SAMPLE)'
INTO_RAW = WARPSMITH_OPTION_NAMES='$(OPTION_NAMES:--output=OUT=--output=RAW)'

UNKNOWN := $(strip $(foreach name,$(filter-out $(VARIABLES),$(.VARIABLES)),$(if $(filter command,$(origin $(name))),$(name))))
ifneq ($(UNKNOWN),)
SIMILAR := $(shell $(PYTHON) -c 'import difflib, sys; print(*difflib.get_close_matches(sys.argv[1], sys.argv[2:], 1))' \
	'$(firstword $(UNKNOWN))' $(VARIABLES) 2>/dev/null)
$(error unknown variable $(firstword $(UNKNOWN)): $(if $(SIMILAR),did you mean $(SIMILAR)? )the variables are $(VARIABLES))
endif

.DEFAULT_GOAL := help
.PHONY: help cuda-dataset cpu-dataset both-dataset program-dataset verified-dataset validate verify stats report smoke samples state \
	benchmark test test-gpu test-ray bench lint types ideas release-catalogue docs wheels clean

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo "  options: COUNT=$(COUNT) SEED=$(SEED) CATEGORIES=$(CATEGORIES) COMPLEXITY=$(COMPLEXITY) OUT=data/<device>"
	@echo "           WORKERS=$(WORKERS) SAMPLE=$(SAMPLE) SIMT=$(SIMT) DIR=$(DIR) RAW=$(RAW) PYTHON=$(PYTHON)"
	@echo "           PTX=<architecture> PLAIN=1 AGAINST='$(AGAINST)'"

# uv, where it is installed, downloads and installs faster than pip, and installs the same.
UV := $(shell command -v uv 2>/dev/null)
ifdef UV
VENV = $(UV) venv --quiet --no-project --allow-existing --python $(PYTHON)
PIP = $(UV) pip install --quiet --no-config --compile-bytecode --python $(BIN)/python
else
# An environment that uv made contains no pip.
VENV = $(PYTHON) -I -m venv
PIP = $(BIN)/python -I -c 'import pip' 2>/dev/null || $(BIN)/python -I -m ensurepip > /dev/null && \
	$(BIN)/python -I -m pip install --quiet --disable-pip-version-check
endif
PIP_LOCKED = $(PIP) --require-hashes --only-binary :all:

# An environment is made anew if its Python is gone, after an update of the system or a move of the folder.
ifneq ($(wildcard .venv),)
ifneq ($(shell $(BIN)/python -I -c 'print(1)' 2>/dev/null),1)
$(info .venv is broken and is made anew)
$(shell rm -rf .venv)
endif
endif

SUPPORTED = import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))

$(NOX): requirements/nox.txt
	@$(PYTHON) -I -c '$(SUPPORTED)' || { echo "error: $(PYTHON) is not Python 3.10 to 3.13: name one, such as PYTHON=python3.11" >&2; exit 2; }
	@echo "setting up .venv"
	@$(VENV) .venv
	@$(PIP_LOCKED) -r requirements/nox.txt
	@touch $@ .venv/.installed

.venv/.ready: $(NOX) requirements/run.txt $(PACKAGES:%=packages/%/pyproject.toml)
	@echo "installing the packages"
	@$(PIP_LOCKED) -r requirements/run.txt
	@$(PIP) --no-deps --no-build-isolation $(PACKAGES:%=-e packages/%)
	@touch $@ .venv/.installed

# `uv sync` and `uv run` install the versions of uv.lock: the locked ones are installed again after them.
ifneq ($(shell test -f uv.lock && find .venv/lib/python*/site-packages -maxdepth 0 -newer .venv/.installed 2>&1),)
.PHONY: synced
$(NOX) .venv/.ready: synced
endif

# Sessions of nox that need the packages share .venv: each adds what its lock file contains.
.venv/.with-%: .venv/.ready requirements/%.txt
	@echo "installing requirements/$*.txt"
	@$(PIP_LOCKED) -r requirements/$*.txt
	@touch $@ .venv/.installed

# Make a dataset, which needs no GPU and no compiler, check the structure of all pairs, compile a sample, and say what there is.
# Nothing is read or checked again where nothing has changed.
define dataset
	@$(SYNTHESIZE) --device $(1) --output '$(or $(OUT),data/$(1))'
	@$(call check,'$(or $(OUT),data/$(1))')
endef

CHECK = $(BIN)/warpsmith-validate run $(1) --if-changed --workers '$(WORKERS)'
check = $(call CHECK,$(1)) --level parse > /dev/null && $(call CHECK,$(1)) --level compile --sample '$(SAMPLE)' > /dev/null && \
	$(BIN)/warpsmith-dataset show $(1)

cuda-dataset: .venv/.ready  ## Make COUNT pairs of Python and CUDA code, forward and backward, and check them
	$(call dataset,cuda)

cpu-dataset: .venv/.ready  ## Make and check COUNT pairs of Python and C++ code
	$(call dataset,cpu)

both-dataset: .venv/.ready  ## Make and check COUNT pairs of Python with both C++ and CUDA code
	$(call dataset,both)

program-dataset: .venv/.ready  ## Make COUNT whole programs in OUT (data/programs), run SAMPLE of them, and check each of their kernels
	@$(BIN)/warpsmith-synthesize make --programs --count '$(COUNT)' --backward --seed '$(SEED)' --workers '$(WORKERS)' --device both \
		--output '$(or $(OUT),data/programs)'
	@$(OF_SAMPLE) $(BIN)/warpsmith-validate programs '$(or $(OUT),data/programs)' --count '$(SAMPLE)' --workers '$(WORKERS)' \
		--output '$(or $(OUT),data/programs)/verdicts-programs.jsonl'

verified-dataset: .venv/.ready  ## Make COUNT pairs in RAW, run them up to level gradient, and copy those that pass into OUT (data/verified)
	@$(INTO_RAW) $(SYNTHESIZE) --device both --output '$(RAW)'
	@$(BIN)/warpsmith-validate run '$(RAW)' --level gradient --simt '$(SIMT)' --if-changed --workers '$(WORKERS)' || test $$? -eq 1
	@$(BIN)/warpsmith-dataset filter '$(RAW)' --require gradient=pass --output '$(or $(OUT),data/verified)'
	@$(BIN)/warpsmith-dataset show '$(or $(OUT),data/verified)'

BENCHMARK_FOLDER = $(or $(OUT),data/benchmark-$(BENCHMARK))
BENCHMARK_ROWS = '$(BENCHMARK_FOLDER)/pairs' --seed $(BENCHMARK_SEED) "$$@"
# Makes options of the files, whose names may contain spaces, the arguments of the shell.
EXCLUDE = set --; for file in $(AGAINST); do \
	case "$$file" in *'*'*) ;; *) set -- "$$@" --exclude "$$file" ;; esac; done;

benchmark: .venv/.ready  ## Make the benchmark in OUT (data/benchmark-7): tasks and repairs, not close to AGAINST (the pairs in data)
	@$(BIN)/warpsmith-synthesize make --count 700 --backward --seed $(BENCHMARK_SEED) --workers '$(WORKERS)' --device both \
		--output '$(BENCHMARK_FOLDER)/pairs'
	@$(BIN)/warpsmith-validate run '$(BENCHMARK_FOLDER)/pairs' --level gradient --workers '$(WORKERS)' || test $$? -eq 1
	@$(EXCLUDE) $(BIN)/warpsmith-score tasks $(BENCHMARK_ROWS) --judge --limit 200 --per-category 20 \
		--output '$(BENCHMARK_FOLDER)/tasks.jsonl'
	@$(EXCLUDE) $(BIN)/warpsmith-score repairs $(BENCHMARK_ROWS) --limit 70 --per-category 7 \
		--output '$(BENCHMARK_FOLDER)/repairs.jsonl'

validate: .venv/.ready  ## Check the dataset in DIR: the structure of all pairs, and the compilation of SAMPLE pairs
	@$(call check,'$(DIR)')

verify: .venv/.ready  ## Check the dataset in DIR against its manifest, and compare SAMPLE pairs with regenerated ones
	@$(BIN)/warpsmith-synthesize verify '$(DIR)' --sample '$(SAMPLE)' --workers '$(WORKERS)'

stats: .venv/.ready  ## Count statistics of the dataset in DIR: sizes, coverage of Warp, near duplicates
	@$(BIN)/warpsmith-dataset stats '$(DIR)' --workers '$(WORKERS)'

report: .venv/.ready  ## Write report.html into DIR: figures of the dataset and a browser of its pairs
	@$(BIN)/warpsmith-dataset report '$(DIR)' --workers '$(WORKERS)'

smoke: .venv/.ready  ## List the CUDA devices and run one kernel on each
	@$(BIN)/warpsmith-gpu smoke

samples: .venv/.ready  ## Regenerate data/samples: 80 pairs, eight of each category
	@rm -rf data/samples
	@$(BIN)/warpsmith-synthesize make --count 80 --device both --backward --shard-size 20 --output data/samples

state: .venv/.ready  ## Check data/both, or else data/samples, and write the table of CUDA_STATE.md
	@$(BIN)/warpsmith-validate run $(CHECKED) --level gradient --sample '$(SAMPLE)' --workers '$(WORKERS)' || test $$? -eq 1
	-@$(BIN)/warpsmith-gpu run $(CHECKED) --sample '$(SAMPLE)'
	@$(BIN)/python tests/state.py $(CHECKED)

test: $(NOX)  ## Run the tests that need no GPU
	@$(NOX) -s tests-cpu

test-gpu: $(NOX)  ## Run the tests that need a GPU; without one they are skipped with a reason
	@$(NOX) -s tests-gpu

test-ray: $(NOX)  ## Run the tests on a local Ray cluster and a local object store
	@$(NOX) -s tests-ray

bench: $(NOX)  ## Measure speed, draw the ratios by commit, and fail if one has fallen by more than 10%
	@$(NOX) -s bench

lint: $(NOX)  ## Run ruff, as linter and as formatter
	@$(NOX) -s lint

types: $(NOX)  ## Check types with mypy --strict
	@$(NOX) -s types

ideas: .venv/.ready  ## Check the ideas that kernels are composed of
	@$(BIN)/warpsmith-synthesize ideas check

release-catalogue: .venv/.ready  ## Move generator, benchmark, digests, gallery and samples to the next version, after changes of kernels
	@$(BIN)/python tests/golden/release.py

docs: $(NOX)  ## Build the site of the documentation into build/docs
	@$(NOX) -s docs

wheels: $(NOX)  ## Build the seven wheels and try each in a clean environment
	@$(NOX) -s wheels

clean:  ## Remove everything built, except datasets
	rm -rf .venv .nox dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	find packages tests -name __pycache__ -prune -exec rm -rf {} +
