# Two commands do everything: `make start` and `make test`. `make help` lists the rest.
SHELL := /bin/sh
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
export REDOCLY_TELEMETRY := off
export REDOCLY_SUPPRESS_UPDATE_NOTICE := true

INSTALLED := node_modules/.package-lock.json
PYTHON := .venv/installed.txt
DOCS := docs/dist/.built
DOCS_SOURCES := openapi.yaml $(wildcard scripts/contract/*.ts scripts/generate/*.ts scripts/generate/*.yaml scripts/generate/code-samples/*.ts)

DASHBOARD := build/dashboard/manifest.json
DASHBOARD_SOURCES := $(shell find server/pages/dashboard server/pages/assets/colours.css -type f) package-lock.json

.DEFAULT_GOAL := help
.PHONY: help start verification platform-admin backup restore test quick soak format generate check lint types dev mock diff changelog bench screenshots sdks clean

help: ## Show this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

start: $(DOCS) $(DASHBOARD) ## Start the service with a demo tenant on its own PostgreSQL (PORT, DATA_DIR, DATABASE_URL)
	@node scripts/verification.ts --when-ready &
	@echo "Starting …"; DEMO=true LOG_LEVEL=$${LOG_LEVEL:-warn} exec node server/main.ts

verification: $(INSTALLED) ## Install what reading documents and faces needs, into build/verification
	@node scripts/verification.ts

platform-admin: $(INSTALLED) ## Invite an administrator of the platform: make platform-admin EMAIL=… NAME=…
	@node scripts/platform-admin.ts --email "$$EMAIL" --name "$$NAME"

backup: $(INSTALLED) ## Back up database and files into a new folder: make backup TO=…
	@node scripts/backup.mjs create "$$TO"

restore: $(INSTALLED) ## Restore a backup while the service does not run: make restore FROM=…
	@node scripts/backup.mjs restore "$$FROM"

test: $(INSTALLED) ## Run every check and test whose inputs changed, bounded; ends with "N passed, N failed" (ALL=1 everything)
	@node scripts/test.ts

quick: $(INSTALLED) ## Check what tells most about your change, in about half a minute (ONLY=<paths>, WATCH=1)
	@node scripts/quick.ts $(if $(ONLY),--only "$(ONLY)") $(if $(WATCH),--watch)

soak: $(INSTALLED) ## Run the long campaigns in full: fuzzing, interleavings, retries and crash runs (hours)
	@node scripts/test.ts --soak

format: $(INSTALLED) $(PYTHON) ## Complete openapi.yaml with what can be derived from it, and lay out all code
	@node scripts/format.ts
	@oxlint --silent --fix -A all -D house/on-several-lines
	@biome format --write . >/dev/null && biome format --write .
	@.venv/bin/ruff format --quiet .

generate: $(INSTALLED) $(PYTHON) ## Regenerate everything that derives from openapi.yaml
	@node scripts/generate.ts

check: $(INSTALLED) $(PYTHON) ## Fail when a generated file is stale
	@node scripts/generate.ts --check

lint: $(INSTALLED) $(PYTHON) ## Check the contract, and layout and rules of the code, as far as they changed since they passed
	@node scripts/lint.ts

types: $(INSTALLED) ## Type-check the service, its pages, the scripts and the tests
	@node node_modules/typescript-native/bin/tsc -p tsconfig.json
	@node node_modules/typescript-native/bin/tsc -p server/pages/assets/tsconfig.json
	@node node_modules/typescript-native/bin/tsc -p server/pages/dashboard/tsconfig.json

dev: $(INSTALLED) $(PYTHON) ## Watch openapi.yaml: an edit is enforced, and in the reference, in about a second
	@node scripts/dev.ts

mock: $(INSTALLED) ## Serve openapi.yaml by its own examples, for front ends (PORT, default 4010)
	@node scripts/mock.ts $(if $(PORT),--port $(PORT))

diff: $(INSTALLED) ## Judge contract changes: make diff BASE=<git ref or file> (FORMAT=text|json|markdown|github)
	@node scripts/diff.ts $(BASE) $(if $(FORMAT),--format $(FORMAT))

changelog: $(INSTALLED) ## Write the changelogs, and raise the versions of the SDKs as far as the changes need (BASE=<git ref or file>)
	@node scripts/changelog.ts $(if $(BASE),--base $(BASE))

bench: $(INSTALLED) $(PYTHON) ## Measure the request path, the feed, what is hostile and the SDKs (about an hour; QUICK=1 shorter, ONLY=<name>)
	@node scripts/bench/main.ts $(if $(QUICK),--quick) $(if $(ONLY),--only "$(ONLY)")

screenshots: $(DOCS) $(DASHBOARD) ## Take a picture of every page in four variants into build/screenshots
	@node scripts/screenshots.ts

sdks: $(INSTALLED) $(PYTHON) ## Build both SDK packages into build/
	@node scripts/build-sdks.ts

clean: ## Remove everything that can be made again; keeps the data directory
	rm -rf node_modules .venv docs/dist build sdks/typescript/dist sdks/python/dist

$(INSTALLED): package-lock.json
	@command -v npm >/dev/null || { echo "npm is missing: install Node.js 20 or later, then run make again." >&2; exit 3; }
	@sh scripts/install.sh
	@node -e 'process.exit(parseInt(process.versions.node) < 24 ? 1 : 0)' || { echo "There is no npm package of Node 24 for this machine: install Node 24 or later, then run make again." >&2; exit 3; }
	@touch $@

$(PYTHON): scripts/python-requirements.txt scripts/python.sh
	@sh scripts/python.sh
	@touch $@

$(DOCS): $(INSTALLED) $(DOCS_SOURCES)
	@node scripts/generate.ts --only docs --quiet
	@touch $@

$(DASHBOARD): $(INSTALLED) $(DASHBOARD_SOURCES)
	@node scripts/dashboard.ts
