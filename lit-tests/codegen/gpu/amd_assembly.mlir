// RUN: halo-compile %s --backend=rocm --emit=kernels | FileCheck %s --check-prefix=KERNELS
// RUN: halo-compile %s --backend=rocm --gpu-arch=gfx90a --emit=asm | FileCheck %s
// RUN: halo-compile %s --backend=rocm --gpu-arch=gfx90a --emit=asm | llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx90a -filetype=obj -o %t.o
// RUN: halo-compile %s --backend=rocm --gpu-arch=gfx1100 --emit=asm | llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx1100 -filetype=obj -o %t.o
// RUN: llvm-readobj --symbols %t.o | FileCheck %s --check-prefix=OBJECT

// Kernels of GPUs of AMD as assembly: products without tensor cores, copies that threads wait
// for, reductions by exchanges among the lanes of a wave. amd_kernels.mlir runs them.

// KERNELS: gpu.launch_func @kernels::@[[PRODUCT:main_registers_[a-z0-9_]*]]
// KERNELS-NOT: nvgpu

// CHECK: .amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
// CHECK: main_registers_{{.*}}:
// CHECK: v_fma
// CHECK: s_barrier
// CHECK: ds_bpermute_b32

// OBJECT: Name: main_registers_
func.func @main(%a: tensor<70x129xf32>, %b: tensor<129x130xf32>, %c: tensor<2x64x64xbf16>)
    -> (tensor<70x130xf32>, tensor<2x64x64xf32>, tensor<70xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<70x129xf32>, tensor<129x130xf32>) -> tensor<70x130xf32>
  %1 = stablehlo.dot_general %c, %c, batching_dims = [0] x [0], contracting_dims = [2] x [1]
    : (tensor<2x64x64xbf16>, tensor<2x64x64xbf16>) -> tensor<2x64x64xf32>
  %2 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<70x129xf32>, tensor<f32>) -> tensor<70xf32>
  return %0, %1, %2 : tensor<70x130xf32>, tensor<2x64x64xf32>, tensor<70xf32>
}
