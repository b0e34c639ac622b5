# The commands of this project. Each is one line that calls a tool; `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help book pdf test check lint serve clean lock
PYTHON := .venv/bin/python

help:           ## this list
	@grep -hE '^[a-z]+:.*##' Makefile | sed -E 's/:[^#]*##/\t/' | expand -t 12

.venv/ready: requirements.lock pyproject.toml scripts/setup.sh
	@sh scripts/setup.sh

book: .venv/ready   ## bring every stale page up to date, build the HTML, print its address
	@$(PYTHON) -m scoville build

pdf: book       ## print the whole book into _build/scoville.pdf and link it from the home page (needs Chromium)
	@$(PYTHON) -m scoville pdf

test: .venv/ready   ## run every test
	@$(PYTHON) -m pytest -n auto --dist loadfile

check: .venv/ready  ## check the data folder
	@$(PYTHON) -m scoville check

lint: .venv/ready   ## style and types
	@$(PYTHON) -m ruff check . && $(PYTHON) -m ruff format --check . && $(PYTHON) -m mypy

serve: .venv/ready  ## show the built book on this machine
	@$(PYTHON) -m scoville serve

clean:          ## remove what the other commands made, the environment included
	@rm -rf .venv _build .pytask .pytest_cache .ruff_cache .mypy_cache .hypothesis

lock:           ## resolve the dependencies anew (needs uv)
	@uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-annotate --upgrade -o requirements.lock
