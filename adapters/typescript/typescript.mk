# What the make commands do for the TypeScript package; included by the Makefile of the checkout.

TS         := adapters/typescript
TS_SOURCES := $(shell find $(TS) \( -name node_modules -o -name dist \) -prune -o -type f \( -name '*.ts' -o -name tsconfig\*.json \) -print)

setup: $(STAMPS)/typescript

$(STAMPS)/typescript: $(STAMPS)/python $(TS)/package-lock.json $(TS_SOURCES)
	cd $(TS) && $(NPM) ci --silent --no-audit --no-fund
	cd $(TS) && $(NPM) run --silent build
	@touch $@

test::
	cd $(TS) && $(NPM) test --silent

lint::
	cd $(TS) && $(NPM) run --silent lint

clean::
	rm -rf $(TS)/node_modules $(TS)/dist
