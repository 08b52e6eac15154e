// Signs of zeros, infinities and NaN.
//
// RUN: tile-run %s --backend=tiles \
// RUN:   --input='dense<[0.0, -0.0, 1.5, 0xFF800000, 0x7FC00000, 2.0]> : tensor<6xf32>' \
// RUN:   --input='dense<[-0.0, 0.0, -2.5, 0x7F800000, 1.0, 0x7FC00000]> : tensor<6xf32>' \
// RUN:   --expect='dense<[0.0, 0.0, -1.0, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<6xf32>' \
// RUN:   --expect='dense<[0.0, -0.0, 4.0, 0xFF800000, 0x7FC00000, 0x7FC00000]> : tensor<6xf32>' \
// RUN:   --expect='dense<[-0.0, -0.0, -3.75, 0xFF800000, 0x7FC00000, 0x7FC00000]> : tensor<6xf32>' \
// RUN:   --expect='dense<[0x7FC00000, 0x7FC00000, -0.6, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<6xf32>' \
// RUN:   --expect='dense<[0.0, 0.0, 1.5, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<6xf32>' \
// RUN:   --expect='dense<[-0.0, -0.0, -2.5, 0xFF800000, 0x7FC00000, 0x7FC00000]> : tensor<6xf32>' \
// RUN:   --rtol=0 --atol=0

func.func @main(%x: tensor<6xf32>, %y: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %0 = stablehlo.add %x, %y : tensor<6xf32>
  %1 = stablehlo.subtract %x, %y : tensor<6xf32>
  %2 = stablehlo.multiply %x, %y : tensor<6xf32>
  %3 = stablehlo.divide %x, %y : tensor<6xf32>
  %4 = stablehlo.maximum %x, %y : tensor<6xf32>
  %5 = stablehlo.minimum %x, %y : tensor<6xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}
