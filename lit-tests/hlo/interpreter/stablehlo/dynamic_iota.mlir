// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=dynamic %s

// Values: numpy.arange, broadcast.

func.func @main() {
  %shape0 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %r0 = stablehlo.dynamic_iota %shape0, dim = 1 : (tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %r0, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>

  %shape1 = stablehlo.constant dense<[3]> : tensor<1xi64>
  %r1 = stablehlo.dynamic_iota %shape1, dim = 0 : (tensor<1xi64>) -> tensor<3xf32>
  check.expect_eq_const %r1, dense<[0.0, 1.0, 2.0]> : tensor<3xf32>

  %shape2 = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  %r2 = stablehlo.dynamic_iota %shape2, dim = 0 : (tensor<2xi64>) -> tensor<2x2xui8>
  check.expect_eq_const %r2, dense<[[0, 0], [1, 1]]> : tensor<2x2xui8>

  %shape3 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %r3 = stablehlo.dynamic_iota %shape3, dim = 1 : (tensor<2xi64>) -> tensor<0x2xi64>
  check.expect_eq_const %r3, dense<> : tensor<0x2xi64>
  func.return
}

func.func @dynamic() {
  %shape = stablehlo.constant dense<[5]> : tensor<1xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %y = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %r = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %r, dense<10> : tensor<i32>
  func.return
}
