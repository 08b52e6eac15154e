// RUN: halo-run --backend=interpreter %s

// Values: numpy.cumsum, numpy.cumprod, numpy.maximum.accumulate.

func.func @main() {
  %x0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %init0 = stablehlo.constant dense<0> : tensor<i32>
  %r0, %last0 = chlo.scan(%x0) inits(%init0) dimension=0 {
  ^bb0(%p0: tensor<i32>, %q0: tensor<i32>):
    %s0 = stablehlo.add %p0, %q0 : tensor<i32>
    stablehlo.return %s0, %s0 : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  check.expect_eq_const %r0, dense<[1, 3, 6, 10]> : tensor<4xi32>
  check.expect_eq_const %last0, dense<10> : tensor<i32>

  %x1 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %init1 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %r1, %last1 = chlo.scan(%x1) inits(%init1) dimension=1 {
  ^bb0(%p1: tensor<2xf32>, %q1: tensor<2xf32>):
    %s1 = stablehlo.multiply %p1, %q1 : tensor<2xf32>
    stablehlo.return %s1, %s1 : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  check.expect_eq_const %r1, dense<[[1.0, 2.0, 6.0], [4.0, 20.0, 120.0]]> : tensor<2x3xf32>
  check.expect_eq_const %last1, dense<[6.0, 120.0]> : tensor<2xf32>

  %x2 = stablehlo.constant dense<[[3, 1], [2, 5]]> : tensor<2x2xi64>
  %init2 = stablehlo.constant dense<[-9, -9]> : tensor<2xi64>
  %r2, %last2 = chlo.scan(%x2) inits(%init2) dimension=0 {
  ^bb0(%p2: tensor<2xi64>, %q2: tensor<2xi64>):
    %s2 = stablehlo.maximum %p2, %q2 : tensor<2xi64>
    stablehlo.return %s2, %s2 : tensor<2xi64>, tensor<2xi64>
  } : (tensor<2x2xi64>, tensor<2xi64>) -> (tensor<2x2xi64>, tensor<2xi64>)
  check.expect_eq_const %r2, dense<[[3, 1], [3, 5]]> : tensor<2x2xi64>
  check.expect_eq_const %last2, dense<[3, 5]> : tensor<2xi64>

  %x3 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %init3 = stablehlo.constant dense<0> : tensor<i32>
  %r3, %last3 = chlo.scan(%x3) inits(%init3) dimension=0 attributes {is_reverse = true} {
  ^bb0(%p3: tensor<i32>, %q3: tensor<i32>):
    %s3 = stablehlo.add %p3, %q3 : tensor<i32>
    stablehlo.return %s3, %s3 : tensor<i32>, tensor<i32>
  } : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)
  check.expect_eq_const %r3, dense<[6, 5, 3]> : tensor<3xi32>
  check.expect_eq_const %last3, dense<6> : tensor<i32>
  func.return
}
