# Two commands: `make run` shows Halo at work, `make test` checks all of it.
# Each installs what is missing first. `make help` lists the others.

CARGO ?= cargo
JAX_VERSIONS ?= 0.10.2 0.11.2 newest
# JAX 0.11 needs Python 3.12.
JAX_PYTHON ?= $(shell for p in python3.14 python3.13 python3.12; do $$p -c '' 2>/dev/null && echo $$p && exit; done; echo python3)
MDBOOK_VERSION ?= 0.5.4
CARGO_DENY_VERSION ?= 0.20.2
SEMVER_CHECKS_VERSION ?= 0.51.0
TARGET := $(or $(CARGO_TARGET_DIR),target)
EXAMPLE := examples/mlp
ARGUMENTS := images hidden_weights hidden_bias output_weights output_bias
INPUTS := $(addprefix --input=@$(EXAMPLE)/,$(ARGUMENTS:=.npy))

# Programs of cargo's registry that no test needs, installed when they are first used.
TOOLS := $(abspath $(TARGET))/tools
MDBOOK := $(TOOLS)/bin/mdbook
CARGO_DENY := $(TOOLS)/bin/cargo-deny
SEMVER_CHECKS := $(TOOLS)/bin/cargo-semver-checks

.PHONY: run help test test-all test-format test-lint test-units test-rocm test-targets test-mpi \
	test-gpu test-accuracy sdk test-sdk test-git wheel wheels wheels-aarch64 test-wheels deb \
	test-readme test-jax test-jax-gpu test-frameworks book deny semver package msrv release setup setup-targets setup-mpi

# `cargo build --release` adds the other tools and compiles no crate again (a test compares the
# features). The licences of what the tools are linked with stand next to them.
run: setup ## Build halo-run; compile an example exported by JAX, run, check and time it
	@$(CARGO) build --release --quiet --package halo-run
	@tools/licences $(TARGET)/release
	@$(TARGET)/release/halo-run $(EXAMPLE)/mlp.mlir $(INPUTS)
	@$(TARGET)/release/halo-run $(EXAMPLE)/mlp.mlir $(INPUTS) \
		--expect=@$(EXAMPLE)/probabilities.npy --rtol=1e-4 --atol=1e-5 --bench=100

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: setup test-format test-lint test-units ## Check all: formatting, lints, unit, snapshot and lit tests, the book

# All parts run, also after one has failed; the last lines say what ran and for how long.
TEST_ALL := test test-rocm test-targets test-mpi test-sdk test-git test-wheels \
	test-jax test-frameworks test-readme deny
test-all: ## `make test`, and all other tests that need no GPU; reports what ran
	@report=; failed=0; \
	for part in $(TEST_ALL); do \
		begin=$$(date +%s); \
		if $(MAKE) $$part; then result=passed; else result=FAILED; failed=1; fi; \
		report="$$report$$part: $$result, $$(($$(date +%s) - begin)) s\n"; \
	done; \
	printf "$$report"; exit $$failed

test-format: ## Check the formatting alone
	$(CARGO) fmt --all --check

test-lint: ## Lints and documentation alone, with warnings as errors
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings
	@# As applications have it: in the workspace, it has all features.
	$(CARGO) clippy --package halo-runtime --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --quiet

# Hours on one core, minutes on many.
test-accuracy: ## Functions of f32 at all arguments, of the errors in docs/numerics.md
	$(CARGO) test --workspace --quiet --test all -- --ignored all_arguments --nocapture

# The lit tests run the tools and load the PJRT plug-in, so these are built first.
test-units: ## All tests alone
	$(CARGO) build --workspace --quiet
	$(CARGO) test --workspace --quiet

# The shared library, the tools and what rustc needs, for crates with passes (docs/first_pass.md).
sdk: setup ## The SDK for passes in Rust, target/sdk/halo-sdk-*.tar.zst
	tools/portable-build $(TARGET)
	@tools/sdk

test-sdk: sdk ## A crate of `halo new`, without LLVM in PATH
	tools/test-sdk

# In its own folder, as the sources are another clone.
test-git: setup ## A crate that depends on the last commit by git
	$(CARGO) build --workspace --bins --quiet
	tools/test-git

