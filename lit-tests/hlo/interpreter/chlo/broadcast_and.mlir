// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=dynamic %s

// Values: numpy.bitwise_and, with the broadcasting of numpy.

func.func @main() {
  %a0 = stablehlo.constant dense<[[-1], [12]]> : tensor<2x1xi32>
  %b0 = stablehlo.constant dense<[255, 10, -65536]> : tensor<3xi32>
  %r0 = chlo.broadcast_and %a0, %b0 : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r0, dense<[[255, 10, -65536], [12, 8, 0]]> : tensor<2x3xi32>

  %a1 = stablehlo.constant dense<[240, 15, 255]> : tensor<3xui8>
  %b1 = stablehlo.constant dense<51> : tensor<ui8>
  %r1 = chlo.broadcast_and %a1, %b1 : (tensor<3xui8>, tensor<ui8>) -> tensor<3xui8>
  check.expect_eq_const %r1, dense<[48, 3, 51]> : tensor<3xui8>

  %a2 = stablehlo.constant dense<[-1, 6]> : tensor<2xi64>
  %b2 = stablehlo.constant dense<[[1099511627776, 1099511627776, 1099511627776], [3, 3, 3]]> : tensor<2x3xi64>
  %r2 = chlo.broadcast_and %a2, %b2 {broadcast_dimensions = array<i64: 0>}
      : (tensor<2xi64>, tensor<2x3xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %r2, dense<[[1099511627776, 1099511627776, 1099511627776], [2, 2, 2]]> : tensor<2x3xi64>
  func.return
}

func.func @dynamic() {
  %a = stablehlo.constant dense<[[-1], [12]]> : tensor<2x1xi32>
  %b = stablehlo.constant dense<[255, 10, -65536]> : tensor<3xi32>
  %p = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %q = stablehlo.constant dense<[3]> : tensor<1xi64>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %u = stablehlo.dynamic_reshape %a, %p : (tensor<2x1xi32>, tensor<2xi64>) -> tensor<?x1xi32>
  %v = stablehlo.dynamic_reshape %b, %q : (tensor<3xi32>, tensor<1xi64>) -> tensor<?xi32>
  %r = func.call @dynamic_and(%u, %v) : (tensor<?x1xi32>, tensor<?xi32>) -> tensor<?x?xi32>
  %s = stablehlo.dynamic_reshape %r, %shape : (tensor<?x?xi32>, tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %s, dense<[[255, 10, -65536], [12, 8, 0]]> : tensor<2x3xi32>
  func.return
}

func.func private @dynamic_and(%a: tensor<?x1xi32>, %b: tensor<?xi32>) -> tensor<?x?xi32> {
  %r = chlo.broadcast_and %a, %b : (tensor<?x1xi32>, tensor<?xi32>) -> tensor<?x?xi32>
  func.return %r : tensor<?x?xi32>
}
