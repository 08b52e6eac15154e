// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=dynamic %s

// Values: >> of unsigned numbers in Python, cut to the width, with the broadcasting of numpy.

func.func @main() {
  %a0 = stablehlo.constant dense<[[-2147483648], [1]]> : tensor<2x1xi32>
  %b0 = stablehlo.constant dense<[31, 4, 1]> : tensor<3xi32>
  %r0 = chlo.broadcast_shift_right_logical %a0, %b0
      : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r0, dense<[[1, 134217728, 1073741824], [0, 0, 0]]> : tensor<2x3xi32>

  %a1 = stablehlo.constant dense<[255, 129, 6, 9]> : tensor<4xui8>
  %b1 = stablehlo.constant dense<1> : tensor<ui8>
  %r1 = chlo.broadcast_shift_right_logical %a1, %b1 : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  check.expect_eq_const %r1, dense<[127, 64, 3, 4]> : tensor<4xui8>

  %a2 = stablehlo.constant dense<[-1, 1]> : tensor<2xi64>
  %b2 = stablehlo.constant dense<[[63, 40, 63], [40, 64, 40]]> : tensor<2x3xi64>
  %r2 = chlo.broadcast_shift_right_logical %a2, %b2 {broadcast_dimensions = array<i64: 0>}
      : (tensor<2xi64>, tensor<2x3xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %r2, dense<[[1, 16777215, 1], [0, 0, 0]]> : tensor<2x3xi64>
  func.return
}

func.func @dynamic() {
  %a = stablehlo.constant dense<[[-2147483648], [1]]> : tensor<2x1xi32>
  %b = stablehlo.constant dense<[31, 4, 1]> : tensor<3xi32>
  %p = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %q = stablehlo.constant dense<[3]> : tensor<1xi64>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %u = stablehlo.dynamic_reshape %a, %p : (tensor<2x1xi32>, tensor<2xi64>) -> tensor<?x1xi32>
  %v = stablehlo.dynamic_reshape %b, %q : (tensor<3xi32>, tensor<1xi64>) -> tensor<?xi32>
  %r = func.call @dynamic_shift_right_logical(%u, %v)
      : (tensor<?x1xi32>, tensor<?xi32>) -> tensor<?x?xi32>
  %s = stablehlo.dynamic_reshape %r, %shape : (tensor<?x?xi32>, tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %s, dense<[[1, 134217728, 1073741824], [0, 0, 0]]> : tensor<2x3xi32>
  func.return
}

func.func private @dynamic_shift_right_logical(%a: tensor<?x1xi32>, %b: tensor<?xi32>) -> tensor<?x?xi32> {
  %r = chlo.broadcast_shift_right_logical %a, %b : (tensor<?x1xi32>, tensor<?xi32>) -> tensor<?x?xi32>
  func.return %r : tensor<?x?xi32>
}
