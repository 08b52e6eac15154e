// RUN: halo-run --backend=interpreter %s

// Values: the elements.

func.func @main() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y0 = stablehlo.constant dense<0.5> : tensor<f64>
  %t0 = stablehlo.tuple %x0, %y0 : tuple<tensor<2xi32>, tensor<f64>>
  %r0 = stablehlo.get_tuple_element %t0[1] : (tuple<tensor<2xi32>, tensor<f64>>) -> tensor<f64>
  check.expect_eq_const %r0, dense<0.5> : tensor<f64>

  %x1 = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %y1 = stablehlo.constant dense<3> : tensor<ui8>
  %t1 = stablehlo.tuple %x1, %y1, %x1 : tuple<tensor<2xcomplex<f32>>, tensor<ui8>, tensor<2xcomplex<f32>>>
  %a1 = stablehlo.get_tuple_element %t1[0]
      : (tuple<tensor<2xcomplex<f32>>, tensor<ui8>, tensor<2xcomplex<f32>>>) -> tensor<2xcomplex<f32>>
  %b1 = stablehlo.get_tuple_element %t1[2]
      : (tuple<tensor<2xcomplex<f32>>, tensor<ui8>, tensor<2xcomplex<f32>>>) -> tensor<2xcomplex<f32>>
  %r1 = stablehlo.add %a1, %b1 : tensor<2xcomplex<f32>>
  check.expect_eq_const %r1, dense<[(0.0, 2.0), (4.0, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}
