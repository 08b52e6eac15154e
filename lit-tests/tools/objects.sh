# RUN: bash %s
# Programs as object files for any processor, with their declarations. `docs/backends.md` and
# `docs/embedding.md` show these commands; tools/halo-compile/tests/embed.rs links and runs them.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"

cat >v.mlir <<'END_OF_PROGRAM'
func.func @main(%x: tensor<4xf32>, %1: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %1 : tensor<4xf32>
  return %0 : tensor<4xf32>
}
END_OF_PROGRAM

# Every architecture, as code and as text.
for target in x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu riscv64-unknown-linux-gnu; do
    expect 0 halo-compile --list-targets --target=$target
    grep -q '^features: ' out || fail "features: $(cat out)"
    expect 0 halo-compile v.mlir --emit=asm --target=$target
    grep -q 'main__entry' out || fail "assembly: $(cat out)"
    expect 0 halo-compile v.mlir --emit=obj --target=$target -o v.o --header=v.h --rust=v.rs
    [ "$(head -c 4 v.o | tail -c 3)" = ELF ] || fail "no object for $target"
    grep -q "for $target: made by halo-compile" v.h || fail "header: $(head -n 1 v.h)"
done
expect 0 halo-compile --list-targets --target=riscv64-unknown-linux-gnu
expect 0 halo-compile v.mlir --emit=asm --target=riscv64-unknown-linux-gnu
expect 0 halo-compile v.mlir --emit=obj --target=riscv64-unknown-linux-gnu -o v.o --header=v.h
# Registers of SVE of a length, which is that of a processor or an option's.
arm="--target=aarch64-unknown-linux-gnu"
expect 0 halo-compile v.mlir --emit=obj $arm --cpu=a64fx -o sve.o --header=sve.h
grep -q "for aarch64-unknown-linux-gnu, a64fx, SVE of 512 bits: made by" sve.h || fail "header: $(head -n 1 sve.h)"
expect 0 halo-compile v.mlir --emit=llvm-ir $arm --features=+sve --backend-option=sve-vector-bits=256
grep -q 'vscale_range(2,2)' out || fail "no length of 256 bits"
expect 0 halo-compile v.mlir --emit=llvm-ir $arm --cpu=a64fx --backend-option=sve-vector-bits=scalable
grep -q 'vscale_range' out && fail "a length where there is none"
refuses "halo-compile: error: processor 'apple-m1' of target 'aarch64-unknown-linux-gnu' has no registers of SVE of 512 bits: processors of ARM64 with the feature +sve may have them" \
    halo-compile v.mlir --emit=asm $arm --cpu=apple-m1 --backend-option=sve-vector-bits=512
# The same of SME's streaming mode.
expect 0 halo-compile v.mlir --emit=obj $arm --cpu=apple-m4 -o sme.o --header=sme.h
grep -q "for aarch64-unknown-linux-gnu, apple-m4, SME of 512 bits: made by" sme.h || fail "header: $(head -n 1 sme.h)"
refuses "halo-compile: error: processor 'apple-m1' of target 'aarch64-unknown-linux-gnu' has no streaming mode of SME with vectors of 512 bits: processors of ARM64 with the feature +sme may have one" \
    halo-compile v.mlir --emit=asm $arm --cpu=apple-m1 --backend-option=sve-streaming-vector-bits=512
expect 0 halo-compile --list-targets
grep -q '^riscv64-unknown-linux-gnu: processors with v, ' out || fail "targets: $(cat out)"

# The same bytes each time, and the same declarations alone.
expect 0 halo-compile v.mlir --emit=obj --target=riscv64-unknown-linux-gnu -o again.o --name=v
cmp -s v.o again.o || fail "two objects of one program differ"
expect 0 halo-compile v.mlir --emit=header --target=riscv64-unknown-linux-gnu --name=v
cmp -s v.h out || fail "two headers of one program differ"
expect 0 halo-compile v.mlir --emit=rust --target=riscv64-unknown-linux-gnu --name=v
cmp -s v.rs out || fail "two modules of one program differ"

# What LLVM made is dumped behind the phases.
expect 0 halo-compile v.mlir --emit=obj -o v.o --dump-dir=dump
grep -q '^define .*i32 @v_entry(' dump/*-llvm-ir.ll || fail "dumps: $(ls dump)"

# Names: of the program, or of the command line.
grep -q '^  const float \*x; /\* float\[4\], tensor<4xf32> \*/$' v.h || fail "names: $(cat v.h)"
grep -q '^#define V_INPUT_INPUT1 1$' v.h || fail "names: $(cat v.h)"
expect 0 halo-compile v.mlir --emit=static -o libsum.a --header=sum.h --input-names=a,b \
    --output-names=total
[ "$(head -n 1 libsum.a)" = '!<arch>' ] || fail "no archive"
grep -q '^#define SUM_TOTAL_SIZE 16$' sum.h || fail "names: $(cat sum.h)"
refuses "halo-compile: error: --input-names has 1 names, but the program has 2 inputs" \
    halo-compile v.mlir --emit=obj -o v.o --input-names=a
refuses "halo-compile: error: two values cannot be called 'A', in upper or lower case" \
    halo-compile v.mlir --emit=obj -o v.o --input-names=a,A
refuses "halo-compile: error: --output-names: 'while' is not an identifier" \
    halo-compile v.mlir --emit=obj -o v.o --output-names=while
refuses "halo-compile: error: --name=a-b: names of C begin with it, so it must be an identifier" \
    halo-compile v.mlir --emit=obj -o v.o --name=a-b
