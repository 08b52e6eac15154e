// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @async_start_arguments(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.async_start' op region 0 has 0 arguments, but must have 1}}
  %0 = "stablehlo.async_start"(%a) ({
    stablehlo.return %a : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  return
}

// -----

func.func @async_start_argument_type(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.async_start' op argument 0 of region 0 has element type i32, but operand 0 has element type f32}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8xi32>):
    stablehlo.return %a : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  return
}

// -----

func.func @async_start_result_type(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.async_start' op value 0 returned by region 0 has type tensor<8xf32>, but !stablehlo.future<tensor<9xf32>> holds tensor<9xf32>}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8xf32>):
    stablehlo.return %x : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<9xf32>>
  return
}

// -----

func.func @async_start_not_a_future(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.async_start' op result #0 must be future, but got 'tensor<8xf32>'}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8xf32>):
    stablehlo.return %x : tensor<8xf32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @async_start_no_collective(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.async_start' op has a body of 'stablehlo.negate', which is not a collective that can run beside other ops}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8xf32>):
    %1 = stablehlo.negate %x : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  return
}

// -----

func.func @async_start_empty(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.async_start' op has a body of 0 ops, but it must be one collective}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8xf32>):
    stablehlo.return %x : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  return
}
