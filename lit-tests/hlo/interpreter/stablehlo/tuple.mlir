// RUN: halo-run --backend=interpreter %s

// Values: the elements.

func.func @main() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y0 = stablehlo.constant dense<0.5> : tensor<f64>
  %t0 = stablehlo.tuple %x0, %y0 : tuple<tensor<2xi32>, tensor<f64>>
  %r0 = stablehlo.get_tuple_element %t0[1] : (tuple<tensor<2xi32>, tensor<f64>>) -> tensor<f64>
  check.expect_eq_const %r0, dense<0.5> : tensor<f64>

  // One within another.
  %x1 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %t1 = stablehlo.tuple %x1 : tuple<tensor<2xi1>>
  %u1 = stablehlo.tuple %t1, %x1 : tuple<tuple<tensor<2xi1>>, tensor<2xi1>>
  %a1 = stablehlo.get_tuple_element %u1[0]
      : (tuple<tuple<tensor<2xi1>>, tensor<2xi1>>) -> tuple<tensor<2xi1>>
  %r1 = stablehlo.get_tuple_element %a1[0] : (tuple<tensor<2xi1>>) -> tensor<2xi1>
  check.expect_eq_const %r1, dense<[true, false]> : tensor<2xi1>
  func.return
}