refuses "halo-compile: error: names of C and Rust cannot begin with '1', as the file does: choose an identifier with --name" \
    halo-compile v.mlir --emit=obj -o 1.o

# Options that the output has no use for, and outputs that nothing makes.
refuses "halo-compile: error: machine code is not text: say where to write it with -o" \
    halo-compile v.mlir --emit=obj
refuses "halo-compile: error: --header goes with an object file or C: --emit=obj, static, shared or c" \
    halo-compile v.mlir --emit=asm --header=v.h
refuses "halo-compile: error: --target names a processor, and backend 'cuda' makes no machine code of processors" \
    halo-compile v.mlir --emit=plan -o v.plan --target=x86_64-unknown-linux-gnu
refuses "halo-compile: error: backend 'interpreter' makes no object files; these do: cpu" \
    halo-compile v.mlir --backend=interpreter --emit=obj -o v.o
refuses "halo-compile: error: option 'subnormals=flush' is for programs that halo-run runs: an object file computes in the mode of its caller" \
    halo-compile v.mlir --emit=obj -o v.o --backend-option=subnormals=flush
refuses "halo-compile: error: backend 'cpu' has no option 'subnormal'; did you mean 'subnormals'? There are: optimization, subnormals, sve-vector-bits, sve-streaming-vector-bits" \
    halo-compile v.mlir --emit=obj -o v.o --backend-option=subnormal=flush
refuses "halo-compile: error: linker 'no-such-linker': No such file or directory (os error 2)" \
    halo-compile v.mlir --emit=shared -o v.so --linker=no-such-linker

# C, which any compiler of C11 compiles without a warning.
expect 0 halo-compile v.mlir --emit=c -o v.c --header=v.h
cc -std=c11 -O3 -c v.c -o v.o
cc -std=c11 -O2 -Wall -Wextra -Werror -pedantic -c v.c -o v.o ||
    fail "the C is not accepted"
expect 0 halo-compile v.mlir --emit=c --name=v
cmp -s v.c out || fail "two texts of one program differ"
grep -q '^int32_t v_entry(' out || fail "no entry: $(cat out)"
expect 0 halo-run v.mlir --random-inputs --backend=c
cp out by_c
expect 0 halo-run v.mlir --random-inputs
cmp -s out by_c || fail "expected $(cat out), found $(cat by_c)"
refuses "halo-compile: error: backend 'cpu' makes no C; these do: c" \
    halo-compile v.mlir --backend=cpu --emit=c
refuses "halo-compile: error: backend 'c' makes no object files; these do: cpu" \
    halo-compile v.mlir --backend=c --emit=obj -o v.o
refuses "v.mlir: error: linker 'no-such-compiler': No such file or directory (os error 2)" \
    halo-run v.mlir --backend=c --random-inputs --linker=no-such-compiler
refuses "halo-run: error: the C compiler chooses the processor: give it its own options, such as --linker='cc -march=x86-64-v3'" \
    halo-run v.mlir --backend=c --random-inputs --target=riscv64-unknown-linux-gnu

# Processors that there are not.
refuses "halo-compile: error: no code can be made for target 'vax-unknown-linux-gnu': a target begins with aarch64, riscv64 or x86_64, as in aarch64-unknown-linux-gnu" \
    halo-compile v.mlir --emit=obj -o v.o --target=vax-unknown-linux-gnu
expect 1 halo-compile v.mlir --emit=obj -o v.o --target=aarch64-unknown-linux-gnu --cpu=neoverse-v9
grep -q "no processor 'neoverse-v9'; the nearest are neoverse-v" err || fail "said $(cat err)"
expect 1 halo-compile v.mlir --emit=obj -o v.o --target=riscv64-unknown-linux-gnu --features=+avx
grep -q "no feature 'avx'" err || fail "said $(cat err)"

# A program whose shapes are not known has no Rust module, and no file is left.
sed 's/4xf32/?xf32/g' v.mlir >dynamic.mlir
refuses "halo-compile: error: a Rust module is made for shapes that are known; @main(tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>) has dimensions that are not: call the functions of the C header" \
    halo-compile dynamic.mlir --emit=obj -o dynamic.o --rust=dynamic.rs
[ ! -e dynamic.o ] && [ ! -e dynamic.rs ] || fail "files of a program that was not compiled"
refuses "halo-run: error: a runner runs programs whose shapes are known; @main(tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>) has dimensions that are not" \
    halo-run dynamic.mlir --backend=c --specialize=never --input=zeros --input=zeros --runner=env --linker=cc

# An emulator runs the code, where there is one.
if command -v qemu-riscv64 >/dev/null && command -v riscv64-linux-gnu-gcc >/dev/null; then
    expect 0 \
        halo-run v.mlir --random-inputs --target=riscv64-unknown-linux-gnu \
    --runner=qemu-riscv64 --linker='riscv64-linux-gnu-gcc -static'
    cp out emulated
    expect 0 halo-run v.mlir --random-inputs
    cmp -s out emulated || fail "expected $(cat out), found $(cat emulated)"
    expect 0 \
        halo-run v.mlir --random-inputs --backend=c \
    --runner=qemu-riscv64 --linker='riscv64-linux-gnu-gcc -static'
    cmp -s out emulated || fail "expected $(cat emulated), found $(cat out)"
fi

# Kernels for GPUs of AMD; rocm.sh compiles them to assembly.
expect 0 \
    halo-run v.mlir --random-inputs --backend=cuda-emulator --gpu-arch=gfx90a \
    --backend-option=checks=accesses
