# What the make commands do for the Rust workspace; included by the Makefile of the checkout.

RUST         := adapters/rust
RUST_SOURCES := $(shell find $(RUST) -path '*/target' -prune -o -type f \( -name '*.rs' -o -name 'Cargo.*' -o -name pyproject.toml -o -name README.md \) -print)

.PHONY: require-cargo

setup: $(STAMPS)/rust

$(STAMPS)/rust: $(STAMPS)/python $(RUST_SOURCES) | require-cargo
	PATH="$(abspath $(VENV)/bin):$$PATH" $(PYTHON) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall ./$(RUST)
	@touch $@

test::
	cd $(RUST) && cargo test --quiet --locked

lint::
	cd $(RUST) && cargo fmt --check
	cd $(RUST) && cargo clippy --quiet --locked --all-targets -- -D warnings

clean::
	rm -rf $(RUST)/target

require-cargo:
	@command -v cargo >/dev/null || { echo 'cargo is missing (Rust 1.85 or newer is needed). Install it: apt-get install rustup && rustup default stable' >&2; exit 2; }
	@command -v cc >/dev/null || { echo 'cc is missing (Rust links with it). Install it: apt-get install gcc' >&2; exit 2; }