# The plug-in for JAX as a wheel, target/wheel/jax_halo-*.whl, for `pip install`.
wheel: setup ## The plug-in for JAX, target/wheel/jax_halo-*.whl
	@$(CARGO) build --release --quiet
	@rm -rf $(TARGET)/wheel && mkdir -p $(TARGET)/wheel
	@cp -r src/pjrt/python $(TARGET)/wheel/source
	@cp $(TARGET)/release/libhalo_pjrt.so $(TARGET)/wheel/source/jax_halo
	@tools/licences $(TARGET)/wheel/source
	@python3 -m venv $(TARGET)/jax
	@$(TARGET)/jax/bin/pip wheel --quiet --no-deps --wheel-dir $(TARGET)/wheel $(TARGET)/wheel/source
	@ls $(TARGET)/wheel/*.whl

# halo-mlir has the tools, their shared library and the module for Python, and jax-halo uses the
# same library. They run on distributions with glibc 2.28 or later. Installs Zig from PyPI, which
# has the symbols of that version, and compiles all of Halo in another folder.
wheels: setup ## Wheels to release, target/wheels/*.whl, for all current distributions
	tools/portable-build $(TARGET)
	tools/wheels $(TARGET)

wheels-aarch64: ## The wheels for ARM64, made by a cross compiler and tried with QEMU
	tools/setup.sh targets
	rustup target add aarch64-unknown-linux-gnu
	tools/portable-build $(TARGET) aarch64
	tools/wheels $(TARGET) aarch64

deb: sdk ## The Debian package of the tools, target/debian/halo-tools_*.deb
	tools/debian $(TARGET)

# The packages in a new environment: programs of the documentation, of the tests and of JAX.
test-wheels: wheels ## The wheels to release, installed from PyPI's packages and tested
	@rm -rf $(TARGET)/wheel-test && python3 -m venv $(TARGET)/wheel-test
	@$(TARGET)/wheel-test/bin/pip install --quiet --find-links $(TARGET)/wheels 'halo-mlir[test]' 'jax-halo'
	$(TARGET)/wheel-test/bin/python -m unittest discover --start-directory src/python/tests
	JAX_PLATFORMS=halo $(TARGET)/wheel-test/bin/python examples/jax/digits.py

# The commands of the README in their order, in a fresh clone of the last commit.
test-readme: setup ## The commands of the README, in a fresh clone
	tools/readme-commands

# Programs of JAX, on the wheel and on JAX's own backend. Installs versions of JAX from PyPI, each in
# an environment of its own.
JAX_TESTS := src/pjrt/python/tests
test-jax: wheel ## Programs of JAX on Halo, with several versions of JAX from PyPI
	@failed=0; for version in $(JAX_VERSIONS); do \
		bin=$(TARGET)/jax-$$version/bin; \
		case $$version in newest) jax='jax[cpu]';; *) jax="jax[cpu]==$$version";; esac; \
		$(JAX_PYTHON) -m venv $(TARGET)/jax-$$version && \
		$$bin/pip install --quiet --upgrade pytest absl-py flatbuffers "$$jax" && \
		$$bin/pip install --quiet --force-reinstall --no-deps $(TARGET)/wheel/*.whl && \
		$$bin/python -c 'import jax; print("JAX", jax.__version__)' && \
		$$bin/pytest --quiet $(JAX_TESTS) || failed=1; \
	done; exit $$failed

# The files of these tests that compare platforms, on GPUs of NVIDIA. A part of no other target.
JAX_GPU_TESTS := sweep harnesses examples ffi callbacks layouts sharding custom_partitioning dot_algorithms
test-jax-gpu: ## Programs of JAX on GPUs of NVIDIA, with the newest JAX from PyPI
	@nvidia-smi -L 2> /dev/null || { echo "make test-jax-gpu: no NVIDIA driver is there" >&2; exit 1; }
	HALO_TEST_PLATFORM=halo_cuda $(MAKE) test-jax JAX_VERSIONS=newest \
		JAX_TESTS='$(JAX_GPU_TESTS:%=src/pjrt/python/tests/test_%.py)'

# The commands of docs/frameworks.md. PyPI has PyTorch with the libraries of CUDA, several GB.
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
test-frameworks: wheel ## A module of PyTorch and a function of TensorFlow on Halo
	@$(JAX_PYTHON) -m venv $(TARGET)/frameworks
	@$(TARGET)/frameworks/bin/pip install --quiet --index-url $(TORCH_INDEX) 'torch<2.11'
	@$(TARGET)/frameworks/bin/pip install --quiet torchax 'jax[cpu]' tensorflow-cpu
	@$(TARGET)/frameworks/bin/pip install --quiet --force-reinstall --no-deps $(TARGET)/wheel/*.whl
	JAX_PLATFORMS=halo $(TARGET)/frameworks/bin/python examples/pytorch/classifier.py
	$(TARGET)/frameworks/bin/python examples/tensorflow/export.py $(TARGET)/tensorflow
	$(TARGET)/release/halo-run $(TARGET)/tensorflow/model.mlir \
		$(foreach number,0 1 2,--input=@$(TARGET)/tensorflow/argument$(number).npy) \
		--expect=@$(TARGET)/tensorflow/expected.npy --rtol=1e-4 --atol=1e-6

# All programs of the tests for aarch64, also with SVE, and riscv64, run by QEMU; `make test` runs
# a sample of them where cross compilers and QEMU are installed, as this target does. Packages are not selected one by one: their features, and so all crates, would be others.
test-targets: setup-targets ## All programs of the tests for aarch64 and riscv64, by QEMU
	$(CARGO) build --workspace --bins --quiet
	HALO_TEST_TARGETS=1 $(CARGO) test --workspace --quiet --test embed --test runner
	HALO_TEST_TARGETS=1 $(CARGO) test --workspace --quiet --test all -- execution

# In its own folder: all of the C++ and Rust is compiled with the feature.
ROCM := --workspace --features rocm --target-dir $(TARGET)/rocm --quiet
test-rocm: setup ## The backend for GPUs of AMD, in a build with its feature
	$(CARGO) build $(ROCM) --bins
	$(CARGO) test $(ROCM) --lib -- rocm
	$(CARGO) test $(ROCM) --test all -- pipelines
	$(CARGO) test $(ROCM) --test lit -- amd_ rocm

# Programs of several processes. Installs Open MPI and MPICH if neither is there.
test-mpi: setup-mpi ## Programs of several processes, by MPI on this machine
	$(CARGO) build --workspace --bins --quiet
	HALO_TEST_MPI=1 $(CARGO) test --workspace --quiet --test mpi

# What needs a GPU of NVIDIA, and is a part of no other target.
test-gpu: setup ## The tests that need a GPU of NVIDIA
	@nvidia-smi -L || { echo "make test-gpu: no NVIDIA driver is there" >&2; exit 1; }
	$(CARGO) test --workspace --quiet -- --ignored gpu

# The pages of dialects, passes, pipelines and tools are generated into docs/, where mdBook
# reads them and git ignores them.
book: setup $(MDBOOK) ## The book in docs/ as HTML: book/index.html
	$(CARGO) build --workspace --bins --quiet
	HALO_BLESS=1 $(CARGO) test --workspace --quiet --test book -- generated
	$(MDBOOK) build docs
	@# mdBook takes documents outside of the book for pages of it.
	@find book -name '*.html' -exec sed -i -E \
		's#(href="(\.\./)+([a-z/-]+/)?(README|[A-Z]{5,}))\.html#\1.md#g' {} +

deny: $(CARGO_DENY) ## Licences, advisories and sources of the crates in use
	$(CARGO_DENY) check --hide-inclusion-graph

# The published crates (docs/releasing.md), compared with the commit or tag BASELINE.
semver: $(SEMVER_CHECKS) ## API changes since BASELINE=TAG that the version does not allow
	@test -n "$(BASELINE)" || { echo "make semver: BASELINE= names the tag of the last release" >&2; exit 1; }
	$(SEMVER_CHECKS) semver-checks --baseline-rev $(BASELINE) $$(tools/published-crates -p)

package: ## The packages of the published crates, each built from what it holds
	$(CARGO) package $$(tools/published-crates -p)

# In its own folder, since the compiler is another one.
MSRV := $(shell sed -n 's/^rust-version = "\(.*\)"$$/\1/p' Cargo.toml)
msrv: ## The published crates with the oldest supported version of Rust, which rustup installs
	rustup toolchain install $(MSRV) --profile minimal
	$(CARGO) +$(MSRV) check --target-dir $(TARGET)/msrv $$(tools/published-crates -p)

release: ## All that comes before the upload of a release (docs/releasing.md)
	$(MAKE) test-all test-accuracy
	$(MAKE) msrv package wheels-aarch64 deb book
	test -z "$(BASELINE)" || $(MAKE) semver
	ls -l $(TARGET)/wheels/*.whl $(TARGET)/sdk/*.tar.zst $(TARGET)/debian/*.deb book/index.html

$(MDBOOK):
	$(CARGO) install mdbook --quiet --locked --version $(MDBOOK_VERSION) --root $(TOOLS)

$(CARGO_DENY):
	$(CARGO) install cargo-deny --quiet --locked --version $(CARGO_DENY_VERSION) --root $(TOOLS)

$(SEMVER_CHECKS):
	$(CARGO) install cargo-semver-checks --quiet --locked --version $(SEMVER_CHECKS_VERSION) \
		--root $(TOOLS)

setup: ## Install the packages that building needs
	@tools/setup.sh

setup-targets: ## Those that test-targets needs as well
	@tools/setup.sh targets

setup-mpi:
	@tools/setup.sh mpi
