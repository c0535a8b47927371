# Every target sets up what it needs; a fresh machine needs Python 3.10+, make and Node.
SHELL := bash
.SHELLFLAGS := -o pipefail -c
PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
STAMP  := $(VENV)/.installed
NODE_STAMP := client-vscode/node_modules/.installed

.PHONY: demo test check fix generate rule format pictures e2e bench vsix clean setup
.DEFAULT_GOAL := demo

setup: $(STAMP)

$(STAMP): pyproject.toml
	@echo "Setting up $(VENV) (once, a minute or two). The packages as they come:"
	@test -x $(PY) || $(PYTHON) -m venv $(VENV)
	@$(PY) -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@$(PY) -m pip install --disable-pip-version-check --progress-bar off --editable ".[hf,spm,cluster,plots]" --group dev \
		| awk '/^Collecting/ { printf "%s ", $$2; fflush() } /^Installing collected/ { print "\nInstalling them …" }'
	@touch $@

$(NODE_STAMP): client-vscode/package.json client-vscode/package-lock.json
	@echo "Installing the client's packages (once) …"
	@cd client-vscode && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

demo: $(STAMP)
	@$(PY) -m scripts.demo

test: $(STAMP) $(NODE_STAMP)
	$(PY) -m pytest -n auto -q tests
	cd client-vscode && npm test --silent

check: $(STAMP) $(NODE_STAMP)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	cd client-vscode && npm run --silent check

fix: $(STAMP)
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

# The pages that show what commands print are written by the tests that replay them.
generate: $(STAMP)
	$(PY) -m scripts.generate
	UPDATE_DOCS=1 $(PY) -m pytest -q -k test_the_page_shows_what_is_printed tests/server/cli

rule format: $(STAMP)
	@$(PY) -m scripts.begin $@ $(NAME)

pictures: vsix
	$(PY) -m scripts.pictures

e2e: $(STAMP) $(NODE_STAMP)
	$(PY) -m tests.vscode.e2e

bench: $(STAMP)
	$(PY) -m tests.bench

vsix: $(STAMP) $(NODE_STAMP)
	cd client-vscode && npm run --silent package

clean:
	rm -rf $(VENV) client-vscode/node_modules client-vscode/out client-vscode/bundled client-vscode/*.vsix dist build
