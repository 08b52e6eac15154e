// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=dynamic %s

// Values: numpy.broadcast_to.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
  %shape0 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %r0 = stablehlo.dynamic_broadcast_in_dim %x0, %shape0, dims = [0, 1]
      : (tensor<1x3xi32>, tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %r0, dense<[[1, 2, 3], [1, 2, 3]]> : tensor<2x3xi32>

  %x1 = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf32>
  %shape1 = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  %r1 = stablehlo.dynamic_broadcast_in_dim %x1, %shape1, dims = [1]
      : (tensor<2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  check.expect_eq_const %r1, dense<[[1.5, 2.5], [1.5, 2.5]]> : tensor<2x2xf32>

  %x2 = stablehlo.constant dense<true> : tensor<i1>
  %shape2 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %r2 = stablehlo.dynamic_broadcast_in_dim %x2, %shape2, dims = []
      : (tensor<i1>, tensor<1xi64>) -> tensor<2xi1>
  check.expect_eq_const %r2, dense<[true, true]> : tensor<2xi1>
  func.return
}

func.func @dynamic() {
  %x = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %six = stablehlo.constant dense<[6]> : tensor<1xi64>
  %y = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [0]
      : (tensor<2xi32>, tensor<2xi64>) -> tensor<?x?xi32>
  %n = stablehlo.get_dimension_size %y, dim = 1 : (tensor<?x?xi32>) -> tensor<i32>
  %s = stablehlo.dynamic_reshape %y, %six : (tensor<?x?xi32>, tensor<1xi64>) -> tensor<6xi32>
  check.expect_eq_const %n, dense<3> : tensor<i32>
  check.expect_eq_const %s, dense<[7, 7, 7, 8, 8, 8]> : tensor<6xi32>
  func.return
}
