// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=dynamic %s

// Values: numpy.add, with the broadcasting of numpy.

func.func @main() {
  %a0 = stablehlo.constant dense<[[2147483647], [-2147483648]]> : tensor<2x1xi32>
  %b0 = stablehlo.constant dense<[1, -1, -5]> : tensor<3xi32>
  %r0 = chlo.broadcast_add %a0, %b0 : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r0, dense<[[-2147483648, 2147483646, 2147483642],
                                    [-2147483647, 2147483647, 2147483643]]> : tensor<2x3xi32>

  %a1 = stablehlo.constant dense<[1.5, 0x7F800000, 2.0, 3.0e38]> : tensor<4xf32>
  %b1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %r1 = chlo.broadcast_add %a1, %b1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_eq_const %r1, dense<[0xFF800000, 0x7FC00000, 0xFF800000, 0xFF800000]> : tensor<4xf32>

  %a2 = stablehlo.constant dense<[255, 0]> : tensor<2xui8>
  %b2 = stablehlo.constant dense<[[1, 100, 1], [1, 3, 1]]> : tensor<2x3xui8>
  %r2 = chlo.broadcast_add %a2, %b2 {broadcast_dimensions = array<i64: 0>}
      : (tensor<2xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>
  check.expect_eq_const %r2, dense<[[0, 99, 0], [1, 3, 1]]> : tensor<2x3xui8>

  %a3 = stablehlo.constant dense<9223372036854775807> : tensor<i64>
  %b3 = stablehlo.constant dense<[[1, -1, 7]]> : tensor<1x3xi64>
  %r3 = chlo.broadcast_add %a3, %b3 : (tensor<i64>, tensor<1x3xi64>) -> tensor<1x3xi64>
  check.expect_eq_const %r3, dense<[[-9223372036854775808, 9223372036854775806,
                                     -9223372036854775802]]> : tensor<1x3xi64>
  func.return
}

func.func @dynamic() {
  %a = stablehlo.constant dense<[[2147483647], [-2147483648]]> : tensor<2x1xi32>
  %b = stablehlo.constant dense<[1, -1, -5]> : tensor<3xi32>
  %p = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %q = stablehlo.constant dense<[3]> : tensor<1xi64>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %u = stablehlo.dynamic_reshape %a, %p : (tensor<2x1xi32>, tensor<2xi64>) -> tensor<?x1xi32>
  %v = stablehlo.dynamic_reshape %b, %q : (tensor<3xi32>, tensor<1xi64>) -> tensor<?xi32>
  %r = func.call @dynamic_add(%u, %v) : (tensor<?x1xi32>, tensor<?xi32>) -> tensor<?x?xi32>
  %s = stablehlo.dynamic_reshape %r, %shape : (tensor<?x?xi32>, tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %s, dense<[[-2147483648, 2147483646, 2147483642],
                                   [-2147483647, 2147483647, 2147483643]]> : tensor<2x3xi32>
  func.return
}

func.func private @dynamic_add(%a: tensor<?x1xi32>, %b: tensor<?xi32>) -> tensor<?x?xi32> {
  %r = chlo.broadcast_add %a, %b : (tensor<?x1xi32>, tensor<?xi32>) -> tensor<?x?xi32>
  func.return %r : tensor<?x?xi32>
}
