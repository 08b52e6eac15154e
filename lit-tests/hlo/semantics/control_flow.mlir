// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @valid(%p: tensor<i1>, %n: tensor<i32>, %a: tensor<?xf32>, %b: tensor<4xf32>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<?xf32>
  }, {
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %1 = stablehlo.while(%x = %n) : tensor<i32>
    cond {
      %c = stablehlo.compare LT, %x, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      stablehlo.return %x : tensor<i32>
    }
  return
}

// -----

func.func @if_rank(%p: tensor<1xi1>, %b: tensor<4xf32>) {
  // expected-error @+1 {{operand 0 has rank 1, but it must have rank 0}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %b : tensor<4xf32>
  }, {
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<1xi1>) -> tensor<4xf32>
  return
}

// -----

func.func @if_c1(%p: tensor<i1>, %b: tensor<4xf32>) {
  // expected-error @+1 {{region 0 has 1 arguments, but must have 0}}
  %0 = "stablehlo.if"(%p) ({
  ^bb0(%x: tensor<4xf32>):
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}

// -----

func.func @if_c2(%p: tensor<i1>, %b: tensor<4xf32>) {
  // expected-error @+1 {{region 1 returns 2 values, but region 0 returns 1}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %b : tensor<4xf32>
  }, {
    stablehlo.return %b, %b : tensor<4xf32>, tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}

// -----

func.func @if_c3(%p: tensor<i1>, %b: tensor<4xf32>) {
  // expected-error @+1 {{result 0 has shape 5, but value 0 returned by region 0 has shape 4}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %b : tensor<4xf32>
  }, {
    stablehlo.return %b : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<5xf32>
  return
}

// -----

func.func @case_c1(%n: tensor<i32>) {
  // expected-error @+1 {{has no branches}}
  "stablehlo.case"(%n) : (tensor<i32>) -> ()
  return
}

// -----

func.func @case_c3(%n: tensor<i32>, %a: tensor<f32>, %b: tensor<i32>) {
  // expected-error @+1 {{value 0 returned by region 2 has element type i32, but value 0 returned by region 0 has element type f32}}
  %0 = "stablehlo.case"(%n) ({
    stablehlo.return %a : tensor<f32>
  }, {
    stablehlo.return %a : tensor<f32>
  }, {
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @while_c1_predicate(%n: tensor<i32>) {
  // expected-error @+1 {{value 0 returned by region 0 has type tensor<i32>, but must have type tensor<i1>}}
  %0 = stablehlo.while(%x = %n) : tensor<i32>
    cond {
      stablehlo.return %x : tensor<i32>
    } do {
      stablehlo.return %x : tensor<i32>
    }
  return
}

// -----

func.func @while_c1_arguments(%n: tensor<i32>, %p: tensor<i1>) {
  // expected-error @+1 {{region 0 has 0 arguments, but must have 1}}
  %0 = "stablehlo.while"(%n) ({
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @while_c2(%n: tensor<i32>, %p: tensor<i1>, %f: tensor<f32>) {
  // expected-error @+1 {{value 0 returned by region 1 has element type f32, but operand 0 has element type i32}}
  %0 = stablehlo.while(%x = %n) : tensor<i32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      stablehlo.return %f : tensor<f32>
    }
  return
}

// -----

func.func @while_c3(%n: tensor<i32>, %p: tensor<i1>) {
  // expected-error @+1 {{result 0 has element type i64, but operand 0 has element type i32}}
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%x: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i32>) -> tensor<i64>
  return
}

// -----

func.func @optimization_barrier_c2(%a: tensor<f32>) {
  // expected-error @+1 {{result 0 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.optimization_barrier"(%a) : (tensor<f32>) -> tensor<f64>
  return
}

// -----

func.func @tuple_c1(%a: tensor<f32>) {
  // expected-error @+1 {{has 1 operands, but result 0 has type tuple<tensor<f32>, tensor<f32>>}}
  %0 = "stablehlo.tuple"(%a) : (tensor<f32>) -> tuple<tensor<f32>, tensor<f32>>
  return
}

// -----

func.func @tuple_c2(%a: tensor<f32>) {
  // expected-error @+1 {{operand 0 has type tensor<f32>, but element 0 of result 0 has type tensor<i32>}}
  %0 = "stablehlo.tuple"(%a) : (tensor<f32>) -> tuple<tensor<i32>>
  return
}

// -----

func.func @get_tuple_element_c1(%a: tuple<tensor<f32>>) {
  // expected-error @+1 {{attribute 'index' is 1, but operand 0 has 1 elements}}
  %0 = "stablehlo.get_tuple_element"(%a) {index = 1 : i32} : (tuple<tensor<f32>>) -> tensor<f32>
  return
}

// -----

func.func @get_tuple_element_c2(%a: tuple<tensor<f32>>) {
  // expected-error @+1 {{result 0 has type tensor<i32>, but element 0 of operand 0 has type tensor<f32>}}
  %0 = "stablehlo.get_tuple_element"(%a) {index = 0 : i32} : (tuple<tensor<f32>>) -> tensor<i32>
  return
}
