// RUN: halo-run %s --random-inputs --backend=cpu --output=@%t.0.npy --output=@%t.1.npy
// RUN: halo-run %s --random-inputs --backend=cuda-emulator --expect=@%t.0.npy --expect=@%t.1.npy

// Tiles along k are narrower than the 16 elements of a byte that a thread could copy.

func.func @main(%a: tensor<2048x24xi8>, %b: tensor<24x2048xi8>, %c: tensor<2048x24xi8>)
    -> (tensor<2048x2048xi32>, tensor<2048x2048xi8>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<2048x24xi8>, tensor<24x2048xi8>) -> tensor<2048x2048xi32>
  %1 = stablehlo.dot_general %a, %c, contracting_dims = [1] x [1]
    : (tensor<2048x24xi8>, tensor<2048x24xi8>) -> tensor<2048x2048xi8>
  return %0, %1 : tensor<2048x2048xi32>, tensor<2048x2048xi8>
}
