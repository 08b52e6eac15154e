// RUN: halo-run %s --random-inputs --backend=cpu --output=@%t.0.npy --output=@%t.1.npy --output=@%t.2.npy
// RUN: halo-run %s --random-inputs --backend=cuda-emulator --gpu-arch=gfx90a --expect=@%t.0.npy --expect=@%t.1.npy --expect=@%t.2.npy --rtol=1e-3 --atol=1e-3

// The emulator runs the kernels that GPUs of AMD have. amd_assembly.mlir looks at them.

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
