// RUN: halo-compile %s --backend=cuda --gpu-arch=sm_90 --emit=kernels | FileCheck %s --check-prefix=LARGE
// RUN: halo-compile %s --backend=cuda --gpu-arch=sm_87 --emit=kernels | FileCheck %s --check-prefix=SMALL
// RUN: halo-compile %s --backend=cuda --gpu-arch=sm_80 --emit=ptx | FileCheck %s --check-prefix=PTX
// RUN: halo-compile %s --backend=cuda --gpu-arch=sm_87 --gpu-dot=codegen --emit=ptx | FileCheck %s --check-prefix=DYNAMIC
// RUN: halo-compile %s --backend=cuda --gpu-arch=sm_87 --gpu-dot=codegen --emit=listing | FileCheck %s --check-prefix=PLAN
// RUN: not halo-compile %s --backend=cuda --gpu-arch=gfx90a --emit=kernels 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: halo-run %s --random-inputs --backend=interpreter --output=@%t.0.npy
// RUN: halo-run %s --random-inputs --backend=cuda-emulator --gpu-arch=sm_87 --rtol=1e-2 --atol=1e-2 --expect=@%t.0.npy
// RUN: halo-run %s --random-inputs --backend=cuda-emulator --gpu-arch=gfx90a --rtol=1e-2 --atol=1e-2 --expect=@%t.0.npy

// Kernels depend on the row of the machine model: 132 multiprocessors need smaller tiles than 16.

// LARGE: gpu.launch_func @kernels::@main_mma_m16n8k16_32x32x64_0
// SMALL: gpu.launch_func @kernels::@main_mma_m16n8k16_128x128x32_0
// Launches give kernels workgroup memory of more than 48 KB.
// DYNAMIC: .extern .shared .align 16 .b8 dynamic_shared_memory[]
// PLAN: launch main_mma_m16n8k16_128x128x32_0 grid 16x1x1 block 128x1x1 shared 65536
// Sums are rounded to bf16 in pairs.
// PTX-NOT: shr.u32
// PTX: cvt.rn.bf16x2.f32
// WRONG: unknown GPU architecture 'gfx90a'; there are: sm_80, sm_86,
func.func @main(%a: tensor<512x256xbf16>, %b: tensor<256x512xbf16>) -> tensor<512x512xbf16> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<512x256xbf16>, tensor<256x512xbf16>) -> tensor<512x512xbf16>
  return %0 : tensor<512x512xbf16>
}
