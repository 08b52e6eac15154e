// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=dynamic %s

// Values: the shape of the operand.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %r0 = stablehlo.get_dimension_size %x0, dim = 1 : (tensor<1x3xf32>) -> tensor<i32>
  check.expect_eq_const %r0, dense<3> : tensor<i32>

  %x1 = stablehlo.constant dense<> : tensor<0x2xi8>
  %r1 = stablehlo.get_dimension_size %x1, dim = 0 : (tensor<0x2xi8>) -> tensor<i32>
  check.expect_eq_const %r1, dense<0> : tensor<i32>
  func.return
}

func.func @dynamic() {
  %shape = stablehlo.constant dense<[4, 7]> : tensor<2xi64>
  %y = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi32>
  %r = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?x?xi32>) -> tensor<i32>
  %s = stablehlo.get_dimension_size %y, dim = 1 : (tensor<?x?xi32>) -> tensor<i32>
  check.expect_eq_const %r, dense<4> : tensor<i32>
  check.expect_eq_const %s, dense<7> : tensor<i32>
  func.return
}
