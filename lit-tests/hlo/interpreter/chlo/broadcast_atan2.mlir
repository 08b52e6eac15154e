// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=dynamic %s

// Values: numpy.arctan2, mpmath for complex numbers, with the broadcasting of numpy.

func.func @main() {
  %a0 = stablehlo.constant dense<[[0.0], [1.0]]> : tensor<2x1xf32>
  %b0 = stablehlo.constant dense<[1.0, 0.0, 0.0]> : tensor<3xf32>
  %r0 = chlo.broadcast_atan2 %a0, %b0 : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %expected0 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [0.7853982, 1.5707964, 1.5707964]]> : tensor<2x3xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 2 : tensor<2x3xf32>, tensor<2x3xf32>

  %a1 = stablehlo.constant dense<[0.0, 1.0, -1.0, 3.0]> : tensor<4xf32>
  %b1 = stablehlo.constant dense<0.0> : tensor<f32>
  %r1 = chlo.broadcast_atan2 %a1, %b1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %expected1 = stablehlo.constant dense<[0.0, 1.5707964, -1.5707964, 1.5707964]> : tensor<4xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
  func.return
}

func.func @dynamic() {
  %a = stablehlo.constant dense<[[0.0], [1.0]]> : tensor<2x1xf32>
  %b = stablehlo.constant dense<[1.0, 0.0, 0.0]> : tensor<3xf32>
  %p = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %q = stablehlo.constant dense<[3]> : tensor<1xi64>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %u = stablehlo.dynamic_reshape %a, %p : (tensor<2x1xf32>, tensor<2xi64>) -> tensor<?x1xf32>
  %v = stablehlo.dynamic_reshape %b, %q : (tensor<3xf32>, tensor<1xi64>) -> tensor<?xf32>
  %r = func.call @dynamic_atan2(%u, %v) : (tensor<?x1xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %s = stablehlo.dynamic_reshape %r, %shape : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %s_expected = stablehlo.constant dense<[[0.0, 0.0, 0.0], [0.7853982, 1.5707964, 1.5707964]]> : tensor<2x3xf32>
  check.expect_close %s, %s_expected, max_ulp_difference = 2 : tensor<2x3xf32>, tensor<2x3xf32>
  func.return
}

func.func private @dynamic_atan2(%a: tensor<?x1xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %r = chlo.broadcast_atan2 %a, %b : (tensor<?x1xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  func.return %r : tensor<?x?xf32>
}
