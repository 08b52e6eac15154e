#!/bin/sh
# Installs the packages for building and testing Halo, if any is missing.
# `make run` and `make test` call it first. With the argument "targets" it also
# installs the packages for `make test-targets`, and prints what is not tested;
# with "mpi" the packages for `make test-mpi`.
set -eu

purpose=${1:-}

PACKAGES="
    llvm-22 llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools libpolly-22-dev
    libclang-22-dev clang-22 lld-22 zlib1g-dev libzstd-dev libstdc++-12-dev
    libc6-dev python3 python3-venv zstd
"
# Cross compilers, and QEMU to run their programs.
TARGET_PACKAGES="
    g++-aarch64-linux-gnu libc6-dev-arm64-cross gcc-riscv64-linux-gnu libc6-dev-riscv64-cross
    qemu-user
"
TARGET_TOOLS="aarch64-linux-gnu-g++ riscv64-linux-gnu-gcc qemu-aarch64 qemu-riscv64"
# The first version of qemu-aarch64 with correct integer outer products of SME (its issue 2083).
FIRST_QEMU_OF_INTEGERS=9
# Open MPI and MPICH, with their launchers.
MPI_PACKAGES="openmpi-bin mpich"
MPI_TOOLS="mpirun.openmpi mpirun.mpich"
# A program or file of each package, which installations without packages have, too.
FILES="
    bin/clang++ bin/ld.lld bin/llvm-config bin/llvm-tblgen bin/mlir-tblgen bin/FileCheck bin/lit
    include/mlir-c/IR.h lib/libMLIRIR.a lib/libLLVMCore.a lib/libclang.so
"

# Prints what `make test-targets` skips, because cargo hides the output of its tests.
tell_what_is_skipped() {
    version=$(qemu-aarch64 --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p')
    [ "${version:-$FIRST_QEMU_OF_INTEGERS}" -ge "$FIRST_QEMU_OF_INTEGERS" ] ||
        printf 'setup: not tested: int8 on apple-m4 (SME), which QEMU %s multiplies wrongly (https://gitlab.com/qemu-project/qemu/-/issues/2083); install QEMU %s or later, such as qemu-user of Debian 13\n' \
            "$version" "$FIRST_QEMU_OF_INTEGERS" >&2
}

finish() {
    [ "$purpose" != targets ] || tell_what_is_skipped
    exit 0
}

fail() {
    printf 'setup: error: %s\n' "$1" >&2
    exit 1
}

command -v cargo >/dev/null 2>&1 ||
    fail "cargo is missing: install Rust 1.90 or later from https://rustup.rs"

# LLVM need not come from Debian's packages.
if [ -n "${MLIR_SYS_220_PREFIX:-}" ]; then
    for file in $FILES; do
        [ -e "$MLIR_SYS_220_PREFIX/$file" ] ||
            fail "MLIR_SYS_220_PREFIX is set to $MLIR_SYS_220_PREFIX, which has no $file"
    done
    PACKAGES=""
fi

# Installed tools need not come from Debian's packages.
if [ "$purpose" = targets ]; then
    for tool in $TARGET_TOOLS; do
        command -v "$tool" >/dev/null 2>&1 || {
            PACKAGES="$PACKAGES $TARGET_PACKAGES"
            break
        }
    done
fi
if [ "$purpose" = mpi ]; then
    found=""
    for tool in $MPI_TOOLS; do
        command -v "$tool" >/dev/null 2>&1 && found="$tool"
    done
    [ -n "$found" ] || PACKAGES="$PACKAGES $MPI_PACKAGES"
fi
[ -n "$PACKAGES" ] || finish

missing=""
if command -v dpkg-query >/dev/null 2>&1; then
    for package in $PACKAGES; do
        status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$status" = installed ] || missing="$missing $package"
    done
else
    for file in $FILES; do
        [ -e "/usr/lib/llvm-22/$file" ] || missing="$missing $file"
    done
    [ -z "$missing" ] ||
        fail "this is not Debian: install LLVM, MLIR, clang and lld 22 and set MLIR_SYS_220_PREFIX, TABLEGEN_220_PREFIX and LLVM_SYS_221_PREFIX to where they are, and LIBCLANG_PATH to the folder of libclang.so (missing in /usr/lib/llvm-22:$missing)"
fi
[ -n "$missing" ] || finish

command -v apt-get >/dev/null 2>&1 ||
    fail "apt-get is missing: install these packages by other means:$missing"
if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
else
    fail "not root and no sudo: install these packages as root:$missing"
fi

printf 'setup: installing%s\n' "$missing"
log=$(mktemp)
if ! { $as_root apt-get update &&
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y --no-install-recommends $missing; } \
    >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    rm -f "$log"
    fail "apt-get could not install:$missing"
fi
rm -f "$log"
finish
