# Two commands: `make run` shows Halo at work, `make test` checks all of it.
# Each installs what is missing first.

CARGO ?= cargo
JAX_VERSION ?= 0.10.2
TARGET := $(or $(CARGO_TARGET_DIR),target)
EXAMPLE := examples/mlp
ARGUMENTS := images hidden_weights hidden_bias output_weights output_bias
INPUTS := $(addprefix --input=@$(EXAMPLE)/,$(ARGUMENTS:=.npy))

.PHONY: run test test-format test-lint test-units test-targets test-browser test-gpu wheel test-jax setup \
	setup-targets setup-browser

run: setup
	@$(CARGO) build --release --quiet -p halo-run
	@$(TARGET)/release/halo-run $(EXAMPLE)/mlp.mlir $(INPUTS)
	@$(TARGET)/release/halo-run $(EXAMPLE)/mlp.mlir $(INPUTS) \
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

# The plug-in for JAX as a wheel, target/wheel/jax_halo-*.whl, for `pip install`.
wheel: setup
	@$(CARGO) build --release --quiet -p halo-pjrt
	@rm -rf $(TARGET)/wheel && mkdir -p $(TARGET)/wheel
	@cp -r src/pjrt/python $(TARGET)/wheel/source
	@cp $(TARGET)/release/libhalo_pjrt.so $(TARGET)/wheel/source/jax_halo
	@python3 -m venv $(TARGET)/jax
	@$(TARGET)/jax/bin/pip wheel --quiet --no-deps --wheel-dir $(TARGET)/wheel $(TARGET)/wheel/source
	@ls $(TARGET)/wheel/*.whl

# Programs of JAX, on the wheel and on JAX's own backend. Installs JAX from PyPI.
test-jax: wheel
	@$(TARGET)/jax/bin/pip install --quiet --force-reinstall --no-deps $(TARGET)/wheel/*.whl
	@$(TARGET)/jax/bin/pip install --quiet pytest absl-py 'jax[cpu]==$(JAX_VERSION)'
	$(TARGET)/jax/bin/pytest --quiet src/pjrt/python/tests

# Programs for aarch64 and riscv64, run by QEMU. Installs cross compilers and QEMU. Packages
# are not selected one by one: their features, and so all crates, would be others.
test-targets: setup-targets
	$(CARGO) build --workspace --bins --quiet
	HALO_TEST_TARGETS=1 $(CARGO) test --workspace --quiet --test embed --test runner
	HALO_TEST_TARGETS=1 $(CARGO) test --workspace --quiet --test all -- execution

# Reports in a browser; pictures of them are in tmp/report of the target. Installs Chromium.
test-browser: setup-browser
	HALO_TEST_BROWSER=1 $(CARGO) test --workspace --quiet --test browser

# What needs a GPU of NVIDIA, and is a part of no other target.
test-gpu: setup
	@nvidia-smi -L || { echo "make test-gpu: no NVIDIA driver is there" >&2; exit 1; }
	$(CARGO) test --workspace --quiet -- --ignored gpu

setup:
	@tools/setup.sh

setup-targets:
	@tools/setup.sh targets

setup-browser:
	@tools/setup.sh browser
