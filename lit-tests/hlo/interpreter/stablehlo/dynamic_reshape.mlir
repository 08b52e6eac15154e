// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=dynamic %s

// Values: numpy.reshape.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %shape0 = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %r0 = stablehlo.dynamic_reshape %x0, %shape0 : (tensor<2x3xi32>, tensor<2xi64>) -> tensor<3x2xi32>
  check.expect_eq_const %r0, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>

  %x1 = stablehlo.constant dense<[1.5, 2.0]> : tensor<2xf32>
  %shape1 = stablehlo.constant dense<[1, 2, 1]> : tensor<3xi64>
  %r1 = stablehlo.dynamic_reshape %x1, %shape1 : (tensor<2xf32>, tensor<3xi64>) -> tensor<1x2x1xf32>
  check.expect_eq_const %r1, dense<[[[1.5], [2.0]]]> : tensor<1x2x1xf32>

  %x2 = stablehlo.constant dense<[[true]]> : tensor<1x1xi1>
  %shape2 = stablehlo.constant dense<[1]> : tensor<1xi64>
  %r2 = stablehlo.dynamic_reshape %x2, %shape2 : (tensor<1x1xi1>, tensor<1xi64>) -> tensor<1xi1>
  check.expect_eq_const %r2, dense<[true]> : tensor<1xi1>
  func.return
}

func.func @dynamic() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %shape = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<[2]> : tensor<1xi32>
  %y = stablehlo.dynamic_reshape %x, %shape : (tensor<4xi32>, tensor<2xi32>) -> tensor<?x?xi32>
  %r = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<?x?xi32>, tensor<i32>) -> tensor<?xi32>
  %s = stablehlo.dynamic_reshape %r, %two : (tensor<?xi32>, tensor<1xi32>) -> tensor<2xi32>
  check.expect_eq_const %s, dense<[4, 6]> : tensor<2xi32>
  func.return
}
