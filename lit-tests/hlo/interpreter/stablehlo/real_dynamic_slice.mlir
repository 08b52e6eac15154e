// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=dynamic %s

// Values: indexing of numpy.

func.func @main() {
  %x0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %start0 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %limit0 = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %stride0 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r0 = stablehlo.real_dynamic_slice %x0, %start0, %limit0, %stride0
      : (tensor<3x4xi32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xi32>
  check.expect_eq_const %r0, dense<[[4, 6], [8, 10]]> : tensor<2x2xi32>

  %x1 = stablehlo.constant dense<[1.5, 2.5, 3.5]> : tensor<3xf32>
  %start1 = stablehlo.constant dense<[0]> : tensor<1xi64>
  %limit1 = stablehlo.constant dense<[3]> : tensor<1xi64>
  %stride1 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %r1 = stablehlo.real_dynamic_slice %x1, %start1, %limit1, %stride1
      : (tensor<3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  check.expect_eq_const %r1, dense<[1.5, 3.5]> : tensor<2xf32>

  %x2 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %start2 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %limit2 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %stride2 = stablehlo.constant dense<[1]> : tensor<1xi64>
  %r2 = stablehlo.real_dynamic_slice %x2, %start2, %limit2, %stride2
      : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<0xi64>
  check.expect_eq_const %r2, dense<> : tensor<0xi64>
  func.return
}

func.func @dynamic() {
  %x = stablehlo.constant dense<[1, 2, 4, 8, 16]> : tensor<5xi32>
  %start = stablehlo.constant dense<[1]> : tensor<1xi32>
  %limit = stablehlo.constant dense<[5]> : tensor<1xi32>
  %stride = stablehlo.constant dense<[3]> : tensor<1xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %y = stablehlo.real_dynamic_slice %x, %start, %limit, %stride
      : (tensor<5xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  %n = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %r = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %n, dense<2> : tensor<i32>
  check.expect_eq_const %r, dense<18> : tensor<i32>
  func.return
}
