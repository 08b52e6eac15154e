// RUN: halo-compile %s --backend=cuda --gpu-arch=sm_80 --emit=kernels | FileCheck %s --check-prefix=SPLIT
// RUN: halo-compile %s --backend=cuda --gpu-arch=sm_89 --emit=kernels | FileCheck %s --check-prefix=IEEE
// RUN: halo-compile %s --backend=cuda --gpu-arch=sm_89 --gpu-f32=3xtf32 --emit=kernels | FileCheck %s --check-prefix=SPLIT
// RUN: halo-compile %s --backend=cuda --gpu-arch=sm_89 --gpu-f32=tf32 --emit=kernels | FileCheck %s --check-prefix=TF32
// RUN: halo-compile %s --backend=cuda --gpu-arch=sm_89 --explain --emit=kernels -o %t.mlir 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: halo-compile %s --backend=cuda --gpu-arch=sm_80 --gpu-dot=codegen --emit=ptx | FileCheck %s --check-prefix=PTX
// RUN: halo-run %s --random-inputs --backend=interpreter --output=@%t.0.npy --output=@%t.1.npy --output=@%t.2.npy
// RUN: halo-run %s --random-inputs --backend=cuda-emulator --gpu-arch=sm_87 --rtol=1e-5 --atol=1e-5 --expect=@%t.0.npy --expect=@%t.1.npy --expect=@%t.2.npy
// RUN: halo-run %s --random-inputs --backend=cuda-emulator --gpu-f32=ieee --rtol=1e-5 --atol=1e-5 --expect=@%t.0.npy --expect=@%t.1.npy --expect=@%t.2.npy
// RUN: halo-run %s --random-inputs --backend=cuda-emulator --gpu-f32=tf32 --rtol=1e-2 --atol=1e-1 --expect=@%t.0.npy --expect=@%t.1.npy --expect=@%t.2.npy

// Products of f32 are three products of TF32, or multiply-adds where these take less time and all
// multiprocessors have tiles. HIGHEST is f32 for each choice. The sizes of the last two are not
// multiples of tiles, and operands are contiguous along each of their dimensions.

// SPLIT: launch_func {{.*}}@main_mma_m16n8k8_3xtf32_64x64x16_0
// SPLIT: launch_func {{.*}}@main_registers_64x64x16
// SPLIT: launch_func {{.*}}@main_mma_m16n8k8_3xtf32_32x32x32
// IEEE: launch_func {{.*}}@main_registers_64x64x16_0
// IEEE: launch_func {{.*}}@main_registers_64x64x16
// IEEE: launch_func {{.*}}@main_mma_m16n8k8_3xtf32_32x32x32
// TF32: launch_func {{.*}}@main_mma_m16n8k8_tf32_64x64x16_0
// TF32: launch_func {{.*}}@main_registers_64x64x16
// TF32: launch_func {{.*}}@main_mma_m16n8k8_tf32_32x32x32

// EXPLAIN: is not computed on tensor cores: the vector units compute f32 faster than three products of TF32
// EXPLAIN: is not computed on tensor cores: it requests the precision of f32

// The exact path for infinities is rare, and stays rolled.
// PTX: .pragma "nounroll";
func.func @main(%a: tensor<672x64xf32>, %b: tensor<64x640xf32>, %c: tensor<70x672xf32>, %d: tensor<70x672xf32>)
    -> (tensor<672x640xf32>, tensor<672x672xf32>, tensor<70x70xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<672x64xf32>, tensor<64x640xf32>) -> tensor<672x640xf32>
  %1 = stablehlo.dot_general %c, %d, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST]
    : (tensor<70x672xf32>, tensor<70x672xf32>) -> tensor<672x672xf32>
  %2 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [1]
    : (tensor<70x672xf32>, tensor<70x672xf32>) -> tensor<70x70xf32>
  return %0, %1, %2 : tensor<672x640xf32>, tensor<672x672xf32>, tensor<70x70xf32>
}
