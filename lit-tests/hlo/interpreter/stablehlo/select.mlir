// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s

// Values: numpy.where; the first is the example of the specification.

func.func @main() {
  %p0 = stablehlo.constant dense<[[false, true], [true, false]]> : tensor<2x2xi1>
  %t0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %e0 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %r0 = stablehlo.select %p0, %t0, %e0 : tensor<2x2xi1>, tensor<2x2xi32>
  check.expect_eq_const %r0, dense<[[5, 2], [3, 8]]> : tensor<2x2xi32>

  %p1 = stablehlo.constant dense<true> : tensor<i1>
  %t1 = stablehlo.constant dense<[1.5, 0x7FC00000]> : tensor<2xf32>
  %e1 = stablehlo.constant dense<[0.0, 0.0]> : tensor<2xf32>
  %r1 = stablehlo.select %p1, %t1, %e1 : tensor<i1>, tensor<2xf32>
  check.expect_eq_const %r1, dense<[1.5, 0x7FC00000]> : tensor<2xf32>

  %p2 = stablehlo.constant dense<false> : tensor<i1>
  %t2 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %e2 = stablehlo.constant dense<[-3, -4]> : tensor<2xi8>
  %r2 = stablehlo.select %p2, %t2, %e2 : tensor<i1>, tensor<2xi8>
  check.expect_eq_const %r2, dense<[-3, -4]> : tensor<2xi8>

  %p3 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %t3 = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %e3 = stablehlo.constant dense<[false, false]> : tensor<2xi1>
  %r3 = stablehlo.select %p3, %t3, %e3 : tensor<2xi1>, tensor<2xi1>
  check.expect_eq_const %r3, dense<[true, false]> : tensor<2xi1>

  %p4 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %t4 = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %e4 = stablehlo.constant dense<[(3.0, 0.0), (0.0, 4.0)]> : tensor<2xcomplex<f32>>
  %r4 = stablehlo.select %p4, %t4, %e4 : tensor<2xi1>, tensor<2xcomplex<f32>>
  check.expect_eq_const %r4, dense<[(0.0, 1.0), (0.0, 4.0)]> : tensor<2xcomplex<f32>>

  %p5 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %t5 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %e5 = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xbf16>
  %r5 = stablehlo.select %p5, %t5, %e5 : tensor<2xi1>, tensor<2xbf16>
  check.expect_eq_const %r5, dense<[3.0, 2.0]> : tensor<2xbf16>

  %p6 = stablehlo.constant dense<> : tensor<0xi1>
  %t6 = stablehlo.constant dense<> : tensor<0xui64>
  %e6 = stablehlo.constant dense<> : tensor<0xui64>
  %r6 = stablehlo.select %p6, %t6, %e6 : tensor<0xi1>, tensor<0xui64>
  check.expect_eq_const %r6, dense<> : tensor<0xui64>
  func.return
}

func.func @narrow() {
  %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %t = stablehlo.constant dense<[1, 2]> : tensor<2xi4>
  %e = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %r = stablehlo.select %p, %t, %e : tensor<2xi1>, tensor<2xi4>
  check.expect_eq_const %r, dense<[1, 7]> : tensor<2xi4>
  func.return
}
