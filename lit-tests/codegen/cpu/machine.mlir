// RUN: halo-compile %s --target=x86_64-unknown-linux-gnu --target-cpu=x86-64-v4 --emit=kernels | FileCheck %s --check-prefixes=CHECK,FEW
// RUN: halo-compile %s --target=x86_64-unknown-linux-gnu --target-cpu=znver4 --emit=kernels | FileCheck %s --check-prefixes=CHECK,EIGHT
// RUN: halo-compile %s --target=x86_64-unknown-linux-gnu --target-cpu=sapphirerapids --emit=kernels | FileCheck %s --check-prefixes=CHECK,SIXTEEN

// Code for a named kind of CPU depends on its row of the machine model alone, on any host.

// Eight products are a task each on eight cores, and are divided among 16.
// CHECK-LABEL: func.func private @main
//         FEW:   parallel_call @main_kernel_0 from %c0 to %c8 grain 1
//       EIGHT:   parallel_call @main_kernel_0 from %c0 to %c8 grain 1
//     SIXTEEN:   scf.for
//     SIXTEEN:     parallel_call @main_pack_0 from %c0 to %c4
//     SIXTEEN:     parallel_call @main_kernel_0 from %c0 to %c16 grain 6

// Tasks are as even as possible for two threads, or for more.
//         FEW:   parallel_call @main_kernel_1 from %c0 to %c300000 grain 25600
//       EIGHT:   parallel_call @main_kernel_1 from %c0 to %c300000 grain 19456
//     SIXTEEN:   parallel_call @main_kernel_1 from %c0 to %c300000 grain 19456
func.func @main(%a: tensor<8x128x128xf32>, %b: tensor<8x128x128xf32>, %x: tensor<300000xf32>)
    -> (tensor<8x128x128xf32>, tensor<300000xf32>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
    : (tensor<8x128x128xf32>, tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
  %1 = stablehlo.exponential %x : tensor<300000xf32>
  return %0, %1 : tensor<8x128x128xf32>, tensor<300000xf32>
}
