// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=dynamic %s

// Values: a loop over the formula of pad.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %v0 = stablehlo.constant dense<0> : tensor<i32>
  %low0 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %high0 = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %inner0 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r0 = stablehlo.dynamic_pad %x0, %v0, %low0, %high0, %inner0
      : (tensor<2x3xi32>, tensor<i32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x9xi32>
  check.expect_eq_const %r0, dense<[[0, 1, 0, 0, 2, 0, 0, 3, 0],
                                    [0, 0, 0, 0, 0, 0, 0, 0, 0],
                                    [0, 4, 0, 0, 5, 0, 0, 6, 0],
                                    [0, 0, 0, 0, 0, 0, 0, 0, 0],
                                    [0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<5x9xi32>

  %x1 = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %v1 = stablehlo.constant dense<9> : tensor<i32>
  %low1 = stablehlo.constant dense<[-1]> : tensor<1xi64>
  %high1 = stablehlo.constant dense<[-2]> : tensor<1xi64>
  %inner1 = stablehlo.constant dense<[0]> : tensor<1xi64>
  %r1 = stablehlo.dynamic_pad %x1, %v1, %low1, %high1, %inner1
      : (tensor<5xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi32>
  check.expect_eq_const %r1, dense<[2, 3]> : tensor<2xi32>

  %x2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %v2 = stablehlo.constant dense<-0.5> : tensor<f32>
  %low2 = stablehlo.constant dense<[-2]> : tensor<1xi64>
  %high2 = stablehlo.constant dense<[1]> : tensor<1xi64>
  %inner2 = stablehlo.constant dense<[1]> : tensor<1xi64>
  %r2 = stablehlo.dynamic_pad %x2, %v2, %low2, %high2, %inner2
      : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<6xf32>
  check.expect_eq_const %r2, dense<[2.0, -0.5, 3.0, -0.5, 4.0, -0.5]> : tensor<6xf32>

  %x3 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %v3 = stablehlo.constant dense<-1> : tensor<i64>
  %low3 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %high3 = stablehlo.constant dense<[-3]> : tensor<1xi64>
  %inner3 = stablehlo.constant dense<[0]> : tensor<1xi64>
  %r3 = stablehlo.dynamic_pad %x3, %v3, %low3, %high3, %inner3
      : (tensor<3xi64>, tensor<i64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  check.expect_eq_const %r3, dense<[-1, -1]> : tensor<2xi64>

  %x4 = stablehlo.constant dense<> : tensor<0xf64>
  %v4 = stablehlo.constant dense<2.5> : tensor<f64>
  %low4 = stablehlo.constant dense<[1]> : tensor<1xi64>
  %high4 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %inner4 = stablehlo.constant dense<[3]> : tensor<1xi64>
  %r4 = stablehlo.dynamic_pad %x4, %v4, %low4, %high4, %inner4
      : (tensor<0xf64>, tensor<f64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf64>
  check.expect_eq_const %r4, dense<[2.5, 2.5, 2.5]> : tensor<3xf64>
  func.return
}

func.func @dynamic() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %v = stablehlo.constant dense<0> : tensor<i32>
  %low = stablehlo.constant dense<[1]> : tensor<1xi32>
  %high = stablehlo.constant dense<[-1]> : tensor<1xi32>
  %inner = stablehlo.constant dense<[2]> : tensor<1xi32>
  %shape = stablehlo.constant dense<[7]> : tensor<1xi32>
  %y = stablehlo.dynamic_pad %x, %v, %low, %high, %inner
      : (tensor<3xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  %n = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %r = stablehlo.dynamic_reshape %y, %shape : (tensor<?xi32>, tensor<1xi32>) -> tensor<7xi32>
  check.expect_eq_const %n, dense<7> : tensor<i32>
  check.expect_eq_const %r, dense<[0, 1, 0, 0, 2, 0, 0]> : tensor<7xi32>
  func.return
}
