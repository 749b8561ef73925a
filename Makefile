# Everything a user types, in one place; `make help` lists it. The targets set up .venv themselves.

PYTHON ?= python3
BIN := .venv/bin
NOX := $(BIN)/nox
PACKAGES := core extraction synthesis validation gpu_checks
INSTALLED := core[export] extraction synthesis validation[nvrtc,report,stats] gpu_checks

COUNT ?= 1000
SEED ?= 2000
CATEGORIES ?= core
COMPLEXITY ?= medium
WORKERS ?= auto
SAMPLE ?= 200
DIR ?= $(firstword $(wildcard data/cuda data/both data/cpu) data/samples)
RAW ?= data/both
PROVEN := $(firstword $(wildcard data/both) data/samples)
SYNTHESIZE = $(BIN)/warpsmith-synthesize make --count $(COUNT) --backward --codegen-only --seed $(SEED) --workers $(WORKERS) \
	--categories $(CATEGORIES) --complexity $(COMPLEXITY)

.DEFAULT_GOAL := help
.PHONY: help cuda-dataset cpu-dataset both-dataset verified-dataset validate verify report smoke samples state test test-gpu test-ray bench lint types wheels \
	clean

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo "  options: COUNT=$(COUNT) SEED=$(SEED) CATEGORIES=$(CATEGORIES) COMPLEXITY=$(COMPLEXITY) OUT=data/<device>"
	@echo "           WORKERS=$(WORKERS) SAMPLE=$(SAMPLE) DIR=$(DIR) RAW=$(RAW) PYTHON=$(PYTHON)"

PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

$(NOX): constraints.txt
	@echo "setting up .venv"
	@$(PYTHON) -m venv .venv
	@$(PIP) nox
	@touch $@

.venv/.ready: $(NOX) $(PACKAGES:%=packages/%/pyproject.toml)
	@echo "installing the packages"
	@$(PIP) $(INSTALLED:%=-e packages/%)
	@touch $@

# A dataset of text, which no GPU and no compiler is needed for; then structure and statistics of all pairs, and the compilers'
# opinion of a sample.
define dataset
	@$(SYNTHESIZE) --device $(1) --output $(or $(OUT),data/$(1))
	@$(BIN)/warpsmith-validate run $(or $(OUT),data/$(1)) --level parse --workers $(WORKERS)
	@$(BIN)/warpsmith-dataset stats $(or $(OUT),data/$(1)) --workers $(WORKERS)
	@$(BIN)/warpsmith-validate run $(or $(OUT),data/$(1)) --level compile --sample $(SAMPLE) --workers $(WORKERS)
endef

cuda-dataset: .venv/.ready  ## Make COUNT pairs of Python and CUDA code, forward and backward, and check them
	$(call dataset,cuda)

cpu-dataset: .venv/.ready  ## The same for C++ code
	$(call dataset,cpu)

both-dataset: .venv/.ready  ## The same for C++ and CUDA code
	$(call dataset,both)

verified-dataset: .venv/.ready  ## Make COUNT pairs in RAW, data/both, prove each one, and take those without a fault into OUT, data/verified
	@$(SYNTHESIZE) --device both --output $(RAW)
	@$(BIN)/warpsmith-validate run $(RAW) --level gradient --workers $(WORKERS) || test $$? -eq 1
	@$(BIN)/warpsmith-validate run $(RAW) --level oracle --sample $(SAMPLE) --workers $(WORKERS) || test $$? -eq 1
	@$(BIN)/warpsmith-dataset filter $(RAW) --require gradient=pass --output $(or $(OUT),data/verified)

validate: .venv/.ready  ## Check and measure the dataset in DIR: structure of all pairs, everything on SAMPLE of them
	@$(BIN)/warpsmith-validate run $(DIR) --level parse --workers $(WORKERS)
	@$(BIN)/warpsmith-dataset stats $(DIR) --workers $(WORKERS)
	@$(BIN)/warpsmith-validate run $(DIR) --level compile --sample $(SAMPLE) --workers $(WORKERS)

verify: .venv/.ready  ## Hold the dataset in DIR against its manifest, and make SAMPLE of its pairs again
	@$(BIN)/warpsmith-synthesize verify $(DIR) --sample $(SAMPLE) --workers $(WORKERS)

report: .venv/.ready  ## Write report.html into DIR: a page with its figures, and a browser of pairs
	@$(BIN)/warpsmith-dataset report $(DIR) --workers $(WORKERS)

smoke: .venv/.ready  ## Say what GPU there is and run one kernel on it
	@$(BIN)/warpsmith-gpu smoke

samples: .venv/.ready  ## Write data/samples again: 100 pairs, ten of each type
	@rm -rf data/samples
	@$(BIN)/warpsmith-synthesize make --count 100 --device both --backward --codegen-only --shard-size 25 --output data/samples

state: .venv/.ready  ## Write the table of CUDA_STATE.md from the verdicts on data/both, or else data/samples
	@$(BIN)/warpsmith-validate run $(PROVEN) --level oracle --sample $(SAMPLE) --workers $(WORKERS) || test $$? -eq 1
	-@$(BIN)/warpsmith-gpu run $(PROVEN) --sample $(SAMPLE)
	@$(BIN)/python tests/state.py $(PROVEN)

test: $(NOX)  ## Run the tests that need no GPU
	@$(NOX) -s tests-cpu

test-gpu: $(NOX)  ## Run the tests on a GPU; skipped, with the reason, where there is none
	@$(NOX) -s tests-gpu

test-ray: $(NOX)  ## Run the tests on a Ray cluster of this machine, and on an object store
	@$(NOX) -s tests-ray

bench: $(NOX)  ## Measure: pairs a second, scaling, writing
	@$(NOX) -s bench

lint: $(NOX)  ## ruff
	@$(NOX) -s lint

types: $(NOX)  ## mypy --strict
	@$(NOX) -s types

wheels: $(NOX)  ## Build the four wheels and try each alone
	@$(NOX) -s wheels

clean:  ## Remove what was built, but no datasets
	rm -rf .venv .nox dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	find packages tests -name __pycache__ -prune -exec rm -rf {} +
