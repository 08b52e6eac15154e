// Sizes beside those of tiles, on the accelerator and on the interpreter.
//
// RUN: tile-run %s --backend=tiles --random-inputs --output=@%t.tiles.npy
// RUN: tile-run %s --backend=interpreter --random-inputs --expect=@%t.tiles.npy --rtol=1e-5 --atol=1e-5

func.func @main(%x: tensor<3x17x33xf32>, %y: tensor<50x33xf32>, %s: tensor<f32>) -> tensor<50x17xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<3x17x33xf32>) -> tensor<17x3x33xf32>
  %1 = stablehlo.reshape %0 : (tensor<17x3x33xf32>) -> tensor<17x99xf32>
  %2 = stablehlo.broadcast_in_dim %y, dims = [1, 2] : (tensor<50x33xf32>) -> tensor<3x50x33xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0, 2] : (tensor<3x50x33xf32>) -> tensor<50x3x33xf32>
  %4 = stablehlo.reshape %3 : (tensor<50x3x33xf32>) -> tensor<50x99xf32>
  %5 = stablehlo.dot_general %1, %4, contracting_dims = [1] x [1] : (tensor<17x99xf32>, tensor<50x99xf32>) -> tensor<17x50xf32>
  %6 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<17x50xf32>
  %7 = stablehlo.multiply %5, %6 : tensor<17x50xf32>
  %8 = stablehlo.subtract %7, %5 : tensor<17x50xf32>
  %9 = stablehlo.transpose %8, dims = [1, 0] : (tensor<17x50xf32>) -> tensor<50x17xf32>
  return %9 : tensor<50x17xf32>
}
