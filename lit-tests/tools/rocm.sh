# RUN: bash %s
# Assembly for GPUs of AMD, which LLVM's assembler takes: the command of `docs/backends.md`.

script=$(realpath "$0")
. "$(dirname "$script")/Inputs/common.sh"

cat >v.mlir <<'END_OF_PROGRAM'
func.func @main(%x: tensor<4xf32>, %1: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %1 : tensor<4xf32>
  return %0 : tensor<4xf32>
}
END_OF_PROGRAM

expect 0 halo-compile v.mlir --backend=rocm --gpu-arch=gfx942 --emit=asm -o v.s
llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx942 -filetype=obj v.s -o v.o || fail "no object"
refuses "halo-compile: error: unknown GPU architecture 'gfx1'; there are: gfx908, gfx90a, gfx942, gfx950, gfx1030, gfx1100, gfx1101, gfx1102, gfx1151, gfx1200, gfx1201" \
    halo-compile v.mlir --backend=rocm --gpu-arch=gfx1 --emit=asm
refuses "halo-run: error: backend 'rocm' compiles to assembly, and runs no programs: --compile-to=asm" \
    halo-run v.mlir --backend=rocm --random-inputs
