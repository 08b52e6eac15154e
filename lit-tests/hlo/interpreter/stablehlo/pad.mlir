// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s

// Values: a loop over the formula of the specification; the first is its example.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %v0 = stablehlo.constant dense<0> : tensor<i32>
  %r0 = stablehlo.pad %x0, %v0, low = [0, 1], high = [2, 1], interior = [1, 2]
      : (tensor<2x3xi32>, tensor<i32>) -> tensor<5x9xi32>
  check.expect_eq_const %r0, dense<[[0, 1, 0, 0, 2, 0, 0, 3, 0],
                                    [0, 0, 0, 0, 0, 0, 0, 0, 0],
                                    [0, 4, 0, 0, 5, 0, 0, 6, 0],
                                    [0, 0, 0, 0, 0, 0, 0, 0, 0],
                                    [0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<5x9xi32>

  %x1 = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %v1 = stablehlo.constant dense<9> : tensor<i32>
  %r1 = stablehlo.pad %x1, %v1, low = [-1], high = [-2], interior = [0]
      : (tensor<5xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r1, dense<[2, 3]> : tensor<2xi32>

  %x2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %v2 = stablehlo.constant dense<-0.5> : tensor<f32>
  %r2 = stablehlo.pad %x2, %v2, low = [-2], high = [1], interior = [1]
      : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  check.expect_eq_const %r2, dense<[2.0, -0.5, 3.0, -0.5, 4.0, -0.5]> : tensor<6xf32>

  %x3 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %v3 = stablehlo.constant dense<-1> : tensor<i64>
  %r3 = stablehlo.pad %x3, %v3, low = [2], high = [-3], interior = [0]
      : (tensor<3xi64>, tensor<i64>) -> tensor<2xi64>
  check.expect_eq_const %r3, dense<[-1, -1]> : tensor<2xi64>

  %x4 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %v4 = stablehlo.constant dense<true> : tensor<i1>
  %r4 = stablehlo.pad %x4, %v4, low = [1], high = [0], interior = [0]
      : (tensor<2xi1>, tensor<i1>) -> tensor<3xi1>
  check.expect_eq_const %r4, dense<[true, true, false]> : tensor<3xi1>

  %x5 = stablehlo.constant dense<> : tensor<0xf64>
  %v5 = stablehlo.constant dense<2.5> : tensor<f64>
  %r5 = stablehlo.pad %x5, %v5, low = [1], high = [2], interior = [3]
      : (tensor<0xf64>, tensor<f64>) -> tensor<3xf64>
  check.expect_eq_const %r5, dense<[2.5, 2.5, 2.5]> : tensor<3xf64>

  %x6 = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %v6 = stablehlo.constant dense<(3.0, 0.0)> : tensor<complex<f32>>
  %r6 = stablehlo.pad %x6, %v6, low = [0], high = [0], interior = [1]
      : (tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %r6, dense<[(0.0, 1.0), (3.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>
  func.return
}

func.func @narrow() {
  %x = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %v = stablehlo.constant dense<3> : tensor<i4>
  %r = stablehlo.pad %x, %v, low = [1], high = [0], interior = [0]
      : (tensor<2xi4>, tensor<i4>) -> tensor<3xi4>
  check.expect_eq_const %r, dense<[3, -8, 7]> : tensor<3xi4>
  func.return
}
