// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=dynamic %s

// Values: numpy.fmod, with the broadcasting of numpy.

func.func @main() {
  %a0 = stablehlo.constant dense<[[-2147483648], [7]]> : tensor<2x1xi32>
  %b0 = stablehlo.constant dense<[-1, -2, 2]> : tensor<3xi32>
  %r0 = chlo.broadcast_remainder %a0, %b0 : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r0, dense<[[0, 0, 0], [0, 1, 1]]> : tensor<2x3xi32>

  %a1 = stablehlo.constant dense<[1.0, -1.0, 0.0, 7.0]> : tensor<4xf32>
  %b1 = stablehlo.constant dense<0.0> : tensor<f32>
  %r1 = chlo.broadcast_remainder %a1, %b1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_eq_const %r1, dense<0x7FC00000> : tensor<4xf32>

  %a2 = stablehlo.constant dense<[255, 200]> : tensor<2xui8>
  %b2 = stablehlo.constant dense<[[2, 8, 2], [7, 0, 7]]> : tensor<2x3xui8>
  %r2 = chlo.broadcast_remainder %a2, %b2 {broadcast_dimensions = array<i64: 0>}
      : (tensor<2xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>
  check.expect_eq_const %r2, dense<[[1, 7, 1], [4, 200, 4]]> : tensor<2x3xui8>

  %a3 = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %b3 = stablehlo.constant dense<[[-1, 7, 7]]> : tensor<1x3xi64>
  %r3 = chlo.broadcast_remainder %a3, %b3 : (tensor<i64>, tensor<1x3xi64>) -> tensor<1x3xi64>
  check.expect_eq_const %r3, dense<[[0, -1, -1]]> : tensor<1x3xi64>
  func.return
}

func.func @dynamic() {
  %a = stablehlo.constant dense<[[-2147483648], [7]]> : tensor<2x1xi32>
  %b = stablehlo.constant dense<[-1, -2, 2]> : tensor<3xi32>
  %p = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %q = stablehlo.constant dense<[3]> : tensor<1xi64>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %u = stablehlo.dynamic_reshape %a, %p : (tensor<2x1xi32>, tensor<2xi64>) -> tensor<?x1xi32>
  %v = stablehlo.dynamic_reshape %b, %q : (tensor<3xi32>, tensor<1xi64>) -> tensor<?xi32>
  %r = func.call @dynamic_remainder(%u, %v) : (tensor<?x1xi32>, tensor<?xi32>) -> tensor<?x?xi32>
  %s = stablehlo.dynamic_reshape %r, %shape : (tensor<?x?xi32>, tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %s, dense<[[0, 0, 0], [0, 1, 1]]> : tensor<2x3xi32>
  func.return
}

func.func private @dynamic_remainder(%a: tensor<?x1xi32>, %b: tensor<?xi32>) -> tensor<?x?xi32> {
  %r = chlo.broadcast_remainder %a, %b : (tensor<?x1xi32>, tensor<?xi32>) -> tensor<?x?xi32>
  func.return %r : tensor<?x?xi32>
}
