// RUN: halo-run --backend=interpreter --entry=dynamic %s

// Values: the first entries of the dimension, which is all that later ops see.

func.func @dynamic() {
  %x0 = stablehlo.constant dense<[1, 2, 4, 8]> : tensor<4xi32>
  %n0 = stablehlo.constant dense<3> : tensor<i32>
  %zero0 = stablehlo.constant dense<0> : tensor<i32>
  %y0 = stablehlo.set_dimension_size %x0, %n0, dim = 0
      : (tensor<4xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
  %k0 = stablehlo.get_dimension_size %y0, dim = 0
      : (tensor<?xi32, #stablehlo.bounds<4>>) -> tensor<i32>
  %r0 = stablehlo.reduce(%y0 init: %zero0) applies stablehlo.add across dimensions = [0]
      : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %k0, dense<3> : tensor<i32>
  check.expect_eq_const %r0, dense<7> : tensor<i32>

  %x1 = stablehlo.constant dense<[[3.0, 2.0], [5.0, 4.0]]> : tensor<2x2xf32>
  %n1 = stablehlo.constant dense<1> : tensor<i32>
  %one1 = stablehlo.constant dense<1.0> : tensor<f32>
  %y1 = stablehlo.set_dimension_size %x1, %n1, dim = 1
      : (tensor<2x2xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 2>>
  %r1 = stablehlo.reduce(%y1 init: %one1) applies stablehlo.multiply across dimensions = [1]
      : (tensor<2x?xf32, #stablehlo.bounds<?, 2>>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %r1, dense<[3.0, 5.0]> : tensor<2xf32>

  // A size that is counted, and one that is that of the type.
  %x2 = stablehlo.constant dense<[1.5, -2.0, 4.0, -8.0]> : tensor<4xf32>
  %bound2 = stablehlo.constant dense<0.0> : tensor<4xf32>
  %above2 = stablehlo.compare GT, %x2, %bound2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %ones2 = stablehlo.convert %above2 : (tensor<4xi1>) -> tensor<4xi32>
  %n2 = stablehlo.reduce(%ones2 init: %zero0) applies stablehlo.add across dimensions = [0]
      : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  %y2 = stablehlo.set_dimension_size %x2, %n2, dim = 0
      : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  %r2 = stablehlo.reduce(%y2 init: %one1) applies stablehlo.add across dimensions = [0]
      : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %r2, dense<0.5> : tensor<f32>
  %n3 = stablehlo.constant dense<4> : tensor<i32>
  %y3 = stablehlo.set_dimension_size %x2, %n3, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  check.expect_eq_const %y3, dense<[1.5, -2.0, 4.0, -8.0]> : tensor<4xf32>
  func.return
}
