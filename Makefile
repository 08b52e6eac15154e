# Two commands: `make run` shows Halo at work, `make test` checks all of it.
# Each installs what is missing first.

CARGO ?= cargo
EXAMPLE := examples/mlp
ARGUMENTS := images hidden_weights hidden_bias output_weights output_bias
INPUTS := $(addprefix --input=@$(EXAMPLE)/,$(ARGUMENTS:=.npy))

.PHONY: run test test-format test-lint test-units test-gpu setup

run: setup
	@$(CARGO) build --release --quiet -p halo-run
	@target/release/halo-run $(EXAMPLE)/mlp.mlir $(INPUTS)
	@target/release/halo-run $(EXAMPLE)/mlp.mlir $(INPUTS) \
		--expect=@$(EXAMPLE)/probabilities.npy --rtol=1e-4 --atol=1e-5 --bench=100

test: setup test-format test-lint test-units

test-format:
	$(CARGO) fmt --all --check

test-lint:
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --quiet

# The lit tests run the tools, so these are built first.
test-units:
	$(CARGO) build --workspace --bins --quiet
	$(CARGO) test --workspace --quiet

# What needs a GPU of NVIDIA, and is a part of no other target.
test-gpu: setup
	@nvidia-smi -L || { echo "make test-gpu: no NVIDIA driver is there" >&2; exit 1; }
	$(CARGO) test --workspace --quiet -- --ignored gpu

setup:
	@tools/setup.sh
