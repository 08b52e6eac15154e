# RUN: bash %s
# Programs whose constants are in a file. tools/halo-compile/tests/embed links and runs them.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"

zeros=$(printf '%04096d' 0)
cat >v.mlir <<END_OF_PROGRAM
func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %w = stablehlo.constant dense<"0x0000803F00000040$zeros$(printf '%04080d' 0)"> : tensor<32x32xf32>
  %0 = stablehlo.multiply %x, %w : tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
END_OF_PROGRAM

# size_of FILE
size_of() {
    stat -c %s "$1"
}

# The file has a beginning of 64 bytes and the constant; the object does not have it.
expect 0 halo-compile v.mlir --emit=obj -o whole.o
for target in x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu riscv64-unknown-linux-gnu; do
    rm -f v.weights
    expect 0 halo-compile v.mlir --emit=obj --target=$target --constants=external -o v.o
    [ "$(size_of v.weights)" = 4160 ] || fail "$(size_of v.weights) bytes of constants"
    [ "$(head -c 8 v.weights)" = HALOWGTS ] || fail "no magic number"
    [ "$(size_of v.o)" -lt 3000 ] || fail "an object of $(size_of v.o) bytes"
done
[ "$(size_of whole.o)" -gt 4096 ] || fail "an object of $(size_of whole.o) bytes"
cp v.weights expected

# 1.0 and 2.0.
[ "$(od -An -v -tx4 -j64 -N12 v.weights | tr -d ' ')" = 3f8000004000000000000000 ] ||
    fail "constants: $(od -An -v -tx4 -j64 -N12 v.weights)"

# One file for each kind of code, under the names that the outputs give it.
expect 0 halo-compile v.mlir --emit=static --constants=external -o libs.a --header=s.h --rust=s.rs
cmp -s s.weights expected || fail "the constants of a library are others"
grep -q '^#define S_CONSTANTS_SIZE 4160$' s.h || fail "header: $(grep CONSTANTS s.h)"
grep -q '^pub const CONSTANTS_SIZE: usize = 4160;$' s.rs || fail "module: $(grep CONSTANTS s.rs)"
for what in asm llvm-ir c; do
    expect 0 halo-compile v.mlir --emit=$what --constants=external -o text.$what \
        --constants-file=$what.weights
    cmp -s $what.weights expected || fail "the constants of $what are others"
    [ "$(size_of text.$what)" -lt 12000 ] || fail "$what of $(size_of text.$what) bytes"
done
expect 0 halo-compile v.mlir --emit=header --constants=external --name=s
cmp -s s.h out || fail "two headers of one program differ"
expect 0 halo-compile v.mlir --emit=shared --constants=external -o libshared.so
cmp -s shared.weights expected || fail "the constants of a shared library are others"
readelf -d libshared.so | grep -q TEXTREL && fail "the code depends on its position"

# What has no large constants has a file, too.
sed -e '/stablehlo.constant/d' -e 's/%w/%x/' v.mlir >none.mlir
expect 0 halo-compile none.mlir --emit=obj --constants=external -o none.o --header=none.h
[ "$(size_of none.weights)" = 64 ] || fail "$(size_of none.weights) bytes of no constants"

# Dumps show the pass, and code that no other code is taken for.
expect 0 halo-compile v.mlir --emit=obj --constants=external -o v.o --dump-dir=dump
grep -q '^define .*i32 @v_entry_with_constants(' dump/*-llvm-ir.ll || fail "dumps: $(ls dump)"
grep -q 'halo.constants = ' dump/*-kernels-halo-externalize-constants.mlir ||
    fail "dumps: $(ls dump)"

# Outputs that have no use for it, and files that cannot be.
refuses "halo-compile: error: invalid value 'extern' for '--constants <WHERE>'; did you mean 'external'? (see --help)" \
    halo-compile v.mlir --emit=obj -o v.o --constants=extern
refuses "halo-compile: error: --constants-file goes with --constants=external" \
    halo-compile v.mlir --emit=obj -o v.o --constants-file=v.weights
for option in "--emit=plan -o v.plan" "--emit=listing" "--backend=interpreter --emit=input"; do
    refuses "halo-compile: error: --constants=external goes with code that applications link: --emit=obj, static, shared, c, asm or llvm-ir" \
        halo-compile v.mlir $option --constants=external
done
refuses "halo-compile: error: external constants go to a file: name it with --constants-file, or the output with -o" \
    halo-compile v.mlir --emit=asm --constants=external
refuses "halo-compile: error: --constants-file: constants are mapped from a file, not read from a stream" \
    halo-compile v.mlir --emit=obj -o v.o --constants=external --constants-file=-
refuses "halo-compile: error: --header and --constants-file are one file, v.weights" \
    halo-compile v.mlir --emit=obj -o v.o --constants=external --header=v.weights
rm -f v.o
refuses "none/v.weights: error: there is no directory none" \
    halo-compile v.mlir --emit=obj -o v.o --constants=external --constants-file=none/v.weights
[ ! -e v.o ] || fail "an object whose constants were not written"

# The pass alone, of code that runs here.
for backend in cpu c cuda-emulator; do
    expect 1 halo-run v.mlir --random-inputs --backend=$backend \
        --insert-passes=bufferized:halo-externalize-constants
    grep -q "pass 'halo-externalize-constants' is for object files: halo-compile --constants=external" \
        err || fail "said $(cat err)"
done
